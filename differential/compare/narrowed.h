#pragma once

#include <optional>

#include "differential/targets/target.h"
#include "isa/vocabulary.h"

namespace lanediff::diff {

/// `target`, which claims cases of `product` alone, if one is given, and of
/// which with `legal_only` only cases count that the documents allow from start
/// to end. `target` itself where nothing narrows it; else one for each way,
/// which lives as long as the process.
const Target& Narrowed(const Target& target,
                       std::optional<isa::Product> product, bool legal_only);

}  // namespace lanediff::diff
