#include "reports/run_reader.h"

#include <fmt/format.h>

#include <charconv>
#include <cstdlib>

#include "isa/catalogue.h"

namespace lanediff::reports {
namespace {

template <class T>
T ReadInteger(const Cursor& place) {
  return static_cast<T>(place.Count());
}

std::string OptionalText(ObjectCursor& object, std::string_view name) {
  const auto place = object.Optional(name);
  return place ? place->String() : std::string();
}

isa::RuleId ReadRule(const Cursor& place) {
  const isa::Rule* const rule = isa::FindRule(place.String());
  if (rule == nullptr) {
    place.Fail(fmt::format("found \"{}\"; a rule of the catalogue is allowed",
                           Quote(place.String())));
  }
  return rule->id;
}

template <class T, class F>
std::vector<T> ReadList(const Cursor& place, F&& read) {
  std::vector<T> list;
  place.ForEach([&](const Cursor& item) { list.push_back(read(item)); });
  return list;
}

diff::ElementDifference ReadDifference(const Cursor& place) {
  ObjectCursor object(place);
  diff::ElementDifference d;
  d.memory = object.Required("memory").Word<isa::Memory>();
  d.at = object.Required("at").Integer();
  d.dtype = object.Required("dtype").Word<isa::DType>();
  d.expected = object.Required("expectedBits").Count();
  d.actual = object.Required("actualBits").Count();
  d.ulp = object.Required("ulp").Count();
  d.operand = object.Required("operand").String();
  d.iteration = object.Required("iteration").Integer();
  d.lane = object.Required("lane").Integer();
  d.differing_bytes = object.Required("differingBytes").Integer();
  object.Finish();
  return d;
}

diff::Finding ReadFinding(const Cursor& place) {
  ObjectCursor object(place);
  diff::Finding finding;
  finding.kind = object.Required("kind").Word<diff::FindingKind>();
  finding.side = object.Required("side").String();
  finding.reference = object.Required("reference").String();
  finding.step = ReadInteger<std::size_t>(object.Required("step"));
  finding.op = object.Required("op").String();
  finding.signature = object.Required("signature").String();
  finding.message = object.Required("message").String();
  if (const auto rules = object.Optional("expectedRules")) {
    finding.expected_rules = ReadList<isa::RuleId>(*rules, ReadRule);
  }
  if (const auto rules = object.Optional("actualRules")) {
    finding.actual_rules = ReadList<isa::RuleId>(*rules, ReadRule);
  }
  if (const auto difference = object.Optional("difference")) {
    finding.difference = ReadDifference(*difference);
  }
  object.Finish();
  return finding;
}

CaseRecord ReadCase(const Cursor& place) {
  ObjectCursor object(place);
  CaseRecord record;
  record.path = object.Required("path").String();
  record.id = object.Required("id").String();
  record.verdict = object.Required("verdict").Word<Verdict>();
  record.steps = ReadInteger<std::size_t>(object.Required("steps"));
  record.compared_bytes = object.Required("comparedBytes").Integer();
  record.nodes = object.Required("nodes").Count();
  record.error = OptionalText(object, "error");
  record.reason = OptionalText(object, "reason");
  record.known_reason = OptionalText(object, "known");
  record.reproduce = OptionalText(object, "reproduce");
  if (const auto times = object.Optional("times")) {
    record.times = times->Count();
  }
  if (const auto findings = object.Optional("findings")) {
    record.findings = ReadList<diff::Finding>(*findings, ReadFinding);
  }
  object.Finish();
  const bool has_findings =
      record.verdict == Verdict::kDisagree || record.verdict == Verdict::kKnown;
  if (has_findings == record.findings.empty()) {
    place.Fail(fmt::format("found verdict \"{}\" with {} findings; {} allowed",
                           isa::Name(record.verdict), record.findings.size(),
                           has_findings ? "1 or more are" : "none is"));
  }
  return record;
}

FuzzerRecord ReadFuzzer(const Cursor& place) {
  ObjectCursor object(place);
  FuzzerRecord record;
  record.instruction = object.Required("instruction").String();
  record.seed = object.Required("seed").Count();
  record.seconds = object.Required("seconds").Double();
  record.cases = object.Required("cases").Count();
  record.legal = object.Required("legal").Count();
  record.nodes = object.Required("nodes").Count();
  record.operations = object.Required("operations").Count();
  record.long_repeats = object.Required("longRepeats").Count();
  record.findings = object.Required("findings").Count();
  record.crashes = object.Required("crashes").Count();
  object.Required("rates");  // follows from the pace
  record.error = OptionalText(object, "error");
  object.Finish();
  return record;
}

SweptRule ReadSweptRule(const Cursor& place) {
  ObjectCursor object(place);
  SweptRule rule;
  rule.id = ReadRule(object.Required("id"));
  rule.alone = object.Required("brokenAlone").Count();
  rule.together = object.Required("brokenWithOthers").Count();
  rule.noted = object.Required("noted").Count();
  rule.kept = object.Required("kept").Count();
  object.Finish();
  return rule;
}

SweepRecord ReadSweep(const Cursor& place) {
  ObjectCursor object(place);
  SweepRecord record;
  record.instruction = object.Required("instruction").String();
  record.cases = object.Required("cases").Count();
  record.legal = object.Required("legal").Count();
  record.rejected = object.Required("rejected").Count();
  record.unsupported = object.Required("unsupported").Count();
  record.disagree = object.Required("disagree").Count();
  record.steps = ReadInteger<std::size_t>(object.Required("steps"));
  record.compared_bytes = object.Required("comparedBytes").Integer();
  record.nodes = object.Required("nodes").Count();
  record.rules = ReadList<SweptRule>(object.Required("rules"), ReadSweptRule);
  object.Finish();
  return record;
}

HoleRecord ReadHole(const Cursor& place) {
  ObjectCursor object(place);
  HoleRecord hole;
  hole.bin = object.Required("bin").String();
  hole.filler = OptionalText(object, "filledBy");
  hole.reason = OptionalText(object, "never");
  object.Finish();
  return hole;
}

CoverageRecord ReadCoverage(const Cursor& place) {
  ObjectCursor object(place);
  CoverageRecord record;
  record.room = object.Required("room").String();
  record.bins = ReadInteger<std::size_t>(object.Required("bins"));
  record.reached = ReadInteger<std::size_t>(object.Required("reached"));
  object.Required("open");  // follows from the holes
  record.holes = ReadList<HoleRecord>(object.Required("holes"), ReadHole);
  object.Finish();
  return record;
}

CheckerRecord ReadChecker(const Cursor& place) {
  ObjectCursor object(place);
  CheckerRecord record;
  record.checker = object.Required("checker").String();
  record.tried = object.Required("tried").Count();
  record.capped = object.Required("capped").Boolean();
  record.left_out = object.Required("leftOut").Boolean();
  record.error = OptionalText(object, "error");
  object.Required("foundAfter").ForEach([&](const Cursor& item) {
    const bool none = item.value().As<std::nullptr_t>() != nullptr;
    record.found_after.push_back(none ? std::nullopt
                                      : std::optional(item.Count()));
  });
  object.Finish();
  return record;
}

MutantRecord ReadMutant(const Cursor& place) {
  ObjectCursor object(place);
  MutantRecord record;
  record.name = object.Required("name").String();
  record.instruction = object.Required("instruction").String();
  record.rule = object.Required("rule").String();
  record.defect = object.Required("defect").String();
  record.modelled_on = object.Required("modelledOn").String();
  object.Required("verdict");  // follows from the checkers
  record.checkers =
      ReadList<CheckerRecord>(object.Required("checkers"), ReadChecker);
  object.Finish();
  return record;
}

}  // namespace

RunRecord ReadRunRecord(const Cursor& root) {
  ObjectCursor object(root);
  object.Required("format").MustBe("lanediff-run/1");
  RunRecord run;
  run.verb = object.Required("verb").String();
  run.target = object.Required("target").String();
  run.vectors = object.Required("vectors").String();
  run.reference = object.Required("reference").String();
  const Cursor complete = object.Required("complete");
  run.unfinished = OptionalText(object, "unfinished");
  if (complete.Boolean() != run.unfinished.empty()) {
    complete.Fail("true without \"unfinished\", or false with it, is allowed");
  }
  object.Required("summary");  // follows from the rest
  object.Required("cases").ForEach([&](const Cursor& item) {
    // A sweep's sums are in its rooms, of which these cases are a few.
    if (run.verb == "sweep") {
      run.cases.push_back(ReadCase(item));
    } else {
      run.Add(ReadCase(item));
    }
  });
  run.stale_issues =
      ReadList<std::string>(object.Required("staleKnownIssues"),
                            [](const Cursor& item) { return item.String(); });
  run.fuzzers = ReadList<FuzzerRecord>(object.Required("fuzzers"), ReadFuzzer);
  if (const auto sweeps = object.Optional("sweeps")) {
    sweeps->ForEach([&](const Cursor& item) { run.AddSweep(ReadSweep(item)); });
  }
  if (const auto coverage = object.Optional("coverage")) {
    run.coverage = ReadList<CoverageRecord>(*coverage, ReadCoverage);
  }
  object.Finish();
  return run;
}

MutantsRecord ReadMutantsRecord(const Cursor& root) {
  ObjectCursor object(root);
  object.Required("format").MustBe("lanediff-mutants/1");
  MutantsRecord record;
  record.vectors = object.Required("vectors").String();
  record.seed = object.Required("seed").Count();
  record.seeds = object.Required("seeds").Count();
  record.cases = object.Required("cases").Count();
  record.seconds = object.Required("seconds").Double();
  object.Required("complete");  // both follow from the mutants
  object.Required("summary");
  object.Required("mutants").ForEach([&](const Cursor& item) {
    record.mutants.push_back(ReadMutant(item));
    const MutantRecord& mutant = record.mutants.back();
    if (mutant.checkers.empty()) item.Fail("found no checker");
    for (const CheckerRecord& checker : mutant.checkers) {
      if (!checker.found_after.empty()) continue;
      item.Fail(fmt::format("found no result of {}", checker.checker));
    }
  });
  object.Finish();
  return record;
}

}  // namespace lanediff::reports
