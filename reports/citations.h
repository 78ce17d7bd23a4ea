#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "differential/testcase/record.h"
#include "isa/catalogue.h"
#include "reports/audit_record.h"

/// What rules and readings cite of the documents, as reports have it.
namespace lanediff::reports {

struct CitedDocument {
  std::string title;
  std::string edition;
  std::string address;

  static void Fields(auto& d, auto& v) {
    v.Required("title", d.title, kFilled);
    v.Required("edition", d.edition, kFilled);
    v.Required(
        "address", d.address,
        {.description = "https://… or no address: and why", .filled = true});
  }
};

struct CitedPlace {
  std::string title;
  std::string section;

  static void Fields(auto& p, auto& v) {
    v.Required("title", p.title, kFilled);
    v.Required("section", p.section, kFilled);
  }
};

/// A document's words, or why there are none, and where they stand.
struct Quotation {
  std::string document;
  std::string quote;
  std::string no_quotation;
  std::vector<CitedPlace> citations;
  std::vector<std::string> silent;

  static void Fields(auto& q, auto& v) {
    v.Required("document", q.document, {.description = "empty: an assumption"});
    v.Optional("quote", q.quote, kFilled);
    v.Optional("noQuotation", q.no_quotation, kFilled);
    v.Required("citations", q.citations,
               {.description = "the places of document, one by one; a title is "
                               "one of documents"});
    v.Optional("silent", q.silent,
               {.description = "of an assumption: titles of the instructions' "
                               "pages, which do not state it"});
  }
};

struct CitedSource : Quotation {
  isa::Provenance provenance = isa::Provenance::kAssumed;
  isa::EvidenceLevel level = isa::EvidenceLevel::kAssumption;
  std::string part;

  static void Fields(auto& s, auto& v) {
    v.Required("provenance", s.provenance);
    v.Required("evidenceLevel", s.level);
    v.Required("part", s.part);
    Quotation::Fields(s, v);
  }
};

struct CitedReading : Quotation {
  std::string text;

  static void Fields(auto& r, auto& v) {
    v.Required("text", r.text, kFilled);
    Quotation::Fields(r, v);
  }
};

/// What the documents state of a rule, whatever a target does.
struct RuleHead {
  std::string id;
  std::string instruction;
  isa::Effect effect = isa::Effect::kReject;
  std::string statement;
  isa::EvidenceLevel level = isa::EvidenceLevel::kAssumption;
  std::vector<CitedSource> sources;

  static void Fields(auto& r, auto& v) {
    v.Required("id", r.id, kRuleText);
    v.Required("instruction", r.instruction, kFilled);
    v.Required("effect", r.effect);
    v.Required("statement", r.statement, kFilled);
    v.Required("evidenceLevel", r.level);
    v.Required("sources", r.sources);
  }
};

/// A place at which the documents disagree, whatever a target does.
struct DisagreementHead {
  std::string id;
  audit::Question kind = audit::Question::kSilent;
  std::string title;
  std::vector<std::string> rules;
  std::vector<CitedReading> readings;
  std::string why;
  std::uint64_t differ = 0;

  static void Fields(auto& d, auto& v) {
    v.Required("id", d.id, kFilled);
    v.Required("kind", d.kind);
    v.Required("title", d.title, kFilled);
    v.Required("rules", d.rules, {.each = &kRuleText});
    v.Required("readings", d.readings,
               {.description = "the chosen one first", .filled = true});
    v.Required("why", d.why);
    v.Required("differ", d.differ,
               {.description = "of 1000 legal calls made at random of each "
                               "instruction: those that come out otherwise by "
                               "another reading"});
  }
};

/// All that citations may name.
std::vector<CitedDocument> CitedDocuments();
std::vector<CitedSource> SourcesOf(const isa::Rule& rule);
/// The chosen one first.
std::vector<CitedReading> ReadingsOf(const audit::AuditedDisagreement& place);
RuleHead HeadOf(const isa::Rule& rule);
DisagreementHead HeadOf(const audit::AuditedDisagreement& place);

/// "Min · 表1: `int32_t`", "Min · 表1 (no quotation: a picture)", or "assumed".
std::string QuotationText(const Quotation& cited);
/// "Min, CANN 8.0: https://…" of each page; of an assumption those that are
/// silent.
std::vector<std::string> PagesOf(const Quotation& cited);

}  // namespace lanediff::reports
