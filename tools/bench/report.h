#pragma once

#include <span>
#include <string>
#include <vector>

#include "tools/bench/machine.h"
#include "tools/bench/measure.h"

/// Results as a table and as JSON.
namespace lanediff::bench {

/// The word of a status: "met", "missed", "shown", "skipped", "WRONG".
std::string_view Word(Result::Status status);

/// Three lines on the machine.
std::string MachineText(const Machine& machine);
/// The line above the table's rows.
std::string HeadingText();
/// One line.
std::string RowText(const Result& result);
/// One line: how many rows became what.
std::string SummaryText(std::span<const Result> results);

/// The table as a page has it: version and machine, then a row for each result.
std::string Markdown(const Machine& machine, std::span<const Result> results);

/// The format lanediff-bench/1, which the program's --help describes.
std::string ToJson(const Machine& machine, std::span<const Result> results);

}  // namespace lanediff::bench
