#include "differential/targets/target.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <functional>
#include <limits>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "differential/compare/check.h"
#include "differential/compare/testing.h"
#include "differential/targets/capabilities.h"
#include "differential/targets/target_kind.h"

namespace lanediff::diff {
namespace {

/// The emulator, but that it claims less and reports neither rules nor notes.
class Modest final : public TargetAround {
 public:
  explicit Modest(Capabilities can)
      : TargetAround(Emulator()), can_(std::move(can)) {}
  Capabilities capabilities() const override { return can_; }
  std::unique_ptr<Session> Open(isa::Profile profile,
                                isa::Memories memories) const override {
    return std::make_unique<Silent>(inner_steps().Open(profile, memories));
  }

 private:
  class Silent final : public Session {
   public:
    explicit Silent(std::unique_ptr<Session> inner)
        : inner_(std::move(inner)) {}
    isa::StepResult Execute(const isa::Step& step) override {
      return {.status = inner_->Execute(step).status, .rules = {}, .notes = {}};
    }

   private:
    std::unique_ptr<Session> inner_;
  };

  Capabilities can_;
};

/// A target that runs, but has no outcome.
class Ending final : public NamedTarget<Target> {
 public:
  explicit Ending(NoOutcome::Kind kind) : NamedTarget("ending"), kind_(kind) {}
  std::expected<Outcome, NoOutcome> Run(const Case&) const override {
    return std::unexpected(NoOutcome{kind_, "it ended by signal 11"});
  }

 private:
  NoOutcome::Kind kind_;
};

TEST(Capabilities, NumbersStayWithinThePrototypesOfWhoChecksNone) {
  using Legality = Capabilities::Legality;
  const auto with_repeat = [](std::int64_t repeat) {
    Case c = TwoSums();
    std::get<isa::Call>(c.program.back())[isa::Param::kRepeatTimes] = repeat;
    return c;
  };
  constexpr std::int64_t kInt32 = std::numeric_limits<std::int32_t>::max();
  for (const auto& [legality, any, beyond] :
       {std::tuple{Legality::kNone, false, true},
        std::tuple{Legality::kNone, true, false},
        std::tuple{Legality::kYes, false, false}}) {
    Capabilities can;
    can.legality = legality;
    MakesAnyNumber() = any;
    for (const std::int64_t repeat : {-kInt32 - 1, std::int64_t{-1}, kInt32}) {
      EXPECT_FALSE(BeyondCapabilities(with_repeat(repeat), can)) << repeat;
    }
    for (const std::int64_t repeat : {-kInt32 - 2, kInt32 + 1}) {
      const Case c = with_repeat(repeat);
      EXPECT_EQ(BeyondCapabilities(c, can).has_value(), beyond) << repeat;
      EXPECT_FALSE(BeyondClaims(c, can)) << "a person gave it";
    }
  }
  MakesAnyNumber() = false;
  Capabilities can;
  can.legality = Legality::kNone;
  EXPECT_EQ(BeyondCapabilities(with_repeat(kInt32 + 1), can),
            "numbers without repeat 2147483648 (int32_t)");
}

TEST(Capabilities, EachPrototypeHasItsTypes) {
  const auto first_beyond = [](isa::Step step) {
    return BeyondPrototype(step).value_or("");
  };
  isa::Call min = isa::CallOf("Min");
  min.form = isa::kCountForm;
  min[isa::Param::kCount] = std::int64_t{1} << 31;
  EXPECT_EQ(first_beyond(min), "count 2147483648 (int32_t)");
  min.form = isa::kMaskForm;
  min[isa::Param::kMask] = -1;
  EXPECT_EQ(first_beyond(min), "mask -1 (uint64_t)");
  min[isa::Param::kMask] = std::int64_t{1} << 62;
  EXPECT_EQ(first_beyond(min), "");
  min[isa::Param::kRepeatTimes] = 256;
  EXPECT_EQ(first_beyond(min), "repeatTimes 256 (uint8_t)");
  min[isa::Param::kRepeatTimes] = 255;
  min[isa::Param::kSrc1RepStride] = 256;
  EXPECT_EQ(first_beyond(min), "src1RepStride 256 (uint8_t)");
  isa::Call copy = isa::CallOf("DataCopy");
  copy[isa::Param::kCount] = -1;
  EXPECT_EQ(first_beyond(copy), "count -1 (uint32_t)");
  isa::Call pad = isa::CallOf("DataCopyPad");
  pad[isa::Param::kBlockCount] = 65535;
  pad[isa::Param::kBlockLen] = 65536;
  pad[isa::Param::kDstGap] = (std::int64_t{1} << 32) - 1;
  pad[isa::Param::kRightPadding] = 255;
  EXPECT_EQ(first_beyond(pad), "");
  pad[isa::Param::kRightPadding] = 256;
  EXPECT_EQ(first_beyond(pad), "rightPadding 256 (uint8_t)");
  pad[isa::Param::kSrcGap] = -1;
  EXPECT_EQ(first_beyond(pad), "srcStride -1 (uint32_t)");
  pad[isa::Param::kBlockCount] = 65536;
  EXPECT_EQ(first_beyond(pad), "blockCount 65536 (uint16_t)");
  isa::Call untyped = isa::CallOf("vec_trans");
  untyped[isa::Param::kRepeatTimes] = std::int64_t{1} << 40;
  EXPECT_EQ(first_beyond(untyped), "");
}

/// The rules that a failure of the target in the last step has.
std::vector<isa::RuleId> RulesOfFailureIn(const Case& c) {
  const Ending target(NoOutcome::Kind::kCrash);
  const auto found = CompareCase(c, target, Oracle()).findings;
  EXPECT_EQ(found.size(), 1u);
  return found.empty() ? std::vector<isa::RuleId>()
                       : found.front().expected_rules;
}

TEST(Failure, NamesTheRulesThatTheCallBreaks) {
  EXPECT_EQ(RulesOfFailureIn(TwoSums()), std::vector<isa::RuleId>());
  EXPECT_EQ(RulesOfFailureIn(TwoSums("256")),
            std::vector<isa::RuleId>{isa::RuleId("RRS-REPEAT")});
}

TEST(Capabilities, WhatIsBeyondThemIsUnsupportedWithAReason) {
  const auto why = [](const std::function<void(Capabilities&)>& claim) {
    Capabilities can;
    claim(can);
    const Comparison result = CheckCase(TwoSums(), Modest(can), Oracle());
    EXPECT_EQ(result.unsupported, !result.why.empty()) << result.why;
    EXPECT_EQ(result.steps > 0, result.why.empty()) << result.why;
    return result.why;
  };
  const auto no_words = [](Capabilities& can) {
    can.legality = Capabilities::Legality::kYes;
    can.notes = false;
  };
  EXPECT_EQ(why(no_words), "");
  EXPECT_EQ(why([](auto& can) { can.products = {isa::Product::kAtlasA3}; }),
            "emulator claims products without atlas-a2");
  EXPECT_EQ(why([](auto& can) { can.instructions = {"Min"}; }),
            "emulator claims instructions without RepeatReduceSum");
  EXPECT_EQ(why([](auto& can) { can.dtypes = {isa::DType::kFloat}; }),
            "emulator claims dtypes without half");
  EXPECT_EQ(why([](auto& can) { can.saturation = {true}; }),
            "emulator claims saturation without off");
  EXPECT_EQ(why([](auto& can) { can.forms = {"count"}; }), "")
      << "RepeatReduceSum has one form";
  EXPECT_EQ(why([](auto& can) {
              can.products = {isa::Product::kAtlasA3, isa::Product::kAtlasA2};
              can.instructions = {"Min", "RepeatReduceSum"};
              can.dtypes = {isa::DType::kHalf};
              can.saturation = {true, false};
              can.orders = {isa::Order::kDocumented};
            }),
            "");
}

TEST(Capabilities, AnInstructionIsClaimedWithATypeOfItsOwn) {
  Capabilities can;
  EXPECT_TRUE(Claims(can, "and"));
  can.dtypes = {isa::DType::kHalf};
  EXPECT_FALSE(Claims(can, "and")) << "which is of integers";
  EXPECT_TRUE(Claims(can, "abs"));
  EXPECT_TRUE(Claims(can, "program"));
  can.dtypes->push_back(isa::DType::kUint16);
  EXPECT_TRUE(Claims(can, "and"));
  can.instructions = {"Abs"};
  EXPECT_FALSE(Claims(can, "and"));
}

TEST(Capabilities, WhatATargetDoesNotReportIsNotCompared) {
  const Case cases[] = {
      TwoSums("1", Executed(Sums(),
                            R"(, "notes": ["RRS-PREFER-WHOLE-REDUCE-SUM"])")),
      TwoSums("256", R"({"outcome": "rejected", "step": 2,
          "rules": ["RRS-REPEAT"],
          "notes": ["RRS-PREFER-WHOLE-REDUCE-SUM"]})")};
  for (const Case& c : cases) {
    Capabilities silent;
    silent.legality = Capabilities::Legality::kYes;
    silent.notes = false;
    EXPECT_TRUE(CheckCase(c, Modest(silent), Oracle()).findings.empty());
    const Outcome outcome = Modest(silent).Run(c).value();
    EXPECT_FALSE(outcome.rules || outcome.notes);
    // A target that claims to report them has to.
    EXPECT_FALSE(CheckCase(c, Modest({}), Oracle()).findings.empty());
  }
}

TEST(Target, OneThatAnswersWholeCasesIsComparedInOneRunBesideOthers) {
  const Ending unknown(NoOutcome::Kind::kUnknown);
  const Target* const targets[] = {&unknown, &Emulator(), &unknown};
  std::size_t seen = 0;
  const auto results = CompareCase(TwoSums(), targets, Oracle(),
                                   [&](const ReferenceStep&) { ++seen; });
  EXPECT_EQ(seen, 3u);
  ASSERT_EQ(results.size(), 3u);
  EXPECT_TRUE(results[0].unrecorded && results[2].unrecorded);
  EXPECT_EQ(results[1].steps, 3u);
  EXPECT_TRUE(results[1].findings.empty());
}

TEST(Target, StepsOfATargetWithoutStepsThrow) {
  EXPECT_THROW(StepsOf(Ending(NoOutcome::Kind::kCrash)), std::logic_error);
  EXPECT_EQ(&StepsOf(Emulator()), &Emulator());
}

TEST(TargetKinds, NoNameBelongsToTwo) {
  for (const TargetKind& one : TargetKinds()) {
    for (const TargetKind& other : TargetKinds()) {
      EXPECT_TRUE(&one == &other || !one.prefix.starts_with(other.prefix))
          << one.prefix << " " << other.prefix;
    }
  }
}

TEST(TargetKinds, WhatIsListedIsFoundAndTheErrorNamesAll) {
  const auto error = FindTarget("no-such-target").error();
  EXPECT_EQ(FindTarget("emulators").error(),
            "no target \"emulators\", did you mean emulator?" +
                error.substr(error.find(';')));
  EXPECT_EQ(FindTarget("oracle:1").error(),
            "no target \"oracle:1\", did you mean oracle?" +
                error.substr(error.find(';')));
  for (const TargetKind& kind : TargetKinds()) {
    EXPECT_NE(error.find(kind.usage), std::string::npos) << kind.usage;
    EXPECT_TRUE(kind.listed != nullptr || !kind.usage.empty()) << kind.prefix;
    EXPECT_EQ(kind.usage.empty(), kind.description.empty()) << kind.prefix;
  }
  ASSERT_GT(ListedTargets().size(), 2u);
  for (const Target* target : ListedTargets()) {
    EXPECT_EQ(FindTarget(target->name()), target);
    EXPECT_NE(error.find(target->name()), std::string::npos);
  }
}

}  // namespace
}  // namespace lanediff::diff
