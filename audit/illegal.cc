#include "audit/illegal.h"

#include <fmt/format.h>

#include <array>
#include <utility>

#include "differential/compare/memory_compare.h"
#include "differential/compare/unspecified.h"
#include "differential/memory/collision.h"
#include "differential/memory/filled_memory.h"
#include "differential/memory/memory_set.h"
#include "isa/intervals.h"
#include "isa/memory_map.h"
#include "oracle/oracle.h"

namespace lanediff::audit {
namespace {

/// An oracle that has executed the first steps of a case.
struct Prepared {
  Prepared(const Case& c, std::size_t steps)
      : memory(c), oracle(c.profile(), memory.view()) {
    for (std::size_t i = 0; i < steps; ++i) oracle.Execute(c.program[i]);
  }

  diff::MemorySet memory;
  oracle::Oracle oracle;
};

/// Bytes of every memory.
using Windows = std::array<isa::IntervalSet, isa::kCount<isa::Memory>>;

/// The first byte outside `windows` that differs between the two, in words;
/// empty where none does.
std::string DifferenceOutside(const diff::MemorySet& before,
                              const diff::MemorySet& after,
                              const Windows& windows) {
  std::string differs;
  diff::ThereInEither(before, after)
      .ForEach([&](const diff::Touched::Run& run) {
        const std::span from = before[run.memory].subspan(run.at, run.bytes);
        const std::span to = after[run.memory].subspan(run.at, run.bytes);
        for (std::size_t i = 0; i < from.size() && differs.empty(); ++i) {
          const auto at = static_cast<std::int64_t>(run.at + i);
          if (from[i] == to[i] ||
              windows[static_cast<std::size_t>(run.memory)].Intersects(
                  {at, at + 1})) {
            continue;
          }
          differs = fmt::format(
              "{} byte {} belongs to no operand: it was 0x{:02x}, found "
              "0x{:02x}",
              isa::Name(run.memory), at, from[i], to[i]);
        }
      });
  return differs;
}

/// What the target leaves of `before`.
diff::MemorySet Run(const Case& c, std::size_t step,
                    const diff::MemorySet& before,
                    const diff::StepwiseTarget& target) {
  diff::MemorySet memory(c);
  const auto session = target.Open(c.profile(), memory.view());
  for (std::size_t i = 0; i < step; ++i) session->Execute(c.program[i]);
  // Errors of earlier steps are reported for those steps.
  diff::CopyAll(before, memory);
  session->Execute(c.program[step]);
  return memory;
}

/// What it leaves at the end, as far as it reports memory.
diff::MemorySet RunWhole(const Case& c, const diff::Target& target) {
  const auto outcome = target.Run(c);
  if (!outcome || !outcome->memory) return diff::MemorySet(c);
  return diff::Overwritten(c, *outcome->memory);
}

}  // namespace

RanIllegal RunIllegal(const Case& c, std::size_t step,
                      const diff::Target& target) {
  const isa::Step& illegal = c.program[step];
  Prepared expected(c, step);
  const diff::MemorySet before = expected.memory;
  diff::MemorySet actual = target.stepwise() != nullptr
                               ? Run(c, step, before, *target.stepwise())
                               : RunWhole(c, target);
  diff::CopyRanges(diff::ScratchOf(c, illegal), before, actual);

  Windows windows;
  for (const view::Window& one : view::WindowsOf(illegal, c.product)) {
    windows[static_cast<std::size_t>(one.memory)].Insert({one.at, one.end()});
  }
  const bool defined = expected.oracle.ExecuteExtended(illegal).has_value();
  if (!defined) {
    std::string outside = DifferenceOutside(before, actual, windows);
    if (outside.empty()) return {};
    return {Showing::kWroteOutside, std::move(outside)};
  }
  diff::CopyRanges(diff::ScratchOf(c, illegal), before, expected.memory);
  static_cast<void>(diff::Settle(
      diff::OpenRunsOf(isa::OpName(illegal), expected.oracle.open_results()),
      expected.memory, actual));
  const auto writes = diff::WritesOf(expected.oracle.accesses());
  const auto other = diff::CompareMemory(expected.memory, actual, writes);
  if (!other) return {Showing::kRanAsExtended, ""};
  // The extension's own writes may lie outside the windows.
  for (const diff::TypedRun& run : writes) {
    windows[static_cast<std::size_t>(run.memory)].Insert(
        {run.at, run.at + run.bytes});
  }
  std::string outside = DifferenceOutside(before, actual, windows);
  if (!outside.empty()) return {Showing::kWroteOutside, std::move(outside)};
  return {Showing::kRanOtherwise,
          "as the addresses go on: " + diff::Describe(*other)};
}

}  // namespace lanediff::audit
