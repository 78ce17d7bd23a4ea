// Lint held against its model, and what a difference becomes.

#include "sanitizer/compare.h"

#include <gtest/gtest.h>

#include <cstddef>
#include <string_view>
#include <utility>
#include <variant>

#include "differential/compare/keep_finding.h"
#include "isa/intervals.h"
#include "sanitizer/lint.h"
#include "sanitizer/program_text.h"

namespace lanediff::lint {
namespace {

using test::CaseOf;
using test::FoundIn;

/// A race between copy in and Min, and one between Min and copy out.
Case Racy() {
  return CaseOf("IN 0 0 256; MIN 1024 0 0 256; OUT 8192 1024 256");
}

/// The finding about a lint that reports `found`.
diff::Finding FindingIn(const Case& c, const Verdict& found) {
  const auto finding = DifferenceOf(c, LiteralVerdict(c), found);
  EXPECT_TRUE(finding);
  return finding.value_or(diff::Finding{});
}

TEST(CompareLint, AgreesOnPrograms) {
  for (const Case& c : {Racy(), CaseOf("IN 0 0 256; |ALL; OUT 8192 0 256"),
                        CaseOf("+MTE2_V 0; +MTE2_V 0")}) {
    const auto compared = Compare(c);
    ASSERT_TRUE(compared) << compared.error();
    EXPECT_FALSE(*compared) << (*compared)->message;
  }
}

/// A reduction of 256 bytes at 0 to 1024, from where 32 bytes go to GM. In UB
/// all of them are written but `unwritten`.
Case Reducing(std::string_view op, isa::Interval unwritten) {
  using isa::Param;
  Case c = CaseOf("MIN 1024 0 0 256; OUT 8192 1024 32");
  isa::Call call = isa::CallOf(op);
  call.dtype = isa::DType::kHalf;
  call.dst() = {.position = isa::Position::kVecout,
                .at = 1024,
                .bytes = 256,
                .dtype = {}};
  call.src(0) = {
      .position = isa::Position::kVecin, .at = 0, .bytes = 256, .dtype = {}};
  call[Param::kRepeatTimes] = 1;
  call[Param::kDstRepStride] = 1;
  call[Param::kSrc0BlkStride] = 1;
  call[Param::kSrc0RepStride] = 8;
  call[Param::kMask] = 128;
  c.program[0] = call;
  MemoryImage& ub = *c.memory[static_cast<std::size_t>(isa::Memory::kUb)];
  ub.initialised = false;
  ub.regions.clear();
  for (const auto& [begin, end] :
       {isa::Interval{0, unwritten.begin}, isa::Interval{unwritten.end, 256},
        isa::Interval{1024, 1280}}) {
    if (begin == end) continue;
    Region& region = ub.regions.emplace_back();
    region.at = begin;
    region.bytes.resize(static_cast<std::size_t>(end - begin));
  }
  c.lint.sync.reset();
  c.lint.propagate = true;
  return c;
}

TEST(CompareLint, UnwrittenBytesGoToTheResultOfTheirGroup) {
  const Case block = Reducing("BlockReduceMax", {0, 32});
  Case pair = Reducing("PairReduceSum", {2, 4});
  auto& odd = std::get<isa::Call>(pair.program[0]);
  odd.form = odd.signature->FormWith(isa::Param::kMaskWords);
  odd.mask_words = {0xaaaa'aaaa'aaaa'aaaa, 0xaaaa'aaaa'aaaa'aaaa};
  odd[isa::Param::kMask] = 0;
  for (const Case& c : {block, pair}) {
    EXPECT_EQ(FoundIn(c), "INIT-READ 0→1 UB 1024+2/2 ×1");
    const auto compared = Compare(c);
    ASSERT_TRUE(compared) << compared.error();
    EXPECT_FALSE(*compared) << (*compared)->message;
  }
}

TEST(CompareLint, SaysWhatIsTooMuchForTheModel) {
  const auto compared = Compare(CaseOf("1001×[|ALL]"));
  ASSERT_FALSE(compared);
  EXPECT_EQ(compared.error(), "more than 1000 steps");
  Case c = Racy();
  isa::Resource sums{isa::ResourceName::kSetAtomic, {{"operation", "add"}}};
  c.program.insert(c.program.begin(), sums);
  EXPECT_EQ(Compare(c).error(),
            "an atomic mode, in which copies read what they write");
  sums.arguments = {{"operation", "none"}};
  c.program[0] = sums;
  EXPECT_TRUE(Compare(c));
}

TEST(CompareLint, NamesWhatIsBeyondTheModel) {
  const auto beyond = [](isa::Step step) {
    Case c = Racy();
    c.program.insert(c.program.begin(), std::move(step));
    const auto compared = Compare(c);
    return compared ? "" : compared.error();
  };
  const auto of = [&](isa::ResourceName name) {
    return beyond(isa::Resource{.name = name, .arguments = {}});
  };
  for (std::size_t i = 0; i < isa::kCount<isa::ResourceName>; ++i) {
    const auto name = static_cast<isa::ResourceName>(i);
    const bool known = name == isa::ResourceName::kInitSocState ||
                       name == isa::ResourceName::kSetDeqScale;
    EXPECT_EQ(of(name).empty(), known) << isa::Name(name);
  }
  EXPECT_EQ(of(isa::ResourceName::kAllocTensor), "queues, buffers and tensors");
  EXPECT_EQ(of(isa::ResourceName::kBlock), "launches and blocks");
  isa::Carried call;
  call.name = "Adds";
  call.operands = {
      {isa::OperandName::kDst, {isa::Position::kVecout, 0, 64, {}}, {}},
      {isa::OperandName::kSrc, {isa::Position::kVecin, 0, 96, {}}, {}}};
  call.reads = {{isa::Memory::kUb, 32, 64, 0, isa::OperandName::kSrc}};
  call.writes = {{.memory = isa::Memory::kUb,
                  .at = 0,
                  .bytes = {},
                  .iteration = 0,
                  .count = 32,
                  .operand = isa::OperandName::kDst}};
  EXPECT_EQ(beyond(call), "") << "they touch";
  call.writes[0].count = 33;
  EXPECT_EQ(beyond(call), "operands of an unaudited call that overlap");
  call.reads[0].operand = call.operands[1].name = isa::OperandName::kTmp;
  EXPECT_EQ(beyond(call), "");
}

TEST(CompareLint, AMissingHazardIsAFinding) {
  const Case c = Racy();
  Verdict found = Lint(c);
  found.hazards.erase(found.hazards.begin());
  const diff::Finding finding = FindingIn(c, found);
  EXPECT_EQ(finding.signature, "lint-differs/min/SYNC-RAW/half/count");
  EXPECT_EQ(finding.side, "lint");
  EXPECT_EQ(finding.step, 1u);
  EXPECT_EQ(finding.expected_rules, std::vector{isa::sync::kRaw});
  EXPECT_TRUE(finding.actual_rules.empty());
  EXPECT_EQ(
      finding.message,
      "step 1 Min; the model of bytes alone reports SYNC-RAW UB 0+256/256 "
      "x1 (0 DataCopy MTE2 dst[0]) 1 Min V src0[0]; SetFlag MTE2_V 0, "
      "WaitFlag MTE2_V 0");
}

TEST(CompareLint, AHazardTooManyAndAnotherStepAreReported) {
  const Case c = Racy();
  Verdict found = Lint(c);
  Hazard added = found.hazards.at(0);
  added.rule = isa::sync::kWaw;
  found.hazards.insert(found.hazards.begin() + 1, added);
  found.hazards.pop_back();
  const diff::Finding finding = FindingIn(c, found);
  EXPECT_EQ(finding.signature, "lint-differs/min/SYNC-WAW/half/count");
  EXPECT_TRUE(
      finding.message.starts_with("step 1 Min; lint alone reports "
                                  "SYNC-WAW UB 0+256/256"))
      << finding.message;
  EXPECT_TRUE(finding.message.ends_with("; 1 more of later steps"))
      << finding.message;
}

TEST(CompareLint, OtherBytesOrAnotherOrderAreDifferences) {
  const Case c = Racy();
  Verdict found = Lint(c);
  found.hazards.at(1).bytes->total = 255;
  EXPECT_EQ(FindingIn(c, found).signature,
            "lint-differs/data_copy/step/half/count");
  found = Lint(c);
  std::swap(found.hazards.at(0), found.hazards.at(1));
  EXPECT_EQ(FindingIn(c, found).message,
            "step 0 DataCopy; the same lines in another order");
  found = Lint(c);
  found.racecheck = false;
  EXPECT_EQ(FindingIn(c, found).message,
            "step 0 DataCopy; lint alone reports no racecheck");
}

TEST(CompareLint, AFindingsCaseExpectsNothing) {
  const Case c = Racy();
  Verdict found = Lint(c);
  found.hazards.clear();
  const Case kept =
      diff::CaseOfFinding(c, FindingIn(c, found), "lint", "lanediff-fuzz-lint");
  EXPECT_FALSE(kept.expect);
  EXPECT_EQ(kept.origin->target, "lint");
  EXPECT_EQ(kept.lint, c.lint);
}

TEST(CompareLint, ShrinkingKeepsWhatLintHasToKnow) {
  const Case c = CaseOf(
      "SET 9000; IN 0 0 256; MIN 4096 512 512 256; MIN 1024 0 0 256; OUT 8192 "
      "1024 256");
  diff::Finding wanted;
  wanted.kind = diff::FindingKind::kLintDiffers;
  const auto races =
      [&](const Case& candidate) -> std::optional<diff::Finding> {
    for (const Hazard& hazard : Lint(candidate).hazards) {
      if (!IsRace(hazard)) continue;
      wanted.step = hazard.later.step;
      return wanted;
    }
    return std::nullopt;
  };
  const Case shrunk = diff::Shrink(c, *races(c), races, {}).shrunk;
  EXPECT_EQ(shrunk.program.size(), 2u);
  EXPECT_TRUE(shrunk.lint.sync);
  EXPECT_FALSE(Lint(shrunk).hazards.empty());
}

}  // namespace
}  // namespace lanediff::lint
