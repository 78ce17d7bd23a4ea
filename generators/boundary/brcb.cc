#include <fmt/format.h>

#include <algorithm>

#include "generators/boundary/calls.h"
#include "isa/catalogue.h"
#include "isa/memory_map.h"
#include "isa/units.h"

namespace lanediff::make::sweep {
namespace brcb {
namespace {

using isa::DType;
using isa::kDataBlockBytes;
using isa::Param;
using isa::Position;
using isa::Product;
using enum isa::CallRule;
using Int = std::int64_t;

Case MakeCase(const isa::Signature& row, Product product, DType dtype,
              Int repeat, Int blk_stride, Int rep_stride) {
  isa::Call s = isa::CallOf(row);
  s.dtype = dtype;
  s.dst() = At(Position::kVecout);
  s.src(0) = At(Position::kVecin);
  s[Param::kRepeatTimes] = repeat;
  s.BlkStride(0) = blk_stride;
  s.RepStride(0) = rep_stride;
  return Placed(product, s);
}

std::vector<Breaker> Breakers() {
  return {
      {kProduct, "atlas-training", {On(Product::kAtlasTraining)}},
      {kDtype, "int8", {Set("dtype", DType::kInt8)}},
      {kDtype, "int64", {Set("dtype", DType::kInt64)}},
      {kDtypeMatch, "dst int8", {Set("dst.dtype", DType::kInt8)}},
      {kDtypeMatch, "src int64", {Set("src.dtype", DType::kInt64)}},
      {kPosition, "dst at UB", {Set("dst.position", Position::kUb)}},
      {kPosition, "src at GM", {Set("src.position", Position::kGm)}},
      {kAlign, "dst.at 16 further", {Plus("dst.at", 16)}},
      {kAlign, "src.at 1 further", {Plus("src.at", 1)}},
      {kRepeat, "-1", {Set("repeatTime", -1)}},
      {kRepeat, "256", {Set("repeatTime", 256)}},
      {kStrideRange, "dstBlkStride 65536", {Set("dstBlkStride", 65536)}},
      {kStrideRange, "dstRepStride -1", {Set("dstRepStride", -1)}},
      {kDstBlkStrideZero, "0", {Set("dstBlkStride", 0)}},
      {kBounds, "dst window short", {Plus("dst.bytes", -1)}},
      {kBounds, "src past its memory", {Plus("src.bytes", 4096)}},
      {kOverlap, "dst at src", {[](Case& c) {
         Subject(c).dst().at = Subject(c).src(0).at;
         return Subject(c).src(0).bytes > 0;
       }}},
  };
}

std::vector<Base> Bases(const isa::Signature& row) {
  return {
      {"half a2", MakeCase(row, Product::kAtlasA2, DType::kHalf, 1, 1, 8)},
      {"float a3, strides 2 17",
       MakeCase(row, Product::kAtlasA3, DType::kFloat, 3, 2, 17)},
      {"uint16 aicore, strides 3 1",
       MakeCase(row, Product::kAtlasInferenceAicore, DType::kUint16, 2, 3, 1)},
      {"bfloat16 a2, repeat stride 0",
       MakeCase(row, Product::kAtlasA2, DType::kBfloat16, 4, 1, 0)}};
}

std::vector<EveryBase> EveryBases(const isa::Signature& row) {
  std::vector<EveryBase> bases;
  for (DType dtype : isa::FindInstruction(row.op)->dtypes) {
    bases.push_back({{fmt::format("{}, x2", isa::Name(dtype)),
                      MakeCase(row, Product::kAtlasA2, dtype, 2, 1, 8)}});
  }
  return bases;
}

/// Every repeat and stride to its edges, as far as memory goes.
void SweepRepeats(Emitter& out, const isa::Signature& row) {
  for (const auto& [dtype, repeat, blk, rep] : out.Each<DType, Int, Int, Int>(
           {DType::kHalf, DType::kFloat},
           {0,  1,  2,  3,  4,  7,  8,   9,   15,  16, 17,
            31, 32, 33, 63, 64, 65, 127, 128, 254, 255},
           {1, 2, 3, 5, 8, 9}, {0, 1, 2, 7, 8, 9, 16, 64})) {
    Case c = MakeCase(row, Product::kAtlasA2, dtype, repeat, blk, rep);
    if (!Ub(c)) continue;
    out.Give({.what = fmt::format("repeats: {} of {}, strides {} {}", repeat,
                                  isa::Name(dtype), blk, rep),
              .rule = row.Rule(repeat == 0 ? kRepeatZero
                               : rep < 8   ? kInOrder
                               : blk == 1  ? kDstBlkStrideZero
                                           : kAddress),
              .c = std::move(c),
              .data = Data::kBits});
  }
}

/// dst against src by DataBlocks with every combination of strides and repeats.
void SweepOverlap(Emitter& out, const isa::Signature& row) {
  std::vector<Int> shifts;
  for (Int block = -48; block <= 12; ++block) {
    shifts.push_back(block * kDataBlockBytes);
  }
  for (const auto& [repeat, blk, rep, dtype] :
       Combinations<Int, Int, Int, DType>({1, 2, 3, 5}, {1, 2, 3},
                                          {0, 1, 8, 16},
                                          {DType::kHalf, DType::kFloat})) {
    const Base base{fmt::format("{} x{}, strides {} {}", isa::Name(dtype),
                                repeat, blk, rep),
                    MakeCase(row, Product::kAtlasA2, dtype, repeat, blk, rep)};
    SweepShift(out, base, 0, kOverlap, shifts);
  }
}

/// Each element of two iterations alone, in each type.
void SweepElements(Emitter& out, const isa::Signature& row) {
  for (DType dtype : isa::FindInstruction(row.op)->dtypes) {
    for (Int element = 0; element < 16; ++element) {
      for (const std::uint64_t bits : {0x7d01ULL, 0x8000ULL, 0x0001ULL}) {
        if (!out.Next()) continue;
        Case c = MakeCase(row, Product::kAtlasA2, dtype, 2, 1, 8);
        std::vector<std::uint64_t> elements(16, 0);
        const Int width = 8 * isa::SizeBytes(dtype);
        elements[static_cast<std::size_t>(element)] =
            width == 32 ? bits << 16 | 1 : bits;
        PutElements(c, isa::Memory::kUb, dtype, Subject(c).src(0).at, elements);
        out.Give({.what = fmt::format("elements: {} of {} is {:x}", element,
                                      isa::Name(dtype), bits),
                  .rule = row.Rule(bits == 1 ? kValue : kBits),
                  .c = std::move(c)});
      }
    }
  }
}

/// The mask register before the call, and what an Add finds there behind it.
void SweepMasks(Emitter& out, const isa::Signature& row) {
  for (const Int lanes : {0, 1, 17, 64, 127, 128}) {
    if (!out.Next()) continue;
    Case c = MakeCase(row, Product::kAtlasA2, DType::kHalf, 1, 1, 8);
    Prepend(c, FirstLanes(lanes));
    out.Give({.what = fmt::format("masks: {} lanes in the register", lanes),
              .rule = row.Rule(kClobbersMask),
              .c = std::move(c)});
  }
}

std::optional<Case> Combine(const isa::Signature& row,
                            const std::vector<std::size_t>& classes) {
  static constexpr DType kTypes[] = {DType::kHalf, DType::kInt16,
                                     DType::kBfloat16, DType::kFloat,
                                     DType::kInt8};
  static constexpr Int kRepeats[] = {0, 1, 2, 3, 17, 100};
  static constexpr Int kBlocks[] = {1, 2, 3, 9, 0};
  static constexpr Int kRepeatStrides[] = {8, 0, 1, 16, 30};
  static constexpr Int kLayouts[] = {0, 0, 0, 1, 32, 1024};
  Case c = MakeCase(row, kEveryProduct[classes[0]], kTypes[classes[1]],
                    kRepeats[classes[2]], kBlocks[classes[3]],
                    kRepeatStrides[classes[4]]);
  if (!Ub(c)) return std::nullopt;
  const Int layout = kLayouts[classes[5]];
  if (layout != 0) {
    Subject(c).dst().at = Subject(c).src(0).at + (layout == 1 ? 0 : layout);
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
  SweepMasks(out, row);
  SweepRows(out, {7, 5, 6, 5, 5, 6, 8},
            [&](const auto& classes) { return Combine(row, classes); });
  SweepEverywhere(out, kit, EveryBases(row));
}

}  // namespace
}  // namespace brcb

void SweepBroadcast(Emitter& out, const isa::Signature& row) {
  brcb::SweepAll(out, row);
}

}  // namespace lanediff::make::sweep
