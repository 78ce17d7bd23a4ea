#pragma once

#include <string_view>

#include "isa/catalogue.h"
#include "reports/audit_record.h"

/// Which rules speak of which products, and the verdict on one. Part of what an
/// audit is about, not of what is legal: neither emulator nor oracle looks
/// here.
namespace lanediff::audit {

/// Whether `rule` applies to calls on `product`: those of an instruction do
/// where the instruction exists, its product rule everywhere.
bool AppliesTo(const isa::Rule& rule, isa::Profile profile);

/// Whether a call on `product` can break `rule`, a reject rule that speaks of
/// it. Where none can, calls that are accepted are all that there is to see.
bool CanBeBroken(const isa::Rule& rule, isa::Profile profile);

/// Why no case can show `rule` on `product`, of which it speaks; empty where
/// some case can.
std::string_view WhyNotExercised(const isa::Rule& rule, isa::Profile profile);

/// Whether the common rule is about what `instruction` (its `kOp`) does.
bool IsUsedBy(const isa::Rule& rule, std::string_view instruction);

/// The verdict on a rule from what its cases showed. That calls which keep a
/// reject rule are accepted is no verdict: some call has to break the rule. A
/// target that `tolerates` illegal calls violates nothing by running them, in
/// any way: there is no result to compare.
Verdict VerdictOf(isa::Effect effect, const ShowingCounts& alone,
                  const ShowingCounts& together, bool tolerates = false);

}  // namespace lanediff::audit
