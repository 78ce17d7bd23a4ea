#pragma once

#include <expected>
#include <string>

#include "differential/compare/finding.h"
#include "differential/testcase/case.h"
#include "tools/cli/verbs/fuzz/setup.h"

namespace lanediff::cli {

/// An input that ends the target, cut to the step that does.
struct Crash {
  Case c;  ///< with origin; without steps for the reader of cases
  diff::Finding finding;
  std::string input;    ///< the bytes for the fuzz program
  std::string program;  ///< that they are for
  bool is_case = true;  ///< false: `input` is text for the reader of cases
};

/// Runs the input that a fuzz program left in `path` once more, in a process of
/// its own. The error is one line: it does not end the program again, or there
/// is no such program.
std::expected<Crash, std::string> ConfirmCrash(const FuzzSetup& setup,
                                               const std::string& path);

/// "LANEDIFF_FUZZ_TARGET=T PROGRAM INPUT" for `input` on disk.
std::string ReproduceCrash(const FuzzOptions& options, const Crash& crash,
                           const std::string& input);

}  // namespace lanediff::cli
