// Masks, counts, strides and overlap of element-wise calls.

#include <fmt/format.h>

#include <array>
#include <cstdint>
#include <optional>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "generators/boundary/elementwise.h"
#include "isa/memory_map.h"

namespace lanediff::make::sweep {
namespace {

using isa::DType;
using isa::Product;

constexpr DType kTypesByWidth[] = {DType::kHalf, DType::kInt16, DType::kFloat,
                                   DType::kInt32};

/// The sweeps of lanes, counts and addresses.
template <class Tag>
struct ElementwiseLayout : ElementwiseCases<Tag> {
  using Cases = ElementwiseCases<Tag>;
  using Cases::kValues;
  using Cases::MakeCase;
  using Cases::S;
  using typename Cases::Call;
  using typename Cases::rule;

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

  static void SweepAll(Emitter& out) {
    SweepMasks(out);
    SweepCounts(out);
    SweepLongCounts(out);
    SweepStrides(out);
    SweepOverlap(out);
    SweepRunning(out);
  }
};

}  // namespace

void SweepElementwiseLayout(Emitter& out, std::string_view op) {
  ForElementwise(op,
                 [&]<class Tag>(std::type_identity<isa::ElementwiseCall<Tag>>) {
                   ElementwiseLayout<Tag>::SweepAll(out);
                 });
}

}  // namespace lanediff::make::sweep
