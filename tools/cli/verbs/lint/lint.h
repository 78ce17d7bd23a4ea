#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "differential/testcase/case.h"
#include "isa/vocabulary.h"
#include "reports/lint.h"

/// The parts of `lint`.
namespace lanediff::cli {

struct LintOptions {
  std::vector<std::string> paths;
  std::string auto_sync;              ///< empty: as in the case
  std::string init;                   ///< likewise
  std::string start_mask;             ///< likewise
  std::vector<std::string> products;  ///< none: the case's
  std::string edition;                ///< empty: the case's
  std::string product;                ///< of --fix; empty: the case's
  std::uint64_t max_errors = 0;
  std::string known_issues;
  std::string json;
  std::string junit;
  std::string sarif;
  std::string html;
  /// Folder for the cases that show findings alone; the file to which `lint
  /// --fix` writes the repaired program.
  std::string out;
};

/// Sets in the case what the options have in place of the case's own.
void Apply(const LintOptions& options, Case& c);

/// Lints `c`, read from `path`, on `product`.
reports::LintedCase LintOn(isa::Product product, const std::string& path,
                           Case c);

/// The command that lints the case on its product again.
std::string ReproduceLint(const LintOptions& options,
                          const reports::LintedCase& linted);

/// Saves for each finding the smallest case that shows it, with lines about it
/// behind `text`; false, with a message, if one can't be written.
bool SaveAll(const LintOptions& options, const Case& c,
             reports::LintedCase& linted, std::string& text);

}  // namespace lanediff::cli
