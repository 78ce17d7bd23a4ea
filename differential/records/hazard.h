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

#include "differential/testcase/record.h"
#include "isa/rule.h"
#include "isa/step.h"
#include "isa/vocabulary.h"

/// What lint finds: docs/lint.md. `Fields` are those of its report
/// (differential/testcase/record.h).
namespace lanediff::lint {

/// One value of a call that may be wrong.
using SlotValue =
    std::variant<std::int64_t, std::uint64_t, bool, isa::DType,
                 std::optional<isa::DType>, isa::Position, isa::Layout>;

/// As a case spells it; "none" for the type of an operand that has no own one.
std::string Text(const SlotValue& value);

/// What names the bytes of a hazard or witness, where there are any.
template <class Bytes>
void BytesFields(auto& visitor, const std::optional<Bytes>& bytes) {
  const Bytes shown = bytes.value_or(Bytes());
  visitor.OptionalIf(bytes.has_value(), "memory", shown.memory);
  visitor.OptionalIf(bytes.has_value(), "at", shown.at);
  visitor.OptionalIf(bytes.has_value(), "bytes", shown.bytes);
  visitor.Together("memory", "at");
}

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
  /// DC-BARRIER, DCP-BARRIER: the step that copied there before.
  std::optional<std::size_t> earlier;

  /// "repeatTimes is 256; 0 to 255 is allowed".
  std::string text() const {
    return sentence.empty() ? found + "; " + needed : sentence;
  }

  static void Fields(auto& w, auto& v) {
    v.Required("rule", w.rule);
    v.Required("statement", w.statement, {.filled = true});
    LANEDIFF_OPTIONAL(v, w.operand, w.field);
    v.Optional("iteration", w.iteration, {.low = 0});
    v.Optional("lanes", w.lanes);
    BytesFields(v, w.bytes);
    v.Optional("earlier", w.earlier);
    LANEDIFF_REQUIRED(v, w.found, w.needed);
    v.Derived("text", [&] { return w.text(); }, {.filled = true});
  }
  bool operator==(const Witness&) const = default;
};

/// A change of one step that was tried and makes it legal where it stands.
struct Repair {
  struct Change {
    std::string field;
    std::int64_t from = 0;
    std::int64_t to = 0;

    static void Fields(auto& c, auto& v) {
      v.Required("field", c.field, {.filled = true});
      LANEDIFF_REQUIRED(v, c.from, c.to);
    }
    bool operator==(const Change&) const = default;
  };
  std::vector<Change> changes;  ///< up to `kMostChanges`
  /// Steps to put in right before this one, and right behind it: calls for
  /// iterations that the change leaves out.
  std::vector<isa::Step> before;
  std::vector<isa::Step> behind;
  /// The step as it is then.
  isa::Step step;
  std::string text;
  /// Iterations that the program has no longer.
  std::int64_t left_out = 0;
  /// Later steps that are rejected then and were not before, none if possible.
  std::vector<std::size_t> then_rejected;

  static void Fields(auto& r, auto& v) {
    v.Required("text", r.text, {.filled = true});
    v.Required("changes", r.changes);
    v.Optional("before", r.before);
    v.Optional(
        "behind", r.behind,
        {.description = "calls for iterations that the change leaves out"});
    v.Optional("then", r.then_rejected,
               {.description = "steps that are rejected then"});
  }

  bool operator==(const Repair&) const = default;
};

inline constexpr std::size_t kMostChanges = 3;
/// In place of the text of a repair that was looked for and not found.
inline constexpr std::string_view kNoRepair = "none found";

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

/// A change that was tried and takes away a hazard: another id of a flag, or
/// bytes that are written before the program.
struct HazardRepair {
  struct Change {
    std::size_t step = 0;
    std::string field;
    std::int64_t from = 0;
    std::int64_t to = 0;

    static void Fields(auto& c, auto& v) {
      v.Required("step", c.step);
      v.Required("field", c.field, {.filled = true});
      LANEDIFF_REQUIRED(v, c.from, c.to);
    }
    bool operator==(const Change&) const = default;
  };
  std::vector<Change> changes;  ///< of every step of the flag
  /// Else what the memory must hold before the program.
  struct Written {
    isa::Memory memory = isa::Memory::kUb;
    std::int64_t at = 0;
    std::int64_t bytes = 0;

    static void Fields(auto& w, auto& v) {
      v.Required("memory", w.memory);
      v.Required("at", w.at, {.low = 0});
      v.Required("bytes", w.bytes, {.low = 1});
    }
    bool operator==(const Written&) const = default;
  };
  std::vector<Written> written;
  std::string text;

  static void Fields(auto& r, auto& v) {
    v.Required("text", r.text, {.filled = true});
    v.Required("changes", r.changes);
    v.Optional("written", r.written,
               {.description = "what the memory must hold before the program"});
  }

  bool operator==(const HazardRepair&) const = default;
};

/// By the hazard's place in `Verdict::hazards`; none: looked for, none found.
using HazardRepairs = std::map<std::size_t, std::optional<HazardRepair>>;

/// One side of a hazard.
struct Place {
  std::size_t step = 0;
  std::string_view op;
  /// Of an operation in a race, and of who reads what nothing wrote.
  std::optional<isa::Pipe> pipe = std::nullopt;
  /// With the pipe: the document's name, and repeat, block or row, from 0.
  std::string_view operand = {};
  std::int64_t iteration = 0;

  static void Fields(auto& p, auto& v) {
    v.Required("step", p.step);
    v.Required("op", p.op, {.filled = true});
    LANEDIFF_OPTIONAL(v, p.pipe, p.operand);
    v.OptionalIf(!p.operand.empty(), "iteration", p.iteration, {.low = 0});
    v.Together("operand", "iteration");
  }

  bool operator==(const Place&) const = default;
};

/// The bytes of a hazard of memory.
struct HazardBytes {
  isa::Memory memory = isa::Memory::kUb;
  std::int64_t at = 0;      ///< the lowest byte
  std::int64_t bytes = 0;   ///< from there on, between the same two accesses
  std::int64_t end = 0;     ///< behind the highest byte of the same memory
  std::int64_t total = 0;   ///< of all accesses and memories
  std::int64_t folded = 0;  ///< pairs of accesses beside the first one

  bool operator==(const HazardBytes&) const = default;
};

struct Hazard {
  isa::RuleId rule;
  std::optional<HazardBytes> bytes;
  std::optional<Place> earlier;
  Place later;
  /// The missing call: steps to put in. Empty if there is none.
  std::vector<isa::Step> fix;
  /// Where each of them goes: right behind or right before a step.
  struct FixPlace {
    bool behind = false;
    std::size_t step = 0;

    static void Fields(auto& p, auto& v) {
      v.OptionalIf(p.behind, "behind", p.step);
      v.OptionalIf(!p.behind, "before", p.step);
    }
    bool operator==(const FixPlace&) const = default;
  };
  std::vector<FixPlace> fix_at;
  /// A hazard before this one has the same pair of calls at the same places.
  bool shares_fix = false;
  /// Of a rule of kernels: what was found and what is needed.
  std::string what;
  /// Of a case of kernels: what its steps are and where they were called.
  std::string where;
  /// KRN-GM-CONFLICT: the byte of GM.
  std::optional<std::int64_t> gm_byte = std::nullopt;
  /// SYNC-FLAG-ID: how many ids, from 0, the event has.
  std::int64_t ids = 0;
  /// INIT-READ: a step whose writes the reader was near (`FindCauses`).
  struct Cause {
    std::size_t step = 0;
    std::string text;

    static void Fields(auto& c, auto& v) {
      v.Required("step", c.step);
      v.Required("text", c.text, {.filled = true});
    }
    bool operator==(const Cause&) const = default;
  };
  std::optional<Cause> cause;
  /// INIT-READ, while it is found: how what is read came about.
  struct Origin {
    std::int64_t read = 0;  ///< bytes that the operand reads in the whole call
    /// The call that left the lowest byte unspecified.
    std::optional<Place> left_by;
    /// Who wrote last what is read, and how many bytes: of bytes that were
    /// computed all of them, else the other ones. Most bytes first.
    std::vector<std::pair<std::size_t, std::int64_t>> writers;
    /// What `earlier` read first.
    std::optional<HazardBytes> first;
    /// Who had written the rest of what it read there.
    std::vector<std::pair<std::size_t, std::int64_t>> first_writers;
    bool operator==(const Origin&) const = default;
  };
  std::optional<Origin> origin;

  static void Fields(auto& h, auto& v) {
    const HazardBytes shown = h.bytes.value_or(HazardBytes());
    v.Required("rule", h.rule);
    BytesFields(v, h.bytes);
    v.OptionalIf(h.bytes.has_value(), "total", shown.total,
                 {.description = "bytes of all accesses and memories"});
    v.OptionalIf(h.bytes.has_value(), "folded", shown.folded,
                 {.description = "pairs of accesses beside the first one"});
    v.Optional("earlier", h.earlier);
    v.Required("later", h.later);
    LANEDIFF_OPTIONAL(v, h.what, h.where);
    v.Required("fix", h.fix, {.description = "steps to put in"});
    v.Optional("fixAt", h.fix_at,
               {.description = "where each step of fix goes"});
    v.Optional("cause", h.cause,
               {.description = "a step that wrote next to what nothing wrote, "
                               "or would have written it"});
  }

  bool operator==(const Hazard&) const = default;
};

/// A hazard of one call, which `fix` would take away.
Hazard HazardAt(isa::RuleId rule, std::size_t step, std::string_view op,
                std::vector<isa::Step> fix);

/// Whether the one missing call of such a hazard belongs behind its step, not
/// before it.
bool IsMissingBehind(isa::RuleId rule);

/// Finds where the fixes of sorted hazards go. Flags of one event that would be
/// set twice become one pair: behind the last of the earlier steps, before the
/// first of the later ones.
void PlaceFixes(std::vector<Hazard>& hazards);

/// Output order: later step, rule, earlier step (none first), operand.
void Sort(std::vector<Hazard>& hazards);

struct RejectedStep {
  std::size_t step = 0;
  isa::RuleSet rules;

  static void Fields(auto& r, auto& v) {
    v.Required("step", r.step);
    v.Derived("rules",
              [&] {
                return std::vector<isa::RuleId>(r.rules.begin(), r.rules.end());
              },
              {.filled = true});
  }

  bool operator==(const RejectedStep&) const = default;
};

/// What lint finds in one program.
struct Verdict {
  bool racecheck = false;  ///< whether it was done
  std::vector<Hazard> hazards;
  /// What ended the program, if anything did.
  std::optional<RejectedStep> rejected;
  std::optional<std::size_t> unsupported;
  /// What follows a rejected step, as if that step did nothing.
  struct After {
    std::vector<Hazard> hazards;
    std::vector<RejectedStep> rejected;
    /// What would be open at the end: SYNC-FLAG-UNWAITED, STATE-COUNTER-LEFT. A
    /// program that a rejected step ends only reports it.
    std::vector<Hazard> at_end;
    bool empty() const {
      return hazards.empty() && rejected.empty() && at_end.empty();
    }
    bool operator==(const After&) const = default;
  };
  std::optional<After> after;
  /// Notes that executed steps get before one is rejected or unsupported, with
  /// the steps; they are no findings.
  std::map<isa::RuleId, std::vector<std::size_t>> notes;
  /// What was looked at, the part after a rejected step included.
  std::size_t operations = 0;     ///< executed steps that touch bytes
  std::int64_t bytes = 0;         ///< bytes read or written by them
  std::size_t synchronizing = 0;  ///< flag and barrier steps
  std::size_t masked = 0;         ///< masked calls

  bool clean() const { return hazards.empty() && !rejected; }
};

/// All of the program, what follows a rejected step included.
std::vector<const Hazard*> HazardsIn(const Verdict& verdict);
std::vector<RejectedStep> RejectedIn(const Verdict& verdict);

/// "reads a mask register that nothing has set": what a step does that breaks a
/// rule of flags or state; empty for every other rule.
std::string_view MessageOf(isa::RuleId rule);

/// What a rule is about, in the words of the sanitizers of other devices.
enum class Group : std::uint8_t {
  kMemcheck,
  kRacecheck,
  kInitcheck,
  kSynccheck,
  kMaskcheck,
  kLegality,
};

/// Whether `rule` is about the barriers of copies: DC-BARRIER, DCP-BARRIER.
bool IsBarrierRule(isa::RuleId rule);

/// The group of a reject rule or a hazard.
Group GroupOf(isa::RuleId rule);

}  // namespace lanediff::lint

template <>
struct lanediff::isa::Words<lanediff::lint::Group> {
  static constexpr std::array<std::string_view, 6> kSpelling = {
      "memcheck",  "racecheck", "initcheck",
      "synccheck", "maskcheck", "legality"};
};
