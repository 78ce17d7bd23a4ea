#include "reports/headline.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <map>
#include <numeric>
#include <set>

#include "differential/compare/signature.h"
#include "isa/catalogue.h"
#include "reports/printable.h"
#include "reports/record.h"

namespace lanediff::reports {
namespace {

/// What a run shows of a rule, the worse the higher.
enum class Standing : std::uint8_t { kEnforced, kTolerated, kViolated };

/// Instructions of which a legal case agrees.
std::set<std::string_view> ExecutedLegally(const RunRecord& run) {
  std::set<std::string_view> names;
  for (const CaseRecord& record : run.cases) {
    if (record.verdict != Verdict::kAgree || !record.enforced.empty()) continue;
    names.insert(record.instructions.begin(), record.instructions.end());
  }
  return names;
}

std::map<std::string_view, Standing> StandingsOf(const RunRecord& run) {
  std::map<std::string_view, Standing> all;
  const auto put = [&](std::string_view rule, Standing standing) {
    const auto [place, fresh] = all.try_emplace(rule, standing);
    if (!fresh) place->second = std::max(place->second, standing);
  };
  const auto executed = ExecutedLegally(run);
  for (const CaseRecord& record : run.cases) {
    // Who names no rule may refuse everything.
    const bool proves =
        !run.about || !run.about->names_no_rules ||
        std::ranges::any_of(record.instructions, [&](const std::string& name) {
          return executed.contains(name);
        });
    for (isa::RuleId id : record.enforced) {
      if (proves) put(id.text(), Standing::kEnforced);
    }
    for (isa::RuleId id : record.tolerated) {
      put(id.text(), Standing::kTolerated);
    }
    for (const diff::Finding& finding : record.findings) {
      const auto signature = diff::ParseSignature(finding.signature);
      if (!signature) continue;
      const isa::Rule* const rule = isa::FindRule(signature->what);
      if (rule != nullptr && rule->effect == isa::Effect::kReject) {
        put(rule->id.text(), Standing::kViolated);
      }
    }
  }
  return all;
}

void CountRules(const RunRecord& run, Headline& headline) {
  for (const auto& [rule, standing] : StandingsOf(run)) {
    headline.enforced += standing == Standing::kEnforced;
    headline.tolerated += standing == Standing::kTolerated;
    headline.violated += standing == Standing::kViolated;
  }
}

std::string RulesText(const RunRecord& run, const Headline& h) {
  // Only `check` keeps each case, and so knows of rules that are well.
  if (run.verb != "check") {
    return h.violated == 0 ? "" : Counted(h.violated, "rule") + " violated";
  }
  if (h.enforced + h.tolerated + h.violated == 0) {
    const bool broken = std::ranges::any_of(run.cases, [](const CaseRecord& c) {
      return !c.witness.empty() || !c.enforced.empty();
    });
    if (broken) return "no verdict on the rules that its cases break";
    return "no case that was compared breaks a rule";
  }
  return fmt::format("{} enforced, {} tolerated, {} violated",
                     Counted(h.enforced, "rule"), h.tolerated, h.violated);
}

std::uint64_t InstructionsOf(const RunRecord& run) {
  std::set<std::string_view> names;
  for (const CaseRecord& record : run.cases) {
    names.insert(record.instructions.begin(), record.instructions.end());
  }
  const auto add = [&](const std::string& slug, std::uint64_t cases) {
    const isa::Instruction* const found = isa::FindInstruction(slug);
    if (cases > 0 && found != nullptr) names.insert(found->op);
  };
  for (const FuzzerRecord& one : run.fuzzers) add(one.instruction, one.cases);
  for (const SweepRecord& one : run.sweeps) {
    add(one.instruction,
        one.cases - std::min(one.cases, one.unsupported + one.tolerated));
  }
  return names.size();
}

std::uint64_t FuzzFindingsOf(const RunRecord& run) {
  return std::accumulate(
      run.fuzzers.begin(), run.fuzzers.end(), std::uint64_t{0},
      [](std::uint64_t sum, const auto& one) { return sum + one.findings; });
}

bool ComparedAnything(const RunRecord& run) {
  return run.agree + run.disagree + run.known > 0 ||
         std::ranges::any_of(run.fuzzers,
                             [](const auto& one) { return one.cases > 0; });
}

/// What the target could not do, or was not to.
void AddUnsupported(const RunRecord& run, Headline& headline) {
  const auto add = [&](std::string words) {
    headline.not_compared.push_back(std::move(words));
  };
  const std::uint64_t left_out = run.account ? run.account->left_out : 0;
  const std::uint64_t counted = run.unrecorded + left_out;
  if (run.unsupported > counted) {
    add(Counted(run.unsupported - counted, "unsupported case"));
  }
  if (run.unrecorded > 0) {
    add(Counted(run.unrecorded, "case") + " without a recorded outcome");
  }
  if (left_out > 0) {
    add(Counted(left_out, "case") + " that the documents refuse (legal only)");
  } else if (run.about && run.about->legal_only) {
    add("calls that the documents refuse (legal only)");
  }
  if (!run.account) return;
  if (run.account->given_up) {
    add("what was left when the target was given up");
  }
  if (!run.account->never_executed.empty()) {
    add(fmt::format("{}, claimed but never executed",
                    fmt::join(run.account->never_executed, ", ")));
  }
}

void AddNotCompared(const RunRecord& run, Headline& headline) {
  const auto add = [&](std::string words) {
    headline.not_compared.push_back(std::move(words));
  };
  if (!run.unfinished.empty()) add("the rest: " + run.unfinished);
  if (run.sample) add("all but " + make::SampleText(*run.sample));
  AddUnsupported(run, headline);
  if (run.tolerated > 0) {
    add(Counted(run.tolerated, "case") +
        " that the documents refuse and the target executed (tolerated)");
  }
  if (run.open_memory > 0) {
    add("memory with what is expected, which leaves it open, in " +
        Counted(run.open_memory, "case"));
  }
  if (run.malformed > 0) {
    add(Counted(run.malformed, "file that is no case", "files that are none"));
  }
  for (const FuzzerRecord& one : run.fuzzers) {
    if (one.error.empty()) continue;
    add(fmt::format("the rest of {}: {}", one.instruction, one.error));
  }
  // Those of a signature are counted beside its few cases that are kept.
  auto kept = static_cast<std::uint64_t>(
      std::ranges::count(run.cases, Verdict::kDisagree, &CaseRecord::verdict));
  std::uint64_t counted = 0;
  for (const SweepRecord& sweep : run.sweeps) {
    for (const auto& one : sweep.signatures) counted += one.cases;
  }
  kept = std::max(kept, counted);
  if (run.disagree > kept) {
    add(Counted(run.disagree - kept, "case") +
        " more that disagreed and of which none is kept");
  }
  if (const auto found = FuzzFindingsOf(run); found > 0 && run.cases.empty()) {
    add(Counted(found, "case") + " that disagreed and did not show it again");
  }
  if (run.known > 0) {
    add(Counted(run.known, "case") + " that differ as accepted known issues");
  }
}

}  // namespace

std::string Counted(std::uint64_t count, std::string_view one,
                    std::string_view many) {
  if (count == 1) return fmt::format("1 {}", one);
  if (!many.empty()) return fmt::format("{} {}", count, many);
  return fmt::format("{} {}s", count, one);
}

void PutIntoWords(Headline& h, const std::vector<FindingGroup>& groups,
                  const std::string& rules, bool compared, bool wrong) {
  std::set<std::string_view> instructions;
  bool elsewhere = false;  // in a step that sets machine state
  for (const FindingGroup& group : groups) {
    elsewhere |= group.instruction.empty();
    if (!group.instruction.empty()) instructions.insert(group.instruction);
  }
  h.findings = groups.size();
  h.wrong = instructions.size();
  h.instructions = std::max(h.instructions, h.wrong);
  const std::string all = h.instructions == 0
                              ? "machine state"
                              : Counted(h.instructions, "instruction");
  std::string& text = h.sentence;
  if (!compared && groups.empty()) {
    text = "Nothing was compared";
  } else if (groups.empty()) {
    text = fmt::format("No findings in {}", all);
  } else if (h.instructions == 0) {
    text = fmt::format("{} in {}", Counted(h.findings, "finding"), all);
  } else if (h.wrong == 0) {
    text = fmt::format("{} in machine state, none in {}",
                       Counted(h.findings, "finding"), all);
  } else {
    text = fmt::format("{} in {} of {}{}", Counted(h.findings, "finding"),
                       h.wrong, all, elsewhere ? " and in machine state" : "");
  }
  if (compared && !rules.empty()) text += "; " + rules;
  if (!h.not_compared.empty()) {
    text += fmt::format("; NOT compared: {}", fmt::join(h.not_compared, ", "));
  }
  text = InOneLine(text);
  wrong |= !groups.empty() || h.violated + h.contradicted > 0;
  const bool whole = compared && h.not_compared.empty();
  h.tone = wrong ? "bad" : whole ? "good" : "incomplete";
}

Headline HeadlineOf(const RunRecord& run) {
  Headline headline;
  headline.instructions = InstructionsOf(run);
  CountRules(run, headline);
  AddNotCompared(run, headline);
  const auto groups = GroupsOf(run);
  PutIntoWords(headline, groups, RulesText(run, headline),
               ComparedAnything(run),
               run.disagree > 0 || !run.stale_issues.empty());
  return headline;
}

}  // namespace lanediff::reports
