#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "differential/testcase/case.h"
#include "isa/access.h"
#include "isa/rule.h"
#include "isa/step.h"
#include "isa/vocabulary.h"

/// Where the bytes are for which a call is rejected.
namespace lanediff::view {

/// The bytes that the call gives to an operand, whether it touches them or not.
struct Window {
  std::string operand;
  isa::Position position = isa::Position::kGm;
  isa::Memory memory = isa::Memory::kGm;
  isa::DType dtype = isa::DType::kUint8;
  std::int64_t at = 0;
  /// Of a tile, rows · cols elements; at most 2^63 - 1.
  std::int64_t bytes = 0;

  /// One past the last byte, at most 2^63 - 1.
  std::int64_t end() const;

  bool operator==(const Window&) const = default;
};

/// The operands' and tiles' windows of `step` on `product`, in the document's
/// order.
std::vector<Window> WindowsOf(const isa::Step& step, isa::Product product);

/// Bytes that two windows of a call have in common.
struct SharedBytes {
  std::string first;  ///< the operands
  std::string second;
  isa::Memory memory = isa::Memory::kGm;
  std::int64_t at = 0;
  std::int64_t bytes = 0;

  bool operator==(const SharedBytes&) const = default;
};

std::vector<SharedBytes> SharedBytesOf(const std::vector<Window>& windows);

/// What one of the two does with the bytes that they share, in step `step`.
struct CollidingAccess : isa::Access {
  std::size_t step = 0;
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
