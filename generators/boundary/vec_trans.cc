#include <fmt/format.h>

#include <algorithm>

#include "generators/boundary/calls.h"
#include "generators/wrapping.h"
#include "isa/memory_map.h"
#include "isa/units.h"

namespace lanediff::make::sweep {
namespace vec_trans {
namespace {

using isa::DType;
using isa::kMatrixBytes;
using isa::Param;
using isa::Position;
using isa::Product;
using enum isa::CallRule;

Case MakeCase(const isa::Signature& row, Product product, DType dtype,
              std::int64_t repeat, std::int64_t dst_stride,
              std::int64_t src_stride) {
  isa::Call s = isa::CallOf(row);
  s.dtype = dtype;
  s.dst() = At(Position::kUb);
  s.src(0) = At(Position::kUb);
  s[Param::kRepeatTimes] = repeat;
  s[Param::kDstRepStride] = dst_stride;
  s[Param::kSrc0RepStride] = src_stride;
  return Placed(product, s);
}

std::vector<Breaker> Breakers() {
  return {
      {kProduct, "atlas-a3", {On(Product::kAtlasA3)}},
      {kDtype, "bfloat16", {Set("dtype", DType::kBfloat16)}},
      {kDtype, "float", {Set("dtype", DType::kFloat)}},
      {kDtypeMatch, "dst int32", {Set("dst.dtype", DType::kInt32)}},
      {kDtypeMatch, "src bfloat16", {Set("src.dtype", DType::kBfloat16)}},
      {kScope, "dst at VECOUT", {Set("dst.position", Position::kVecout)}},
      {kScope, "src at GM", {Set("src.position", Position::kGm)}},
      {kAlign, "dst.at 16 further", {Plus("dst.at", 16)}},
      {kAlign, "src.at 1 further", {Plus("src.at", 1)}},
      {kRepeat, "0", {Set("repeat_times", 0)}},
      {kRepeat, "4096", {Set("repeat_times", 4096)}},
      {kDstStride, "4096", {Set("dst_rep_stride", 4096)}},
      {kDstStride, "-1", {Set("dst_rep_stride", -1)}},
      {kSrcStride, "4096", {Set("src_rep_stride", 4096)}},
      {kBounds, "dst window short", {Plus("dst.bytes", -1)}},
      {kBounds, "src past its memory", {Plus("src.bytes", 4096)}},
      {kOverlap, "dst one DataBlock behind src", {[](Case& c) {
         Subject(c).dst().at =
             WrappingSum(Subject(c).src(0).at, -isa::kDataBlockBytes);
         return Subject(c).dst().at >= 0 && Subject(c).src(0).bytes > 0;
       }}},
  };
}

std::vector<Base> Bases(const isa::Signature& row) {
  return {{"half a2", MakeCase(row, Product::kAtlasA2, DType::kHalf, 1, 0, 0)},
          {"int16 training, strides 2 1",
           MakeCase(row, Product::kAtlasTraining, DType::kInt16, 2, 2, 1)},
          {"uint16 200-300-500, x3",
           MakeCase(row, Product::kAtlas200_300_500, DType::kUint16, 3, 1, 3)},
          {"half vectorcore, strides 0",
           MakeCase(row, Product::kAtlasInferenceVectorcore, DType::kHalf, 4, 0,
                    0)}};
}

std::vector<EveryBase> EveryBases(const isa::Signature& row) {
  std::vector<EveryBase> bases;
  for (DType dtype : {DType::kHalf, DType::kInt16, DType::kUint16}) {
    bases.push_back({{fmt::format("{}, x2", isa::Name(dtype)),
                      MakeCase(row, Product::kAtlasA2, dtype, 2, 1, 1)}});
  }
  return bases;
}

/// Every repeat to its edges, as far as memory goes, and every stride.
void SweepRepeats(Emitter& out, const isa::Signature& row) {
  using Int = std::int64_t;
  for (const auto& [repeat, dst, src, product] :
       out.Each<Int, Int, Int, Product>(
           {1,  2,   3,   4,   5,   7,   8,   15,  16,  17,  31, 63,
            64, 127, 128, 191, 192, 255, 256, 383, 384, 511, 512},
           {0, 1, 2, 3}, {0, 1, 2, 3},
           {Product::kAtlasA2, Product::kAtlasTraining})) {
    Case c = MakeCase(row, product, DType::kUint16, repeat, dst, src);
    if (!Ub(c)) continue;
    out.Give({.what = fmt::format("repeats: {}, strides {} {} on {}", repeat,
                                  dst, src, isa::Name(product)),
              .rule = row.Rule(dst == 0 ? kInOrder : kAddress),
              .c = std::move(c),
              .data = Data::kBits});
  }
  for (std::int64_t repeat : {4094, 4095, 4096}) {
    if (!out.Next()) continue;
    out.Give({.what = fmt::format("repeats: {}, strides 0 0", repeat),
              .rule = row.Rule(kRepeat),
              .c = MakeCase(row, Product::kAtlasA2, DType::kHalf, repeat, 0, 0),
              .data = Data::kBits});
  }
}

/// dst against src by DataBlocks and whole blocks, and in place, with every
/// combination of strides and repeats.
void SweepOverlap(Emitter& out, const isa::Signature& row) {
  std::vector<std::int64_t> shifts;
  for (std::int64_t block = -10; block <= 10; ++block) {
    for (std::int64_t d : {-32, 0, 32}) {
      shifts.push_back(block * kMatrixBytes + d);
    }
  }
  using Int = std::int64_t;
  for (const auto& [repeat, dst, src] : Combinations<Int, Int, Int>(
           {1, 2, 3, 4, 5}, {0, 1, 2, 3, 4}, {0, 1, 2, 3, 4})) {
    const Base base{
        fmt::format("x{}, strides {} {}", repeat, dst, src),
        MakeCase(row, Product::kAtlasA2, DType::kHalf, repeat, dst, src)};
    SweepShift(out, base, 0, kOverlap, shifts);
  }
}

/// Each element of a block alone, in each type.
void SweepElements(Emitter& out, const isa::Signature& row) {
  for (DType dtype : {DType::kHalf, DType::kInt16, DType::kUint16}) {
    for (std::int64_t element = 0; element < 256; ++element) {
      if (!out.Next()) continue;
      Case c = MakeCase(row, Product::kAtlasA2, dtype, 1, 0, 0);
      std::vector<std::uint64_t> block(256, 0);
      block[static_cast<std::size_t>(element)] = 0x7d01;  // a NaN of half
      PutElements(c, isa::Memory::kUb, dtype, Subject(c).src(0).at, block);
      out.Give(
          {.what = fmt::format("elements: {} of {}", element, isa::Name(dtype)),
           .rule = row.Rule(element % 2 == 0 ? kTranspose : kBits),
           .c = std::move(c)});
    }
  }
}

std::optional<Case> Combine(const isa::Signature& row,
                            const std::vector<std::size_t>& classes) {
  static constexpr DType kTypes[] = {DType::kHalf, DType::kInt16,
                                     DType::kUint16, DType::kBfloat16};
  static constexpr std::int64_t kRepeats[] = {1, 2, 3, 17, 100};
  static constexpr std::int64_t kStrides[] = {0, 1, 2, 3, 9};
  static constexpr std::int64_t kLayouts[] = {0, 0, 1, 32, 512, 1024};
  Case c = MakeCase(row, kEveryProduct[classes[0]], kTypes[classes[1]],
                    kRepeats[classes[2]], kStrides[classes[3]],
                    kStrides[classes[4]]);
  if (!Ub(c)) return std::nullopt;
  const std::int64_t layout = kLayouts[classes[5]];
  if (layout != 0) {
    Subject(c).dst().at =
        layout == 1 ? Subject(c).src(0).at : Subject(c).src(0).at + layout;
    Ub(c)->size =
        std::max(Ub(c)->size, Subject(c).dst().at + Subject(c).dst().bytes);
  }
  return c;
}

void SweepAll(Emitter& out, const isa::Signature& row) {
  const Kit kit = {.row = row, .bases = Bases(row), .breakers = Breakers()};
  SweepKit(out, kit);
  SweepRepeats(out, row);
  SweepOverlap(out, row);
  SweepElements(out, row);
  SweepRows(out, {7, 4, 5, 5, 5, 6, 8},
            [&](const auto& classes) { return Combine(row, classes); });
  SweepEverywhere(out, kit, EveryBases(row));
}

}  // namespace
}  // namespace vec_trans

void SweepTranspose(Emitter& out, const isa::Signature& row) {
  vec_trans::SweepAll(out, row);
}

}  // namespace lanediff::make::sweep
