#include "reports/testing.h"

#include <limits>

#include "isa/catalogue.h"

namespace lanediff::reports::test {
namespace {

diff::Finding FindingOf(diff::FindingKind kind, const char* op,
                        const char* signature, const char* message) {
  diff::Finding finding;
  finding.kind = kind;
  finding.side = "emulator";
  finding.reference = "oracle";
  finding.op = op;
  finding.signature = signature;
  finding.message = message;
  return finding;
}

diff::Finding Memory() {
  auto finding = FindingOf(diff::FindingKind::kMemory, "RepeatReduceSum",
                           "memory/repeat_reduce_sum/value/half",
                           "UB byte 0: expected <1> & \"{2}\", found [3](4)");
  finding.difference = diff::ElementDifference{
      .expected = std::numeric_limits<std::uint64_t>::max(),
      .actual = 2,
      .operand = "dst",
      .differing_bytes = 1};
  return finding;
}

diff::Finding Rules() {
  auto finding = FindingOf(diff::FindingKind::kRules, "Min",
                           "rules/min/MIN-DTYPE/half", "missing MIN-DTYPE");
  finding.expected_rules = {isa::FindRule("MIN-DTYPE")->id};
  return finding;
}

CaseRecord CaseOf(std::string path, Verdict verdict,
                  std::vector<diff::Finding> findings) {
  CaseRecord record;
  record.path = std::move(path);
  record.id = record.path.substr(0, record.path.find(".json"));
  record.verdict = verdict;
  record.findings = std::move(findings);
  if (!record.findings.empty()) record.reproduce = "lanediff check x.json";
  return record;
}

}  // namespace

RunRecord SampleRun() {
  RunRecord run;
  run.verb = "check";
  run.target = "emulator";
  run.vectors = "avx2";
  run.reference = "oracle";
  run.Add(CaseOf("a.json", Verdict::kAgree, {}));
  run.Add(CaseOf("b c%<é>.json", Verdict::kDisagree, {Memory(), Rules()}));
  run.cases.back().times = 3;
  run.Add(CaseOf("known.json", Verdict::kKnown, {Memory()}));
  run.cases.back().known_reason = "accepted (https://example.org/17)";
  run.Add(CaseOf("u.json", Verdict::kUnsupported, {}));
  run.cases.back().reason = "not recorded";
  run.Add(CaseOf("t.json", Verdict::kTolerated, {}));
  run.cases.back().tolerated = {isa::FindRule("MIN-DTYPE")->id};
  CaseRecord malformed = CaseOf("/abs/m.json", Verdict::kMalformed, {});
  malformed.id.clear();
  malformed.error = "/product: found \"x\"";
  run.Add(malformed);
  run.stale_issues = {"known_issues.json: memory/min/value/half expired"};
  FuzzerRecord& fuzzer = run.fuzzers.emplace_back();
  fuzzer.instruction = "min";
  fuzzer.seconds = 1.5;
  fuzzer.findings = 2;
  fuzzer.error = "it ended";
  SweepRecord sweep;
  sweep.instruction = "min";
  sweep.cases = 10;
  sweep.disagree = 1;
  sweep.rules = {{.id = isa::FindRule("MIN-DTYPE")->id, .alone = 4}};
  run.AddSweep(sweep);
  run.coverage = {{.slug = "min",
                   .bins = 3,
                   .reached = 1,
                   .holes = {{"bin one", "corpus/min/a.json", ""},
                             {"bin two", "", "never, because"}}}};
  run.target_coverage = TargetCoverageOf(112, {0, 1, 2, 40});
  return run;
}

MutantsRecord SampleMutants() {
  const CheckerRecord guided{kGuided, {10, std::nullopt}, 20010};
  const CheckerRecord baseline{kBaseline, {2000, std::nullopt}, 22000, true};
  const CheckerRecord survived{"corpus", {std::nullopt}, 35};
  CheckerRecord not_run = survived;
  not_run.checker = "properties";
  not_run.error = "no program";
  MutantsRecord record;
  record.seed = 1;
  record.vectors = "avx2";
  record.seeds = 2;
  record.cases = 20000;
  record.seconds = 3.25;
  record.mutants = {
      {"min/signed-zero",
       "min",
       "MIN-VALUE",
       "defect <a> & b",
       "",
       {guided, baseline}},
      {"min/other", "min", "MIN-DTYPE", "defect", "a model", {survived}},
      {"min/late", "min", "MIN-DTYPE", "defect", "", {survived, not_run}}};
  return record;
}

}  // namespace lanediff::reports::test
