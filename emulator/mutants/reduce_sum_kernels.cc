// Sums: kernels that add in another order or another arithmetic.

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <functional>
#include <optional>
#include <string_view>
#include <type_traits>
#include <vector>

#include "emulator/address.h"
#include "emulator/mutants/floats.h"
#include "emulator/mutants/reduce_sum.h"

namespace lanediff::mutants::reductions {
namespace {

using emulator::FloatToHalf;
using emulator::HalfToFloat;
using Ub = std::span<const std::uint8_t>;
using H = std::uint16_t;
using F = std::uint32_t;

/// The lanes of one iteration; nothing where a lane takes no part.
template <class Bits>
using Leaves = std::vector<std::optional<Bits>>;

template <class Bits>
Leaves<Bits> LeavesOf(const Plan& plan, std::int64_t iteration, Ub ub) {
  constexpr int kPerBlock = 32 / sizeof(Bits);
  Leaves<Bits> leaves;
  for (int block = 0; block < 8; ++block) {
    const std::int64_t at = plan.src + iteration * plan.src_repeat_stride +
                            block * plan.src_block_stride;
    const std::uint64_t lanes = plan.lanes.Slice(block * kPerBlock, kPerBlock);
    for (int lane = 0; lane < kPerBlock; ++lane) {
      leaves.push_back(std::nullopt);
      if ((lanes >> lane & 1) == 0) continue;
      leaves.back() = emulator::Load<Bits>(
          ub, at + lane * static_cast<std::int64_t>(sizeof(Bits)));
    }
  }
  return leaves;
}

template <class T, class Add>
std::optional<T> Node(std::optional<T> a, std::optional<T> b, Add add) {
  if (a && b) return add(*a, *b);
  return a ? a : b;
}

/// As documented: neighbours, then neighbours of the results. Nothing where no
/// lane takes part.
template <class T, class Add>
std::optional<T> Tree(Leaves<T> leaves, Add add) {
  for (std::size_t width = leaves.size() / 2; width >= 1; width /= 2) {
    for (std::size_t i = 0; i < width; ++i) {
      leaves[i] = Node(leaves[2 * i], leaves[2 * i + 1], add);
    }
  }
  return leaves[0];
}

H AddHalf(H a, H b, bool saturation) {
  return Saturated(FloatToHalf(HalfToFloat(a) + HalfToFloat(b)), saturation);
}

auto AdderOf(const Plan& plan) {
  return [on = plan.saturation](H a, H b) { return AddHalf(a, b, on); };
}

F AddFloat(F a, F b) { return Canonical(FloatOf(a) + FloatOf(b)); }

/// Lane i with lane i + n/2.
template <class T, class Add>
std::optional<T> Halves(Leaves<T> leaves, Add add) {
  for (std::size_t width = leaves.size() / 2; width >= 1; width /= 2) {
    for (std::size_t i = 0; i < width; ++i) {
      leaves[i] = Node(leaves[i], leaves[i + width], add);
    }
  }
  return leaves[0];
}

/// From the first lane to the last.
template <class T, class Add>
std::optional<T> Left(const Leaves<T>& leaves, Add add) {
  std::optional<T> sum;
  for (const auto& leaf : leaves) sum = Node(sum, leaf, add);
  return sum;
}

Table Orders(const SumRow& row) {
  return {
      row("left-fold", kTree, "adds halves from left to right",
          "a plain loop over the lanes")
          .Where(row.trees())
          .OfHalf([](const Plan& p, std::int64_t r, Ub ub) -> F {
            return Left(LeavesOf<H>(p, r, ub), AdderOf(p)).value_or(0);
          }),
      row("left-fold-float", kTree, "adds floats from left to right",
          "a plain loop over the lanes")
          .Where(row.trees())
          .OfFloat([](const Plan& p, std::int64_t r, Ub ub) -> F {
            return Left(LeavesOf<F>(p, r, ub), AddFloat).value_or(0);
          }),
      row("split-halves", kTree, "adds lane i to lane i + n/2, half by half",
          "the usual reduction of a vector register")
          .Where(row.trees())
          .OfHalf([](const Plan& p, std::int64_t r, Ub ub) -> F {
            return Halves(LeavesOf<H>(p, r, ub), AdderOf(p)).value_or(0);
          }),
      row("split-halves-float", kTree,
          "adds lane i to lane i + n/2, float by float",
          "the usual reduction of a vector register")
          .Where(row.trees())
          .OfFloat([](const Plan& p, std::int64_t r, Ub ub) -> F {
            return Halves(LeavesOf<F>(p, r, ub), AddFloat).value_or(0);
          }),
      row("gaps-closed", kTree,
          "moves participating lanes together before it pairs them",
          "a compressing load before the tree")
          .Where(row.trees())
          .OfHalf([](const Plan& p, std::int64_t r, Ub ub) -> F {
            Leaves<H> leaves = LeavesOf<H>(p, r, ub);
            const std::size_t lanes = leaves.size();
            std::erase(leaves, std::nullopt);
            leaves.resize(lanes);
            return Tree(leaves, AdderOf(p)).value_or(0);
          }),
  };
}

/// The documented tree of halves over `Round(a + b, saturation)`.
template <class Round>
Mutant OfHalfTree(const SumLabel& label, Round) {
  return label.OfHalf([](const Plan& p, std::int64_t r, Ub ub) -> F {
    return Tree(LeavesOf<H>(p, r, ub),
                [&](H a, H b) {
                  return Round{}(HalfToFloat(a) + HalfToFloat(b), p.saturation);
                })
        .value_or(0);
  });
}

Table Roundings(const SumRow& row) {
  return {
      row("float-accumulator", isa::arith::kRound,
          "adds halves in float and rounds once, at the end",
          "a SIMD back end that widens first")
          .Where(row.trees())
          .OfHalf([](const Plan& p, std::int64_t r, Ub ub) -> F {
            Leaves<float> wide;
            for (const auto& leaf : LeavesOf<H>(p, r, ub)) {
              wide.push_back(leaf ? std::optional(HalfToFloat(*leaf))
                                  : std::nullopt);
            }
            return FloatToHalf(Tree(wide, std::plus<float>()).value_or(0));
          }),
      row("double-accumulator", isa::arith::kRound,
          "adds floats in double and rounds once, at the end",
          "a reference written in a scripting language")
          .Where(row.trees())
          .OfFloat([](const Plan& p, std::int64_t r, Ub ub) -> F {
            double sum = -0.0;
            for (const auto& leaf : LeavesOf<F>(p, r, ub)) {
              if (leaf) sum += FloatOf(*leaf);
            }
            return Canonical(static_cast<float>(sum));
          }),
      OfHalfTree(row("truncates", isa::arith::kRound,
                     "rounds sums of halves toward zero",
                     "f16 conversion by truncation in a SIMD back end"),
                 [](float sum, bool saturation) {
                   return Saturated(TruncatedToHalf(sum), saturation);
                 }),
      OfHalfTree(row("rounds-half-up", isa::arith::kRound,
                     "rounds ties of halves away from zero",
                     "f16 conversion that adds half a unit and cuts"),
                 [](float sum, bool saturation) {
                   return Saturated(HalfUp(sum), saturation);
                 }),
      OfHalfTree(row("subnormal-sums-flushed", isa::arith::kSubnormal,
                     "makes a subnormal sum of halves zero"),
                 [](float sum, bool saturation) {
                   return FlushedHalf(Saturated(FloatToHalf(sum), saturation));
                 }),
      row("subnormals-flushed-in", isa::arith::kSubnormal,
          "takes a subnormal float for zero", "DAZ mode")
          .OfFloat([](const Plan& p, std::int64_t r, Ub ub) -> F {
            return Tree(LeavesOf<F>(p, r, ub),
                        [](F a, F b) {
                          return AddFloat(FlushedFloat(a), FlushedFloat(b));
                        })
                .value_or(0);
          }),
      row("subnormals-flushed-out", isa::arith::kSubnormal,
          "makes a subnormal sum of floats zero", "FTZ mode")
          .OfFloat([](const Plan& p, std::int64_t r, Ub ub) -> F {
            return Tree(LeavesOf<F>(p, r, ub),
                        [](F a, F b) { return FlushedFloat(AddFloat(a, b)); })
                .value_or(0);
          }),
  };
}

Table SpecialValues(const SumRow& row) {
  return {
      row("saturates-at-end", kSaturate,
          "adds as IEEE does and saturates the last sum only")
          .Where(row.trees())
          .OfHalf([](const Plan& p, std::int64_t r, Ub ub) -> F {
            Plan plain = p;
            plain.saturation = false;
            return emulator::TreeSumOfHalves(plain, r, ub);
          }),
      OfHalfTree(row("saturates-upward-only", kSaturate,
                     "keeps 65504 but lets sums run to -inf",
                     "the document names the positive bound alone")
                     .Where(row.trees()),
                 [](float sum, bool saturation) {
                   const H half = FloatToHalf(sum);
                   return half == 0xfc00u ? half : Saturated(half, saturation);
                 }),
      OfHalfTree(row("saturates-nan-late", isa::state::kSaturation,
                     "keeps a NaN sum as NaN until the last one",
                     "a clamp that NaN slips through")
                     .Where(row.trees()),
                 [](float sum, bool saturation) {
                   return Saturated(FloatToHalf(sum),
                                    saturation && !std::isnan(sum));
                 }),
      row("infinities-cancel", isa::arith::kNan, "inf - inf gives 0",
          "infinity treated as a large number")
          .OfHalf([](const Plan& p, std::int64_t r, Ub ub) -> F {
            return Tree(LeavesOf<H>(p, r, ub),
                        [&](H a, H b) {
                          const bool cancel =
                              (a & 0x7fffu) == 0x7c00u && (a ^ b) == 0x8000u;
                          return cancel ? H{0} : AddHalf(a, b, p.saturation);
                        })
                .value_or(0);
          }),
      row("nan-lanes-skipped", isa::arith::kNan,
          "leaves out lanes that hold NaN", "a NaN-ignoring sum")
          .OfFloat([](const Plan& p, std::int64_t r, Ub ub) -> F {
            Leaves<F> leaves = LeavesOf<F>(p, r, ub);
            for (auto& leaf : leaves) {
              if (leaf && std::isnan(FloatOf(*leaf))) leaf = std::nullopt;
            }
            return Tree(leaves, AddFloat).value_or(0);
          }),
      row("missing-lanes-are-zero", isa::arith::kZeroSign,
          "adds +0 for a lane that takes no part, so that -0 is lost",
          "a masked load that fills with zeros")
          .OfFloat([](const Plan& p, std::int64_t r, Ub ub) -> F {
            Leaves<F> leaves = LeavesOf<F>(p, r, ub);
            for (auto& leaf : leaves) leaf = leaf.value_or(0);
            return Tree(leaves, AddFloat).value_or(0);
          }),
      row("masked-lanes-times-zero", kAddress,
          "multiplies lanes that take no part by 0 and adds them",
          "a mask applied by multiplication; an infinity gets through")
          .OfFloat([](const Plan& p, std::int64_t r, Ub ub) -> F {
            Plan every = p;
            every.lanes = emulator::LaneMask::First(64);
            Leaves<F> leaves = LeavesOf<F>(every, r, ub);
            const Leaves<F> kept = LeavesOf<F>(p, r, ub);
            for (std::size_t i = 0; i < leaves.size(); ++i) {
              if (!kept[i]) leaves[i] = Canonical(FloatOf(*leaves[i]) * 0);
            }
            return Tree(leaves, AddFloat).value_or(0);
          }),
      row("starts-from-old-dst", kAddress, "adds to what the destination held",
          "an accumulator that is not cleared")
          .OfHalf([](const Plan& p, std::int64_t r, Ub ub) -> F {
            const auto sum =
                static_cast<H>(emulator::TreeSumOfHalves(p, r, ub));
            const H old =
                emulator::Load<H>(ub, p.dst + r * p.dst_repeat_stride);
            return AddHalf(sum, old, p.saturation);
          }),
  };
}

// ---- The largest or smallest lane -------------------------------------------

/// Of two values the one that `Before` puts first, without rules for NaN or
/// zeros; as integers if `kBits`.
template <class T, class Before, bool kBits>
T PickedOf(T a, T b) {
  if constexpr (kBits) {
    using Int = std::make_signed_t<T>;
    return Before{}(static_cast<Int>(b), static_cast<Int>(a)) ? b : a;
  } else if constexpr (sizeof(T) == 2) {
    return Before{}(HalfToFloat(b), HalfToFloat(a)) ? b : a;
  } else {
    return Before{}(FloatOf(b), FloatOf(a)) ? b : a;
  }
}

bool IsNan(H half) { return (half & 0x7fffu) > 0x7c00u; }
bool IsNan(F bits) { return (bits & 0x7fffffffu) > 0x7f800000u; }

/// `Pick(a, b)` level by level, NaN in and out where `kNan`.
template <class T, bool kNan, auto Pick>
F PicksOf(const Plan& p, std::int64_t r, Ub ub) {
  constexpr T kCanonical =
      static_cast<T>(sizeof(T) == 2 ? 0x7e00u : 0x7fc00000u);
  return Tree(LeavesOf<T>(p, r, ub),
              [](T a, T b) -> T {
                if (kNan && (IsNan(a) || IsNan(b))) return kCanonical;
                return Pick(a, b);
              })
      .value_or(0);
}

/// Mutants of the instruction whose lanes `Before` orders, `Other` the other
/// way round.
template <class Before, class Other>
Table PicksBy(const SumRow& row) {
  return {
      row("other-end", kValue, "picks the other end, of halves")
          .OfHalf(PicksOf<H, true, PickedOf<H, Other, false>>),
      row("other-end-float", kValue, "picks the other end, of floats")
          .OfFloat(PicksOf<F, true, PickedOf<F, Other, false>>),
      row("zeros-by-order", isa::arith::kZeroSign,
          "picks the first of two zeros", "a comparison with <")
          .OfFloat(PicksOf<F, true, PickedOf<F, Before, false>>),
      row("bits-compared", kValue, "compares the bits of halves as integers",
          "an integer maximum over floats; negative values come out wrong")
          .OfHalf(PicksOf<H, true, PickedOf<H, Before, true>>),
      row("bits-compared-float", kValue,
          "compares the bits of floats as integers")
          .OfFloat(PicksOf<F, true, PickedOf<F, Before, true>>),
      row("nan-skipped", isa::arith::kNan,
          "leaves out lanes that hold NaN, of halves", "fmax and fmin")
          .OfHalf([](const Plan& p, std::int64_t r, Ub ub) -> F {
            Leaves<H> leaves = LeavesOf<H>(p, r, ub);
            for (auto& leaf : leaves) {
              if (leaf && IsNan(*leaf)) leaf = std::nullopt;
            }
            return Tree(leaves, PickedOf<H, Before, false>).value_or(0x7e00u);
          }),
      row("nan-loses", isa::arith::kNan,
          "loses a NaN to the value after it, of floats",
          "a comparison that is false of NaN")
          .OfFloat([](const Plan& p, std::int64_t r, Ub ub) -> F {
            return Tree(LeavesOf<F>(p, r, ub),
                        [](F a, F b) {
                          return Before{}(FloatOf(a), FloatOf(b)) ? a : b;
                        })
                .value_or(0);
          }),
      row("starts-from-zero", kValue, "picks +0 where every lane is beyond it",
          "an accumulator that starts with 0")
          .OfFloat([](const Plan& p, std::int64_t r, Ub ub) -> F {
            const F picked = emulator::TreeSumOfFloats(p, r, ub);
            return Before{}(0.0f, FloatOf(picked)) ? 0 : picked;
          }),
      row("saturates-at-nodes", kSaturate,
          "makes NaN 0 at each node, which other lanes beat",
          "sums saturate at each node")
          .OfHalf([](const Plan& p, std::int64_t r, Ub ub) -> F {
            return Tree(LeavesOf<H>(p, r, ub),
                        [&](H a, H b) -> H {
                          const bool nan = IsNan(a) || IsNan(b);
                          if (nan) return p.saturation ? 0 : 0x7e00u;
                          return PickedOf<H, Before, false>(a, b);
                        })
                .value_or(0);
          }),
      row("first-lane", kValue, "gives the first lane that takes part")
          .OfHalf([](const Plan& p, std::int64_t r, Ub ub) -> F {
            return Left(LeavesOf<H>(p, r, ub), [](H a, H) { return a; })
                .value_or(0);
          }),
      row("last-lane-lost", kValue, "leaves out the last lane of a result",
          "a loop that ends one too early")
          .OfFloat([](const Plan& p, std::int64_t r, Ub ub) -> F {
            Plan less = p;
            const LaneMask last = LaneMask::First(p.lanes.Highest());
            if (p.lanes.Highest() > p.lanes.Lowest())
              less.lanes.low &= last.low;
            return emulator::TreeSumOfFloats(less, r, ub);
          }),
  };
}

/// The lanes that take part, by their numbers.
std::vector<std::uint32_t> LanesOf(const Plan& p) {
  std::vector<std::uint32_t> lanes;
  for (int lane = 0; lane < 128; ++lane) {
    if (p.lanes.Slice(lane, 1) != 0) {
      lanes.push_back(static_cast<std::uint32_t>(lane));
    }
  }
  return lanes;
}

/// The first number of `lanes` whose lane `is(element, value)`, else the first.
template <class T>
std::uint32_t FirstWhere(const std::vector<std::uint32_t>& lanes, const Plan& p,
                         std::int64_t r, Ub ub, auto is) {
  const Leaves<T> leaves = LeavesOf<T>(p, r, ub);
  const auto value =
      static_cast<T>(sizeof(T) == 2 ? emulator::TreeSumOfHalves(p, r, ub)
                                    : emulator::TreeSumOfFloats(p, r, ub));
  for (const std::uint32_t lane : lanes) {
    if (is(*leaves[lane], value)) return lane;
  }
  return lanes.front();
}
std::uint32_t FirstWhere(const std::vector<std::uint32_t>& lanes, const Plan& p,
                         std::int64_t r, Ub ub, auto is) {
  return p.dtype == DType::kHalf ? FirstWhere<H>(lanes, p, r, ub, is)
                                 : FirstWhere<F>(lanes, p, r, ub, is);
}
constexpr auto kSameOrNan = [](auto a, auto b) {
  return a == b || (IsNan(a) && IsNan(b));
};

/// Of the numbers of lanes.
Table Indices(const SumRow& row) {
  return {
      row("index-of-the-last", kIndex, "gives the last of several such lanes",
          ">= for > in a loop from the first lane on")
          .Where(row.orders())
          .OfIndex([](const Plan& p, std::int64_t r, Ub ub) {
            auto lanes = LanesOf(p);
            std::ranges::reverse(lanes);
            return FirstWhere(lanes, p, r, ub, kSameOrNan);
          }),
      row("index-without-gaps", kIndex, "counts the lanes that take part alone")
          .Where(row.orders())
          .OfIndex([](const Plan& p, std::int64_t r, Ub ub) {
            const auto lanes = LanesOf(p);
            const std::uint32_t lane = emulator::IndexOfPicked(p, r, ub);
            return static_cast<std::uint32_t>(std::ranges::find(lanes, lane) -
                                              lanes.begin());
          }),
      row("index-from-one", kIndex, "counts lanes from 1")
          .Where(row.orders())
          .OfIndex([](const Plan& p, std::int64_t r, Ub ub) {
            return emulator::IndexOfPicked(p, r, ub) + 1;
          }),
      row("index-of-all-iterations", kIndex,
          "counts lanes through all iterations",
          "ReduceMax does, which has one result of all")
          .Where(row.orders())
          .OfIndex([](const Plan& p, std::int64_t r, Ub ub) {
            const std::int64_t before = r * 256 / ElementBytes(p.dtype);
            return emulator::IndexOfPicked(p, r, ub) +
                   static_cast<std::uint32_t>(before);
          }),
      row("index-in-block", kIndex, "counts lanes in their DataBlock")
          .Where(row.orders())
          .OfIndex([](const Plan& p, std::int64_t r, Ub ub) {
            const std::int64_t lanes = 32 / ElementBytes(p.dtype);
            return emulator::IndexOfPicked(p, r, ub) %
                   static_cast<std::uint32_t>(lanes);
          }),
      row("index-of-bytes", kIndex, "counts bytes in the place of lanes")
          .Where(row.orders())
          .OfIndex([](const Plan& p, std::int64_t r, Ub ub) {
            return emulator::IndexOfPicked(p, r, ub) *
                   static_cast<std::uint32_t>(ElementBytes(p.dtype));
          }),
      row("index-of-6-bits", kIndex, "keeps six bits of an index",
          "float has 64 lanes")
          .Where(row.orders())
          .OfIndex([](const Plan& p, std::int64_t r, Ub ub) {
            return emulator::IndexOfPicked(p, r, ub) % 64;
          }),
      row("index-is-a-number-of-type", kIndex,
          "writes the number of the lane as a value of T")
          .Where(row.orders())
          .OfIndex([](const Plan& p, std::int64_t r, Ub ub) -> F {
            const auto index =
                static_cast<float>(emulator::IndexOfPicked(p, r, ub));
            return p.dtype == DType::kHalf ? FloatToHalf(index)
                                           : std::bit_cast<F>(index);
          }),
      row("index-of-nan-is-zero", kIndex, "gives 0 where the value is NaN",
          "a search with ==, which NaN never meets")
          .Where(row.orders())
          .OfIndex([](const Plan& p, std::int64_t r, Ub ub) -> F {
            const bool nan =
                p.dtype == DType::kHalf
                    ? IsNan(static_cast<H>(emulator::TreeSumOfHalves(p, r, ub)))
                    : IsNan(F{emulator::TreeSumOfFloats(p, r, ub)});
            return nan ? 0 : emulator::IndexOfPicked(p, r, ub);
          }),
      row("index-of-any-zero", kIndex,
          "gives the first zero, whichever sign the value has",
          "a search with ==, which +0 and -0 meet alike")
          .Where(row.orders())
          .OfIndex([](const Plan& p, std::int64_t r, Ub ub) {
            return FirstWhere(LanesOf(p), p, r, ub, [](auto a, auto b) {
              constexpr auto kSign =
                  static_cast<decltype(a)>(~decltype(a){0}) ^
                  static_cast<decltype(a)>(~decltype(a){0} >> 1);
              const bool zeros = ((a | b) & ~kSign) == 0;
              return zeros || kSameOrNan(a, b);
            });
          }),
      row("index-of-first-participant", kIndex,
          "gives the first lane that takes part")
          .Where(row.orders())
          .OfIndex([](const Plan& p, std::int64_t, Ub) {
            return static_cast<std::uint32_t>(p.lanes.Lowest());
          }),
  };
}

Table Picks(const SumRow& row) {
  return row.reduction() == emulator::Reduction::kMax
             ? PicksBy<std::greater<>, std::less<>>(row)
             : PicksBy<std::less<>, std::greater<>>(row);
}

}  // namespace

Table Kernels(const SumRow& row) {
  if (!row.sums()) return Joined(Picks(row), Indices(row));
  return Joined(Orders(row), Roundings(row), SpecialValues(row));
}

}  // namespace lanediff::mutants::reductions
