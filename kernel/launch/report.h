#pragma once

#include <expected>
#include <optional>
#include <set>
#include <string>

#include "reports/kernel.h"
#include "reports/kernel_record.h"

namespace lanediff::host {

/// What a run is held against.
struct Wanted {
  std::optional<reports::Suppressions> suppressions;
  std::optional<reports::Expectations> expectations;
};

/// Reads the files that the settings name. The error is a line.
std::expected<Wanted, std::string> ReadWanted(const kernel::Settings& settings);

/// Prints what the run came to to stderr, and writes the files that its
/// settings request, each at once. `compiled`: the files that a compiler read
/// for it, where that is known. Returns the status: that of the run, or 2 in
/// place of 0 where a file can't be written, with a line that names it.
int Report(const Wanted& wanted, kernel::RunRecord& record,
           const std::set<std::string>& compiled = {});

/// The status alone, of what is reported elsewhere.
int Judge(const Wanted& wanted, kernel::RunRecord record);

}  // namespace lanediff::host
