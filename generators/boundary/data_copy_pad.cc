#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <utility>

#include "generators/boundary/calls.h"
#include "generators/boundary/modules.h"
#include "generators/boundary/pairwise.h"
#include "isa/memory_map.h"
#include "isa/units.h"

/// Calls of a copy that pads.
namespace lanediff::make::sweep {
namespace data_copy_pad {
namespace {

using isa::DType;
using isa::kDataBlockBytes;
using isa::Param;
using isa::Position;
using isa::Product;
using enum isa::CallRule;
using Int = std::int64_t;

/// blockCount, blockLen, srcStride and dstStride.
using Blocks = std::array<Int, 4>;

/// What a generator may vary; the rest is as small as can be.
struct Shape {
  Product product = Product::kAtlasA2;
  DType dtype = DType::kHalf;
  bool is_into_ub = true;
  Position ub = Position::kVecin;
  Blocks blocks = {2, 40, 8, 1};
  Int left = 0;
  Int right = 0;
  bool is_pad = true;
  std::uint64_t value = 0;
};

/// A call of this shape, placed; without memories where it is too large.
Case MakeCase(const isa::Signature& row, const Shape& shape) {
  isa::Call s = isa::CallOf(row);
  s.dtype = shape.dtype;
  s.src(0) = At(shape.is_into_ub ? Position::kGm : shape.ub);
  s.dst() = At(shape.is_into_ub ? shape.ub : Position::kGm);
  std::ranges::copy(shape.blocks, &s[Param::kBlockCount]);
  s.form = row.FormWith(Param::kIsPad);
  if (shape.is_into_ub) {
    s.is_pad = shape.is_pad;
    s[Param::kLeftPadding] = shape.left;
    s[Param::kRightPadding] = shape.right;
    s.scalar = shape.value;
  } else {
    ++s.form;
  }
  return Placed(shape.product, s);
}

/// An element whose bytes differ from those of a ramp; types of 64 bits have
/// zeros only.
std::uint64_t ValueOf(DType dtype) {
  return isa::SizeBytes(dtype) == 8 ? 0 : 0x5a6b7c8d & isa::WidthMask(dtype);
}

std::vector<Base> Bases(const isa::Signature& row) {
  return {
      {"half GM to VECIN", MakeCase(row, {})},
      {"half VECOUT to GM", MakeCase(row, {.is_into_ub = false,
                                           .ub = Position::kVecout,
                                           .blocks = {2, 40, 1, 8}})},
      {"int8 GM to VECOUT, padded on both sides",
       MakeCase(row, {.product = Product::kAtlasA3,
                      .dtype = DType::kInt8,
                      .ub = Position::kVecout,
                      .blocks = {3, 33, 5, 0},
                      .left = 3,
                      .right = 7,
                      .value = 0x5a})},
      {"float GM to VECIN, padded behind",
       MakeCase(row, {.product = Product::kAtlas200i500A2,
                      .dtype = DType::kFloat,
                      .blocks = {1, 20, 0, 0},
                      .right = 2,
                      .value = 0x3f800000})},
      {"uint64 GM to VECIN, padded in front",
       MakeCase(
           row,
           {.dtype = DType::kUint64, .blocks = {2, 24, 16, 2}, .left = 1})},
      {"int16 GM to VECIN, unspecified padding",
       MakeCase(
           row,
           {.dtype = DType::kInt16, .left = 2, .right = 2, .is_pad = false})},
      {"bfloat16 VECIN to GM, one block",
       MakeCase(row, {.product = Product::kAtlas200i500A2,
                      .dtype = DType::kBfloat16,
                      .is_into_ub = false,
                      .blocks = {1, 22, 0, 0}})},
      {"uint8 GM to VECIN, no block",
       MakeCase(row, {.dtype = DType::kUint8, .blocks = {0, 64, 0, 0}})},
      {"int8 VECOUT to GM, no block", MakeCase(row, {.dtype = DType::kInt8,
                                                     .is_into_ub = false,
                                                     .ub = Position::kVecout,
                                                     .blocks = {0, 64, 0, 0}})},
  };
}

/// Whether the call is of the form into UB.
bool IsIntoUb(const Case& c) {
  return std::get<isa::Call>(c.program.back()).Has(Param::kIsPad);
}

std::vector<Breaker> Breakers() {
  const auto size = [](Case& c) { return isa::SizeBytes(Subject(c).dtype); };
  return {
      {kProduct, "atlas-training", {On(Product::kAtlasTraining)}},
      {kRoute,
       "GM to VECCALC",
       {Set("src.position", Position::kGm),
        Set("dst.position", Position::kVeccalc)}},
      {kRoute, "the other way", {[](Case& c) {
         std::swap(Subject(c).src(0).position, Subject(c).dst().position);
         return true;
       }}},
      {kDtype,
       "int64 on atlas-200i-500-a2",
       {On(Product::kAtlas200i500A2), Set("dtype", DType::kInt64)}},
      {kDtypeMatch, "dst int32", {Set("dst.dtype", DType::kInt32)}},
      {kDtypeMatch, "src bfloat16", {Set("src.dtype", DType::kBfloat16)}},
      {kDstAlign, "dst.at 1 further", {IsIntoUb, Plus("dst.at", 1)}},
      {kSrcAlign,
       "src.at 16 further",
       {[](Case& c) { return !IsIntoUb(c); }, Plus("src.at", 16)}},
      {kBlockCount, "-1", {Set("blockCount", -1)}},
      {kBlockCount, "4096", {Set("blockCount", 4096)}},
      {kBlockLen, "below 0", {Set("blockLen", -8)}},
      {kBlockLen, "2097152", {Set("blockLen", 2097152)}},
      {kBlockLen,
       "1 more",
       {[=](Case& c) { return size(c) > 1; }, Plus("blockLen", 1)}},
      {kGap, "srcStride -1", {Set("srcStride", -1)}},
      {kGap, "dstStride 2^32", {Set("dstStride", Int{1} << 32)}},
      {kPadding, "leftPadding -1", {Set("leftPadding", -1)}},
      {kPadding,
       "rightPadding above 32 bytes",
       {IsIntoUb,
        [=](Case& c) {
          Subject(c)[Param::kRightPadding] = kDataBlockBytes / size(c) + 1;
          return true;
        }}},
      {kPaddingValue,
       "1 of 64 bits",
       {IsIntoUb,
        [=](Case& c) {
          Subject(c).scalar = 1;
          return size(c) == 8;
        }}},
      {kBounds, "dst window short", {Plus("dst.bytes", -1)}},
      {kBounds, "src window short", {Plus("src.bytes", -1)}},
      {kBounds, "src past its memory", {Plus("src.bytes", 4096)}},
      {kBarrier, "the same copy just before", {[](Case& c) {
         Prepend(c, c.program.back());
         return true;
       }}},
  };
}

/// Every route with every type.
std::vector<EveryBase> EveryBases(const isa::Signature& row) {
  std::vector<EveryBase> bases;
  for (const auto& [dtype, ub, is_into_ub] :
       Combinations<DType, Position, bool>(
           kEveryDType, {Position::kVecin, Position::kVecout}, {true, false})) {
    const Int size = isa::SizeBytes(dtype);
    bases.push_back(
        {{fmt::format("{}, {} {}", isa::Name(dtype),
                      is_into_ub ? "GM to" : "to GM from", isa::Name(ub)),
          MakeCase(row, {.dtype = dtype,
                         .is_into_ub = is_into_ub,
                         .ub = ub,
                         .blocks = {2, 3 * size, size, 1},
                         .left = 1,
                         .right = 1,
                         .value = ValueOf(dtype)})},
         dtype == DType::kInt8 || dtype == DType::kHalf ||
             dtype == DType::kFloat || dtype == DType::kUint64});
  }
  return bases;
}

/// Every amount of padding around what remains of 32 bytes.
void SweepFill(Emitter& out, const isa::Signature& row) {
  for (const auto& [dtype, left, right, rest, is_pad] :
       Combinations<DType, Int, Int, Int, bool>(
           kEveryDType, Range(0, 4), Range(0, 4), Range(1, 5), {true, false})) {
    out.Add([&] {
      const Int size = isa::SizeBytes(dtype);
      const Int most = kDataBlockBytes / size;
      const Int amounts[] = {0, 1, most / 2, most - 1, most, most + 1};
      return Sketch{
          .what =
              fmt::format("padding: {} and {} elements around {} of {}{}",
                          amounts[left], amounts[right], amounts[rest],
                          isa::Name(dtype), is_pad ? "" : ", without isPad"),
          .rule = row.Rule(kFill),
          .c = MakeCase(row, {.dtype = dtype,
                              .blocks = {2, amounts[rest] * size, 5, 1},
                              .left = amounts[left],
                              .right = amounts[right],
                              .is_pad = is_pad,
                              .value = ValueOf(dtype)}),
          .data = Data::kBits};
    });
  }
}

/// Every special value of each type as padding, and moved.
void SweepValues(Emitter& out, const isa::Signature& row) {
  for (DType dtype : kEveryDType) {
    const Int size = isa::SizeBytes(dtype);
    for (std::uint64_t value : SpecialValues(dtype)) {
      out.Add([&] {
        return Sketch{.what = fmt::format("padding: {:#x} of {}", value,
                                          isa::Name(dtype)),
                      .rule = row.Rule(size == 8 ? kPaddingValue : kFill),
                      .c = MakeCase(row, {.dtype = dtype,
                                          .blocks = {2, 3 * size, 0, 0},
                                          .left = 1,
                                          .right = 1,
                                          .value = value})};
      });
    }
    for (bool is_into_ub : {true, false}) {
      out.Add([&] {
        return Sketch{
            .what = fmt::format("bits: specials of {} {} UB", isa::Name(dtype),
                                is_into_ub ? "into" : "out of"),
            .rule = row.Rule(kBits),
            .c = MakeCase(row, {.dtype = dtype,
                                .is_into_ub = is_into_ub,
                                .blocks = {3, 63 * size, size, 1}}),
            .data = Data::kSpecial};
      });
    }
  }
}

/// Blocks and gaps of bytes on each route.
void SweepBlocks(Emitter& out, const isa::Signature& row) {
  static constexpr Shape kRoutes[] = {
      {},
      {.ub = Position::kVecout, .right = 3, .value = 0x5a},
      {.is_into_ub = false},
      {.is_into_ub = false, .ub = Position::kVecout}};
  constexpr Int kMostGap = (Int{1} << 32) - 1;
  for (const auto& [route, count, len, src_gap, dst_gap] :
       Combinations<Shape, Int, Int, Int, Int>(
           kRoutes, {0, 1, 2, 3, 5, 4095},
           {0, 1, 2, 31, 32, 33, 64, 255, 2097151},
           {0, 1, 2, 31, 32, 65536, kMostGap},
           {0, 1, 2, 31, 32, 65536, kMostGap})) {
    out.Add([&]() -> std::optional<Sketch> {
      Shape shape = route;
      shape.dtype = DType::kUint8;
      shape.blocks = {count, len, src_gap, dst_gap};
      Case c = MakeCase(row, shape);
      if (!Ub(c)) return std::nullopt;
      return Sketch{
          .what = fmt::format("blocks: {} of {}, gaps {} {}, {} {}", count, len,
                              src_gap, dst_gap,
                              shape.is_into_ub ? "GM to" : "to GM from",
                              isa::Name(shape.ub)),
          .rule = row.Rule(count * len == 0 ? kBlockEmpty : kAddress),
          .c = std::move(c),
          .data = Data::kBits};
    });
  }
}

/// Two copies, one or both of which pad, to the same, a neighbouring or an
/// overlapping place, with a barrier between them or none.
void SweepBarriers(Emitter& out, const isa::Signature& row) {
  const Case copies[] = {
      MakeCase(row, {.blocks = {2, 40, 0, 0}}),
      // Its first 32 bytes are padding.
      MakeCase(row, {.ub = Position::kVecout,
                     .blocks = {2, 40, 0, 2},
                     .left = 16,
                     .is_pad = false}),
      MakeCase(row, {.is_into_ub = false, .blocks = {2, 40, 0, 0}}),
      MakeCase(row, {.is_into_ub = false,
                     .ub = Position::kVecout,
                     .blocks = {2, 40, 0, 7}}),
      Placed(Product::kAtlasA2,
             HalvesCopied(Position::kGm, 0, Position::kVecin, 0)),
      Placed(Product::kAtlasA2,
             HalvesCopied(Position::kVecout, 0, Position::kGm, 0)),
  };
  constexpr auto kPipes = static_cast<Int>(isa::kCount<isa::Pipe>);
  for (const auto& [first, second, barrier, shift] :
       Combinations<Case, Case, Int, Int>(
           copies, copies, Range(0, kPipes),
           {-128, -96, -64, -41, -40, -32, 0, 32, 39, 40, 44, 64, 79, 80, 96,
            128, 160})) {
    out.Add([&]() -> std::optional<Sketch> {
      const auto& a = std::get<isa::Call>(first.program.back());
      const auto& b = std::get<isa::Call>(second.program.back());
      if (a.signature != &row && b.signature != &row) return std::nullopt;
      if (b.dst().position != Position::kGm && shift % kDataBlockBytes != 0) {
        return std::nullopt;
      }
      return TwoCopies(first, b, barrier, shift);
    });
  }
}

/// Many copies to GM under way, each of which ends where the next one begins,
/// and one that meets the end of one or the begin of the next.
void SweepUnderWay(Emitter& out, const isa::Signature& row) {
  constexpr Int kBytes = 5;
  for (const auto& [count, part, shift] : Combinations<Int, Int, Int>(
           {2, 3, 4, 5, 8, 9, 16, 17, 32, 33}, Range(0, 2), {-1, 0, 1, 5})) {
    out.Add([&] {
      Case c = MakeCase(row, {.dtype = DType::kInt8,
                              .is_into_ub = false,
                              .blocks = {1, kBytes, 0, 0}});
      const isa::Call copy = Subject(c);
      c.program.clear();
      for (Int i = 0; i <= count; ++i) {
        isa::Call& next = std::get<isa::Call>(c.program.emplace_back(copy));
        next.dst().at = 1 + kBytes * i;
        if (i == count) next.dst().at = 1 + kBytes * (count * part / 2) + shift;
      }
      MemoryOf(c, 0) = Image(kBytes * (count + 2) + 1);
      return Sketch{
          .what = fmt::format("under way: {} copies, then one {:+} bytes from "
                              "number {}",
                              count, shift, count * part / 2),
          .rule = row.Rule(kBarrier),
          .c = std::move(c)};
    });
  }
}

std::optional<Case> Combine(const isa::Signature& row,
                            const std::vector<std::size_t>& classes) {
  static constexpr Position kPositions[] = {Position::kVecin, Position::kVecout,
                                            Position::kVeccalc, Position::kA1};
  static constexpr Int kBlockCounts[] = {1, 2, 7, 0};
  static constexpr Int kLengths[] = {1, 3, 32, 37, 0};
  static constexpr Int kGaps[] = {0, 1, 3, 32};
  const DType dtype = kEveryDType[classes[1]];
  const Int size = isa::SizeBytes(dtype);
  const Int most = kDataBlockBytes / size;
  const Int paddings[] = {0, 1, most, most + 1};
  Case c = MakeCase(
      row, {.product = kEveryProduct[classes[0]],
            .dtype = dtype,
            .is_into_ub = classes[2] == 0,
            .ub = kPositions[classes[3]],
            .blocks = {kBlockCounts[classes[4]], kLengths[classes[5]] * size,
                       kGaps[classes[6]], kGaps[classes[7]]},
            .left = paddings[classes[8]],
            .right = paddings[classes[9]],
            .is_pad = classes[10] == 0,
            .value = classes[11] == 0 ? ValueOf(dtype) : 1});
  if (classes[12] == 1) Prepend(c, c.program.back());
  return c;
}

}  // namespace
}  // namespace data_copy_pad

void SweepPaddedCopy(Emitter& out, const isa::Signature& row) {
  namespace pad = data_copy_pad;
  const Kit kit = {
      .row = row, .bases = pad::Bases(row), .breakers = pad::Breakers()};
  SweepKit(out, kit);
  pad::SweepFill(out, row);
  pad::SweepValues(out, row);
  pad::SweepBlocks(out, row);
  pad::SweepBarriers(out, row);
  pad::SweepUnderWay(out, row);
  SweepRows(out, {7, 12, 2, 4, 4, 5, 4, 4, 4, 4, 2, 2, 2, 8},
            [&](const auto& classes) { return pad::Combine(row, classes); });
  SweepEverywhere(out, kit, pad::EveryBases(row));
}

}  // namespace lanediff::make::sweep
