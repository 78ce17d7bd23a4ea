#pragma once

#include <cstdint>
#include <expected>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "differential/targets/target.h"
#include "differential/testcase/record.h"
#include "reports/audit_record.h"
#include "reports/character_record.h"

/// The target of a run, as reported.
namespace lanediff::reports {

/// One line on what a target can do.
struct CapabilityRecord {
  std::string field;  ///< as in a hello, such as "instructions"
  std::string value;

  static void Fields(auto& c, auto& v) {
    v.Required("field", c.field, kFilled);
    v.Required("says", c.value, kFilled);
  }
};

/// What it does where documents are silent: one question of `characterise`.
struct TraitRecord {
  std::string question;
  std::vector<std::string> answers;  ///< a line each

  static void Fields(auto& t, auto& v) {
    v.Required("question", t.question, kFilled);
    v.Required("answers", t.answers, kFilled);
  }
};

struct TargetRecord {
  std::string name;     ///< its own, of one that is not ours; else empty
  std::string version;  ///< likewise
  std::vector<CapabilityRecord> capabilities;
  bool legal_only = false;  ///< calls that the documents refuse were left out
  bool names_no_rules = false;  ///< nor why it refuses a call, if it does
  std::vector<TraitRecord> character;
  std::string no_character;  ///< why there is none, in one line
  /// What the character shows of rules; no part of a report.
  std::vector<audit::Measurement> measured;

  static void Fields(auto& t, auto& v) {
    LANEDIFF_REQUIRED(v, t.name, t.version, t.capabilities, t.legal_only);
    v.Optional("namesNoRules", t.names_no_rules,
               {.description = "what it refuses counts as right only where it "
                               "executes legal calls of the instruction"});
    v.Required("character", t.character);
    v.Optional("noCharacter", t.no_character);
  }
};

/// The first bytes of `text`, whole characters of UTF-8, "…" behind them where
/// some are left out: the text of a target may be megabytes.
std::string Shortened(std::string_view text, std::size_t most_bytes);

/// Without a character.
TargetRecord DescribeTarget(const diff::Target& target);

/// The questions that were answered, in the order of characterise.
std::vector<TraitRecord> TraitsOf(const character::Character& character);

/// Makes `character` that of `record`, but for what is measured.
void SetCharacter(const character::Character& character, TargetRecord& record);

/// The character in a document of `characterise`; nothing where it is none.
std::optional<character::Character> CharacterIn(const std::string& json);

/// What `characterise --json` left in `file` of `target`. The error is one line
/// that names the option; the character of another target is one.
std::expected<character::Character, std::string> ReadCharacter(
    const std::string& file, std::string_view target);

/// A target as lines of sums name it: "emulator (avx2)", with the vectors that
/// were chosen for the emulator that leaves the choice open.
std::string TargetText(const std::string& target, const std::string& vectors);

/// Its own name and version in a line; empty if it reports no name.
std::string TargetLine(const TargetRecord& record, std::string_view target);

struct TargetCoverageRecord {
  std::uint64_t counters = 0;
  std::uint64_t places = 0;
  std::uint64_t reached = 0;
  std::string which;

  static void Fields(auto& c, auto& v) {
    v.Required("counters", c.counters,
               {.description =
                    "that the library has; 0 where it is not instrumented"});
    v.Required(
        "places", c.places,
        {.description =
             "that are distinct: as many, or fewer in which they are folded"});
    v.Required("reached", c.reached);
    v.Required(
        "which", c.which,
        {.description =
             "numbers of the places that were reached, as ranges: 0-5 7 9-12"});
  }
};

/// Of a library with `counters`, of which `reached` were.
TargetCoverageRecord TargetCoverageOf(std::uint64_t counters,
                                      const std::set<std::uint64_t>& reached);

/// What two runs of one library reached together. Of libraries that differ, the
/// one that reached more.
TargetCoverageRecord Join(const TargetCoverageRecord& a,
                          const TargetCoverageRecord& b);

/// "target's own coverage: 37 of 112 counters", as a line.
std::string TargetCoverageText(const TargetCoverageRecord& record);

}  // namespace lanediff::reports
