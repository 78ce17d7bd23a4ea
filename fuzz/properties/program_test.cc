#include <fmt/format.h>

#include <concepts>
#include <cstdint>
#include <set>
#include <string>
#include <variant>
#include <vector>

#include "differential/memory/memory_set.h"
#include "differential/targets/target.h"
#include "differential/targets/target_kind.h"
#include "fuzz/properties/law.h"
#include "fuzz/properties/support.h"
#include "generators/random.h"
#include "generators/random/generate.h"

/// Laws of programs, whatever their steps are.
namespace lanediff::properties {
namespace {

Case DrawGenerated() {
  make::Random random(DrawWord("seed"));
  return GeneratedCase("program", random);
}

/// Whether a step meets and leaves no state but memory, apart from barriers.
bool IsStateless(const isa::Step& step) {
  return std::visit(
      []<class S>(const S& s) {
        if constexpr (requires { s.is_set_mask; }) return s.is_set_mask;
        return isa::Intrinsic<S> || std::same_as<S, isa::PipeBarrier>;
      },
      step);
}

/// Runs the steps up to the first that is not executed; each in a session of
/// its own or all in one.
Verdict ProgramIsItsSteps() {
  Case c = DrawGenerated();
  std::vector<isa::Step> steps;
  for (const isa::Step& step : c.program) {
    if (!IsStateless(step)) continue;
    steps.push_back(step);
    // What a copy leaves under way is state, too.
    steps.emplace_back(isa::PipeBarrier{isa::Pipe::kAll});
  }
  c.program = steps;
  for (const diff::Target* target : diff::ListedTargets()) {
    diff::MemorySet together(c);
    diff::MemorySet apart(c);
    const diff::StepwiseTarget& steps_of = diff::StepsOf(*target);
    const auto session = steps_of.Open(c.profile(), together.view());
    for (std::size_t i = 0; i < steps.size(); ++i) {
      const isa::StepResult a = session->Execute(steps[i]);
      const isa::StepResult b =
          steps_of.Open(c.profile(), apart.view())->Execute(steps[i]);
      if (a != b || together != apart) {
        return {.broken = fmt::format("{}: step {} differs when run alone",
                                      target->name(), i),
                .witness = c};
      }
      if (a.status != isa::StepResult::Status::kExecuted) break;
    }
  }
  return {};
}

Verdict EmulatorAgreesWithOracle() { return Agreed(DrawGenerated()); }

void Check(std::string_view name, Verdict (*law)()) {
  CheckLaw("program", name, law);
}

TEST(ProgramLaws, ProgramIsItsSteps) {
  Check("program-is-its-steps", ProgramIsItsSteps);
}
TEST(ProgramLaws, EmulatorAgreesWithOracle) {
  Check("emulator-agrees-with-oracle", EmulatorAgreesWithOracle);
}

/// A mutation test runs the suite of an instruction's name, and a suite without
/// tests passes.
TEST(EveryInstruction, HasLaws) {
  const testing::UnitTest& all = *testing::UnitTest::GetInstance();
  std::set<std::string> suites;
  for (int i = 0; i < all.total_test_suite_count(); ++i) {
    suites.insert(all.GetTestSuite(i)->name());
  }
  isa::ForEachIntrinsic([&]<class Call>() {
    EXPECT_TRUE(suites.contains(SuiteOf(Call::kSlug))) << Call::kSlug;
  });
}

}  // namespace
}  // namespace lanediff::properties
