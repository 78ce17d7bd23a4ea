#pragma once

#include <set>
#include <string_view>

#include "audit/characterize/profile_builder.h"

namespace lanediff::character {

/// What the target does with calls that break a rule, by rule: for each the
/// first systematic cases (generators/boundary) in which it alone is broken, by
/// the last step. `op`: of one instruction; empty: of all but those `without`,
/// which the target has not, and of machine state. "rejects", "executes",
/// "crashes"; the note reports the rest: that another rule was named, how
/// memory looks, at which of several points it is so.
void ProbeIllegal(ProbeRunner& runner, std::string_view op,
                  isa::Edition edition,
                  const std::set<std::string_view>& without,
                  ProfileBuilder& profile);

}  // namespace lanediff::character
