// Sums: kernels that add in another arithmetic.

#include <cmath>
#include <functional>
#include <optional>

#include "emulator/mutants/reduce_sum_tree.h"

namespace lanediff::mutants {
namespace {

using namespace reduce_sum;

/// The documented tree of halves over `round(a + b)`.
template <class Round>
F HalfTree(const Plan& p, std::int64_t r, Ub ub, Round round) {
  return Tree(LeavesOf<H>(p, r, ub),
              [&](H a, H b) { return round(HalfToFloat(a) + HalfToFloat(b)); })
      .value_or(0);
}

template <class Call>
Table Roundings() {
  return {
      OfHalf<Call>({"float-accumulator", isa::arith::kRound,
                    "adds halves in float and rounds once, at the end",
                    "a SIMD back end that widens first"},
                   [](const Plan& p, std::int64_t r, Ub ub) -> F {
                     Leaves<float> wide;
                     for (const auto& leaf : LeavesOf<H>(p, r, ub)) {
                       wide.push_back(leaf ? std::optional(HalfToFloat(*leaf))
                                           : std::nullopt);
                     }
                     return FloatToHalf(
                         Tree(wide, std::plus<float>()).value_or(0));
                   }),
      OfFloat<Call>({"double-accumulator", isa::arith::kRound,
                     "adds floats in double and rounds once, at the end",
                     "a reference written in a scripting language"},
                    [](const Plan& p, std::int64_t r, Ub ub) -> F {
                      double sum = -0.0;
                      for (const auto& leaf : LeavesOf<F>(p, r, ub)) {
                        if (leaf) sum += FloatOf(*leaf);
                      }
                      return Canonical(static_cast<float>(sum));
                    }),
      OfHalf<Call>(
          {"truncates", isa::arith::kRound, "rounds sums of halves toward zero",
           "f16 conversion by truncation in a SIMD back end"},
          [](const Plan& p, std::int64_t r, Ub ub) -> F {
            return HalfTree(p, r, ub, [&](float sum) {
              return Saturated(TruncatedToHalf(sum), p.saturation);
            });
          }),
      OfHalf<Call>({"rounds-half-up", isa::arith::kRound,
                    "rounds ties of halves away from zero",
                    "f16 conversion that adds half a unit and cuts"},
                   [](const Plan& p, std::int64_t r, Ub ub) -> F {
                     return HalfTree(p, r, ub, [&](float sum) {
                       return Saturated(HalfUp(sum), p.saturation);
                     });
                   }),
      OfHalf<Call>({"subnormal-sums-flushed", isa::arith::kSubnormal,
                    "makes a subnormal sum of halves zero"},
                   [](const Plan& p, std::int64_t r, Ub ub) -> F {
                     return HalfTree(p, r, ub, [&](float sum) {
                       return FlushedHalf(
                           Saturated(FloatToHalf(sum), p.saturation));
                     });
                   }),
      OfFloat<Call>({"subnormals-flushed-in", isa::arith::kSubnormal,
                     "takes a subnormal float for zero", "DAZ mode"},
                    [](const Plan& p, std::int64_t r, Ub ub) -> F {
                      return Tree(LeavesOf<F>(p, r, ub),
                                  [](F a, F b) {
                                    return AddFloat(FlushedFloat(a),
                                                    FlushedFloat(b));
                                  })
                          .value_or(0);
                    }),
      OfFloat<Call>({"subnormals-flushed-out", isa::arith::kSubnormal,
                     "makes a subnormal sum of floats zero", "FTZ mode"},
                    [](const Plan& p, std::int64_t r, Ub ub) -> F {
                      return Tree(LeavesOf<F>(p, r, ub),
                                  [](F a, F b) {
                                    return FlushedFloat(AddFloat(a, b));
                                  })
                          .value_or(0);
                    }),
  };
}

template <class Call>
Table SpecialValues() {
  using rule = ReduceSumRules<Call>;
  return {
      OfHalf<Call>({"saturates-at-end", rule::kSaturate,
                    "adds as IEEE does and saturates the last sum only"},
                   [](const Plan& p, std::int64_t r, Ub ub) -> F {
                     Plan plain = p;
                     plain.saturation = false;
                     return emulator::TreeSumOfHalves(plain, r, ub);
                   }),
      OfHalf<Call>({"saturates-upward-only", rule::kSaturate,
                    "keeps 65504 but lets sums run to -inf",
                    "the document names the positive bound alone"},
                   [](const Plan& p, std::int64_t r, Ub ub) -> F {
                     return HalfTree(p, r, ub, [&](float sum) {
                       const H half = FloatToHalf(sum);
                       return half == 0xfc00u ? half
                                              : Saturated(half, p.saturation);
                     });
                   }),
      OfHalf<Call>({"saturates-nan-late", isa::state::kSaturation,
                    "keeps a NaN sum as NaN until the last one",
                    "a clamp that NaN slips through"},
                   [](const Plan& p, std::int64_t r, Ub ub) -> F {
                     return HalfTree(p, r, ub, [&](float sum) {
                       return Saturated(FloatToHalf(sum),
                                        p.saturation && !std::isnan(sum));
                     });
                   }),
      OfHalf<Call>(
          {"infinities-cancel", isa::arith::kNan, "inf - inf gives 0",
           "infinity treated as a large number"},
          [](const Plan& p, std::int64_t r, Ub ub) -> F {
            return Tree(LeavesOf<H>(p, r, ub),
                        [&](H a, H b) {
                          const bool cancel =
                              (a & 0x7fffu) == 0x7c00u && (a ^ b) == 0x8000u;
                          return cancel ? H{0} : AddHalf(a, b, p.saturation);
                        })
                .value_or(0);
          }),
      OfFloat<Call>({"nan-lanes-skipped", isa::arith::kNan,
                     "leaves out lanes that hold NaN", "a NaN-ignoring sum"},
                    [](const Plan& p, std::int64_t r, Ub ub) -> F {
                      Leaves<F> leaves = LeavesOf<F>(p, r, ub);
                      for (auto& leaf : leaves) {
                        if (leaf && std::isnan(FloatOf(*leaf)))
                          leaf = std::nullopt;
                      }
                      return Tree(leaves, AddFloat).value_or(0);
                    }),
      OfFloat<Call>(
          {"missing-lanes-are-zero", isa::arith::kZeroSign,
           "adds +0 for a lane that takes no part, so that -0 is lost",
           "a masked load that fills with zeros"},
          [](const Plan& p, std::int64_t r, Ub ub) -> F {
            Leaves<F> leaves = LeavesOf<F>(p, r, ub);
            for (auto& leaf : leaves) leaf = leaf.value_or(0);
            return Tree(leaves, AddFloat).value_or(0);
          }),
      OfFloat<Call>(
          {"masked-lanes-times-zero", rule::kAddress,
           "multiplies lanes that take no part by 0 and adds them",
           "a mask applied by multiplication; an infinity gets through"},
          [](const Plan& p, std::int64_t r, Ub ub) -> F {
            Plan every = p;
            every.lanes = emulator::LaneMask::First(64);
            Leaves<F> leaves = LeavesOf<F>(every, r, ub);
            const Leaves<F> kept = LeavesOf<F>(p, r, ub);
            for (std::size_t i = 0; i < leaves.size(); ++i) {
              if (!kept[i]) leaves[i] = Canonical(FloatOf(*leaves[i]) * 0);
            }
            return Tree(leaves, AddFloat).value_or(0);
          }),
      OfHalf<Call>({"starts-from-old-dst", rule::kAddress,
                    "adds to what the destination held",
                    "an accumulator that is not cleared"},
                   [](const Plan& p, std::int64_t r, Ub ub) -> F {
                     const auto sum =
                         static_cast<H>(emulator::TreeSumOfHalves(p, r, ub));
                     const H old =
                         emulator::Load<H>(ub, p.dst + r * p.dst_repeat_stride);
                     return AddHalf(sum, old, p.saturation);
                   }),
  };
}

}  // namespace

Table ReduceSumArithmetic() {
  return OfBothReduceSums([]<class Call>() {
    return Joined(Roundings<Call>(), SpecialValues<Call>());
  });
}

}  // namespace lanediff::mutants
