#include "diff/view/sides.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <map>
#include <optional>
#include <utility>

#include "diff/check.h"
#include "diff/element.h"
#include "diff/memory_compare.h"
#include "diff/memory_set.h"
#include "diff/rule_text.h"
#include "isa/memory_map.h"
#include "oracle/oracle.h"

namespace lanediff::diff::view {
namespace {

/// A side, and its memory at the end; none where it is not looked at.
struct Column {
  Side side;
  std::optional<MemorySet> memory;
};

MemorySet Overwritten(const Case& c, const RegionsByMemory& regions) {
  MemorySet memory(c);
  for (const isa::Memory m : kAllMemories) {
    for (const Region& region : regions[static_cast<std::size_t>(m)]) {
      std::ranges::copy(region.bytes, memory[m].begin() + region.at);
    }
  }
  return memory;
}

std::string OutcomeText(bool rejected, std::size_t step,
                        const std::vector<isa::RuleId>& rules,
                        const std::vector<isa::RuleId>& notes) {
  std::string text =
      rejected ? fmt::format("rejected at step {}{}", step, RuleList(rules))
               : "executed";
  if (!notes.empty()) text += ", noted" + RuleList(notes);
  return text;
}

Column Expected(const Case& c, const Expectation& expect) {
  Column column{
      {"expect",
       OutcomeText(expect.rejected, expect.step, expect.rules,
                   expect.notes.value_or(std::vector<isa::RuleId>()))},
      std::nullopt};
  if (!expect.notes) column.side.outcome += ", notes not looked at";
  if (expect.memory) column.memory = Overwritten(c, *expect.memory);
  return column;
}

Column Actual(const Case& c, const Target& target) {
  const Outcome outcome = RunCase(c, target);
  Side side{std::string(target.name()), ""};
  side.outcome = outcome.status == Outcome::Status::kUnsupported
                     ? fmt::format("unsupported at step {}", outcome.step)
                     : OutcomeText(outcome.status == Outcome::Status::kRejected,
                                   outcome.step, outcome.rules, outcome.notes);
  return {std::move(side), Overwritten(c, outcome.changed)};
}

/// Who writes what, by the oracle, and the types that the expectation names.
std::vector<TypedRun> RunsOf(const Case& c) {
  std::vector<TypedRun> runs;
  if (c.expect && c.expect->memory) {
    for (const isa::Memory m : kAllMemories) {
      for (const Region& region :
           (*c.expect->memory)[static_cast<std::size_t>(m)]) {
        if (!region.dtype) continue;
        runs.push_back({m, region.at,
                        static_cast<std::int64_t>(region.bytes.size()),
                        *region.dtype, "", 0, 0});
      }
    }
  }
  MemorySet memory(c);
  oracle::Oracle oracle(c.product, memory.view());
  for (const isa::Step& step : c.program) {
    if (oracle.Execute(step).status != isa::StepResult::Status::kExecuted) {
      break;
    }
    for (const TypedRun& run : WritesOf(oracle.accesses())) {
      runs.push_back(run);
    }
  }
  return runs;
}

/// Where an element stands, in the order of the table.
using Place = std::pair<isa::Memory, std::int64_t>;
using Rows = std::map<Place, ElementRow>;

/// Adds the first elements in which `other` differs from `base`; false if there
/// may be more.
bool AddDifferences(const MemorySet& base, MemorySet other,
                    const std::vector<TypedRun>& runs, std::size_t limit,
                    Rows& rows) {
  for (std::size_t i = 0; i < limit; ++i) {
    const auto found = CompareMemory(base, other, runs);
    if (!found) return true;
    rows.emplace(Place{found->memory, found->at},
                 ElementRow{.memory = found->memory,
                            .at = found->at,
                            .dtype = found->dtype,
                            .operand = found->operand,
                            .iteration = found->iteration,
                            .lane = found->lane,
                            .bits = {}});
    std::copy_n(base[found->memory].begin() + found->at,
                isa::SizeBytes(found->dtype),
                other[found->memory].begin() + found->at);
  }
  return false;
}

/// The first elements that were written, where none differs.
Rows FirstWritten(const std::vector<TypedRun>& runs, std::size_t limit) {
  Rows rows;
  for (auto run = runs.rbegin(); run != runs.rend(); ++run) {
    const std::int64_t bytes = isa::SizeBytes(run->dtype);
    const auto count =
        std::min(run->bytes / bytes, static_cast<std::int64_t>(limit));
    for (std::int64_t i = 0; i < count; ++i) {
      const std::int64_t at = run->at + i * bytes;
      rows.emplace(Place{run->memory, at},
                   ElementRow{.memory = run->memory,
                              .at = at,
                              .dtype = run->dtype,
                              .operand = std::string(run->operand),
                              .iteration = run->iteration,
                              .lane = run->lane + i,
                              .bits = {}});
    }
    while (rows.size() > limit) rows.erase(std::prev(rows.end()));
  }
  return rows;
}

void FillRow(const std::vector<Column>& columns, ElementRow& row) {
  for (const Column& column : columns) {
    if (!column.memory) continue;
    row.bits.push_back(
        LoadElement(row.dtype, std::span((*column.memory)[row.memory])
                                   .subspan(static_cast<std::size_t>(row.at))));
    row.differs = row.differs ||
                  !SameElement(row.dtype, row.bits.front(), row.bits.back());
  }
}

}  // namespace

Sides CompareSides(const Case& c, std::span<const Target* const> targets,
                   const RowLimits& limits) {
  std::vector<Column> columns;
  if (c.expect) columns.push_back(Expected(c, *c.expect));
  for (const Target* target : targets) columns.push_back(Actual(c, *target));

  const std::vector<TypedRun> runs = RunsOf(c);
  Sides sides;
  Rows rows;
  const MemorySet* base = nullptr;
  for (const Column& column : columns) {
    sides.sides.push_back(column.side);
    if (!column.memory) continue;
    sides.columns.push_back(column.side.name);
    if (base == nullptr) base = &*column.memory;
    const bool all =
        AddDifferences(*base, *column.memory, runs, limits.differing, rows);
    sides.maybe_more = sides.maybe_more || !all;
  }
  sides.differ = !rows.empty();
  if (!sides.differ) rows = FirstWritten(runs, limits.agreeing);
  for (auto& [place, row] : rows) {
    FillRow(columns, row);
    sides.rows.push_back(std::move(row));
  }
  for (const TypedRun& run : runs) {
    if (!run.operand.empty()) sides.written_bytes += run.bytes;
  }
  return sides;
}

}  // namespace lanediff::diff::view
