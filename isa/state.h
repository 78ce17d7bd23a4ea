#pragma once

#include <cstdint>
#include <string_view>

#include "isa/rule.h"
#include "isa/vocabulary.h"

/// The steps that set machine state instead of computing, and the rules that no
/// single instruction owns: machine state and arithmetic.
namespace lanediff::isa {

/// Sets the 128-bit vector mask register: bit i of `low` is lane i, bit i of
/// `high` is lane 64 + i.
struct SetVectorMask {
  static constexpr std::string_view kOp = "SetVectorMask";

  std::uint64_t high = 0;
  std::uint64_t low = 0;

  bool operator==(const SetVectorMask&) const = default;

  template <class Self, class Visitor>
  static void Fields(Self& s, Visitor& v) {
    v.HexWord("high", s.high);
    v.HexWord("low", s.low);
  }
};

/// Switches saturation of half arithmetic on or off.
struct SetSaturation {
  static constexpr std::string_view kOp = "SetSaturation";

  bool enabled = true;

  bool operator==(const SetSaturation&) const = default;

  template <class Self, class Visitor>
  static void Fields(Self& s, Visitor& v) {
    v.Flag("enabled", s.enabled);
  }
};

/// Waits for the copies under way on `pipe`, or on every pipe for `ALL`.
struct PipeBarrier {
  static constexpr std::string_view kOp = "PipeBarrier";

  Pipe pipe = Pipe::kAll;

  bool operator==(const PipeBarrier&) const = default;

  template <class Self, class Visitor>
  static void Fields(Self& s, Visitor& v) {
    v.Word("pipe", s.pipe);
  }
};

namespace state {
inline constexpr RuleId kMaskRegister{"STATE-MASK-REGISTER"};
inline constexpr RuleId kSaturation{"STATE-SATURATION"};
inline constexpr RuleId kSaturationProduct{"STATE-SATURATION-PRODUCT"};
}  // namespace state

namespace arith {
inline constexpr RuleId kRound{"ARITH-ROUND"};
inline constexpr RuleId kSubnormal{"ARITH-SUBNORMAL"};
inline constexpr RuleId kZeroSign{"ARITH-ZERO-SIGN"};
inline constexpr RuleId kNan{"ARITH-NAN"};
}  // namespace arith

}  // namespace lanediff::isa
