#include "tools/cli/values_text.h"

#include <fmt/format.h>

#include <limits>
#include <nlohmann/json.hpp>

#include "differential/testcase/element.h"
#include "differential/testcase/record_json.h"
#include "isa/step.h"
#include "reports/list_record.h"
#include "reports/printable.h"
#include "reports/trace/arithmetic.h"

namespace lanediff::cli {
namespace {

using view::Value;
using view::ValueRow;

/// Of a long row: bytes of its line, and values on lines of their own.
constexpr std::size_t kEnough = 160;
constexpr std::size_t kFewValues = 16;

std::string Times(std::int64_t count) {
  return count == 1 ? "" : fmt::format(" ×{}", count);
}

/// "; exact 35600, -0.5 ULP".
std::string Truth(const Value& value) {
  return fmt::format(
      "  exact {}, {}", view::ShortDecimal(value.exact),
      value.ulp.empty() ? "no finite distance" : value.ulp + " ULP");
}

}  // namespace

std::string RowHead(const Case& c, const ValueRow& row) {
  const std::string place = fmt::format("  {} {} {}, ", isa::Name(row.memory),
                                        row.at, isa::Name(row.dtype));
  if (row.operand.empty()) return place + "which no step is to write: ";
  return place + fmt::format("step {} {} {}: ", row.step,
                             isa::OpName(c.program[row.step]), row.operand);
}

std::string RowText(const ValueRow& row, std::size_t enough) {
  std::string text;
  std::int64_t printed = 0;
  for (const Value& value : row.values) {
    if (text.size() > enough) {
      return text + fmt::format(", {} more", row.elements - printed);
    }
    text += (text.empty() ? "" : ", ") +
            DescribeElement(row.dtype, value.bits) + Times(value.count);
    printed += value.count;
  }
  return text;
}

std::string ValuesText(const Case& c, const view::Values& values,
                       const ValuesStyle& style) {
  std::string text;
  for (const ValueRow& row : values.rows) {
    text += RowHead(c, row);
    if (!style.truth || row.operand.empty()) {
      text += RowText(row, style.all ? std::numeric_limits<std::size_t>::max()
                                     : kEnough) +
              "\n";
      continue;
    }
    text.back() = '\n';
    std::int64_t printed = 0;
    for (std::size_t i = 0; i < row.values.size(); ++i) {
      if (!style.all && i == kFewValues) {
        text += fmt::format("    … {} more\n", row.elements - printed);
        break;
      }
      const Value& value = row.values[i];
      text += "    " + DescribeElement(row.dtype, value.bits) +
              Times(value.count) + Truth(value) + "\n";
      printed += value.count;
    }
  }
  if (values.rows.empty()) text += "  no byte is written\n";
  if (values.unspecified_bytes > 0) {
    text += fmt::format("  {} left open by the documents and not printed\n",
                        Counted(values.unspecified_bytes, "byte"));
  }
  return text;
}

std::string ValuesJson(const Case& c, const Outcome& outcome,
                       const view::Values& values, bool truth) {
  reports::ValuesRecord record;
  record.id = c.id;
  record.outcome = outcome.rejected() ? "rejected" : "executed";
  if (outcome.rejected()) record.step = outcome.step;
  record.bytes = values.bytes;
  record.unspecified_bytes = values.unspecified_bytes;
  for (const ValueRow& row : values.rows) {
    reports::ListedValues& listed = record.values.emplace_back();
    listed.memory = row.memory;
    listed.at = row.at;
    listed.dtype = row.dtype;
    if (!row.operand.empty()) {
      listed.step = row.step;
      listed.op = isa::OpName(c.program[row.step]);
      listed.operand = row.operand;
    }
    listed.count = row.elements;
    for (const Value& value : row.values) {
      const ElementText text = ElementToText(row.dtype, value.bits);
      reports::ListedElement& element = listed.elements.emplace_back();
      element.value.text = text.quoted ? Json(text.text).dump() : text.text;
      element.bits = fmt::format("{:#x}", value.bits);
      element.count = value.count;
      if (!truth || row.operand.empty()) continue;
      element.exact = value.exact;
      element.ulp = value.ulp;
    }
  }
  return RecordText(record);
}

}  // namespace lanediff::cli
