#include "audit/characterize/characterise.h"

#include <gtest/gtest.h>

#include <map>
#include <random>
#include <set>
#include <variant>

#include "audit/characterize/probes.h"
#include "audit/characterize/testing.h"
#include "differential/testcase/case_reader.h"

namespace lanediff::character {
namespace {

using isa::DType;
using test::FoldOf;
using test::Model;

/// A target that answers by a function.
class Answering final : public diff::Target {
 public:
  using Result = std::expected<Outcome, diff::NoOutcome>;
  explicit Answering(std::function<Result(const Case&)> answer)
      : answer_(std::move(answer)) {}
  std::string_view name() const override { return "answering"; }
  std::string_view description() const override { return "of a test"; }
  Result Run(const Case& c) const override { return answer_(c); }

 private:
  std::function<Result(const Case&)> answer_;
};

std::unexpected<diff::NoOutcome> None(diff::NoOutcome::Kind kind) {
  return std::unexpected(diff::NoOutcome{kind, "for a test"});
}

TEST(Characterise, RandomAnswersHaveNoFixedTree) {
  for (const char* op : {"RepeatReduceSum", "TROWPROD"}) {
    for (const std::size_t n : {2, 3, 5, 17, 64}) {
      std::minstd_rand random(7);
      const Model model(
          op, DType::kFloat,
          {.tree =
               [&](std::size_t leaves) {
                 return test::RandomTree(leaves,
                                         static_cast<unsigned>(random()));
               },
           .last =
               [&](double) { return static_cast<double>(random() % 1000); }});
      ProbeRunner runner(model, nullptr);
      Prober prober(runner, FoldOf(op, DType::kFloat));
      EXPECT_EQ(FindOrder(prober, n).kind, FoundOrder::Kind::kNotATree) << n;
    }
  }
}

TEST(Characterise, ChangingTreeIsNoFixedTree) {
  for (const char* op : {"RepeatReduceSum", "TROWPROD"}) {
    for (const std::size_t n : {5, 17, 64}) {
      std::minstd_rand random(7);
      const Model model(op, DType::kFloat, {.tree = [&](std::size_t leaves) {
                          return test::RandomTree(
                              leaves, static_cast<unsigned>(random()));
                        }});
      ProbeRunner runner(model, nullptr);
      Prober prober(runner, FoldOf(op, DType::kFloat));
      EXPECT_EQ(FindOrder(prober, n).kind, FoundOrder::Kind::kNotATree) << n;
    }
  }
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
  const Answering tolerant([&](const Case& c) -> Answering::Result {
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
  const Answering counting([](const Case& c) -> Answering::Result {
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
