#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <vector>

#include "differential/testcase/case.h"
#include "isa/footprint.h"
#include "isa/step.h"

/// Where the operands of a case lie, for those who move and cut them.
namespace lanediff::diff::shrink {

/// No sane window exceeds it. What a case holds beyond it is left to the passes
/// that lower single fields.
using isa::kFarAway;

/// A call whose lanes a number or two words pick in forms of their own.
template <class Call>
concept MaskForms = requires(const Call& call) {
  Call::kContiguous;
  Call::kBitwise;
  call.mask;
  call.mask_words;
};

/// How many lanes a bitwise mask spans: those up to its last one.
std::int64_t SpanOf(const std::array<std::uint64_t, 2>& mask_words);

/// One operand or tile. The pointers are into the case it was taken from.
struct Place {
  std::size_t step = 0;
  isa::Memory memory = isa::Memory::kUb;
  isa::DType dtype = isa::DType::kUint8;
  std::int64_t* at = nullptr;
  std::int64_t* bytes = nullptr;  ///< null for a tile: see `size`
  std::int64_t size = 0;          ///< bytes of the window or tile
  /// Bytes from `at` that the call touches, read off its fields with all lanes
  /// of a mask register; absent where its fields make no sense.
  std::optional<std::int64_t> touched;
  /// Bytes from one iteration to the next.
  std::int64_t repeat_stride = 0;

  /// Whether the window can be reckoned with.
  bool sane() const {
    return *at >= 0 && *at < kFarAway && size >= 0 && size < kFarAway;
  }
  std::int64_t end() const { return *at + size; }
};

/// The operands of step `step` of `c`, in the document's order.
std::vector<Place> PlacesOf(Case& c, std::size_t step);

/// The operands of all steps.
std::vector<Place> PlacesOf(Case& c);

/// The field with the iterations of step `step`; null where it has none.
std::int64_t* RepeatField(Case& c, std::size_t step);

}  // namespace lanediff::diff::shrink
