// What verdicts make of bytes that a TROWPROD or a copy's padding leaves
// unspecified.

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "differential/compare/check.h"
#include "differential/compare/scratch_testing.h"
#include "differential/compare/unspecified.h"
#include "differential/targets/recorded/target.h"
#include "isa/memory_map.h"

namespace lanediff::diff {
namespace {

using namespace scratch;

/// What `check` reports of `c` on the emulator.
std::vector<std::string> Reported(const Case& c) {
  std::vector<std::string> reported;
  for (const Finding& finding : CheckCase(c, Emulator(), Oracle()).findings) {
    reported.push_back(finding.side + ": " + finding.message);
  }
  return reported;
}

/// The outcome that `document` is of `c`.
Outcome Recorded(const Case& c, const std::string& document) {
  const auto outcome = ReadOutcome(document, c);
  EXPECT_TRUE(outcome) << outcome.error().message;
  return outcome.value_or(Outcome());
}

/// The bytes that `c` leaves changed on the oracle, from `at` to `end`, as a
/// document lists them.
std::string Listed(const Case& c, std::int64_t begin, std::int64_t end) {
  std::string list;
  const RegionsByMemory changed = *Oracle().Run(c).value().memory;
  for (const Region& r : changed[isa::Memory::kUb]) {
    for (std::int64_t at = std::max(begin, r.at); at < std::min(end, r.end());
         ++at) {
      list += fmt::format(R"({}{{"at": {}, "hex": "{:02x}"}})",
                          list.empty() ? "" : ",", at,
                          r.bytes[static_cast<std::size_t>(at - r.at)]);
    }
  }
  return list;
}

TEST(Verdict, WhatIsWrittenOverScratchIsCompared) {
  const std::vector<std::string> steps = {Product(1024), Transpose(1024, 0)};
  const Case c = CaseOf(steps);
  const std::string right = Listed(c, 0, kUbBytes);
  const std::string without = Listed(c, 0, 1024) + Listed(c, 1536, kUbBytes);
  EXPECT_EQ(Reported(CaseOf(steps, Executed(right))),
            std::vector<std::string>());
  const Case wrong = CaseOf(steps, Executed(without));
  EXPECT_EQ(Reported(wrong).size(), 2u);
  const auto found =
      CompareWithExpectation(wrong, Oracle().Run(wrong).value(), "");
  ASSERT_TRUE(found);
  EXPECT_EQ(found->signature, "expectation/vec_trans/value/half")
      << "of the step that wrote the element, not of the first";

  const auto compare = [&](const std::string& ub) {
    return CompareFixed(c, Recorded(c, Executed(ub)));
  };
  EXPECT_TRUE(compare(right).findings.empty());
  EXPECT_EQ(compare(right).compared_bytes, kUbBytes + 4096);
  const Comparison idle = compare(without);
  ASSERT_EQ(idle.findings.size(), 1u);
  EXPECT_EQ(idle.findings[0].step, 1u);
  EXPECT_EQ(idle.findings[0].signature, "memory/vec_trans/missing/half");
}

TEST(Verdict, WhatIsPartlyWrittenOverScratchIsComparedThere) {
  const std::vector<std::string> steps = {Product(1024), Transpose(1280, 0)};
  const Case c = CaseOf(steps);
  const std::string right = Listed(c, 0, kUbBytes);
  const auto with = [&](std::string_view at) {
    return right + fmt::format(R"(, {{"at": {}, "hex": "fe"}})", at);
  };
  EXPECT_EQ(Reported(CaseOf(steps, Executed(with("1279")))),
            std::vector<std::string>());
  EXPECT_EQ(Reported(CaseOf(steps, Executed(with("1792")))).size(), 2u);
  const auto compare = [&](const std::string& ub) {
    return CompareFixed(c, Recorded(c, Executed(ub)));
  };
  EXPECT_TRUE(compare(with("1024")).findings.empty());
  EXPECT_TRUE(compare(with("1279")).findings.empty());
  EXPECT_EQ(compare(with("1023")).findings.size(), 1u);
  EXPECT_EQ(compare(with("1792")).findings.size(), 1u);
  EXPECT_EQ(compare(right).compared_bytes, kUbBytes + 4096 - 256);
}

TEST(Verdict, ARejectedCallLeavesNothingUnspecified) {
  for (const std::int64_t rows : {std::int64_t{1} << 40, std::int64_t{17}}) {
    const auto made = [&](const std::string& expect) {
      Case c = CaseOf({Transpose(1024, 0), Product(4096)}, expect);
      std::get<isa::Call>(c.program[1]).tiles[isa::Call::kTmpTile].rows = rows;
      c.edition = isa::Edition::k2024;  // the newest takes more rows
      return c;
    };
    const auto rejected = [](const std::string& ub) {
      return R"({"outcome": "rejected", "step": 1, "rules": ["TRP-TMP-SHAPE"],
                 "memory": {"UB": [)" +
             ub + "]}}";
    };
    const std::string right = Listed(made(""), 0, kUbBytes);
    EXPECT_EQ(Reported(made(rejected(right))), std::vector<std::string>());
    EXPECT_EQ(Reported(made(rejected(""))).size(), 2u);
    EXPECT_EQ(Reported(made(rejected(right + R"(, {"at": 4100, "hex": "00"})")))
                  .size(),
              2u);
    const Case c = made("");
    const auto compare = [&](const std::string& ub) {
      return CompareFixed(c, Recorded(c, rejected(ub)));
    };
    EXPECT_TRUE(compare(right).findings.empty());
    EXPECT_EQ(compare(right).compared_bytes, kUbBytes + 4096);
    EXPECT_EQ(compare("").findings.size(), 1u);
    EXPECT_EQ(compare(right + R"(, {"at": 4100, "hex": "00"})").findings.size(),
              1u);
  }
}

/// The emulator, which is done with step `step` when `fault` sees it.
AlteredTarget FaultyAt(std::size_t step, AlteredTarget::Change fault) {
  return AlteredTarget([=](const AlteredTarget::Step& s) {
    if (s.index == step) fault(s);
  });
}

/// Rejects what was executed.
void Refuse(const AlteredTarget::Step& step) {
  isa::RuleSet broken;
  broken.Add(isa::RuleId("TRP-ALIGN"));
  step.result = isa::StepResult::FromBroken(broken);
}

void Scribble(const AlteredTarget::Step& step) { step.Ub(1100) ^= 0xff; }

TEST(Verdict, WhoExecutesMayScribbleInTmpAndWhoRefusesMayNot) {
  using enum FindingKind;
  const Case legal = CaseOf({Product(1024)}, R"({"outcome": "executed",
      "memory": {"UB": []}})");
  Case illegal = CaseOf({Product(1024)});
  std::get<isa::Call>(illegal.program[0]).tiles[isa::Call::kSrcTile].valid_row =
      2;
  const AlteredTarget scribbles = FaultyAt(0, Scribble);
  const AlteredTarget refuses =
      FaultyAt(0, [](const AlteredTarget::Step& step) {
        Refuse(step);
        std::ranges::fill(step.memories[isa::Memory::kUb].subspan(7168, 32),
                          0x7b);
        Scribble(step);
      });
  const AlteredTarget accepts =
      FaultyAt(0, [](const AlteredTarget::Step& step) {
        step.result = {};
        Scribble(step);
      });
  EXPECT_EQ(KindsOf(CompareCase(legal, scribbles, Oracle())),
            std::vector<FindingKind>());
  EXPECT_EQ(KindsOf(CompareCase(illegal, scribbles, Oracle())),
            std::vector{kMemory});
  EXPECT_EQ(KindsOf(CompareCase(legal, refuses, Oracle())),
            (std::vector{kOutcome, kMemory}));
  EXPECT_EQ(KindsOf(CompareCase(illegal, accepts, Oracle())),
            std::vector{kOutcome});
  // What it left in tmp stands in its outcome, and in its expectation.
  const auto& ub = [](const Case& c, const Target& target) {
    const Outcome outcome = target.Run(c).value();
    return (*outcome.memory)[isa::Memory::kUb];
  };
  EXPECT_EQ(ub(legal, refuses).size(), 1u);
  EXPECT_EQ(ub(illegal, scribbles).size(), 1u);
  EXPECT_EQ(ub(legal, scribbles), ub(legal, Oracle()));
  Case expecting = illegal;
  expecting.expect = ToExpectation(Oracle().Run(illegal).value());
  EXPECT_TRUE(CompareWithExpectation(expecting, scribbles.Run(illegal).value(),
                                     "altered"));
}

TEST(Verdict, ScratchOfAnEarlierStepIsNotForLaterOnesToWrite) {
  const Case c = CaseOf({Product(1024), Transpose(4096, 0)});
  const AlteredTarget scribbles = FaultyAt(1, Scribble);
  EXPECT_EQ(KindsOf(CompareCase(c, scribbles, Oracle())),
            std::vector{FindingKind::kMemory});
}

TEST(Verdict, PaddingOfNoStatedValueMayHoldAnything) {
  const auto findings = [](bool is_pad, std::size_t at) {
    const Case c = CaseOf({PadIn(1024, 0, 1, 20, is_pad, 1, 2)});
    const AlteredTarget altered =
        FaultyAt(0, [at](const AlteredTarget::Step& s) { s.Ub(at) ^= 0xff; });
    return CompareCase(c, altered, Oracle()).findings.size();
  };
  EXPECT_EQ(findings(false, 1024), 0u);
  EXPECT_EQ(findings(false, 1055), 0u);
  EXPECT_EQ(findings(false, 1045), 1u) << "the block's last byte";
  EXPECT_EQ(findings(false, 1056), 1u) << "behind the padding";
  EXPECT_EQ(findings(true, 1055), 1u);
}

TEST(Verdict, TheSummaryCountsWhatWasCompared) {
  const std::int64_t all = kUbBytes + 4096;
  const auto bytes = [](const Case& c, const Target& target) {
    return CompareCase(c, target, Oracle()).compared_bytes;
  };
  Case c = CaseOf({Product(1024)});
  // GM is in no operand, but in the case.
  EXPECT_EQ(bytes(c, Emulator()), all - 512);
  EXPECT_EQ(bytes(CaseOf({Product(1024), Transpose(1024, 0)}), Emulator()),
            2 * all - 512);
  const AlteredTarget refuses = FaultyAt(0, Refuse);
  EXPECT_EQ(bytes(c, refuses), all);
  std::get<isa::Call>(c.program[0]).tiles[isa::Call::kSrcTile].valid_row = 2;
  EXPECT_EQ(bytes(c, Emulator()), all) << "both refuse";
}

}  // namespace
}  // namespace lanediff::diff
