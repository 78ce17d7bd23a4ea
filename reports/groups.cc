#include "reports/groups.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <iterator>
#include <map>
#include <tuple>

#include "differential/compare/signature.h"
#include "differential/compare/signature_counts.h"
#include "isa/catalogue.h"
#include "reports/printable.h"
#include "reports/record.h"
#include "reports/target_record.h"

namespace lanediff::reports {
namespace {

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

std::string InstructionOf(std::string_view signature) {
  const std::size_t from = signature.find('/');
  if (from == std::string_view::npos) return "";
  const std::string_view rest = signature.substr(from + 1);
  const auto* const found =
      isa::FindInstruction(rest.substr(0, rest.find('/')));
  return found == nullptr ? "" : std::string(found->op);
}

void SortGroups(std::vector<FindingGroup>& groups) {
  for (FindingGroup& group : groups) {
    const std::size_t rank = RankOf(group.signature);
    group.badness = rank < kOrder.size() ? kOrder[rank].second : "result";
  }
  std::ranges::sort(groups, [](const FindingGroup& a, const FindingGroup& b) {
    return std::tuple(RankOf(a.signature), b.cases, a.signature) <
           std::tuple(RankOf(b.signature), a.cases, b.signature);
  });
}

void PutLegalFirst(std::vector<FindingGroup>& groups,
                   const std::function<bool(const FindingGroup&)>& is_legal) {
  std::vector<FindingGroup> legal;
  std::vector<FindingGroup> others;
  for (FindingGroup& group : groups) {
    (is_legal(group) ? legal : others).push_back(std::move(group));
  }
  std::ranges::move(others, std::back_inserter(legal));
  groups = std::move(legal);
}

std::vector<FindingGroup> GroupsOf(const RunRecord& run) {
  struct Gathered {
    FindingGroup group;
    const CaseRecord* smallest = nullptr;
    bool legal = false;  ///< some case is no failure in an illegal call
  };
  std::map<std::string, Gathered> gathered;
  for (const CaseRecord& record : run.cases) {
    if (record.verdict != Verdict::kDisagree) continue;
    std::vector<std::string> signatures;
    for (const Finding& f : record.findings) signatures.push_back(f.signature);
    for (const std::string& signature : diff::ReportedSignatures(signatures)) {
      Gathered& one = gathered[signature];
      one.legal |= !IsIllegal(record);
      ++one.group.cases;
      one.group.times += record.times;
      if (one.smallest != nullptr && SizeOf(record) >= SizeOf(*one.smallest)) {
        continue;
      }
      one.smallest = &record;
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
  std::vector<FindingGroup> groups;
  for (auto& [signature, one] : gathered) {
    one.group.signature = signature;
    one.group.instruction = InstructionOf(signature);
    if (run.changes) one.group.since = run.changes->signatures.Since(signature);
    groups.push_back(std::move(one.group));
  }
  SortGroups(groups);
  // What a target does in calls that the documents refuse comes last.
  PutLegalFirst(groups, [&](const FindingGroup& group) {
    return gathered.at(group.signature).legal;
  });
  return groups;
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
