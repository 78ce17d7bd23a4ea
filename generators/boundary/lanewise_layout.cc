// Masks, counts, strides and overlap of lane-wise calls.

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <iterator>
#include <optional>
#include <utility>
#include <vector>

#include "generators/boundary/lanewise.h"
#include "isa/memory_map.h"

namespace lanediff::make::sweep {
namespace {

using isa::DType;
using isa::Param;
using isa::Product;
using enum isa::CallRule;

/// The row's types, narrow ones first.
ValueList<DType> TypesByWidth(const LanewiseRow& row) {
  ValueList<DType> types;
  for (std::int64_t bytes : {1, 2, 4, 8}) {
    std::ranges::copy_if(row.types, std::back_inserter(types), [&](DType type) {
      return isa::SizeBytes(type) == bytes;
    });
  }
  return types;
}

/// Every number of lanes in the contiguous form, every single bit, its
/// complement and every first part in the bitwise form, and the same in the
/// register; for each width.
void SweepMasks(Emitter& out, const LanewiseRow& row) {
  ValueList<DType> types = TypesByWidth(row);
  for (DType other : {DType::kInt8, DType::kInt64, DType::kDouble}) {
    if (std::ranges::count(types, other) == 0) types.push_back(other);
  }
  const bool by_register = row.signature.Has(Param::kIsSetMask);
  for (const auto& [dtype, lane] :
       Combinations<DType, std::int64_t>(types, Range(-1, 130))) {
    for (bool set_mask : {true, false}) {
      if (!set_mask && !by_register) continue;
      if (!out.Next()) continue;
      Case c = row.MakeCase({.dtype = dtype, .mask = lane});
      Subject(c)[Param::kMask] = lane;
      Subject(c).is_set_mask = set_mask;
      if (!Place(c)) continue;
      out.Give({.what = fmt::format("contiguous mask: {} of {}{}", lane,
                                    isa::Name(dtype),
                                    set_mask ? "" : ", no isSetMask"),
                .rule = row.Rule(set_mask ? kMaskContiguous : kPlaceholder),
                .c = std::move(c)});
    }
    if (lane < 0 || lane > 128) continue;
    for (const auto& [kind, holder] : out.Each<std::int64_t, int>(
             {0, 1, 2},
             by_register ? ValueList<int>{0, 1, 2} : ValueList<int>{0})) {
      const auto mask = MaskOf(kind, lane);
      if (!mask) continue;
      const bool words = holder == 0;
      Case c =
          row.MakeCase({.dtype = dtype,
                        .form = holder == 2 ? isa::kMaskForm : isa::kBitsForm,
                        .words = {mask->low, mask->high},
                        .set_mask = words});
      if (!words) Prepend(c, *mask);
      out.Give({.what = fmt::format("mask {}: {} {} of {}",
                                    words ? "words" : "register",
                                    kMaskKinds[kind], lane, isa::Name(dtype)),
                .rule = words ? row.Rule(kind == 0   ? kMaskBits
                                         : kind == 1 ? kUnmasked
                                                     : kMaskLanes)
                        : kind == 0 && lane == 0 ? row.Rule(kNop)
                                                 : isa::state::kMaskRegister,
                .c = std::move(c)});
    }
  }
}

/// Every count and repeat up to their edges.
void SweepCounts(Emitter& out, const LanewiseRow& row) {
  for (const auto& [dtype, n] :
       Combinations<DType, std::int64_t>(TypesByWidth(row), Range(0, 300))) {
    if (row.HasForm(isa::kCountForm) && out.Next()) {
      Case c =
          row.MakeCase({.dtype = dtype, .form = isa::kCountForm, .count = n});
      const bool whole = n == WholeCount(Subject(c), n);
      // Whole and other ones, where that matters.
      const bool of_length = !whole || (row.Has(kCountLength) && n < 256);
      Subject(c)[Param::kCount] = n;
      out.Give({.what = fmt::format("counts: {} of {}", n, isa::Name(dtype)),
                .rule = row.Rule(n == 0      ? kNop
                                 : of_length ? kCountLength
                                             : kClobbersMask),
                .c = std::move(c)});
    }
    if (n > 255 || !out.Next()) continue;
    const std::int64_t d = n % 3 + 1;
    // One iteration fills its windows; all of them keep a route.
    const isa::CallRule rule = n == 0                      ? kNop
                               : n == 1                    ? kBounds
                               : n == 2 && row.Has(kRoute) ? kRoute
                                                           : kRepeat;
    out.Give({.what = fmt::format("repeats: {} of {}", n, isa::Name(dtype)),
              .rule = row.Rule(rule),
              .c = row.MakeCase({.dtype = dtype,
                                 .mask = 3,
                                 .repeat = n,
                                 .rep = {d, n % 4, 4 - d}})});
  }
}

/// Counts whose iterations, or themselves, need more than 8 or 16 bits. Two
/// windows fit, not three: dst is the first source.
void SweepLongCounts(Emitter& out, const LanewiseRow& row) {
  for (DType dtype : TypesByWidth(row)) {
    const std::int64_t bytes = isa::SizeBytes(dtype);
    for (std::int64_t n :
         {255 * 256 / bytes, 255 * 256 / bytes + 1, 256 * 256 / bytes,
          256 * 256 / bytes + 1, std::int64_t{32768}, std::int64_t{65535},
          std::int64_t{65536}}) {
      if (!out.Next()) continue;
      Case c = row.MakeCase({.product = Product::kAtlasInferenceAicore,
                             .dtype = dtype,
                             .form = isa::kCountForm,
                             .count = 1});
      const std::int64_t needed = n * bytes;
      const std::int64_t end = (needed + 31) / 32 * 32 + needed;
      if (end > isa::CapacityBytes(c.product, isa::Memory::kUb)) {
        continue;
      }
      Subject(c)[Param::kCount] = n;
      if (n != WholeCount(Subject(c), n)) continue;
      for (isa::Operand& operand : Subject(c).used_operands()) {
        operand.at = 0;
        operand.bytes = needed;
      }
      if (row.operands() > 2) Subject(c).src(1).at = end - needed;
      Ub(c)->size = end;
      Ub(c)->regions.clear();
      out.Give(
          {.what = fmt::format("long counts: {} of {}", n, isa::Name(dtype)),
           .rule = row.Rule(kAddress),
           .c = std::move(c),
           .data = Data::kSpecial});
    }
  }
}

/// Every two strides of a call, by their number: block strides of dst and the
/// sources, then repeat strides.
void SweepStrides(Emitter& out, const LanewiseRow& row) {
  static constexpr std::int64_t kStrides[] = {0, 1, 2, 8, 9, 255};
  const std::size_t n = row.operands();
  ValueList<std::size_t> numbers;
  for (std::size_t i = 0; i < 2 * n; ++i) numbers.push_back(i);
  ValueList<DType> types = TypesByWidth(row);
  const auto rest = std::ranges::unique(types, {}, isa::SizeBytes);
  types.erase(rest.begin(), rest.end());
  for (const auto& [dtype, first, second, a, b] :
       Combinations<DType, std::size_t, std::size_t, std::int64_t,
                    std::int64_t>(types, numbers, numbers, kStrides,
                                  kStrides)) {
    if (second <= first) continue;
    if (!out.Next()) continue;
    LanewiseShape shape = {.dtype = dtype, .mask = 35, .repeat = 3};
    const auto stride = [&](std::size_t i) -> std::int64_t& {
      return i < n ? shape.blk[i] : shape.rep[i - n];
    };
    stride(first) = a;
    stride(second) = b;
    std::vector<std::int64_t> all;
    for (std::size_t i : numbers) all.push_back(stride(i));
    Case c = row.MakeCase(shape);
    if (!Ub(c)) continue;
    out.Give({.what = fmt::format("strides: {} of {}", fmt::join(all, " "),
                                  isa::Name(dtype)),
              .rule = row.Rule(first != 0 ? kAddress
                               : a <= 1 && row.Has(kDstBlkStrideZero)
                                   ? kDstBlkStrideZero
                               : row.Has(kDstStride) ? kDstStride
                                                     : kAddress),
              .c = std::move(c)});
  }
}

/// dst moved over each source in blocks, with strides that make iterations
/// meet, coincide or miss each other.
void SweepOverlap(Emitter& out, const LanewiseRow& row) {
  static constexpr Strides kReps[] = {
      {8, 8, 8}, {0, 8, 0}, {8, 0, 8}, {0, 0, 0},  {1, 1, 1},
      {8, 8, 0}, {0, 8, 8}, {1, 2, 3}, {16, 8, 8}, {7, 8, 9}};
  const auto shift = [&](const Base& base, isa::CallRule rule,
                         const std::vector<std::int64_t>& shifts) {
    for (std::size_t i = 0; i < row.signature.sources(); ++i) {
      const bool packed = row.signature.operands[i + 1].is_packed;
      SweepShift(out, base, i, packed ? kOverlap : rule, shifts);
    }
  };
  ValueList<DType> types = row.types;
  // Like half, and as wide as int32.
  if (types.size() > 1) std::erase(types, DType::kFloat);
  std::vector<std::int64_t> shifts;
  for (std::int64_t block : Range(-17, 34)) shifts.push_back(block * 32);
  using Int = std::int64_t;
  for (const auto& [dtype, repeat, mask, blk, rep] :
       Combinations<DType, Int, Int, Int, Strides>(
           types, {1, 2, 3}, {3, 17, 64}, {1, 2}, kReps)) {
    const Base base{
        fmt::format("{} x{} mask {} blk {} rep {} {} {}", isa::Name(dtype),
                    repeat, mask, blk, rep[0], rep[1], rep[2]),
        row.MakeCase({.dtype = dtype,
                      .mask = mask,
                      .repeat = repeat,
                      .blk = {1, blk, 1, 1},
                      .rep = rep})};
    shift(base, repeat == 1 ? kOverlapIteration : kOverlapDependency, shifts);
  }
  if (!row.HasForm(isa::kCountForm)) return;
  shifts.clear();
  for (std::int64_t element : Range(-130, 130)) shifts.push_back(element * 2);
  for (std::int64_t count : {1, 16, 17, 64}) {
    const Base base{fmt::format("count {}", count),
                    row.MakeCase({.dtype = row.types.front(),
                                  .form = isa::kCountForm,
                                  .count = count})};
    shift(base, kOverlapCount, shifts);
  }
}

/// The running result dst = op(src0, dst) and its near misses: each type,
/// each stride at 0 or not, dst moved by blocks, src0 moved onto dst.
void SweepRunning(Emitter& out, const LanewiseRow& row) {
  using Int = std::int64_t;
  for (const auto& [dtype, product, dst_rep, src1_rep, repeat, apart,
                    src1_shift] :
       out.Each<DType, Product, Int, Int, Int, Int, Int>(
           kEveryDType, {Product::kAtlasA2, Product::kAtlasTraining}, {0, 1, 8},
           {0, 1, 8}, {1, 2, 4}, {-2, -1, 0, 1, 2, 8, 64}, {0, 32})) {
    Case c = row.MakeCase({.product = product,
                           .dtype = dtype,
                           .mask = 16,
                           .repeat = repeat,
                           .rep = {dst_rep, 1, src1_rep}});
    Subject(c).dst().at = 2048;
    Subject(c).src(1).at = 2048 + src1_shift;
    Subject(c).src(0).at = 2048 + apart * 32;
    Ub(c)->size = 8192;
    out.Give({.what = fmt::format("running {}: {} on {}, dstRep {} src1Rep {}, "
                                  "x{}, src0 {:+} blocks, src1 {:+} bytes",
                                  row.values.result, isa::Name(dtype),
                                  isa::Name(product), dst_rep, src1_rep, repeat,
                                  apart, src1_shift),
              .rule = row.Rule(apart == 64 ? kInOrder : kOverlapSources),
              .c = std::move(c)});
  }
}

/// Iterations that write the same bytes, from sources elsewhere.
void SweepInOrder(Emitter& out, const LanewiseRow& row) {
  using Int = std::int64_t;
  for (const auto& [dtype, dst_rep, src_rep, repeat, mask] :
       out.Each<DType, Int, Int, Int, Int>(row.types, {0, 1, 2}, {0, 1, 8},
                                           {2, 4}, {1, 17, 64})) {
    out.Give(
        {.what = fmt::format("same bytes: {}, mask {}, dstRep {}, source {}, "
                             "x{}",
                             isa::Name(dtype), mask, dst_rep, src_rep, repeat),
         .rule = row.Rule(kInOrder),
         .c = row.MakeCase({.dtype = dtype,
                            .mask = mask,
                            .repeat = repeat,
                            .rep = {dst_rep, src_rep, src_rep, src_rep}})});
  }
}

}  // namespace

void SweepLanewiseLayout(Emitter& out, const LanewiseRow& row) {
  SweepMasks(out, row);
  SweepCounts(out, row);
  if (row.HasForm(isa::kCountForm)) SweepLongCounts(out, row);
  SweepStrides(out, row);
  SweepOverlap(out, row);
  if (row.Has(kOverlapSources)) {
    SweepRunning(out, row);
  } else if (row.Has(kInOrder)) {
    SweepInOrder(out, row);
  }
}

}  // namespace lanediff::make::sweep
