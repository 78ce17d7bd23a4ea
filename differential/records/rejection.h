#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "isa/rule.h"
#include "isa/step.h"
#include "isa/vocabulary.h"

/// Why a step was rejected, and which change takes a finding away.
namespace lanediff::lint {

/// One value of a call that may be wrong.
using SlotValue =
    std::variant<std::int64_t, std::uint64_t, bool, isa::DType,
                 std::optional<isa::DType>, isa::Position, isa::Layout>;

/// As a case spells it; "none" for the type of an operand that has no own one.
std::string Text(const SlotValue& value);

/// What shows that a step breaks a rule: the first place where it does.
struct Witness {
  isa::RuleId rule;
  std::string_view statement;  ///< the rule in the catalogue's words
  /// The operand at fault and, where one value is at fault, its slot (see
  /// sanitizer/slots.h) or "product".
  std::string operand;
  std::string field;
  /// "repeatTimes is 256", and "0 to 255 is allowed".
  std::string found;
  std::string needed;
  /// Both in one sentence, where they read better together.
  std::string sentence;
  /// Where bytes show it: repeat, block or row, from 0; the first and the last
  /// lane, column or element; and the bytes themselves.
  std::optional<std::int64_t> iteration;
  std::optional<std::pair<std::int64_t, std::int64_t>> lanes;
  struct Bytes {
    isa::Memory memory = isa::Memory::kUb;
    std::int64_t at = 0;
    std::int64_t bytes = 0;
    bool operator==(const Bytes&) const = default;
  };
  std::optional<Bytes> bytes;
  /// DC-BARRIER: the step that copied there before.
  std::optional<std::size_t> earlier;

  /// "repeatTimes is 256; 0 to 255 is allowed".
  std::string text() const {
    return sentence.empty() ? found + "; " + needed : sentence;
  }
  bool operator==(const Witness&) const = default;
};

/// A change of one step that was tried and makes it legal where it stands.
struct Repair {
  struct Change {
    std::string field;
    SlotValue from;
    SlotValue to;
    bool operator==(const Change&) const = default;
  };
  std::vector<Change> changes;  ///< up to `kMostChanges`
  /// Steps to put in right before this one.
  std::vector<isa::Step> before;
  /// The step as it is then.
  isa::Step step;
  std::string text;
  /// Later steps that are rejected then and were not before, none if possible.
  std::vector<std::size_t> then_rejected;

  bool operator==(const Repair&) const = default;
};

inline constexpr std::size_t kMostChanges = 3;
inline constexpr std::string_view kNoRepair =
    "no change of up to 3 fields makes this legal";

/// "count 64 instead of 72 makes the call legal; step 4 is then rejected".
std::string TextOf(const Repair& repair);

/// What is reported of a rejected step.
struct Diagnosis {
  std::size_t step = 0;
  std::vector<Witness> witnesses;
  std::optional<Repair> repair;
  bool looked_for_repair = false;

  bool operator==(const Diagnosis&) const = default;
};

/// A change that was tried and takes away a hazard: flags and barriers that the
/// product does not have, or whose event, id or pipe is another one than was
/// meant, and bytes that nothing wrote.
struct HazardRepair {
  struct Change {
    std::size_t step = 0;
    std::string field;
    std::variant<std::int64_t, std::string> from;
    std::variant<std::int64_t, std::string> to;
    bool operator==(const Change&) const = default;
  };
  /// One value; of a flag that the product does not have or of a pair that
  /// orders nothing, of every step of it; event and id where both are wrong.
  std::vector<Change> changes;
  /// Else what the memory must hold before the program.
  struct Written {
    isa::Memory memory = isa::Memory::kUb;
    std::int64_t at = 0;
    std::int64_t bytes = 0;
    bool operator==(const Written&) const = default;
  };
  std::vector<Written> written;
  /// Else the step of another finding: with that one this one is gone.
  std::optional<std::size_t> follows_from;
  std::string text;

  bool operator==(const HazardRepair&) const = default;
};

inline constexpr std::string_view kNoHazardRepair =
    "no change of one value takes this away";

/// By the hazard's place in `Verdict::hazards`; none: looked for, none found.
using HazardRepairs = std::map<std::size_t, std::optional<HazardRepair>>;

}  // namespace lanediff::lint
