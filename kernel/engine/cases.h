#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <expected>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "differential/records/hazard.h"
#include "differential/testcase/case.h"
#include "isa/rule.h"
#include "kernel/engine/log.h"
#include "kernel/engine/sites.h"
#include "reports/kernel_record.h"

/// Cases of what a run finds: the smallest program that shows it.
namespace lanediff::kernel {

/// What a finding's case is made of.
struct Shown {
  isa::RuleId rule;
  std::size_t later = 0;  ///< number of the step in the log
  std::optional<std::size_t> earlier = std::nullopt;
  /// Of initcheck, which a part of the program shows for another reason: the
  /// operand that reads, what it finds unwritten, and what of GM was at the
  /// start.
  std::string_view operand = {};
  std::optional<lint::HazardBytes> bytes = std::nullopt;
  std::vector<std::pair<std::int64_t, std::int64_t>> unwritten_gm = {};
  /// Steps and the call alone show it: legality and values. `memory` has what
  /// its windows hold, `state` what it finds.
  bool alone = false;
  std::vector<isa::Step> state = {};
  std::array<std::optional<MemoryImage>, isa::kCount<isa::Memory>> memory = {};
};

/// Such a case, which breaks the rule, as `Lint` reports; or why there is none.
/// `facts` has the product and the facts for lint.
std::expected<Case, std::string> CaseOf(const Shown& shown, const Case& facts,
                                        const Log& log, const Sites& sites);

/// Names the folder that a run began in, to the programs that it starts.
inline constexpr const char* kRunFolderVariable = "LANEDIFF_RUN_FOLDER";

/// "NAME-LINE", how the names of the cases of `site` begin. Sites of several
/// files may have one.
std::string CaseStem(const Site& site);

/// Writes it to `folder`/NAME-LINE-N.json, from where the run began, which it
/// doesn't overwrite within a run: `number` counts the cases of a `CaseStem`.
/// The path, or why it could not be written.
std::expected<std::string, std::string> SaveCase(Case c,
                                                 const std::string& folder,
                                                 const Site& site, int number);

}  // namespace lanediff::kernel
