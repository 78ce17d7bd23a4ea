#include "diff/memory_compare.h"

#include <fmt/format.h>

#include <algorithm>

#include "diff/element.h"
#include "isa/memory_map.h"

namespace lanediff::diff {
namespace {

using isa::DType;

/// The last run that covers `byte`, null if none does.
const TypedRun* RunAt(std::span<const TypedRun> runs, isa::Memory memory,
                      std::int64_t byte) {
  for (std::size_t i = runs.size(); i-- > 0;) {
    const TypedRun& run = runs[i];
    if (run.memory == memory && run.at <= byte && byte < run.at + run.bytes) {
      return &run;
    }
  }
  return nullptr;
}

/// The element around `byte`, or the byte alone where nothing is known of it.
ElementDifference ElementAt(const TypedRun* run, isa::Memory memory,
                            std::int64_t byte,
                            const std::vector<std::uint8_t>& expected,
                            const std::vector<std::uint8_t>& actual) {
  ElementDifference difference;
  difference.memory = memory;
  difference.at = byte;
  if (run != nullptr) {
    const std::int64_t size = isa::SizeBytes(run->dtype);
    const std::int64_t index = (byte - run->at) / size;
    difference.dtype = run->dtype;
    difference.at = run->at + index * size;
    difference.operand = run->operand;
    difference.iteration = run->iteration;
    difference.lane = run->lane + index;
  }
  const auto at = static_cast<std::size_t>(difference.at);
  difference.expected =
      LoadElement(difference.dtype, std::span(expected).subspan(at));
  difference.actual =
      LoadElement(difference.dtype, std::span(actual).subspan(at));
  difference.ulp =
      UlpDistance(difference.dtype, difference.expected, difference.actual);
  return difference;
}

}  // namespace

std::vector<TypedRun> WritesOf(const std::vector<oracle::Access>& accesses) {
  std::vector<TypedRun> runs;
  for (const oracle::Access& access : accesses) {
    if (!access.write) continue;
    runs.push_back({access.memory, access.at, access.bytes, access.dtype,
                    access.operand, access.iteration, access.lane});
  }
  return runs;
}

std::optional<ElementDifference> CompareMemory(const MemorySet& expected,
                                               const MemorySet& actual,
                                               std::span<const TypedRun> runs) {
  std::optional<ElementDifference> first;
  std::int64_t count = 0;
  for (isa::Memory memory : kAllMemories) {
    const auto& want = expected[memory];
    const auto& have = actual[memory];
    if (want == have) continue;
    const auto size = static_cast<std::int64_t>(want.size());
    for (std::int64_t byte = 0; byte < size; ++byte) {
      const auto i = static_cast<std::size_t>(byte);
      if (want[i] == have[i]) continue;
      const TypedRun* const run = RunAt(runs, memory, byte);
      const ElementDifference here = ElementAt(run, memory, byte, want, have);
      const std::int64_t end = here.at + isa::SizeBytes(here.dtype);
      if (!SameElement(here.dtype, here.expected, here.actual)) {
        if (!first) first = here;
        for (std::int64_t b = byte; b < end; ++b) {
          count += want[static_cast<std::size_t>(b)] !=
                   have[static_cast<std::size_t>(b)];
        }
      }
      byte = end - 1;
    }
  }
  if (first) first->differing_bytes = count;
  return first;
}

void NoteBefore(const MemorySet& before, ElementDifference& difference) {
  difference.before = LoadElement(
      difference.dtype, std::span(before[difference.memory])
                            .subspan(static_cast<std::size_t>(difference.at)));
}

std::string Describe(const ElementDifference& d) {
  const std::string who =
      d.operand.empty()
          ? "which no operand was to write"
          : fmt::format("{} element of iteration {} lane {}, {}", d.operand,
                        d.iteration, d.lane, isa::Name(d.dtype));
  const std::string distance = d.operand.empty() || d.ulp == 0
                                   ? ""
                                   : fmt::format(", {} ULP apart", d.ulp);
  const std::string more = fmt::format(
      "{} byte{} differ{} in all", d.differing_bytes,
      d.differing_bytes == 1 ? "" : "s", d.differing_bytes == 1 ? "s" : "");
  return fmt::format("{} byte {} ({}): expected {}, found {}{}; {}",
                     isa::Name(d.memory), d.at, who,
                     DescribeElement(d.dtype, d.expected),
                     DescribeElement(d.dtype, d.actual), distance, more);
}

}  // namespace lanediff::diff
