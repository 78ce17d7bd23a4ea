#pragma once

#include <string_view>

#include "isa/catalogue.h"

/// Which rules speak of which products. Part of what an audit is about, not of
/// what is legal: neither emulator nor oracle looks here.
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

}  // namespace lanediff::audit
