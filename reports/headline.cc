#include "reports/headline.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <map>
#include <numeric>
#include <set>
#include <tuple>

#include "differential/compare/signature.h"
#include "isa/catalogue.h"
#include "reports/printable.h"
#include "reports/record.h"
#include "reports/target_record.h"

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
  const std::uint64_t left_out = run.account ? run.account->left_out : 0;
  const std::uint64_t counted = run.unrecorded + left_out;
  headline.Omit(
      run.unsupported - std::min<std::uint64_t>(run.unsupported, counted),
      "unsupported case");
  headline.Omit(run.unrecorded, "case", " without a recorded outcome");
  if (left_out > 0) {
    headline.Omit(left_out, "case", " that the documents refuse (legal only)");
  } else if (run.about && run.about->legal_only) {
    headline.Omit("calls that the documents refuse (legal only)");
  }
  if (!run.account) return;
  if (run.account->given_up) {
    headline.Omit("what was left when the target was given up");
  }
  if (!run.account->never_executed.empty()) {
    headline.Omit(fmt::format("{}, claimed but never executed",
                              fmt::join(run.account->never_executed, ", ")));
  }
}

void AddNotCompared(const RunRecord& run, Headline& headline) {
  if (!run.unfinished.empty()) headline.Omit("the rest: " + run.unfinished);
  if (run.sample) headline.Omit("all but " + make::SampleText(*run.sample));
  AddUnsupported(run, headline);
  headline.Omit(
      run.tolerated, "case",
      " that the documents refuse and the target executed (tolerated)");
  if (run.open_memory > 0) {
    headline.Omit("memory with what is expected, which leaves it open, in " +
                  Counted(run.open_memory, "case"));
  }
  if (run.malformed > 0) {
    headline.Omit(
        Counted(run.malformed, "file that is no case", "files that are none"));
  }
  for (const FuzzerRecord& one : run.fuzzers) {
    if (one.error.empty()) continue;
    headline.Omit(
        fmt::format("the rest of {}: {}", one.instruction, one.error));
  }
  // Those of a signature are counted beside its few cases that are kept.
  auto kept = static_cast<std::uint64_t>(
      std::ranges::count(run.cases, Verdict::kDisagree, &CaseRecord::verdict));
  std::uint64_t counted = 0;
  for (const SweepRecord& sweep : run.sweeps) {
    for (const auto& one : sweep.signatures) counted += one.cases;
  }
  kept = std::max(kept, counted);
  // An enumeration counts its points and keeps few of each signature.
  if (run.disagree > kept && run.verb != "exhaust") {
    headline.Omit(run.disagree - kept, "case",
                  " more that disagreed and of which none is kept");
  }
  if (run.cases.empty()) {
    headline.Omit(FuzzFindingsOf(run), "case",
                  " that disagreed and did not show it again");
  }
  headline.Omit(run.known, "case", " that differ as accepted known issues");
}

using diff::Finding;
using diff::FindingKind;

constexpr std::size_t kMostTextGroups = 100;

/// The kinds, worst first, with the class of each.
constexpr std::array<std::pair<FindingKind, std::string_view>, 13> kOrder = {{
    {FindingKind::kCrash, "failure"},
    {FindingKind::kTimeout, "failure"},
    {FindingKind::kProtocol, "failure"},
    {FindingKind::kState, "failure"},
    {FindingKind::kNotDeterministic, "failure"},
    {FindingKind::kOutcome, "legality"},
    {FindingKind::kRules, "legality"},
    {FindingKind::kKernel, "legality"},
    {FindingKind::kMemory, "result"},
    {FindingKind::kReadsOutside, "result"},
    {FindingKind::kExpectation, "result"},
    {FindingKind::kLintDiffers, "result"},
    {FindingKind::kNotes, "notes"},
}};
static_assert(kOrder.size() == isa::kCount<FindingKind>);

std::size_t RankOf(std::string_view signature) {
  const std::string_view kind = signature.substr(0, signature.find('/'));
  for (std::size_t i = 0; i < kOrder.size(); ++i) {
    if (isa::Name(kOrder[i].first) == kind) return i;
  }
  return kOrder.size();
}

/// The documents' word for the instruction of a signature; empty where it is a
/// step that sets state.
std::string InstructionOf(std::string_view signature) {
  const std::size_t from = signature.find('/');
  if (from == std::string_view::npos) return "";
  const std::string_view rest = signature.substr(from + 1);
  const auto* const found =
      isa::FindInstruction(rest.substr(0, rest.find('/')));
  return found == nullptr ? "" : std::string(found->op);
}

auto SizeOf(const CaseRecord& record) {
  return std::tuple(record.steps, record.nodes);
}

/// Whether the target failed in a call that the documents refuse.
bool IsIllegal(const CaseRecord& record) {
  return std::ranges::any_of(record.findings, [](const Finding& finding) {
    return diff::IsFailure(finding.kind) && !finding.expected_rules.empty();
  });
}

void Show(const CaseRecord& record, const Finding& finding,
          FindingGroup& group) {
  group.id = record.id;
  group.path = record.path;
  group.message = Shortened(finding.message, kMostMessageBytes);
  group.reproduce = record.reproduce;
}

}  // namespace

void Headline::Omit(std::uint64_t count, std::string_view noun,
                    std::string_view more) {
  if (count > 0) Omit(Counted(count, noun).append(more));
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
  if (headline.not_compared.empty() && ComparedAnything(run)) {
    headline.not_compared = TextsOf(ReasonsOf(run));
  }
  const auto groups = GroupsOf(run);
  PutIntoWords(headline, groups, RulesText(run, headline),
               ComparedAnything(run),
               run.disagree > 0 || !run.stale_issues.empty());
  return headline;
}

std::string_view BadnessOf(std::string_view signature) {
  const std::size_t rank = RankOf(signature);
  return rank < kOrder.size() ? kOrder[rank].second : "result";
}

std::vector<FindingGroup> Sorted(std::map<std::string, GatheredGroup> gathered,
                                 const SignatureChanges* changes) {
  std::vector<GatheredGroup> all;
  for (auto& [signature, one] : gathered) {
    FindingGroup& group = one.group;
    group.signature = signature;
    group.badness = BadnessOf(signature);
    group.instruction = InstructionOf(signature);
    if (changes != nullptr) group.since = changes->Since(signature);
    all.push_back(std::move(one));
  }
  std::ranges::sort(all, {}, [](const GatheredGroup& one) {
    const FindingGroup& group = one.group;
    return std::tuple(!one.legal, RankOf(group.signature), ~group.cases,
                      group.signature);
  });
  std::vector<FindingGroup> groups;
  for (GatheredGroup& one : all) groups.push_back(std::move(one.group));
  return groups;
}

std::vector<FindingGroup> GroupsOf(const RunRecord& run) {
  std::map<std::string, GatheredGroup> gathered;
  std::map<std::string, const CaseRecord*> smallest;
  for (const CaseRecord& record : run.cases) {
    if (record.verdict != Verdict::kDisagree) continue;
    std::vector<std::string> signatures;
    for (const Finding& f : record.findings) signatures.push_back(f.signature);
    for (const std::string& signature : diff::ReportedSignatures(signatures)) {
      GatheredGroup& one = gathered[signature];
      one.legal |= !IsIllegal(record);
      ++one.group.cases;
      one.group.times += record.times;
      const CaseRecord*& shown = smallest[signature];
      if (shown != nullptr && SizeOf(record) >= SizeOf(*shown)) continue;
      shown = &record;
      Show(record,
           *std::ranges::find(record.findings, signature, &Finding::signature),
           one.group);
    }
  }
  // A sweep keeps but a few cases of each.
  diff::SignatureCounts all;
  for (const SweepRecord& sweep : run.sweeps) all.Add(sweep.signatures);
  for (const diff::SignatureCount& one : all.Record()) {
    const auto place = gathered.find(one.signature);
    if (place != gathered.end()) place->second.group.cases = one.cases;
  }
  return Sorted(std::move(gathered),
                run.changes ? &run.changes->signatures : nullptr);
}

std::string GroupsText(const std::vector<FindingGroup>& groups) {
  if (groups.empty()) return "";
  std::string text =
      groups.size() == 1
          ? "1 different finding:\n"
          : fmt::format("{} different findings, worst first:\n", groups.size());
  for (std::size_t i = 0; i < groups.size() && i < kMostTextGroups; ++i) {
    const FindingGroup& group = groups[i];
    text += fmt::format(
        "  {:>6} {}{}{}  {}\n", group.cases, InOneLine(group.signature),
        group.since.empty() ? "" : " ", group.since, InOneLine(group.path));
  }
  if (groups.size() > kMostTextGroups) {
    text += fmt::format("  and {} more\n", groups.size() - kMostTextGroups);
  }
  return text;
}

}  // namespace lanediff::reports
