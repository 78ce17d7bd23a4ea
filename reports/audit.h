#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "differential/testcase/record.h"
#include "isa/catalogue.h"
#include "isa/vocabulary.h"
#include "reports/audit_record.h"
#include "reports/changes.h"
#include "reports/citations.h"
#include "reports/headline.h"
#include "reports/reasons.h"
#include "reports/target_record.h"

/// Printers of an audit. Each shows the record and computes nothing but sums.
/// `changes` is what has changed since a baseline (reports/baseline.h), null
/// without one; `about` is the audited target, null if it is not reported.
namespace lanediff::reports {

struct Report;

/// A line for each rule, below it why cells were not exercised and bad evidence
/// with its command. Then disagreements, changes, findings by signature, sums;
/// the sentence on the whole stands in front and before the sums. Without `all`
/// there is nothing but the sentence, changes, findings and sums.
std::string AuditText(const audit::AuditRecord& record,
                      const AuditChanges* changes = nullptr,
                      const TargetRecord* about = nullptr, bool all = true);

/// The sums alone: the last lines of `AuditText`.
std::string AuditSummaryText(const audit::AuditRecord& record);

/// A document of the kind `audit`: reports/schema/audit.schema.json.
std::string AuditJson(const audit::AuditRecord& record,
                      const AuditChanges* changes = nullptr,
                      const TargetRecord* about = nullptr);

/// The same for the page that opens, which is to stay small: rules with what
/// the matrix shows of them, `DetailsJson` has the rest; the worst 400 groups,
/// and in "groupsLeftOut" how many more there are.
std::string AuditDigestJson(const audit::AuditRecord& record,
                            const AuditChanges* changes,
                            const TargetRecord* about);
/// All of one rule.
std::string DetailsJson(const audit::AuditedRule& rule);

/// Why an audit is no success although nothing is violated.
Reasons ReasonsOf(const audit::AuditRecord& record);

/// With a suite for each instruction, in it a test for each rule and product:
/// violated and contradicted ones fail, not exercised ones are skipped. A
/// disagreement of documents fails only where the target failed in its cases.
/// Findings are an error for each bad piece of evidence, a note for each
/// tolerated cell and each disagreement. `exit_status` is the process's.
Report ToReport(const audit::AuditRecord& record, int exit_status,
                const AuditChanges* changes = nullptr);

// Texts that the printers share.

/// "a2" of "atlas-a2".
std::string_view ShortName(isa::Product product);

/// Whether what it showed is a defect of the target.
bool IsBad(const audit::Evidence& evidence);

/// Whether a cell of this verdict fails.
bool IsBad(audit::Verdict verdict);

/// What came out of cells of one rule: "refused 312 of 312 alone, 88 of 88
/// beside others; accepted 402"; empty where nothing was tried.
std::string TriedText(const std::vector<audit::Cell>& cells);

/// " in a sample of 39 of 225322 cases"; empty where all were tried.
std::string ShareText(const audit::AuditedRule& rule);

/// "breaks, repeat 256: ran otherwise: " and the message, in one line.
std::string EvidenceText(const audit::Evidence& evidence);

/// The lines of one disagreement.
std::string DisagreementText(const audit::AuditedDisagreement& place);

// An audit as a document: reports/schema/audit.schema.json.

/// Cells by verdict.
struct CellCounts : std::array<std::size_t, isa::kCount<audit::Verdict>> {
  static void Fields(auto& c, auto& v) {
    for (std::size_t i = 0; i < c.size(); ++i) {
      v.Required(isa::Words<audit::Verdict>::kSpelling[i], c[i]);
    }
  }
};

struct RangeRecord {
  isa::Range range = {};

  static void Fields(auto& r, auto& v) {
    v.Required("field", r.range.field, kFilled);
    v.Derived("low", [&] { return audit::ExactInteger(r.range.low); });
    v.Derived("high", [&] { return audit::ExactInteger(r.range.high); });
    v.Derived("elementBits", [&] { return std::int64_t{r.range.element_bits}; },
              {.description = "of types of this width alone; 0: of every one"});
  }
};

/// Bytes of one memory of a product.
struct CapacityRecord {
  isa::Product product = {};
  isa::Memory memory = {};
  std::int64_t bytes = 0;

  static void Fields(auto& c, auto& v) {
    LANEDIFF_REQUIRED(v, c.product, c.memory);
    v.Required("bytes", c.bytes, {.low = 1});
  }
};

/// Cases of the corpus that are evidence of a rule.
struct CorpusCases {
  std::string_view tool;  ///< that computed their expectations
  std::vector<std::string_view> cases;

  static void Fields(auto& c, auto& v) {
    v.Required("tool", c.tool);
    v.Required("cases", c.cases, kFilled);
  }
};

std::vector<RangeRecord> RangesOf(const isa::Rule& rule);
/// Of a rule that keeps operands inside memories; else none.
std::vector<CapacityRecord> CapacitiesOf(const isa::Rule& rule);
/// By who computed what they expect: the farther from the oracle, the earlier.
std::vector<CorpusCases> CorpusOf(const isa::Rule& rule);

/// Of which part of all cases a verdict is.
struct ShareRecord {
  std::uint64_t cases = 0;
  std::uint64_t of = 0;

  static void Fields(auto& s, auto& v) { LANEDIFF_REQUIRED(v, s.cases, s.of); }
};

/// All of one rule.
struct RuleRecord : RuleHead {
  const audit::AuditedRule* audited = nullptr;

  const isa::Rule& rule() const { return *audited->rule; }
  std::optional<ShareRecord> Share() const {
    if (!audited->share) return std::nullopt;
    return ShareRecord{audited->share->cases, audited->share->of};
  }

  static void Fields(auto& r, auto& v) {
    RuleHead::Fields(r, v);
    v.Derived("verdict", [&] { return r.audited->verdict; },
              {.description = "the worst of its cells"});
    v.Derived("share", [&] { return r.Share(); },
              {.description = "of the cases that the verdict rests on, where "
                              "it is a sample"});
    v.Derived("cells", [&] { return r.audited->cells; });
    v.Derived("ranges", [&] { return RangesOf(r.rule()); });
    v.Derived("capacities", [&] { return CapacitiesOf(r.rule()); },
              {.description =
                   "of each memory by product, of a rule that keeps operands "
                   "inside them; GM is as large as in the case"});
    v.Derived("corpus", [&] { return CorpusOf(r.rule()); },
              {.description =
                   "cases of corpus/ that expect a call to be refused for this "
                   "rule alone, or this note, or a result that rests on it; by "
                   "who computed what they expect"});
  }
};

/// All of one disagreement.
struct DisagreementRecord : DisagreementHead {
  const audit::AuditedDisagreement* place = nullptr;

  static void Fields(auto& d, auto& v) {
    DisagreementHead::Fields(d, v);
    v.Derived("product", [&] { return d.place->product; });
    v.Derived("case", [&] { return d.place->id_of_case; });
    v.Derived("file", [&] { return d.place->file; },
              {.description = "of the case, relative to the report"});
    v.Derived("follows", [&] { return d.place->follows; });
    v.Derived("message", [&] { return d.place->message; });
    v.Derived("reproduce", [&] { return d.place->reproduce; });
  }
};

struct AuditDocument {
  audit::AuditRecord record = {};
  Headline headline = {};
  std::vector<FindingGroup> groups = {};
  std::optional<TargetRecord> about = {};
  std::optional<AuditChanges> changes = {};

  std::vector<RuleRecord> Rules() const {
    std::vector<RuleRecord> rules;
    for (const auto& rule : record.rules) {
      rules.push_back({HeadOf(*rule.rule), &rule});
    }
    return rules;
  }
  std::vector<DisagreementRecord> Disagreements() const {
    std::vector<DisagreementRecord> all;
    for (const auto& place : record.disagreements) {
      all.push_back({HeadOf(place), &place});
    }
    return all;
  }

  static void Fields(auto& d, auto& v) {
    auto& r = d.record;
    v.Document("audit");
    v.Required("target", r.target, kFilled);
    v.Required("vectors", r.vectors,
               {.description =
                    "that the target computes with: scalar, sse4, avx2, avx3 "
                    "(AVX-512), neon or plain; empty where it is no emulator"});
    v.Required("reference", r.reference, kFilled);
    v.Required("edition", r.edition, {.description = "of the documents"});
    v.Required("headline", d.headline,
               {.description = "the sentence with which reports open, and its "
                               "numbers"});
    v.Required("groups", d.groups,
               {.description = "the findings by signature, worst first"});
    v.Optional("about", d.about, {.description = "who was audited"});
    v.Required("cases", r.cases, {.description = "generated"});
    v.Derived("compared", [&] { return r.Compared(); },
              {.description = "of these"});
    v.Required(
        "unsupported", r.unsupported,
        {.description = "by the target, or nothing was recorded of them"});
    v.Required("beyond", r.beyond,
               {.description = "not in cases: not supported by the target"});
    v.Required("skipped", r.skipped, {.description = "could not be run here"});
    LANEDIFF_REQUIRED(v, r.crashed, r.hung, r.steps);
    v.Required("comparedBytes", r.compared_bytes, kNotNegative);
    v.Required("nodes", r.nodes);
    CompleteFields(v, ReasonsOf(r));
    v.Required("interrupted", r.interrupted);
    v.Required("stopped", r.stopped,
               {.description = "why no more calls were sent to the target; "
                               "empty: all were"});
    v.Optional("sample", r.sample,
               {.description = "not all systematic cases: a sample of them, "
                               "which complete is about"});
    v.Derived("cells", [&] { return CellCounts{r.Cells()}; },
              {.description = "rule by product, by verdict"});
    v.Derived("products", [] {
      std::vector<isa::Product> products(isa::kCount<isa::Product>);
      for (std::size_t i = 0; i < products.size(); ++i) {
        products[i] = static_cast<isa::Product>(i);
      }
      return products;
    });
    v.Derived("documents", [] { return CitedDocuments(); },
              {.description = "that citations name by their titles"});
    v.Derived("rules", [&] { return d.Rules(); });
    v.Derived("disagreements", [&] { return d.Disagreements(); });
    v.Optional("changes", d.changes,
               {.description = "what has changed since the audit that "
                               "--baseline names; null: not there"});
  }
};

}  // namespace lanediff::reports
