#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <map>
#include <set>
#include <tuple>
#include <utility>

#include "differential/compare/signature.h"
#include "reports/headline.h"
#include "reports/lint.h"

namespace lanediff::reports {
namespace {

/// How bad, worst first: a program that does not run, one that may compute
/// something else, one that does by what a call before it left.
int RankOf(lint::Group group) {
  switch (group) {
    case lint::Group::kMemcheck:
      return 0;
    case lint::Group::kLegality:
      return 1;
    case lint::Group::kRacecheck:
      return 2;
    case lint::Group::kSynccheck:
      return 3;
    case lint::Group::kInitcheck:
      return 4;
    case lint::Group::kMaskcheck:
      return 5;
  }
  return 6;
}

LintFinding FindingOf(isa::RuleId rule, std::size_t step,
                      const std::vector<isa::Step>& program) {
  LintFinding finding;
  finding.rule = rule;
  finding.signature = diff::LintSignature(program[step], rule);
  finding.step = step;
  finding.op = isa::OpName(program[step]);
  return finding;
}

/// What shows that the step breaks the rule, or that it does.
LintFinding OfRejected(const LintedCase& linted, isa::RuleId rule,
                       const std::vector<isa::Step>& program) {
  const std::size_t step = linted.verdict.rejected->step;
  LintFinding finding = FindingOf(rule, step, program);
  std::vector<std::string> shown;
  const lint::Diagnosis* const diagnosis = DiagnosisOf(linted, step);
  if (diagnosis != nullptr) {
    for (const lint::Witness& witness : diagnosis->witnesses) {
      if (witness.rule != rule) continue;
      shown.push_back(witness.text());
      if (finding.operand.empty()) {
        finding.operand =
            witness.operand.empty() ? witness.field : witness.operand;
      }
    }
  }
  finding.message =
      fmt::format("step {} {} breaks {}", step, finding.op, rule.text());
  if (!linted.where.empty() && !linted.where[step].empty()) {
    finding.message += fmt::format(" [{}]", linted.where[step]);
  }
  if (!shown.empty()) {
    finding.message += fmt::format(": {}", fmt::join(shown, "; "));
  }
  if (diagnosis != nullptr && diagnosis->repair) {
    finding.message += "; repair: " + diagnosis->repair->text;
  }
  return finding;
}

}  // namespace

bool LintedCase::HasNews() const {
  return std::ranges::any_of(
      findings, [](const LintFinding& f) { return f.known.empty(); });
}

std::vector<LintFinding> FindingsOf(const LintedCase& linted,
                                    const std::vector<isa::Step>& program) {
  std::vector<LintFinding> findings;
  for (std::size_t i = 0; i < linted.verdict.hazards.size(); ++i) {
    const lint::Hazard& hazard = linted.verdict.hazards[i];
    const auto repair = linted.hazard_repairs.find(i);
    LintFinding finding = FindingOf(hazard.rule, hazard.later.step, program);
    finding.operand = hazard.later.operand;
    finding.message = HazardText(hazard, repair == linted.hazard_repairs.end()
                                             ? nullptr
                                             : &repair->second);
    findings.push_back(std::move(finding));
  }
  if (!linted.verdict.rejected) return findings;
  for (isa::RuleId rule : linted.verdict.rejected->rules) {
    findings.push_back(OfRejected(linted, rule, program));
  }
  return findings;
}

std::vector<LintGroup> GroupsOf(const LintRecord& record) {
  std::map<std::string_view, LintGroup> by_signature;
  std::map<std::string_view, std::set<std::string_view>> shown_by;
  for (const LintedCase& linted : record.cases) {
    for (const LintFinding& finding : linted.findings) {
      if (!finding.known.empty()) continue;
      LintGroup& group = by_signature[finding.signature];
      group.signature = finding.signature;
      group.rule = finding.rule;
      group.group = lint::GroupOf(finding.rule);
      ++group.times;
      shown_by[finding.signature].insert(linted.path);
      if (group.example == nullptr ||
          linted.ops.size() < group.example->ops.size()) {
        group.example = &linted;
        group.finding = &finding;
      }
    }
  }
  std::vector<LintGroup> groups;
  for (auto& [signature, group] : by_signature) {
    group.cases = shown_by[signature].size();
    groups.push_back(std::move(group));
  }
  std::ranges::sort(groups, {}, [](const LintGroup& group) {
    return std::tuple(RankOf(group.group), ~group.cases, group.signature);
  });
  return groups;
}

LintHeadline HeadlineOf(const LintRecord& record) {
  const LintRecord::Sums sums = record.Sum();
  LintHeadline headline;
  const auto add = [&](std::string words) {
    headline.not_looked_at.push_back(std::move(words));
  };
  if (!record.unfinished.empty()) add("the rest: " + record.unfinished);
  if (!record.malformed.empty()) {
    add(Counted(record.malformed.size(), "file that is no case",
                "files that are none"));
  }
  if (sums.unsupported > 0) {
    add("what follows an unsupported step in " +
        Counted(sums.unsupported, "program"));
  }
  if (sums.no_racecheck > 0) {
    add("races in " + Counted(sums.no_racecheck, "program") +
        " without \"sync\"");
  }
  if (sums.known > 0) {
    add(Counted(sums.known, "finding") + " accepted as known issues");
  }
  const std::size_t wrong = static_cast<std::size_t>(
      std::ranges::count_if(record.cases, &LintedCase::HasNews));
  const auto groups = GroupsOf(record);
  const std::string programs = Counted(record.cases.size(), "program");
  headline.sentence =
      record.cases.empty() ? "Nothing was looked at"
      : groups.empty()
          ? "No findings in " + programs
          : fmt::format("{} in {} of {}", Counted(groups.size(), "finding"),
                        wrong, programs);
  headline.tone = !groups.empty() || !record.stale_issues.empty() ? "bad"
                  : record.cases.empty() || !headline.not_looked_at.empty()
                      ? "incomplete"
                      : "good";
  if (!headline.not_looked_at.empty()) {
    headline.sentence += fmt::format("; NOT looked at: {}",
                                     fmt::join(headline.not_looked_at, "; "));
  }
  return headline;
}

}  // namespace lanediff::reports
