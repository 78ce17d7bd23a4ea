#pragma once

#include <cstdint>

#include "isa/vocabulary.h"
#include "oracle/node.h"
#include "oracle/numeric_events.h"

/// Counts what happened in single nodes. Integer types have no events.
namespace lanediff::oracle {

void CountAdd(isa::DType type, std::uint64_t left, std::uint64_t right,
              const NodeResult& result, NumericEvents& events);
void CountMultiply(isa::DType type, std::uint64_t left, std::uint64_t right,
                   const NodeResult& result, NumericEvents& events);
void CountMinimum(isa::DType type, std::uint64_t left, std::uint64_t right,
                  const NodeResult& result, NumericEvents& events);

/// One value of `from` written as a value of `to`, which may be the same type.
void CountWrite(isa::DType from, std::uint64_t bits, isa::DType to,
                const NodeResult& result, NumericEvents& events);

}  // namespace lanediff::oracle
