#include <fmt/format.h>

#include <cstdint>
#include <string>
#include <variant>
#include <vector>

#include "diff/memory/memory_set.h"
#include "diff/target.h"
#include "diff/targets/find_target.h"
#include "make/generate/generate.h"
#include "make/random.h"
#include "properties/law.h"
#include "properties/support.h"

/// Laws of programs, whatever their steps are.
namespace lanediff::properties {
namespace {

Case DrawGenerated() {
  make::Random random(DrawWord("seed"));
  return make::Generate("program", random).c;
}

/// Whether a step meets and leaves no state but memory, apart from barriers.
bool IsStateless(const isa::Step& step) {
  if (std::holds_alternative<isa::SetVectorMask>(step)) return false;
  if (std::holds_alternative<isa::SetSaturation>(step)) return false;
  if (const auto* sum = std::get_if<isa::RepeatReduceSum>(&step)) {
    return sum->is_set_mask;
  }
  if (const auto* min = std::get_if<isa::Min>(&step)) return min->is_set_mask;
  return true;
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
  for (const diff::Target* target : diff::BuiltInTargets()) {
    diff::MemorySet together(c);
    diff::MemorySet apart(c);
    const auto session = target->Open(c.product, together.view());
    for (std::size_t i = 0; i < steps.size(); ++i) {
      const isa::StepResult a = session->Execute(steps[i]);
      const isa::StepResult b =
          target->Open(c.product, apart.view())->Execute(steps[i]);
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

}  // namespace
}  // namespace lanediff::properties
