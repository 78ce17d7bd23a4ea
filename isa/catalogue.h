#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "isa/rule.h"
#include "isa/vocabulary.h"

/// The rule catalogue as data, for audit, reports, generators and
/// documentation. Neither emulator nor oracle includes it: each states limits,
/// products and tables once more by itself, so that changing a value here
/// changes no verdict.
namespace lanediff::isa {

/// What follows from a rule.
enum class Effect : std::uint8_t {
  kReject,     ///< a call that breaks it is not executed
  kNote,       ///< the call runs and the finding is reported
  kSemantics,  ///< how the result is computed
};

/// What stands behind a statement.
enum class Provenance : std::uint8_t {
  kDocumented,  ///< the cited document says it
  kSupplement,  ///< newer public documentation of the same interface says it
  kAssumed,     ///< our own decision where no document speaks
};

/// How well a statement is founded, strongest first.
enum class EvidenceLevel : std::uint8_t {
  kDeviceResults,  ///< a document publishes results that show it
  kVendorTables,  ///< a table of the cited document lists it: products, routes,
                  ///< types, positions, ranges, alignments, units
  kDocumentText,  ///< a sentence, list, formula or prototype of the document
  kPublishedResult,  ///< the vendor published what comes out, value by value,
                     ///< in a newer guide for some of the products
  kSupplement,       ///< newer public documentation of the same interface
  kAssumption,       ///< nothing but our own decision
};

template <>
struct Words<Effect> {
  static constexpr std::string_view kWhat = "effect";
  static constexpr std::array<std::string_view, 3> kSpelling = {
      "reject", "note", "semantics"};
};

template <>
struct Words<Provenance> {
  static constexpr std::string_view kWhat = "provenance";
  static constexpr std::array<std::string_view, 3> kSpelling = {
      "documented", "supplement", "assumed"};
};

template <>
struct Words<EvidenceLevel> {
  static constexpr std::string_view kWhat = "evidence level";
  static constexpr std::array<std::string_view, 6> kSpelling = {
      "device results",   "vendor tables", "document text",
      "published result", "supplement",    "assumption"};
};

/// Where one part of a rule comes from.
struct Source {
  Provenance provenance;
  /// Title and section of the document, "Title · section"; empty if assumed.
  std::string_view document;
  /// Which part of the statement, where parts differ; empty for all of it.
  std::string_view part = {};
  /// Where more stands behind it than `provenance` alone promises.
  std::optional<EvidenceLevel> stronger = {};
};

/// What stands behind one source: text, supplement or assumption by its
/// provenance, unless the source says more.
EvidenceLevel EvidenceOf(const Source& source);

/// The allowed values of an integer field, both ends included.
struct Range {
  std::string_view field;  ///< the document's name
  std::int64_t low;
  std::int64_t high;
  /// Only for types of this many bits; 0 for every type.
  int element_bits = 0;
};

struct Rule {
  RuleId id;
  std::string_view instruction;  ///< `kOp`, or "common" for machine rules
  Effect effect;
  std::string_view statement;
  std::vector<Source> sources;
  std::vector<Range> ranges = {};
};

/// What stands behind a rule as a whole: the level of its weakest part, where a
/// part that several sources speak of counts as the strongest of them. A rule
/// of which one word is assumed is shown as an assumption, with its parts
/// beside it: a reader who trusts the rule trusts that word, too.
EvidenceLevel EvidenceOf(const Rule& rule);

/// How many bytes `memory` has on `product` (supplement); 0 for GM, which is as
/// large as a case says.
std::int64_t CatalogueCapacityBytes(Product product, Memory memory);

/// Whether a rule keeps operands inside their memories.
bool FollowsCapacities(const Rule& rule);

/// All rules: machine state and arithmetic first, then instruction by
/// instruction in the order of the documents' tables.
std::span<const Rule> Catalogue();

/// The rule called `text`; null if there is none.
const Rule* FindRule(std::string_view text);

/// Sections of the catalogue, one for each file that defines rules.
std::vector<Rule> CommonRules();
std::vector<Rule> RepeatReduceSumRules();
std::vector<Rule> MinRules();
std::vector<Rule> DataCopyRules();
std::vector<Rule> TrowprodRules();
std::vector<Rule> VecTransRules();

}  // namespace lanediff::isa
