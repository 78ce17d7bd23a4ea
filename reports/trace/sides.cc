#include "reports/trace/sides.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <map>
#include <optional>
#include <utility>

#include "differential/compare/compare_outcome.h"
#include "differential/compare/memory_compare.h"
#include "differential/compare/rule_text.h"
#include "differential/compare/unspecified.h"
#include "differential/memory/filled_memory.h"
#include "differential/memory/memory_set.h"
#include "differential/testcase/element.h"
#include "isa/memory_map.h"
#include "oracle/oracle.h"

namespace lanediff::view {
namespace {

/// A side, and its memory at the end; none where it is not looked at.
struct Column {
  Side side;
  std::optional<diff::MemorySet> memory;
  std::size_t executed = 0;  ///< steps, where it is looked at
};

std::string OutcomeText(bool rejected, std::size_t step,
                        const std::vector<isa::RuleId>& rules,
                        const std::vector<isa::RuleId>& notes) {
  std::string text = rejected ? fmt::format("rejected at step {}{}", step,
                                            diff::RuleList(rules))
                              : "executed";
  if (!notes.empty()) text += ", noted" + diff::RuleList(notes);
  return text;
}

Column Expected(const Case& c, const Expectation& expect) {
  Column column{
      {"expect",
       OutcomeText(expect.rejected, expect.step, expect.rules,
                   expect.notes.value_or(std::vector<isa::RuleId>()))},
      std::nullopt};
  if (!expect.notes) column.side.outcome += ", notes not looked at";
  if (expect.memory_open()) column.side.outcome += ", memory open";
  if (expect.memory) {
    column.memory = diff::Overwritten(c, *expect.memory);
    diff::CopyRanges(diff::UnspecifiedAfter(
                         c, expect.rejected ? expect.step : c.program.size()),
                     diff::MemorySet(c), *column.memory);
  }
  return column;
}

/// The outcome of `name`, as far as it is known.
Column Actual(const Case& c, const std::string& name, const Outcome& outcome) {
  Column column{{name, ""}, std::nullopt};
  std::string& text = column.side.outcome;
  if (outcome.status == Outcome::Status::kUnsupported) {
    // What it left up to there is compared with nothing.
    text = fmt::format("unsupported at step {}", outcome.step);
    return column;
  }
  text = OutcomeText(outcome.rejected(), outcome.step, outcome.RulesOrNone(),
                     outcome.NotesOrNone());
  if (outcome.rejected() && !outcome.rules) text += ", rules not observed";
  if (!outcome.notes) text += ", notes not observed";
  if (outcome.memory) {
    column.memory = diff::Overwritten(c, *outcome.memory);
    column.executed = StepsExecuted(c, outcome);
  } else {
    text += ", memory not observed";
  }
  text += diff::ObservedText(outcome, name);
  return column;
}

/// Who writes what, by the oracle, and the types that the expectation names.
std::vector<diff::TypedRun> RunsOf(const Case& c) {
  std::vector<diff::TypedRun> runs;
  if (c.expect && c.expect->memory) {
    runs = diff::RunsOf(*c.expect->memory, "");
  }
  diff::MemorySet memory(c);
  oracle::Oracle oracle(c.profile(), memory.view());
  const auto runs_of_step = [&](const isa::Step& step) {
    return c.expect ? diff::WritesOf(oracle.accesses())
                    : diff::WritesOf(step, oracle.accesses());
  };
  for (const isa::Step& step : c.program) {
    if (oracle.Execute(step).status != isa::StepResult::Status::kExecuted) {
      break;
    }
    // An expectation takes one NaN for another, of either side.
    std::ranges::copy(runs_of_step(step), std::back_inserter(runs));
  }
  return runs;
}

/// Where an element stands, in the order of the table.
using Place = std::pair<isa::Memory, std::int64_t>;
using Rows = std::map<Place, ElementRow>;

/// Adds the first elements in which `other` differs from `base`; false if there
/// may be more.
bool AddDifferences(const diff::MemorySet& base, diff::MemorySet other,
                    const std::vector<diff::TypedRun>& runs, std::size_t limit,
                    Rows& rows) {
  for (std::size_t i = 0; i < limit; ++i) {
    const auto found = diff::CompareMemory(base, other, runs);
    if (!found) return true;
    rows.emplace(Place{found->memory, found->at},
                 ElementRow{.memory = found->memory,
                            .at = found->at,
                            .dtype = found->dtype,
                            .operand = found->operand,
                            .iteration = found->iteration,
                            .lane = found->lane,
                            .bits = {},
                            .differs = true});
    std::copy_n(base[found->memory].begin() + found->at,
                isa::SizeBytes(found->dtype),
                other[found->memory].begin() + found->at);
  }
  return false;
}

/// The first elements that were written, where none differs.
Rows FirstWritten(const std::vector<diff::TypedRun>& runs, std::size_t limit) {
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

Sides CompareSides(const Case& c, const diff::Examination& examined,
                   const RowLimits& limits) {
  std::vector<Column> columns;
  if (c.expect) columns.push_back(Expected(c, *c.expect));
  const std::size_t reference = columns.size();
  columns.push_back(Actual(c, examined.reference, examined.reference_outcome));
  if (examined.target_outcome) {
    columns.push_back(Actual(c, examined.target, *examined.target_outcome));
  } else if (!examined.why_none.empty()) {
    columns.push_back({{examined.target, examined.why_none}, std::nullopt});
  }

  const std::vector<diff::TypedRun> runs = RunsOf(c);
  Sides sides;
  sides.unspecified_bytes =
      diff::BytesIn(diff::UnspecifiedAfter(c, columns.at(reference).executed));
  Rows rows;
  const diff::MemorySet* base = nullptr;
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
  for (const diff::TypedRun& run : runs) {
    if (!run.operand.empty()) sides.written_bytes += run.bytes;
  }
  return sides;
}

}  // namespace lanediff::view
