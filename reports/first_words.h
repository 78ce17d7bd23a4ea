#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "reports/groups.h"
#include "reports/headline.h"
#include "reports/printable.h"

/// The text of a page before, or without, its scripts.
namespace lanediff::reports {

/// Findings that are listed; the others are counted.
inline constexpr std::size_t kFirstFindings = 50;

/// The sentence and the findings by signature, worst first, as markup.
std::string FirstWords(const Headline& headline,
                       const std::vector<FindingGroup>& groups);

}  // namespace lanediff::reports
