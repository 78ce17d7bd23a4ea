#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

#include "differential/compare/signature.h"
#include "reports/headline.h"
#include "reports/lint.h"
#include "reports/printable.h"

namespace lanediff::reports {
namespace {

/// How bad, worst first: a program that does not run, one that may compute
/// something else, one that does by what a call before it left.
std::size_t RankOf(lint::Group group) {
  using enum lint::Group;
  constexpr std::array kWorstFirst = {kMemcheck,  kLegality,  kRacecheck,
                                      kSynccheck, kInitcheck, kMaskcheck};
  static_assert(kWorstFirst.size() == isa::kCount<lint::Group>);
  return static_cast<std::size_t>(std::ranges::find(kWorstFirst, group) -
                                  kWorstFirst.begin());
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

std::string TakenText(const LintRecord::Sums& sums) {
  std::vector<std::string> memories;
  for (std::size_t m = 0; m < sums.taken_as_written.size(); ++m) {
    if (sums.taken_as_written[m] == 0) continue;
    memories.push_back(
        fmt::format("{} in {}", isa::Name(static_cast<isa::Memory>(m)),
                    Counted(sums.taken_as_written[m], "program")));
  }
  if (memories.empty()) return "";
  return fmt::format(
      "initcheck took every byte as written from the start: {}; "
      "\"initialised\": false counts the regions alone\n",
      fmt::join(memories, ", "));
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
  const auto add_count = [&](std::string_view before, std::uint64_t count,
                             std::string_view noun, std::string_view behind) {
    if (count == 0) return;
    add(fmt::format("{}{}{}", before, Counted(count, noun), behind));
  };
  add_count("what follows an unsupported step in ", sums.unsupported, "program",
            "");
  add_count("races in ", sums.no_racecheck, "program", " without \"sync\"");
  add_count("", sums.known, "finding", " accepted as known issues");
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

std::string EditionsOf(const LintRecord& record) {
  std::set<std::string_view> editions;
  for (const LintedCase& linted : record.cases) {
    editions.insert(isa::Name(linted.edition));
  }
  return fmt::format("{}", fmt::join(editions, ", "));
}

std::string LintSummary(const LintRecord& record) {
  const LintRecord::Sums sums = record.Sum();
  std::string text = InOneLine(HeadlineOf(record).sentence) + '\n';
  for (const auto& [rule, count] : sums.by_rule) {
    text += fmt::format("  {}: {}\n", rule, count);
  }
  const auto groups = isa::Words<lint::Group>::kSpelling;
  std::vector<std::string> counts;
  for (std::size_t g = 0; g < groups.size(); ++g) {
    counts.push_back(fmt::format("{} {}", groups[g], sums.by_group[g]));
  }
  text += fmt::format("found by group: {}\n", fmt::join(counts, ", "));
  text += fmt::format(
      "linted {}: {} clean, {} in {}, {} rejected at a step, {} unsupported; "
      "{} malformed; looked at {} steps, {} operations over {} bytes, {} flag "
      "and barrier steps, {}{}\n",
      Counted(record.cases.size(), "program"), sums.clean,
      Counted(sums.hazards, "hazard"), Counted(sums.hazardous, "program"),
      Counted(sums.rejected, "program"), sums.unsupported,
      Counted(record.malformed.size(), "file"), sums.steps, sums.operations,
      sums.bytes, sums.synchronizing, Counted(sums.masked, "masked call"),
      record.cases.empty() ? "" : ", edition " + EditionsOf(record));
  if (sums.no_racecheck > 0) {
    text += fmt::format(
        "racecheck was not done in {}: without \"sync\" each step ends before "
        "the next begins; pass --auto-sync on or off for it\n",
        Counted(sums.no_racecheck, "program"));
  }
  text += TakenText(sums);
  if (sums.known > 0) {
    text += fmt::format("{} accepted as known issues\n",
                        Counted(sums.known, "finding"));
  }
  if (!record.unfinished.empty()) {
    text += fmt::format("not finished: {}\n", InOneLine(record.unfinished));
  }
  return text;
}

LintRecord::Sums LintRecord::Sum() const {
  Sums sums = {.cases = cases.size(),
               .malformed = malformed.size(),
               .unfinished = unfinished};
  const auto add = [&](isa::RuleId rule) {
    ++sums.by_rule[std::string(rule.text())];
    ++sums.by_group[static_cast<std::size_t>(lint::GroupOf(rule))];
  };
  for (const LintedCase& linted : cases) {
    const lint::Verdict& verdict = linted.verdict;
    sums.clean += linted.clean() ? 1 : 0;
    sums.hazards += verdict.hazards.size();
    sums.hazardous += verdict.hazards.empty() ? 0 : 1;
    sums.rejected += verdict.rejected ? 1 : 0;
    sums.unsupported += verdict.unsupported ? 1 : 0;
    sums.no_racecheck += verdict.racecheck ? 0 : 1;
    sums.steps += linted.ops.size();
    sums.operations += verdict.operations;
    sums.bytes += static_cast<std::uint64_t>(verdict.bytes);
    sums.synchronizing += verdict.synchronizing;
    sums.masked += verdict.masked;
    for (const isa::Memory memory : linted.taken_as_written) {
      ++sums.taken_as_written[static_cast<std::size_t>(memory)];
    }
    for (const LintFinding& finding : linted.findings) {
      ++(finding.known.empty() ? sums.news : sums.known);
    }
    for (const lint::Hazard& hazard : verdict.hazards) add(hazard.rule);
    if (!verdict.rejected) continue;
    for (isa::RuleId rule : verdict.rejected->rules) add(rule);
  }
  return sums;
}

}  // namespace lanediff::reports
