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

}  // namespace

/// The run that holds `offset`; it is run `from` or one behind it. Looks at a
/// few neighbours first: close ranges are queried one after the other.
std::size_t ByteHistory::RunAt(const Page& page, std::size_t from,
                               std::int32_t offset) {
  constexpr std::size_t kNeighbours = 4;
  std::size_t run = from;
  for (std::size_t i = 0; i < kNeighbours; ++i, ++run) {
    if (run + 1 >= page.size() || page[run + 1].begin > offset) return run;
  }
  const auto after = std::upper_bound(
      page.begin() + static_cast<std::ptrdiff_t>(run), page.end(), offset,
      [](std::int32_t at, const Run& r) { return at < r.begin; });
  return static_cast<std::size_t>(after - page.begin()) - 1;
}

/// Makes a run begin at `offset`, the page's end included; returns its number,
/// which is at least `from`.
std::size_t ByteHistory::CutAt(Page& page, std::size_t from,
                               std::int32_t offset) {
  if (offset == kPageBytes) return page.size();
  const std::size_t run = RunAt(page, from, offset);
  if (page[run].begin == offset) return run;
  Run rest = page[run];
  rest.begin = offset;
  page.insert(page.begin() + static_cast<std::ptrdiff_t>(run) + 1, rest);
  return run + 1;
}

/// Calls `change(page, first, last)` for the runs [first, last) of each page
/// that `bytes` cover, which may replace them and returns where to go on.
template <class Change>
void ByteHistory::ChangePages(const isa::IntervalSet& bytes, Change change) {
  std::int64_t last_start = -1;
  Page* page = nullptr;
  std::size_t from = 0;
  for (const isa::Interval& range : bytes) {
    for (std::int64_t at = range.begin; at < range.end;) {
      const std::int64_t start = at / kPageBytes * kPageBytes;
      const std::int64_t end = std::min(range.end, start + kPageBytes);
      if (start != last_start) {
        page = &pages_[start];
        if (page->empty()) page->emplace_back();
        last_start = start;
        from = 0;
      }
      const std::size_t first =
          CutAt(*page, from, static_cast<std::int32_t>(at - start));
      const std::size_t last =
          CutAt(*page, first, static_cast<std::int32_t>(end - start));
      from = change(*page, first, last);
      at = end;
    }
  }
}

void ByteHistory::Write(const isa::IntervalSet& bytes, std::int32_t step) {
  ChangePages(bytes, [&](Page& page, std::size_t first, std::size_t last) {
    page[first].touch = LastTouch();
    page[first].touch.writer = step;
    // One run for what one step wrote.
    if (first > 0 && page[first - 1].touch == page[first].touch) --first;
    page.erase(page.begin() + static_cast<std::ptrdiff_t>(first) + 1,
               page.begin() + static_cast<std::ptrdiff_t>(last));
    return first;
  });
}

void ByteHistory::Read(const isa::IntervalSet& bytes, isa::Pipe pipe,
                       std::int32_t step) {
  ChangePages(bytes, [&](Page& page, std::size_t first, std::size_t last) {
    for (std::size_t run = first; run < last; ++run) {
      page[run].touch.readers[static_cast<std::size_t>(pipe)] = step;
    }
    if (first > 0) --first;
    const auto begin = page.begin() + static_cast<std::ptrdiff_t>(first);
    const auto end = page.begin() + static_cast<std::ptrdiff_t>(last);
    page.erase(std::unique(begin, end,
                           [](const Run& a, const Run& b) {
                             return a.touch == b.touch;
                           }),
               end);
    return first;
  });
}

std::vector<Race> Races::Look(const StepUse& use, isa::Pipe pipe,
                              const std::vector<isa::Pipe>& pipes,
                              const Order& order) const {
  RaceCollector found;
  const auto unordered = [&](std::int32_t step) {
    return step != LastTouch::kNoStep &&
           !order.IsBefore(pipes[static_cast<std::size_t>(step)], step, pipe);
  };
  for (std::size_t m = 0; m < memories_.size(); ++m) {
    const MemoryUse& bytes = use[static_cast<isa::Memory>(m)];
    if (bytes.empty()) continue;
    const ByteHistory& history = memories_[m];
    history.ForEach(bytes.read_first,
                    [&](isa::Interval r, const LastTouch& last) {
                      if (unordered(last.writer))
                        found.Add(sync::kRaw, last.writer, m, r);
                    });
    history.ForEach(bytes.writes, [&](isa::Interval r, const LastTouch& last) {
      for (std::int32_t reader : last.readers) {
        if (unordered(reader)) found.Add(sync::kWar, reader, m, r);
      }
    });
    // No step has read them since, the step at hand neither.
    const isa::IntervalSet blind = Without(bytes.writes, bytes.read_first);
    history.ForEach(blind, [&](isa::Interval r, const LastTouch& last) {
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
  memories_[static_cast<std::size_t>(memory)].ForEach(
      bytes, [&](isa::Interval r, const LastTouch& last) {
        if (last.writer == LastTouch::kNoStep) return;
        writers[static_cast<std::size_t>(last.writer)] += r.size();
      });
  std::vector<std::pair<std::size_t, std::int64_t>> most(writers.begin(),
                                                         writers.end());
  std::ranges::sort(most, {}, [](const auto& writer) {
    return std::pair(-writer.second, writer.first);
  });
  return most;
}

void Races::Executed(const StepUse& use, isa::Pipe pipe, std::int32_t step) {
  for (std::size_t m = 0; m < memories_.size(); ++m) {
    const MemoryUse& bytes = use[static_cast<isa::Memory>(m)];
    memories_[m].Write(bytes.writes, step);
    memories_[m].Read(bytes.read_after, pipe, step);
  }
}

}  // namespace lanediff::lint
