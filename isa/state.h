#pragma once

#include <cstdint>
#include <string_view>

#include "isa/operand.h"
#include "isa/rule.h"
#include "isa/vocabulary.h"

/// The steps that set machine state or move one element instead of computing,
/// and the rules that no single instruction owns: machine state and arithmetic.
namespace lanediff::isa {

/// Sets the 128-bit vector mask register: bit i of `low` is lane i, bit i of
/// `high` is lane 64 + i.
struct SetVectorMask {
  static constexpr std::string_view kOp = "SetVectorMask";

  std::uint64_t high = 0;
  std::uint64_t low = 0;

  bool operator==(const SetVectorMask&) const = default;

  static void Fields(auto& s, auto& v) {
    v.HexWord("high", s.high);
    v.HexWord("low", s.low);
  }
};

/// Switches saturation of half arithmetic on or off.
struct SetSaturation {
  static constexpr std::string_view kOp = "SetSaturation";

  bool enabled = true;

  bool operator==(const SetSaturation&) const = default;

  static void Fields(auto& s, auto& v) { v.Flag("enabled", s.enabled); }
};

/// Holds what comes later on `pipe` up until all that is there has ended; on
/// every pipe for `ALL`.
struct PipeBarrier {
  static constexpr std::string_view kOp = "PipeBarrier";

  Pipe pipe = Pipe::kAll;

  bool operator==(const PipeBarrier&) const = default;

  static void Fields(auto& s, auto& v) { v.Word("pipe", s.pipe); }
};

/// Pipe P of event P_Q sets the flag `id` once what it has been given has
/// ended.
struct SetFlag {
  static constexpr std::string_view kOp = "SetFlag";

  Event event = Event::kMte2V;
  std::int64_t id = 0;  ///< any; which are legal is the product's affair

  bool operator==(const SetFlag&) const = default;

  static void Fields(auto& s, auto& v) {
    v.Word("event", s.event);
    v.Integer("id", s.id);
  }
};

/// Pipe Q of event P_Q waits for the flag `id` and takes it.
struct WaitFlag {
  static constexpr std::string_view kOp = "WaitFlag";

  Event event = Event::kMte2V;
  std::int64_t id = 0;

  bool operator==(const WaitFlag&) const = default;

  static void Fields(auto& s, auto& v) {
    v.Word("event", s.event);
    v.Integer("id", s.id);
  }
};

/// Reads the element at `src.at + index·sizeof(T)`. Nothing is done with it.
struct GetValue {
  static constexpr std::string_view kOp = "GetValue";

  DType dtype = DType::kHalf;
  Operand src;
  std::int64_t index = 0;

  bool operator==(const GetValue&) const = default;

  static void Fields(auto& s, auto& v) {
    v.Word("dtype", s.dtype);
    v.Operand("src", s.src);
    v.Integer("index", s.index);
  }
};

/// Writes `value` to the element at `dst.at + index·sizeof(T)`.
struct SetValue {
  static constexpr std::string_view kOp = "SetValue";

  DType dtype = DType::kHalf;
  Operand dst;
  std::int64_t index = 0;
  std::uint64_t value = 0;  ///< the element's bits, zero above its width

  bool operator==(const SetValue&) const = default;

  static void Fields(auto& s, auto& v) {
    v.Word("dtype", s.dtype);
    v.Operand("dst", s.dst);
    v.Integer("index", s.index);
    v.Element("value", s.dtype, s.value);
  }
};

/// A step without fields. `Tag` has its word.
template <class Tag>
struct BareStep {
  static constexpr std::string_view kOp = Tag::kOp;

  bool operator==(const BareStep&) const = default;

  static void Fields(auto&, auto&) {}
};

struct SetMaskCountTag {
  static constexpr std::string_view kOp = "SetMaskCount";
};
struct SetMaskNormTag {
  static constexpr std::string_view kOp = "SetMaskNorm";
};
struct ResetMaskTag {
  static constexpr std::string_view kOp = "ResetMask";
};
/// Counter mode: the mask is a number of elements.
using SetMaskCount = BareStep<SetMaskCountTag>;
/// Normal mode: the mask selects which lanes take part.
using SetMaskNorm = BareStep<SetMaskNormTag>;
/// Sets the vector mask register to all ones.
using ResetMask = BareStep<ResetMaskTag>;

namespace state {
inline constexpr RuleId kMaskRegister{"STATE-MASK-REGISTER"};
inline constexpr RuleId kSaturation{"STATE-SATURATION"};
inline constexpr RuleId kSaturationProduct{"STATE-SATURATION-PRODUCT"};
inline constexpr RuleId kMaskProduct{"STATE-MASK-PRODUCT"};
inline constexpr RuleId kMaskMode{"STATE-MASK-MODE"};
inline constexpr RuleId kMaskUnknown{"STATE-MASK-UNKNOWN"};
/// One call runs under masks that different places set.
inline constexpr RuleId kMaskDrift{"MASK-DRIFT"};
inline constexpr RuleId kModeUnknown{"STATE-MODE-UNKNOWN"};
inline constexpr RuleId kMaskLeftover{"STATE-MASK-LEFTOVER"};
inline constexpr RuleId kMaskCounter{"STATE-MASK-COUNTER"};
inline constexpr RuleId kCounterLeft{"STATE-COUNTER-LEFT"};
/// Of operands in the part of UB that is not the kernel's.
inline constexpr RuleId kUbReserved{"STATE-UB-RESERVED"};
}  // namespace state

/// What orders operations, and what nothing orders.
namespace sync {
inline constexpr RuleId kHappensBefore{"SYNC-HB"};
inline constexpr RuleId kAuto{"SYNC-AUTO"};
inline constexpr RuleId kRaw{"SYNC-RAW"};
inline constexpr RuleId kWar{"SYNC-WAR"};
inline constexpr RuleId kWaw{"SYNC-WAW"};
inline constexpr RuleId kInitRead{"INIT-READ"};
/// Of what a queue's buffer still has from an earlier use.
inline constexpr RuleId kInitStale{"INIT-STALE"};
/// Of an output argument's bytes that no block wrote.
inline constexpr RuleId kInitOutput{"INIT-OUTPUT"};
inline constexpr RuleId kFlagReserved{"SYNC-FLAG-RESERVED"};
inline constexpr RuleId kFlagPipe{"SYNC-FLAG-PIPE"};
inline constexpr RuleId kFlagId{"SYNC-FLAG-ID"};
inline constexpr RuleId kFlagTwice{"SYNC-FLAG-TWICE"};
inline constexpr RuleId kFlagUnset{"SYNC-FLAG-UNSET"};
inline constexpr RuleId kFlagUnwaited{"SYNC-FLAG-UNWAITED"};
inline constexpr RuleId kBarrierPipe{"SYNC-BARRIER-PIPE"};
}  // namespace sync

namespace scalar {
inline constexpr RuleId kProduct{"SCALAR-PRODUCT"};
inline constexpr RuleId kPosition{"SCALAR-POSITION"};
inline constexpr RuleId kAlign{"SCALAR-ALIGN"};
inline constexpr RuleId kIndex{"SCALAR-INDEX"};
inline constexpr RuleId kBounds{"SCALAR-BOUNDS"};
}  // namespace scalar

namespace arith {
inline constexpr RuleId kRound{"ARITH-ROUND"};
inline constexpr RuleId kSubnormal{"ARITH-SUBNORMAL"};
inline constexpr RuleId kZeroSign{"ARITH-ZERO-SIGN"};
inline constexpr RuleId kNan{"ARITH-NAN"};
}  // namespace arith

}  // namespace lanediff::isa
