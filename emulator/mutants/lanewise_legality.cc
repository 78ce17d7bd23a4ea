// Lane-wise calls: seams of legality, overlap aside.

#include <algorithm>
#include <array>
#include <cstddef>
#include <limits>
#include <string>
#include <string_view>

#include "emulator/lanewise_limits.h"
#include "emulator/mutants/lanewise.h"

namespace lanediff::mutants::lanewise {
namespace {

using isa::Product;

/// What names of mutants call the operand that a call has last.
std::string_view NameOfLast(const LaneRow& row) {
  constexpr std::array<std::string_view, 4> kNames = {"dst", "src0", "src1",
                                                      "src1"};
  return kNames[row.signature.sources()];
}
isa::Operand& Last(Call& c) { return c.used_operands().back(); }

bool Breaks(const Call& call, const State& state, isa::CallRule rule) {
  return Real(call, state).Contains(call.Rule(rule));
}

/// The number of the first source, or of dst in a call without one.
std::size_t First(const Call& c) { return c.signature->sources() == 0 ? 0 : 1; }

std::int64_t MostRepeatStride(const isa::Signature& row) {
  return emulator::kLanewiseLimits[isa::PlaceOf(row)].most_repeat_stride;
}

Table Ranges(const LaneRow& row) {
  const std::string last(NameOfLast(row));
  const std::string too_far =
      std::to_string(MostRepeatStride(row.signature) + 1);
  return {
      row("count-uint32", kCount,
          "takes count for a uint32_t: 2^31 breaks the bounds instead")
          .Where(row.has_count() && !row.Converts() && !row.Counts() &&
                 !row.Packs() && !row.Selects())
          .JudgedBy([](const Call& c, const State& s) {
            const std::int64_t count = c[Param::kCount];
            const bool wide = c.IsByCount() &&
                              count > std::numeric_limits<int>::max() &&
                              count <= 4294967295;
            return wide ? Instead(Real(c, s), c.Rule(kCount), c.Rule(kBounds))
                        : Real(c, s);
          }),
      row("count-int32", kCount, "takes count for an int32_t: refuses 2^31")
          .Where(row.Converts() || row.Counts() || row.Packs() || row.Selects())
          .JudgedBy([](const Call& c, const State& s) {
            const bool beyond =
                c.IsByCount() &&
                c[Param::kCount] > std::numeric_limits<int>::max();
            return beyond ? Instead(Real(c, s), c.Rule(kBounds), c.Rule(kCount))
                          : Real(c, s);
          }),
      row("round-mode-unchecked", kRoundMode, "accepts every mode")
          .Where(row.HasModes())
          .Without<kRoundMode>(),
      row("odd-for-every-type", kRoundMode, "accepts CAST_ODD of every type")
          .Where(row.HasModes())
          .MisreadBy([](Call& c) {
            if (c.round_mode == isa::RoundMode::kOdd) c.round_mode = {};
          }),
      row("none-refused", kRoundMode,
          "refuses CAST_NONE where the page doesn't list it")
          .Where(row.HasModes())
          .StricterBy([](RuleSet& broken, const Call& c) {
            broken.AddIf(c.round_mode == isa::RoundMode::kNone &&
                             c.dtype == DType::kFloat &&
                             c.TypeOf(0) != DType::kHalf,
                         c.Rule(kRoundMode));
          }),
      row("types-in-the-other-order", kDtype,
          "looks the pair of types up the other way round")
          .Where(row.HasModes())
          .JudgedBy([](const Call& c, const State& s) {
            Call other = c;
            other.dtype = c.TypeOf(0);
            other.dst().dtype = c.dtype;
            other.round_mode = {};
            other.src(0).dtype = std::nullopt;
            const bool lacks = Breaks(other, s, kDtype);
            return Weakened(Real(c, s), c.Rule(kDtype), lacks);
          }),
      row("lanes-of-the-source", kMaskContiguous,
          "counts the lanes of a mask by the type of src")
          .Where(row.HasModes())
          .JudgedBy([](const Call& c, const State& s) {
            const bool fits = c[Param::kMask] <= 256 / ElementBytes(c.dtype);
            return Weakened(Real(c, s), c.Rule(kMaskContiguous), !fits);
          }),
      row("bounds-by-the-source", kBounds,
          "wants space for elements of src's type in dst")
          .Where(row.HasModes())
          .WeakenedBy<kBounds>([](Call& c) {
            if (ElementBytes(c.TypeOf(0)) > ElementBytes(c.dtype)) {
              c.dst() = Longer(c.dst(), c.dst().bytes);
            }
          }),
      row("any-type-of-dst", kDtype, "looks at the type of the sources alone")
          .Where(row.Converts() && !row.HasModes())
          .JudgedBy([](const Call& c, const State& s) {
            Call other = c;
            other.dst().dtype =
                c.dtype == DType::kFloat ? DType::kHalf : DType::kInt8;
            return Weakened(Real(c, s), c.Rule(kDtype),
                            Breaks(other, s, kDtype));
          }),
      row("lanes-of-the-result", kMaskContiguous,
          "counts the lanes of a mask by the type of dst")
          .Where(row.Converts() && !row.HasModes())
          .JudgedBy([](const Call& c, const State& s) {
            const bool fits =
                c[Param::kMask] <= 256 / ElementBytes(c.TypeOf(0));
            return Weakened(Real(c, s), c.Rule(kMaskContiguous), !fits);
          }),
      row("count-zero-refused", kCount, "refuses count = 0")
          .Where(row.has_count())
          .StricterBy([](RuleSet& broken, const Call& c) {
            broken.AddIf(c.IsByCount() && c[Param::kCount] == 0,
                         c.Rule(kCount));
          }),
      row("repeat-256-accepted", kRepeat, "accepts repeatTimes = 256")
          .MisreadBy([](Call& c) {
            auto& times = c[Param::kRepeatTimes];
            if (times == 256) times = 255;
          }),
      row(Kept("dst-rep-stride-" + too_far + "-accepted"), kStrideRange,
          Kept("accepts dstRepStride = " + too_far))
          .MisreadBy([](Call& c) {
            auto& stride = c[Param::kDstRepStride];
            if (stride == MostRepeatStride(*c.signature) + 1) --stride;
          }),
      row("src1-strides-16-bit", kStrideRange,
          "accepts strides of src1 up to 65535",
          "a condition copied but not edited")
          .Where(row.two_sources())
          .MisreadBy([](Call& c) {
            for (const Param p :
                 {Param::kSrc1BlkStride, Param::kSrc1RepStride}) {
              if (c[p] <= 65535) c[p] = std::min<std::int64_t>(c[p], 255);
            }
          }),
      row("dst-blk-stride-zero-accepted", kDstBlkStrideZero,
          "accepts dstBlkStride = 0")
          .Where(!row.Packs())
          .MisreadBy([](Call& c) {
            auto& stride = c[Param::kDstBlkStride];
            if (!c.IsByCount() && stride == 0) stride = 1;
          }),
      row("mask-zero-accepted", kMaskContiguous,
          "accepts a contiguous mask of 0")
          .MisreadBy([](Call& c) {
            auto& mask = c[Param::kMask];
            if (c.Has(Param::kMask) && c.is_set_mask && mask == 0) mask = 1;
          }),
      row("mask-of-half-for-float", kMaskContiguous,
          "allows 128 lanes for 32-bit types as well",
          "a limit written for the 16-bit types alone")
          .Where(row.Has(DType::kFloat))
          .MisreadBy([](Call& c) {
            auto& mask = c[Param::kMask];
            if (c.Has(Param::kMask) && c.is_set_mask && mask <= 128 &&
                ElementBytes(c.dtype) == 4) {
              mask = std::min<std::int64_t>(mask, 64);
            }
          }),
      row("mask-high-word-accepted", kMaskBits,
          "accepts bits in mask[1] for 32-bit types")
          .Where(row.Has(DType::kFloat))
          .MisreadBy([](Call& c) {
            if (c.Has(Param::kMaskWords) && c.is_set_mask &&
                ElementBytes(c.dtype) == 4) {
              c.mask_words[1] = 0;
            }
          }),
      row("placeholder-unchecked", kPlaceholder,
          "accepts any mask where the register is used")
          .Where(row.by_register())
          .MisreadBy([](Call& c) {
            if (c.is_set_mask) return;
            c[Param::kMask] = 0;
            c.mask_words = {};
          }),
      row(Kept(last + "-align-16"), kAlign,
          Kept("is content with " + last + " aligned to 16 bytes"))
          .MisreadBy([](Call& c) { Last(c) = AlignedTo16(Last(c)); }),
      row("bounds-one-byte-more", kBounds,
          row.has_source() ? "lets src0 be read one byte behind its window"
                           : "lets dst be written one byte behind its window")
          .WeakenedBy<kBounds>([](Call& c) {
            isa::Operand& operand = c.operands[First(c)];
            operand = Longer(operand, 1);
          }),
      row("bounds-next-repeat", kBounds,
          "wants space for repeatTimes whole strides, the last one, too",
          "n * stride for (n - 1) * stride + length")
          .StricterBy([](RuleSet& broken, const Call& c) {
            const std::int64_t times = c[Param::kRepeatTimes];
            broken.AddIf(!c.IsByCount() && times != 0 &&
                             32 * times * c.RepStride(First(c)) >
                                 c.operands[First(c)].bytes,
                         c.Rule(kBounds));
          }),
  };
}

/// The type of packed bits, modes by type, and counts of whole iterations.
Table Comparisons(const LaneRow& row) {
  if (!row.Packs()) return {};
  return {
      row("cmp-mode-unchecked", kCmpMode, "compares int32 by any mode")
          .Without<kCmpMode>(),
      row("cmp-mode-ne-of-int32-accepted", kCmpMode,
          "compares int32 by NE, too", "NE taken for EQ and a complement")
          .MisreadBy([](Call& c) {
            if (c.cmp_mode == isa::CmpMode::kNe) c.cmp_mode = isa::CmpMode::kEq;
          }),
      row("cmp-mode-of-float-refused", kCmpMode, "compares floats by EQ alone")
          .StricterBy([](RuleSet& broken, const Call& c) {
            broken.AddIf(
                c.dtype == DType::kFloat && c.cmp_mode != isa::CmpMode::kEq,
                c.Rule(kCmpMode));
          }),
      row("count-length-unchecked", kCountLength, "accepts any count")
          .Without<kCountLength>(),
      row("count-length-by-blocks", kCountLength,
          "wants whole DataBlocks of a count")
          .MisreadBy([](Call& c) {
            const std::int64_t block = 32 / ElementBytes(c.dtype);
            auto& count = c[Param::kCount];
            if (c.IsByCount() && count > 0 && count % block == 0) {
              count = (count + 8 * block - 1) / (8 * block) * (8 * block);
            }
          }),
      row("count-length-of-half-for-float", kCountLength,
          "wants a multiple of 128 of each type")
          .StricterBy([](RuleSet& broken, const Call& c) {
            broken.AddIf(c.IsByCount() && c[Param::kCount] % 128 != 0,
                         c.Rule(kCountLength));
          }),
      row("dtype-of-dst-unchecked", kDtypeMatch,
          "does not look at the type of dst")
          .MisreadBy([](Call& c) { c.dst().dtype = DType::kUint8; }),
      row("dst-int8-refused", kDtypeMatch, "refuses a dst of int8")
          .Where(row.two_sources())
          .StricterBy([](RuleSet& broken, const Call& c) {
            broken.AddIf(c.dst().dtype == DType::kInt8, c.Rule(kDtypeMatch));
          }),
      row("bounds-of-strides", kBounds,
          "wants space for results that are apart by dstRepStride")
          .StricterBy([](RuleSet& broken, const Call& c) {
            const std::int64_t last = c[Param::kRepeatTimes] - 1;
            broken.AddIf(!c.IsByCount() && last > 0 &&
                             32 * last * c.RepStride(0) > c.dst().bytes,
                         c.Rule(kBounds));
          }),
      row("bounds-of-a-byte-a-lane", kBounds,
          "wants space in dst for a byte of each lane")
          .StricterBy([](RuleSet& broken, const Call& c) {
            broken.AddIf(c.IsByCount() && c[Param::kCount] > c.dst().bytes,
                         c.Rule(kBounds));
          }),
  };
}

/// Of an element.
std::uint64_t Bits(const Call& c) {
  return static_cast<std::uint64_t>(8 * ElementBytes(c.dtype));
}

/// By how many bits a call may shift, and how.
Table Shifts(const LaneRow& row) {
  if (!row.Shifts()) return {};
  return {
      row("range-one-more-accepted", kScalarRange,
          "accepts one bit more than the type has", "<= for <")
          .MisreadBy([](Call& c) {
            if (c.scalar == Bits(c) + 1) --c.scalar;
          }),
      row("range-all-bits-refused", kScalarRange,
          "refuses a shift by all bits of the type",
          "undefined behaviour of C++ taken for a limit of the call")
          .StricterBy([](RuleSet& broken, const Call& c) {
            broken.AddIf(c.scalar == Bits(c), c.Rule(kScalarRange));
          }),
      row("range-of-32-bits-for-16", kScalarRange,
          "lets 16-bit types be shifted by up to 32 bits",
          "a limit written for the 32-bit types alone")
          .MisreadBy([](Call& c) {
            if (c.scalar <= 32) c.scalar = std::min(c.scalar, Bits(c));
          }),
      row("range-unchecked", kScalarRange, "shifts by any number of bits")
          .Without<kScalarRange>(),
      row("round-en-on-200i-accepted", kRoundEn,
          "has roundEn on atlas-200i-500-a2, too")
          .Where(row.signature.Has(Param::kRoundEn))
          .Without<kRoundEn>(),
      row("round-en-refused", kRoundEn, "has roundEn on no product")
          .Where(row.signature.Has(Param::kRoundEn))
          .StricterBy([](RuleSet& broken, const Call& c) {
            broken.AddIf(c.Has(Param::kRoundEn) && c.round_en,
                         c.Rule(kRoundEn));
          }),
  };
}

/// Of calls with a bit for each lane.
Table Selections(const LaneRow& row) {
  if (!row.Selects()) return {};
  return {
      row("src1-strides-16-bit", kStrideRange,
          "accepts strides of src1 up to 65535",
          "a condition copied but not edited")
          .MisreadBy([](Call& c) {
            for (const Param p :
                 {Param::kSrc2BlkStride, Param::kSrc2RepStride}) {
              if (c[p] <= 65535) c[p] = std::min<std::int64_t>(c[p], 255);
            }
          }),
      row("src1-strides-of-a-scalar-unchecked", kStrideRange,
          "accepts any stride of src1 where a scalar stands for it")
          .MisreadBy([](Call& c) {
            if (!c.SelectsScalar()) return;
            c[Param::kSrc2BlkStride] = c[Param::kSrc2RepStride] = 0;
          }),
      row("sel-mode-unchecked", kSelMode, "has every mode on atlas-training")
          .Without<kSelMode>(),
      row("sel-mode-scalar-on-training", kSelMode,
          "takes a scalar on atlas-training")
          .JudgedBy([](const Call& c, const State& s) {
            return Weakened(Real(c, s), c.Rule(kSelMode), !c.SelectsScalar());
          }),
      row("sel-mode-two-tensors-refused", kSelMode,
          "has VSEL_TENSOR_TENSOR_MODE on atlas-a2 and atlas-a3 alone")
          .StricterBy([](RuleSet& broken, const Call& c, const State& s) {
            broken.AddIf(c.sel_mode == isa::SelMode::kTensor &&
                             s.product == Product::kAtlas200i500A2,
                         c.Rule(kSelMode));
          }),
      row("sel-mask-int8-accepted", kDtypeMatch, "accepts selMask of int8")
          .MisreadBy([](Call& c) {
            auto& type = c.src(1).dtype;
            if (type == DType::kInt8) type = DType::kUint8;
          }),
      row("sel-mask-uint64-refused", kDtypeMatch, "refuses selMask of uint64")
          .StricterBy([](RuleSet& broken, const Call& c) {
            broken.AddIf(c.src(1).dtype == DType::kUint64, c.Rule(kDtypeMatch));
          }),
      row("sel-mask-align-16", kAlign,
          "is content with selMask aligned to 16 bytes")
          .MisreadBy([](Call& c) { c.src(1) = AlignedTo16(c.src(1)); }),
      row("sel-mask-bounds-unchecked", kBounds,
          "lets bits be read one byte behind the window of selMask")
          .WeakenedBy<kBounds>([](Call& c) { c.src(1) = Longer(c.src(1), 1); }),
      row("sel-mask-bounds-of-whole-iterations", kBounds,
          "wants space for the bits of all lanes in selMask")
          .StricterBy([](RuleSet& broken, const Call& c) {
            const std::int64_t each = 32 / ElementBytes(c.dtype);
            const bool same = c.sel_mode == isa::SelMode::kSameBits;
            const std::int64_t times = same ? 1 : c[Param::kRepeatTimes];
            broken.AddIf(!c.IsByCount() && c[Param::kRepeatTimes] > 0 &&
                             times * each > c.src(1).bytes,
                         c.Rule(kBounds));
          }),
      row("overlap-bits-ignored", kOverlap, "lets dst lie on selMask")
          .Without<kOverlap>(),
      row("overlap-bits-same-start-only", kOverlap,
          "objects to dst on selMask only if they start at one place")
          .JudgedBy([](const Call& c, const State& s) {
            return Weakened(Real(c, s), c.Rule(kOverlap),
                            c.dst().at == c.src(1).at);
          }),
      row("overlap-bits-touching", kOverlap,
          "takes dst right behind selMask for one that overlaps",
          "<= for < in a comparison of ranges")
          .StricterBy([](RuleSet& broken, const Call& c) {
            broken.AddIf(c.dst().bytes > 0 && c.src(1).bytes > 0 &&
                             c.src(1).at + c.src(1).bytes == c.dst().at,
                         c.Rule(kOverlap));
          }),
  };
}

template <DType kType>
Mutant Accepting(const LaneLabel& label) {
  return label.JudgedBy([](const Call& c, const State& s) {
    const RuleSet broken = Real(c, s);
    return c.dtype == kType ? Weakened(broken, c.Rule(kDtype), false) : broken;
  });
}

Table Tables(const LaneRow& row) {
  const std::string last(NameOfLast(row));
  const auto& limits = emulator::kLanewiseLimits[isa::PlaceOf(row.signature)];
  const auto types = [&](Product product,
                         isa::Edition edition = isa::kNewestEdition) {
    return limits.On(product, edition);
  };
  const bool less_on_training =
      types(Product::kAtlasA2).Has(DType::kInt16) &&
      !types(Product::kAtlasTraining).empty() &&
      !types(Product::kAtlasTraining).Has(DType::kInt16);
  const auto reports = [&](isa::CallRule rule) {
    return std::string(row.signature.Rule(rule).text());
  };
  return {
      row("product-200i-refused", kProduct, "refuses atlas-200i-500-a2",
          "the page spells that product in two ways")
          .Where(!types(Product::kAtlas200i500A2).empty())
          .ConfusedOn<Product::kAtlas200i500A2, Product::kAtlas200_300_500>(),
      row("int16-on-training-accepted", kDtype,
          "accepts int16 on atlas-training")
          .Where(less_on_training)
          .JudgedBy([](const Call& c, const State& s) {
            if (c.dtype != DType::kInt16) return Real(c, s);
            return Real(
                c, Confused(s, Product::kAtlasTraining, Product::kAtlasA2));
          }),
      row(Kept("dtype-of-" + last + "-unchecked"), kDtypeMatch,
          Kept("does not look at the type of " + last))
          .MisreadBy([](Call& c) { Last(c).dtype = std::nullopt; }),
      row(Kept("position-" + last + "-unchecked"), kPosition,
          Kept("does not look at the position of " + last))
          .MisreadBy([](Call& c) {
            const bool taken = c.dst().position == isa::Position::kVecin;
            Last(c).position =
                taken ? isa::Position::kVecout : isa::Position::kVecin;
          }),
      row("route-unchecked", kRoute, "copies from a position to the same one")
          .Where(limits.has_routes)
          .Without<kRoute>(),
      row("route-from-vecout-refused", kRoute, "copies nothing from VECOUT",
          "the routes of DataCopy")
          .Where(limits.has_routes)
          .StricterBy([](RuleSet& broken, const Call& c) {
            broken.AddIf(c.src(0).position == isa::Position::kVecout,
                         c.Rule(kRoute));
          }),
      Accepting<DType::kInt32>(row("int32-accepted", kDtype, "accepts int32")
                                   .Where(!row.Has(DType::kInt32))),
      Accepting<DType::kBfloat16>(
          row("bfloat16-accepted", kDtype, "accepts bfloat16")
              .Where(row.Has(DType::kInt32) && !less_on_training &&
                     !row.Has(DType::kBfloat16))),
      row("dtype-unchecked", kDtype, "accepts every type")
          .Where(row.Has(DType::kBfloat16))
          .Without<kDtype>(),
      row("mask-bits-reported-as-contiguous", kMaskBits,
          Kept("reports " + reports(kMaskContiguous) + " where " +
               reports(kMaskBits) + " is broken"))
          .Instead<kMaskBits, kMaskContiguous>(),
      row("first-rule-only", kRepeat, "reports one of several broken rules",
          "a checker that returns at the first failure")
          .JudgedBy([](const Call& c, const State& s) {
            return FirstOnly(Real(c, s));
          }),
      row("product-a3-refused", kProduct, "refuses atlas-a3",
          "older prints of the page don't list it")
          .Where(!types(Product::kAtlasA3).empty())
          .ConfusedOn<Product::kAtlasA3, Product::kAtlas200_300_500>(),
      row("edition-ignored", kProduct, "has atlas-a3 in edition 2024 as well")
          .Where(!types(Product::kAtlasA3).empty() &&
                 types(Product::kAtlasA3, isa::Edition::k2024).empty())
          .JudgedBy(
              [](const Call& c, const State& s) { return Real(c, Newest(s)); }),
  };
}

}  // namespace

Table Legality(const LaneRow& row) {
  return Joined(Ranges(row), Comparisons(row), Shifts(row), Selections(row),
                Tables(row));
}

}  // namespace lanediff::mutants::lanewise
