// What a walk reports: the bytes, operands and iterations of what it found.

#include <fmt/format.h>

#include <set>
#include <string_view>
#include <utility>

#include "isa/state.h"
#include "sanitizer/walk.h"

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

/// Which accesses a race is between: the bytes of the hazard, and operand and
/// iteration of both places. `earlier` and `later` are the steps' accesses.
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

/// The same of bytes that nothing has written.
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

}  // namespace

Place Walk::PlaceOf(std::size_t number) const {
  const isa::Step* const step = step_at_(number);
  return {.step = number,
          .op = step == nullptr ? std::string_view() : isa::OpName(*step),
          .pipe = pipes_[number]};
}

void Walk::Report(const InitRead& read,
                  const std::vector<isa::Access>& accesses,
                  std::size_t number) {
  Hazard hazard;
  hazard.rule = isa::sync::kInitRead;
  hazard.later = PlaceOf(number);
  if (read.earlier) {
    hazard.earlier = PlaceOf(static_cast<std::size_t>(*read.earlier));
    hazard.earlier->pipe.reset();
  }
  Resolve(read, accesses, hazard);
  hazard.origin = OriginOf(read, accesses);
  hazards().push_back(std::move(hazard));
}

void Walk::KeepWriters(const std::vector<isa::Access>& accesses,
                       std::int32_t n) {
  const auto first = init_.unwritten().FirstReadOf(n);
  if (!first) return;
  std::vector<isa::Interval> all;
  for (const isa::Access& access : accesses) {
    if (access.write || access.memory != first->memory) continue;
    all.push_back(BytesOf(access));
  }
  first_writers_[n] = here_->races.WritersOf(
      first->memory, Without(isa::IntervalSet(std::move(all)), first->bytes));
}

Hazard::Origin Walk::OriginOf(const InitRead& read,
                              const std::vector<isa::Access>& accesses) const {
  std::vector<isa::Interval> all;
  for (const isa::Access& access : accesses) {
    if (access.write || access.operand != read.operand ||
        access.memory != read.memory) {
      continue;
    }
    all.push_back(BytesOf(access));
  }
  const isa::IntervalSet wanted(std::move(all));
  Hazard::Origin origin;
  origin.read = wanted.bytes();
  if (read.left_by) {
    origin.left_by = PlaceOf(static_cast<std::size_t>(*read.left_by));
    origin.left_by->pipe.reset();
  }
  origin.writers = here_->races.WritersOf(
      read.memory, read.earlier ? read.bytes : Without(wanted, read.bytes));
  if (!read.earlier) return origin;
  if (const auto first = init_.unwritten().FirstReadOf(*read.earlier)) {
    const isa::Interval& lowest = first->bytes.front();
    origin.first = {.memory = first->memory,
                    .at = lowest.begin,
                    .bytes = lowest.size(),
                    .end = first->bytes.back().end,
                    .total = first->bytes.bytes(),
                    .folded = 0};
  }
  const auto writers = first_writers_.find(*read.earlier);
  if (writers != first_writers_.end()) origin.first_writers = writers->second;
  return origin;
}

void Walk::Report(const StaleReads::Read& read,
                  const std::vector<isa::Access>& accesses,
                  std::size_t number) {
  Hazard hazard;
  hazard.rule = isa::sync::kInitStale;
  hazard.later = PlaceOf(number);
  hazard.earlier = PlaceOf(static_cast<std::size_t>(read.origin.writer));
  Resolve(read.read, accesses, hazard);
  const auto writer = static_cast<std::size_t>(read.origin.writer);
  const auto reader = read.read.earlier;
  if (read.origin.only) {
    Note(hazard.rule, number);
    if (run_) {
      notes_.push_back({hazard.rule, number,
                        fmt::format("reads {} bytes that this use of a queue's "
                                    "only buffer has not written",
                                    hazard.bytes->total),
                        true, writer});
    }
    return;
  }
  if (reader) {
    hazard.cause =
        Hazard::Cause{.step = static_cast<std::size_t>(*reader),
                      .text = fmt::format("step {} reads them first", *reader)};
  }
  hazards().push_back(std::move(hazard));
}

void Walk::Report(const Race& race, std::size_t number) {
  const auto earlier = static_cast<std::size_t>(race.earlier);
  const isa::Step* const step = step_at_(earlier);
  Hazard hazard;
  hazard.rule = race.rule;
  hazard.earlier = PlaceOf(earlier);
  hazard.later = PlaceOf(number);
  static const std::vector<isa::Access> kForgotten;
  Resolve(race,
          step == nullptr ? kForgotten
                          : here_->judge.Again(*step, registers_[earlier]),
          here_->judge.accesses(), hazard);
  hazard.fix = fixes_.Between(pipes_[earlier], pipes_[number]);
  hazards().push_back(std::move(hazard));
}

}  // namespace lanediff::lint
