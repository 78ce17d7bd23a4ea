#pragma once

#include <array>
#include <cstddef>
#include <span>
#include <string_view>

/// The instruction sets for which Highway compiles the vector kernels from one
/// source.
namespace lanediff::emulator {

enum class VectorTarget { kScalar, kSse4, kAvx2, kAvx3, kNeon };
inline constexpr std::size_t kVectorTargets = 5;

/// One function for each target, null where this program has none.
template <class Function>
using ByVectorTarget = std::array<Function, kVectorTargets>;

/// "scalar", "sse4", "avx2", "avx3" or "neon", as Highway calls them.
std::string_view NameOf(VectorTarget target);

/// What a processor needs for it: "AVX2, FMA, BMI and F16C", …
std::string_view NeedsOf(VectorTarget target);

/// Whether tests run its kernels; those of the others are compiled, no more.
bool IsTested(VectorTarget target);

/// The targets whose kernels this program has and this processor can run, the
/// narrowest first.
std::span<const VectorTarget> RunnableTargets();

/// The widest tested target that runs here. It is requested when the program
/// runs: one program serves processors with AVX-512 and without.
VectorTarget BestTarget();

}  // namespace lanediff::emulator

/// A `ByVectorTarget` of the function that a source compiled for each target;
/// for its part that is compiled once.
#define LANEDIFF_BY_VECTOR_TARGET(FUNCTION)                  \
  {HWY_CHOOSE_FALLBACK(FUNCTION), HWY_CHOOSE_SSE4(FUNCTION), \
   HWY_CHOOSE_AVX2(FUNCTION), HWY_CHOOSE_AVX3(FUNCTION),     \
   HWY_CHOOSE_NEON(FUNCTION)}
