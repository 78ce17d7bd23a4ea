#pragma once

#include <cstddef>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <string_view>

#include "isa/catalogue.h"

/// The parts of a SARIF document that all printers of SARIF share.
namespace lanediff::reports::sarif {

using OrderedJson = nlohmann::ordered_json;

/// Names of the rules that are lanediff's own, beside LANEDIFF-KIND for each
/// kind of finding.
inline constexpr std::string_view kDisagreementRule = "LANEDIFF-DISAGREEMENT";
inline constexpr std::string_view kKnownIssueRule = "LANEDIFF-KNOWN-ISSUE";

/// Whose folder relative addresses start from.
inline constexpr std::string_view kWorkingFolder = "%SRCROOT%";
inline constexpr std::string_view kReportFolder = "REPORT";

/// The rule that a finding with this signature breaks: the rule in it, or
/// LANEDIFF-KIND.
std::string RuleOfSignature(std::string_view signature);

/// How serious a finding of this rule is by itself: "warning" for a rule that
/// is only noted, "error" for any other.
std::string_view LevelOf(std::string_view rule);

/// A result of rule `rule`, one of those that the document lists.
OrderedJson Result(std::string_view rule, std::string_view level,
                   std::string_view message);

/// Where a case lies; `line` is there because viewers ask for one.
OrderedJson Location(const std::string& path, std::string_view base,
                     std::size_t line = 1);

/// A logical place such as "RepeatReduceSum/RRS-REPEAT/atlas-a2".
OrderedJson LogicalLocation(std::string_view full_name, std::string_view kind);

/// A note of the tool about itself; `level` as in results.
OrderedJson Notification(std::string_view level, std::string_view message);

/// The document around one run. `category` tells runs of different verbs and
/// targets apart; `complete` says that all was done.
std::string Document(const std::string& category, int exit_status,
                     OrderedJson results, OrderedJson notifications,
                     OrderedJson properties, bool complete);

/// `path` as a relative URI, or a file URI if it is absolute.
std::string UriOf(std::string_view path);

}  // namespace lanediff::reports::sarif
