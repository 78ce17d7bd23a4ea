#pragma once

#include <cstddef>
#include <cstdint>
#include <cstdlib>
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

// Data of a fixed seed: the same in every run.

/// What operands hold.
enum class Data : std::uint8_t {
  kFinite,    ///< any finite bits, all exponents alike; integers: any bits
  kNearOne,   ///< between 0.9 and 1.1 or their negatives: products stay normal;
              ///< integers: -128 to 128
  kSpecials,  ///< one in eight NaN, ±inf, ±0, subnormal or the largest, the
              ///< rest finite
};

/// The bits of elements.
std::vector<std::uint64_t> Elements(isa::DType type, std::size_t count,
                                    Data data, std::uint64_t seed);
/// Fills memory with elements.
void Fill(std::span<std::uint8_t> bytes, isa::DType type, Data data,
          std::uint64_t seed);

/// Memories of one machine with an emulator on them: GM of 1 MiB, UB and L1 as
/// large as the product's, one after the other, all random and aligned to
/// pages.
class Board {
 public:
  Board(isa::Product product, const emulator::Seams& seams);

  isa::Product product() const { return product_; }
  emulator::Emulator& emulator() { return emulator_; }
  const emulator::Seams& seams() const { return seams_; }
  std::span<std::uint8_t> bytes() const { return {owned_.get(), size_}; }
  isa::Memories memories() const { return View(bytes()); }
  /// `bytes`, as many as the board has, as its memories.
  isa::Memories View(std::span<std::uint8_t> bytes) const;

  /// The bytes from `at` on.
  std::span<std::uint8_t> Ub(std::int64_t at, std::int64_t count) const {
    return memories()[isa::Memory::kUb].subspan(
        static_cast<std::size_t>(at), static_cast<std::size_t>(count));
  }
  /// The elements from byte `at` on.
  template <class T = std::uint8_t>
  T* Ub(std::int64_t at) const {
    return reinterpret_cast<T*>(memories()[isa::Memory::kUb].data() + at);
  }

 private:
  struct Free {
    void operator()(std::uint8_t* bytes) const { std::free(bytes); }
  };

  isa::Product product_;
  std::size_t size_;
  std::unique_ptr<std::uint8_t[], Free> owned_;
  emulator::Seams seams_;
  emulator::Emulator emulator_;
};

/// What one run of a row's work executes.
using Steps = std::vector<isa::Step>;

/// Executes `steps` on the board's emulator, again and again.
std::function<void()> Executes(std::shared_ptr<Board> board, Steps steps);

/// A row that executes `steps`, held against `yardstick` (may be empty), which
/// writes what the emulator writes to the same place unless `same_bytes` is
/// false. Its check runs `steps` twice in a row on a new emulator and on a new
/// oracle from the same memories.
Prepared OnEmulator(std::shared_ptr<Board> board, Steps steps,
                    std::function<void()> yardstick, bool same_bytes = true);

}  // namespace lanediff::bench
