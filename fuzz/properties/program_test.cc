#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <variant>

#include "differential/compare/check.h"
#include "differential/memory/memory_set.h"
#include "differential/targets/find_target.h"
#include "differential/targets/target_kind.h"
#include "differential/testcase/case_reader.h"
#include "differential/testcase/case_writer.h"
#include "differential/testcase/fuzz_input.h"
#include "fuzz/properties/law.h"
#include "isa/memory_map.h"

/// Laws of programs, whatever their steps are.
namespace lanediff::properties {
namespace {

/// Of any kind, legal or not.
Case DrawGenerated(std::string_view slug = "program") {
  make::Random random(DrawWord("seed"));
  return GeneratedCase(slug, random);
}

/// Whether a step meets and leaves no state but memory, apart from barriers.
bool IsStateless(const isa::Step& step) {
  const auto* const call = std::get_if<isa::Call>(&step);
  return call != nullptr ? call->is_set_mask
                         : std::holds_alternative<isa::PipeBarrier>(step);
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

bool GiveAgreement(std::string_view slug) {
  return GiveLaws(slug, {{"EmulatorAgreesWithOracle",
                          [=] { return Agreed(DrawGenerated(slug)); }}});
}

bool GiveProgramLaws() {
  for (const isa::Call& kind : isa::CallKinds()) {
    GiveAgreement(kind.signature->slug);
  }
  return GiveLaws("program", {{"ProgramIsItsSteps", ProgramIsItsSteps}}) &&
         GiveAgreement("program");
}

[[maybe_unused]] const bool kGiven = GiveProgramLaws();

// ---- What is written of a case and read again is the same case --------------

/// Longer than what either format writes as a run, and shorter.
constexpr std::int64_t kLongestRun = 20;
/// The text of more takes long and shows nothing new.
constexpr std::size_t kMostRegionBytes = 4096;

/// Makes the elements from `first` on equal, `length` of them at most: random
/// data has no runs, and both formats treat them apart.
void MakeRun(Region& region, std::size_t first, std::size_t length) {
  const std::size_t element =
      region.dtype ? static_cast<std::size_t>(isa::SizeBytes(*region.dtype))
                   : 1;
  const std::size_t begin = first * element;
  const std::size_t end =
      std::min(begin + length * element, region.bytes.size());
  for (std::size_t i = begin + element; i < end; ++i) {
    region.bytes[i] = region.bytes[i - element];
  }
}

std::size_t RegionBytes(const Case& c) {
  std::size_t bytes = 0;
  for (const auto& image : c.memory) {
    if (!image) continue;
    for (const Region& region : image->regions) {
      bytes += region.bytes.size();
    }
  }
  return bytes;
}

/// A program of any kind, legal or not, that is soon written out.
Case DrawCase() {
  Case c = DrawGenerated();
  RC_PRE(RegionBytes(c) <= kMostRegionBytes);
  const auto first = Draw<std::size_t>("run at element", 0, 100);
  const auto length = Draw<std::size_t>("run length", 1, kLongestRun);
  for (auto& image : c.memory) {
    if (!image) continue;
    for (Region& region : image->regions) {
      MakeRun(region, first, length);
    }
  }
  return c;
}

Verdict FuzzInputKeepsCase() {
  const Case c = DrawCase();
  const auto encoded = EncodeFuzzInput(c);
  if (!encoded) return {.broken = encoded.error(), .witness = c};
  Case decoded = DecodeFuzzInput(*encoded);
  decoded.id = c.id;  // of all that is not encoded only the id is set
  if (decoded == c) return {};
  return {.broken = "another case comes back", .witness = c};
}

Verdict CaseFileKeepsCase() {
  Case c = DrawCase();
  c.note = "\"quoted\" \\ \n 说明";
  c.expect =
      diff::ToExpectation((*diff::FindTarget("oracle").value()).Run(c).value());
  const std::string text = WriteCase(c);
  const auto read = ReadCase(text);
  if (!read) return {.broken = "it can't be read back", .witness = c};
  if (*read != c) return {.broken = "another case comes back", .witness = c};
  if (WriteCase(*read) == text) return {};
  return {.broken = "a second file differs from the first", .witness = c};
}

[[maybe_unused]] const bool kRoundTripGiven =
    GiveLaws("RoundTripLaws", "case",
             {{"FuzzInputKeepsCase", FuzzInputKeepsCase},
              {"CaseFileKeepsCase", CaseFileKeepsCase}});

/// A mutation test runs the suite of an instruction's name, and a suite without
/// tests passes.
TEST(EveryInstruction, HasLaws) {
  const testing::UnitTest& all = *testing::UnitTest::GetInstance();
  std::set<std::string> suites;
  for (int i = 0; i < all.total_test_suite_count(); ++i) {
    suites.insert(all.GetTestSuite(i)->name());
  }
  for (const isa::Call& kind : isa::CallKinds()) {
    const std::string_view slug = kind.signature->slug;
    EXPECT_TRUE(suites.contains(SuiteOf(slug))) << slug;
  }
}

}  // namespace
}  // namespace lanediff::properties
