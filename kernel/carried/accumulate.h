#pragma once

#include <cstdint>
#include <string>

#include "kernel/carried/carried.h"

namespace lanediff::kernel::carried {

/// Whether an atomic mode can do the elements (SetAtomicAdd, SetAtomicMax,
/// SetAtomicMin · 数据类型). `dtype` is the copy's, as below.
bool CanAccumulate(const VectorState& state, std::uint8_t dtype);
/// "atomic add of uint32_t": why a copy is refused that can't.
std::string RefusedAtomic(const VectorState& state, std::uint8_t dtype);

/// What a copy to GM does in an atomic mode: each whole element of `dst`
/// becomes the sum, the larger or the smaller one of itself and that of `src`.
/// The elements are of `state.atomic_dtype`, or of `dtype` where that is none.
/// Sums are one node each, rounded and saturated as those of vectors are.
void Accumulate(const VectorState& state, std::uint8_t dtype, std::uint8_t* dst,
                const std::uint8_t* src, std::int64_t bytes);

}  // namespace lanediff::kernel::carried
