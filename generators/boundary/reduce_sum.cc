#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

#include "generators/boundary/calls.h"
#include "generators/wrapping.h"
#include "isa/catalogue.h"
#include "isa/fields.h"
#include "isa/footprint.h"
#include "isa/memory_map.h"
#include "isa/units.h"

/// Sums of one source's lanes. What only one of them has depends on its row.
namespace lanediff::make::sweep {
namespace {

using isa::DType;
using isa::Param;
using isa::Position;
using isa::Product;
using enum isa::CallRule;

/// What a generator may vary; the rest is as small as can be.
struct ReduceSumShape {
  Product product = Product::kAtlasA2;
  DType dtype = DType::kHalf;
  std::int64_t repeat = 2;
  std::int64_t elems = 5;
  std::int64_t src_blk = 1;
  std::int64_t dst_rep = 1;
  std::int64_t src_rep = 8;
  bool set_mask = true;
  isa::ReduceOrder order = isa::ReduceOrder::kValueIndex;
};

/// Types of either size, floating and not.
constexpr DType kSumTypes[] = {DType::kHalf, DType::kFloat, DType::kInt8,
                               DType::kInt32, DType::kInt64};

/// A legal call of this shape, placed; without memories where it is too
/// large. Without isSetMask all lanes are counted: a caller with a smaller
/// register passes the windows.
Case MakeCase(const isa::Signature& row, const ReduceSumShape& shape) {
  isa::Call s = isa::CallOf(row);
  s.dtype = shape.dtype;
  s.dst() = At(Position::kVecout);
  s.src(0) = At(Position::kVecin);
  s[Param::kRepeatTimes] = shape.repeat;
  s[Param::kMask] = shape.set_mask ? shape.elems : 0;
  s[Param::kSrc0BlkStride] = shape.src_blk;
  s[Param::kDstRepStride] = shape.dst_rep;
  s[Param::kSrc0RepStride] = shape.src_rep;
  s.is_set_mask = shape.set_mask;
  if (row.Has(Param::kReduceOrder)) s.reduce_order = shape.order;
  return Placed(shape.product, s);
}

/// The same, with words as mask.
Case MakeCase(const isa::Signature& row, const ReduceSumShape& shape,
              MaskWords words) {
  Case c = MakeCase(row, shape);
  isa::Call s = Subject(c);
  s.form = row.FormWith(Param::kMaskWords);
  s[Param::kMask] = 0;
  if (shape.set_mask) s.mask_words = words;
  return Placed(shape.product, s);
}

std::vector<Base> Bases(const isa::Signature& row) {
  const auto* const known = isa::FindInstruction(row.op);
  const Product of_floats = known->Has(Product::kAtlasTraining, DType::kFloat)
                                ? Product::kAtlasTraining
                                : Product::kAtlasInferenceAicore;
  std::vector<Base> bases = {
      {"half a2", MakeCase(row, {})},
      {"float training", MakeCase(row, {.product = of_floats,
                                        .dtype = DType::kFloat,
                                        .repeat = 1,
                                        .elems = 9})},
      {"half inference, strides 2 3 9",
       MakeCase(row, {.product = Product::kAtlasInferenceAicore,
                      .repeat = 3,
                      .elems = 33,
                      .src_blk = 2,
                      .dst_rep = 3,
                      .src_rep = 9})},
      {"float a2, strides 0", MakeCase(row, {.dtype = DType::kFloat,
                                             .repeat = 4,
                                             .elems = 64,
                                             .src_blk = 0,
                                             .dst_rep = 0,
                                             .src_rep = 0})},
      {"half a2, register", MakeCase(row, {.set_mask = false})},
      {"float inference, register",
       MakeCase(row, {.product = Product::kAtlasInferenceAicore,
                      .dtype = DType::kFloat,
                      .repeat = 1,
                      .set_mask = false})},
      {"half training, all lanes",
       MakeCase(row, {.product = Product::kAtlasTraining, .elems = 128})},
  };
  Subject(bases[2].c).dst().position = Position::kVeccalc;
  if (row.Has(Param::kMaskWords)) {
    bases.push_back(
        {"half a3, words",
         MakeCase(row, {.product = Product::kAtlasA3}, {0x8001, 0x11})});
    bases.push_back(
        {"float 200i, words, x1", MakeCase(row,
                                           {.product = Product::kAtlas200i500A2,
                                            .dtype = DType::kFloat,
                                            .repeat = 1},
                                           {0xa0, 0})});
    bases.push_back({"half a2, words, register, x1",
                     MakeCase(row, {.repeat = 1, .set_mask = false}, {})});
  }
  if (row.Has(Param::kReduceOrder)) {
    using enum isa::ReduceOrder;
    bases.push_back({"half a3, index and value",
                     MakeCase(row, {.product = Product::kAtlasA3,
                                    .dst_rep = 2,
                                    .order = kIndexValue})});
    bases.push_back(
        {"half 200i, value", MakeCase(row, {.product = Product::kAtlas200i500A2,
                                            .order = kOnlyValue})});
    bases.push_back(
        {"half a2, index", MakeCase(row, {.elems = 33, .order = kOnlyIndex})});
    bases.push_back({"float a2, index", MakeCase(row, {.dtype = DType::kFloat,
                                                       .dst_rep = 3,
                                                       .order = kOnlyIndex})});
  }
  return bases;
}

std::vector<Breaker> Breakers(const isa::Signature& row) {
  const std::string_view repeat = isa::NameOf(row, Param::kRepeatTimes);
  const std::string_view lanes = isa::NameOf(row, Param::kMask);
  std::vector<Breaker> breakers = {
      {kProduct, "atlas-200-300-500", {On(Product::kAtlas200_300_500)}},
      {kDtype, "int32", {Set("dtype", DType::kInt32)}},
      {kDtypeMatch, "src bfloat16", {Set("src.dtype", DType::kBfloat16)}},
      {kDtypeMatch, "dst double", {Set("dst.dtype", DType::kDouble)}},
      {kPosition, "dst at A1", {Set("dst.position", Position::kA1)}},
      {kPosition, "src at UB", {Set("src.position", Position::kUb)}},
      {kDstAlign, "dst.at odd", {[](Case& c) {
         return Subject(c).dst().at |= 1, true;
       }}},
      {kSrcAlign, "src.at 16 further", {Plus("src.at", 16)}},
      {kRepeat, "256", {Set(repeat, 256)}},
      {kRepeat, "-1", {Set(repeat, -1)}},
      {kMaskContiguous, "129", {Is("isSetMask", true), Set(lanes, 129)}},
      {kMaskContiguous, "0", {Is("isSetMask", true), Set(lanes, 0)}},
      {kPlaceholder, "1", {Set("isSetMask", false), SetMask(lanes, 1, {0, 1})}},
      {kStrideRange, "srcBlkStride 65536", {Set("srcBlkStride", 65536)}},
      {kStrideRange, "dstRepStride -1", {Set("dstRepStride", -1)}},
      {kStrideRange, "srcRepStride -1", {Set("srcRepStride", -1)}},
  };
  if (row.Has(Param::kMaskWords)) {
    breakers.push_back({kMaskBits,
                        "both words 0",
                        {Is("isSetMask", true), Set("mask", MaskWords{0, 0})}});
    breakers.push_back(SecondWordBreaker());
  } else {
    breakers.push_back({kStrideRange,
                        "dstBlkStride 2^31",
                        {Set("dstBlkStride", std::int64_t{1} << 31)}});
  }
  if (row.Has(Param::kReduceOrder)) {
    breakers.push_back({kReduceOrder, "lone index on 200i", {[](Case& c) {
                          if (c.product != Product::kAtlas200i500A2)
                            return false;
                          Subject(c).reduce_order =
                              isa::ReduceOrder::kOnlyIndex;
                          return Place(c);
                        }}});
    breakers.push_back({kReduceOrder, "index first on training", {[](Case& c) {
                          if (c.product != Product::kAtlasTraining)
                            return false;
                          Subject(c).reduce_order =
                              isa::ReduceOrder::kIndexValue;
                          return true;
                        }}});
    breakers.push_back({kDstAlign, "dst.at an element further", {[](Case& c) {
                          isa::Call& s = Subject(c);
                          s.dst().at |= isa::SizeBytes(s.dtype);
                          return isa::ResultBytes(s) > isa::SizeBytes(s.dtype);
                        }}});
  }
  if (!isa::FindInstruction(row.op)->lacks.empty()) {
    breakers.push_back(
        {kDtype,
         "float on training",
         {On(Product::kAtlasTraining), Set("dtype", DType::kFloat)}});
  }
  const std::vector<Breaker> places = {
      {kDstRepStrideZero,
       "training",
       {On(Product::kAtlasTraining), Set("dstRepStride", 0)}},
      {kBounds, "dst window short", {Plus("dst.bytes", -1)}},
      {kBounds, "src window short", {Plus("src.bytes", -1)}},
      {kBounds, "src past its memory", {Plus("src.bytes", 1)}},
      {kOverlapIteration, "dst on lane 1", {[](Case& c) {
         const std::int64_t moved =
             std::min(isa::ResultBytes(Subject(c)), isa::kDataBlockBytes);
         const std::int64_t written = Subject(c).dst().bytes;
         Subject(c).dst() = Subject(c).src(0);
         Subject(c).dst().at = WrappingSum(Subject(c).dst().at, moved);
         Subject(c).dst().bytes = written;
         Subject(c)[Param::kRepeatTimes] = 1;
         return Subject(c).src(0).bytes >= 2 * moved;
       }}},
      {kOverlapDependency, "dst on the next iteration", {[](Case& c) {
         Subject(c)[Param::kRepeatTimes] = 2;
         Subject(c)[Param::kSrc0RepStride] = 8;
         if (!Subject(c).is_set_mask || !Place(c)) return false;
         Subject(c).dst().at = Subject(c).src(0).at + isa::kIterationBytes;
         Subject(c).dst().bytes =
             Subject(c).src(0).bytes - isa::kIterationBytes;
         Subject(c)[Param::kDstRepStride] = 0;
         return true;
       }}},
  };
  breakers.insert(breakers.end(), places.begin(), places.end());
  return breakers;
}

std::vector<EveryBase> EveryBases(const isa::Signature& row) {
  std::vector<EveryBase> bases;
  for (const auto& [dtype, words, set_mask, dst, src] :
       Combinations<DType, bool, bool, Position, Position>(
           {DType::kHalf, DType::kFloat}, {false, true}, {true, false},
           kVectorPositions, kVectorPositions)) {
    if (words && !row.Has(Param::kMaskWords)) continue;
    const ReduceSumShape shape = {.dtype = dtype, .set_mask = set_mask};
    Case c = MakeCase(row, shape);
    if (words) c = MakeCase(row, shape, {0x15, 0});
    Subject(c).dst().position = dst;
    Subject(c).src(0).position = src;
    bases.push_back(
        {{fmt::format("{}, {} to {}{}{}", isa::Name(dtype), isa::Name(src),
                      isa::Name(dst), words ? ", words" : "",
                      set_mask ? "" : ", register"),
          std::move(c)}});
  }
  return bases;
}

/// Every number of lanes, legal or not, with and without isSetMask.
void SweepElems(Emitter& out, const isa::Signature& row) {
  for (const auto& [dtype, set_mask, elems] :
       out.Each<DType, bool, std::int64_t>(kSumTypes, {true, false},
                                           Range(-1, 130))) {
    Case c = MakeCase(row, {.dtype = dtype, .elems = elems, .dst_rep = 2});
    Subject(c).is_set_mask = set_mask;
    if (!Place(c)) continue;
    out.Give({.what = fmt::format("lanes: {} of {}{}", elems, isa::Name(dtype),
                                  set_mask ? "" : ", no isSetMask"),
              .rule = row.Rule(set_mask ? kMaskContiguous : kPlaceholder),
              .c = std::move(c)});
  }
}

/// Register masks: none, each lane alone, all but it, and each first part.
void SweepRegister(Emitter& out, const isa::Signature& row) {
  for (const auto& [dtype, lane, kind, repeat] :
       out.Each<DType, std::int64_t, std::int64_t, std::int64_t>(
           {DType::kHalf, DType::kFloat}, Range(0, 128), {0, 1, 2},
           {0, 1, 2})) {
    const auto mask = MaskOf(kind, lane);
    if (!mask) continue;
    Case c =
        MakeCase(row, {.dtype = dtype, .repeat = repeat, .set_mask = false});
    Prepend(c, *mask);
    out.Give(
        {.what = fmt::format("register: {} {} of {}, repeat {}",
                             kMaskKinds[kind], lane, isa::Name(dtype), repeat),
         .rule = lane == 0 && kind == 0 ? row.Rule(kMaskEmpty)
                                        : isa::state::kMaskRegister,
         .c = std::move(c)});
  }
}

/// The same masks as words, and words whose second one counts for half only.
void SweepWords(Emitter& out, const isa::Signature& row) {
  for (const auto& [dtype, lane, kind, set_mask] :
       out.Each<DType, std::int64_t, std::int64_t, bool>(
           kSumTypes, Range(0, 128), {0, 1, 2}, {true, false})) {
    auto mask = MaskOf(kind, lane);
    if (!mask) continue;
    // Legal all the same where a type has no more lanes.
    if (kind == 2 && isa::SizeBytes(dtype) == 4 && lane < 64) mask->high = 0;
    Case c = MakeCase(row, {.dtype = dtype, .set_mask = set_mask},
                      {mask->low, mask->high});
    if (!set_mask) Prepend(c, *mask);
    const bool alone = kind == 1 && isa::HasRule(row, kUnmasked);
    out.Give({.what = fmt::format("mask words: {} {} of {}{}", kMaskKinds[kind],
                                  lane, isa::Name(dtype),
                                  set_mask ? "" : ", register"),
              .rule = !set_mask ? isa::state::kMaskRegister
                                : row.Rule(kind == 0 ? kMaskBits
                                           : alone   ? kUnmasked
                                                     : kMaskLanes),
              .c = std::move(c)});
  }
}

/// Every repeat, with strides that separate iterations.
void SweepRepeats(Emitter& out, const isa::Signature& row) {
  for (const auto& [dtype, repeat] : out.Each<DType, std::int64_t>(
           {DType::kHalf, DType::kFloat}, Range(0, 255))) {
    out.Give(
        {.what = fmt::format("repeats: {} of {}", repeat, isa::Name(dtype)),
         .rule = row.Rule(repeat == 0 ? kRepeatZero : kRepeat),
         .c = MakeCase(row, {.dtype = dtype,
                             .repeat = repeat,
                             .elems = 3,
                             .dst_rep = repeat % 3 + 1,
                             .src_rep = repeat % 5 + 1})});
  }
}

void SweepStrides(Emitter& out, const isa::Signature& row) {
  static constexpr std::int64_t kStrides[] = {0, 1, 2, 7, 8, 9, 255, 256};
  using Int = std::int64_t;
  for (const auto& [dtype, src_blk, dst_rep, src_rep, elems] :
       out.Each<DType, Int, Int, Int, Int>({DType::kHalf, DType::kFloat},
                                           kStrides, kStrides, kStrides,
                                           {1, 17, 64})) {
    Case c = MakeCase(row, {.dtype = dtype,
                            .repeat = 3,
                            .elems = elems,
                            .src_blk = src_blk,
                            .dst_rep = dst_rep,
                            .src_rep = src_rep});
    if (!Ub(c)) continue;
    out.Give({.what = fmt::format("strides: srcBlk {} dstRep {} srcRep {}, "
                                  "{} lanes of {}",
                                  src_blk, dst_rep, src_rep, elems,
                                  isa::Name(dtype)),
              .rule = row.Rule(dst_rep == 0 ? kInOrder : kAddress),
              .c = std::move(c)});
  }
}

/// dst moved over src, element by element where something changes.
void SweepOverlap(Emitter& out, const isa::Signature& row) {
  std::vector<std::int64_t> shifts;
  for (std::int64_t edge : {0, 32, 64, 256, 512, 288}) {
    for (std::int64_t d : {-32, -16, -4, -2, 0, 2, 4, 16, 30})
      shifts.push_back(edge + d);
  }
  std::ranges::sort(shifts);
  const auto rest = std::ranges::unique(shifts);
  shifts.erase(rest.begin(), rest.end());
  using Int = std::int64_t;
  for (const auto& [dtype, repeat, elems, src_blk, dst_rep, src_rep] :
       Combinations<DType, Int, Int, Int, Int, Int>(
           {DType::kHalf, DType::kFloat}, {1, 2, 3}, {1, 5, 17, 64}, {0, 1, 2},
           {0, 1, 64, 128}, {0, 1, 8})) {
    const Base base{fmt::format("{} x{} {} lanes {} {} {}", isa::Name(dtype),
                                repeat, elems, src_blk, dst_rep, src_rep),
                    MakeCase(row, {.dtype = dtype,
                                   .repeat = repeat,
                                   .elems = elems,
                                   .src_blk = src_blk,
                                   .dst_rep = dst_rep,
                                   .src_rep = src_rep})};
    SweepShift(out, base, 0,
               repeat == 1 ? kOverlapIteration : kOverlapDependency, shifts);
  }
}

/// The element of iteration `writer` next to, on and behind lane 0 of
/// iteration `reader`, for every two of a call's iterations.
void SweepDependency(Emitter& out, const isa::Signature& row) {
  using Int = std::int64_t;
  for (Int repeat : {2, 3, 6, 254, 255}) {
    const auto iterations = Range(std::max<Int>(0, repeat - 6), repeat - 1);
    for (const auto& [writer, reader, dst_rep, d] :
         out.Each<Int, Int, Int, Int>(iterations, iterations, {0, 1, 16, 17},
                                      {-1, 0, 1, 3, 4})) {
      Case c = MakeCase(
          row,
          {.repeat = repeat, .elems = 4, .dst_rep = dst_rep, .src_rep = 1});
      Subject(c).src(0).at = 16384;
      Subject(c).dst().at = 16384 + reader * 32 + d * 2 -
                            writer * dst_rep * isa::ResultBytes(Subject(c));
      Ub(c)->size = 32768;
      out.Give(
          {.what = fmt::format("dependency: iteration {} of {} writes {:+} "
                               "elements from what {} reads, stride {}",
                               writer, repeat, d, reader, dst_rep),
           .rule = row.Rule(writer == reader ? kOverlapIteration
                                             : kOverlapDependency),
           .c = std::move(c)});
    }
  }
}

/// dstRepStride on each product, with repeats that do and do not use it.
void SweepDstRepStride(Emitter& out, const isa::Signature& row) {
  for (const auto& [product, dst_rep, repeat] :
       out.Each<Product, std::int64_t, std::int64_t>(
           kEveryProduct, {-1, 0, 1, 2, 65535, 65536}, {0, 1, 2})) {
    out.Give(
        {.what = fmt::format("dstRepStride: {} on {}, repeat {}", dst_rep,
                             isa::Name(product), repeat),
         .rule = row.Rule(kDstRepStrideZero),
         .c = MakeCase(
             row, {.product = product, .repeat = repeat, .dst_rep = dst_rep})});
  }
}

/// dstBlkStride, which means nothing.
void SweepDstBlkStride(Emitter& out, const isa::Signature& row) {
  for (const auto& [stride, repeat] : out.Each<std::int64_t, std::int64_t>(
           {-2147483648, -1, 0, 1, 2, 255, 256, 65536, 2147483647},
           {1, 2, 9})) {
    Case c = MakeCase(row, {.repeat = repeat, .elems = 20});
    Subject(c)[Param::kDstBlkStride] = stride;
    out.Give(
        {.what = fmt::format("dstBlkStride: {}, repeat {}", stride, repeat),
         .rule = row.Rule(kDstBlkStride),
         .c = std::move(c)});
  }
}

/// Every order on each product, of each type, at and beside what dst is aligned
/// to.
void SweepOrders(Emitter& out, const isa::Signature& row) {
  for (const auto& [product, order, dtype, beside] :
       out.Each<Product, isa::ReduceOrder, DType, std::int64_t>(
           kEveryProduct,
           {isa::ReduceOrder::kValueIndex, isa::ReduceOrder::kIndexValue,
            isa::ReduceOrder::kOnlyValue, isa::ReduceOrder::kOnlyIndex},
           kSumTypes, {0, 1, 2, 4, 6, 8, 16, 24})) {
    Case c = MakeCase(row, {.product = product,
                            .dtype = dtype,
                            .repeat = 3,
                            .dst_rep = 3,
                            .order = order});
    Subject(c).dst().at = WrappingSum(Subject(c).dst().at, beside);
    if (Ub(c)) Ub(c)->size += 32;
    out.Give({.what = fmt::format("orders: {} of {} on {}, dst {} further",
                                  isa::Name(order), isa::Name(dtype),
                                  isa::Name(product), beside),
              .rule = row.Rule(beside == 0 ? kReduceOrder : kDstAlign),
              .c = std::move(c)});
  }
}

/// Each lane the first, the last or the only one with the value, in each order.
void SweepIndices(Emitter& out, const isa::Signature& row) {
  for (const auto& [dtype, lane, kind, order] :
       out.Each<DType, std::int64_t, std::int64_t, isa::ReduceOrder>(
           {DType::kHalf, DType::kFloat}, Range(0, 127), {0, 1, 2},
           {isa::ReduceOrder::kValueIndex, isa::ReduceOrder::kIndexValue,
            isa::ReduceOrder::kOnlyIndex})) {
    const std::int64_t lanes = 256 / isa::SizeBytes(dtype);
    if (lane >= lanes) continue;
    Case c = MakeCase(
        row, {.dtype = dtype, .repeat = 1, .elems = lanes, .order = order});
    // A NaN beats every value.
    const std::uint64_t nan = dtype == DType::kHalf ? 0x7e01 : 0x7fc00001;
    std::vector<std::uint64_t> elements(static_cast<std::size_t>(lanes),
                                        OneOf(dtype));
    for (std::int64_t i = 0; i < lanes; ++i) {
      const bool winner = kind == 0   ? i == lane
                          : kind == 1 ? i >= lane
                                      : i % (lane + 1) == lane;
      if (winner) elements[static_cast<std::size_t>(i)] = nan;
    }
    PutElements(c, isa::Memory::kUb, dtype, Subject(c).src(0).at, elements);
    out.Give({.what = fmt::format("indices: {} {} of {}, {}", kind, lane,
                                  isa::Name(dtype), isa::Name(order)),
              .rule = row.Rule(kIndex),
              .c = std::move(c)});
  }
}

std::optional<Case> Combine(const isa::Signature& row,
                            const std::vector<std::size_t>& classes) {
  static constexpr Product kProducts[] = {
      Product::kAtlasA2, Product::kAtlasInferenceAicore,
      Product::kAtlasTraining, Product::kAtlasA2, Product::kAtlasA3};
  static constexpr DType kDtypes[] = {DType::kHalf, DType::kFloat, DType::kHalf,
                                      DType::kFloat, DType::kInt16};
  static constexpr Position kPositions[] = {
      Position::kVecin, Position::kVeccalc, Position::kVecout};
  static constexpr std::int64_t kRepeats[] = {0, 1, 2, 3, 17, 64};
  static constexpr std::int64_t kElems[] = {1, 2, 15, 16, 17, 63, 64, 127, 128};
  static constexpr std::int64_t kSrcBlk[] = {0, 1, 2, 9};
  static constexpr std::int64_t kDstRep[] = {0, 1, 2, 16, 128};
  static constexpr std::int64_t kSrcRep[] = {0, 1, 7, 8, 9, 32};
  static constexpr std::int64_t kDstBlk[] = {0, -1, 2147483647, -2147483648};
  const DType dtype = kDtypes[classes[1]];
  const std::int64_t bytes = isa::SizeBytes(dtype);
  const ReduceSumShape shape = {
      .product = kProducts[classes[0]],
      .dtype = dtype,
      .repeat = kRepeats[classes[4]],
      .elems = std::min(kElems[classes[5]], isa::kIterationBytes / bytes),
      .src_blk = kSrcBlk[classes[7]],
      .dst_rep = kDstRep[classes[8]],
      .src_rep = kSrcRep[classes[9]],
      .set_mask = classes[6] < 2,
      .order = static_cast<isa::ReduceOrder>(classes[10])};
  Case c = MakeCase(row, shape);
  // One of the two classes with a mask of their own has words, with holes of as
  // many kinds as there are strides that the other call ignores.
  if (row.Has(Param::kMaskWords) && classes[6] == 1) {
    const isa::SetVectorMask mask = FirstLanes(shape.elems);
    const std::uint64_t holes = classes[10] * 0x1111111111111110;
    c = MakeCase(row, shape, {mask.low & ~holes, mask.high & ~holes});
  }
  if (!Ub(c)) return std::nullopt;
  isa::Call& s = Subject(c);
  s.dst().position = kPositions[classes[2]];
  s.src(0).position = kPositions[classes[3]];
  if (row.Has(Param::kDstBlkStride)) {
    s[Param::kDstBlkStride] = kDstBlk[classes[10]];
  }
  auto& size = Ub(c)->size;
  size = (size + 127) / 128 * 128 + 512;
  // Apart, or in place, dst before, behind and inside src.
  const std::int64_t places[] = {
      s.src(0).at, s.src(0).at - bytes, s.src(0).at + s.src(0).bytes,
      s.src(0).at + s.src(0).bytes / 2 / bytes * bytes};
  if (classes[11] >= 2) {
    s.dst().at = places[classes[11] - 2];
    size = std::max(size, s.dst().at + s.dst().bytes);
  }
  if (!shape.set_mask) Prepend(c, FirstLanes(kElems[classes[5]]));
  if (c.product == Product::kAtlasA2 || c.product == Product::kAtlasA3) {
    Prepend(c, isa::SetSaturation{.enabled = classes[12] == 0});
  }
  return c;
}

/// Every pair of special values meets in a node of every depth: lane 0 and
/// lane 2^depth alone take part, or among neutral lanes.
void SweepNodes(Emitter& out, const isa::Signature& row) {
  for (DType dtype : {DType::kHalf, DType::kFloat}) {
    const auto& values = SpecialValues(dtype);
    const auto n = static_cast<std::int64_t>(values.size());
    const std::int64_t lanes = 256 / isa::SizeBytes(dtype);
    ValueList<std::int64_t> distances;
    for (std::int64_t d = 1; d < lanes; d *= 2) distances.push_back(d);
    for (const auto& [distance, a, saturate, neighbours] :
         out.Each<std::int64_t, std::int64_t, bool, bool>(
             distances, Range(0, n - 1), {true, false}, {false, true})) {
      Case c = MakeCase(row, {.dtype = dtype,
                              .repeat = n,
                              .elems = lanes,
                              .set_mask = neighbours});
      for (std::int64_t b = 0; b < n; ++b) {
        std::vector<std::uint64_t> elements(
            static_cast<std::size_t>(lanes),
            neighbours ? MinusZeroOf(dtype) : OneOf(dtype));
        elements[0] = values[static_cast<std::size_t>(a)];
        elements[static_cast<std::size_t>(distance)] =
            values[static_cast<std::size_t>(b)];
        PutElements(c, isa::Memory::kUb, dtype, Subject(c).src(0).at + 256 * b,
                    elements);
      }
      isa::SetVectorMask mask = OneLane(distance);
      mask.low |= 1;
      Prepend(c, mask);
      Prepend(c, isa::SetSaturation{.enabled = saturate});
      out.Give(
          {.what = fmt::format(
               "nodes: {} value {} with every value {} lanes on{}{}",
               isa::Name(dtype), a, distance, saturate ? ", saturating" : "",
               neighbours ? ", among minus zeros" : ""),
           .rule = dtype == DType::kHalf && saturate ? row.Rule(kSaturate)
                                                     : isa::arith::kNan,
           .c = std::move(c)});
    }
  }
}

/// Whole trees over each kind of data, every number of lanes.
void SweepTrees(Emitter& out, const isa::Signature& row) {
  for (const auto& [dtype, elems, data, saturate] :
       Combinations<DType, std::int64_t, std::int64_t, bool>(
           {DType::kHalf, DType::kFloat}, Range(1, 128),
           Range(0, kDataCount - 1), {true, false})) {
    if (elems > 256 / isa::SizeBytes(dtype)) continue;
    if (!out.Next()) continue;
    Case c = MakeCase(row, {.dtype = dtype, .repeat = 2, .elems = elems});
    Prepend(c, isa::SetSaturation{.enabled = saturate});
    const Data kind = static_cast<Data>(data);
    out.Give({.what = fmt::format("trees: {} lanes of {}, {}{}", elems,
                                  isa::Name(dtype), DataName(kind),
                                  saturate ? ", saturating" : ""),
              .rule = kind == Data::kTies         ? isa::arith::kRound
                      : kind == Data::kSubnormals ? isa::arith::kSubnormal
                      : isa::HasRule(row, kTree)  ? row.Rule(kTree)
                                                  : row.Rule(kValue),
              .c = std::move(c),
              .data = kind});
  }
}

}  // namespace

void SweepReduction(Emitter& out, const isa::Signature& row) {
  const Kit kit = {.row = row, .bases = Bases(row), .breakers = Breakers(row)};
  SweepKit(out, kit);
  SweepElems(out, row);
  SweepRegister(out, row);
  if (row.Has(Param::kMaskWords)) SweepWords(out, row);
  SweepRepeats(out, row);
  SweepStrides(out, row);
  SweepDstRepStride(out, row);
  if (row.Has(Param::kDstBlkStride)) SweepDstBlkStride(out, row);
  if (row.Has(Param::kReduceOrder)) {
    SweepOrders(out, row);
    SweepIndices(out, row);
  }
  SweepOverlap(out, row);
  SweepDependency(out, row);
  SweepNodes(out, row);
  SweepTrees(out, row);
  SweepRows(out, {5, 5, 3, 3, 6, 9, 3, 4, 5, 6, 4, 6, 2, 8},
            [&](const auto& classes) { return Combine(row, classes); });
  SweepEverywhere(out, kit, EveryBases(row));
}

}  // namespace lanediff::make::sweep
