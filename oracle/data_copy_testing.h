#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "isa/data_copy.h"
#include "isa/memories.h"
#include "isa/step.h"
#include "isa/vocabulary.h"
#include "oracle/oracle.h"

/// Calls of DataCopy and a machine with every memory, for tests.
namespace lanediff::oracle::test {

/// An oracle with GM, UB, L1, BT and FB; no two memories hold the same bytes.
struct Board {
  explicit Board(isa::Profile profile = isa::Product::kAtlasA2)
      : bytes{Filled(262144, 3), Filled(196608, 5), Filled(524288, 7), {},
              Filled(1024, 11),  Filled(7168, 13)},
        oracle(profile, MemoriesOf(bytes)) {}

  using Bytes = std::array<std::vector<std::uint8_t>, 6>;

  static std::vector<std::uint8_t> Filled(std::size_t size, std::size_t step) {
    std::vector<std::uint8_t> filled(size);
    for (std::size_t i = 0; i < size; ++i) {
      filled[i] = static_cast<std::uint8_t>(i * step + i / 256);
    }
    return filled;
  }
  static isa::Memories MemoriesOf(Bytes& bytes) {
    isa::Memories memories;
    for (std::size_t m = 0; m < bytes.size(); ++m) {
      memories[static_cast<isa::Memory>(m)] = bytes[m];
    }
    return memories;
  }
  std::vector<std::uint8_t>& operator[](isa::Memory memory) {
    return bytes[static_cast<std::size_t>(memory)];
  }
  bool Executes(const isa::Step& step) {
    return oracle.Execute(step).status == isa::StepResult::Status::kExecuted;
  }

  Bytes bytes;  // in the order of isa::Memory
  Oracle oracle;
};

/// One block of one unit from byte 512 to byte 0, with windows of 512 bytes.
inline isa::DataCopy Copy(isa::Position src, isa::Position dst,
                          isa::DType dtype = isa::DType::kHalf) {
  isa::DataCopy call;
  call.dtype = dtype;
  call.dst = {.position = dst, .at = 0, .bytes = 512, .dtype = {}};
  call.src = {.position = src, .at = 512, .bytes = 512, .dtype = {}};
  call.form = isa::DataCopy::kParams;
  call.params = {.block_count = 1, .block_len = 1, .src_gap = 0, .dst_gap = 0};
  return call;
}

/// The same in the form with `count`.
inline isa::DataCopy CopyCount(isa::Position src, isa::Position dst,
                               std::int64_t count,
                               isa::DType dtype = isa::DType::kHalf) {
  isa::DataCopy call = Copy(src, dst, dtype);
  call.form = isa::DataCopy::kCount;
  call.params = {};
  call.count = count;
  return call;
}

/// Half to float from C1 to C2.
inline isa::DataCopy Widening() {
  isa::DataCopy call = Copy(isa::Position::kC1, isa::Position::kC2);
  call.dst.dtype = isa::DType::kFloat;
  return call;
}

}  // namespace lanediff::oracle::test
