#pragma once

#include <array>
#include <bit>
#include <cmath>
#include <concepts>
#include <cstdint>
#include <cstring>
#include <limits>
#include <string_view>
#include <type_traits>
#include <vector>

#include "kernel/carried/family.h"
#include "kernel/carried/numbers.h"

/// Calls whose results are computed lane by lane: what they touch, and how
/// their lanes come to a loop over neighbours in memory and back.
namespace lanediff::kernel::carried {

/// What a loop works on: `count` neighbours of each operand.
struct Slice {
  std::array<const void*, 3> in{};
  void* out = nullptr;
  std::int64_t count = 0;
  std::uint64_t scalar = 0;  ///< its bits, low end first
};
using LaneLoop = void (*)(const Slice&);

struct Flow {
  struct Source {
    std::uint32_t operand = 0;
    Place place;
  };
  Lanes lanes{};
  std::array<Source, 3> sources{};
  std::uint32_t source_count = 0;
  Source result{};

  void AddSource(std::uint32_t operand, Place place) {
    sources[source_count++] = {operand, place};
  }
};

/// A call of this kind: the rows of a file of calls name a function that
/// resolves it, and have the rest from here.
struct LaneCall {
  Flow flow{};
  LaneLoop loop = nullptr;
  std::uint64_t scalar = 0;
  bool approximate = false;
};

/// By the strides of `operand`, dstBlkStride and dstRepStride of "dst";
/// elements have `bits` bits. Where lanes are contiguous the block's is 1. A
/// stride that is missing is read by the name of operand `other`.
Place PlaceOf(Parameters& parameters, const Lanes& lanes,
              std::string_view operand, std::int64_t bits,
              std::int64_t least_block = 0, std::string_view other = {});

/// Lists what the sources read in iteration `r`.
void TouchSources(CallMemory& memory, const Flow& flow, std::int64_t r);

/// Runs the loop on all lanes that take part, iteration by iteration; each
/// reads before it writes.
void RunFlow(const CarriedCall& call, const Flow& flow, LaneLoop loop,
             std::uint64_t scalar);

std::uint64_t RunLanes(CallMemory& memory, const LaneCall& lane,
                       VectorState& state);

/// Values of each lane beside a call's operands: what comparisons give and
/// selections take, which in memory are bits, and lanes' numbers.
struct WithLanes {
  std::vector<std::uint8_t> bytes;
  CarriedCall call;
  std::uint32_t operand = 0;
  Place place;

  /// Lane k of iteration r has `element` bytes from (r · width + k) · element
  /// on; all 0.
  WithLanes(const CarriedCall& original, const Lanes& lanes,
            std::int64_t element = 1)
      : bytes(element * (lanes.contiguous ? lanes.Count(0)
                                          : lanes.iterations * lanes.width)),
        call(original),
        operand(static_cast<std::uint32_t>(original.operands.size())),
        place{.bits = 8 * element,
              .block = 1,
              .repeat = lanes.width * element / kBlockBytes} {
    call.operands.push_back({.memory = isa::Memory::kFb,
                             .window = static_cast<std::int64_t>(bytes.size()),
                             .bytes = bytes.data()});
  }
};

// ---- What a lane becomes: Memory矢量计算接口边界值汇总 ----------------------

/// A NaN stays one; max(+0, −0) = +0 in either order (ARITH-ZERO-SIGN).
inline float Larger(float a, float b) {
  const float larger = a > b ? a : b;
  const float equal = std::bit_cast<float>(std::bit_cast<std::uint32_t>(a) &
                                           std::bit_cast<std::uint32_t>(b));
  const float either = a == b ? equal : larger;
  return a != a || b != b ? std::numeric_limits<float>::quiet_NaN() : either;
}
inline float Smaller(float a, float b) {
  const float smaller = a < b ? a : b;
  const float equal = std::bit_cast<float>(std::bit_cast<std::uint32_t>(a) |
                                           std::bit_cast<std::uint32_t>(b));
  const float either = a == b ? equal : smaller;
  return a != a || b != b ? std::numeric_limits<float>::quiet_NaN() : either;
}
template <std::integral W>
W Larger(W a, W b) {
  return a > b ? a : b;
}
template <std::integral W>
W Smaller(W a, W b) {
  return a < b ? a : b;
}

/// What an operation knows of the elements it makes: their type, and how a
/// value that goes on in the same call is rounded.
template <class T, bool kSaturate>
struct In {
  auto operator()(auto value) const { return Node<T, kSaturate>(value); }
};

inline constexpr auto kAdd = [](auto, auto a, auto b) { return a + b; };
inline constexpr auto kSub = [](auto, auto a, auto b) { return a - b; };
inline constexpr auto kMax = [](auto, auto a, auto b) { return Larger(a, b); };
inline constexpr auto kMin = [](auto, auto a, auto b) { return Smaller(a, b); };
inline constexpr auto kDiv = [](auto, float a, float b) { return a / b; };
inline constexpr auto kNeg = [](auto, auto a) { return -a; };
/// Prelu, with a slope for each lane. What is negative or −0 is
/// multiplied, so −0 · −1 is +0 and −0 · inf a NaN; a NaN is one either way.
inline constexpr auto kLeaky = [](auto, float a, float slope) {
  return std::signbit(a) ? a * slope : a;
};
/// dst = a · b + dst, in two nodes (表20, 表21).
inline constexpr auto kMulAddDst = [](auto node, auto a, auto b, auto dst) {
  return node(a * b) + dst;
};

/// The product rounded once: in float to the odd neighbour, which keeps what
/// the half is rounded by.
inline float Scaled(std::int64_t value, float scale) {
  const double product = static_cast<double>(value) * scale;
  const float near = static_cast<float>(product);
  if (static_cast<double>(near) == product || product != product) return near;
  const bool odd = (std::bit_cast<std::uint32_t>(near) & 1) != 0;
  const double towards = near < product ? HUGE_VAL : -HUGE_VAL;
  return odd ? near : std::nextafter(near, static_cast<float>(towards));
}
inline constexpr auto kDequant = [](auto, std::int64_t a, float scale) {
  return Scaled(a, scale);
};
inline constexpr auto kAddDeqRelu = [](auto node, std::int64_t a,
                                       std::int64_t b, float scale) {
  return Larger(node(Scaled(a + b, scale)), 0.0f);
};

// Bits: never out of T's range but where bits are to be lost.
inline constexpr auto kAnd = []<class T, bool kSaturate>(In<T, kSaturate>,
                                                         auto a, auto b) {
  return static_cast<T>(a & b);
};
inline constexpr auto kOr = []<class T, bool kSaturate>(In<T, kSaturate>,
                                                        auto a, auto b) {
  return static_cast<T>(a | b);
};

// ---- Loops ------------------------------------------------------------------

template <std::int64_t kBytes>
void Move(const Slice& slice) {
  std::memcpy(slice.out, slice.in[0], slice.count * kBytes);
}

/// Loops over neighbours, one for each operation, type and mode: a call chooses
/// one.
///
/// An operation gets In<D, saturate> of the results' type D and the operands,
/// widened, and returns what is narrowed to D.

/// Where an operation's operands are: `in`, the scalar, or the half that
/// SetDeqScale has set.
enum class Takes : std::uint8_t {
  kA,
  kAB,
  kAScalar,
  kABC,
  kAScalarC,
  kAScale,
  kABScale
};

template <auto kOperation, Takes kTakes, class D, class S, bool kSaturate>
void Loop(const Slice& slice) {
  const S* const a = static_cast<const S*>(slice.in[0]);
  const S* const b = static_cast<const S*>(slice.in[1]);
  D* const __restrict out = static_cast<D*>(slice.out);
  const auto scalar = Widen(FromBits<S>(slice.scalar));
  const auto of = [](auto... operands) {
    return Narrow<D, kSaturate>(kOperation(In<D, kSaturate>{}, operands...));
  };
  for (std::int64_t i = 0; i < slice.count; ++i) {
    if constexpr (kTakes == Takes::kA) {
      out[i] = of(Widen(a[i]));
    } else if constexpr (kTakes == Takes::kAB) {
      out[i] = of(Widen(a[i]), Widen(b[i]));
    } else if constexpr (kTakes == Takes::kAScalar) {
      out[i] = of(Widen(a[i]), scalar);
    } else if constexpr (kTakes == Takes::kABC) {
      const D* const c = static_cast<const D*>(slice.in[2]);
      out[i] = of(Widen(a[i]), Widen(b[i]), Widen(c[i]));
    } else if constexpr (kTakes == Takes::kAScale) {
      out[i] = of(Widen(a[i]), Widen(FromBits<Half>(slice.scalar)));
    } else if constexpr (kTakes == Takes::kABScale) {
      out[i] =
          of(Widen(a[i]), Widen(b[i]), Widen(FromBits<Half>(slice.scalar)));
    } else {
      const D* const c = static_cast<const D*>(slice.in[1]);
      out[i] = of(Widen(a[i]), scalar, Widen(c[i]));
    }
  }
}

template <class D, class S = D>
struct Types {};
template <class T>
struct TypesOf : Types<T> {};
template <class D, class S>
struct TypesOf<Types<D, S>> : Types<D, S> {};

/// The loop for elements of these types, or null if they are not in `Types…`.
template <auto kOperation, Takes kTakes, class... D, class... S>
LaneLoop LoopFor(std::uint8_t dst, std::uint8_t src, bool saturate,
                 Types<D, S>...) {
  LaneLoop loop = nullptr;
  const auto look = [&]<class One, class From>(Types<One, From>) {
    if (dst != kDTypeOf<One> || src != kDTypeOf<From>) return;
    loop = saturate ? &Loop<kOperation, kTakes, One, From, true>
                    : &Loop<kOperation, kTakes, One, From, false>;
  };
  (look(Types<D, S>{}), ...);
  return loop;
}

}  // namespace lanediff::kernel::carried
