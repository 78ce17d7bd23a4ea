#include "reports/citations.h"

#include <fmt/format.h>

#include <algorithm>

#include "isa/catalogue.h"

namespace lanediff::reports {
namespace {

/// Fills what `cited` has of a citation of a rule or reading about `rules`.
void Cite(std::string_view document, std::string_view quote,
          const std::vector<const isa::Rule*>& rules, Quotation& cited) {
  cited.document = document;
  if (quote.starts_with(isa::kNoQuotation)) {
    cited.no_quotation = quote.substr(isa::kNoQuotation.size());
  } else {
    cited.quote = quote;
  }
  for (const isa::Citation& one : isa::CitationsOf(document)) {
    cited.citations.push_back(
        {std::string(one.title), std::string(one.section)});
  }
  if (!document.empty()) return;
  for (const isa::Rule* rule : rules) {
    // An instruction's page has its name for a title.
    if (rule == nullptr || isa::FindDocument(rule->instruction) == nullptr)
      continue;
    std::string title(rule->instruction);
    if (std::ranges::find(cited.silent, title) == cited.silent.end()) {
      cited.silent.push_back(std::move(title));
    }
  }
}

}  // namespace

std::vector<CitedDocument> CitedDocuments() {
  std::vector<CitedDocument> all;
  for (const isa::Document& one : isa::Documents()) {
    all.push_back(
        {std::string(one.title), std::string(one.edition), one.address});
  }
  return all;
}

std::vector<CitedSource> SourcesOf(const isa::Rule& rule) {
  std::vector<CitedSource> all;
  for (const isa::Source& source : rule.sources) {
    CitedSource& cited = all.emplace_back();
    cited.provenance = source.provenance();
    cited.level = source.level;
    cited.part = source.part;
    Cite(source.document, source.quote, {&rule}, cited);
  }
  return all;
}

std::vector<CitedReading> ReadingsOf(const audit::AuditedDisagreement& place) {
  std::vector<const isa::Rule*> rules;
  for (isa::RuleId id : place.rules) rules.push_back(isa::FindRule(id.text()));
  std::vector<CitedReading> all;
  for (const audit::Reading& reading : place.readings) {
    CitedReading& cited = all.emplace_back();
    cited.text = reading.text;
    Cite(reading.document, reading.quote, rules, cited);
  }
  return all;
}

RuleHead HeadOf(const isa::Rule& rule) {
  return {.id = std::string(rule.id.text()),
          .instruction = std::string(rule.instruction),
          .effect = rule.effect,
          .statement = std::string(rule.statement),
          .level = isa::EvidenceOf(rule),
          .sources = SourcesOf(rule)};
}

DisagreementHead HeadOf(const audit::AuditedDisagreement& place) {
  DisagreementHead head = {.id = place.id,
                           .kind = place.kind,
                           .title = place.title,
                           .rules = {},
                           .readings = ReadingsOf(place),
                           .why = place.why,
                           .differ = place.differ};
  for (isa::RuleId rule : place.rules) head.rules.emplace_back(rule.text());
  return head;
}

std::string QuotationText(const Quotation& cited) {
  return isa::CitationText(
      cited.document,
      cited.no_quotation.empty()
          ? cited.quote
          : std::string(isa::kNoQuotation) + cited.no_quotation);
}

std::vector<std::string> PagesOf(const Quotation& cited) {
  std::vector<std::string> titles = cited.silent;
  for (const CitedPlace& place : cited.citations) {
    if (std::ranges::find(titles, place.title) == titles.end()) {
      titles.push_back(place.title);
    }
  }
  std::vector<std::string> pages;
  for (const std::string& title : titles) {
    const isa::Document* const document = isa::FindDocument(title);
    if (document == nullptr) continue;
    pages.push_back(
        fmt::format("{}, {}: {}", title, document->edition, document->address));
  }
  return pages;
}

}  // namespace lanediff::reports
