#include "make/sweep/sweep.h"

#include <vector>

#include "make/sweep/emitter.h"
#include "make/sweep/rooms.h"

namespace lanediff::make {
namespace {

struct Room {
  std::string_view name;
  void (*sweep)(sweep::Emitter&);
};

/// In the order of the steps' numbers, machine state last.
const std::vector<Room>& Rooms() {
  static const std::vector<Room> rooms = [] {
    std::vector<Room> all;
    isa::ForEachIntrinsic([&]<class Call>() {
      all.push_back({Call::kRoom,
                     [](sweep::Emitter& out) { sweep::SweepRoom<Call>(out); }});
    });
    all.push_back({"program", sweep::SweepProgram});
    return all;
  }();
  return rooms;
}

}  // namespace

std::span<const std::string_view> SweepRooms() {
  static const auto names = [] {
    std::vector<std::string_view> all;
    for (const Room& room : Rooms()) all.push_back(room.name);
    return all;
  }();
  return names;
}

std::uint64_t ForEachSweepCase(std::string_view room,
                               const WantsSweepCase& wants,
                               const TakesSweepCase& take,
                               isa::Edition edition) {
  for (const Room& entry : Rooms()) {
    if (entry.name != room) continue;
    sweep::Emitter out(entry.name, wants, take, edition);
    entry.sweep(out);
    return out.count();
  }
  return 0;
}

void ForEachSweepOutline(std::string_view room,
                         const std::function<void(const SweepOutline&)>& show,
                         isa::Edition edition) {
  for (const Room& entry : Rooms()) {
    if (entry.name != room) continue;
    sweep::Emitter out(entry.name, show, edition);
    entry.sweep(out);
  }
}

}  // namespace lanediff::make
