#include "differential/targets/pace.h"

#include <gtest/gtest.h>

#include "differential/compare/testing.h"
#include "differential/testcase/record_join.h"
#include "generators/random.h"
#include "generators/random/generate.h"

namespace lanediff::make {
namespace {

TEST(PaceMeter, CountsWhatItComparesAndEveryTimeOnce) {
  diff::PaceMeter supervisor(diff::Emulator(), diff::Oracle());
  Random random(7);
  std::uint64_t legal = 0;
  constexpr std::uint64_t kCases = 200;
  for (std::uint64_t i = 0; i < kCases; ++i) {
    legal += !supervisor.Compare(Generate("program", random).c).rejected;
  }
  const diff::Pace& pace = supervisor.pace();
  EXPECT_EQ(pace.legal.cases, legal);
  EXPECT_EQ(pace.illegal.cases, kCases - legal);
  for (const diff::PacePart& part : {pace.legal, pace.illegal}) {
    EXPECT_GT(part.cases, 0);
    EXPECT_GT(part.target_seconds, 0);
    EXPECT_GT(part.reference_seconds, 0);
    EXPECT_GE(part.seconds, part.target_seconds + part.reference_seconds);
  }
}

/// Sessions that note for how many steps space was to be made.
class NotesSpace final : public diff::NamedTarget<diff::StepwiseTarget> {
 public:
  using NamedTarget::NamedTarget;
  std::unique_ptr<diff::Session> Open(isa::Profile,
                                      isa::Memories) const override {
    return std::make_unique<NotesSpaceSession>(steps);
  }
  mutable std::size_t steps = 0;

 private:
  struct NotesSpaceSession final : diff::Session {
    explicit NotesSpaceSession(std::size_t& s) : steps(s) {}
    void MakeSpaceFor(std::size_t count) override { steps = count; }
    isa::StepResult Execute(const isa::Step&) override { return {}; }
    std::size_t& steps;
  };
};

TEST(PaceMeter, PassesOnHowManyStepsThereAre) {
  const NotesSpace target("notes-space");
  diff::PaceMeter supervisor(target, diff::Oracle());
  Random random(7);
  const Case c = Generate("program", random).c;
  supervisor.Compare(c);
  EXPECT_EQ(target.steps, c.program.size());
}

TEST(PaceMeter, AddsWhatWasBefore) {
  diff::PaceMeter supervisor(diff::Emulator(), diff::Oracle());
  Random random(7);
  const Case c = Generate("min", random).c;
  supervisor.Compare(c, {},
                     diff::PaceMeter::Clock::now() - std::chrono::seconds(5));
  diff::Pace pace = supervisor.pace();
  EXPECT_GT(pace.legal.seconds + pace.illegal.seconds, 5);
  JoinInto(supervisor.pace(), pace);
  EXPECT_EQ(pace.legal.cases + pace.illegal.cases, 2);
}

}  // namespace
}  // namespace lanediff::make
