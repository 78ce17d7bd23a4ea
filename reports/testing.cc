#include "reports/testing.h"

#include <limits>

#include "differential/compare/signature.h"
#include "isa/catalogue.h"

namespace lanediff::reports::test {
namespace {

diff::Finding Memory() {
  auto finding = FindingOf("memory/repeat_reduce_sum/value/half",
                           "UB byte 0: expected <1> & \"{2}\", found [3](4)");
  finding.difference = diff::ElementDifference{
      .expected = std::numeric_limits<std::uint64_t>::max(),
      .actual = 2,
      .operand = "dst",
      .differing_bytes = 1};
  return finding;
}

diff::Finding Rules() {
  auto finding = FindingOf("rules/min/MIN-DTYPE/half", "missing MIN-DTYPE");
  finding.expected_rules = {isa::FindRule("MIN-DTYPE")->id};
  return finding;
}

CaseRecord SampleCase(std::string path, Verdict verdict,
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

diff::Finding FindingOf(const std::string& signature,
                        const std::string& message) {
  diff::Finding finding;
  finding.kind = diff::KindIn(signature).value();
  finding.side = "emulator";
  finding.reference = "oracle";
  const std::size_t from = signature.find('/') + 1;
  finding.op = signature.substr(from, signature.find('/', from) - from);
  if (const auto* found = isa::FindInstruction(finding.op)) {
    finding.op = found->op;
  }
  finding.signature = signature;
  finding.message = message;
  return finding;
}

CaseRecord CaseOf(const std::string& id,
                  const std::vector<std::string>& signatures) {
  CaseRecord record;
  record.path = id + ".json";
  record.id = id;
  record.instructions = {"Min"};
  for (const std::string& one : signatures) {
    record.findings.push_back(FindingOf(one));
    record.verdict = Verdict::kDisagree;
    record.reproduce = "lanediff check " + record.path;
  }
  return record;
}

RunRecord RunOf(const std::vector<CaseRecord>& cases) {
  RunRecord run;
  run.verb = "check";
  run.target = "emulator";
  run.reference = "oracle";
  for (const CaseRecord& record : cases) run.Add(record);
  return run;
}

RunRecord SampleRun() {
  RunRecord run = RunOf();
  run.vectors = "avx2";
  run.Add(SampleCase("a.json", Verdict::kAgree, {}));
  run.Add(SampleCase("b c%<é>.json", Verdict::kDisagree, {Memory(), Rules()}));
  run.cases.back().times = 3;
  run.Add(SampleCase("known.json", Verdict::kKnown, {Memory()}));
  run.cases.back().known_reason = "accepted (https://example.org/17)";
  run.Add(SampleCase("u.json", Verdict::kUnsupported, {}));
  run.cases.back().reason = "not recorded";
  run.Add(SampleCase("t.json", Verdict::kTolerated, {}));
  run.cases.back().tolerated = {isa::FindRule("MIN-DTYPE")->id};
  CaseRecord malformed = SampleCase("/abs/m.json", Verdict::kMalformed, {});
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
      {{"min/signed-zero", "min", "MIN-VALUE", "defect <a> & b", ""},
       {guided, baseline}},
      {{"min/other", "min", "MIN-DTYPE", "defect", "a model"}, {survived}},
      {{"min/late", "min", "MIN-DTYPE", "defect", ""}, {survived, not_run}}};
  return record;
}

namespace {

using audit::AuditedRule;
using audit::AuditRecord;
using audit::Cell;
using audit::Evidence;
using audit::Showing;
using audit::Side;
using isa::Product;
using Ruling = audit::Verdict;

void Count(std::array<std::uint64_t, isa::kCount<Showing>>& all,
           Showing showing, std::uint64_t count) {
  all[static_cast<std::size_t>(showing)] = count;
}

Cell CellOf(Product product, Ruling verdict, std::uint64_t compared = 0) {
  Cell cell;
  cell.product = product;
  cell.verdict = verdict;
  cell.compared = compared;
  return cell;
}

AuditedRule RuleOf(std::string_view id, Ruling verdict,
                   std::vector<Cell> cells) {
  return {
      .rule = isa::FindRule(id), .verdict = verdict, .cells = std::move(cells)};
}

Evidence Bad(Side side, Showing showing, std::string signature) {
  return {
      .id = "audit/rrs-repeat/a2-256",
      .file = "cases/rrs-repeat/a2-256.json",
      .side = side,
      .what = "repeat 256",
      .showing = showing,
      .message = "UB byte 0: expected <1> & \"2\", found 3",
      .signature = std::move(signature),
      .reproduce = "lanediff check cases/rrs-repeat/a2-256.json --target t"};
}

/// Enforced on one product, violated on the next.
AuditedRule Repeat() {
  Cell training = CellOf(Product::kAtlasTraining, Ruling::kEnforced, 790);
  Count(training.alone, Showing::kRefused, 300);
  Count(training.alone, Showing::kAccepted, 402);
  Count(training.together, Showing::kRefused, 88);
  training.tried = {{isa::DType::kHalf, "", "VECOUT, VECIN", 300, 402}};
  Cell a2 = CellOf(Product::kAtlasA2, Ruling::kViolated, 12);
  Count(a2.alone, Showing::kRefused, 10);
  Count(a2.alone, Showing::kRanOtherwise, 2);
  a2.points = {
      {"repeat", 0, 255, true, 3, 0},
      {"repeat", 0, 256, false, 2, 10},
      {"repeat", 0, std::numeric_limits<std::int64_t>::max(), false, 0, 1}};
  a2.evidence = {Bad(Side::kBreaks, Showing::kRanOtherwise,
                     "outcome/repeat_reduce_sum/RRS-REPEAT/half")};
  return RuleOf("RRS-REPEAT", Ruling::kViolated, {training, a2});
}

AuditedRule Tree() {
  Cell training = CellOf(Product::kAtlasTraining, Ruling::kConfirmed, 50);
  Count(training.alone, Showing::kAsDocumented, 50);
  Cell a2 = CellOf(Product::kAtlasA2, Ruling::kContradicted, 50);
  Count(a2.alone, Showing::kAsDocumented, 40);
  Count(a2.alone, Showing::kDifferently, 10);
  a2.numeric = audit::Numeric{.nodes = 127,
                              .rounded = 20,
                              .ties = 1,
                              .saturated = 0,
                              .largest_ulp = 10,
                              .exact = "1.00048828125",
                              .expected = "1",
                              .actual = "1.01"};
  a2.evidence = {Bad(Side::kApplies, Showing::kDifferently,
                     "memory/repeat_reduce_sum/value/half")};
  return RuleOf("RRS-TREE", Ruling::kContradicted, {training, a2});
}

AuditedRule MinProduct() {
  Cell cell = CellOf(Product::kAtlasA3, Ruling::kTolerated, 8);
  Count(cell.alone, Showing::kRanAsExtended, 7);
  Count(cell.alone, Showing::kRanUndefined, 1);
  cell.evidence = {{.id = "audit/min-product/a3",
                    .file = "cases/min-product/a3.json",
                    .side = Side::kBreaks,
                    .what = "product",
                    .showing = Showing::kRanAsExtended,
                    .message = "",
                    .signature = "",
                    .reproduce = "lanediff check cases/min-product/a3.json"}};
  return RuleOf("MIN-PRODUCT", Ruling::kTolerated, {cell});
}

AuditedRule NotExercised() {
  Cell cell = CellOf(Product::kAtlasA3, Ruling::kNotExercised);
  cell.reason = "the target <does> not do Min";
  return RuleOf("MIN-DTYPE", Ruling::kNotExercised, {cell});
}

}  // namespace

AuditRecord SampleAudit() {
  AuditRecord record;
  record.target = "mutant:x";
  record.vectors = "plain";
  record.reference = "oracle";
  record.cases = 1000;
  record.unsupported = 4;
  record.crashed = 1;
  record.steps = 996;
  record.compared_bytes = 123456;
  record.nodes = 789;
  record.rules = {Repeat(), Tree(), MinProduct(), NotExercised()};
  record.disagreements = {
      {.id = "printed-35604",
       .title = "a printed value that no half has",
       .rules = {isa::FindRule("RRS-TREE")->id},
       .readings = {{"the nearest half, 35616", ""},
                    {"35604, as printed", "RepeatReduceSum · 调用示例",
                     "35604"}},
       .why = "no half is 35604",
       .product = Product::kAtlasA2,
       .file = "cases/disagreements/printed-35604.json",
       .id_of_case = "disagreements/printed-35604",
       .follows = audit::Follows::kChosen,
       .message = "found 35616",
       .reproduce = "lanediff check cases/disagreements/printed-35604.json"}};
  return record;
}

}  // namespace lanediff::reports::test
