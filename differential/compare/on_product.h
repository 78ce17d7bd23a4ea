#pragma once

#include "differential/targets/target.h"
#include "isa/vocabulary.h"

namespace lanediff::diff {

/// `target`, which claims cases of `product` alone; one for each, which lives
/// as long as the process.
const Target& OnProduct(const Target& target, isa::Product product);

}  // namespace lanediff::diff
