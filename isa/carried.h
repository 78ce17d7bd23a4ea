#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "isa/operand.h"
#include "isa/rule.h"
#include "isa/vocabulary.h"

/// A call that has no rules of its own: what it read and wrote when it ran
/// stands in the step, and replaying it writes the bytes again.
namespace lanediff::isa {

/// What an unaudited call names an operand. New ones come last.
enum class OperandName : std::uint8_t {
  kDst,
  kDst1,
  kSrc,
  kSrc0,
  kSrc1,
  kSrc2,
  kSrc3,
  kTmp,
  kMask,
  kOffset,
};

template <>
struct Words<OperandName> {
  static constexpr std::array<std::string_view, 10> kSpelling = {
      "dst",  "dst1", "src", "src0", "src1",
      "src2", "src3", "tmp", "mask", "offset"};
};

/// What the page of a call states of an integer parameter, both ends included.
struct ParameterRange {
  std::int64_t low = 0;
  std::int64_t high = 0;

  bool operator==(const ParameterRange&) const = default;
};

/// A parameter or argument by its name.
struct Argument {
  std::string name;
  std::variant<std::int64_t, std::string> value;
  /// Of an unaudited call's integer; absent where no page states any.
  std::optional<ParameterRange> range = std::nullopt;

  bool operator==(const Argument&) const = default;
};
using Arguments = std::vector<Argument>;

/// The argument called so; null if there is none.
const Argument* Find(const Arguments& arguments, std::string_view name);
/// Its integer, or its text; none, or "", where it is no such.
std::optional<std::int64_t> IntegerOf(const Arguments& arguments,
                                      std::string_view name);
std::string_view TextOf(const Arguments& arguments, std::string_view name);

struct CarriedOperand {
  OperandName name = OperandName::kDst;
  Operand operand;
  /// Where the call's page requires other multiples, in bytes, than KRN-ALIGN
  /// does: 1 to 512.
  std::optional<std::int64_t> align = std::nullopt;

  bool operator==(const CarriedOperand&) const = default;
};
using CarriedOperands = std::vector<CarriedOperand>;

/// Bytes that iteration `iteration`, from 0, read. Any numbers. `operand` is
/// whose they are; else what the windows determine (oracle/carried.cc).
struct CarriedRead {
  Memory memory = Memory::kUb;
  std::int64_t at = 0;
  std::int64_t bytes = 0;
  std::int64_t iteration = 0;
  std::optional<OperandName> operand = std::nullopt;

  bool operator==(const CarriedRead&) const = default;

  static void Fields(auto& s, auto& v) {
    v.Word("memory", s.memory);
    v.Integer("at", s.at);
    v.Integer("bytes", s.bytes);
    v.Iteration("iteration", s.iteration);
    v.OptionalWord("operand", s.operand);
  }
};
using CarriedReads = std::vector<CarriedRead>;

/// Bytes that iteration `iteration` wrote.
struct CarriedWrite {
  Memory memory = Memory::kUb;
  std::int64_t at = 0;
  std::vector<std::uint8_t> bytes;
  std::int64_t iteration = 0;
  /// Instead of `bytes`, which are empty then: how many there were, of a call
  /// of which it doesn't matter what they were. They are replayed as zeros.
  std::int64_t count = 0;
  std::optional<OperandName> operand = std::nullopt;

  std::int64_t size() const {
    return bytes.empty() ? count : static_cast<std::int64_t>(bytes.size());
  }
  bool operator==(const CarriedWrite&) const = default;

  static void Fields(auto& s, auto& v) {
    v.Word("memory", s.memory);
    v.Integer("at", s.at);
    v.Written("hex", s);
    v.Iteration("iteration", s.iteration);
    v.OptionalWord("operand", s.operand);
  }
};
using CarriedWrites = std::vector<CarriedWrite>;

/// The word of a case for an unknown register.
inline constexpr std::string_view kUnknownMask = "unknown";

/// What the call has to do with the vector mask register (STATE-*).
struct CarriedMask {
  bool masked = false;      ///< a mask chooses its lanes
  bool is_set_mask = true;  ///< its own; else the register's
  /// The register behind it, lanes 0 to 63 and 64 to 127; absent: as before.
  std::optional<std::array<std::uint64_t, 2>> leaves = std::nullopt;
  /// No page states what the register is behind it. It is replayed as all ones.
  bool leaves_unknown = false;
  bool sets_normal = false;  ///< the mode is normal behind it

  bool operator==(const CarriedMask&) const = default;

  static void Fields(auto& s, auto& v) {
    v.Flag("masked", s.masked, false);
    v.Flag("isSetMask", s.is_set_mask, true);
    v.Leaves("leaves", s);
    v.Flag("setsNormal", s.sets_normal, false);
  }
};

/// The call `name` on `pipe`. Replaying it writes `writes`, in their order,
/// unless it breaks a reject rule of `carried` below. Names of operands and of
/// parameters are each given once.
struct Carried {
  static constexpr std::string_view kOp = "Carried";

  std::string name;
  Pipe pipe = Pipe::kV;
  Arguments parameters;
  CarriedMask mask;
  CarriedOperands operands;
  CarriedReads reads;
  CarriedWrites writes;

  bool operator==(const Carried&) const = default;

  static void Fields(auto& s, auto& v) {
    v.Part("name", s.name);
    v.Word("pipe", s.pipe);
    v.Part("parameters", s.parameters);
    v.Part("mask", s.mask);
    v.Part("operands", s.operands);
    v.Part("reads", s.reads);
    v.Part("writes", s.writes);
  }
};

/// Reject rules of unaudited calls, and what else is reported of them.
namespace carried {
/// `at` of a window must be a multiple of so many bytes: what the operand
/// states; else 1 in GM, and for the results of Whole… and Reduce… (except
/// BlockReduce… and PairReduce…, whose names begin otherwise) the operand's
/// element, for those of BlockReduce… of half 16; else 32. Elements are of the
/// operand's own `dtype`, bytes where it has none.
inline constexpr RuleId kBounds{"KRN-BOUNDS"};
inline constexpr RuleId kAlign{"KRN-ALIGN"};
inline constexpr RuleId kRange{"KRN-RANGE"};
/// The step has what its page does not list (`unlisted product`, `unlisted
/// dtype`, docs/case-format.md).
inline constexpr RuleId kProduct{"KRN-PRODUCT"};
inline constexpr RuleId kDtype{"KRN-DTYPE"};
inline constexpr RuleId kOverlap{"KRN-OVERLAP"};
/// What an operand holds: offsets that are multiples of an element, sources
/// that are sorted.
inline constexpr RuleId kContents{"KRN-CONTENTS"};
}  // namespace carried

}  // namespace lanediff::isa
