#include "differential/compare/expected_result.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <iterator>
#include <span>
#include <utility>

#include "differential/compare/memory_compare.h"
#include "differential/memory/memory_set.h"
#include "differential/targets/find_target.h"
#include "differential/testcase/element.h"
#include "isa/intervals.h"
#include "isa/memory_map.h"
#include "oracle/oracle.h"

namespace lanediff::diff {
namespace {

/// Runs `c` on the oracle in `memory`; `visit(step, accesses)` for each step
/// that is executed.
template <class Visit>
void ForEachExecuted(const Case& c, MemorySet& memory, const Visit& visit) {
  oracle::Oracle oracle(c.profile(), memory.view());
  for (std::size_t i = 0; i < c.program.size(); ++i) {
    if (oracle.Execute(c.program[i]).status !=
        isa::StepResult::Status::kExecuted) {
      break;
    }
    visit(i, oracle.accesses());
  }
}

std::vector<TypedRun> WritesOfProgram(const Case& c, MemorySet& memory) {
  std::vector<TypedRun> writes;
  ForEachExecuted(c, memory, [&](std::size_t step, const auto& accesses) {
    for (const TypedRun& run : WritesOf(accesses)) {
      writes.push_back(run);
      writes.back().step = step;
    }
  });
  return writes;
}

/// Which of `writes` was the last to write each byte of every memory.
using Owners = isa::PerMemory<isa::IntervalMap<const TypedRun*>>;

Owners OwnersOf(const std::vector<TypedRun>& writes) {
  Owners owners;
  for (const TypedRun& run : writes) {
    owners[run.memory].Set({run.at, run.at + run.bytes}, &run);
  }
  return owners;
}

/// The element of `owner` that has the byte `at` in it.
ChangedElement ElementAt(std::int64_t at, isa::Memory memory,
                         const TypedRun* owner, const MemorySet& after) {
  ChangedElement element{.memory = memory, .at = at};
  if (owner != nullptr) {
    const std::int64_t size = isa::SizeBytes(owner->dtype);
    element.dtype = owner->dtype;
    element.at = owner->at + (at - owner->at) / size * size;
  }
  element.bits = LoadElement(
      element.dtype,
      std::span(after[memory]).subspan(static_cast<std::size_t>(element.at)));
  return element;
}

bool HasSeries(const Case& c) {
  return std::ranges::any_of(c.memory, [](const auto& image) {
    return image && std::ranges::any_of(image->regions, [](const Region& r) {
             return r.series != nullptr;
           });
  });
}

Touched TouchedBy(const Case& c) {
  MemorySet memory(c);
  Touched touched(SizesOf(c));
  ForEachExecuted(c, memory, [&](std::size_t, const auto& accesses) {
    for (const isa::Access& access : accesses) {
      touched.Add(access.memory, access.at, access.bytes);
    }
  });
  return touched;
}

/// Appends the whole elements of `series`, a region, that reach into `run`.
/// Those that the run before has are there.
void AppendPart(const Region& series, const Touched::Run& run,
                std::vector<Region>& regions) {
  const std::int64_t element = isa::SizeBytes(*series.dtype);
  const auto run_at = static_cast<std::int64_t>(run.at);
  const auto run_end = static_cast<std::int64_t>(run.at + run.bytes);
  std::int64_t first = std::max<std::int64_t>(0, run_at - series.at) / element;
  const std::int64_t last =
      (std::min(series.end(), run_end) - series.at + element - 1) / element;
  if (!regions.empty()) {
    first = std::max(first, (regions.back().end() - series.at) / element);
  }
  if (first >= last) return;
  Region part{
      .at = series.at + first * element, .dtype = series.dtype, .bytes = {}};
  part.bytes.resize(static_cast<std::size_t>((last - first) * element));
  series.series->Write(first * element, part.bytes);
  regions.push_back(std::move(part));
}

}  // namespace

ExpectedResult ExpectedResultOf(const Case& c) {
  ExpectedResult result{.outcome = TheOracle().Run(c).value(), .changed = {}};
  MemorySet memory(c);
  const std::vector<TypedRun> writes = WritesOfProgram(c, memory);
  const Owners owners = OwnersOf(writes);
  for (const isa::Memory m : kAllMemories) {
    for (const Region& region : (*result.outcome.memory)[m]) {
      for (std::int64_t at = region.at; at < region.end();) {
        const auto owner = owners[m].FirstIn({at, at + 1});
        const ChangedElement element =
            ElementAt(at, m, owner ? owner->second : nullptr, memory);
        at = element.at + isa::SizeBytes(element.dtype);
        // Two changed ranges can meet in one element.
        if (result.changed.empty() || result.changed.back() != element) {
          result.changed.push_back(element);
        }
      }
    }
  }
  return result;
}

std::vector<TypedRun> WritesOfProgram(const Case& c) {
  MemorySet memory(c);
  return WritesOfProgram(c, memory);
}

Case Listed(const Case& c) {
  if (!HasSeries(c)) return c;
  const Touched touched = TouchedBy(c);
  Case listed = c;
  for (isa::Memory memory : kAllMemories) {
    auto& image = listed.memory[memory];
    if (!image) continue;
    std::vector<Region> regions;
    for (Region& region : image->regions) {
      if (!region.series) {
        regions.push_back(std::move(region));
        continue;
      }
      touched.ForEach([&](const Touched::Run& run) {
        if (run.memory == memory) AppendPart(region, run, regions);
      });
    }
    image->regions = std::move(regions);
  }
  return listed;
}

}  // namespace lanediff::diff
