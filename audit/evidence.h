#pragma once

#include <map>
#include <span>
#include <string>

#include "audit/tally.h"
#include "differential/targets/target.h"
#include "differential/testcase/case.h"
#include "reports/audit_record.h"

namespace lanediff::audit {

/// Turns candidates into cases with their expectation, files and commands.
class EvidenceMaker {
 public:
  /// `target_word` is the `--target` of the commands; empty for the emulator.
  EvidenceMaker(const diff::Target& target, std::string target_word)
      : target_(target), target_word_(std::move(target_word)) {}

  /// Makes the cases of all candidates of `cells` again, on `products`, or
  /// takes them from those that were `given`, by their source.
  void Prepare(const Tally& tally, std::span<const isa::Product> products,
               const std::map<std::string_view, std::vector<Case>>& given,
               isa::Edition edition);

  /// Evidence of one cell, bad showings first and as small as they get. Adds
  /// the rule to what the cases are evidence for.
  std::vector<Evidence> Make(const isa::Rule& rule, isa::Product product,
                             const CellTally& cell);

  /// The cases by the names of their files.
  std::map<std::string, Case>& files() { return files_; }

 private:
  Evidence Describe(const Candidate& candidate, const std::string& file) const;
  /// The smallest case with the finding of `c`; `c` where that is not found.
  Case Smallest(const Case& c) const;

  const diff::Target& target_;
  std::string target_word_;
  std::map<std::string, Case> made_;  ///< by id
  std::map<std::string, Case> files_;
};

/// Exact value and rounded result of an element that `c` writes: one that was
/// rounded, if there is one. Leaves `numeric` alone where nothing was computed.
void ShowRounding(const Case& c, Numeric& numeric);

}  // namespace lanediff::audit
