#include "reports/citations.h"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>

#include "isa/catalogue.h"
#include "isa/memory_map.h"
#include "reports/printers.h"

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

std::string SourcesCell(const isa::Rule& rule) {
  std::string text;
  for (const isa::Source& source : rule.sources) {
    if (!text.empty()) text += "; ";
    if (!source.part.empty()) text += fmt::format("{}: ", source.part);
    text += isa::Name(source.provenance());
    if (source.level < isa::EvidenceLevel::kDocumentText ||
        source.level == isa::EvidenceLevel::kPublishedResult) {
      text += fmt::format(", {}", isa::Name(source.level));
    }
    if (!source.document.empty()) {
      text +=
          " " + isa::InCell(isa::CitationText(source.document, source.quote));
    }
  }
  return text;
}

std::string RangesCell(const isa::Rule& rule) {
  std::string text;
  for (const isa::Range& range : rule.ranges) {
    if (!text.empty()) text += "; ";
    text += fmt::format("{} {}…{}", range.field, range.low, range.high);
    if (range.only) text += fmt::format(" in {}", isa::Name(*range.only));
    if (range.element_bits != 0) {
      text += fmt::format(" at {} bits", range.element_bits);
    }
  }
  return text;
}

/// What the BOUNDS rules follow.
std::string CapacitiesSection() {
  std::string text =
      "\n## How large the memories are\n\nIn bytes, what the `…-BOUNDS` rules "
      "follow (supplement). A case states the size of GM.\n\n| product |";
  for (std::size_t m = 1; m < isa::kCount<isa::Memory>; ++m) {
    text += fmt::format(" {} |", isa::Name(static_cast<isa::Memory>(m)));
  }
  text += "\n|---|---|---|---|---|---|\n";
  for (std::size_t p = 0; p < isa::kCount<isa::Product>; ++p) {
    const auto product = static_cast<isa::Product>(p);
    text += fmt::format("| {} |", isa::Name(product));
    for (std::size_t m = 1; m < isa::kCount<isa::Memory>; ++m) {
      text += fmt::format(
          " {} |", isa::CapacityBytes(product, static_cast<isa::Memory>(m)));
    }
    text += "\n";
  }
  return text;
}

std::string DocumentsSection() {
  std::string text =
      "\n## Documents\n\n| title | edition | address |\n|---|---|---|\n";
  for (const isa::Document& document : isa::Documents()) {
    text += fmt::format("| {} | {} | {} |\n", document.title, document.edition,
                        document.address);
  }
  return text;
}

/// The statement of the rule, and its edition.
std::string StatementText(const isa::Rule& rule) {
  std::string text = rule.statement;
  if (rule.only) {
    text += fmt::format(" *Only in edition {}.*", isa::Name(*rule.only));
  }
  if (!rule.statement_2024.empty()) {
    text += fmt::format(" *In edition 2024: {}*", rule.statement_2024);
  }
  return text;
}

std::string Heading(std::string_view instruction) {
  if (instruction == isa::kKernel) return "Kernels";
  return instruction == "common" ? "Machine state and arithmetic"
                                 : std::string(instruction);
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

std::string CataloguePage() {
  std::string page =
      "<!-- Generated by script/generate-docs from the rule catalogue (isa/). "
      "-->\n\n"
      "# Rules\n\n"
      "What the documents state for each instruction, as lanediff reads them. "
      "*reject*: a call that breaks the rule is not executed and no byte "
      "changes. *note*: the call runs and the finding is reported. "
      "*semantics*: how the result is computed. *hazard*: `lint` and `run` "
      "report it. *fail*: of kernels, the call runs as written and is a "
      "finding. *documented* names the page and its section, with its own "
      "words; *supplement* is newer public documentation of the same "
      "interface; *assumed* is our own decision where no document speaks. "
      "[Documents](#documents) lists edition and address of each title.\n\n"
      "*evidence* is what stands behind the weakest part of a rule, from the "
      "strongest: *device results* (a document publishes results that show "
      "it), *vendor tables* (a table of the document lists it), *document "
      "text*, *published result* (the vendor published what comes out, value "
      "by value, in a newer guide for atlas-a2 and atlas-a3), *supplement*, "
      "*assumption*. Where a source carries more than its word promises, the "
      "word stands behind it.\n\n"
      "A step reports all rules it breaks, in three stages: first everything "
      "but bounds, overlap and `…-BARRIER`; if that is clean, `…-BOUNDS`; if "
      "that is clean too, `…-OVERLAP…` and `…-BARRIER`.\n\n"
      "Rules are those of edition 2026, the newest public pages. Where edition "
      "2024, the documents that the project began with, differs, the statement "
      "names it; a case with `\"edition\": \"2024\"` is judged by it, and "
      "`--edition 2024` selects it.\n";
  std::string_view section;
  for (const isa::Rule& rule : isa::Catalogue()) {
    if (rule.instruction != section) {
      section = rule.instruction;
      page += fmt::format(
          "\n## {}\n\n| rule | effect | statement | allowed | evidence | "
          "source |\n|---|---|---|---|---|---|\n",
          Heading(section));
    }
    page += fmt::format("| `{}` | {} | {} | {} | {} | {} |\n", rule.id.text(),
                        isa::Name(rule.effect), StatementText(rule),
                        RangesCell(rule), isa::Name(isa::EvidenceOf(rule)),
                        SourcesCell(rule));
  }
  return page + CapacitiesSection() + DocumentsSection();
}

}  // namespace lanediff::reports
