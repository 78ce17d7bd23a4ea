#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <vector>

#include "case/case.h"
#include "isa/vocabulary.h"
#include "lint/ranges.h"

namespace lanediff::lint {

/// The memories that the program names and the case gives without
/// `"initialised": false`: every byte of them counts as written before the
/// program, also those that no region has.
std::vector<isa::Memory> TakenAsWritten(const Case& c);

/// The bytes that neither the start nor a step has written, and those that were
/// computed from such.
class Unwritten {
 public:
  /// Nothing was computed: nobody ever wrote the byte.
  static constexpr std::int32_t kNobody = -1;

  struct Piece {
    Range bytes;
    /// The step that first read bytes that nothing had written, on their way
    /// here; `kNobody` for those themselves.
    std::int32_t origin = kNobody;
  };

  explicit Unwritten(const Case& c);

  /// Those of `bytes`, ascending.
  std::vector<Piece> In(isa::Memory memory, const Range& bytes) const;
  RangeList In(isa::Memory memory, const RangeList& bytes) const;

  /// From now on local memories are those of another block: as they were when
  /// it was left, or as at the start.
  void EnterBlock(std::int64_t block);
  /// Every block's are as at the start, and the block is 0.
  void Launch();

  void Write(isa::Memory memory, const Range& bytes);
  /// The bytes are as good as unwritten from now on.
  void Taint(isa::Memory memory, const Piece& piece);

 private:
  struct Rest {
    std::int64_t end;
    std::int32_t origin;
  };
  using Map = std::map<std::int64_t, Rest>;

  Map& Of(isa::Memory memory) {
    return memories_[static_cast<std::size_t>(memory)];
  }
  const Map& Of(isa::Memory memory) const {
    return memories_[static_cast<std::size_t>(memory)];
  }

  using Maps = std::array<Map, isa::kCount<isa::Memory>>;

  void Exchange(Maps maps);  ///< all but GM

  Maps memories_;
  Maps start_;
  std::int64_t block_ = 0;
  std::map<std::int64_t, Maps> left_;  ///< of the other blocks
};

}  // namespace lanediff::lint
