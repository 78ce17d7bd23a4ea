#include "tools/history/folding.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <tuple>
#include <utility>

#include "differential/compare/signature.h"
#include "differential/testcase/record_json.h"
#include "isa/catalogue.h"
#include "reports/headline.h"

namespace lanediff::campaign {
namespace {

using reports::CaseRecord;
using reports::Verdict;

void AddCount(std::uint64_t& sum, ObjectCursor& object, std::string_view name) {
  Add(sum, object.Required(name).Count());
}

/// Whether what calls a case by a finding calls it by another one than this:
/// fuzz does, by the first that the case shows.
bool IsOfAnother(const std::string& case_name, const std::string& signature) {
  return IsSignature(case_name) && case_name != signature;
}

/// By which the smallest is known; one of its own is before another finding's.
auto SizeOf(const Sighting& sighting, const std::string& signature) {
  return std::tuple(IsOfAnother(sighting.case_name, signature), sighting.steps,
                    sighting.nodes, std::string_view(sighting.path));
}

/// A sighting by one case. Fuzz names a case by its first finding and counts
/// the hits of that finding; the other findings of the case count once.
Sighting Showing(const CaseRecord& record, const std::string& name,
                 const diff::Finding& finding) {
  return {.times = IsOfAnother(record.id, finding.signature)
                       ? 1
                       : std::max<std::uint64_t>(record.times, 1),
          .known = record.verdict == Verdict::kKnown ? record.known_reason : "",
          .message = finding.message,
          .case_name = name,
          .path = record.path,
          .reproduce = record.reproduce,
          .steps = record.steps,
          .nodes = record.nodes};
}

/// Whether it was compared. Where the target ended without a result, its other
/// findings are unknown.
bool WasCompared(const CaseRecord& record) {
  return record.verdict != Verdict::kUnsupported &&
         record.verdict != Verdict::kTolerated &&
         record.verdict != Verdict::kMalformed &&
         std::ranges::none_of(record.findings, [](const auto& finding) {
           return diff::IsFailure(finding.kind);
         });
}

void FoldFuzzer(const Cursor& place, Part& part) {
  const auto fuzzer = Read<reports::FuzzerRecord>(place);
  std::string build;
  if (const auto rates = ObjectCursor(place).Optional("rates")) {
    rates->ForEach([&](const Cursor& line) {
      build = ObjectCursor(line).Required("build").String();
    });
  }
  const std::string slug = SlugOf(fuzzer.instruction);
  Add(part.cases, fuzzer.cases);
  Add(part.nodes, fuzzer.nodes);
  if (fuzzer.cases > 0) {
    Add(ComparedOf(part, slug)[fuzzer.error.empty() ? "cases" : "leftOut"],
        fuzzer.cases);
  }
  auto& rate = part.figures[{"rate", slug, build}];
  Add(rate["cases"], fuzzer.cases);
  Add(rate["legal"], fuzzer.legal);
  Add(rate["findings"], fuzzer.findings);
  Add(rate["nodes"], fuzzer.nodes);
  constexpr double kMostSeconds = 1e9;
  Add(rate["microseconds"], static_cast<std::uint64_t>(std::llround(
                                std::min(fuzzer.seconds, kMostSeconds) * 1e6)));
  part.seconds += fuzzer.seconds;
}

/// Counts how many cases show each signature.
void FoldSweep(const Cursor& place, Part& part,
               std::map<std::string, std::uint64_t>& times) {
  const auto sweep = Read<reports::SweepRecord>(place);
  const std::string slug = SlugOf(sweep.instruction);
  std::uint64_t skipped = sweep.unsupported;
  Add(skipped, sweep.tolerated);
  Add(part.cases, sweep.cases);
  auto& compared = ComparedOf(part, slug);
  if (sweep.cases > skipped) Add(compared["cases"], sweep.cases - skipped);
  Add(compared["leftOut"], skipped);
  Add(compared["leftOut"], sweep.beyond);
  for (const diff::SignatureCount& one : sweep.signatures) {
    Add(times[one.signature], one.cases);
  }
}

void FoldCoverage(const Cursor& place, Part& part) {
  const auto record = Read<reports::CoverageRecord>(place);
  const std::string slug = SlugOf(record.slug);
  auto& coverage = part.figures[{"coverage", slug, ""}];
  coverage["bins"] = coverage["never"] = 0;
  Add(coverage["bins"], record.bins);
  auto& holes = part.holes[slug];
  for (const reports::HoleRecord& hole : record.holes) {
    holes.push_back(hole.bin);
    coverage["never"] += hole.reason.empty() ? 0 : 1;
  }
  std::ranges::sort(holes);
}

/// What was under test, and how, by a run or an audit.
void FoldScope(ObjectCursor& document, Part& part) {
  part.target = document.Required("target").String();
  part.reference = document.Required("reference").String();
  if (const auto sample = document.Optional("sample")) {
    part.scope.sample = Read<make::SampleSize>(*sample).per_rule;
  }
  // Those of check may differ from shard to shard; its cases have their own.
  const auto edition = document.Optional("edition");
  if (edition && part.verb != "check") SetEdition(edition->String(), part);
  if (const auto about = document.Optional("about")) {
    part.scope.legal_only =
        ObjectCursor(*about).Required("legalOnly").Boolean();
  }
}

/// Why not all was done; empty if all was.
std::string UnfinishedOf(ObjectCursor& audit) {
  const std::string stopped = audit.Required("stopped").String();
  if (!stopped.empty()) return stopped;
  if (audit.Required("interrupted").Boolean()) return "interrupted";
  const std::uint64_t skipped = audit.Required("skipped").Count();
  if (skipped > 0) return reports::Counted(skipped, "case") + " not run";
  return audit.Required("complete").Boolean() ? "" : "not complete";
}

}  // namespace

void Add(std::uint64_t& sum, std::uint64_t more) {
  constexpr std::uint64_t kMost = std::uint64_t{1} << 53;
  if (sum > kMost || more > kMost - sum) {
    throw CaseError{"", "found a count above 2^53; less is allowed"};
  }
  sum += more;
}

std::string SlugOf(std::string_view instruction) {
  const auto* const found = isa::FindInstruction(instruction);
  return std::string(found == nullptr ? instruction : found->slug);
}

std::map<std::string, std::uint64_t>& ComparedOf(Part& part,
                                                 const std::string& slug) {
  return part.figures[{"compared", slug, ""}];
}

void AddSighting(const std::string& signature, Sighting more, Part& part) {
  if (!IsSignature(signature)) {
    throw CaseError{"",
                    fmt::format("found the signature \"{}\"; "
                                "kind/instruction/what/type[/form] is allowed",
                                Quote(signature))};
  }
  std::uint64_t numbers = more.times;
  Add(numbers, more.steps);
  Add(numbers, more.nodes);
  more.message = reports::Shortened(more.message, reports::kMostMessageBytes);
  const auto [place, fresh] = part.findings.try_emplace(signature, more);
  if (fresh) return;
  Sighting& kept = place->second;
  if (SizeOf(more, signature) < SizeOf(kept, signature)) std::swap(kept, more);
  Add(kept.times, more.times);
  if (kept.known.empty()) kept.known = more.known;
}

void SetEdition(std::string_view edition, Part& part) {
  part.scope.edition = edition == isa::Name(isa::kNewestEdition) ? "" : edition;
}

std::string CaseName(const std::string& id, std::string_view edition) {
  return edition.empty() ? id : fmt::format("{} (edition {})", id, edition);
}

void FoldCase(const CaseRecord& record, Part& part) {
  // The same case judged by an older edition has another name.
  const std::string name =
      CaseName(record.id.empty() ? record.path : record.id, record.edition);
  if (part.verb == "check" && WasCompared(record)) {
    part.case_hashes.push_back(CaseHash(name));
    for (const std::string& instruction : record.instructions) {
      ++ComparedOf(part, SlugOf(instruction))["cases"];
    }
  }
  std::vector<std::string> signatures;
  for (const auto& finding : record.findings) {
    signatures.push_back(finding.signature);
  }
  for (const std::string& signature : diff::ReportedSignatures(signatures)) {
    const auto finding = std::ranges::find(record.findings, signature,
                                           &diff::Finding::signature);
    AddSighting(signature, Showing(record, name, *finding), part);
  }
}

void FoldRun(const Cursor& place, Part& part) {
  ObjectCursor run(place);
  run.Required("format").MustBe("lanediff-run/1");
  FoldScope(run, part);
  run.Read("unfinished", part.unfinished);
  run.Required("fuzzers").ForEach(
      [&](const Cursor& fuzzer) { FoldFuzzer(fuzzer, part); });
  if (const auto sweeps = run.Optional("sweeps")) {
    std::map<std::string, std::uint64_t> times;
    sweeps->ForEach(
        [&](const Cursor& sweep) { FoldSweep(sweep, part, times); });
    // It keeps but a few cases of each.
    for (const auto& [signature, cases] : times) {
      part.findings[signature].times = cases;
    }
  }
  if (const auto coverage = run.Optional("coverage")) {
    coverage->ForEach([&](const Cursor& one) { FoldCoverage(one, part); });
  }
  const Cursor sums = run.Required("summary");
  ObjectCursor summary(sums);
  if (part.cases == 0) AddCount(part.cases, summary, "cases");
  AddCount(part.steps, summary, "steps");
  AddCount(part.compared_bytes, summary, "comparedBytes");
  if (part.nodes == 0) AddCount(part.nodes, summary, "nodes");
}

void FoldRule(const Cursor& place, Part& part) {
  ObjectCursor rule(place);
  const std::string slug = SlugOf(rule.Required("instruction").String());
  rule.Required("cells").ForEach([&](const Cursor& item) {
    ObjectCursor cell(item);
    const std::uint64_t compared = cell.Required("compared").Count();
    if (compared == 0) return;
    part.scope.only.insert(cell.Required("product").String());
    Add(ComparedOf(part, slug)["cases"], compared);
  });
}

void FoldAudit(const Cursor& root, Part& part) {
  ObjectCursor audit(root);
  FoldScope(audit, part);
  AddCount(part.cases, audit, "cases");
  AddCount(part.steps, audit, "steps");
  AddCount(part.compared_bytes, audit, "comparedBytes");
  AddCount(part.nodes, audit, "nodes");
  part.unfinished = UnfinishedOf(audit);
  // An audit does not list unsupported cases by instruction.
  std::uint64_t left_out = 0;
  AddCount(left_out, audit, "unsupported");
  AddCount(left_out, audit, "beyond");
  for (auto& [key, numbers] : part.figures) numbers["leftOut"] = left_out;
  audit.Required("groups").ForEach([&](const Cursor& item) {
    const auto group = Read<reports::FindingGroup>(item);
    AddSighting(group.signature,
                {.times = std::max<std::uint64_t>(group.cases, 1),
                 .message = group.message,
                 .case_name = group.id,
                 .path = group.path,
                 .reproduce = group.reproduce},
                part);
  });
}

}  // namespace lanediff::campaign
