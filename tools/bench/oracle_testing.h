#pragma once

#include <cstdint>
#include <cstring>
#include <span>
#include <vector>

#include "isa/memories.h"
#include "isa/step.h"
#include "isa/vocabulary.h"
#include "oracle/oracle.h"
#include "tools/bench/calls.h"

/// What the oracle makes of the yardsticks' inputs, for their tests.
namespace lanediff::bench {

/// Runs `step` on a UB of atlas-a2 that begins with `src0` and has `src1` 65536
/// bytes later; the first `count` elements from `kResults` on. Empty if the
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
  std::memcpy(result.data(), ub.data() + kResults, count * sizeof(T));
  return result;
}

/// The first `count` elements.
template <class Call>
isa::Step CountOf(isa::DType type, std::int64_t count) {
  Call call;
  call.dtype = type;
  call.src0 = Window(isa::Position::kVecin, 0, 65536);
  call.src1 = Window(isa::Position::kVecin, 65536, 65536);
  call.dst = Window(isa::Position::kVecout, kResults, 65536);
  call.form = Call::kCount;
  call.count = count;
  return call;
}

/// The left fold of `rows` rows.
inline isa::Step LeftFold(isa::DType type, std::int64_t rows,
                          std::int64_t cols) {
  return ProductCall(type, rows, cols, isa::Order::kLeftFold);
}

}  // namespace lanediff::bench
