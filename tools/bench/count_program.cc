// Does one part of the work on some cases, for a tool that counts instructions
// (tools/scripts/count-instructions):
//
//   lanediff-count emulator|oracle|compare TARGET CASE...
//
// Everything is done twice, so that what is counted, the second time, finds its
// memories and tables ready. Status 2: wrong usage, or no case.

#include <fmt/format.h>

#include <cstdio>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "differential/compare/compare.h"
#include "differential/memory/memory_set.h"
#include "differential/targets/find_target.h"
#include "differential/targets/target.h"
#include "differential/testcase/case_reader.h"

using lanediff::Case;
using lanediff::diff::MemorySet;
using lanediff::diff::Session;
using lanediff::diff::StepwiseTarget;

namespace {

/// A case that only has to be run.
struct Ready {
  const Case* c;
  std::unique_ptr<MemorySet> memory;
  std::unique_ptr<Session> session;
};

std::vector<Ready> MakeReady(const std::vector<Case>& cases,
                             const StepwiseTarget& target) {
  std::vector<Ready> all;
  for (const Case& c : cases) {
    auto memory = std::make_unique<MemorySet>(c);
    auto session = target.Open(c.profile(), memory->view());
    session->MakeSpaceFor(c.program.size());
    all.push_back({&c, std::move(memory), std::move(session)});
  }
  return all;
}

}  // namespace

// What is counted goes by these names; nothing may be put into their callers.
extern "C" {

__attribute__((noinline)) void lanediff_counted_runs(std::vector<Ready>& all) {
  for (Ready& ready : all) {
    for (const auto& step : ready.c->program) {
      const auto result = ready.session->Execute(step);
      if (result.status != lanediff::isa::StepResult::Status::kExecuted) break;
    }
  }
}

__attribute__((noinline)) std::size_t lanediff_counted_comparisons(
    const std::vector<Case>& cases, const StepwiseTarget& target,
    const StepwiseTarget& reference) {
  std::size_t findings = 0;
  for (const Case& c : cases) {
    findings +=
        lanediff::diff::CompareCase(c, target, reference).findings.size();
  }
  return findings;
}

}  // extern "C"

namespace {

int Fail(const std::string& message) {
  fmt::print(stderr, "lanediff-count: {}\n", message);
  return 2;
}

/// The second of two, as above.
std::size_t CompareAll(const std::vector<Case>& cases,
                       const StepwiseTarget& target,
                       const StepwiseTarget& reference) {
  for (const Case& c : cases) {
    lanediff::diff::CompareCase(c, target, reference);
  }
  return lanediff_counted_comparisons(cases, target, reference);
}

void RunAll(const std::vector<Case>& cases, const StepwiseTarget& target) {
  for (Ready& ready : MakeReady(cases, target)) {
    for (const auto& step : ready.c->program) ready.session->Execute(step);
  }
  auto all = MakeReady(cases, target);
  lanediff_counted_runs(all);
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 4) return Fail("usage: emulator|oracle|compare TARGET CASE...");
  const std::string_view part = argv[1];
  const auto target = lanediff::diff::FindStepwiseTarget(argv[2]);
  if (!target) return Fail(target.error());
  const StepwiseTarget& oracle = **lanediff::diff::FindStepwiseTarget("oracle");
  std::vector<Case> cases;
  for (int i = 3; i < argc; ++i) {
    auto c = lanediff::ReadCaseFile(argv[i]);
    if (!c) return Fail(c.error());
    cases.push_back(std::move(*c));
  }
  if (part == "compare") {
    if (CompareAll(cases, **target, oracle) != 0) {
      return Fail("the cases must agree");
    }
  } else if (part == "emulator" || part == "oracle") {
    RunAll(cases, part == "oracle" ? oracle : **target);
  } else {
    return Fail(fmt::format(
        "\"{}\" is no part; emulator, oracle and compare are", part));
  }
  return 0;
}
