#include "reports/audit_testing.h"

#include <limits>

namespace lanediff::reports::test {
namespace {

using namespace audit;
using isa::Product;

void Count(std::array<std::uint64_t, isa::kCount<Showing>>& all,
           Showing showing, std::uint64_t count) {
  all[static_cast<std::size_t>(showing)] = count;
}

Cell CellOf(Product product, Verdict verdict, std::uint64_t compared = 0) {
  Cell cell;
  cell.product = product;
  cell.verdict = verdict;
  cell.compared = compared;
  return cell;
}

AuditedRule RuleOf(std::string_view id, Verdict verdict,
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
  Cell training = CellOf(Product::kAtlasTraining, Verdict::kEnforced, 790);
  Count(training.alone, Showing::kRefused, 300);
  Count(training.alone, Showing::kAccepted, 402);
  Count(training.together, Showing::kRefused, 88);
  training.tried = {{isa::DType::kHalf, "", "VECOUT, VECIN", 300, 402}};
  Cell a2 = CellOf(Product::kAtlasA2, Verdict::kViolated, 12);
  Count(a2.alone, Showing::kRefused, 10);
  Count(a2.alone, Showing::kRanOtherwise, 2);
  a2.points = {
      {"repeat", 0, 255, true, 3, 0},
      {"repeat", 0, 256, false, 2, 10},
      {"repeat", 0, std::numeric_limits<std::int64_t>::max(), false, 0, 1}};
  a2.evidence = {Bad(Side::kBreaks, Showing::kRanOtherwise,
                     "outcome/repeat_reduce_sum/RRS-REPEAT/half")};
  return RuleOf("RRS-REPEAT", Verdict::kViolated, {training, a2});
}

AuditedRule Tree() {
  Cell training = CellOf(Product::kAtlasTraining, Verdict::kConfirmed, 50);
  Count(training.alone, Showing::kAsDocumented, 50);
  Cell a2 = CellOf(Product::kAtlasA2, Verdict::kContradicted, 50);
  Count(a2.alone, Showing::kAsDocumented, 40);
  Count(a2.alone, Showing::kDifferently, 10);
  a2.numeric = Numeric{.nodes = 127,
                       .rounded = 20,
                       .ties = 1,
                       .saturated = 0,
                       .largest_ulp = 10,
                       .exact = "1.00048828125",
                       .expected = "1",
                       .actual = "1.01"};
  a2.evidence = {Bad(Side::kApplies, Showing::kDifferently,
                     "memory/repeat_reduce_sum/value/half")};
  return RuleOf("RRS-TREE", Verdict::kContradicted, {training, a2});
}

AuditedRule MinProduct() {
  Cell cell = CellOf(Product::kAtlasA3, Verdict::kTolerated, 8);
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
  return RuleOf("MIN-PRODUCT", Verdict::kTolerated, {cell});
}

AuditedRule NotExercised() {
  Cell cell = CellOf(Product::kAtlasA3, Verdict::kNotExercised);
  cell.reason = "the target <does> not do Min";
  return RuleOf("MIN-DTYPE", Verdict::kNotExercised, {cell});
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
       .follows = Follows::kChosen,
       .message = "found 35616",
       .reproduce = "lanediff check cases/disagreements/printed-35604.json"}};
  return record;
}

}  // namespace lanediff::reports::test
