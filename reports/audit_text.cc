#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <string_view>
#include <utility>
#include <vector>

#include "reports/audit.h"
#include "reports/citations.h"
#include "reports/headline.h"
#include "reports/printable.h"
#include "reports/printers.h"
#include "reports/report.h"
#include "reports/target_record.h"

namespace lanediff::reports {
namespace {

using audit::AuditedRule;
using audit::AuditRecord;
using audit::Cell;
using audit::Evidence;
using Line = Report::Line;

/// Products by what they have in common, in the order of its first product.
using Groups = std::vector<std::pair<std::string, std::vector<isa::Product>>>;

void Put(Groups& groups, std::string key, isa::Product product) {
  auto group = std::ranges::find(groups, key, &Groups::value_type::first);
  if (group == groups.end()) {
    groups.emplace_back(std::move(key), std::vector<isa::Product>());
    group = groups.end() - 1;
  }
  if (group->second.empty() || group->second.back() != product) {
    group->second.push_back(product);
  }
}

std::string ProductsText(const std::vector<isa::Product>& products) {
  std::string text;
  for (isa::Product product : products) {
    if (!text.empty()) text += ", ";
    text += ShortName(product);
  }
  return text;
}

/// "violated on a2; enforced on a3, training", or the one verdict of all.
std::string VerdictText(const AuditedRule& rule) {
  Groups verdicts;
  for (const Cell& cell : rule.cells) {
    Put(verdicts, std::string(isa::Name(cell.verdict)), cell.product);
  }
  if (verdicts.size() <= 1) return std::string(isa::Name(rule.verdict));
  // The worst first, which is the verdict of the rule.
  std::ranges::partition(verdicts, [&](const auto& group) {
    return group.first == isa::Name(rule.verdict);
  });
  std::string text;
  for (const auto& [verdict, products] : verdicts) {
    text += fmt::format("{}{} on {}", text.empty() ? "" : "; ", verdict,
                        ProductsText(products));
  }
  return text;
}

/// The pages of a citation, below its line.
void AddPages(const Quotation& cited, Line& line) {
  for (std::string& page : PagesOf(cited)) {
    line.below.push_back({.text = std::move(page),
                          .label = cited.document.empty() ? "silent" : ""});
  }
}

/// "; in forms count, mask, not in mask-words"; empty of one form.
std::string FormsText(const audit::WrongPart& part) {
  if (part.forms.empty()) return "";
  return fmt::format(
      "; in form{} {}{}", part.forms.size() == 1 ? "" : "s",
      fmt::join(part.forms, ", "),
      part.right_forms.empty()
          ? ""
          : fmt::format(", not in {}", fmt::join(part.right_forms, ", ")));
}

/// Each part of what is blamed on the rule, and the rules that explain it as
/// well.
void AddBlame(const AuditedRule& rule, Line& line) {
  for (const Cell& cell : rule.cells) {
    const auto add = [&](std::string text) {
      line.below.push_back({.text = std::move(text),
                            .label = std::string(ShortName(cell.product))});
    };
    for (const audit::WrongPart& part : cell.wrong) {
      add(fmt::format("wrong {}: {} wrong cases, {} right results there{}",
                      part.where.empty() ? "anywhere" : part.where, part.wrong,
                      part.right, FormsText(part)));
    }
    for (const std::string& found : cell.measured) {
      add("characterise: " + found);
    }
    if (cell.co_suspects.empty()) continue;
    std::vector<std::string_view> rules;
    for (isa::RuleId other : cell.co_suspects) rules.push_back(other.text());
    add(fmt::format("explained as well by {}", fmt::join(rules, ", ")));
  }
}

void AddNotExercised(const AuditedRule& rule, Line& line) {
  Groups reasons;
  for (const Cell& cell : rule.cells) {
    if (cell.verdict != audit::Verdict::kNotExercised) continue;
    Put(reasons, cell.reason.empty() ? "no reason is given" : cell.reason,
        cell.product);
  }
  for (const auto& [reason, products] : reasons) {
    line.below.push_back(
        {.text = reason,
         .label = "not exercised on " + ProductsText(products)});
  }
}

/// Each defect once, with all products that show it and the first command.
void AddBadEvidence(const AuditedRule& rule, Line& line) {
  struct Defect {
    const Evidence* first;
    std::vector<isa::Product> products;
  };
  std::vector<Defect> defects;
  for (const Cell& cell : rule.cells) {
    for (const Evidence& evidence : cell.evidence) {
      if (!IsBad(evidence)) continue;
      const auto same = std::ranges::find_if(defects, [&](const Defect& t) {
        return t.first->signature == evidence.signature &&
               t.first->showing == evidence.showing &&
               t.first->message == evidence.message;
      });
      if (same == defects.end()) {
        defects.push_back({&evidence, {cell.product}});
      } else if (same->products.back() != cell.product) {
        same->products.push_back(cell.product);
      }
    }
  }
  for (const Defect& t : defects) {
    Line& defect = line.below.emplace_back(Line{
        .text = EvidenceText(*t.first), .label = ProductsText(t.products)});
    if (!t.first->signature.empty()) {
      defect.below.push_back(
          {.text = t.first->signature, .label = "signature"});
    }
    defect.below.push_back({.text = t.first->reproduce, .label = "reproduce"});
  }
}

/// What came out, why, and what the documents state of it.
Line RuleLine(const AuditedRule& rule) {
  const std::string tried = TriedText(rule.cells);
  std::uint64_t compared = 0;
  for (const Cell& cell : rule.cells) compared += cell.compared;
  Line line = {fmt::format(
      "{} {}{}: {} cases compared{}{}", rule.rule->id.text(), VerdictText(rule),
      ShareText(rule), compared, tried.empty() ? "" : ": ", tried)};
  AddBlame(rule, line);
  AddNotExercised(rule, line);
  AddBadEvidence(rule, line);
  for (const CitedSource& source : SourcesOf(*rule.rule)) {
    Line& from = line.below.emplace_back(
        Line{.text = QuotationText(source), .label = "from"});
    if (!source.part.empty()) from.text = source.part + ": " + from.text;
    AddPages(source, from);
  }
  return line;
}

/// What is wrong comes first, and what a target that checks nothing runs, a
/// line for each rule, last.
int PlaceOf(const AuditedRule& rule, bool tolerates) {
  if (IsBad(rule.verdict)) return 0;
  return tolerates && rule.verdict == audit::Verdict::kTolerated ? 2 : 1;
}

Line DisagreementLine(const audit::AuditedDisagreement& place) {
  Line line = {
      fmt::format("disagreement {}: {} ({}; legal calls that differ: "
                  "{})",
                  place.id, place.title, isa::Name(place.kind), place.differ)};
  const auto add = [&](std::string_view label, std::string text) -> Line& {
    return line.below.emplace_back(
        Line{.text = std::move(text), .label = std::string(label)});
  };
  std::string_view which = "chosen";
  for (const CitedReading& reading : ReadingsOf(place)) {
    AddPages(reading, add(which, fmt::format("{} ({})", reading.text,
                                             QuotationText(reading))));
    which = "other";
  }
  add("why", place.why);
  add("the target follows",
      fmt::format("{}{}{}", isa::Name(place.follows),
                  place.message.empty() ? "" : ": ", place.message));
  if (!place.reproduce.empty()) add("reproduce", place.reproduce);
  return line;
}

Report::Section RulesSection(const AuditRecord& record) {
  Report::Section section = {.title = "Rules",
                             .in = Report::Section::In::kText};
  for (const int place : {0, 1, 2}) {
    for (const AuditedRule& rule : record.rules) {
      if (PlaceOf(rule, record.tolerates) != place) continue;
      section.lines.push_back(RuleLine(rule));
    }
  }
  for (const auto& place : record.disagreements) {
    section.lines.push_back(DisagreementLine(place));
  }
  return section;
}

}  // namespace

std::string DisagreementText(const audit::AuditedDisagreement& place) {
  return ToText(DisagreementLine(place));
}

std::string AuditText(const AuditRecord& record, const AuditChanges* changes,
                      const TargetRecord* about, bool all) {
  const auto groups = GroupsOf(record, changes);
  const std::string sentence =
      HeadlineOf(record, groups, about).sentence + "\n";
  Report report = {
      .opening = all ? sentence : "",
      .summary = sentence + GroupsText(groups) + AuditSummaryText(record)};
  if (about != nullptr) report.opening += TargetLine(*about, record.target);
  if (all) report.sections.push_back(RulesSection(record));
  if (changes != nullptr) {
    report.sections.push_back(ChangesSection(*changes));
    report.sections.back().lines.push_back(
        {SinceText(changes->file, changes->signatures)});
  }
  return ToText(report);
}

std::string AuditSummaryText(const AuditRecord& r) {
  std::string text;
  if (!r.stopped.empty())
    text += fmt::format("audit: stopped: {}\n", InOneLine(r.stopped));
  if (r.interrupted) {
    text += "audit: interrupted; the report covers what was audited\n";
  }
  const auto cells = r.Cells();
  text += fmt::format("audit: {} rules, rule by product:", r.rules.size());
  for (std::size_t i = 0; i < cells.size(); ++i) {
    text += fmt::format("{} {} {}", i == 0 ? "" : ",", cells[i],
                        isa::Words<audit::Verdict>::kSpelling[i]);
  }
  return text +
         fmt::format(
             "; {} disagreements of the documents\n"
             "audit: {} of {} cases compared: {} unsupported, {} not "
             "run, {} crashed, {} hung; {} steps, {} bytes, {} nodes of "
             "{} against {}, edition {}{}{}\n",
             r.disagreements.size(), r.Compared(), r.cases, r.unsupported,
             r.skipped, r.crashed, r.hung, r.steps, r.compared_bytes, r.nodes,
             InOneLine(TargetText(r.target, r.vectors)), InOneLine(r.reference),
             isa::Name(r.edition), r.sample ? "; " : "",
             r.sample ? make::SampleText(*r.sample) : "");
}

}  // namespace lanediff::reports
