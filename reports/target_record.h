#pragma once

#include <expected>
#include <optional>
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

  template <class Self, class Visitor>
  static void Fields(Self& c, Visitor& v) {
    v.Required("field", c.field, kFilled);
    v.Required("says", c.value, kFilled);
  }
};

/// What it does where documents are silent: one question of `characterise`.
struct TraitRecord {
  std::string question;
  std::vector<std::string> answers;  ///< a line each

  template <class Self, class Visitor>
  static void Fields(Self& t, Visitor& v) {
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

  template <class Self, class Visitor>
  static void Fields(Self& t, Visitor& v) {
    v.Required("name", t.name);
    v.Required("version", t.version);
    v.Required("capabilities", t.capabilities);
    v.Required("legalOnly", t.legal_only);
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

/// Its own name and version in a line; empty if it reports no name.
std::string TargetLine(const TargetRecord& record, std::string_view target);

}  // namespace lanediff::reports
