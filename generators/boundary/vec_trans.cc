#include <fmt/format.h>

#include <algorithm>

#include "generators/boundary/calls.h"
#include "generators/boundary/modules.h"
#include "generators/boundary/pairwise.h"
#include "generators/wrapping.h"
#include "isa/memory_map.h"
#include "isa/units.h"

namespace lanediff::make::sweep {
namespace vec_trans {
namespace {

using isa::DType;
using isa::Position;
using isa::Product;
using isa::VecTrans;
namespace vt = isa::vt;

using isa::kMatrixBytes;

VecTrans& S(Case& c) { return Subject<VecTrans>(c); }

Case MakeCase(Product product, DType dtype, std::int64_t repeat,
              std::int64_t dst_stride, std::int64_t src_stride) {
  VecTrans s;
  s.dtype = dtype;
  s.dst = At(Position::kUb);
  s.src = At(Position::kUb);
  s.repeat_times = repeat;
  s.dst_rep_stride = dst_stride;
  s.src_rep_stride = src_stride;
  return Placed(product, s);
}

std::vector<Breaker> Breakers() {
  return {
      {vt::kProduct, "atlas-a3", {On(Product::kAtlasA3)}},
      {vt::kDtype, "bfloat16", {Set("dtype", DType::kBfloat16)}},
      {vt::kDtype, "float", {Set("dtype", DType::kFloat)}},
      {vt::kDtypeMatch, "dst int32", {Set("dst.dtype", DType::kInt32)}},
      {vt::kDtypeMatch, "src bfloat16", {Set("src.dtype", DType::kBfloat16)}},
      {vt::kScope, "dst at VECOUT", {Set("dst.position", Position::kVecout)}},
      {vt::kScope, "src at GM", {Set("src.position", Position::kGm)}},
      {vt::kAlign, "dst.at 16 further", {Plus("dst.at", 16)}},
      {vt::kAlign, "src.at 1 further", {Plus("src.at", 1)}},
      {vt::kRepeat, "0", {Set("repeat_times", 0)}},
      {vt::kRepeat, "4096", {Set("repeat_times", 4096)}},
      {vt::kDstStride, "4096", {Set("dst_rep_stride", 4096)}},
      {vt::kDstStride, "-1", {Set("dst_rep_stride", -1)}},
      {vt::kSrcStride, "4096", {Set("src_rep_stride", 4096)}},
      {vt::kBounds, "dst window short", {Plus("dst.bytes", -1)}},
      {vt::kBounds, "src past its memory", {Plus("src.bytes", 4096)}},
      {vt::kOverlap, "dst one DataBlock behind src", {[](Case& c) {
         S(c).dst.at = WrappingSum(S(c).src.at, -isa::kDataBlockBytes);
         return S(c).dst.at >= 0 && S(c).src.bytes > 0;
       }}},
  };
}

Kit MakeKit() {
  return {
      .op = VecTrans::kOp,
      .bounds = vt::kBounds,
      .bases = {{"half a2", MakeCase(Product::kAtlasA2, DType::kHalf, 1, 0, 0)},
                {"int16 training, strides 2 1",
                 MakeCase(Product::kAtlasTraining, DType::kInt16, 2, 2, 1)},
                {"uint16 200-300-500, x3",
                 MakeCase(Product::kAtlas200_300_500, DType::kUint16, 3, 1, 3)},
                {"half vectorcore, strides 0",
                 MakeCase(Product::kAtlasInferenceVectorcore, DType::kHalf, 4,
                          0, 0)}},
      .field_rules = {{"dst.at", vt::kAlign}, {"src.at", vt::kAlign}},
      .breakers = Breakers()};
}

std::vector<EveryBase> EveryBases() {
  std::vector<EveryBase> bases;
  for (DType dtype : {DType::kHalf, DType::kInt16, DType::kUint16}) {
    bases.push_back({{fmt::format("{}, x2", isa::Name(dtype)),
                      MakeCase(Product::kAtlasA2, dtype, 2, 1, 1)},
                     true});
  }
  return bases;
}

/// Every repeat to its edges, as far as memory goes, and every stride.
void SweepRepeats(Emitter& out) {
  using Int = std::int64_t;
  for (const auto& [repeat, dst, src, product] :
       Combinations<Int, Int, Int, Product>(
           {1,  2,   3,   4,   5,   7,   8,   15,  16,  17,  31, 63,
            64, 127, 128, 191, 192, 255, 256, 383, 384, 511, 512},
           {0, 1, 2, 3}, {0, 1, 2, 3},
           {Product::kAtlasA2, Product::kAtlasTraining})) {
    out.Add([&]() -> std::optional<Sketch> {
      Case c = MakeCase(product, DType::kUint16, repeat, dst, src);
      if (!Ub(c)) return std::nullopt;
      return Sketch{.what = fmt::format("repeats: {}, strides {} {} on {}",
                                        repeat, dst, src, isa::Name(product)),
                    .rule = dst == 0 ? vt::kInOrder : vt::kAddress,
                    .c = std::move(c),
                    .data = Data::kBits};
    });
  }
  for (std::int64_t repeat : {4094, 4095, 4096}) {
    out.Add([&] {
      return Sketch{
          .what = fmt::format("repeats: {}, strides 0 0", repeat),
          .rule = vt::kRepeat,
          .c = MakeCase(Product::kAtlasA2, DType::kHalf, repeat, 0, 0),
          .data = Data::kBits};
    });
  }
}

/// dst against src by DataBlocks and whole blocks, and in place, with every
/// combination of strides and repeats.
void SweepOverlap(Emitter& out) {
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
        MakeCase(Product::kAtlasA2, DType::kHalf, repeat, dst, src)};
    SweepShift(out, base, "src", vt::kOverlap, shifts);
  }
}

/// Each element of a block alone, in each type.
void SweepElements(Emitter& out) {
  for (DType dtype : {DType::kHalf, DType::kInt16, DType::kUint16}) {
    for (std::int64_t element = 0; element < 256; ++element) {
      out.Add([&] {
        Case c = MakeCase(Product::kAtlasA2, dtype, 1, 0, 0);
        std::vector<std::uint64_t> block(256, 0);
        block[static_cast<std::size_t>(element)] = 0x7d01;  // a NaN of half
        PutElements(c, isa::Memory::kUb, dtype, S(c).src.at, block);
        return Sketch{.what = fmt::format("elements: {} of {}", element,
                                          isa::Name(dtype)),
                      .rule = element % 2 == 0 ? vt::kTranspose : vt::kBits,
                      .c = std::move(c)};
      });
    }
  }
}

std::optional<Sketch> Combine(const std::vector<std::size_t>& row) {
  static constexpr DType kTypes[] = {DType::kHalf, DType::kInt16,
                                     DType::kUint16, DType::kBfloat16};
  static constexpr std::int64_t kRepeats[] = {1, 2, 3, 17, 100};
  static constexpr std::int64_t kStrides[] = {0, 1, 2, 3, 9};
  static constexpr std::int64_t kLayouts[] = {0, 0, 1, 32, 512, 1024};
  Case c = MakeCase(kEveryProduct[row[0]], kTypes[row[1]], kRepeats[row[2]],
                    kStrides[row[3]], kStrides[row[4]]);
  if (!Ub(c)) return std::nullopt;
  const std::int64_t layout = kLayouts[row[5]];
  if (layout != 0) {
    S(c).dst.at = layout == 1 ? S(c).src.at : S(c).src.at + layout;
    Ub(c)->size = std::max(Ub(c)->size, S(c).dst.at + S(c).dst.bytes);
  }
  return Sketch{.what = fmt::format("pairwise: classes {}", RowText(row)),
                .rule = std::nullopt,
                .c = std::move(c),
                .data = static_cast<Data>(row[6])};
}

/// All cases of the instruction, in the order of their numbers.
void SweepAll(Emitter& out) {
  const Kit kit = MakeKit();
  SweepKit(out, kit);
  SweepTables(out, kit,
              {vt::kProduct, vt::kDtype, vt::kDtypeMatch, vt::kScope});
  SweepAlignment(out, kit, 66);
  SweepRepeats(out);
  SweepOverlap(out);
  SweepElements(out);
  SweepRows(out, {7, 4, 5, 5, 5, 6, 8}, 24, Combine);
  SweepEverywhere(out, kit, EveryBases());
}

}  // namespace
}  // namespace vec_trans

void SweepModule(const isa::VecTrans&, Emitter& out) {
  vec_trans::SweepAll(out);
}

}  // namespace lanediff::make::sweep
