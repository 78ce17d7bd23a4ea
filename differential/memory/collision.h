#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "differential/testcase/case.h"
#include "isa/rule.h"
#include "isa/vocabulary.h"

/// Where the bytes are for which a call is rejected.
namespace lanediff::view {

/// What one of the two does with the bytes that they share.
struct CollidingAccess {
  std::string operand;
  bool write = false;
  std::size_t step = 0;
  std::int64_t iteration = 0;
  std::int64_t at = 0;  ///< all its bytes, not only the shared ones
  std::int64_t bytes = 0;

  bool operator==(const CollidingAccess&) const = default;
};

/// The first two accesses that a rule forbids to share bytes, in the order in
/// which they would run.
struct Collision {
  isa::Memory memory = isa::Memory::kUb;
  CollidingAccess first;
  CollidingAccess second;
  std::int64_t at = 0;  ///< the shared bytes
  std::int64_t bytes = 0;
  /// TRP-OVERLAP: the tiles themselves, used or not; nothing is written, and
  /// steps and iterations mean nothing.
  bool whole_tiles = false;
  /// The two are one block in place, which is forbidden only because others are
  /// not.
  bool others_are_not_in_place = false;
  std::string_view iteration_word = "iteration";  ///< or "block"
};

/// The first collision for which step `step` of `c` breaks `rule`. Nothing
/// where the rule does not speak of bytes shared, or earlier steps don't run.
std::optional<Collision> FindCollision(const Case& c, std::size_t step,
                                       isa::RuleId rule);

/// "block 0 writes dst [0, 32) and block 1 reads src [0, 64): UB [0, 32) is
/// shared".
std::string Text(const Collision& collision);

}  // namespace lanediff::view
