#include "differential/compare/compare.h"

#include <gtest/gtest.h>

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "differential/compare/check.h"
#include "differential/compare/testing.h"

namespace lanediff::diff {
namespace {

using isa::Memory;
using isa::StepResult;
using Step = AlteredTarget::Step;

/// What a faulty target does after its model has executed a step.
using Fault = AlteredTarget::Change;

const std::string kSum = SumJson(0, 1024, 1024, "3", 4);
/// Reads the first element that `kSum` wrote.
const std::string kCopyOfFirst = SumJson(64, 0, 32, "1", 1);
/// Breaks RRS-REPEAT and RRS-SRC-ALIGN.
const std::string kRejected = SumJson(0, 1026, 1024, "256", 4);

Case CaseOf(const std::vector<std::string_view>& steps) {
  std::string text = R"({ "format": "lanediff-case/1", "id": "t",
    "product": "atlas-a2", "memory": { "GM": { "size": 64 }, "UB": {
      "fill": "a5", "size": 4096, "regions": [
        { "at": 1024, "dtype": "half", "values": [1, 2, 3, 4] },
        { "at": 1280, "dtype": "half", "values": ["inf", "-inf", 3, 4] },
        { "at": 1536, "dtype": "half", "values": [0.5, 0.25, 0, 0] } ] } },
    "program": [ { "op": "SetSaturation", "enabled": false } )";
  for (std::string_view step : steps) text.append(",").append(step);
  return CaseFrom(text + "] }");
}

Comparison Compare(const Case& c, const Fault& fault) {
  return CompareCase(c, AlteredTarget(fault), Oracle());
}

struct FaultRow {
  const char* name;
  std::string_view last_step;
  std::size_t step;  ///< that goes wrong
  Fault fault;       ///< of that step
  FindingKind kind;
  const char* message;
};

class CompareFault : public testing::TestWithParam<FaultRow> {};

std::vector<FaultRow> Faults() {
  using isa::RuleId;
  const auto bad = [](std::size_t at, int by) -> Fault {
    return [=](const Step& s) {
      s.Ub(at) = static_cast<std::uint8_t>(s.Ub(at) + by);
    };
  };
  // After a read of byte `at` that the step has no business with.
  const auto reads = [](std::size_t at, std::uint8_t plain, std::size_t to) {
    return Fault([=](const Step& s) {
      if (s.Ub(at) != plain) s.Ub(to) ^= 0x01;
    });
  };
  using enum FindingKind;
  return {
      {"OneUlpAbove", kSum, 1, bad(0, 1), kMemory,
       "step 1 RepeatReduceSum: UB byte 0 (dst element of iteration 0 lane 0, "
       "half): expected 10 (0x4900), found 10.01 (0x4901), 1 ULP apart; 1 byte "
       "differs in all"},
      {"OneUlpBelow", kSum, 1, bad(4, -1), kMemory, "iteration 2 lane 0"},
      {"OneLaneOfThree", kSum, 1, bad(3, 0x11), kMemory, "iteration 1 lane 0"},
      {"SignOfAnElement", kSum, 1, bad(5, 0x80), kMemory, "found -0.75"},
      {"ByteBehindLastElement", kSum, 1, bad(6, 1), kMemory,
       "UB byte 6 (which no operand was to write): expected 165"},
      {"ByteFarOutside", kSum, 1, bad(4095, 1), kMemory, "UB byte 4095"},
      {"ByteOfSource", kSum, 1, bad(1024, 1), kMemory, "UB byte 1024"},
      {"ByteOfOtherMemory", kSum, 1,
       [](const Step& s) { s.memories[Memory::kGm][63] = 1; }, kMemory,
       "GM byte 63"},
      {"WritesThoughRejected", kRejected, 1, bad(0, 1), kMemory, "UB byte 0"},
      {"NumberForNan", kSum, 1,
       [](const Step& s) {
         s.Ub(2) = 0;
         s.Ub(3) = 0x7c;
       },
       kMemory, "expected nan (0x7e00), found inf (0x7c00)"},
      {"ExecutesWhatIsRejected", kRejected, 1,
       [](const Step& s) { s.result = {}; }, kOutcome,
       "expected rejected for RRS-REPEAT, RRS-SRC-ALIGN, found executed"},
      {"RejectsWhatIsExecuted", kSum, 1,
       [](const Step& s) {
         isa::RuleSet broken;
         broken.Add(isa::RuleId("RRS-ELEMS"));
         s.result = StepResult::FromBroken(broken);
       },
       kOutcome, "expected executed, found rejected for RRS-ELEMS"},
      {"MissesARule", kRejected, 1,
       [](const Step& s) {
         s.result.rules = {};
         s.result.rules.Add(isa::RuleId("RRS-REPEAT"));
       },
       kRules, "rules differ: missing RRS-SRC-ALIGN"},
      {"AddsARule", kRejected, 1,
       [](const Step& s) { s.result.rules.Add(isa::RuleId("RRS-ELEMS")); },
       kRules, "rules differ: unexpected RRS-ELEMS"},
      {"OtherRule", kRejected, 1,
       [](const Step& s) {
         s.result.rules = {};
         s.result.rules.Add(isa::RuleId("RRS-ELEMS"));
       },
       kRules, "missing RRS-REPEAT, RRS-SRC-ALIGN; unexpected RRS-ELEMS"},
      {"MissesANote", kSum, 1, [](const Step& s) { s.result.notes = {}; },
       kNotes, "notes differ: missing RRS-PREFER-WHOLE-REDUCE-SUM"},
      {"AddsANote", kSum, 1,
       [](const Step& s) {
         s.result.notes.Add(isa::RuleId("RRS-REPEAT-ZERO"));
       },
       kNotes, "notes differ: unexpected RRS-REPEAT-ZERO"},
      {"WrongInAStateStep", kSum, 0, bad(77, 1), kMemory,
       "step 0 SetSaturation: UB byte 77"},
      {"ReadsBehindItsLanes", kSum, 1, reads(1032, 0xa5, 0), kReadsOutside,
       "bytes that the step may not read change its result: UB byte 0"},
      {"ReadsLastByteOfUb", kSum, 1, reads(4095, 0xa5, 4), kReadsOutside,
       "UB byte 4"},
      {"WritesOutsideOnlyInBackground", kSum, 1, reads(4095, 0xa5, 3000),
       kMemory,
       "writes outside its operands (seen where bytes that it may not "
       "read are inverted): UB byte 3000 (which no operand"},
      {"WritesWhatStoodThere", kSum, 1, [](const Step& s) { s.Ub(90) = 0xa5; },
       kMemory, "writes outside its operands"},
      {"ReadsGm", kSum, 1,
       [](const Step& s) {
         if (s.memories[Memory::kGm][0] != 0) s.Ub(0) = 1;
       },
       kReadsOutside, ""},
      {"RejectionThatWrites", kRejected, 1, reads(1024, 0, 9), kMemory,
       "writes outside its operands"},
      {"NotesThatDependOnBytes", kSum, 1,
       [](const Step& s) {
         if (s.Ub(3000) != 0xa5)
           s.result.notes.Add(isa::RuleId("RRS-REPEAT-ZERO"));
       },
       kReadsOutside, "change its outcome, rules or notes"},
      {"RulesThatDependOnBytes", kRejected, 1,
       [](const Step& s) {
         if (s.Ub(3000) != 0xa5) s.result.rules.Add(isa::RuleId("RRS-ELEMS"));
       },
       kReadsOutside, "change its outcome, rules or notes"},
  };
}

TEST_P(CompareFault, IsFoundOnceWhereItArose) {
  const FaultRow& row = GetParam();
  const Comparison result =
      Compare(CaseOf({row.last_step}), [&](const Step& s) {
        // A rejection reads nothing, so its row sees plain bytes as 00
        // 00 3c.
        if (s.index == row.step) row.fault(s);
      });
  ASSERT_EQ(result.findings.size(), 1u);
  const Finding& finding = result.findings[0];
  EXPECT_EQ(isa::Name(finding.kind), isa::Name(row.kind)) << finding.message;
  EXPECT_NE(finding.message.find(row.message), std::string::npos)
      << finding.message;
  EXPECT_EQ(finding.message.find('\n'), std::string::npos);
  EXPECT_EQ(finding.step, row.step);
  EXPECT_EQ(finding.side, "altered");
  EXPECT_EQ(finding.reference, "oracle");
  EXPECT_FALSE(result.unsupported);
}

INSTANTIATE_TEST_SUITE_P(All, CompareFault, testing::ValuesIn(Faults()),
                         [](const auto& row) { return row.param.name; });

TEST(CompareCase, AStrayByteIsSeenWhereverItIsAndLeavesNothingBehind) {
  const Case c = CaseOf({kSum, kCopyOfFirst});
  for (std::size_t at = 80; at < 4096; at += 61) {
    for (std::size_t step : {1u, 2u}) {
      const auto stray = [&](const Step& s) {
        if (s.index == step) s.Ub(at) ^= 0x10;
      };
      const auto found = Compare(c, stray).findings;
      ASSERT_FALSE(found.empty()) << at;
      EXPECT_EQ(found.front().kind, FindingKind::kMemory);
      EXPECT_EQ(found.front().step, step);
      EXPECT_EQ(found.front().difference->at, static_cast<std::int64_t>(at));
      ASSERT_TRUE(CompareCase(c, Emulator(), Oracle()).findings.empty());
    }
  }
}

TEST(CompareCase, AMissingWriteOfWhatStoodThereIsNoReadOutside) {
  // The second sum is what the first one left; who leaves it out is seen where
  // the destination held other bytes.
  const auto leaves_out = [](const Step& s) {
    if (s.index != 2 || s.Ub(3000) == 0xa5) return;
    s.Ub(0) ^= 0xff;
    s.Ub(1) ^= 0xff;
  };
  const auto found = Compare(CaseOf({kSum, kSum}), leaves_out).findings;
  ASSERT_EQ(found.size(), 1u);
  EXPECT_EQ(found.front().kind, FindingKind::kMemory);
  EXPECT_EQ(found.front().signature, "memory/repeat_reduce_sum/missing/half");
  EXPECT_NE(found.front().message.find("an element is not written (seen where"),
            std::string::npos)
      << found.front().message;
}

TEST(CompareCase, ReportsWhatItCompared) {
  const Comparison run =
      CompareCase(CaseOf({kSum, kRejected, kSum}), Emulator(), Oracle());
  EXPECT_EQ(run.steps, 3u) << "the rejected step ends the program";
  EXPECT_EQ(run.compared_bytes, 3 * (4096 + 64));
  EXPECT_EQ(run.nodes, 9u) << "three sums of four lanes";
  EXPECT_TRUE(run.rejected);
  EXPECT_FALSE(CompareCase(CaseOf({kSum}), Emulator(), Oracle()).rejected);
}

TEST(CompareCase, ReportsADifferenceOnceAndGoesOnFromReference) {
  // The wrong element is the source of the next step.
  const auto wrong_in = [](std::size_t step) {
    return [=](const Step& s) {
      if (s.index == step) s.Ub(0) ^= 0xff;
    };
  };
  const Case c = CaseOf({kSum, kCopyOfFirst, kCopyOfFirst});
  const Comparison one = Compare(c, wrong_in(1));
  ASSERT_EQ(one.findings.size(), 1u);
  EXPECT_EQ(one.findings[0].step, 1u);
  EXPECT_EQ(one.steps, 4u) << "and the rest is still compared";

  const Comparison three = Compare(c, [](const Step& s) {
    if (s.index > 0) s.Ub(64) ^= 0xff;
  });
  ASSERT_EQ(three.findings.size(), 3u);
  EXPECT_EQ(three.findings[2].step, 3u);
}

TEST(CompareCase, ReportsBothAFaultyAnswerAndFaultyBytes) {
  const Comparison run = Compare(CaseOf({kSum}), [](const Step& s) {
    if (s.index == 0) return;
    s.result.notes = {};
    s.Ub(0) ^= 1;
  });
  ASSERT_EQ(run.findings.size(), 2u);
  EXPECT_EQ(run.findings[0].kind, FindingKind::kNotes);
  EXPECT_EQ(run.findings[1].kind, FindingKind::kMemory);
}

TEST(CompareCase, UnsupportedIsNoFindingAndEndsTheCase) {
  const AlteredTarget unable([](const Step& s) {
    if (s.index == 1) s.result.status = StepResult::Status::kUnsupported;
  });
  Case c = CaseOf({kSum, kSum});
  c.expect.emplace();
  for (const Comparison& run :
       {CompareCase(c, unable, Oracle()), CheckCase(c, unable, Oracle())}) {
    EXPECT_TRUE(run.unsupported);
    EXPECT_TRUE(run.findings.empty());
    EXPECT_EQ(run.steps, 1u);
  }
  EXPECT_EQ(unable.Run(c).value().status, Outcome::Status::kUnsupported);
}

TEST(CompareCase, AReferenceWithoutAccessesIsHeldByAnOracleBesideIt) {
  const auto with = [](const Fault& fault) {
    return CompareCase(CaseOf({kSum, kCopyOfFirst}),
                       AlteredTarget(fault, "oracle"), Emulator());
  };
  const Comparison memory = with([](const Step& s) {
    if (s.index == 2) s.Ub(64) ^= 1;
  });
  ASSERT_EQ(memory.findings.size(), 1u);
  EXPECT_EQ(memory.findings[0].difference->operand, "dst");
  EXPECT_EQ(memory.findings[0].reference, "emulator");

  const Comparison reads = with([](const Step& s) {
    if (s.index == 2 && s.Ub(32) != 0xa5) s.Ub(64) ^= 1;
  });
  ASSERT_EQ(reads.findings.size(), 1u);
  EXPECT_EQ(reads.findings[0].kind, FindingKind::kReadsOutside);
}

}  // namespace
}  // namespace lanediff::diff
