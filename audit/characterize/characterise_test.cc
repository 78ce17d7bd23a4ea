#include "audit/characterize/characterise.h"

#include <gtest/gtest.h>

#include <map>
#include <random>
#include <set>
#include <variant>

#include "audit/characterize/probes.h"
#include "audit/characterize/testing.h"
#include "audit/testing.h"
#include "differential/testcase/case_reader.h"

namespace lanediff::character {
namespace {

using audit::test::Answering;
using audit::test::None;
using isa::DType;
using test::FoldOf;
using test::Model;

/// Another tree in each call, and, where `any_value`, results of none.
void ExpectNoFixedTree(bool any_value, std::initializer_list<std::size_t> ns) {
  for (const char* op : {"RepeatReduceSum", "TROWPROD"}) {
    for (const std::size_t n : ns) {
      std::minstd_rand random(7);
      const Model model(
          op, DType::kFloat,
          {.tree =
               [&](std::size_t leaves) {
                 return test::RandomTree(leaves,
                                         static_cast<unsigned>(random()));
               },
           .last =
               [&](double x) {
                 return any_value ? static_cast<double>(random() % 1000) : x;
               }});
      ProbeRunner runner(model, nullptr);
      Prober prober(runner, FoldOf(op, DType::kFloat));
      EXPECT_EQ(FindOrder(prober, n).kind, FoundOrder::Kind::kNotATree) << n;
    }
  }
}

TEST(Characterise, RandomAnswersHaveNoFixedTree) {
  ExpectNoFixedTree(true, {2, 3, 5, 17, 64});
}

TEST(Characterise, ChangingTreeIsNoFixedTree) {
  ExpectNoFixedTree(false, {5, 17, 64});
}

TEST(Characterise, SilentTargetIsGivenUp) {
  const Answering hangs(
      [](const Case&) { return None(diff::NoOutcome::Kind::kTimeout); });
  const Character c = Characterise(hangs, {});
  EXPECT_EQ(c.executed, 0u);
  EXPECT_TRUE(c.gave_up);
  EXPECT_EQ(c.failures, 8u);
  ASSERT_FALSE(c.answers.empty());
  EXPECT_EQ(c.answers[0].answer, "does not answer in time");
}

TEST(Characterise, UnsupportedTargetAnswersUnsupported) {
  const Answering none([](const Case&) {
    Outcome outcome;
    outcome.status = Outcome::Status::kUnsupported;
    return outcome;
  });
  const Character c = Characterise(none, {});
  EXPECT_EQ(c.executed, 0u);
  EXPECT_EQ(c.failures, 0u);
  for (const Answer& a : c.answers) EXPECT_EQ(a.answer, "unsupported");
}

TEST(Characterise, AnOutcomeWithoutMemoryIsNoAnswer) {
  const Answering silent([](const Case&) { return Outcome(); });
  const Character c = Characterise(
      silent, {.instruction = "Min", .lengths = {}, .goes_on = {}});
  EXPECT_EQ(c.answers[0].answer, "not reported");
}

TEST(Characterise, CallsThatBreakARuleAreReportedByRule) {
  // Runs what is refused, and dies of one rule.
  const auto& emulator = **diff::FindTarget("emulator");
  const Answering tolerant([&](const Case& c) -> audit::test::Result {
    auto outcome = emulator.Run(c);
    if (!outcome->rejected()) return outcome;
    if (outcome->RulesOrNone().front() == isa::RuleId("MIN-REPEAT")) {
      return None(diff::NoOutcome::Kind::kCrash);
    }
    outcome->status = Outcome::Status::kExecuted;
    outcome->rules.reset();
    return outcome;
  });
  const Character c = Characterise(
      tolerant, {.instruction = "Min", .lengths = {}, .goes_on = {}});
  std::set<std::string> rules;
  for (const Answer& a : c.answers) {
    if (a.question != "illegal") continue;
    EXPECT_TRUE(rules.insert(a.about).second);
    EXPECT_EQ(a.answer, a.about == "MIN-REPEAT" ? "crashes" : "executes");
  }
  EXPECT_EQ(rules.size(), 17u);
  EXPECT_GE(c.failures, 1u);
}

TEST(Characterise, CasesCanBeReplayed) {
  for (const char* instruction : {"Min", "RepeatReduceSum"}) {
    const Character c = Characterise(
        **diff::FindTarget("emulator"),
        {.instruction = instruction, .lengths = {}, .goes_on = {}});
    std::set<std::string> ids;
    for (const Answer& a : c.answers) {
      EXPECT_FALSE(a.cases.empty()) << a.question << a.about;
      if (a.question == "illegal") {
        EXPECT_EQ(a.note, "") << a.about;
      }
      for (const JsonText& json : a.cases) {
        const auto document = ReadCase(json.text);
        ASSERT_TRUE(document.has_value()) << LineOf(document.error());
        EXPECT_TRUE(ids.insert(document->id).second) << document->id;
      }
    }
  }
}

TEST(Characterise, TargetWithCountFormAloneIsProbedInIt) {
  const Answering counting([](const Case& c) -> audit::test::Result {
    const auto* const call = std::get_if<isa::Call>(&c.program.back());
    if (call != nullptr && call->form == isa::kCountForm) {
      return (*diff::FindTarget("emulator"))->Run(c);
    }
    Outcome outcome;
    outcome.status = Outcome::Status::kUnsupported;
    return outcome;
  });
  const auto answers = [](const diff::Target& target) {
    std::map<std::string, std::string> all;
    const Character c = Characterise(
        target, {.instruction = "Min", .lengths = {}, .goes_on = {}});
    for (const Answer& a : c.answers) {
      if (a.dtype == "half") all[a.question] = a.answer;
    }
    return all;
  };
  auto counts = answers(counting);
  auto both = answers(**diff::FindTarget("emulator"));
  for (const char* question : {"nan", "min-ties", "subnormals"}) {
    EXPECT_EQ(counts[question], both[question]) << question;
    EXPECT_NE(counts[question], "unsupported") << question;
  }
}

TEST(Characterise, UnclaimedCallsAreNotProbed) {
  class Half final : public diff::TargetAround {
   public:
    using TargetAround::TargetAround;
    std::unique_ptr<diff::Session> Open(isa::Profile profile,
                                        isa::Memories memories) const override {
      return inner_steps().Open(profile, memories);
    }
    diff::Capabilities capabilities() const override {
      diff::Capabilities can;
      can.instructions = {{"Min"}};
      can.dtypes = {{DType::kHalf}};
      return can;
    }
  };
  const Half half(**diff::FindTarget("emulator"));
  const Character c = Characterise(half, {});
  for (const Answer& a : c.answers) {
    if (a.question == "illegal") continue;
    EXPECT_TRUE(a.answer == "unsupported" ||
                (a.instruction == "Min" && a.dtype == "half"))
        << a.instruction << a.question;
  }
  EXPECT_GT(c.executed, 10u);
}

}  // namespace
}  // namespace lanediff::character
