#include "differential/compare/signature.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "differential/compare/check.h"
#include "differential/compare/compare.h"
#include "differential/compare/finding_case.h"
#include "differential/targets/find_target.h"
#include "differential/testcase/case_writer.h"
#include "emulator/mutants/mutant.h"
#include "generators/random/generate.h"

namespace lanediff::make {
namespace {

using isa::DType;
using isa::RuleId;

Case CaseWith(isa::Step step) {
  Case c;
  c.program.push_back(std::move(step));
  return c;
}

template <class Step>
Case CaseOf(DType dtype) {
  Step step;
  step.dtype = dtype;
  return CaseWith(step);
}

diff::Finding OfKind(diff::FindingKind kind) {
  diff::Finding finding;
  finding.kind = kind;
  return finding;
}

TEST(Signature, OfRulesIsTheFirstThatOnlyOneSideNames) {
  const Case c = CaseOf<isa::Min>(DType::kInt16);
  diff::Finding finding = OfKind(diff::FindingKind::kOutcome);
  finding.expected_rules = {RuleId("MIN-ALIGN"), RuleId("MIN-COUNT")};
  EXPECT_EQ(diff::SignatureOf(c, finding).Text(),
            "outcome/min/MIN-ALIGN/int16/count");
  finding.kind = diff::FindingKind::kRules;
  finding.actual_rules = {RuleId("MIN-ALIGN")};
  EXPECT_EQ(diff::SignatureOf(c, finding).Text(),
            "rules/min/MIN-COUNT/int16/count");
  finding.kind = diff::FindingKind::kNotes;
  finding.expected_rules = {};
  finding.actual_rules = {RuleId("MIN-NOP")};
  EXPECT_EQ(diff::SignatureOf(c, finding).Text(),
            "notes/min/MIN-NOP/int16/count");
}

TEST(Signature, IsReadAsItIsSpelt) {
  const Case c = CaseOf<isa::Min>(DType::kInt16);
  const diff::Signature made =
      diff::SignatureOf(c, OfKind(diff::FindingKind::kReadsOutside));
  EXPECT_EQ(made.what, "answer");
  const auto read = diff::ParseSignature(made.Text());
  ASSERT_TRUE(read) << read.error();
  EXPECT_EQ(*read, made);
  for (const char* wrong :
       {"", "memory", "memory/min/value", "memory/min//half", "/min/value/half",
        "memory/min/value/half/", "memory/min/value/half/count/2",
        "memories/min/value/half"}) {
    const auto parsed = diff::ParseSignature(wrong);
    ASSERT_FALSE(parsed) << wrong;
    EXPECT_TRUE(parsed.error().starts_with("found ")) << parsed.error();
  }
}

TEST(Signature, NamesEveryInstruction) {
  diff::Finding finding = OfKind(diff::FindingKind::kNotDeterministic);
  const auto of = [&](isa::Step step) {
    return diff::SignatureOf(CaseWith(std::move(step)), finding).Text();
  };
  EXPECT_EQ(of(isa::RepeatReduceSum{}),
            "not-deterministic/repeat_reduce_sum/two-runs/half");
  EXPECT_EQ(of(isa::VecTrans{}), "not-deterministic/vec_trans/two-runs/half");
  EXPECT_EQ(of(isa::SetSaturation{}),
            "not-deterministic/set_saturation/two-runs/none");
  finding.kind = diff::FindingKind::kCrash;
  EXPECT_EQ(of(isa::Trowprod{}), "crash/trowprod/target/float");
  EXPECT_EQ(of(isa::PipeBarrier{}), "crash/pipe_barrier/target/none");
}

TEST(Signature, NamesTheFormOfACallThatHasSeveral) {
  const diff::Finding finding = OfKind(diff::FindingKind::kNotDeterministic);
  const auto form_of = [&](isa::Step step) {
    return diff::SignatureOf(CaseWith(std::move(step)), finding).form;
  };
  const auto elementwise = [&]<class Call>(Call call) {
    call.form = Call::kCount;
    EXPECT_EQ(form_of(call), "count");
    call.form = Call::kContiguous;
    EXPECT_EQ(form_of(call), "mask");
    call.form = Call::kBitwise;
    EXPECT_EQ(form_of(call), "mask-words");
    call.is_set_mask = false;
    EXPECT_EQ(form_of(call), "register");
    call.form = Call::kContiguous;
    EXPECT_EQ(form_of(call), "register");
  };
  elementwise(isa::Min{});
  elementwise(isa::Max{});
  elementwise(isa::Add{});
  elementwise(isa::Sub{});
  elementwise(isa::Mul{});
  isa::DataCopy copy;
  copy.form = isa::DataCopy::kCount;
  EXPECT_EQ(form_of(copy), "count");
  copy.form = isa::DataCopy::kParams;
  EXPECT_EQ(form_of(copy), "params");
  isa::WholeReduceSum sum;
  sum.form = isa::WholeReduceSum::kContiguous;
  EXPECT_EQ(form_of(sum), "mask");
  sum.form = isa::WholeReduceSum::kBitwise;
  EXPECT_EQ(form_of(sum), "mask-words");
  sum.is_set_mask = false;
  EXPECT_EQ(form_of(sum), "register");
  EXPECT_EQ(form_of(isa::RepeatReduceSum{}), "");
  EXPECT_EQ(form_of(isa::VecTrans{}), "");
  EXPECT_EQ(form_of(isa::SetVectorMask{}), "");
}

TEST(Signature, WithoutItsFormIsThatOfEarlierFiles) {
  EXPECT_EQ(diff::WithoutForm("memory/min/value/half/count"),
            "memory/min/value/half");
  EXPECT_EQ(diff::WithoutForm("memory/min/value/half"),
            "memory/min/value/half");
  EXPECT_EQ(diff::WithoutForm("x"), "x");
}

struct ClassRow {
  DType dtype;
  std::uint64_t expected;
  std::uint64_t actual;
  const char* what;
};

TEST(Signature, OfMemoryIsACoarseClass) {
  const ClassRow rows[] = {
      {DType::kHalf, 0x3c00, 0x3c01, "value"},
      {DType::kHalf, 0x7bff, 0x7c00, "saturation"},
      {DType::kHalf, 0x3c00, 0xfbff, "saturation"},
      {DType::kHalf, 0xfc00, 0x3c00, "saturation"},
      {DType::kHalf, 0x7bfe, 0x3c00, "value"},
      {DType::kHalf, 0x7e00, 0x7c00, "nan"},
      {DType::kHalf, 0x0000, 0xfe01, "nan"},
      {DType::kHalf, 0x0000, 0x8000, "zero-sign"},
      {DType::kHalf, 0x0000, 0x0001, "subnormal"},
      {DType::kHalf, 0x83ff, 0x8400, "subnormal"},
      {DType::kHalf, 0x0000, 0x0400, "value"},
      {DType::kFloat, 0x7f7fffff, 0x3f800000, "saturation"},
      {DType::kFloat, 0x80000001, 0x80000000, "subnormal"},
      {DType::kBfloat16, 0x7f7f, 0x3f80, "saturation"},
      {DType::kBfloat16, 0x0000, 0x007f, "subnormal"},
      {DType::kDouble, 0x7ff0000000000000, 0, "saturation"},
      {DType::kInt16, 0x7c00, 0x8000, "value"},
  };
  for (const ClassRow& row : rows) {
    diff::Finding finding = OfKind(diff::FindingKind::kMemory);
    auto& d = finding.difference.emplace();
    d.dtype = row.dtype;
    d.expected = row.expected;
    d.actual = row.actual;
    d.operand = "dst";
    const Case c = CaseOf<isa::DataCopy>(row.dtype);
    const std::string end = "/" + std::string(isa::Name(row.dtype)) + "/count";
    const std::string start = "memory/data_copy/";
    EXPECT_EQ(diff::SignatureOf(c, finding).Text(), start + row.what + end);
    d.before = row.expected;
    EXPECT_EQ(diff::SignatureOf(c, finding).Text(), start + row.what + end);
    d.before = row.actual;
    EXPECT_EQ(diff::SignatureOf(c, finding).Text(), start + "missing" + end);
    d.operand = "";
    EXPECT_EQ(diff::SignatureOf(c, finding).Text(), start + "outside" + end);
    finding.kind = diff::FindingKind::kReadsOutside;
    d.operand = "dst";
    EXPECT_EQ(diff::SignatureOf(c, finding).Text(),
              "reads-outside/data_copy/result" + end);
    finding.difference.reset();
    EXPECT_EQ(diff::SignatureOf(c, finding).Text(),
              "reads-outside/data_copy/answer" + end);
  }
}

/// Findings of generated cases on a mutant.
std::vector<std::string> SignaturesOf(std::string_view mutant) {
  const diff::Target& target =
      **diff::FindTarget("mutant:" + std::string(mutant));
  std::vector<std::string> signatures;
  for (std::uint64_t seed = 1; seed < 3000 && signatures.size() < 12; ++seed) {
    Random random(seed);
    const Case c = Generate(mutants::FindMutant(mutant)->slug, random).c;
    const auto result =
        diff::CompareCase(c, target, **diff::FindTarget("oracle")).findings;
    if (!result.empty()) signatures.push_back(result.front().signature);
  }
  return signatures;
}

TEST(Signature, CasesOfOneDefectMostlyShareIt) {
  const std::pair<std::string_view, std::string_view> rows[] = {
      {"rrs-src-align-16", "outcome/repeat_reduce_sum/RRS-SRC-ALIGN/"},
      {"min-half-zero-sign-by-order", "memory/min/zero-sign/half/"},
      {"dc-overlap-ignored", "outcome/data_copy/DC-OVERLAP/"},
  };
  for (const auto& [name, signature] : rows) {
    const auto all = SignaturesOf(name);
    ASSERT_GE(all.size(), 2u) << name;
    EXPECT_GE(2 * std::ranges::count_if(all,
                                        [&](const std::string& one) {
                                          return one.starts_with(signature);
                                        }),
              static_cast<std::ptrdiff_t>(all.size()))
        << name << ": " << all.front();
  }
}

TEST(FindingCase, StatesToolAndFindingAndExpectsTheOracle) {
  const diff::Target& target = **diff::FindTarget("mutant:rrs-left-fold");
  for (std::uint64_t seed = 1;; ++seed) {
    ASSERT_LT(seed, 1000u);
    Random random(seed);
    const Case c = Generate("repeat_reduce_sum", random).c;
    const auto found =
        diff::CompareCase(c, target, **diff::FindTarget("oracle"));
    if (found.findings.empty()) continue;
    const diff::Finding& finding = found.findings.front();
    const Case kept =
        diff::CaseOfFinding(c, finding, "repeat_reduce_sum", "tool");
    EXPECT_TRUE(kept.id.starts_with("repeat_reduce_sum/memory-")) << kept.id;
    EXPECT_EQ(kept.note, finding.message);
    EXPECT_EQ(kept.origin->tool, "tool");
    EXPECT_EQ(kept.origin->target, "mutant:rrs-left-fold");
    EXPECT_EQ(kept.origin->signature, finding.signature);
    const diff::Comparison sound = diff::CheckCase(
        kept, **diff::FindTarget("emulator"), **diff::FindTarget("oracle"));
    EXPECT_TRUE(sound.findings.empty());
    // The expectation misses what the comparison misses: one defect.
    const diff::Comparison again =
        diff::CheckCase(kept, target, **diff::FindTarget("oracle"));
    ASSERT_GE(again.findings.size(), 2u);
    EXPECT_EQ(again.findings.back().kind, diff::FindingKind::kExpectation);
    EXPECT_EQ(again.findings.back().signature, finding.signature);
    return;
  }
}

}  // namespace
}  // namespace lanediff::make
