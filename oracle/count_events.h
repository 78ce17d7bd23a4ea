#pragma once

#include <cstdint>

#include "isa/numeric_events.h"
#include "isa/vocabulary.h"
#include "oracle/node.h"

/// Counts what happened in single nodes.
namespace lanediff::oracle {

/// Of a sum, or of a sum and then Relu; `CountSubtract` of a difference, alike.
void CountAdd(isa::DType type, std::uint64_t left, std::uint64_t right,
              const NodeResult& result, isa::NumericEvents& events);
/// Of an element and the number of a lane.
void CountIndex(isa::DType type, std::uint64_t first, const NodeResult& result,
                isa::NumericEvents& events);
void CountSubtract(isa::DType type, std::uint64_t left, std::uint64_t right,
                   const NodeResult& result, isa::NumericEvents& events);
void CountMultiply(isa::DType type, std::uint64_t left, std::uint64_t right,
                   const NodeResult& result, isa::NumericEvents& events);
/// Of a minimum or a maximum; integers have no events there.
void CountExtremum(isa::DType type, std::uint64_t left, std::uint64_t right,
                   const NodeResult& result, isa::NumericEvents& events);
/// Of a product, and of its sum with `term`; `result`, perhaps Relu of that, is
/// looked at for integers alone.
void CountMultiplyAdd(isa::DType type, std::uint64_t left, std::uint64_t right,
                      std::uint64_t term, const NodeResult& result,
                      bool saturation, isa::NumericEvents& events);
void CountAbsolute(isa::DType type, std::uint64_t bits,
                   const NodeResult& result, isa::NumericEvents& events);
/// Of a maximum of +0 and the value.
void CountRelu(isa::DType type, std::uint64_t bits, const NodeResult& result,
               isa::NumericEvents& events);

/// Of a product where `bits` has the sign, else of a maximum of +0 and `bits`,
/// in which the slope takes no part.
void CountLeakyRelu(isa::DType type, std::uint64_t bits, std::uint64_t slope,
                    const NodeResult& result, isa::NumericEvents& events);

/// One value of `from` written as a value of `to`, which may be the same type;
/// of integers nothing.
void CountWrite(isa::DType from, std::uint64_t bits, isa::DType to,
                const NodeResult& result, isa::NumericEvents& events);

}  // namespace lanediff::oracle
