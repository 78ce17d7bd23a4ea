#pragma once

#include <string>

#include "differential/targets/account.h"
#include "reports/record.h"

namespace lanediff::reports {

/// "3 of 5 cases that the target claims are legal and unsupported; fix: …";
/// empty where there are none.
std::string LackingText(const diff::AccountRecord& account);

/// Why a run of which all that was compared agrees is no success: the sample
/// was not meant, or the target lacks what it claims. Empty where it is one.
std::string ShortfallText(const RunRecord& record);

}  // namespace lanediff::reports
