#include "audit/evidence.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "audit/child.h"
#include "audit/conditions.h"
#include "audit/stream.h"
#include "differential/compare/check.h"
#include "differential/compare/keep_finding.h"
#include "differential/memory/memory_set.h"
#include "differential/shrink/shrink.h"
#include "differential/targets/find_target.h"
#include "differential/testcase/case_reader.h"
#include "differential/testcase/case_writer.h"
#include "differential/testcase/element.h"
#include "oracle/oracle.h"

namespace lanediff::audit {
namespace {

std::string IdOf(const Candidate& candidate, isa::Product product) {
  return fmt::format("audit/{}/{}/{}", candidate.slug, candidate.number,
                     isa::Name(product));
}

/// "cases/min/17-atlas-a2.json".
std::string FileOf(const Candidate& candidate, isa::Product product,
                   std::string_view behind) {
  return fmt::format("cases/{}/{}-{}{}.json", candidate.slug, candidate.number,
                     isa::Name(product), behind);
}

/// Of what disagrees, what was under test and the signature too.
Origin OriginOf(const Candidate& candidate, const diff::Target& target) {
  Origin origin;
  origin.tool = "lanediff-audit";
  if (!candidate.signature.empty()) {
    origin.target = target.name();
    origin.signature = candidate.signature;
  }
  return origin;
}

bool EndedTarget(Showing showing) {
  return showing == Showing::kCrashed || showing == Showing::kHung;
}

}  // namespace

void EvidenceMaker::Prepare(
    const Tally& tally, std::span<const isa::Product> products,
    const std::map<std::string_view, std::vector<Case>>& given,
    isa::Edition edition) {
  std::map<std::string_view, std::set<std::uint64_t>> numbers;
  for (const CellTally& cell : tally.cells) {
    for (const auto* list : {&cell.typical, &cell.bad}) {
      for (const Candidate& c : *list) numbers[c.slug].insert(c.number);
    }
  }
  for (const auto& [source, cases] : given) {
    for (const std::uint64_t number : numbers[source]) {
      if (number >= cases.size()) continue;  // of another corpus
      AuditCase c = GivenCase(cases, number, source);
      std::string id = c.c.id;
      made_.emplace(std::move(id), std::move(c.c));
    }
    numbers.erase(source);
  }
  for (const auto& [slug, wanted] : numbers) {
    ForEachAuditCase(
        slug, [&](std::uint64_t n) { return wanted.contains(n); }, products,
        [&](AuditCase&& c) {
          std::string id = c.c.id;
          made_.emplace(std::move(id), std::move(c.c));
          return true;
        },
        edition);
  }
}

std::vector<Evidence> EvidenceMaker::Make(const isa::Rule& rule,
                                          isa::Product product,
                                          const CellTally& cell) {
  std::vector<Evidence> all;
  std::set<std::string> seen;
  const auto add = [&](const Candidate& candidate, bool bad) {
    const std::string id = IdOf(candidate, product);
    const auto found = made_.find(id);
    if (found == made_.end() || !seen.insert(id).second) return;
    const bool shrinks =
        bad && !EndedTarget(candidate.showing) && target_.runs_any_case();
    const std::string file =
        FileOf(candidate, product, shrinks ? "-smallest" : "");
    auto [entry, fresh] = files_.try_emplace(file);
    if (fresh) {
      entry->second = shrinks ? Smallest(found->second) : found->second;
      Case& c = entry->second;
      c.requirement.clear();
      c.expect = diff::ToExpectation(diff::TheOracle().Run(c).value());
      c.origin = OriginOf(candidate, target_);
      if (shrinks) c.id = id + "/smallest";
    }
    auto& requirement = entry->second.requirement;
    if (std::ranges::find(requirement, rule.id) == requirement.end()) {
      requirement.push_back(rule.id);
      std::ranges::sort(requirement);
    }
    all.push_back(Describe(candidate, file));
    all.back().id = entry->second.id;
  };
  for (const Candidate& candidate : cell.bad) add(candidate, true);
  for (const Candidate& candidate : cell.typical) add(candidate, false);
  return all;
}

Evidence EvidenceMaker::Describe(const Candidate& candidate,
                                 const std::string& file) const {
  Evidence evidence;
  evidence.file = file;
  evidence.side = candidate.side;
  evidence.what = candidate.what;
  evidence.showing = candidate.showing;
  evidence.message = candidate.message;
  evidence.signature = candidate.signature;
  evidence.reproduce = diff::CheckCommand(file, target_word_);
  return evidence;
}

Case EvidenceMaker::Smallest(const Case& c) const {
  const GuardedTarget guarded(target_);
  // In a child: a smaller case may be one that ends the target.
  const Apart apart = RunApart(
      [&](Beacon&) {
        const auto result =
            diff::Shrink(c, guarded, diff::TheOracle(),
                         {.candidates = 2000, .seconds = std::nullopt});
        return result ? WriteCase(result->shrunk) : "";
      },
      20);
  if (apart.end != Child::End::kDone || apart.bytes.empty()) return c;
  const auto smallest = ReadCase(apart.bytes);
  return smallest ? *smallest : c;
}

void ShowRounding(const Case& c, Numeric& numeric) {
  diff::MemorySet memory(c);
  oracle::Oracle oracle(c.profile(), memory.view());
  oracle.set_tracing(true);
  for (const isa::Step& step : c.program) {
    oracle.Execute(step);
    for (const oracle::TrueResult& result : oracle.true_results()) {
      const auto type = TraitsOf(step).dtype.value_or(isa::DType::kUint8);
      const std::string rounded = ElementToText(type, result.bits).text;
      const bool was_rounded = rounded != result.exact;
      if (!numeric.exact.empty() && !was_rounded) continue;
      numeric.exact = result.exact;
      numeric.expected = DescribeElement(type, result.bits);
      if (was_rounded) return;
    }
  }
}

}  // namespace lanediff::audit
