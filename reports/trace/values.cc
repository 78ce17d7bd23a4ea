#include "reports/trace/values.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <map>
#include <span>
#include <string_view>
#include <utility>

#include "differential/compare/memory_compare.h"
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
