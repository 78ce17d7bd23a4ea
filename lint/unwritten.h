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

  std::array<Map, isa::kCount<isa::Memory>> memories_;
};

}  // namespace lanediff::lint
