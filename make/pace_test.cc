#include "diff/pace.h"

#include <gtest/gtest.h>

#include "case/record_sum.h"
#include "diff/targets/find_target.h"
#include "make/generate/generate.h"
#include "make/random.h"

namespace lanediff::make {
namespace {

TEST(PaceKeeper, CountsWhatItComparesAndEveryTimeOnce) {
  diff::PaceKeeper keeper(**diff::FindTarget("emulator"),
                          **diff::FindTarget("oracle"));
  Random random(7);
  std::uint64_t legal = 0;
  constexpr std::uint64_t kCases = 200;
  for (std::uint64_t i = 0; i < kCases; ++i) {
    legal += !keeper.Compare(Generate("program", random).c).rejected;
  }
  const diff::Pace& pace = keeper.pace();
  EXPECT_EQ(pace.legal.cases, legal);
  EXPECT_EQ(pace.illegal.cases, kCases - legal);
  for (const diff::PacePart& part : {pace.legal, pace.illegal}) {
    EXPECT_GT(part.cases, 0);
    EXPECT_GT(part.target_seconds, 0);
    EXPECT_GT(part.reference_seconds, 0);
    EXPECT_GE(part.seconds, part.target_seconds + part.reference_seconds);
  }
}

/// Sessions that note for how many steps room was to be made.
class NotesRoom final : public diff::StepwiseTarget {
 public:
  std::string_view name() const override { return "notes-room"; }
  std::string_view description() const override { return ""; }
  std::unique_ptr<diff::Session> Open(isa::Profile,
                                      isa::Memories) const override {
    return std::make_unique<NotesRoomSession>(steps);
  }
  mutable std::size_t steps = 0;

 private:
  struct NotesRoomSession final : diff::Session {
    explicit NotesRoomSession(std::size_t& s) : steps(s) {}
    void MakeRoomFor(std::size_t count) override { steps = count; }
    isa::StepResult Execute(const isa::Step&) override { return {}; }
    std::size_t& steps;
  };
};

TEST(PaceKeeper, PassesOnHowManyStepsThereAre) {
  const NotesRoom target;
  diff::PaceKeeper keeper(target, **diff::FindTarget("oracle"));
  Random random(7);
  const Case c = Generate("program", random).c;
  keeper.Compare(c);
  EXPECT_EQ(target.steps, c.program.size());
}

TEST(PaceKeeper, AddsWhatWasBefore) {
  diff::PaceKeeper keeper(**diff::FindTarget("emulator"),
                          **diff::FindTarget("oracle"));
  Random random(7);
  const Case c = Generate("min", random).c;
  keeper.Compare(c, {},
                 diff::PaceKeeper::Clock::now() - std::chrono::seconds(5));
  diff::Pace pace = keeper.pace();
  EXPECT_GT(pace.legal.seconds + pace.illegal.seconds, 5);
  AddNumbers(keeper.pace(), pace);
  EXPECT_EQ(pace.legal.cases + pace.illegal.cases, 2);
}

}  // namespace
}  // namespace lanediff::make
