#pragma once

#include <cstdint>
#include <type_traits>

#include "kernel/carried/flow.h"
#include "kernel/carried/numbers.h"

/// Loops over neighbours, one for each operation, type and mode: a call chooses
/// one; lanes have no branches.
///
/// An operation is a type with Do<T, saturate>(operands…), which gets them
/// widened and returns what is narrowed to T.
namespace lanediff::kernel::carried {

/// Where an operation's operands are: `in` or the scalar.
enum class Takes : std::uint8_t { kA, kAB, kAScalar, kABC, kAScalarC };

template <class Operation, Takes kTakes, class D, class S, bool kSaturate>
void Loop(const Slice& slice) {
  const S* const a = static_cast<const S*>(slice.in[0]);
  const S* const b = static_cast<const S*>(slice.in[1]);
  D* const __restrict out = static_cast<D*>(slice.out);
  const auto scalar = Widen(FromBits<S>(slice.scalar));
  const auto narrow = [](auto value) { return Narrow<D, kSaturate>(value); };
  for (std::int64_t i = 0; i < slice.count; ++i) {
    if constexpr (kTakes == Takes::kA) {
      out[i] = narrow(Operation::template Do<D, kSaturate>(Widen(a[i])));
    } else if constexpr (kTakes == Takes::kAB) {
      out[i] = narrow(
          Operation::template Do<D, kSaturate>(Widen(a[i]), Widen(b[i])));
    } else if constexpr (kTakes == Takes::kAScalar) {
      out[i] =
          narrow(Operation::template Do<D, kSaturate>(Widen(a[i]), scalar));
    } else if constexpr (kTakes == Takes::kABC) {
      const D* const c = static_cast<const D*>(slice.in[2]);
      out[i] = narrow(Operation::template Do<D, kSaturate>(
          Widen(a[i]), Widen(b[i]), Widen(c[i])));
    } else {
      const D* const c = static_cast<const D*>(slice.in[1]);
      out[i] = narrow(Operation::template Do<D, kSaturate>(Widen(a[i]), scalar,
                                                           Widen(c[i])));
    }
  }
}

template <class D, class S = D>
struct Types {};

/// The loop for elements of these types, or null if they are not in `Types…`.
template <class Operation, Takes kTakes, class... D, class... S>
LaneLoop LoopFor(std::uint8_t dst, std::uint8_t src, bool saturate,
                 Types<D, S>...) {
  LaneLoop loop = nullptr;
  const auto look = [&]<class One, class From>(Types<One, From>) {
    if (dst != kDTypeOf<One> || src != kDTypeOf<From>) return;
    loop = saturate ? &Loop<Operation, kTakes, One, From, true>
                    : &Loop<Operation, kTakes, One, From, false>;
  };
  (look(Types<D, S>{}), ...);
  return loop;
}

}  // namespace lanediff::kernel::carried
