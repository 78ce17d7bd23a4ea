#pragma once

#include <cstdint>

#include "isa/vocabulary.h"
#include "oracle/node.h"

/// Nodes of half and float computed in integers that hold every exact sum and
/// product whole, for tests: what the nodes of the oracle are compared with.
/// Saturation mode is off.
namespace lanediff::oracle {

NodeResult WideAdd(isa::DType type, std::uint64_t left, std::uint64_t right);
NodeResult WideMultiply(isa::DType type, std::uint64_t left,
                        std::uint64_t right);
NodeResult WideMinimum(isa::DType type, std::uint64_t left,
                       std::uint64_t right);

}  // namespace lanediff::oracle
