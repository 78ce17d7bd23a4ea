#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <vector>

#include "differential/testcase/case.h"
#include "isa/intervals.h"
#include "isa/vocabulary.h"

namespace lanediff::lint {

/// The memories that the program names and the case gives without
/// `"initialised": false`: every byte of them counts as written before the
/// program, also those that no region has.
std::vector<isa::Memory> TakenAsWritten(const Case& c);

/// The bytes that neither the start nor a step has written, and those that were
/// computed from such.
class Unwritten {
 public:
  /// Nothing was computed: no step ever wrote the byte.
  static constexpr std::int32_t kNoStep = -1;

  struct Piece {
    isa::Interval bytes;
    /// The step that first read bytes that nothing had written, on their way
    /// here; `kNoStep` for those themselves.
    std::int32_t origin = kNoStep;
    /// The call that left them unspecified; `kNoStep`: nothing wrote them.
    std::int32_t left_by = kNoStep;
    /// Of each byte the bits that are unwritten.
    std::uint8_t bits = 0xff;
  };

  /// What a step was the first to read of bytes that nothing had written.
  struct FirstRead {
    isa::Memory memory = isa::Memory::kUb;
    isa::IntervalSet bytes;
  };

  explicit Unwritten(const Case& c);

  /// Those of `bytes`, ascending.
  std::vector<Piece> In(isa::Memory memory, const isa::Interval& bytes) const {
    return In(Of(memory), bytes);
  }
  isa::IntervalSet In(isa::Memory memory, const isa::IntervalSet& bytes) const;

  /// From now on local memories are those of another block: as they were when
  /// it was left, or as at the start.
  void EnterBlock(std::int64_t block);
  /// Every block's are as at the start, and the block is 0.
  void Launch();

  void Write(isa::Memory memory, const isa::Interval& bytes) {
    Of(memory).Erase(bytes);
  }
  /// The bytes count as unwritten from now on; `left_by`: since that call.
  void Forget(isa::Memory memory, const isa::Interval& bytes,
              std::int32_t left_by = kNoStep) {
    Taint(memory, {.bytes = bytes, .left_by = left_by});
  }
  /// The bytes are as good as unwritten from now on.
  void Taint(isa::Memory memory, const Piece& piece) {
    Taint(Of(memory), piece);
  }

  /// The bits of the compare mask register: 16 bytes from 0 on.
  std::vector<Piece> InCompareMask() const { return In(CompareMask(), kMask); }
  void WriteCompareMask() { CompareMask().Erase(kMask); }
  void TaintCompareMask(const Piece& piece) { Taint(CompareMask(), piece); }

  void ReadFirst(std::int32_t step, isa::Memory memory,
                 const isa::Interval& bytes);
  /// Nothing if the step was not the first to read such bytes.
  std::optional<FirstRead> FirstReadOf(std::int32_t step) const;

 private:
  /// What `Piece` states of bytes.
  struct Trace {
    std::int32_t origin;
    std::int32_t left_by;
    std::uint8_t bits;

    bool operator==(const Trace&) const = default;
  };
  using Map = isa::IntervalMap<Trace>;

  static constexpr isa::Interval kMask{0, 16};

  static std::vector<Piece> In(const Map& map, const isa::Interval& bytes);
  static void Taint(Map& map, const Piece& piece);

  Map& Of(isa::Memory memory) {
    return memories_[static_cast<std::size_t>(memory)];
  }
  const Map& Of(isa::Memory memory) const {
    return memories_[static_cast<std::size_t>(memory)];
  }

  /// Of the memories, and of the compare mask register.
  using Maps = std::array<Map, isa::kCount<isa::Memory> + 1>;

  Map& CompareMask() { return memories_.back(); }
  const Map& CompareMask() const { return memories_.back(); }

  void Exchange(Maps maps);  ///< all but GM

  Maps memories_;
  Maps start_;
  std::int64_t block_ = 0;
  std::map<std::int64_t, Maps> left_;  ///< of the other blocks
  std::map<std::int32_t, FirstRead> first_reads_;
};

}  // namespace lanediff::lint
