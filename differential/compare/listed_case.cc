#include "differential/compare/listed_case.h"

#include <algorithm>
#include <iterator>
#include <utility>

#include "differential/memory/memory_set.h"
#include "differential/memory/touched.h"
#include "isa/memory_map.h"
#include "oracle/oracle.h"

namespace lanediff::diff {
namespace {

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
  oracle::Oracle oracle(c.profile(), memory.view());
  for (const isa::Step& step : c.program) {
    if (oracle.Execute(step).status != isa::StepResult::Status::kExecuted) {
      break;
    }
    for (const isa::Access& access : oracle.accesses()) {
      touched.Add(access.memory, access.at, access.bytes);
    }
  }
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

Case Listed(const Case& c) {
  if (!HasSeries(c)) return c;
  const Touched touched = TouchedBy(c);
  Case listed = c;
  for (isa::Memory memory : kAllMemories) {
    auto& image = listed.memory[static_cast<std::size_t>(memory)];
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
