#include "differential/compare/memory_compare.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>

#include "differential/memory/memory_set.h"
#include "differential/testcase/element.h"
#include "isa/catalogue.h"
#include "isa/memory_map.h"

namespace lanediff::diff {
namespace {

using isa::DType;

/// The element around `byte`, or the byte alone where nothing is known of it,
/// or the run ends within an element.
ElementDifference ElementAt(const TypedRun* run, isa::Memory memory,
                            std::int64_t byte,
                            std::span<const std::uint8_t> expected,
                            std::span<const std::uint8_t> actual) {
  ElementDifference difference;
  difference.memory = memory;
  difference.at = byte;
  const std::int64_t size = run == nullptr ? 1 : isa::SizeBytes(run->dtype);
  if (run != nullptr && byte - run->at < run->bytes / size * size) {
    const std::int64_t index = (byte - run->at) / size;
    difference.dtype = run->dtype;
    difference.at = run->at + index * size;
    difference.operand = run->operand;
    difference.iteration = run->iteration;
    difference.lane = run->lane + index;
  }
  const auto at = static_cast<std::size_t>(difference.at);
  difference.expected = LoadElement(difference.dtype, expected.subspan(at));
  difference.actual = LoadElement(difference.dtype, actual.subspan(at));
  difference.ulp =
      UlpDistance(difference.dtype, difference.expected, difference.actual);
  return difference;
}

/// Whether the element of `run` that differs in bits is the same value.
bool IsSameValue(const ElementDifference& element, const TypedRun* run,
                 std::span<const TypedRun> runs) {
  if (run == nullptr || run->moved) return false;
  if (!SameElement(element.dtype, element.expected, element.actual)) {
    return false;
  }
  const std::int64_t end = element.at + isa::SizeBytes(element.dtype);
  for (std::int64_t byte = element.at; byte < end; ++byte) {
    if (RunAt(runs, element.memory, byte) != run) return false;
  }
  return true;
}

}  // namespace

const TypedRun* RunAt(std::span<const TypedRun> runs, isa::Memory memory,
                      std::int64_t byte) {
  for (std::size_t i = runs.size(); i-- > 0;) {
    const TypedRun& run = runs[i];
    const std::int64_t place = byte - run.at;
    if (run.memory == memory && 0 <= place && place < run.bytes) return &run;
  }
  return nullptr;
}

std::size_t WriterOf(std::span<const TypedRun> runs, isa::Memory memory,
                     std::int64_t byte, std::size_t otherwise) {
  if (const TypedRun* const run = RunAt(runs, memory, byte)) return run->step;
  return runs.empty() ? otherwise : runs.back().step;
}

std::vector<TypedRun> WritesOf(const std::vector<isa::Access>& accesses) {
  std::vector<TypedRun> runs;
  for (const isa::Access& access : accesses) {
    if (access.write) runs.push_back({access});
  }
  return runs;
}

std::vector<TypedRun> RunsOf(const RegionsByMemory& regions,
                             std::string_view operand) {
  std::vector<TypedRun> runs;
  for (isa::Memory m : kAllMemories) {
    for (const Region& region : regions[m]) {
      if (!region.dtype) continue;
      runs.push_back(
          {{operand, true, m, region.at, region.size(), *region.dtype, 0, 0}});
    }
  }
  return runs;
}

std::vector<TypedRun> WritesOf(const isa::Step& step,
                               const std::vector<isa::Access>& accesses) {
  std::vector<TypedRun> runs = WritesOf(accesses);
  const isa::Instruction* const known = isa::InstructionOf(step);
  const bool moves = known != nullptr && !known->arithmetic;
  for (TypedRun& run : runs) run.moved = moves;
  return runs;
}

std::optional<ElementDifference> CompareMemory(const MemorySet& expected,
                                               const MemorySet& actual,
                                               std::span<const TypedRun> runs) {
  std::optional<ElementDifference> first;
  std::int64_t count = 0;
  ThereInEither(expected, actual).ForEach([&](const Touched::Run& part) {
    const std::span want = expected[part.memory];
    const std::span have = actual[part.memory];
    if (std::memcmp(want.data() + part.at, have.data() + part.at, part.bytes) ==
        0) {
      return;
    }
    const auto part_end = static_cast<std::int64_t>(part.at + part.bytes);
    for (auto byte = static_cast<std::int64_t>(part.at); byte < part_end;
         ++byte) {
      const auto i = static_cast<std::size_t>(byte);
      if (want[i] == have[i]) continue;
      const TypedRun* const run = RunAt(runs, part.memory, byte);
      const ElementDifference here =
          ElementAt(run, part.memory, byte, want, have);
      const std::int64_t end = here.at + isa::SizeBytes(here.dtype);
      if (!IsSameValue(here, run, runs)) {
        if (!first) first = here;
        for (std::int64_t b = byte; b < end; ++b) {
          count += want[static_cast<std::size_t>(b)] !=
                   have[static_cast<std::size_t>(b)];
        }
      }
      byte = end - 1;
    }
  });
  if (first) first->differing_bytes = count;
  return first;
}

std::uint64_t BitsAt(const MemorySet& memory, const ElementDifference& d) {
  return LoadElement(d.dtype,
                     memory[d.memory].subspan(static_cast<std::size_t>(d.at)));
}

void NoteBefore(const MemorySet& before, ElementDifference& difference) {
  difference.before = BitsAt(before, difference);
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
  const std::string more =
      fmt::format("{} differ{} in all", Counted(d.differing_bytes, "byte"),
                  d.differing_bytes == 1 ? "s" : "");
  return fmt::format("{} byte {} ({}): expected {}, found {}{}; {}",
                     isa::Name(d.memory), d.at, who,
                     DescribeElement(d.dtype, d.expected),
                     DescribeElement(d.dtype, d.actual), distance, more);
}

}  // namespace lanediff::diff
