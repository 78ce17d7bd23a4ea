#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "emulator/emulator.h"
#include "isa/memories.h"
#include "isa/step.h"
#include "isa/vocabulary.h"
#include "tools/bench/row.h"

namespace lanediff::bench {

/// Memories of one machine with an emulator on them: GM of 1 MiB, UB and L1 as
/// large as the product's, all random and aligned to pages.
class Board {
 public:
  Board(isa::Product product, const emulator::Seams& seams);

  isa::Product product() const { return product_; }
  isa::Memories memories() const { return memories_; }
  emulator::Emulator& emulator() { return emulator_; }
  const emulator::Seams& seams() const { return seams_; }

  /// The elements from byte `at` of `memory` on.
  template <class T>
  T* At(isa::Memory memory, std::int64_t at) {
    return reinterpret_cast<T*>(memories_[memory].data() + at);
  }
  template <class T>
  T* Ub(std::int64_t at) {
    return At<T>(isa::Memory::kUb, at);
  }
  template <class T>
  std::span<T> Ub(std::int64_t at, std::size_t count) {
    return {Ub<T>(at), count};
  }

 private:
  struct Free {
    void operator()(std::uint8_t* bytes) const;
  };
  isa::Memories Allocate();

  isa::Product product_;
  std::vector<std::unique_ptr<std::uint8_t[], Free>> owned_;
  isa::Memories memories_;
  emulator::Seams seams_;
  emulator::Emulator emulator_;
};

/// What one run of a row's work executes.
using Steps = std::vector<isa::Step>;

/// Executes `steps` on the board's emulator, again and again.
std::function<void()> Executes(std::shared_ptr<Board> board, Steps steps);

/// Runs `steps` on a new emulator and on a new oracle from the same memories,
/// twice in a row; returns how they differ, or the rejected step. Leaves
/// the emulator's results in the board.
std::string CheckAgainstOracle(Board& board, const Steps& steps);

/// A row that executes `steps`, held against `yardstick` (may be empty), which
/// writes what the emulator writes to the same place unless `same_bytes` is
/// false.
Prepared OnEmulator(std::shared_ptr<Board> board, Steps steps,
                    std::function<void()> yardstick, bool same_bytes = true);

}  // namespace lanediff::bench
