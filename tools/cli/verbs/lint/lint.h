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
  std::uint64_t max_errors = 0;
  std::string known_issues;
  std::string json;
  std::string junit;
  std::string sarif;
  std::string html;
  bool fix = false;
  bool compare = false;
  /// Folder for the cases that show findings alone; or the file to which --fix
  /// writes the repaired program, --compare the smallest one.
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

/// Saves for each finding the smallest case that shows it; false, with a
/// message, if one can't be written.
bool SaveAll(const LintOptions& options, const Case& c,
             reports::LintedCase& linted);

/// `lint --compare`: holds lint against the oracle's model of hazards in each
/// case of `paths` and prints what differs. Where `out` is not empty there is
/// one path, and the smallest case that differs in the same way is written
/// there. Returns the exit status: 1, a difference; 2, not all was compared.
int CompareLint(const std::vector<std::string>& paths, const std::string& out);

}  // namespace lanediff::cli
