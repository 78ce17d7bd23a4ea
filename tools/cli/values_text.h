#pragma once

#include <cstddef>
#include <string>

#include "differential/testcase/case.h"
#include "reports/trace/values.h"

/// What a program leaves, as numbers and bits.
namespace lanediff::cli {

/// "  UB 0 half, step 3 Min dst: ".
std::string RowHead(const Case& c, const view::ValueRow& row);

/// "0.5 (0x3800) ×128, 1 (0x3c00)"; once it has `enough` bytes the rest is
/// counted.
std::string RowText(const view::ValueRow& row, std::size_t enough);

/// How values are printed.
struct ValuesStyle {
  bool truth = false;  ///< a line a value: the true one and how far it is
  bool all = false;    ///< else long rows are shortened, the rest counted
};

/// All rows.
std::string ValuesText(const Case& c, const view::Values& values,
                       const ValuesStyle& style);

/// The same as a JSON document, with the outcome that `outcome` is.
std::string ValuesJson(const Case& c, const Outcome& outcome,
                       const view::Values& values, bool truth);

}  // namespace lanediff::cli
