#include "sanitizer/resolve.h"

#include <cstddef>
#include <cstdint>
#include <set>
#include <string_view>
#include <utility>

#include "isa/state.h"
#include "sanitizer/step_use.h"

namespace lanediff::lint {
namespace {

/// Operand and iteration of an access; of none, nothing.
using Spot = std::pair<std::string_view, std::int64_t>;

Spot SpotOf(const std::vector<isa::Access>& accesses, std::int32_t number) {
  if (number == AccessCells::kNone) return {};
  const isa::Access& access = accesses[static_cast<std::size_t>(number)];
  return {access.operand, access.iteration};
}

/// Folds the cells of a hazard, in ascending order of memories and addresses.
class Folding {
 public:
  void Add(isa::Memory memory, const isa::Interval& cell, const Spot& a,
           const Spot& b) {
    bytes_.total += cell.size();
    const auto pair = std::pair(a, b);
    if (pairs_.empty()) {
      bytes_.memory = memory;
      bytes_.at = end_ = cell.begin;
      first_ = pair;
    }
    if (memory == bytes_.memory) bytes_.end = cell.end;
    pairs_.insert(pair);
    growing_ = growing_ && pair == first_ && memory == bytes_.memory &&
               cell.begin == end_;
    if (growing_) end_ = cell.end;
  }

  HazardBytes bytes() const {
    HazardBytes bytes = bytes_;
    bytes.bytes = end_ - bytes_.at;
    bytes.folded = static_cast<std::int64_t>(pairs_.size()) - 1;
    return bytes;
  }
  const Spot& a() const { return first_.first; }
  const Spot& b() const { return first_.second; }

 private:
  HazardBytes bytes_;
  std::set<std::pair<Spot, Spot>> pairs_;
  std::pair<Spot, Spot> first_;
  std::int64_t end_ = 0;
  bool growing_ = true;
};

void SetSpot(Place& place, const Spot& spot) {
  place.operand = spot.first;
  place.iteration = spot.second;
}

}  // namespace

void Resolve(const Race& race, const std::vector<isa::Access>& earlier,
             const std::vector<isa::Access>& later, Hazard& hazard) {
  const bool wrote = race.rule != isa::sync::kWar;
  const bool writes = race.rule != isa::sync::kRaw;
  Folding folding;
  for (std::size_t m = 0; m < race.bytes.size(); ++m) {
    isa::IntervalSet bytes = race.bytes[m];
    bytes.Tidy();
    if (bytes.empty()) continue;
    const auto memory = static_cast<isa::Memory>(m);
    const AccessCells cells(bytes, memory, earlier, later);
    const auto a = cells.Last(earlier, {.write = wrote});
    const auto b = cells.First(later, {.write = writes});
    for (std::size_t i = 0; i < a.size(); ++i) {
      folding.Add(memory, cells.cells()[i], SpotOf(earlier, a[i]),
                  SpotOf(later, b[i]));
    }
  }
  hazard.bytes = folding.bytes();
  SetSpot(*hazard.earlier, folding.a());
  SetSpot(hazard.later, folding.b());
}

void Resolve(const InitRead& read, const std::vector<isa::Access>& accesses,
             Hazard& hazard) {
  const AccessCells cells(read.bytes, read.memory, accesses);
  const auto b =
      cells.First(accesses, {.write = false, .operand = read.operand});
  Folding folding;
  for (std::size_t i = 0; i < b.size(); ++i) {
    folding.Add(read.memory, cells.cells()[i], {}, SpotOf(accesses, b[i]));
  }
  hazard.bytes = folding.bytes();
  SetSpot(hazard.later, folding.b());
}

}  // namespace lanediff::lint
