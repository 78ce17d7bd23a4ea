#include <fmt/format.h>

#include <algorithm>
#include <string_view>
#include <type_traits>

#include "differential/testcase/element.h"
#include "generators/boundary/calls.h"
#include "generators/boundary/modules.h"
#include "generators/boundary/pairwise.h"
#include "generators/values.h"
#include "generators/wrapping.h"
#include "isa/memory_map.h"
#include "isa/units.h"

/// Calls of Min and its family. All of them have the same cases, but for what
/// their documents state of products and for what they compute.
namespace lanediff::make::sweep {
namespace {

using isa::DType;
using isa::Position;
using isa::Product;

/// What a generator of `Tag`'s call may vary; the rest is as small as can be.
struct ElementwiseShape {
  Product product = Product::kAtlasA2;
  DType dtype = DType::kHalf;
  std::uint8_t form = isa::Min::kContiguous;
  std::int64_t count = 40;
  std::int64_t mask = 20;
  std::array<std::uint64_t, 2> words = {0x8001, 0};
  std::int64_t repeat = 2;
  isa::BinaryRepeatParams strides = {1, 1, 1, 8, 8, 8};
  bool set_mask = true;
};

/// Pairs of halves whose results are rounded, or next to where that changes:
/// ties to either side, the largest number and half a unit beyond, results
/// below the smallest normal and the smallest subnormal number.
constexpr std::uint64_t kRoundedHalves[][2] = {
    {0x6800, 0x3c00},  // 2048 and 1
    {0x6800, 0x4200},  // 2048 and 3
    {0x6801, 0x3c00},  // 2050 and 1
    {0x6800, 0x3c01},  // 2048 and just above 1
    {0x6801, 0x3bff},  // 2050 and just below 1
    {0x7bff, 0x4b80},  // 65504 and 15
    {0x7bff, 0x4bff},  // 65504 and just below 16
    {0x7bff, 0x4c00},  // 65504 and 16
    {0x0400, 0x3800},  // 2^-14 and 0.5
    {0x0001, 0x3800},  // 2^-24 and 0.5
    {0x0001, 0x3801},  // 2^-24 and just above 0.5
    {0x0001, 0x3a00},  // 2^-24 and 0.75
    {0x0003, 0x3800},  // 3 * 2^-24 and 0.5
    {0x03ff, 0x3c01},  // the largest subnormal and just above 1
    {0x0401, 0x3bff},  // just above 2^-14 and just below 1
    {0x3c01, 0x3e00},  // 1 + 2^-10 and 1.5: a tie
    {0x3c03, 0x3e00},  // 1 + 3 * 2^-10 and 1.5: a tie to the other side
    {0x3fff, 0x3c01},  // just below 2 and just above 1
    {0x5bff, 0x5c00},  // 255.875 and 256
    {0x5c00, 0x5c00},  // 256 and 256: too large a product
    {0x5bff, 0x5c01},  // and just beside
};

constexpr DType kArithmeticTypes[] = {DType::kHalf, DType::kFloat,
                                      DType::kInt16, DType::kInt32};

constexpr DType kTypesByWidth[] = {DType::kHalf, DType::kInt16, DType::kFloat,
                                   DType::kInt32};

/// The module of one of them.
template <class Tag>
struct ElementwiseModule {
  using Call = isa::ElementwiseCall<Tag>;
  using rule = isa::ElementwiseRules<Tag>;
  static constexpr Values kValues = kValuesOf<Call>;

  /// The call under test.
  static Call& S(Case& c) { return Subject<Call>(c); }

  /// A legal call of this shape, placed; without memories where it is too
  /// large. Without isSetMask all lanes are counted.
  static Case MakeCase(const ElementwiseShape& shape) {
    Call s;
    s.dtype = shape.dtype;
    s.dst = At(Position::kVecout);
    s.src0 = At(Position::kVecin);
    s.src1 = At(Position::kVeccalc);
    s.form = shape.form;
    if (s.form == Call::kCount) {
      s.count = shape.count;
    } else {
      if (s.form == Call::kContiguous && shape.set_mask) s.mask = shape.mask;
      if (s.form == Call::kBitwise && shape.set_mask)
        s.mask_words = shape.words;
      s.repeat_times = shape.repeat;
      s.repeat_params = shape.strides;
      s.is_set_mask = shape.set_mask;
    }
    return Placed(shape.product, s);
  }

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

  /// Every number of lanes in the contiguous form, every single bit, its
  /// complement and every first part in the bitwise form, and the same in the
  /// register; for each width.
  static void SweepMasks(Emitter& out) {
    for (const auto& [dtype, lane] : Combinations<DType, std::int64_t>(
             {DType::kHalf, DType::kInt16, DType::kFloat, DType::kInt32,
              DType::kInt8, DType::kInt64, DType::kDouble},
             Range(-1, 130))) {
      for (bool set_mask : {true, false}) {
        out.Add([&]() -> std::optional<Sketch> {
          Case c = MakeCase({.dtype = dtype, .mask = lane});
          S(c).mask = lane;
          S(c).is_set_mask = set_mask;
          if (!Place(c)) return std::nullopt;
          return Sketch{
              .what = fmt::format("contiguous mask: {} of {}{}", lane,
                                  isa::Name(dtype),
                                  set_mask ? "" : ", no isSetMask"),
              .rule = set_mask ? rule::kMaskContiguous : rule::kPlaceholder,
              .c = std::move(c)};
        });
      }
      if (lane < 0 || lane > 128) continue;
      for (const auto& [kind, holder] :
           Combinations<std::int64_t, int>({0, 1, 2}, {0, 1, 2})) {
        out.Add([&]() -> std::optional<Sketch> {
          const auto mask = MaskOf(kind, lane);
          if (!mask) return std::nullopt;
          const bool words = holder == 0;
          Case c = MakeCase(
              {.dtype = dtype,
               .form = holder == 2 ? Call::kContiguous : Call::kBitwise,
               .words = {mask->low, mask->high},
               .set_mask = words});
          if (!words) Prepend(c, *mask);
          return Sketch{
              .what = fmt::format("mask {}: {} {} of {}",
                                  words ? "words" : "register",
                                  kMaskKinds[kind], lane, isa::Name(dtype)),
              .rule = words                    ? (kind == 0   ? rule::kMaskBits
                                                  : kind == 1 ? rule::kUnmasked
                                                              : rule::kMaskLanes)
                      : kind == 0 && lane == 0 ? rule::kNop
                                               : isa::state::kMaskRegister,
              .c = std::move(c)};
        });
      }
    }
  }

  /// Every count and repeat up to their edges.
  static void SweepCounts(Emitter& out) {
    for (const auto& [dtype, n] :
         Combinations<DType, std::int64_t>(kTypesByWidth, Range(0, 300))) {
      out.Add([&] {
        return Sketch{
            .what = fmt::format("counts: {} of {}", n, isa::Name(dtype)),
            .rule = n == 0 ? rule::kNop : rule::kClobbersMask,
            .c = MakeCase({.dtype = dtype, .form = Call::kCount, .count = n})};
      });
      if (n > 255) continue;
      out.Add([&] {
        const std::int64_t d = n % 3 + 1;
        return Sketch{
            .what = fmt::format("repeats: {} of {}", n, isa::Name(dtype)),
            .rule = n == 0 ? rule::kNop : rule::kRepeat,
            .c = MakeCase({.dtype = dtype,
                           .mask = 3,
                           .repeat = n,
                           .strides = {1, 1, 1, d, n % 4, 4 - d}})};
      });
    }
  }

  /// Counts whose iterations, or themselves, need more than 8 or 16 bits. Two
  /// windows fit, not three: dst is src0.
  static void SweepLongCounts(Emitter& out) {
    for (DType dtype : kTypesByWidth) {
      const std::int64_t bytes = isa::SizeBytes(dtype);
      for (std::int64_t n :
           {255 * 256 / bytes, 255 * 256 / bytes + 1, 256 * 256 / bytes,
            256 * 256 / bytes + 1, std::int64_t{32768}, std::int64_t{65535},
            std::int64_t{65536}}) {
        out.Add([&]() -> std::optional<Sketch> {
          Case c = MakeCase({.product = Product::kAtlasInferenceAicore,
                             .dtype = dtype,
                             .form = Call::kCount,
                             .count = 1});
          const std::int64_t needed = n * bytes;
          const std::int64_t end = (needed + 31) / 32 * 32 + needed;
          if (end > isa::CapacityBytes(c.product, isa::Memory::kUb)) {
            return std::nullopt;
          }
          S(c).count = n;
          S(c).dst.at = S(c).src0.at = 0;
          S(c).src1.at = end - needed;
          S(c).dst.bytes = S(c).src0.bytes = S(c).src1.bytes = needed;
          Ub(c)->size = end;
          Ub(c)->regions.clear();
          return Sketch{
              .what = fmt::format("long counts: {} of {}", n, isa::Name(dtype)),
              .rule = rule::kAddress,
              .c = std::move(c),
              .data = Data::kSpecial};
        });
      }
    }
  }

  static void SweepStrides(Emitter& out) {
    static constexpr std::int64_t kStrides[] = {0, 1, 2, 8, 9, 255};
    for (const auto& [dtype, first, second, a, b] :
         Combinations<DType, std::size_t, std::size_t, std::int64_t,
                      std::int64_t>({DType::kHalf, DType::kFloat},
                                    {0, 1, 2, 3, 4, 5}, {0, 1, 2, 3, 4, 5},
                                    kStrides, kStrides)) {
      if (second <= first) continue;
      out.Add([&]() -> std::optional<Sketch> {
        std::array<std::int64_t, 6> v = {1, 1, 1, 8, 8, 8};
        v[first] = a;
        v[second] = b;
        Case c = MakeCase({.dtype = dtype,
                           .mask = 35,
                           .repeat = 3,
                           .strides = {v[0], v[1], v[2], v[3], v[4], v[5]}});
        if (!Ub(c)) return std::nullopt;
        return Sketch{
            .what = fmt::format("strides: {} {} {} {} {} {} of {}", v[0], v[1],
                                v[2], v[3], v[4], v[5], isa::Name(dtype)),
            .rule =
                a <= 1 && first == 0 ? rule::kDstBlkStrideZero : rule::kAddress,
            .c = std::move(c)};
      });
    }
  }

  /// dst moved over each source in blocks, with strides that make iterations
  /// meet, coincide or miss each other.
  static void SweepOverlap(Emitter& out) {
    using Reps = std::array<std::int64_t, 3>;
    static constexpr Reps kReps[] = {
        {8, 8, 8}, {0, 8, 0}, {8, 0, 8}, {0, 0, 0},  {1, 1, 1},
        {8, 8, 0}, {0, 8, 8}, {1, 2, 3}, {16, 8, 8}, {7, 8, 9}};
    std::vector<std::int64_t> shifts;
    for (std::int64_t block : Range(-17, 34)) shifts.push_back(block * 32);
    using Int = std::int64_t;
    for (const auto& [dtype, repeat, mask, blk, rep] :
         Combinations<DType, Int, Int, Int, Reps>(
             {DType::kHalf, DType::kInt16, DType::kInt32}, {1, 2, 3},
             {3, 17, 64}, {1, 2}, kReps)) {
      const Base base{
          fmt::format("{} x{} mask {} blk {} rep {} {} {}", isa::Name(dtype),
                      repeat, mask, blk, rep[0], rep[1], rep[2]),
          MakeCase({.dtype = dtype,
                    .mask = mask,
                    .repeat = repeat,
                    .strides = {1, blk, 1, rep[0], rep[1], rep[2]}})};
      const isa::RuleId rule =
          repeat == 1 ? rule::kOverlapIteration : rule::kOverlapDependency;
      SweepShift(out, base, "src0", rule, shifts);
      SweepShift(out, base, "src1", rule, shifts);
    }
    shifts.clear();
    for (std::int64_t element : Range(-130, 130)) shifts.push_back(element * 2);
    for (std::int64_t count : {1, 16, 17, 64}) {
      const Base base{fmt::format("count {}", count),
                      MakeCase({.form = Call::kCount, .count = count})};
      SweepShift(out, base, "src0", rule::kOverlapCount, shifts);
      SweepShift(out, base, "src1", rule::kOverlapCount, shifts);
    }
  }

  /// The running result dst = op(src0, dst) and its near misses: each type,
  /// each stride at 0 or not, dst moved by blocks, src0 moved onto dst.
  static void SweepRunning(Emitter& out) {
    using Int = std::int64_t;
    for (const auto& [dtype, product, dst_rep, src1_rep, repeat, apart,
                      src1_shift] :
         Combinations<DType, Product, Int, Int, Int, Int, Int>(
             kEveryDType, {Product::kAtlasA2, Product::kAtlasTraining},
             {0, 1, 8}, {0, 1, 8}, {1, 2, 4}, {-2, -1, 0, 1, 2, 8, 64},
             {0, 32})) {
      out.Add([&] {
        Case c = MakeCase({.product = product,
                           .dtype = dtype,
                           .mask = 16,
                           .repeat = repeat,
                           .strides = {1, 1, 1, dst_rep, 1, src1_rep}});
        S(c).dst.at = 2048;
        S(c).src1.at = 2048 + src1_shift;
        S(c).src0.at = 2048 + apart * 32;
        Ub(c)->size = 8192;
        return Sketch{
            .what = fmt::format("running {}: {} on {}, dstRep {} src1Rep {}, "
                                "x{}, src0 {:+} blocks, src1 {:+} bytes",
                                kValues.result, isa::Name(dtype),
                                isa::Name(product), dst_rep, src1_rep, repeat,
                                apart, src1_shift),
            .rule = apart == 64 ? rule::kInOrder : rule::kOverlapSources,
            .c = std::move(c)};
      });
    }
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

  /// What a case of values is about.
  static isa::RuleId RuleOfValues(DType dtype, bool saturate) {
    if (Computes(kValues.use) && !IsFloating(dtype)) {
      return rule::kIntegerOverflow;
    }
    return saturate ? rule::kValue : isa::arith::kZeroSign;
  }

  /// Every pair of special values, both ways round, in both modes.
  static void SweepValues(Emitter& out) {
    for (DType dtype : kArithmeticTypes) {
      const auto& values = SpecialValues(dtype);
      const auto n = static_cast<std::int64_t>(values.size());
      for (const auto& [a, saturate, swap, form] :
           Combinations<std::int64_t, bool, bool, std::uint8_t>(
               Range(0, n - 1), {true, false}, {true, false},
               {Call::kCount, Call::kContiguous})) {
        out.Add([&] {
          Case c = MakeCase({.dtype = dtype,
                             .form = form,
                             .count = n,
                             .mask = n,
                             .repeat = 1});
          const std::vector<std::uint64_t> same(
              values.size(), values[static_cast<std::size_t>(a)]);
          PutElements(c, isa::Memory::kUb, dtype, S(c).src0.at,
                      swap ? values : same);
          PutElements(c, isa::Memory::kUb, dtype, S(c).src1.at,
                      swap ? same : values);
          Prepend(c, isa::SetSaturation{.enabled = saturate});
          return Sketch{
              .what = fmt::format(
                  "values: {} value {} {} every value{}{}", isa::Name(dtype), a,
                  swap ? "behind" : "before", saturate ? ", saturating" : "",
                  form == Call::kCount ? ", count" : ""),
              .rule = RuleOfValues(dtype, saturate),
              .c = std::move(c)};
        });
      }
    }
  }

  /// Each of those pairs with every two signs, both ways round, in both modes.
  static void SweepRounding(Emitter& out) {
    constexpr auto kPairs =
        static_cast<std::int64_t>(std::size(kRoundedHalves));
    for (const auto& [signs, swap, saturate] :
         Combinations<std::uint64_t, bool, bool>({0, 1, 2, 3}, {false, true},
                                                 {true, false})) {
      out.Add([&] {
        Case c = MakeCase({.form = Call::kCount, .count = kPairs});
        std::vector<std::uint64_t> sides[2];
        for (const auto& pair : kRoundedHalves) {
          sides[0].push_back(pair[0] | (signs & 1) << 15);
          sides[1].push_back(pair[1] | (signs >> 1) << 15);
        }
        PutElements(c, isa::Memory::kUb, DType::kHalf, S(c).src0.at,
                    sides[swap ? 1 : 0]);
        PutElements(c, isa::Memory::kUb, DType::kHalf, S(c).src1.at,
                    sides[swap ? 0 : 1]);
        Prepend(c, isa::SetSaturation{.enabled = saturate});
        return Sketch{.what = fmt::format("rounding: signs {}{}{}", signs,
                                          swap ? ", swapped" : "",
                                          saturate ? ", saturating" : ""),
                      .rule = isa::arith::kRound,
                      .c = std::move(c)};
      });
    }
  }

  /// Each kind of data in every type, mode and form, on each product with
  /// different results of the modes and one without.
  static void SweepArithmetic(Emitter& out) {
    constexpr std::uint64_t kHoles = 0x6db6db6db6db6db6;
    constexpr std::uint64_t kRun = 0x00007ffffffffff0;
    for (const auto& [product, dtype, data, saturate, form] :
         Combinations<Product, DType, std::int64_t, bool, std::uint8_t>(
             {Product::kAtlasA2, Product::kAtlasA3,
              Product::kAtlasInferenceAicore},
             kArithmeticTypes, Range(0, kDataCount - 1), {true, false},
             {Call::kCount, Call::kContiguous, Call::kBitwise})) {
      out.Add([&] {
        Case c = MakeCase({.product = product,
                           .dtype = dtype,
                           .form = form,
                           .count = 400,
                           .mask = isa::kIterationBytes / isa::SizeBytes(dtype),
                           .words = {data % 2 == 0 ? kHoles : kRun, 0},
                           .repeat = 4});
        const Data kind = static_cast<Data>(data);
        Prepend(c, isa::SetSaturation{.enabled = saturate});
        return Sketch{.what = fmt::format(
                          "arithmetic: {} of {} on {}, form {}{}",
                          DataName(kind), isa::Name(dtype), isa::Name(product),
                          form, saturate ? ", saturating" : ""),
                      .rule = RuleOfValues(dtype, saturate),
                      .c = std::move(c),
                      .data = kind};
      });
    }
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
    SweepMasks(out);
    SweepCounts(out);
    SweepLongCounts(out);
    SweepStrides(out);
    SweepOverlap(out);
    SweepRunning(out);
    SweepValues(out);
    SweepClasses(out);
    SweepEverywhere(out, kit, EveryBases());
    if constexpr (Computes(kValues.use)) SweepRounding(out);
    // Min's cases keep their numbers.
    if constexpr (!std::is_same_v<Call, isa::Min>) SweepArithmetic(out);
  }
};

}  // namespace

void SweepElementwise(Emitter& out, std::string_view op) {
  const auto sweep =
      [&]<class Tag>(std::type_identity<isa::ElementwiseCall<Tag>>) {
        ElementwiseModule<Tag>::SweepAll(out);
      };
  isa::ForEachIntrinsic([&]<class Call>() {
    if constexpr (isa::Elementwise<Call>) {
      if (Call::kOp == op) sweep(std::type_identity<Call>());
    }
  });
}

}  // namespace lanediff::make::sweep
