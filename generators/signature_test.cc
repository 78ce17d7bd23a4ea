#include "differential/compare/signature.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

#include "differential/compare/check.h"
#include "differential/compare/compare.h"
#include "differential/compare/keep_finding.h"
#include "differential/compare/testing.h"
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

diff::Finding OfKind(diff::FindingKind kind) {
  diff::Finding finding;
  finding.kind = kind;
  return finding;
}

/// A Min by count.
Case MinOf(DType dtype) {
  isa::Call call = isa::CallOf("Min");
  call.dtype = dtype;
  return CaseWith(call);
}

TEST(Signature, OfRulesIsTheFirstThatOnlyOneSideNames) {
  const struct {
    diff::FindingKind kind;
    std::vector<RuleId> expected, actual;
    std::string_view text;
  } rows[] = {
      {diff::FindingKind::kOutcome,
       {RuleId("MIN-ALIGN"), RuleId("MIN-COUNT")},
       {},
       "outcome/min/MIN-ALIGN/int16/count"},
      {diff::FindingKind::kRules,
       {RuleId("MIN-ALIGN"), RuleId("MIN-COUNT")},
       {RuleId("MIN-ALIGN")},
       "rules/min/MIN-COUNT/int16/count"},
      {diff::FindingKind::kNotes,
       {},
       {RuleId("MIN-NOP")},
       "notes/min/MIN-NOP/int16/count"},
  };
  for (const auto& row : rows) {
    diff::Finding finding = OfKind(row.kind);
    finding.expected_rules = row.expected;
    finding.actual_rules = row.actual;
    EXPECT_EQ(diff::SignatureOf(MinOf(DType::kInt16), finding).Text(),
              row.text);
  }
}

TEST(Signature, IsReadAsItIsSpelt) {
  const Case c = MinOf(DType::kInt16);
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

TEST(Signature, NamesEveryInstructionAndTheFormOfOneThatHasSeveral) {
  const auto of = [](isa::Step step) {
    return diff::SignatureOf(CaseWith(std::move(step)),
                             OfKind(diff::FindingKind::kCrash));
  };
  const std::pair<isa::Step, std::string_view> rows[] = {
      {isa::CallOf("RepeatReduceSum"), "crash/repeat_reduce_sum/target/half"},
      {isa::CallOf("vec_trans"), "crash/vec_trans/target/half"},
      {isa::SetSaturation{}, "crash/set_saturation/target/none"},
      {isa::SetVectorMask{}, "crash/set_vector_mask/target/none"},
      {isa::CallOf("TROWPROD"), "crash/trowprod/target/float"},
      {isa::PipeBarrier{}, "crash/pipe_barrier/target/none"},
  };
  for (const auto& [step, text] : rows) EXPECT_EQ(of(step).Text(), text);
  for (const isa::Signature& row : isa::kSignatures) {
    isa::Call call = isa::CallOf(row.op);
    if (row.Has(isa::Param::kCount)) {
      EXPECT_EQ(of(call).form, "count");
    }
    if (!row.Has(isa::Param::kMaskWords)) continue;
    const std::uint8_t mask = row.FormWith(isa::Param::kMask);
    const std::uint8_t bits = row.FormWith(isa::Param::kMaskWords);
    call.form = mask;
    EXPECT_EQ(of(call).form, "mask");
    call.form = bits;
    EXPECT_EQ(of(call).form, "mask-words");
    if (!row.Has(isa::Param::kIsSetMask)) continue;
    call.is_set_mask = false;
    EXPECT_EQ(of(call).form, "register");
    call.form = mask;
    EXPECT_EQ(of(call).form, "register");
  }
  isa::Call copy = isa::CallOf("DataCopy");
  copy.form = copy.signature->FormWith(isa::Param::kBlockCount);
  EXPECT_EQ(of(copy).form, "params");
  copy = isa::CallOf("DataCopyPad");
  EXPECT_EQ(of(copy).Text(), "crash/data_copy_pad/target/half/padParams");
  copy.form = 1;
  EXPECT_EQ(of(copy).Text(), "crash/data_copy_pad/target/half/plain");
}

TEST(Signature, WithoutItsFormIsThatOfEarlierFiles) {
  EXPECT_EQ(diff::WithoutForm("memory/min/value/half/count"),
            "memory/min/value/half");
  EXPECT_EQ(diff::WithoutForm("memory/min/value/half"),
            "memory/min/value/half");
  EXPECT_EQ(diff::WithoutForm("x"), "x");
}

TEST(Signature, OfMemoryIsACoarseClass) {
  const struct {
    DType dtype;
    std::uint64_t expected;
    std::uint64_t actual;
    const char* what;
  } rows[] = {
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
  for (const auto& row : rows) {
    diff::Finding finding = OfKind(diff::FindingKind::kMemory);
    auto& d = finding.difference.emplace();
    d.dtype = row.dtype;
    d.expected = row.expected;
    d.actual = row.actual;
    d.operand = "dst";
    isa::Call copy = isa::CallOf("DataCopy");
    copy.dtype = row.dtype;
    const auto expect = [&](std::string_view start) {
      EXPECT_EQ(diff::SignatureOf(CaseWith(copy), finding).Text(),
                fmt::format("{}/{}/count", start, isa::Name(row.dtype)));
    };
    expect(fmt::format("memory/data_copy/{}", row.what));
    d.before = row.expected;
    expect(fmt::format("memory/data_copy/{}", row.what));
    d.before = row.actual;
    expect("memory/data_copy/missing");
    d.operand = "";
    expect("memory/data_copy/outside");
    finding.kind = diff::FindingKind::kReadsOutside;
    d.operand = "dst";
    expect("reads-outside/data_copy/result");
    finding.difference.reset();
    expect("reads-outside/data_copy/answer");
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
    const auto result = diff::CompareCase(c, target, diff::Oracle()).findings;
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
    const auto found = diff::CompareCase(c, target, diff::Oracle());
    if (found.findings.empty()) continue;
    const diff::Finding& finding = found.findings.front();
    const Case kept =
        diff::CaseOfFinding(c, finding, "repeat_reduce_sum", "tool");
    EXPECT_TRUE(kept.id.starts_with("repeat_reduce_sum/memory-")) << kept.id;
    EXPECT_EQ(kept.note, finding.message);
    EXPECT_EQ(kept.origin->tool, "tool");
    EXPECT_EQ(kept.origin->target, "mutant:rrs-left-fold");
    EXPECT_EQ(kept.origin->signature, finding.signature);
    const diff::Comparison sound =
        diff::CheckCase(kept, diff::Emulator(), diff::Oracle());
    EXPECT_TRUE(sound.findings.empty());
    // The expectation misses what the comparison misses: one defect.
    const diff::Comparison again =
        diff::CheckCase(kept, target, diff::Oracle());
    ASSERT_GE(again.findings.size(), 2u);
    EXPECT_EQ(again.findings.back().kind, diff::FindingKind::kExpectation);
    EXPECT_EQ(again.findings.back().signature, finding.signature);
    return;
  }
}

}  // namespace
}  // namespace lanediff::make
