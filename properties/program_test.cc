#include "diff/generate/program.h"

#include <fmt/format.h>

#include <cstdint>
#include <string>
#include <variant>
#include <vector>

#include "diff/case_reader.h"
#include "diff/case_writer.h"
#include "diff/fuzz_input.h"
#include "diff/generate/random.h"
#include "diff/memory_set.h"
#include "diff/target.h"
#include "properties/law.h"
#include "properties/support.h"

/// Laws of programs, whatever their steps are.
namespace lanediff::properties {
namespace {

diff::Case DrawGenerated() {
  diff::Random random(DrawWord("seed"));
  return diff::GenerateProgram(random);
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
  diff::Case c = DrawGenerated();
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

/// `c` without its long regions, whose text is slow.
diff::Case Slim(diff::Case c) {
  for (auto& image : c.memory) {
    if (!image) continue;
    std::erase_if(image->regions, [](const diff::Region& region) {
      return region.bytes.size() > 1024U;
    });
  }
  return c;
}

// A generated step may hold leftovers in the fields of forms that it doesn't
// have. Neither encoding keeps those, so each is judged by the other one.

Verdict FuzzInputKeepsCase() {
  diff::Case c = DrawGenerated();
  const auto encoded = diff::EncodeFuzzInput(c);
  if (!encoded) return {.broken = encoded.error(), .witness = c};
  diff::Case decoded = diff::DecodeFuzzInput(*encoded);
  decoded.id = c.id;  // of all that is not encoded only the id is set
  if (decoded.memory == c.memory &&
      diff::WriteCase(Slim(decoded)) == diff::WriteCase(Slim(c))) {
    return {};
  }
  return {.broken = "another case comes back", .witness = c};
}

Verdict CaseFileKeepsCase() {
  diff::Case c = Slim(DrawGenerated());
  c.note = "\"quoted\" \\ \n 说明";
  const std::string text = diff::WriteCase(c);
  const auto read = diff::ReadCase(text);
  if (!read) return {.broken = "it can't be read back", .witness = c};
  if (read->note != c.note ||
      diff::EncodeFuzzInput(*read) != diff::EncodeFuzzInput(c)) {
    return {.broken = "another case comes back", .witness = c};
  }
  if (diff::WriteCase(*read) == text) return {};
  return {.broken = "a second file differs from the first", .witness = c};
}

void Check(std::string_view name, Verdict (*law)()) {
  CheckLaw("program", name, law);
}

TEST(ProgramLaws, ProgramIsItsSteps) {
  Check("program-is-its-steps", ProgramIsItsSteps);
}
TEST(ProgramLaws, EmulatorAgreesWithOracle) {
  Check("emulator-agrees-with-oracle", EmulatorAgreesWithOracle);
}
TEST(ProgramLaws, FuzzInputKeepsCase) {
  Check("fuzz-input-keeps-case", FuzzInputKeepsCase);
}
TEST(ProgramLaws, CaseFileKeepsCase) {
  Check("case-file-keeps-case", CaseFileKeepsCase);
}

}  // namespace
}  // namespace lanediff::properties
