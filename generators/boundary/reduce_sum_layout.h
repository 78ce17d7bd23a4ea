#pragma once

#include <fmt/format.h>

#include "generators/boundary/reduce_sum.h"

/// See `ReduceSumModule`: lanes, addresses and overlap.
namespace lanediff::make::sweep {

/// Every number of lanes, legal or not, with and without isSetMask.
template <ReduceSum Call>
void ReduceSumModule<Call>::SweepElems(Emitter& out) {
  for (DType dtype : {DType::kHalf, DType::kFloat, DType::kInt8, DType::kInt32,
                      DType::kInt64}) {
    for (bool set_mask : {true, false}) {
      for (std::int64_t elems = -1; elems <= 130; ++elems) {
        out.Add([&]() -> std::optional<Sketch> {
          Case c = MakeCase({.dtype = dtype, .elems = elems, .dst_rep = 2});
          S(c).is_set_mask = set_mask;
          if (!Place(c)) return std::nullopt;
          return Sketch{
              .what = fmt::format("lanes: {} of {}{}", elems, isa::Name(dtype),
                                  set_mask ? "" : ", no isSetMask"),
              .rule = set_mask ? kLanesRule : kRule<"-PLACEHOLDER">,
              .c = std::move(c)};
        });
      }
    }
  }
}

/// Register masks: none, each lane alone, all but it, and each first part.
template <ReduceSum Call>
void ReduceSumModule<Call>::SweepRegister(Emitter& out) {
  for (DType dtype : {DType::kHalf, DType::kFloat}) {
    for (std::int64_t lane = 0; lane <= 128; ++lane) {
      for (int kind = 0; kind < 3; ++kind) {
        for (std::int64_t repeat : {0, 1, 2}) {
          out.Add([&]() -> std::optional<Sketch> {
            Case c =
                MakeCase({.dtype = dtype, .repeat = repeat, .set_mask = false});
            isa::SetVectorMask mask = FirstLanes(lane);
            if (kind > 0 && lane == 128) return std::nullopt;
            if (kind > 0) mask = OneLane(lane);
            if (kind == 2) mask = {.high = ~mask.high, .low = ~mask.low};
            Prepend(c, mask);
            return Sketch{
                .what = fmt::format("register: {} {} of {}, repeat {}",
                                    kind == 0   ? "first"
                                    : kind == 1 ? "only"
                                                : "all but",
                                    lane, isa::Name(dtype), repeat),
                .rule = lane == 0 && kind == 0 ? kRule<"-MASK-EMPTY">
                                               : isa::state::kMaskRegister,
                .c = std::move(c)};
          });
        }
      }
    }
  }
}

/// The same masks as words, and words whose second one counts for half only.
template <ReduceSum Call>
void ReduceSumModule<Call>::SweepWords(Emitter& out) {
  for (DType dtype : {DType::kHalf, DType::kFloat, DType::kInt8, DType::kInt32,
                      DType::kInt64}) {
    for (std::int64_t lane = 0; lane <= 128; ++lane) {
      for (int kind = 0; kind < 3; ++kind) {
        for (bool set_mask : {true, false}) {
          out.Add([&]() -> std::optional<Sketch> {
            if (kind > 0 && lane == 128) return std::nullopt;
            isa::SetVectorMask mask = FirstLanes(lane);
            if (kind > 0) mask = OneLane(lane);
            if (kind == 2) mask = {.high = ~mask.high, .low = ~mask.low};
            // Legal all the same where a type has no more lanes.
            if (kind == 2 && isa::SizeBytes(dtype) == 4 && lane < 64) {
              mask.high = 0;
            }
            Case c = MakeCase({.dtype = dtype, .set_mask = set_mask},
                              {mask.low, mask.high});
            if (!set_mask) Prepend(c, mask);
            return Sketch{.what = fmt::format("mask words: {} {} of {}{}",
                                              kind == 0   ? "first"
                                              : kind == 1 ? "only"
                                                          : "all but",
                                              lane, isa::Name(dtype),
                                              set_mask ? "" : ", register"),
                          .rule = !set_mask   ? isa::state::kMaskRegister
                                  : kind == 0 ? kRule<"-MASK-BITS">
                                              : kRule<"-MASK-LANES">,
                          .c = std::move(c)};
          });
        }
      }
    }
  }
}

/// Every repeat, with strides that separate iterations.
template <ReduceSum Call>
void ReduceSumModule<Call>::SweepRepeats(Emitter& out) {
  for (DType dtype : {DType::kHalf, DType::kFloat}) {
    for (std::int64_t repeat = 0; repeat <= 255; ++repeat) {
      out.Add([&]() -> std::optional<Sketch> {
        return Sketch{
            .what = fmt::format("repeats: {} of {}", repeat, isa::Name(dtype)),
            .rule = repeat == 0 ? kRule<"-REPEAT-ZERO"> : kRule<"-REPEAT">,
            .c = MakeCase({.dtype = dtype,
                           .repeat = repeat,
                           .elems = 3,
                           .dst_rep = repeat % 3 + 1,
                           .src_rep = repeat % 5 + 1})};
      });
    }
  }
}

template <ReduceSum Call>
void ReduceSumModule<Call>::SweepStrides(Emitter& out) {
  static constexpr std::int64_t kStrides[] = {0, 1, 2, 7, 8, 9, 255, 256};
  for (DType dtype : {DType::kHalf, DType::kFloat}) {
    for (std::int64_t src_blk : kStrides) {
      for (std::int64_t dst_rep : kStrides) {
        for (std::int64_t src_rep : kStrides) {
          for (std::int64_t elems : {1, 17, 64}) {
            out.Add([&]() -> std::optional<Sketch> {
              Case c = MakeCase({.dtype = dtype,
                                 .repeat = 3,
                                 .elems = elems,
                                 .src_blk = src_blk,
                                 .dst_rep = dst_rep,
                                 .src_rep = src_rep});
              if (!Ub(c)) return std::nullopt;
              return Sketch{
                  .what = fmt::format("strides: srcBlk {} dstRep {} srcRep {}, "
                                      "{} lanes of {}",
                                      src_blk, dst_rep, src_rep, elems,
                                      isa::Name(dtype)),
                  .rule = dst_rep == 0 ? kRule<"-IN-ORDER"> : kRule<"-ADDRESS">,
                  .c = std::move(c)};
            });
          }
        }
      }
    }
  }
}

/// dst moved over src, element by element where something changes.
template <ReduceSum Call>
void ReduceSumModule<Call>::SweepOverlap(Emitter& out) {
  std::vector<std::int64_t> shifts;
  for (std::int64_t edge : {0, 32, 64, 256, 512, 288}) {
    for (std::int64_t d : {-32, -4, -2, 0, 2, 4, 30})
      shifts.push_back(edge + d);
  }
  std::ranges::sort(shifts);
  const auto rest = std::ranges::unique(shifts);
  shifts.erase(rest.begin(), rest.end());
  for (DType dtype : {DType::kHalf, DType::kFloat}) {
    for (std::int64_t repeat : {1, 2, 3}) {
      for (std::int64_t elems : {1, 5, 17, 64}) {
        for (std::int64_t src_blk : {0, 1, 2}) {
          for (std::int64_t dst_rep : {0, 1, 64, 128}) {
            for (std::int64_t src_rep : {0, 1, 8}) {
              const ReduceSumShape shape{.dtype = dtype,
                                         .repeat = repeat,
                                         .elems = elems,
                                         .src_blk = src_blk,
                                         .dst_rep = dst_rep,
                                         .src_rep = src_rep};
              const Base base{
                  fmt::format("{} x{} {} lanes {} {} {}", isa::Name(dtype),
                              repeat, elems, src_blk, dst_rep, src_rep),
                  MakeCase(shape)};
              SweepShift(out, base, "src",
                         repeat == 1 ? kRule<"-OVERLAP-ITERATION">
                                     : kRule<"-OVERLAP-DEPENDENCY">,
                         shifts);
            }
          }
        }
      }
    }
  }
}

/// The element of iteration `writer` next to, on and behind lane 0 of iteration
/// `reader`, for every two of a call's iterations.
template <ReduceSum Call>
void ReduceSumModule<Call>::SweepDependency(Emitter& out) {
  for (std::int64_t repeat : {2, 3, 6, 254, 255}) {
    const std::int64_t first = std::max<std::int64_t>(0, repeat - 6);
    for (std::int64_t writer = first; writer < repeat; ++writer) {
      for (std::int64_t reader = first; reader < repeat; ++reader) {
        for (std::int64_t dst_rep : {0, 1, 16, 17}) {
          for (std::int64_t d : {-1, 0, 1, 3, 4}) {
            out.Add([&]() -> std::optional<Sketch> {
              Case c = MakeCase({.repeat = repeat,
                                 .elems = 4,
                                 .dst_rep = dst_rep,
                                 .src_rep = 1});
              S(c).src.at = 16384;
              S(c).dst.at = 16384 + reader * 32 + d * 2 - writer * dst_rep * 2;
              Ub(c)->size = 32768;
              return Sketch{
                  .what =
                      fmt::format("dependency: iteration {} of {} writes {:+} "
                                  "elements from what {} reads, stride {}",
                                  writer, repeat, d, reader, dst_rep),
                  .rule = writer == reader ? kRule<"-OVERLAP-ITERATION">
                                           : kRule<"-OVERLAP-DEPENDENCY">,
                  .c = std::move(c)};
            });
          }
        }
      }
    }
  }
}

/// dstRepStride on each product, with repeats that do and do not use it.
template <ReduceSum Call>
void ReduceSumModule<Call>::SweepDstRepStride(Emitter& out) {
  for (Product product : kEveryProduct) {
    for (std::int64_t dst_rep : {-1, 0, 1, 2, 65535, 65536}) {
      for (std::int64_t repeat : {0, 1, 2}) {
        out.Add([&]() -> std::optional<Sketch> {
          return Sketch{
              .what = fmt::format("dstRepStride: {} on {}, repeat {}", dst_rep,
                                  isa::Name(product), repeat),
              .rule = kRule<"-DST-REP-STRIDE-ZERO">,
              .c = MakeCase(
                  {.product = product, .repeat = repeat, .dst_rep = dst_rep})};
        });
      }
    }
  }
}

/// dstBlkStride, which means nothing.
template <ReduceSum Call>
void ReduceSumModule<Call>::SweepDstBlkStride(Emitter& out) {
  for (std::int64_t stride : {-2147483648LL, -1LL, 0LL, 1LL, 2LL, 255LL, 256LL,
                              65536LL, 2147483647LL}) {
    for (std::int64_t repeat : {1, 2, 9}) {
      out.Add([&] {
        Case c = MakeCase({.repeat = repeat, .elems = 20});
        S(c).dst_blk_stride = stride;
        return Sketch{
            .what = fmt::format("dstBlkStride: {}, repeat {}", stride, repeat),
            .rule = kRule<"-DST-BLK-STRIDE">,
            .c = std::move(c)};
      });
    }
  }
}

}  // namespace lanediff::make::sweep
