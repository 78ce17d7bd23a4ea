#include "reports/trace/sides.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <iterator>
#include <map>
#include <optional>
#include <span>
#include <string_view>
#include <utility>

#include "differential/compare/compare_outcome.h"
#include "differential/compare/memory_compare.h"
#include "differential/compare/rule_text.h"
#include "differential/compare/unspecified.h"
#include "differential/memory/filled_memory.h"
#include "differential/memory/memory_set.h"
#include "differential/testcase/element.h"
#include "isa/intervals.h"
#include "isa/memory_map.h"
#include "isa/units.h"
#include "oracle/exact_text.h"
#include "oracle/oracle.h"
#include "oracle/ulp_error.h"

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
  const diff::Undetermined undetermined =
      diff::UndeterminedAfter(c, columns.at(reference).executed);
  sides.unspecified_bytes = diff::BytesIn(undetermined.unspecified);
  Rows rows;
  const diff::MemorySet* base = nullptr;
  for (const Column& column : columns) {
    sides.sides.push_back(column.side);
    if (!column.memory) continue;
    sides.columns.push_back(column.side.name);
    if (base == nullptr) base = &*column.memory;
    diff::MemorySet other = *column.memory;
    static_cast<void>(diff::Settle(undetermined.open, *base, other));
    const bool all =
        AddDifferences(*base, std::move(other), runs, limits.differing, rows);
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

namespace {

/// Every digit of the element; "nan", "inf" or "-inf".
std::string ExactText(isa::DType type, std::uint64_t bits) {
  if (!IsFloating(type)) return ElementToText(type, bits).text;
  if (type == isa::DType::kDouble) {
    // 1074 places are those of the least one.
    const auto value = std::bit_cast<double>(bits);
    std::string text = fmt::format("{:.1074f}", value);
    if (!std::isfinite(value)) return text;
    text.erase(text.find_last_not_of('0') + 1);
    if (text.ends_with('.')) text.pop_back();
    return text;
  }
  // The upper half of a float.
  const bool brain = type == isa::DType::kBfloat16;
  const std::uint64_t one[] = {brain ? bits << 16 : bits};
  return oracle::ExactSumText(brain ? isa::DType::kFloat : type, one);
}

/// Who wrote some bytes last. The elements count from `anchor`.
struct Writer {
  std::int64_t anchor = 0;
  isa::DType dtype = isa::DType::kUint8;
  std::size_t step = 0;
  std::string_view operand;  ///< empty: no operand
  bool open = false;         ///< what is there the documents leave open

  bool operator==(const Writer&) const = default;
};

/// The true result of an element, and the step that wrote it.
struct True {
  std::size_t step;
  std::string exact;
};

class ValueCollector {
 public:
  ValueCollector(const Case& c, const Outcome& outcome)
      : actual_(diff::Overwritten(c, *outcome.memory)), expected_(c) {
    const std::size_t steps = StepsExecuted(c, outcome);
    RunOracle(c, steps);
    for (const diff::ByteRange& range : diff::UnspecifiedAfter(c, steps)) {
      Of(range.memory)
          .ForEachValue({range.at, range.at + range.bytes},
                        [](Writer& writer) { writer.open = true; });
    }
    for (const isa::Memory m : diff::kAllMemories) {
      for (const Region& region :
           (*outcome.memory)[static_cast<std::size_t>(m)]) {
        Of(m).SetMissing({region.at, region.end()}, Writer());
      }
    }
  }

  Values Collect() {
    for (const isa::Memory m : diff::kAllMemories) {
      memory_ = m;
      Of(m).ForEach([&](const isa::Interval& bytes, const Writer& writer) {
        if (writer.open) {
          values_.unspecified_bytes += bytes.size();
        } else {
          AddWriter(bytes, writer);
        }
      });
    }
    return std::move(values_);
  }

 private:
  isa::IntervalMap<Writer>& Of(isa::Memory m) {
    return all_[static_cast<std::size_t>(m)];
  }

  void RunOracle(const Case& c, std::size_t steps) {
    oracle::Oracle oracle(c.profile(), expected_.view());
    oracle.set_tracing(true);
    for (std::size_t i = 0; i < steps; ++i) {
      const auto result = oracle.Execute(c.program[i]);
      if (result.status == isa::StepResult::Status::kUnsupported) break;
      // A target that executes what the documents refuse wrote disconnected:
      // its results are reported as bytes.
      if (result.status == isa::StepResult::Status::kRejected) continue;
      isa::Memory to = isa::Memory::kUb;
      for (const diff::TypedRun& run : diff::WritesOf(oracle.accesses())) {
        to = run.memory;
        Of(run.memory)
            .Set({run.at, run.at + run.bytes}, {.anchor = run.at,
                                                .dtype = run.dtype,
                                                .step = i,
                                                .operand = run.operand});
      }
      for (const oracle::TrueResult& one : oracle.true_results()) {
        true_.insert_or_assign({to, one.at}, True{i, one.exact});
      }
    }
  }

  /// Whole elements in their type, the rest as bytes.
  void AddWriter(const isa::Interval& bytes, const Writer& writer) {
    const std::int64_t size = isa::SizeBytes(writer.dtype);
    const std::int64_t first =
        writer.anchor + isa::RoundUp(bytes.begin - writer.anchor, size);
    const std::int64_t last =
        writer.anchor + (bytes.end - writer.anchor) / size * size;
    if (first >= last) {
      AddElements(bytes.begin, bytes.end, isa::DType::kUint8, writer);
      return;
    }
    AddElements(bytes.begin, first, isa::DType::kUint8, writer);
    AddElements(first, last, writer.dtype, writer);
    AddElements(last, bytes.end, isa::DType::kUint8, writer);
  }

  void AddElements(std::int64_t begin, std::int64_t end, isa::DType dtype,
                   const Writer& writer) {
    if (begin == end) return;
    const std::int64_t size = isa::SizeBytes(dtype);
    auto& rows = values_.rows;
    const bool goes_on =
        !rows.empty() && rows.back().memory == memory_ &&
        rows.back().at + rows.back().elements * size == begin &&
        rows.back().dtype == dtype && rows.back().step == writer.step &&
        rows.back().operand == writer.operand;
    if (!goes_on) {
      rows.push_back({.memory = memory_,
                      .at = begin,
                      .dtype = dtype,
                      .step = writer.step,
                      .operand = std::string(writer.operand)});
    }
    for (std::int64_t at = begin; at < end; at += size) {
      AddValue(ValueAt(at, dtype, writer), rows.back());
    }
    values_.bytes += end - begin;
  }

  static void AddValue(Value value, ValueRow& row) {
    ++row.elements;
    if (!row.values.empty()) {
      value.count = row.values.back().count;
      if (value == row.values.back()) {
        ++row.values.back().count;
        return;
      }
      value.count = 1;
    }
    row.values.push_back(std::move(value));
  }

  Value ValueAt(std::int64_t at, isa::DType dtype, const Writer& writer) {
    const auto load = [&](const diff::MemorySet& set) {
      return LoadElement(
          dtype, std::span(set[memory_]).subspan(static_cast<std::size_t>(at)));
    };
    Value value{.bits = load(actual_)};
    const auto found = true_.find({memory_, at});
    if (found != true_.end() && found->second.step == writer.step &&
        dtype == writer.dtype) {
      value.exact = found->second.exact;
      value.ulp = oracle::UlpError(dtype, value.exact, value.bits).value_or("");
      return value;
    }
    const std::uint64_t expected = load(expected_);
    value.exact = ExactText(dtype, expected);
    if (SameElement(dtype, expected, value.bits)) {
      value.ulp = IsNan(dtype, expected) ? "" : "0";
    } else if (!IsNan(dtype, expected) && !IsNan(dtype, value.bits)) {
      value.ulp = std::to_string(UlpDistance(dtype, value.bits, expected));
    }
    return value;
  }

  diff::MemorySet actual_;
  diff::MemorySet expected_;
  std::array<isa::IntervalMap<Writer>, isa::kCount<isa::Memory>> all_;
  std::map<std::pair<isa::Memory, std::int64_t>, True> true_;
  isa::Memory memory_ = isa::Memory::kGm;
  Values values_;
};

}  // namespace

Values ValuesOf(const Case& c, const Outcome& outcome) {
  return ValueCollector(c, outcome).Collect();
}

}  // namespace lanediff::view
