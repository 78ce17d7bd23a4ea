#include "make/sweep/sweep.h"

#include <array>

#include "make/sweep/emitter.h"
#include "make/sweep/rooms.h"

namespace lanediff::make {
namespace {

struct Room {
  std::string_view name;
  void (*sweep)(sweep::Emitter&);
};

constexpr std::array<Room, 6> kRooms = {{
    {isa::RepeatReduceSum::kRoom, sweep::SweepRepeatReduceSum},
    {isa::Min::kRoom, sweep::SweepMin},
    {isa::DataCopy::kRoom, sweep::SweepDataCopy},
    {isa::Trowprod::kRoom, sweep::SweepTrowprod},
    {isa::VecTrans::kRoom, sweep::SweepVecTrans},
    {"program", sweep::SweepProgram},
}};

}  // namespace

std::span<const std::string_view> SweepRooms() {
  static const auto names = [] {
    std::array<std::string_view, kRooms.size()> all;
    for (std::size_t i = 0; i < all.size(); ++i) all[i] = kRooms[i].name;
    return all;
  }();
  return names;
}

std::uint64_t ForEachSweepCase(std::string_view room,
                               const WantsSweepCase& wants,
                               const TakesSweepCase& take) {
  for (const Room& entry : kRooms) {
    if (entry.name != room) continue;
    sweep::Emitter out(entry.name, wants, take);
    entry.sweep(out);
    return out.count();
  }
  return 0;
}

}  // namespace lanediff::make
