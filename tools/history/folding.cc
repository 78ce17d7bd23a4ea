#include "tools/history/folding.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <map>
#include <sstream>
#include <tuple>
#include <utility>

#include "differential/compare/signature.h"
#include "differential/testcase/json.h"
#include "differential/testcase/record.h"
#include "differential/testcase/record_json.h"
#include "generators/exhaustive/space.h"
#include "isa/catalogue.h"
#include "reports/headline.h"
#include "reports/target_record.h"
#include "tools/history/scope.h"

namespace lanediff::campaign {
namespace {

/// By which the smallest is known; one of its own is before another finding's.
auto SizeOf(const Sighting& sighting, const std::string& signature) {
  return std::tuple(IsOfAnother(sighting.case_name, signature), sighting.steps,
                    sighting.nodes, std::string_view(sighting.path));
}

using reports::CaseRecord;
using reports::Verdict;

/// The name of a case in this campaign. The same case judged by an older
/// edition has another name.
std::string CaseNameOf(const CaseRecord& record) {
  return CaseName(record.id.empty() ? record.path : record.id, record.edition);
}

/// Keeps editions in the scope but for the newest alone.
void SetEdition(std::string_view edition, Part& part) {
  part.scope.edition = edition == isa::Name(isa::kNewestEdition) ? "" : edition;
}

/// A sighting by one case. Fuzz names a case by its first finding and counts
/// the hits of that finding; the other findings of the case count once.
Sighting Showing(const CaseRecord& record, const diff::Finding& finding) {
  return {.times = IsOfAnother(record.id, finding.signature)
                       ? 1
                       : std::max<std::uint64_t>(record.times, 1),
          .known = record.verdict == Verdict::kKnown ? record.known_reason : "",
          .message = Short(finding.message),
          .case_name = CaseNameOf(record),
          .path = record.path,
          .reproduce = record.reproduce,
          .steps = record.steps,
          .nodes = record.nodes};
}

/// Whether the target ended without a result; its other findings are unknown.
bool Failed(const CaseRecord& record) {
  return std::ranges::any_of(record.findings, [](const diff::Finding& finding) {
    return diff::IsFailure(finding.kind);
  });
}

bool WasCompared(const CaseRecord& record) {
  return record.verdict != Verdict::kUnsupported &&
         record.verdict != Verdict::kTolerated &&
         record.verdict != Verdict::kMalformed;
}

void FoldFuzzer(const Cursor& place, Part& part) {
  const auto fuzzer =
      ReadRecord<reports::FuzzerRecord>(place, UnknownFields::kNotLookedAt);
  std::string build;
  if (const auto rates = ObjectCursor(place).Optional("rates")) {
    rates->ForEach([&](const Cursor& line) {
      build = ObjectCursor(line).Required("build").String();
    });
  }
  const std::string slug = SlugOf(fuzzer.instruction);
  AddTo(part.cases, fuzzer.cases);
  AddTo(part.nodes, fuzzer.nodes);
  if (fuzzer.cases > 0) {
    AddTo((fuzzer.error.empty() ? part.looked : part.left_out)[slug],
          fuzzer.cases);
  }
  Rate& rate = part.rates[{slug, build}];
  rate.seconds += fuzzer.seconds;
  AddTo(rate.cases, fuzzer.cases);
  AddTo(rate.legal, fuzzer.legal);
  AddTo(rate.findings, fuzzer.findings);
  AddTo(rate.nodes, fuzzer.nodes);
  part.seconds += fuzzer.seconds;
}

/// Adds up how many cases show each signature.
void FoldSweep(const Cursor& place, Part& part,
               std::map<std::string, std::uint64_t>& times) {
  const auto sweep =
      ReadRecord<reports::SweepRecord>(place, UnknownFields::kNotLookedAt);
  AddTo(part.cases, sweep.cases);
  const std::uint64_t skipped = sweep.unsupported + sweep.tolerated;
  if (sweep.cases > skipped) {
    AddTo(part.looked[SlugOf(sweep.instruction)], sweep.cases - skipped);
  }
  std::uint64_t& left_out = part.left_out[SlugOf(sweep.instruction)];
  AddTo(left_out, skipped);
  AddTo(left_out, sweep.beyond);
  for (const diff::SignatureCount& one : sweep.signatures) {
    AddTo(times[one.signature], one.cases);
  }
}

void FoldCoverage(const Cursor& place, Part& part) {
  const auto slug =
      ReadRecord<reports::CoverageRecord>(place, UnknownFields::kNotLookedAt);
  Coverage& coverage = part.coverage[SlugOf(slug.slug)];
  coverage.bins = slug.bins;
  for (const reports::HoleRecord& hole : slug.holes) {
    coverage.holes.push_back(hole.bin);
    coverage.never += hole.reason.empty() ? 0 : 1;
  }
  std::ranges::sort(coverage.holes);
}

/// How a scope names the calls in `range`, "A..B"; empty: all.
std::string PartOfSpace(const std::string& name, const std::string& range) {
  const auto* const space = make::exhaust::FindSpace(name);
  const bool whole =
      range.empty() ||
      (space != nullptr && range == fmt::format("0..{}", space->calls()));
  return whole ? name : name + " " + range;
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

std::string Short(const std::string& message) {
  return reports::Shortened(message, reports::kMostMessageBytes);
}

bool IsOfAnother(const std::string& case_name, const std::string& signature) {
  return IsSignature(case_name) && case_name != signature;
}

void AddSighting(const std::string& signature, Sighting more, Part& part) {
  const auto [place, fresh] = part.findings.try_emplace(signature, more);
  if (fresh) {
    if (IsSignature(signature)) return;
    throw CaseError{"",
                    fmt::format("found the signature \"{}\"; "
                                "kind/instruction/what/type[/form] is allowed",
                                Quote(signature))};
  }
  Sighting& sum = place->second;
  std::uint64_t times = sum.times;
  AddTo(times, more.times);
  const std::string known = sum.known.empty() ? more.known : sum.known;
  if (SizeOf(more, signature) < SizeOf(sum, signature)) sum = std::move(more);
  sum.times = times;
  sum.known = known;
}

std::string SlugOf(std::string_view instruction) {
  const auto* const found = isa::FindInstruction(instruction);
  return std::string(found == nullptr ? instruction : found->slug);
}

void FoldCase(const CaseRecord& record, Part& part) {
  if (part.verb == "check" && WasCompared(record) && !Failed(record)) {
    part.case_hashes.push_back(CaseHash(CaseNameOf(record)));
    for (const std::string& instruction : record.instructions) {
      ++part.looked[SlugOf(instruction)];
    }
  }
  std::vector<std::string> signatures;
  for (const auto& finding : record.findings) {
    signatures.push_back(finding.signature);
  }
  for (const std::string& signature : diff::ReportedSignatures(signatures)) {
    const auto finding = std::ranges::find(record.findings, signature,
                                           &diff::Finding::signature);
    AddSighting(signature, Showing(record, *finding), part);
  }
}

void FoldScope(ObjectCursor& document, Part& part) {
  if (const auto sample = document.Optional("sample")) {
    part.scope.sample = fmt::format(
        "{} of each rule",
        ReadRecord<make::SampleSize>(*sample, UnknownFields::kNotLookedAt)
            .per_rule);
  }
  // Those of check may differ from shard to shard; its cases have their own.
  const auto edition = document.Optional("edition");
  if (edition && part.verb != "check") SetEdition(edition->String(), part);
  if (const auto about = document.Optional("about")) {
    part.scope.legal_only =
        ObjectCursor(*about).Required("legalOnly").Boolean();
  }
}

void FoldRun(const Cursor& place, Part& part) {
  ObjectCursor run(place);
  run.Required("format").MustBe("lanediff-run/1");
  part.target = run.Required("target").String();
  part.reference = run.Required("reference").String();
  if (const auto unfinished = run.Optional("unfinished")) {
    part.unfinished = unfinished->String();
  }
  FoldScope(run, part);
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
    coverage->ForEach([&](const Cursor& slug) { FoldCoverage(slug, part); });
  }
  const Cursor sums = run.Required("summary");
  ObjectCursor summary(sums);
  if (part.cases == 0) part.cases = summary.Required("cases").Count();
  part.steps = summary.Required("steps").Count();
  part.compared_bytes = summary.Required("comparedBytes").Count();
  if (part.nodes == 0) part.nodes = summary.Required("nodes").Count();
}

void FoldMutants(const reports::MutantsRecord& record, Part& part) {
  part.target = kPlantedBugs;
  part.reference = "oracle";
  part.seconds = record.seconds;
  SetEdition(record.edition, part);
  if (!record.complete()) part.unfinished = "not every hunt came to its end";
  for (const reports::MutantRecord& mutant : record.mutants) {
    const std::string slug = SlugOf(mutant.instruction);
    std::uint64_t tried = 0;
    for (const auto& checker : mutant.checkers) AddTo(tried, checker.tried);
    AddTo(part.cases, tried);
    const auto verdict = mutant.verdict();
    if (verdict == reports::MutantVerdict::kNotFinished) continue;
    AddTo(part.looked[slug], tried);
    part.case_hashes.push_back(CaseHash(mutant.name));
    if (verdict == reports::MutantVerdict::kFound) continue;
    AddSighting(fmt::format("{}/{}/{}/planted", kSurvived, slug, mutant.name),
                {.times = 1,
                 .message = Short(
                     fmt::format("no checker finds it: {}", mutant.defect)),
                 .case_name = mutant.name,
                 .reproduce = "lanediff mutants " + mutant.name +
                              (record.edition == isa::Name(isa::Edition::k2024)
                                   ? " --edition " + record.edition
                                   : "")},
                part);
  }
}

void FoldState(const make::exhaust::State& state, Part& part) {
  const auto* const space = make::exhaust::FindSpace(state.space);
  part.scope.only.insert(PartOfSpace(
      state.space, fmt::format("{}..{}", state.part.from, state.part.to)));
  part.target = state.target;
  part.reference = "oracle";
  SetEdition(isa::Name(state.Edition()), part);
  AddTo(part.cases, state.points);
  AddTo(part.cases, state.unsupported);
  part.seconds += static_cast<double>(state.milliseconds) / 1000;
  if (space != nullptr) {
    const std::string slug(space->slug());
    if (state.points > 0) AddTo(part.looked[slug], state.points);
    AddTo(part.left_out[slug], state.unsupported);
  }
  for (const auto& finding : state.findings) {
    AddSighting(finding.signature,
                {.times = 1,
                 .message = Short(finding.message),
                 .case_name = finding.path,
                 .path = finding.path},
                part);
  }
}

void FoldSpaces(const reports::ShardRecord& record, Part& part) {
  const auto option = [&](std::string_view name) {
    const auto found = std::ranges::find(
        record.options, name, &std::pair<std::string, std::string>::first);
    return found == record.options.end() ? "" : found->second;
  };
  const std::string range = option("range");
  for (std::istringstream names(option("spaces")); names;) {
    std::string name;
    if (names >> name) part.scope.only.insert(PartOfSpace(name, range));
  }
}

void FoldSpace(const Cursor& place, Part& part) {
  ObjectCursor space(place);
  make::exhaust::State state;
  state.space = space.Required("space").String();
  state.target = part.target;
  if (const auto edition = space.Optional("edition")) {
    state.edition = edition->Word<isa::Edition>();
  }
  state.part.from = space.Required("from").Count();
  state.part.to = space.Required("to").Count();
  state.points = space.Required("points").Count();
  state.unsupported = space.Required("unsupported").Count();
  state.milliseconds = static_cast<std::uint64_t>(
      1000 * std::max(0.0, space.Required("seconds").Double()));
  if (!space.Required("complete").Boolean()) {
    part.unfinished = state.space + " is not enumerated to its end";
  }
  space.Required("findings").ForEach([&](const Cursor& item) {
    ObjectCursor finding(item);
    state.findings.push_back(
        {.call = finding.Required("call").Count(),
         .signature = finding.Required("signature").String(),
         .message = finding.Required("message").String(),
         .path = finding.Required("path").String()});
  });
  FoldState(state, part);
}

void FoldRule(const Cursor& place, Part& part) {
  ObjectCursor rule(place);
  const std::string slug = SlugOf(rule.Required("instruction").String());
  rule.Required("cells").ForEach([&](const Cursor& item) {
    ObjectCursor cell(item);
    const std::uint64_t compared = cell.Required("compared").Count();
    if (compared == 0) return;
    part.scope.only.insert(cell.Required("product").String());
    AddTo(part.looked[slug], compared);
  });
}

void FoldAudit(const Cursor& place, Part& part) {
  ObjectCursor audit(place);
  part.target = audit.Required("target").String();
  part.reference = audit.Required("reference").String();
  part.cases = audit.Required("cases").Count();
  part.steps = audit.Required("steps").Count();
  part.compared_bytes = audit.Required("comparedBytes").Count();
  part.nodes = audit.Required("nodes").Count();
  part.unfinished = UnfinishedOf(audit);
  // An audit does not list unsupported cases by instruction.
  std::uint64_t left_out = audit.Required("unsupported").Count();
  AddTo(left_out, audit.Required("beyond").Count());
  for (const auto& [slug, cases] : part.looked) part.left_out[slug] = left_out;
  FoldScope(audit, part);
  audit.Required("groups").ForEach([&](const Cursor& item) {
    const auto group =
        ReadRecord<reports::FindingGroup>(item, UnknownFields::kNotLookedAt);
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
