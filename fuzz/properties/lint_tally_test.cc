#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cstddef>
#include <map>
#include <string>
#include <string_view>

#include "generators/random.h"
#include "generators/random/sync.h"
#include "isa/catalogue.h"
#include "oracle/operations.h"
#include "sanitizer/lint.h"

/// What synchronized programs are worth to a judge of hazards.
namespace lanediff::properties {
namespace {

constexpr int kPrograms = 6000;

/// How many programs have each property: by rule, and in words.
std::map<std::string, int> Tally() {
  std::map<std::string, int> programs;
  for (const isa::Rule& rule : isa::Catalogue()) {
    const bool of_kernels =
        rule.id == isa::sync::kInitOutput || rule.id == isa::state::kMaskDrift;
    if (rule.effect == isa::Effect::kHazard && !of_kernels) {
      programs[std::string(rule.id.text())] = 0;
    }
  }
  for (const char* word : {"clean", "clean with flags", "propagated",
                           "rejected", "after a rejected step", "unsupported",
                           "fix by flag", "fix by barrier"}) {
    programs[word] = 0;
  }
  for (const std::string_view product : isa::Words<isa::Product>::kSpelling) {
    programs["on " + std::string(product)] = 0;
  }
  for (const char* pipe : {"V", "S", "MTE1", "MTE2", "MTE3", "FIX"}) {
    programs[std::string("on pipe ") + pipe] = 0;
  }
  isa::ForEachIntrinsic(
      [&]<class Call>() { programs["with " + std::string(Call::kOp)] = 0; });
  make::Random random(7);
  for (int i = 0; i < kPrograms; ++i) {
    const Case c = make::SynchronizedProgram(random);
    const lint::Verdict verdict = lint::Lint(c);
    std::map<std::string, bool> found;
    found["on " + std::string(isa::Name(c.product))] = true;
    for (const isa::Step& step : c.program) {
      found["with " + std::string(isa::OpName(step))] = true;
      const auto pipe = oracle::PipeOfStep(step, c.product);
      if (pipe) found["on pipe " + std::string(isa::Name(*pipe))] = true;
    }
    for (const lint::Hazard& hazard : verdict.hazards) {
      found[std::string(hazard.rule.text())] = true;
      const bool is_read = hazard.rule == isa::sync::kInitRead;
      found["propagated"] |= is_read && hazard.earlier;
      if (!hazard.bytes || is_read) continue;
      found["fix by flag"] |= hazard.fix.size() == 2;
      found["fix by barrier"] |= hazard.fix.size() == 1;
    }
    found["clean"] = verdict.clean() && !verdict.unsupported;
    found["clean with flags"] = found["clean"] && verdict.synchronizing > 0;
    found["rejected"] = verdict.rejected.has_value();
    found["after a rejected step"] =
        verdict.after && !verdict.after->hazards.empty();
    found["unsupported"] = verdict.unsupported.has_value();
    for (const auto& [what, is_so] : found) programs[what] += is_so;
  }
  return programs;
}

TEST(SynchronizedPrograms, HaveEveryHazard) {
  for (const auto& [what, programs] : Tally()) {
    fmt::print("{:>6} of {} programs: {}\n", programs, kPrograms, what);
    EXPECT_GE(programs, kPrograms / 1000) << what;
  }
}

}  // namespace
}  // namespace lanediff::properties
