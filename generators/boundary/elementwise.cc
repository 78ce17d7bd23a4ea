#include "generators/boundary/elementwise.h"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>
#include <type_traits>

#include "generators/boundary/modules.h"
#include "generators/boundary/pairwise.h"
#include "generators/wrapping.h"
#include "isa/memory_map.h"
#include "isa/units.h"

namespace lanediff::make::sweep {
namespace {

using isa::DType;
using isa::Position;
using isa::Product;

/// The module of one of them.
template <class Tag>
struct ElementwiseModule : ElementwiseCases<Tag> {
  using Cases = ElementwiseCases<Tag>;
  using Cases::kValues;
  using Cases::MakeCase;
  using Cases::S;
  using typename Cases::Call;
  using typename Cases::rule;

  static std::vector<Base> Bases() {
    return {
        {"half a2, contiguous", MakeCase({})},
        {"float training, bitwise",
         MakeCase({.product = Product::kAtlasTraining,
                   .dtype = DType::kFloat,
                   .form = Call::kBitwise})},
        {"int32 inference, count",
         MakeCase({.product = Product::kAtlasInferenceAicore,
                   .dtype = DType::kInt32,
                   .form = Call::kCount})},
        {"int16 a2, bitwise, strides 2 3 1 9 10 0",
         MakeCase({.dtype = DType::kInt16,
                   .form = Call::kBitwise,
                   .words = {1, 1},
                   .strides = {2, 3, 1, 17, 26, 0}})},
        {"half 200i, register",
         MakeCase({.product = Product::kAtlas200i500A2, .set_mask = false})},
        {"float a2, bitwise, register", MakeCase({.dtype = DType::kFloat,
                                                  .form = Call::kBitwise,
                                                  .repeat = 1,
                                                  .set_mask = false})},
        {"half a2, count", MakeCase({.form = Call::kCount, .count = 130})},
        {"half a2, all lanes, source strides 0",
         MakeCase({.mask = 128, .repeat = 3, .strides = {1, 0, 0, 8, 0, 0}})},
    };
  }

  static std::vector<Breaker> Breakers() {
    const auto side_by_side = [](Case& c) {
      if (S(c).form == Call::kCount) return false;
      S(c).repeat_params = {1, 1, 1, 8, 8, 8};
      return Place(c);
    };
    std::vector<Breaker> breakers = {
        {rule::kProduct, "atlas-200-300-500", {On(Product::kAtlas200_300_500)}},
        {rule::kDtype, "bfloat16", {Set("dtype", DType::kBfloat16)}},
        {rule::kDtype,
         "int16 on training",
         {On(Product::kAtlasTraining), Set("dtype", DType::kInt16)}},
        {rule::kDtypeMatch, "src0 double", {Set("src0.dtype", DType::kDouble)}},
        {rule::kDtypeMatch, "src1 uint16", {Set("src1.dtype", DType::kUint16)}},
        {rule::kDtypeMatch, "dst int8", {Set("dst.dtype", DType::kInt8)}},
        {rule::kPosition, "dst at GM", {Set("dst.position", Position::kGm)}},
        {rule::kPosition, "src0 at C1", {Set("src0.position", Position::kC1)}},
        {rule::kPosition, "src1 at UB", {Set("src1.position", Position::kUb)}},
        {rule::kAlign, "dst.at 2 further", {Plus("dst.at", 2)}},
        {rule::kAlign, "src1.at 16 further", {Plus("src1.at", 16)}},
        {rule::kCount, "-1", {Set("count", -1)}},
        {rule::kCount, "2^31", {Set("count", std::int64_t{1} << 31)}},
        {rule::kRepeat, "256", {Set("repeatTimes", 256)}},
        {rule::kStrideRange, "src0BlkStride 256", {Set("src0BlkStride", 256)}},
        {rule::kStrideRange, "src1RepStride -1", {Set("src1RepStride", -1)}},
        {rule::kDstBlkStrideZero, "0", {Set("dstBlkStride", 0)}},
        {rule::kMaskContiguous,
         "129",
         {Is("isSetMask", true), Set("mask", 129)}},
        {rule::kMaskBits,
         "both words 0",
         {Is("isSetMask", true), Set("mask", MaskWords{0, 0})}},
        {rule::kPlaceholder,
         "1",
         {Set("isSetMask", false), SetMask("mask", 1, {0, 1})}},
        {rule::kBounds, "dst window short", {Plus("dst.bytes", -1)}},
        {rule::kBounds, "src0 window short", {Plus("src0.bytes", -1)}},
        {rule::kBounds, "src1 past its memory", {Plus("src1.bytes", 512)}},
        {rule::kOverlapCount, "dst one block behind src0", {[](Case& c) {
           S(c).dst.at = WrappingSum(S(c).src0.at, isa::kDataBlockBytes);
           return S(c).form == Call::kCount;
         }}},
        {rule::kOverlapIteration,
         "dst on another block of src0",
         {side_by_side,
          [](Case& c) {
            S(c).dst.at = S(c).src0.at - isa::kDataBlockBytes;
            Ub(c)->size += 512;
            S(c).src0.at += 512;
            S(c).dst.at += 512;
            S(c).src1.at = 0;
            return S(c).src0.bytes > isa::kDataBlockBytes;
          }}},
        {rule::kOverlapDependency,
         "dst on the next iteration of src0",
         {Set("repeatTimes", 2), side_by_side,
          [](Case& c) {
            S(c).dst.at = S(c).src0.at + isa::kIterationBytes;
            S(c).src1.at = (S(c).dst.at + S(c).dst.bytes + 127) / 128 * 128;
            Ub(c)->size = S(c).src1.at + S(c).src1.bytes;
            return true;
          }}},
        {rule::kOverlapSources,
         fmt::format("running {} over its own source", kValues.result),
         {Set("repeatTimes", 2),
          [](Case& c) {
            S(c).repeat_params = {1, 1, 1, 0, 8, 0};
            if (!Place(c)) return false;
            S(c).src1.at = S(c).dst.at;
            S(c).src0.at = S(c).dst.at;
            return S(c).dtype != DType::kInt16;
          }}},
    };
    // Min's cases keep their numbers.
    if constexpr (!std::is_same_v<Call, isa::Min>) {
      breakers.push_back(SecondWordBreaker(rule::kMaskBits));
    }
    return breakers;
  }

  static Kit MakeKit() {
    return {.op = Call::kOp,
            .bounds = rule::kBounds,
            .bases = Bases(),
            .field_rules = {{"dst.at", rule::kAlign},
                            {"src0.at", rule::kAlign},
                            {"src1.at", rule::kAlign}},
            .breakers = Breakers()};
  }

  static std::vector<EveryBase> EveryBases() {
    struct Form {
      std::string_view name;
      std::uint8_t form;
      bool set_mask;
    };
    static constexpr Form kForms[] = {
        {"contiguous", Call::kContiguous, true},
        {"bitwise", Call::kBitwise, true},
        {"count", Call::kCount, true},
        {"contiguous, register", Call::kContiguous, false},
        {"bitwise, register", Call::kBitwise, false}};
    std::vector<EveryBase> bases;
    for (const auto& [dtype, form, place] :
         Combinations<DType, Form, std::int64_t>(kArithmeticTypes, kForms,
                                                 Range(0, 26))) {
      const Position dst = kVectorPositions[place % 3];
      const Position src0 = kVectorPositions[place / 3 % 3];
      const Position src1 = kVectorPositions[place / 9];
      Case c = MakeCase({.dtype = dtype,
                         .form = form.form,
                         .words = {0x8001, 0},
                         .set_mask = form.set_mask});
      S(c).dst.position = dst;
      S(c).src0.position = src0;
      S(c).src1.position = src1;
      bases.push_back(
          {{fmt::format("{}, {}, {} {} {}", isa::Name(dtype), form.name,
                        isa::Name(dst), isa::Name(src0), isa::Name(src1)),
            std::move(c)},
           // All positions are of one memory; one of each kind will do.
           place == 0 || place == 5 || place == 25});
    }
    return bases;
  }

  static std::optional<Sketch> Combine(const std::vector<std::size_t>& row) {
    static constexpr Product kProducts[] = {Product::kAtlasA2,
                                            Product::kAtlas200i500A2,
                                            Product::kAtlasInferenceAicore,
                                            Product::kAtlasTraining,
                                            Product::kAtlasInferenceVectorcore,
                                            Product::kAtlasA3};
    static constexpr DType kTypes[] = {DType::kHalf, DType::kFloat,
                                       DType::kInt16, DType::kInt32,
                                       DType::kUint16};
    static constexpr Position kPositions[] = {
        Position::kVecin, Position::kVeccalc, Position::kVecout};
    static constexpr std::int64_t kMasks[] = {1, 15, 16, 17, 63, 64, 127, 128};
    static constexpr std::int64_t kRepeats[] = {0, 1, 2, 3, 17, 40};
    static constexpr std::int64_t kBlk[] = {1, 0, 2, 9};
    static constexpr std::int64_t kRep[] = {8, 0, 1, 7, 9};
    const DType dtype = kTypes[row[1]];
    const std::int64_t mask =
        std::min(kMasks[row[7]], 256 / isa::SizeBytes(dtype));
    const isa::SetVectorMask lanes = FirstLanes(mask);
    const bool set_mask = row[3] < 2;
    Case c = MakeCase(
        {.product = kProducts[row[0]],
         .dtype = dtype,
         .form = static_cast<std::uint8_t>(row[2]),
         .count = kMasks[row[7]] * (kRepeats[row[8]] + 1),
         .mask = mask,
         .words = {lanes.low & ~std::uint64_t{row[15] * 2}, lanes.high},
         .repeat = kRepeats[row[8]],
         .strides = {std::max<std::int64_t>(1, kBlk[row[9]]), kBlk[row[10]],
                     kBlk[row[11]], kRep[row[12]], kRep[row[13]],
                     kRep[row[14]]},
         .set_mask = set_mask});
    if (!Ub(c)) return std::nullopt;
    S(c).dst.position = kPositions[row[4]];
    S(c).src0.position = kPositions[row[5]];
    S(c).src1.position = kPositions[row[6]];
    if (row[16] == 1) S(c).dst.at = S(c).src0.at;
    if (row[16] == 2) S(c).dst.at = S(c).src1.at;
    if (row[16] == 3) S(c).src1.at = S(c).src0.at;
    for (const auto* o : {&S(c).dst, &S(c).src0, &S(c).src1}) {
      Ub(c)->size = std::max(Ub(c)->size, o->at + o->bytes);
    }
    if (!set_mask) Prepend(c, lanes);
    if (c.product == Product::kAtlasA2 || c.product == Product::kAtlasA3) {
      Prepend(c, isa::SetSaturation{.enabled = row[15] == 0});
    }
    return Sketch{.what = fmt::format("pairwise: classes {}", RowText(row)),
                  .rule = std::nullopt,
                  .c = std::move(c),
                  .data = static_cast<Data>(row[17])};
  }

  static void SweepClasses(Emitter& out) {
    SweepRows(out, {6, 5, 3, 3, 3, 3, 3, 8, 6, 4, 4, 4, 5, 5, 5, 2, 4, 8}, 24,
              Combine);
  }

  /// All cases of the instruction, in the order of their numbers.
  static void SweepAll(Emitter& out) {
    const Kit kit = MakeKit();
    SweepKit(out, kit);
    SweepTables(
        out, kit,
        {rule::kProduct, rule::kDtype, rule::kDtypeMatch, rule::kPosition});
    SweepAlignment(out, kit, 66);
    SweepElementwiseLayout(out, Call::kOp);
    SweepElementwiseValues(out, Call::kOp);
    SweepClasses(out);
    SweepEverywhere(out, kit, EveryBases());
    SweepElementwiseArithmetic(out, Call::kOp);
  }
};

}  // namespace

void SweepElementwise(Emitter& out, std::string_view op) {
  ForElementwise(op,
                 [&]<class Tag>(std::type_identity<isa::ElementwiseCall<Tag>>) {
                   ElementwiseModule<Tag>::SweepAll(out);
                 });
}

}  // namespace lanediff::make::sweep
