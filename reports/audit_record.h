#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <tuple>
#include <variant>
#include <vector>

#include "differential/records/shard.h"
#include "differential/testcase/case.h"
#include "differential/testcase/record.h"
#include "isa/catalogue.h"
#include "isa/rule.h"
#include "isa/vocabulary.h"

/// The result of an audit: of each rule and product a verdict, its evidence and
/// cases to replay. Printers show this record and compute nothing.
namespace lanediff::audit {

/// What a target makes of a rule, from best to worst within each kind.
enum class Verdict : std::uint8_t {
  kEnforced,      ///< reject rule: what breaks it is refused, naming it
  kTolerated,     ///< reject rule: never refused, runs as addresses go on
  kViolated,      ///< reject rule: runs otherwise, refuses what is allowed, …
  kConfirmed,     ///< note or semantics rule: every case as documented, but
                  ///< for those that another rule explains better
  kContradicted,  ///< note or semantics rule: some case otherwise
  kNotExercised,  ///< nothing was compared; the cell holds why
  kSuspected,     ///< semantics rule: explains wrong results as well as who is
                  ///< blamed; or most that rest on it are wrong, by others
};

/// What one step of a target shows about one rule.
enum class Showing : std::uint8_t {
  // The step breaks the rule.
  kRefused,           ///< refused, the rule among those named
  kRefusedOtherwise,  ///< refused, the rule not among those named
  kRanAsExtended,     ///< not refused: every byte as the addresses go on
  kRanUndefined,      ///< not refused: no extension is defined; wrote only
                      ///< inside its operands
  kRanOtherwise,      ///< not refused: bytes other than the extension's
  kWroteOutside,      ///< not refused: wrote outside its operands
  // The step keeps the rule.
  kAccepted,      ///< the rule is not named
  kRefusedLegal,  ///< refused, naming the rule
  // Note and semantics rules.
  kAsDocumented,  ///< noted, or computed, as the rule states
  kDifferently,
  // Either side.
  kCrashed,
  kHung,
};

/// On which side of a rule a case stands.
enum class Side : std::uint8_t { kBreaks, kKeeps, kNotes, kApplies };

/// How a target reads a place at which documents disagree.
enum class Follows : std::uint8_t { kChosen, kOther, kNeither, kUndecided };

/// What stands against a reading of a document.
enum class Question : std::uint8_t {
  kItself,   ///< another place of the same document
  kAnother,  ///< another document, or a newer one of the same interface
  kSilent,   ///< nothing: the document leaves the question open
};

}  // namespace lanediff::audit

template <>
struct lanediff::isa::Words<lanediff::audit::Verdict> {
  static constexpr std::array<std::string_view, 7> kSpelling = {
      "enforced",     "tolerated",     "violated", "confirmed",
      "contradicted", "not exercised", "suspected"};
};

template <>
struct lanediff::isa::Words<lanediff::audit::Showing> {
  static constexpr std::array<std::string_view, 12> kSpelling = {
      "refused",       "refused otherwise", "ran as extended", "ran, undefined",
      "ran otherwise", "wrote outside",     "accepted",        "refused legal",
      "as documented", "differently",       "crashed",         "hung"};
};

template <>
struct lanediff::isa::Words<lanediff::audit::Side> {
  static constexpr std::array<std::string_view, 4> kSpelling = {
      "breaks", "keeps", "notes", "applies"};
};

template <>
struct lanediff::isa::Words<lanediff::audit::Follows> {
  static constexpr std::array<std::string_view, 4> kSpelling = {
      "chosen", "other", "neither", "undecided"};
};

template <>
struct lanediff::isa::Words<lanediff::audit::Question> {
  static constexpr std::array<std::string_view, 3> kSpelling = {
      "the document against itself", "against another document", "silent"};
};

namespace lanediff::audit {

/// How often each showing was seen; those never seen are left out of documents.
struct ShowingCounts : std::array<std::uint64_t, isa::kCount<Showing>> {
  static void Fields(auto& c, auto& v) {
    for (std::size_t i = 0; i < c.size(); ++i) {
      v.Optional(isa::Words<Showing>::kSpelling[i], c[i], {.low = 1});
    }
  }
};

/// One reading of a place at which documents disagree.
struct Reading {
  std::string text;  ///< in our own words
  /// A citation (isa/catalogue.h); empty where it is an assumption.
  std::string document;
  std::string quote = {};  ///< as that of an `isa::Source`

  static void Fields(auto& r, auto& v) {
    LANEDIFF_REQUIRED(v, r.text, r.document);
    v.Optional("quote", r.quote);
  }
};

/// A reading that was not chosen.
struct OtherReading : Reading {
  /// One word for it, in messages and in the name of the file that holds the
  /// result: `audit/ambiguities/readings/NAME.WORD.json`.
  std::string word;

  static void Fields(auto& r, auto& v) {
    v.Required("word", r.word);
    Reading::Fields(r, v);
  }
};

struct Disagreement {
  std::string id;  ///< such as "DOC-RRS-35604"
  Question kind = Question::kSilent;
  std::string title;
  std::vector<isa::RuleId> rules;  ///< that rest on the chosen reading
  Reading chosen;
  std::vector<OtherReading> others;
  std::string why;  ///< the chosen one was chosen
  /// Of `kLegalCalls` legal calls made at random of each instruction: how many
  /// come out otherwise by another reading.
  std::uint64_t differ = 0;
  /// NAME of each `corpus/disagreements/NAME.json`, with a file for each other
  /// reading: after the first, of the same question for other instructions.
  std::vector<std::string> cases;
  std::string undecidable;  ///< why no case separates the readings, then

  static void Fields(auto& d, auto& v) {
    LANEDIFF_REQUIRED(v, d.id, d.kind, d.title, d.rules, d.chosen, d.others,
                      d.why);
    LANEDIFF_OPTIONAL(v, d.differ, d.cases, d.undecidable);
  }
};

inline constexpr std::uint64_t kLegalCalls = 1000;

/// A set of conditions that hold together, a bit each; 0: any call.
using Conditions = std::uint64_t;

/// What questions of their own, those of `characterise`, found of a rule.
struct Measurement {
  std::string_view rule;
  Conditions conditions = 0;     ///< of the calls that it speaks of
  bool follows = false;          ///< these calls are as the rule has it
  std::string text;              ///< what was found, and what the rule has
  std::vector<Case> cases = {};  ///< that show it, if the rule is not followed
};

/// A case that is evidence, saved beside the report.
struct Evidence {
  std::string id;    ///< of the case
  std::string file;  ///< relative to the report
  Side side = Side::kBreaks;
  std::string what;  ///< what the case was made for, in words
  Showing showing = Showing::kRefused;
  std::string message;    ///< of a bad showing: expected and found
  std::string signature;  ///< of a bad showing
  std::string reproduce;  ///< the command that shows it again
  /// A call that the documents refuse, run by a target that declares no checks:
  /// no defect, whatever came out.
  bool tolerated = false;

  static void Fields(auto& e, auto& v) {
    LANEDIFF_REQUIRED(v, e.id, e.file, e.side, e.what, e.showing, e.message,
                      e.signature, e.reproduce, e.tolerated);
  }
};

/// How often cases of one type, form and places showed a rule.
struct Tried {
  isa::DType dtype = isa::DType::kUint8;
  std::string form;          ///< "count", "mask", …; empty: there is but one
  std::string positions;     ///< "VECOUT, VECIN": in the order of the operands
  std::uint64_t breaks = 0;  ///< alone, or notes, or applies
  std::uint64_t keeps = 0;

  auto Key() const { return std::tie(dtype, form, positions); }
  void Add(const Tried& more) {
    breaks += more.breaks;
    keeps += more.keeps;
  }

  static void Fields(auto& t, auto& v) {
    LANEDIFF_REQUIRED(v, t.dtype, t.form, t.positions, t.breaks, t.keeps);
  }
};

/// An integer of a document, as a text where it is beyond 2^53: some readers
/// keep numbers as doubles.
std::variant<std::int64_t, std::string> ExactInteger(std::int64_t value);

/// One value of a field on either side of a range.
struct Point {
  std::string field;  ///< the document's name
  std::int64_t element_bits = 0;
  std::int64_t value = 0;
  bool allowed = false;  ///< by the rule
  std::uint64_t accepted = 0;
  std::uint64_t refused = 0;

  auto Key() const { return std::tie(field, element_bits, value); }

  static void Fields(auto& p, auto& v) {
    LANEDIFF_REQUIRED(v, p.field, p.element_bits);
    v.Derived("value", [&] { return ExactInteger(p.value); });
    LANEDIFF_REQUIRED(v, p.allowed, p.accepted, p.refused);
  }
};

/// What arithmetic the compared steps did.
struct Numeric {
  std::uint64_t nodes = 0;
  std::uint64_t rounded = 0;
  std::uint64_t ties = 0;
  std::uint64_t saturated = 0;
  std::uint64_t largest_ulp = 0;  ///< error of the target against the oracle
  /// Of the case that is shown: exact value, as the oracle rounds it, and what
  /// the target gave; empty where nothing was rounded.
  std::string exact;
  std::string expected;
  std::string actual;

  static void Fields(auto& n, auto& v) {
    LANEDIFF_REQUIRED(v, n.nodes, n.rounded, n.ties, n.saturated, n.largest_ulp,
                      n.exact, n.expected, n.actual);
  }
};

/// Wrong cases that are blamed on a rule and have something in common.
struct WrongPart {
  std::string where;  ///< "in form count, of half"; empty: anywhere
  std::uint64_t wrong = 0;
  std::uint64_t right = 0;  ///< right results that rest on the rule there
  /// The forms in which calls are wrong, where the instruction has several, and
  /// those in which all that rest on the rule there are right.
  std::vector<std::string> forms = {};
  std::vector<std::string> right_forms = {};

  static void Fields(auto& w, auto& v) {
    LANEDIFF_REQUIRED(v, w.where, w.wrong, w.right, w.forms, w.right_forms);
  }
};

/// Wrong cases that rest on a rule and that another one explains better.
struct Elsewhere {
  isa::RuleId rule;  ///< that they are blamed on
  std::uint64_t wrong = 0;

  static void Fields(auto& e, auto& v) {
    LANEDIFF_REQUIRED(v, e.rule, e.wrong);
  }
};

/// One rule on one product.
struct Cell {
  isa::Product product;
  Verdict verdict = Verdict::kNotExercised;
  std::string reason;   ///< of kNotExercised
  bool claimed = true;  ///< by the target: the product, the instruction, notes
  /// Cases that were compared and showed something of the rule. Of a semantics
  /// rule, each case that rests on it once: right, wrong and blamed on it,
  /// wrong and blamed elsewhere, or the target's end.
  std::uint64_t compared = 0;
  ShowingCounts alone{};     ///< over steps that break no other rule
  ShowingCounts together{};  ///< over steps that break others too
  std::vector<Tried> tried;
  std::vector<Point> points;  ///< ascending by field, bits, value
  std::optional<Numeric> numeric;
  std::vector<Evidence> evidence;  ///< bad showings first
  // Of semantics rules.
  std::vector<WrongPart> wrong;  ///< what is blamed on it, in parts
  std::vector<Elsewhere> elsewhere;
  /// Rules that explain what is blamed on it as well.
  std::vector<isa::RuleId> co_suspects;
  /// What `characterise` found against it.
  std::vector<std::string> measured;

  static void Fields(auto& c, auto& v) {
    LANEDIFF_REQUIRED(v, c.product, c.verdict, c.reason, c.compared, c.claimed,
                      c.alone, c.together, c.tried, c.points);
    v.Optional("numeric", c.numeric);
    v.Required("wrong", c.wrong);
    v.Required("blamedElsewhere", c.elsewhere);
    LANEDIFF_REQUIRED(v, c.co_suspects, c.measured, c.evidence);
  }
};

struct AuditedRule {
  const isa::Rule* rule = nullptr;
  Verdict verdict = Verdict::kNotExercised;  ///< the worst of its cells
  /// Of which part of all cases it is the verdict, where it is not of all.
  std::optional<make::SampleSize> share = {};
  /// Products that the rule speaks of, in the order of `isa::Product`.
  std::vector<Cell> cells;
};

/// Cases in which the target ended, and those that it never answered.
struct FailureCounts {
  std::uint64_t crashed = 0;
  std::uint64_t hung = 0;

  void Add(const FailureCounts& more) {
    crashed += more.crashed;
    hung += more.hung;
  }

  static void Fields(auto& f, auto& v) {
    LANEDIFF_REQUIRED(v, f.crashed, f.hung);
  }
};

/// A place at which the documents disagree, with themselves or each other, and
/// what the target does there.
struct AuditedDisagreement {
  std::string id;
  Question kind = Question::kSilent;
  std::string title;
  std::vector<isa::RuleId> rules;  ///< that rest on the chosen reading
  std::vector<Reading> readings;   ///< the chosen one first
  std::string why;                 ///< it was chosen
  std::uint64_t differ = 0;        ///< as that of `Disagreement`
  isa::Product product = isa::Product::kAtlasA2;
  std::string file;  ///< the case that separates them, relative to the report
  std::string id_of_case;
  Follows follows = Follows::kUndecided;
  std::string message;    ///< what was expected by each reading, and found
  std::string reproduce;  ///< the command that shows it again
  FailureCounts failures = {};  ///< in the cases that separate them

  /// The instruction that it is about, as cases of the sweep name their
  /// source.
  std::string_view Source() const;
};

struct AuditRecord {
  std::string target;
  std::string vectors;  ///< that it computes with; empty: it is no emulator
  std::string reference;
  isa::Edition edition = isa::kNewestEdition;
  std::uint64_t cases = 0;        ///< generated
  std::uint64_t unsupported = 0;  ///< the target could not do them
  /// None of `cases`: beyond what the target claims of an instruction, as a
  /// type is.
  std::uint64_t beyond = 0;
  std::uint64_t malformed = 0;  ///< what was recorded of them can't be read
  std::uint64_t skipped = 0;    ///< could not be run here
  /// Of malformed and skipped ones: the first, a line each.
  std::vector<std::string> problems;
  std::uint64_t crashed = 0;
  std::uint64_t hung = 0;
  std::map<std::string, FailureCounts> failures;  ///< by the cases' source
  std::uint64_t steps = 0;
  std::int64_t compared_bytes = 0;
  std::uint64_t nodes = 0;
  /// The target declares that it executes every call: an executed call that the
  /// documents refuse is reported as tolerated and is no finding.
  bool tolerates = false;
  bool interrupted = false;
  std::string stopped;  ///< why no more calls were sent to the target
  /// `cases` are those that the target has outcomes of, and no others.
  bool recorded = false;
  std::optional<make::SampleSize> sample;  ///< what `cases` are, if one
  bool sample_is_meant = false;            ///< it is all that is wanted
  std::vector<AuditedRule> rules;          ///< in the order of the catalogue
  std::vector<AuditedDisagreement> disagreements;

  /// Cases that were compared, or in which the target ended or hung.
  std::uint64_t Compared() const { return cases - unsupported - skipped; }
  /// Whether the verdicts rest on a part of the cases.
  bool IsSampled() const { return sample && sample->cases < sample->of; }
  /// Cells by verdict.
  std::array<std::size_t, isa::kCount<Verdict>> Cells() const;
};

/// The worse of two verdicts on one rule.
Verdict Worse(Verdict a, Verdict b);

}  // namespace lanediff::audit
