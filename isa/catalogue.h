#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "isa/rule.h"
#include "isa/step.h"
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
  kHazard,     ///< the step runs, and is no other error: only lint reports it
  kFail,       ///< of kernels: the call runs as written, and is a finding
};

/// When the documents look at a reject rule: not before all rules of the
/// earlier stages are kept.
enum class Stage : std::uint8_t { kParameters, kBounds, kOverlap };

/// What a rule concerns: for code that decides by rules, instead of the end of
/// a name.
enum class Topic : std::uint8_t {
  kOther,
  kProduct,   ///< which products have the instruction
  kAddress,   ///< which bytes are read and written
  kOutside,   ///< which bytes keep what they hold
  kValue,     ///< what is written
  kSaturate,  ///< what becomes of half values too large, and of NaN
  kOverflow,  ///< what becomes of integers too large
};

/// What stands behind a statement.
enum class Provenance : std::uint8_t {
  kDocumented,  ///< the cited document states it
  kSupplement,  ///< newer public documentation of the same interface states it
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
  static constexpr std::array<std::string_view, 5> kSpelling = {
      "reject", "note", "semantics", "hazard", "fail"};
};

template <>
struct Words<Stage> {
  static constexpr std::array<std::string_view, 3> kSpelling = {
      "parameters", "bounds", "overlap"};
};

template <>
struct Words<Topic> {
  static constexpr std::array<std::string_view, 7> kSpelling = {
      "other", "product",  "address", "outside",
      "value", "saturate", "overflow"};
};

template <>
struct Words<Provenance> {
  static constexpr std::array<std::string_view, 3> kSpelling = {
      "documented", "supplement", "assumed"};
};

template <>
struct Words<EvidenceLevel> {
  static constexpr std::array<std::string_view, 6> kSpelling = {
      "device results",   "vendor tables", "document text",
      "published result", "supplement",    "assumption"};
};

/// Where one part of a rule comes from.
struct Source {
  EvidenceLevel level;
  /// Title and section of the document, "Title · section"; empty if assumed.
  std::string document;
  /// Which part of the statement, where parts differ; empty for all of it.
  std::string_view part = {};
  /// The document's own words, exactly and shortly: 40 characters at most, "…"
  /// where some between are left out. Empty where none are kept.
  std::string_view quote = {};

  Provenance provenance() const {
    return level <= EvidenceLevel::kDocumentText ? Provenance::kDocumented
           : level <= EvidenceLevel::kSupplement ? Provenance::kSupplement
                                                 : Provenance::kAssumed;
  }
};

/// The allowed values of an integer field, both ends included.
struct Range {
  std::string_view field;  ///< the document's name
  std::int64_t low;
  std::int64_t high;
  /// Only for types of this many bits; 0 for every type.
  int element_bits = 0;
  /// Only in this edition of the documents; none: in all.
  std::optional<Edition> only = std::nullopt;
};

/// Of rules that speak of a call in each of its forms.
inline constexpr std::uint8_t kEveryForm = 0xff;

/// In the place of an instruction: rules of the machine, and of whole kernels.
inline constexpr std::string_view kCommon = "common";
inline constexpr std::string_view kKernel = "kernel";

struct Rule {
  RuleId id;
  Effect effect = Effect::kReject;
  std::string statement;
  std::vector<Source> sources;
  std::vector<Range> ranges;
  Stage stage = Stage::kParameters;  ///< of reject rules
  Topic topic = Topic::kOther;
  /// The forms of the call that it speaks of, bit i for form i.
  std::uint8_t forms = kEveryForm;
  /// Of "common" and "kernel" rules: the `kOp` of the steps that it speaks of;
  /// none: all.
  std::vector<std::string_view> steps;
  /// The statement of edition 2024, where it is another one; else empty.
  std::string statement_2024;
  /// The edition that alone has the rule; none: all have it.
  std::optional<Edition> only;
  /// The `op` of an `Instruction`, or one of the two above.
  std::string_view instruction = kCommon;

  /// Whether it speaks of the step called `op`.
  bool SpeaksOf(std::string_view op) const;
  /// Whether the documents of `edition` have it.
  bool HoldsIn(Edition edition) const { return !only || *only == edition; }
  std::string_view StatementIn(Edition edition) const;
  std::vector<Range> RangesIn(Edition edition) const;
};

/// Whose documents describe an instruction.
enum class Api : std::uint8_t { kAscendC, kPto, kTik };

template <>
struct Words<Api> {
  static constexpr std::array<std::string_view, 3> kSpelling = {"Ascend C",
                                                                "PTO", "TIK"};
};

/// What the documents state of one instruction as a whole, and its rules.
struct Instruction {
  std::string_view op;    ///< the documents' word, `Signature::op`
  std::string_view slug;  ///< our folders' word, `Signature::slug`
  Api api = Api::kAscendC;
  std::vector<Product> products;
  std::vector<DType> dtypes = {};  ///< of T on some product; none: every type
  /// Types that a product doesn't have although another one does.
  struct Lack {
    Product product;
    DType dtype;
  };
  std::vector<Lack> lacks = {};
  /// Types of src and dst, and how values may be rounded, of a call
  /// that converts; a pair may stand in several, of other products.
  struct Conversion {
    DType from = DType::kHalf;
    DType to = DType::kHalf;
    std::vector<RoundMode> modes;
    std::vector<Product> products;
  };
  std::vector<Conversion> conversions = {};
  /// Those of `products` and `dtypes` that the documents of 2024 don't list.
  std::vector<Product> newer_products = {};
  std::vector<DType> newer_dtypes = {};
  bool masked = false;      ///< reads or leaves the vector mask register
  bool arithmetic = false;  ///< computes: rounds, saturates, meets NaN
  std::vector<Rule> rules;  ///< in the order of the document's tables

  bool Has(Profile profile) const;
  /// Whether T may be `dtype` on `product`, which has the instruction. Where
  /// types depend on more, as with DataCopy's routes, it is true.
  bool Has(Profile profile, DType dtype) const;
  /// The conversion of the two on `product`; null if there is none.
  const Conversion* Find(Product product, DType from, DType to) const;
};

/// What stands behind a rule as a whole: the level of its weakest part, where a
/// part that several sources speak of counts as the strongest of them. A rule
/// of which one word is assumed is shown as an assumption, with its parts
/// beside it: a reader who trusts the rule trusts that word, too.
EvidenceLevel EvidenceOf(const Rule& rule);

/// Whether no target checks a rule: lint alone checks the rule, or the rule is
/// one of kernels.
bool IsOfLint(const Rule& rule);

/// All rules: machine state and arithmetic first, then instruction by
/// instruction in the order of the documents' tables.
std::span<const Rule> Catalogue();

/// The rule called `text`; null if there is none.
const Rule* FindRule(std::string_view text);
/// Whether the row's document has the rule.
bool HasRule(const Signature& row, CallRule rule);

/// All instructions, in the order of their steps' numbers.
std::span<const Instruction> Instructions();

/// The instruction whose op or slug is `op`; null for steps that set machine
/// state, and for what is none.
const Instruction* FindInstruction(std::string_view op);

/// The instruction of an intrinsic's step; null for a step that sets state.
const Instruction* InstructionOf(const Step& step);

/// The stage of a reject rule, the topic of any; of a rule that the catalogue
/// doesn't have, the first.
Stage StageOf(RuleId rule);
Topic TopicOf(RuleId rule);

/// The rules of the step's instruction that speak of `topic` in its form, in
/// the catalogue's order; no rule of a step that sets state.
std::vector<RuleId> RulesAbout(const Step& step, Topic topic);

// ---- The documents that rules and readings cite, and where to find them -----

/// In the place of a quotation: the reason follows.
inline constexpr std::string_view kNoQuotation = "no quotation: ";

struct Document {
  std::string_view title;  ///< as citations have it, unique: "older Max"
  std::string_view edition;
  std::string address;  ///< an https address, or "no address: " and why
};

/// All documents that a citation may name.
std::span<const Document> Documents();
/// Null if no document has the title.
const Document* FindDocument(std::string_view title);

/// One place in a document.
struct Citation {
  std::string_view title;
  std::string_view section;
  const Document* document = nullptr;  ///< null: no document has the title
};

/// The places in a citation "TITLE, TITLE · SECTION; TITLE · SECTION", each
/// title by itself; none in an empty one.
std::vector<Citation> CitationsOf(std::string_view text);

/// The citation and its quotation: "Min · 函数原型: `int32_t`"; "assumed" of an
/// empty one.
std::string CitationText(std::string_view text, std::string_view quote);

/// `text` for a cell of a Markdown table, which '|' would end.
std::string InCell(std::string_view text);

}  // namespace lanediff::isa
