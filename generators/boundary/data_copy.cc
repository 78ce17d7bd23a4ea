#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "generators/boundary/calls.h"
#include "isa/catalogue.h"
#include "isa/memory_map.h"
#include "isa/units.h"

/// Calls of DataCopy, and of the copy that pads.
namespace lanediff::make::sweep {
namespace data_copy {
namespace {

using isa::DType;
using isa::Param;
using isa::Position;
using isa::Product;
using enum isa::CallRule;
using Int = std::int64_t;

/// blockCount, blockLen, srcGap and dstGap.
using Blocks = std::array<Int, 4>;

/// What a generator may vary; the rest is as small as can be.
struct Shape {
  Product product = Product::kAtlasA2;
  DType dtype = DType::kHalf;
  Position src = Position::kGm;
  Position dst = Position::kVecin;
  Blocks blocks = {2, 1, 1, 2};
  // Of a copy that pads.
  Int left = 0;
  Int right = 0;
  bool is_pad = true;
  std::uint64_t value = 0;
  // Of DataCopy.
  bool params = true;
  Int count = 40;
};

void SetBlocks(isa::Call& s, const Blocks& blocks) {
  std::ranges::copy(blocks, &s[Param::kBlockCount]);
}

/// A call of this shape, placed; without memories where it is too large.
Case MakeCase(const isa::Signature& row, const Shape& shape) {
  isa::Call s = isa::CallOf(row);
  s.dtype = shape.dtype;
  s.dst() = At(shape.dst);
  s.src(0) = At(shape.src);
  if (row.Has(Param::kIsPad)) {
    SetBlocks(s, shape.blocks);
    if (shape.dst == Position::kGm) ++s.form;  // without padParams
  } else if (shape.params) {
    s.form = row.FormWith(Param::kBlockCount);
    SetBlocks(s, shape.blocks);
  } else {
    s[Param::kCount] = shape.count;
  }
  if (s.Has(Param::kIsPad)) {
    s[Param::kLeftPadding] = shape.left;
    s[Param::kRightPadding] = shape.right;
    s.is_pad = shape.is_pad;
    s.scalar = shape.value;
  }
  return Placed(shape.product, s);
}

/// half to float from C1 to C2.
Case MakeWidening(const isa::Signature& row, const Blocks& blocks) {
  Case c = MakeCase(
      row, {.src = Position::kC1, .dst = Position::kC2, .blocks = blocks});
  Subject(c).dst().dtype = DType::kFloat;
  Place(c);
  return c;
}

std::vector<Base> Bases(const isa::Signature& row) {
  return {
      {"half GM to VECIN, blocks", MakeCase(row, {})},
      {"int8 GM to A1, count",
       MakeCase(row, {.product = Product::kAtlasTraining,
                      .dtype = DType::kInt8,
                      .dst = Position::kA1,
                      .params = false,
                      .count = 100})},
      {"float VECIN to VECCALC, blocks",
       MakeCase(row, {.product = Product::kAtlasInferenceAicore,
                      .dtype = DType::kFloat,
                      .src = Position::kVecin,
                      .dst = Position::kVeccalc,
                      .blocks = {3, 2, 0, 1}})},
      {"bfloat16 VECOUT to GM, blocks",
       MakeCase(row, {.product = Product::kAtlas200i500A2,
                      .dtype = DType::kBfloat16,
                      .src = Position::kVecout,
                      .dst = Position::kGm})},
      {"uint64 C1 to C2, blocks", MakeCase(row, {.dtype = DType::kUint64,
                                                 .src = Position::kC1,
                                                 .dst = Position::kC2})},
      {"int32 A1 to C2PIPE2GM, blocks",
       MakeCase(row, {.product = Product::kAtlasA3,
                      .dtype = DType::kInt32,
                      .src = Position::kA1,
                      .dst = Position::kC2pipe2gm})},
      {"half to float C1 to C2, blocks", MakeWidening(row, {2, 1, 1, 1})},
      {"half VECIN to VECOUT, count", MakeCase(row, {.src = Position::kVecin,
                                                     .dst = Position::kVecout,
                                                     .params = false})},
      {"double VECIN to TSCM, blocks", MakeCase(row, {.dtype = DType::kDouble,
                                                      .src = Position::kVecin,
                                                      .dst = Position::kTscm})},
  };
}

std::vector<Breaker> Breakers() {
  return {
      {kProduct, "atlas-200-300-500", {On(Product::kAtlas200_300_500)}},
      {kRoute,
       "GM to VECOUT",
       {Set("src.position", Position::kGm),
        Set("dst.position", Position::kVecout)}},
      {kDtype,
       "bfloat16 on training",
       {On(Product::kAtlasTraining), Set("dtype", DType::kBfloat16)}},
      {kMixed,
       "int8 to int16",
       {Set("src.dtype", DType::kInt8), Set("dst.dtype", DType::kInt16)}},
      {kDstAlign, "dst.at 1 further", {Plus("dst.at", 1)}},
      {kSrcAlign, "src.at 1 further", {Plus("src.at", 1)}},
      {kBlockCount, "-1", {Set("blockCount", -1)}},
      {kBlockCount, "0 in edition 2024", {In2024(), Set("blockCount", 0)}},
      {kBlockCount, "4096", {Set("blockCount", 4096)}},
      {kBlockLen, "-1", {Set("blockLen", -1)}},
      {kBlockLen, "0 in edition 2024", {In2024(), Set("blockLen", 0)}},
      {kBlockLen, "65536", {Set("blockLen", 65536)}},
      {kGap, "srcGap -1", {Set("srcGap", -1)}},
      {kGap, "dstGap 65536", {Set("dstGap", 65536)}},
      {kCount, "-1", {Set("count", -1)}},
      {kCount, "2^32", {Set("count", std::int64_t{1} << 32)}},
      {kBounds, "dst window short", {Plus("dst.bytes", -1)}},
      {kBounds, "src window short", {Plus("src.bytes", -1)}},
      {kBounds, "src past its memory", {Plus("src.bytes", 4096)}},
      {kOverlap, "dst one DataBlock behind src", {[](Case& c) {
         Subject(c).src(0).position = Position::kVecin;
         Subject(c).dst().position = Position::kVeccalc;
         if (!Subject(c).Has(Param::kCount))
           SetBlocks(Subject(c), {1, 4, 0, 0});
         if (!Place(c)) return false;
         Subject(c).dst().at = Subject(c).src(0).at - isa::kDataBlockBytes;
         return Subject(c).src(0).bytes > isa::kDataBlockBytes;
       }}},
      {kBarrier, "the same copy just before", {[](Case& c) {
         Prepend(c, c.program.back());
         return true;
       }}},
  };
}

/// Every route of some product with every type, in both forms.
std::vector<EveryBase> EveryBases(const isa::Signature& row) {
  struct Route {
    Position src;
    Position dst;
    Product product = Product::kAtlasA2;
  };
  using enum Position;
  constexpr Product kAicore = Product::kAtlasInferenceAicore;
  static constexpr Route kRoutes[] = {{kGm, kVecin},
                                      {kGm, kA1},
                                      {kGm, kB1},
                                      {kGm, kC1},
                                      {kVecin, kVeccalc},
                                      {kVeccalc, kVecout},
                                      {kVecin, kVecout},
                                      {kVecin, kTscm},
                                      {kVeccalc, kTscm},
                                      {kVecout, kTscm},
                                      {kA1, kC2pipe2gm},
                                      {kB1, kC2pipe2gm},
                                      {kC1, kC2pipe2gm},
                                      {kC1, kC2},
                                      {kVecout, kGm},
                                      {kA1, kGm},
                                      {kB1, kGm},
                                      {kCo2, kGm, kAicore},
                                      {kVecin, kA1, kAicore},
                                      {kVecin, kB1, kAicore},
                                      {kVeccalc, kA1, kAicore},
                                      {kVeccalc, kB1, kAicore},
                                      {kVecout, kA1, kAicore},
                                      {kVecout, kB1, kAicore}};
  std::vector<EveryBase> bases;
  for (const auto& [route, dtype, params] :
       Combinations<Route, DType, bool>(kRoutes, kEveryDType, {true, false})) {
    bases.push_back({{fmt::format("{}, {} to {}, {}", isa::Name(dtype),
                                  isa::Name(route.src), isa::Name(route.dst),
                                  params ? "blocks" : "count"),
                      MakeCase(row, {.product = route.product,
                                     .dtype = dtype,
                                     .src = route.src,
                                     .dst = route.dst,
                                     .params = params,
                                     .count = 72})},
                     dtype == DType::kInt8 || dtype == DType::kHalf ||
                         dtype == DType::kFloat || dtype == DType::kUint64});
  }
  bases.push_back(
      {{"half to float, C1 to C2, blocks", MakeWidening(row, {2, 1, 1, 2})}});
  return bases;
}

/// The complete tables: every product, every two positions, every type, in both
/// forms.
void SweepRoutes(Emitter& out, const isa::Signature& row) {
  for (const auto& [product, src, dst, dtype, params] :
       out.Each<Product, Position, Position, DType, bool>(
           kEveryProduct, kEveryPosition, kEveryPosition, kEveryDType,
           {true, false})) {
    out.Give(
        {.what = fmt::format("routes: {} to {} of {} on {}{}", isa::Name(src),
                             isa::Name(dst), isa::Name(dtype),
                             isa::Name(product), params ? "" : ", count"),
         .rule = row.Rule(src == Position::kVecin && dst == Position::kVecout
                              ? kRouteExample
                          : dtype == DType::kBfloat16 ? kDtype
                          : product == Product::kAtlas200_300_500 ||
                                  product == Product::kAtlasTraining
                              ? kProduct
                              : kRoute),
         .c = MakeCase(row, {.product = product,
                             .dtype = dtype,
                             .src = src,
                             .dst = dst,
                             .params = params}),
         .data = Data::kBits});
  }
}

/// Two types: every pair on the one route, the one pair on every route.
void SweepMixed(Emitter& out, const isa::Signature& row) {
  const auto add = [&](Product product, Position src, Position dst, DType from,
                       DType to, bool params) {
    if (!out.Next()) return;
    Case c = MakeCase(row, {.product = product,
                            .src = src,
                            .dst = dst,
                            .blocks = {1, 2, 0, 0},
                            .params = params});
    Subject(c).src(0).dtype = from;
    Subject(c).dst().dtype = to;
    if (!Place(c)) return;
    out.Give({.what = fmt::format("types: {} at {} to {} at {} on {}{}",
                                  isa::Name(from), isa::Name(src),
                                  isa::Name(to), isa::Name(dst),
                                  isa::Name(product), params ? "" : ", count"),
              .rule = row.Rule(kMixed),
              .c = std::move(c)});
  };
  for (const auto& [product, params] :
       Combinations<Product, bool>(kEveryProduct, {true, false})) {
    for (const auto& [from, to] :
         Combinations<DType, DType>(kEveryDType, kEveryDType)) {
      add(product, Position::kC1, Position::kC2, from, to, params);
      add(product, Position::kVecin, Position::kVeccalc, from, to, params);
    }
    for (const auto& [src, dst] :
         Combinations<Position, Position>(kEveryPosition, kEveryPosition)) {
      add(product, src, dst, DType::kHalf, DType::kFloat, params);
    }
  }
}

/// Each byte of misplacement at each position and type, both ends.
void SweepPlaces(Emitter& out, const isa::Signature& row) {
  for (const auto& [product, src, dst, dtype, shift, of_dst] :
       out.Each<Product, Position, Position, DType, std::int64_t, bool>(
           {Product::kAtlasA2, Product::kAtlasTraining}, kEveryPosition,
           kEveryPosition,
           {DType::kInt8, DType::kHalf, DType::kFloat, DType::kDouble},
           {1, 2, 4, 8, 16, 32, 33, 64, 96, 128}, {true, false})) {
    Case c = MakeCase(row, {.product = product,
                            .dtype = dtype,
                            .src = src,
                            .dst = dst,
                            .blocks = {1, 1, 0, 0}});
    const std::size_t k = of_dst ? 0 : 1;
    if (!Place(c, k)) continue;
    Subject(c).operands[k].at += shift;
    MemoryOf(c, k)->size += shift;
    out.Give({.what = fmt::format("places: {} {:+} bytes, {} to {} of {} on {}",
                                  of_dst ? "dst" : "src", shift, isa::Name(src),
                                  isa::Name(dst), isa::Name(dtype),
                                  isa::Name(product)),
              .rule = row.Rule(of_dst ? kDstAlign : kSrcAlign),
              .c = std::move(c)});
  }
}

void SweepCounts(Emitter& out, const isa::Signature& row) {
  for (const auto& [dtype, count] :
       out.Each<DType, std::int64_t>(kEveryDType, Range(0, 140))) {
    const std::int64_t bytes = count * isa::SizeBytes(dtype);
    out.Give(
        {.what = fmt::format("counts: {} of {}", count, isa::Name(dtype)),
         .rule = row.Rule(bytes < 32        ? kCountEmpty
                          : bytes % 32 != 0 ? kCountFloor
                                            : kCountLength),
         .c = MakeCase(row, {.dtype = dtype, .params = false, .count = count}),
         .data = Data::kBits});
  }
}

/// Blocks and gaps on each route.
void SweepBlocks(Emitter& out, const isa::Signature& row,
                 const ValueList<Shape>& routes, const ValueList<Int>& lengths,
                 const ValueList<Int>& gaps) {
  for (const auto& [route, count, len, src_gap, dst_gap, widen] :
       out.Each<Shape, Int, Int, Int, Int, bool>(
           routes, {1, 2, 3, 5, 4095}, lengths, gaps, gaps, {false, true})) {
    Shape shape = route;
    shape.blocks = {count, len, src_gap, dst_gap};
    Case c = MakeCase(row, shape);
    if (widen) {
      if (shape.dst != Position::kC2) continue;
      Subject(c).dst().dtype = DType::kFloat;
    }
    if (!Place(c)) continue;
    out.Give(
        {.what = fmt::format("blocks: {} of {}, gaps {} {}, {} to {}{}", count,
                             len, src_gap, dst_gap, isa::Name(shape.src),
                             isa::Name(shape.dst), widen ? ", widened" : ""),
         .rule = row.Rule(kAddress),
         .c = std::move(c),
         .data = Data::kBits});
  }
}

void SweepOverlap(Emitter& out, const isa::Signature& row) {
  std::vector<std::int64_t> shifts;
  for (std::int64_t block : Range(-14, 14)) shifts.push_back(block * 32);
  for (const auto& [count, len, src_gap, dst_gap] :
       Combinations<Int, Int, Int, Int>({1, 2, 3}, {1, 2, 3}, {0, 1, 2, 3},
                                        {0, 1, 2, 3})) {
    const Base base{
        fmt::format("{} of {}, gaps {} {}", count, len, src_gap, dst_gap),
        MakeCase(row, {.src = Position::kVecin,
                       .dst = Position::kVeccalc,
                       .blocks = {count, len, src_gap, dst_gap}})};
    SweepShift(out, base, 0, kOverlap, shifts);
  }
  for (std::int64_t count : {16, 17, 32, 48}) {
    const Base base{fmt::format("count {}", count),
                    MakeCase(row, {.src = Position::kVecin,
                                   .dst = Position::kVeccalc,
                                   .params = false,
                                   .count = count})};
    SweepShift(out, base, 0, kOverlap, shifts);
  }
}

/// A copy of each pipe, a barrier or none, and a second copy to the same, a
/// neighbouring or an overlapping place by the same or another route.
void SweepBarriers(Emitter& out, const isa::Signature& row,
                   const ValueList<Shape>& routes, Int length,
                   const ValueList<Int>& shifts) {
  constexpr auto kPipes = static_cast<Int>(isa::kCount<isa::Pipe>);
  for (const auto& [first, second, barrier, shift, gap] :
       out.Each<Shape, Shape, Int, Int, Int>(routes, routes, Range(0, kPipes),
                                             shifts, {0, 4})) {
    Shape shape = first;
    shape.blocks = {2, length, 0, gap};
    Case c = MakeCase(row, shape);
    shape = second;
    shape.blocks = {2, length, 0, 0};
    Case other = MakeCase(row, shape);
    Sketch sketch = TwoCopies(std::move(c), Subject(other), barrier, shift);
    sketch.what += fmt::format(", gap {}", gap);
    out.Give(std::move(sketch));
  }
}

/// The call of `c` to each of `places`, one after the other.
Case CopiesTo(Case c, const std::vector<std::int64_t>& places) {
  const isa::Call copy = Subject(c);
  c.program.clear();
  std::int64_t end = 0;
  for (std::int64_t place : places) {
    isa::Call next = copy;
    next.dst().at = place;
    c.program.emplace_back(next);
    end = std::max(end, place + copy.dst().bytes);
  }
  MemoryOf(c, 0) = Image(end);
  return c;
}

/// Many copies of one kind under way, each where the one before it ends, of
/// which one is met; and destinations whose addresses are alike in their low
/// bits.
void SweepUnderWay(Emitter& out, const isa::Signature& row,
                   const Shape& shape) {
  Case one = MakeCase(row, shape);
  const Int bytes = Subject(one).dst().bytes;
  for (std::int64_t count : {2, 3, 4, 5, 8, 9, 16, 17, 32, 33}) {
    for (std::int64_t met : {std::int64_t{0}, count / 2, count - 1, count}) {
      if (!out.Next()) continue;
      std::vector<std::int64_t> places;
      for (std::int64_t i = 0; i < count; ++i) places.push_back(bytes * i);
      places.push_back(bytes * met);
      out.Give(
          {.what = fmt::format("under way: {} copies, then one onto number {}",
                               count, met),
           .rule = row.Rule(kBarrier),
           .c = CopiesTo(one, places)});
    }
  }
  for (std::int64_t apart = 32; apart <= 131072; apart *= 2) {
    for (std::int64_t first : {0, 96}) {
      if (!out.Next()) continue;
      out.Give({.what = fmt::format("under way: {} bytes apart, from {}", apart,
                                    first),
                .rule = row.Rule(kBarrier),
                .c = CopiesTo(one, {first, first + apart})});
    }
  }
}

std::optional<Case> Combine(const isa::Signature& row,
                            const std::vector<std::size_t>& classes) {
  static constexpr Position kPositions[] = {
      Position::kGm,        Position::kVecin, Position::kVeccalc,
      Position::kVecout,    Position::kA1,    Position::kB1,
      Position::kC1,        Position::kC2,    Position::kTscm,
      Position::kC2pipe2gm, Position::kCo2};
  static constexpr std::int64_t kCounts[] = {0, 1, 15, 16, 17, 300};
  static constexpr std::int64_t kBlockCounts[] = {1, 2, 7};
  static constexpr std::int64_t kLengths[] = {1, 2, 4};
  static constexpr std::int64_t kGaps[] = {0, 1, 3};
  Case c =
      MakeCase(row, {.product = kEveryProduct[classes[0]],
                     .dtype = kEveryDType[classes[1]],
                     .src = kPositions[classes[2]],
                     .dst = kPositions[classes[3]],
                     .blocks = {kBlockCounts[classes[6]], kLengths[classes[7]],
                                kGaps[classes[8]], kGaps[classes[9]]},
                     .params = classes[4] == 0,
                     .count = kCounts[classes[5]]});
  auto& image = MemoryOf(c, 0);
  const bool same = &image == &MemoryOf(c, 1);
  if (classes[10] == 1 && same) Subject(c).dst().at = Subject(c).src(0).at;
  if (classes[10] == 2 && same) Subject(c).dst().at = Subject(c).src(0).at + 32;
  if (classes[10] == 3) Prepend(c, c.program.back());
  if (image)
    image->size =
        std::max(image->size, Subject(c).dst().at + Subject(c).dst().bytes);
  return c;
}

/// Every half there is, widened.
void SweepWidening(Emitter& out, const isa::Signature& row) {
  for (std::uint64_t first = 0; first < 65536; first += 256) {
    if (!out.Next()) continue;
    Case c = MakeWidening(row, {1, 8, 0, 0});
    std::vector<std::uint64_t> values;
    for (std::uint64_t i = 0; i < 256; ++i) values.push_back(first + i);
    PutElements(c, isa::Memory::kL1, DType::kHalf, Subject(c).src(0).at,
                values);
    out.Give({.what = fmt::format("widening: halves from {:#06x}", first),
              .rule = row.Rule(kBits),
              .c = std::move(c)});
  }
}

/// Every special value of each type moved, in blocks of `length`.
void SweepSpecials(Emitter& out, const isa::Signature& row, Int length) {
  for (DType dtype : kEveryDType) {
    if (!out.Next()) continue;
    out.Give({.what = fmt::format("bits: specials of {}", isa::Name(dtype)),
              .rule = row.Rule(kBits),
              .c = MakeCase(row, {.dtype = dtype, .blocks = {3, length, 1, 2}}),
              .data = Data::kSpecial});
  }
}

/// No block of the longest lengths, of which one alone fills no memory.
void SweepNoBlocks(Emitter& out, const isa::Signature& row) {
  for (const auto& [dtype, len] : out.Each<DType, std::int64_t>(
           {DType::kHalf, DType::kFloat}, {65534, 65535})) {
    out.Give(
        {.what = fmt::format("no block of {} of {}", len, isa::Name(dtype)),
         .rule = row.Rule(kBlockEmpty),
         .c = MakeCase(row, {.dtype = dtype, .blocks = {0, len, 0, 0}}),
         .data = Data::kBits});
  }
}

void SweepOwn(Emitter& out, const isa::Signature& row) {
  // A route of each unit, and of each pipe and memory.
  static constexpr Shape kUnits[] = {
      {},
      {.src = Position::kVecin, .dst = Position::kVeccalc},
      {.src = Position::kVecout, .dst = Position::kGm},
      {.src = Position::kC1, .dst = Position::kC2},
      {.src = Position::kA1, .dst = Position::kC2pipe2gm},
  };
  static constexpr Shape kPipes[] = {
      {},
      {.src = Position::kVecin, .dst = Position::kVeccalc},
      {.src = Position::kVecout, .dst = Position::kGm},
      {.src = Position::kGm, .dst = Position::kA1},
      {.src = Position::kVecin, .dst = Position::kTscm},
      {.src = Position::kVecout, .dst = Position::kA1},
      {.src = Position::kC1, .dst = Position::kC2},
      {.src = Position::kA1, .dst = Position::kC2pipe2gm},
      {.src = Position::kGm, .dst = Position::kC1},
  };
  const Kit kit = {.row = row, .bases = Bases(row), .breakers = Breakers()};
  SweepKit(out, kit);
  SweepRoutes(out, row);
  SweepMixed(out, row);
  SweepPlaces(out, row);
  SweepCounts(out, row);
  SweepBlocks(out, row, kUnits, {1, 2, 3, 8, 255, 65535}, {0, 1, 2, 9, 65535});
  SweepOverlap(out, row);
  SweepBarriers(out, row, kPipes, 1, {-128, 0, 32, 64, 128, 256});
  SweepUnderWay(out, row, {.params = false, .count = 16});
  SweepWidening(out, row);
  SweepSpecials(out, row, 60);
  SweepRows(out, {7, 12, 11, 11, 2, 6, 3, 3, 3, 3, 4, 8},
            [&](const auto& classes) { return Combine(row, classes); });
  SweepEverywhere(out, kit, EveryBases(row));
  SweepNoBlocks(out, row);
}

// ---- Of a copy that pads ----------------------------------------------------

using enum Product;
using enum DType;
using enum Position;

std::vector<Base> PaddedBases(const isa::Signature& row) {
  static constexpr Shape kShapes[] = {
      {kAtlasA2, kHalf, kGm, kVecin, {2, 40, 8, 1}},
      {kAtlasA2, kHalf, kVecout, kGm, {2, 40, 1, 8}},
      {kAtlasA3, kInt8, kGm, kVecout, {3, 33, 5, 0}, 3, 7, true, 0x5a},
      {kAtlas200i500A2, kFloat, kGm, kVecin, {1, 20, 0, 0}, 0, 2, true, 1},
      {kAtlasA3, kUint64, kGm, kVecin, {2, 24, 16, 2}, 1},
      {kAtlas200i500A2, kBfloat16, kVecin, kGm, {1, 22, 0, 0}},
      // As long as halves can be.
      {kAtlasA2, kHalf, kGm, kVecin, {0, 2097150, 0, 0}},
      {kAtlasA3, kHalf, kVecout, kGm, {0, 2097150, 0, 0}},
  };
  std::vector<Base> bases;
  for (const Shape& shape : kShapes) {
    bases.push_back(
        {fmt::format("{} {} to {}, {} of {}", isa::Name(shape.dtype),
                     isa::Name(shape.src), isa::Name(shape.dst),
                     shape.blocks[0], shape.blocks[1]),
         MakeCase(row, shape)});
  }
  return bases;
}

/// Those of DataCopy whose rules the row has, and its own.
std::vector<Breaker> PaddedBreakers(const isa::Signature& row) {
  std::vector<Breaker> all = Breakers();
  std::erase_if(all, [&](const Breaker& breaker) {
    return breaker.rule == kGap || !isa::HasRule(row, breaker.rule);
  });
  all.insert(
      all.end(),
      {{kRoute,
        "GM to VECCALC",
        {Set("src.position", kGm), Set("dst.position", kVeccalc)}},
       {kDtype,
        "int64 on atlas-200i-500-a2",
        {On(kAtlas200i500A2), Set("dtype", kInt64)}},
       {kDtypeMatch, "dst int32", {Set("dst.dtype", kInt32)}},
       {kGap, "dstStride 2^32", {Set("dstStride", Int{1} << 32)}},
       {kPadding, "rightPadding 33", {Set("rightPadding", 33)}},
       {kPaddingValue, "1 of uint64", {Is("dtype", kUint64), [](Case& c) {
                                         Subject(c).scalar = 1;
                                         return true;
                                       }}}});
  return all;
}

/// Padding of no bytes to more than 32, around blocks of as many.
void SweepPadding(Emitter& out, const isa::Signature& row) {
  for (const auto& [dtype, left, right, length, is_pad] :
       out.Each<DType, Int, Int, Int, bool>(
           kEveryDType, Range(0, 4), Range(0, 4), Range(1, 4), {true, false})) {
    const Int size = isa::SizeBytes(dtype);
    const Int most = isa::kDataBlockBytes / size;
    const Int amounts[] = {0, 1, most - 1, most, most + 1};
    out.Give(
        {.what = fmt::format("padding: {} and {} elements around {} of {}{}",
                             amounts[left], amounts[right], amounts[length],
                             isa::Name(dtype), is_pad ? "" : ", unspecified"),
         .rule = row.Rule(size == 8 ? kPaddingValue : kFill),
         .c = MakeCase(row, {.dtype = dtype,
                             .blocks = {2, amounts[length] * size, 5, 1},
                             .left = amounts[left],
                             .right = amounts[right],
                             .is_pad = is_pad,
                             .value = size == 8 ? 0u : 0x5au}),
         .data = Data::kBits});
  }
}

std::optional<Case> CombinePadded(const isa::Signature& row,
                                  const std::vector<std::size_t>& classes) {
  static constexpr Position kRoutes[][2] = {{kGm, kVecin},   {kGm, kVecout},
                                            {kGm, kVeccalc}, {kVecin, kGm},
                                            {kVecout, kGm},  {kA1, kGm}};
  static constexpr Int kBlockCounts[] = {1, 2, 7, 0};
  static constexpr Int kLengths[] = {1, 3, 32, 37, 0};
  static constexpr Int kGaps[] = {0, 1, 3, 32};
  const DType dtype = kEveryDType[classes[1]];
  const Int size = isa::SizeBytes(dtype);
  const Int paddings[] = {0, 1, 32 / size, 32 / size + 1};
  const auto& [src, dst] = kRoutes[classes[2]];
  Case c =
      MakeCase(row, {kEveryProduct[classes[0]],
                     dtype,
                     src,
                     dst,
                     {kBlockCounts[classes[3]], kLengths[classes[4]] * size,
                      kGaps[classes[5]], kGaps[classes[6]]},
                     paddings[classes[7]],
                     paddings[classes[8]],
                     classes[9] == 0,
                     classes[10]});
  if (classes[11] == 1) Prepend(c, c.program.back());
  return c;
}

void SweepPadded(Emitter& out, const isa::Signature& row) {
  static constexpr Shape kRoutes[] = {
      {kAtlasA2, kUint8, kGm, kVecin},
      {kAtlasA2, kUint8, kGm, kVecout, {}, 32, 0, false},
      {kAtlasA2, kUint8, kVecin, kGm},
      {kAtlasA2, kUint8, kVecout, kGm}};
  SweepKit(
      out,
      {.row = row, .bases = PaddedBases(row), .breakers = PaddedBreakers(row)});
  SweepPadding(out, row);
  SweepBlocks(out, row, kRoutes, {1, 2, 31, 32, 33, 255},
              {0, 1, 31, 32, 65536});
  SweepBarriers(out, row, kRoutes, 48, {-128, 0, 32, 64, 96, 128, 256});
  SweepUnderWay(out, row, {kAtlasA2, kInt8, kVecin, kGm, {1, 5, 0, 0}});
  SweepSpecials(out, row, 480);
  SweepRows(out, {7, 12, 6, 4, 5, 4, 4, 4, 4, 2, 2, 2, 8},
            [&](const auto& classes) { return CombinePadded(row, classes); });
  SweepNoBlocks(out, row);
}

}  // namespace
}  // namespace data_copy

void SweepCopy(Emitter& out, const isa::Signature& row) {
  row.Has(isa::Param::kIsPad) ? data_copy::SweepPadded(out, row)
                              : data_copy::SweepOwn(out, row);
}

}  // namespace lanediff::make::sweep
