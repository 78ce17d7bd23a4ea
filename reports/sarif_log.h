#pragma once

#include <string>
#include <string_view>

#include "reports/sarif_nodes.h"

/// The parts of a SARIF document that all printers of targets' results share.
namespace lanediff::reports::sarif {

/// Names of the rules that are lanediff's own, beside LANEDIFF-KIND for each
/// kind of finding.
inline constexpr std::string_view kDisagreementRule = "LANEDIFF-DISAGREEMENT";
inline constexpr std::string_view kKnownIssueRule = "LANEDIFF-KNOWN-ISSUE";

/// The rule that a finding with this signature breaks: the rule in it, or
/// LANEDIFF-KIND.
std::string RuleOfSignature(std::string_view signature);

/// A result of rule `rule`, one of those that the document lists.
OrderedJson Result(std::string_view rule, std::string_view level,
                   std::string_view message);

/// The document around one run. `category` differs between verbs and targets;
/// `complete` is whether all was done.
std::string Document(const std::string& category, int exit_status,
                     OrderedJson results, OrderedJson notifications,
                     OrderedJson properties, bool complete);

}  // namespace lanediff::reports::sarif
