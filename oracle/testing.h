#pragma once

#include <cstddef>
#include <cstdint>
#include <ostream>
#include <vector>

#include "isa/memories.h"
#include "isa/repeat_reduce_sum.h"
#include "isa/step.h"
#include "isa/vocabulary.h"
#include "oracle/node.h"
#include "oracle/oracle.h"

/// For the oracle's own tests.
namespace lanediff::oracle {

/// How a failed comparison shows a node.
inline void PrintTo(const NodeResult& r, std::ostream* os) {
  *os << std::hex << "0x" << r.bits << (r.rounded ? " rounded" : "")
      << (r.tie ? " tie" : "") << (r.saturated ? " saturated" : "")
      << (r.wrapped ? " wrapped" : "");
}

namespace test {

#if defined(__SANITIZE_ADDRESS__)
#define LANEDIFF_SANITIZED
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define LANEDIFF_SANITIZED
#endif
#endif

/// Unoptimised and sanitised builds are far slower and compare fewer nodes.
#if defined(__OPTIMIZE__) && !defined(LANEDIFF_SANITIZED)
inline constexpr bool kSlowBuild = false;
#else
inline constexpr bool kSlowBuild = true;
#endif

/// Fixed sequence of 64-bit words (splitmix64).
class Words {
 public:
  std::uint64_t Next() {
    std::uint64_t z = state_ += 0x9e3779b97f4a7c15;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9;
    z = (z ^ (z >> 27)) * 0x94d049bb133111eb;
    return z ^ (z >> 31);
  }

 private:
  std::uint64_t state_ = 20240601;
};

/// A legal call on atlas-a2: one iteration, `elems` lanes from UB 1024 to UB 0,
/// all contiguous, with windows that leave space for more.
inline isa::RepeatReduceSum SumCall(std::int64_t elems,
                                    isa::DType dtype = isa::DType::kHalf) {
  isa::RepeatReduceSum call;
  call.dtype = dtype;
  call.dst.position = isa::Position::kVecout;
  call.dst.at = 0;
  call.dst.bytes = 1024;
  call.src.position = isa::Position::kVecin;
  call.src.at = 1024;
  call.src.bytes = 4096;
  call.repeat = 1;
  call.elems_in_one_repeat = elems;
  call.src_blk_stride = 1;
  call.dst_rep_stride = 1;
  call.src_rep_stride = 8;
  return call;
}

/// An oracle with a unified buffer of `kUbBytes`, filled with a pattern.
struct Machine {
  static constexpr std::size_t kUbBytes = 16384;

  explicit Machine(isa::Profile profile = isa::Product::kAtlasA2)
      : ub(kUbBytes, 0xa5), oracle(profile, MemoriesOf(ub)) {}

  static isa::Memories MemoriesOf(std::vector<std::uint8_t>& ub) {
    isa::Memories memories;
    memories[isa::Memory::kUb] = ub;
    return memories;
  }

  isa::StepResult Execute(const isa::Step& step) {
    return oracle.Execute(step);
  }
  bool Executes(const isa::Step& step) {
    return Execute(step).status == isa::StepResult::Status::kExecuted;
  }

  static std::size_t Bytes(isa::DType dtype) {
    return dtype == isa::DType::kFloat || dtype == isa::DType::kInt32 ? 4 : 2;
  }
  void Put(isa::DType dtype, std::int64_t at,
           const std::vector<std::uint64_t>& values) {
    auto byte = static_cast<std::size_t>(at);
    for (std::uint64_t value : values) {
      for (std::size_t i = 0; i < Bytes(dtype); ++i) {
        ub.at(byte++) = static_cast<std::uint8_t>(value >> (8 * i));
      }
    }
  }
  std::vector<std::uint64_t> Get(isa::DType dtype, std::int64_t at,
                                 std::size_t count) const {
    auto byte = static_cast<std::size_t>(at);
    std::vector<std::uint64_t> values(count);
    for (std::uint64_t& value : values) {
      for (std::size_t i = 0; i < Bytes(dtype); ++i) {
        value |= std::uint64_t{ub.at(byte++)} << (8 * i);
      }
    }
    return values;
  }

  std::vector<std::uint8_t> ub;
  Oracle oracle;
};

}  // namespace test
}  // namespace lanediff::oracle
