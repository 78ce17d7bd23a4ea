// Element-wise calls: seams of legality, overlap aside.

#include "emulator/elementwise_legality.h"

#include <algorithm>
#include <limits>

#include "emulator/mutants/elementwise.h"
#include "emulator/mutants/judge.h"

namespace lanediff::mutants {
namespace {

using emulator::State;
using isa::DType;
using isa::Position;
using isa::Product;
using isa::RuleSet;

template <class Call>
bool Repeats(const Call& call) {
  return call.form != Call::kCount;
}

template <class Call>
Table Ranges() {
  using rule = RulesOf<Call>;
  return {
      JudgedBy<Call>(
          {"count-uint32", rule::kCount,
           "takes count for a uint32_t: 2^31 breaks the bounds instead"},
          [](const Call& c, const State& s) {
            const bool wide = c.form == Call::kCount &&
                              c.count > std::numeric_limits<int>::max() &&
                              c.count <= 4294967295;
            return wide ? Instead(Real(c, s), rule::kCount, rule::kBounds)
                        : Real(c, s);
          }),
      StricterBy<Call>(
          {"count-zero-refused", rule::kCount, "refuses count = 0"},
          [](RuleSet& broken, const Call& c) {
            broken.AddIf(c.form == Call::kCount && c.count == 0, rule::kCount);
          }),
      MisreadBy<Call>(
          {"repeat-256-accepted", rule::kRepeat, "accepts repeatTimes = 256"},
          [](Call& c) {
            if (c.repeat_times == 256) c.repeat_times = 255;
          }),
      MisreadBy<Call>({"dst-rep-stride-256-accepted", rule::kStrideRange,
                       "accepts dstRepStride = 256"},
                      [](Call& c) {
                        auto& stride = c.repeat_params.dst_rep_stride;
                        if (stride == 256) stride = 255;
                      }),
      MisreadBy<Call>({"src1-strides-16-bit", rule::kStrideRange,
                       "accepts strides of src1 up to 65535",
                       "a condition copied but not edited"},
                      [](Call& c) {
                        for (auto* stride :
                             {&c.repeat_params.src1_blk_stride,
                              &c.repeat_params.src1_rep_stride}) {
                          if (*stride <= 65535) {
                            *stride = std::min<std::int64_t>(*stride, 255);
                          }
                        }
                      }),
      MisreadBy<Call>({"dst-blk-stride-zero-accepted", rule::kDstBlkStrideZero,
                       "accepts dstBlkStride = 0"},
                      [](Call& c) {
                        auto& stride = c.repeat_params.dst_blk_stride;
                        if (Repeats(c) && stride == 0) stride = 1;
                      }),
      MisreadBy<Call>({"mask-zero-accepted", rule::kMaskContiguous,
                       "accepts a contiguous mask of 0"},
                      [](Call& c) {
                        if (c.form == Call::kContiguous && c.is_set_mask &&
                            c.mask == 0) {
                          c.mask = 1;
                        }
                      }),
      MisreadBy<Call>({"mask-of-half-for-float", rule::kMaskContiguous,
                       "allows 128 lanes for 32-bit types as well",
                       "a limit written for the 16-bit types alone"},
                      [](Call& c) {
                        if (c.form == Call::kContiguous && c.is_set_mask &&
                            c.mask <= 128 &&
                            emulator::ElementBytes(c.dtype) == 4) {
                          c.mask = std::min<std::int64_t>(c.mask, 64);
                        }
                      }),
      MisreadBy<Call>({"mask-high-word-accepted", rule::kMaskBits,
                       "accepts bits in mask[1] for 32-bit types"},
                      [](Call& c) {
                        if (c.form == Call::kBitwise && c.is_set_mask &&
                            emulator::ElementBytes(c.dtype) == 4) {
                          c.mask_words[1] = 0;
                        }
                      }),
      MisreadBy<Call>({"placeholder-unchecked", rule::kPlaceholder,
                       "accepts any mask where the register is used"},
                      [](Call& c) {
                        if (c.is_set_mask) return;
                        c.mask = 0;
                        c.mask_words = {};
                      }),
      MisreadBy<Call>({"src1-align-16", rule::kAlign,
                       "is content with src1 aligned to 16 bytes"},
                      [](Call& c) { c.src1 = AlignedTo16(c.src1); }),
      JudgedBy<Call>({"bounds-one-byte-more", rule::kBounds,
                      "lets src0 be read one byte behind its window"},
                     [](const Call& c, const State& s) {
                       Call other = c;
                       other.src0 = Longer(c.src0, 1);
                       return Weakened(Real(c, s), rule::kBounds,
                                       Real(other, s).Contains(rule::kBounds));
                     }),
      JudgedBy<Call>(
          {"bounds-next-repeat", rule::kBounds,
           "wants space for repeatTimes whole strides, the last one, too",
           "n * stride for (n - 1) * stride + length"},
          [](const Call& c, const State& s) {
            RuleSet broken = Real(c, s);
            if (!broken.empty() || !Repeats(c) || c.repeat_times == 0) {
              return broken;
            }
            const auto end = c.src0.at + 32 * c.repeat_times *
                                             c.repeat_params.src0_rep_stride;
            broken.AddIf(end > c.src0.at + c.src0.bytes, rule::kBounds);
            return broken;
          }),
  };
}

template <class Call>
Table Tables() {
  using rule = RulesOf<Call>;
  return {
      ConfusedOn<Call, Product::kAtlas200i500A2, Product::kAtlas200_300_500>(
          {"product-200i-refused", rule::kProduct, "refuses atlas-200i-500-a2",
           "the page spells that product in two ways"}),
      JudgedBy<Call>({"int16-on-training-accepted", rule::kDtype,
                      "accepts int16 on atlas-training"},
                     [](const Call& c, const State& s) {
                       if (c.dtype != DType::kInt16) return Real(c, s);
                       return Real(c, Confused(s, Product::kAtlasTraining,
                                               Product::kAtlasA2));
                     }),
      MisreadBy<Call>({"dtype-of-src1-unchecked", rule::kDtypeMatch,
                       "does not look at the type of src1"},
                      [](Call& c) { c.src1.dtype = std::nullopt; }),
      MisreadBy<Call>({"position-src1-unchecked", rule::kPosition,
                       "does not look at the position of src1"},
                      [](Call& c) { c.src1.position = Position::kVecin; }),
      JudgedBy<Call>(
          {"mask-bits-reported-as-contiguous", rule::kMaskBits,
           Kept("reports " + std::string(rule::kMaskContiguous.text()) +
                " where " + std::string(rule::kMaskBits.text()) +
                " is broken")},
          [](const Call& c, const State& s) {
            return Instead(Real(c, s), rule::kMaskBits, rule::kMaskContiguous);
          }),
      JudgedBy<Call>(
          {"first-rule-only", rule::kRepeat,
           "reports one of several broken rules",
           "a checker that returns at the first failure"},
          [](const Call& c, const State& s) { return FirstOnly(Real(c, s)); }),
  };
}

template <class Call>
Table OnA3() {
  using rule = RulesOf<Call>;
  Table table = {
      ConfusedOn<Call, Product::kAtlasA3, Product::kAtlas200_300_500>(
          {"product-a3-refused", rule::kProduct, "refuses atlas-a3",
           "older prints of the page don't list it"})};
  if constexpr (emulator::kOnAtlasA3Since<Call> == isa::Edition::k2026) {
    table.push_back(JudgedBy<Call>(
        {"edition-ignored", rule::kProduct,
         "has atlas-a3 in edition 2024 as well"},
        [](const Call& c, const State& s) { return Real(c, Newest(s)); }));
  }
  return table;
}

}  // namespace

Table ElementwiseLegality() {
  return OfEachElementwise([]<class Call>() {
    return Joined(Ranges<Call>(), Tables<Call>(), OnA3<Call>());
  });
}

}  // namespace lanediff::mutants
