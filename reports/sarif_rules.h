#pragma once

#include <cstddef>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <string_view>

#include "differential/compare/finding.h"

/// The rules of a SARIF document: the catalogue, then lanediff's own.
namespace lanediff::reports::sarif {

/// "LANEDIFF-READS-OUTSIDE" and the like, for findings that name no rule.
std::string OwnRuleId(diff::FindingKind kind);

/// Where `rule`, which must be one of them, stands in the list.
std::size_t RuleIndex(std::string_view rule);

/// The list: statement, what follows, allowed ranges, and the documents with
/// their sections as help.
nlohmann::ordered_json RuleDescriptors();

}  // namespace lanediff::reports::sarif
