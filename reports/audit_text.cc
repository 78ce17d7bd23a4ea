#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <utility>

#include "reports/audit.h"
#include "reports/audit_words.h"
#include "reports/citations.h"
#include "reports/headline.h"
#include "reports/printable.h"
#include "reports/target_record.h"

namespace lanediff::reports {
namespace {

using audit::AuditedRule;
using audit::AuditRecord;
using audit::Cell;
using audit::Evidence;

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

std::string ReasonsText(const AuditedRule& rule) {
  Groups reasons;
  for (const Cell& cell : rule.cells) {
    if (cell.verdict != audit::Verdict::kNotExercised) continue;
    Put(reasons, cell.reason.empty() ? "no reason is given" : cell.reason,
        cell.product);
  }
  std::string text;
  for (const auto& [reason, products] : reasons) {
    text += fmt::format("  not exercised on {}: {}\n", ProductsText(products),
                        reason);
  }
  return text;
}

/// Each defect once, with all products that show it and the first command.
std::string BadEvidenceText(const AuditedRule& rule) {
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
  std::string text;
  for (const Defect& t : defects) {
    text += fmt::format("  {}: {}\n", ProductsText(t.products),
                        EvidenceText(*t.first));
    if (!t.first->signature.empty()) {
      text += fmt::format("    signature: {}\n", t.first->signature);
    }
    text += fmt::format("    reproduce: {}\n", t.first->reproduce);
  }
  return text;
}

/// What the documents state of it, with the address of each page.
std::string SourcesText(const isa::Rule& rule) {
  std::string text;
  for (const CitedSource& source : SourcesOf(rule)) {
    text += fmt::format("  from: {}{}{}\n{}", source.part,
                        source.part.empty() ? "" : ": ", QuotationText(source),
                        PagesText(source, "    "));
  }
  return text;
}

std::string RuleText(const AuditedRule& rule) {
  const std::string tried = TriedText(rule.cells);
  std::uint64_t compared = 0;
  for (const Cell& cell : rule.cells) compared += cell.compared;
  return fmt::format("{} {}{}: {} cases compared{}{}\n{}{}{}{}",
                     rule.rule->id.text(), VerdictText(rule), ShareText(rule),
                     compared, tried.empty() ? "" : ": ", tried,
                     BlameText(rule), ReasonsText(rule), BadEvidenceText(rule),
                     SourcesText(*rule.rule));
}

/// What is wrong comes first, and what a target that checks nothing runs, a
/// line for each rule, last.
int PlaceOf(const AuditedRule& rule, bool tolerates) {
  if (IsBad(rule.verdict)) return 0;
  return tolerates && rule.verdict == audit::Verdict::kTolerated ? 2 : 1;
}

std::string RulesText(const AuditRecord& record) {
  std::array<std::string, 3> texts;
  for (const AuditedRule& rule : record.rules) {
    texts[static_cast<std::size_t>(PlaceOf(rule, record.tolerates))] +=
        RuleText(rule);
  }
  return texts[0] + texts[1] + texts[2];
}

}  // namespace

std::string AuditText(const AuditRecord& record, const AuditChanges* changes,
                      const TargetRecord* about, bool all) {
  const auto groups = GroupsOf(record, changes);
  const std::string sentence =
      HeadlineOf(record, groups, about).sentence + "\n";
  std::string text = all ? sentence : "";
  if (about != nullptr) text += TargetLine(*about, record.target);
  if (all) text += RulesText(record);
  for (const auto& place : record.disagreements) {
    if (!all) break;
    std::string lines = DisagreementText(place);
    lines.pop_back();
    for (auto at = lines.find('\n'); at != std::string::npos;
         at = lines.find('\n', at + 3)) {
      lines.replace(at, 1, "\n  ");
    }
    text += fmt::format("disagreement {}\n", lines);
  }
  if (changes != nullptr) {
    text += ChangesText(*changes);
    text += fmt::format("since {}: {}\n", InOneLine(changes->file),
                        SinceText(changes->signatures));
  }
  return text + sentence + GroupsText(groups) + AuditSummaryText(record);
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
