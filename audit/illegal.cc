#include "audit/illegal.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>
#include <vector>

#include "differential/compare/memory_compare.h"
#include "differential/compare/unspecified.h"
#include "differential/memory/filled_memory.h"
#include "differential/memory/memory_set.h"
#include "isa/fields.h"
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

/// The windows of a step's operands and tiles, as far as they lie in memory.
struct Windows : isa::FieldVisitor<Windows> {
  explicit Windows(const Case& c) : product(c.product) {}

  void Operand(std::string_view, const isa::Operand& o) {
    all.push_back({isa::MemoryAt(product, o.position), o.at, o.bytes});
  }
  void Tile(std::string_view, const isa::Tile& t) {
    // A tile may claim 2^63 elements; who writes to all of a memory behind its
    // start writes to it.
    constexpr std::int64_t kAll = std::int64_t{1} << 40;
    const auto clip = [](std::int64_t n) {
      return std::clamp<std::int64_t>(n, 0, 1 << 18);
    };
    const std::int64_t bytes = std::min(
        kAll, clip(t.rows) * clip(t.cols) *
                  std::int64_t{isa::SizeBytes(t.dtype.value_or(dtype))});
    all.push_back({isa::MemoryAt(product, t.position), t.at, bytes});
  }
  void Word(std::string_view, const isa::DType& word) { dtype = word; }
  template <class T>
  void Word(std::string_view, const T&) {}

  bool Holds(isa::Memory memory, std::int64_t at) const {
    return std::ranges::any_of(all, [&](const diff::ByteRange& w) {
      return w.memory == memory && w.at <= at && at - w.at < w.bytes;
    });
  }

  isa::Product product;
  isa::DType dtype = isa::DType::kUint8;
  std::vector<diff::ByteRange> all;
};

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
          if (from[i] == to[i] || windows.Holds(run.memory, at)) continue;
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

  Windows windows(c);
  std::visit([&](const auto& s) { s.Fields(s, windows); }, illegal);
  const bool defined = expected.oracle.ExecuteExtended(illegal).has_value();
  if (!defined) {
    std::string outside = DifferenceOutside(before, actual, windows);
    if (outside.empty()) return {};
    return {Showing::kWroteOutside, std::move(outside)};
  }
  diff::CopyRanges(diff::ScratchOf(c, illegal), before, expected.memory);
  const auto writes = diff::WritesOf(expected.oracle.accesses());
  const auto other = diff::CompareMemory(expected.memory, actual, writes);
  if (!other) return {Showing::kRanAsExtended, ""};
  // The extension's own writes may lie outside the windows.
  for (const diff::TypedRun& run : writes) {
    windows.all.push_back({run.memory, run.at, run.bytes});
  }
  std::string outside = DifferenceOutside(before, actual, windows);
  if (!outside.empty()) return {Showing::kWroteOutside, std::move(outside)};
  return {Showing::kRanOtherwise,
          "as the addresses go on: " + diff::Describe(*other)};
}

}  // namespace lanediff::audit
