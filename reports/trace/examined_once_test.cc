// A page of an examined case does not examine it again.

#include <gtest/gtest.h>

#include <memory>

#include "differential/compare/examine.h"
#include "differential/targets/find_target.h"
#include "reports/trace/case_view.h"

namespace lanediff::view {
namespace {

/// Counts how often a whole case and single steps are requested.
class Counted : public diff::TargetAround {
 public:
  using TargetAround::TargetAround;

  std::expected<Outcome, diff::NoOutcome> Run(const Case& c) const override {
    ++runs;
    return TargetAround::Run(c);
  }
  std::unique_ptr<diff::Session> Open(isa::Profile profile,
                                      isa::Memories memories) const override {
    ++opened;
    return inner_steps().Open(profile, memories);
  }

  mutable int runs = 0;
  mutable int opened = 0;
};

TEST(ExaminedOnce, APageTakesTheTargetThroughItsStepsOnce) {
  const Counted target(**diff::FindTarget("emulator"));
  const Counted reference(**diff::FindTarget("oracle"));
  Case c;
  c.program.emplace_back(isa::PipeBarrier{});
  const diff::Examination examined = diff::Examine(c, target, reference);
  EXPECT_GT(target.runs + target.opened, 1);
  const int reference_asked = reference.runs + reference.opened;
  EXPECT_GT(reference_asked, 0);
  target.runs = target.opened = 0;
  const CaseView view = ViewCase(c, target, examined);
  EXPECT_EQ(view.steps.size(), 1u);
  EXPECT_EQ(target.runs, 0);
  EXPECT_EQ(target.opened, 1);
  EXPECT_EQ(reference.runs + reference.opened, reference_asked);
}

}  // namespace
}  // namespace lanediff::view
