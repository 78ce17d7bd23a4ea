#pragma once

#include <cstdint>
#include <cstring>
#include <span>
#include <vector>

#include "isa/memories.h"
#include "isa/min.h"
#include "isa/repeat_reduce_sum.h"
#include "isa/step.h"
#include "isa/trowprod.h"
#include "isa/vocabulary.h"
#include "oracle/oracle.h"

/// What the oracle makes of the yardsticks' inputs, for their tests.
namespace lanediff::bench {

/// Runs `step` on a UB of atlas-a2 that begins with `src0` and has `src1` 65536
/// bytes later; the first `count` elements from byte 131072 on. Empty if the
/// step is not executed.
template <class T>
std::vector<T> ByOracle(const isa::Step& step, std::span<const T> src0,
                        std::span<const T> src1, std::size_t count) {
  std::vector<std::uint8_t> ub(196608);
  std::memcpy(ub.data(), src0.data(), src0.size_bytes());
  if (!src1.empty()) {
    std::memcpy(ub.data() + 65536, src1.data(), src1.size_bytes());
  }
  isa::Memories memories;
  memories[isa::Memory::kUb] = ub;
  oracle::Oracle oracle(isa::Product::kAtlasA2, memories);
  if (oracle.Execute(step).status != isa::StepResult::Status::kExecuted) {
    return {};
  }
  std::vector<T> result(count);
  std::memcpy(result.data(), ub.data() + 131072, count * sizeof(T));
  return result;
}

/// The first `count` elements.
inline isa::Step MinCount(isa::DType type, std::int64_t count) {
  isa::Min call;
  call.dtype = type;
  const auto window = [](isa::Position position, std::int64_t at) {
    return isa::Operand{
        .position = position, .at = at, .bytes = 65536, .dtype = {}};
  };
  call.src0 = window(isa::Position::kVecin, 0);
  call.src1 = window(isa::Position::kVecin, 65536);
  call.dst = window(isa::Position::kVecout, 131072);
  call.form = isa::Min::kCount;
  call.count = count;
  return call;
}

/// 128 halves a repeat, results side by side.
inline isa::Step SumHalves(std::int64_t repeats) {
  isa::RepeatReduceSum call;
  call.dtype = isa::DType::kHalf;
  call.src = {
      .position = isa::Position::kVecin, .at = 0, .bytes = 65536, .dtype = {}};
  call.dst = {.position = isa::Position::kVecout,
              .at = 131072,
              .bytes = 1024,
              .dtype = {}};
  call.repeat = repeats;
  call.elems_in_one_repeat = 128;
  call.src_blk_stride = 1;
  call.dst_rep_stride = 1;
  call.src_rep_stride = 8;
  return call;
}

/// The left fold of `rows` rows.
inline isa::Step LeftFold(isa::DType type, std::int64_t rows,
                          std::int64_t cols) {
  isa::Trowprod call;
  call.dtype = type;
  call.order = isa::Order::kLeftFold;
  call.src = {.position = isa::Position::kUb,
              .at = 0,
              .rows = rows,
              .cols = cols,
              .valid_row = rows,
              .valid_col = cols,
              .layout = isa::Layout::kNd,
              .dtype = {}};
  call.tmp = call.src;
  call.tmp.at = 65536;
  call.dst = call.src;
  call.dst.at = 131072;
  call.dst.cols = 1;
  call.dst.valid_col = 1;
  call.dst.layout = isa::Layout::kDn;
  return call;
}

}  // namespace lanediff::bench
