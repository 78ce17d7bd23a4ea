#include "sanitizer/races.h"

#include <algorithm>
#include <cstddef>
#include <map>

#include "isa/state.h"

namespace lanediff::lint {
namespace {

namespace sync = isa::sync;

/// Sorts pieces of races by rule and earlier step. A step has few of either.
class RaceCollector {
 public:
  void Add(isa::RuleId rule, std::int32_t earlier, std::size_t memory,
           const isa::Interval& bytes) {
    auto race = std::ranges::find_if(races, [&](const Race& r) {
      return r.rule == rule && r.earlier == earlier;
    });
    if (race == races.end()) {
      races.push_back({rule, earlier, {}});
      race = races.end() - 1;
    }
    race->bytes[memory].Append(bytes);
  }

  std::vector<Race> races;
};

/// Calls visit(range, touch) for each run of `bytes` that was touched alike.
void ForEach(const isa::IntervalMap<LastTouch>& touches,
             const isa::IntervalSet& bytes, const auto& visit) {
  for (const isa::Interval& range : bytes) touches.ForEach(range, visit);
}

}  // namespace

std::vector<Race> Races::Look(const StepUse& use, isa::Pipe pipe,
                              const std::vector<isa::Pipe>& pipes,
                              const Order& order) const {
  RaceCollector found;
  const auto unordered = [&](std::int32_t step) {
    return step != LastTouch::kNoStep &&
           !order.IsBefore(pipes[static_cast<std::size_t>(step)], step, pipe);
  };
  for (std::size_t m = 0; m < touches_.size(); ++m) {
    const MemoryUse& bytes = use[static_cast<isa::Memory>(m)];
    if (bytes.empty()) continue;
    ForEach(touches_[m], bytes.read_first,
            [&](const isa::Interval& r, const LastTouch& last) {
              if (unordered(last.writer)) {
                found.Add(sync::kRaw, last.writer, m, r);
              }
            });
    ForEach(touches_[m], bytes.writes,
            [&](const isa::Interval& r, const LastTouch& last) {
              for (std::int32_t reader : last.readers) {
                if (unordered(reader)) found.Add(sync::kWar, reader, m, r);
              }
            });
    // No step has read them since, the step at hand neither.
    ForEach(touches_[m], Without(bytes.writes, bytes.read_first),
            [&](const isa::Interval& r, const LastTouch& last) {
              const bool was_read = last.readers != LastTouch().readers;
              if (!was_read && unordered(last.writer)) {
                found.Add(sync::kWaw, last.writer, m, r);
              }
            });
  }
  return std::move(found.races);
}

std::vector<std::pair<std::size_t, std::int64_t>> Races::WritersOf(
    isa::Memory memory, const isa::IntervalSet& bytes) const {
  std::map<std::size_t, std::int64_t> writers;
  ForWriters(memory, bytes, [&](const isa::Interval& r, std::int32_t writer) {
    writers[static_cast<std::size_t>(writer)] += r.size();
  });
  std::vector<std::pair<std::size_t, std::int64_t>> most(writers.begin(),
                                                         writers.end());
  std::ranges::sort(most, {}, [](const auto& writer) {
    return std::pair(-writer.second, writer.first);
  });
  return most;
}

void Races::Executed(const StepUse& use, isa::Pipe pipe, std::int32_t step) {
  LastTouch wrote;
  wrote.writer = step;
  for (std::size_t m = 0; m < touches_.size(); ++m) {
    const MemoryUse& bytes = use[static_cast<isa::Memory>(m)];
    for (const isa::Interval& range : bytes.writes) {
      touches_[m].Set(range, wrote);
    }
    for (const isa::Interval& range : bytes.read_after) {
      touches_[m].SetMissing(range, LastTouch());
      touches_[m].ForEachValue(range, [&](LastTouch& touch) {
        touch.readers[static_cast<std::size_t>(pipe)] = step;
      });
    }
  }
}

}  // namespace lanediff::lint
