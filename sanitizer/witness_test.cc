// Every reject rule has a witness: where it is broken, what was found there and
// what is needed.

#include "sanitizer/witness.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "generators/boundary/sweep.h"
#include "isa/catalogue.h"
#include "sanitizer/diagnostics.h"
#include "sanitizer/lint.h"

namespace lanediff::lint {
namespace {

using Ids = std::set<std::string_view>;

/// The reject rules of a slug of the sweep: of its instruction or, of
/// "program", those that no instruction owns.
Ids RejectRules(std::string_view slug) {
  const isa::Instruction* const instruction = isa::FindInstruction(slug);
  Ids ids;
  for (const isa::Rule& rule : isa::Catalogue()) {
    const isa::Instruction* const owner =
        isa::FindInstruction(rule.instruction);
    if (rule.effect != isa::Effect::kReject || owner != instruction ||
        isa::IsOfLint(rule)) {
      continue;
    }
    ids.insert(rule.id.text());
  }
  return ids;
}

/// The rejected step breaks a rule that is still in `wanted`, alone.
void Look(const Case& c, const std::string& what, Ids& wanted) {
  const Verdict verdict = Lint(c);
  if (!verdict.rejected || verdict.rejected->rules.size() != 1) return;
  const std::string_view id = verdict.rejected->rules.begin()->text();
  if (wanted.erase(id) == 0) return;
  const std::vector<Diagnosis> diagnoses = Diagnose(c, verdict, {.repairs = 0});
  ASSERT_FALSE(diagnoses.empty()) << what;
  ASSERT_FALSE(diagnoses[0].witnesses.empty()) << id << " in " << what;
  for (const Witness& witness : diagnoses[0].witnesses) {
    EXPECT_EQ(witness.rule.text(), id) << what;
    EXPECT_FALSE(witness.statement.empty()) << what;
    EXPECT_FALSE(witness.operand.empty() && witness.field.empty())
        << id << " in " << what;
    EXPECT_FALSE(witness.found.empty()) << what;
    EXPECT_FALSE(witness.needed.empty()) << what;
    EXPECT_EQ(witness.needed.find("no value of it alone"), std::string::npos)
        << id << " in " << what << ": " << witness.text();
    if (isa::StageOf(witness.rule) != isa::Stage::kParameters) {
      EXPECT_TRUE(witness.bytes || witness.field.ends_with(".bytes"))
          << id << " in " << what << ": " << witness.text();
    }
  }
}

class WitnessOf : public testing::TestWithParam<std::string_view> {};

TEST_P(WitnessOf, EveryRejectRule) {
  Ids wanted = RejectRules(GetParam());
  EXPECT_FALSE(wanted.empty());
  make::ForEachSweepCase(
      GetParam(), [](std::uint64_t) { return true; },
      [&](make::SweepCase&& swept) {
        if (swept.rule && wanted.contains(swept.rule->text())) {
          Look(swept.c, swept.c.id + " " + swept.what, wanted);
        }
        return !wanted.empty();
      });
  for (std::string_view id : wanted) ADD_FAILURE() << id << " has no case";
}

INSTANTIATE_TEST_SUITE_P(Modules, WitnessOf,
                         testing::ValuesIn(make::SweepModules().begin(),
                                           make::SweepModules().end()));

TEST(Witness, ModulesOfTheSweepHaveAllRejectRules) {
  std::size_t all = 0;
  for (std::string_view slug : make::SweepModules()) {
    all += RejectRules(slug).size();
  }
  EXPECT_EQ(all, static_cast<std::size_t>(std::ranges::count_if(
                     isa::Catalogue(), [](const isa::Rule& rule) {
                       return rule.effect == isa::Effect::kReject &&
                              !isa::IsOfLint(rule);
                     })));
}

}  // namespace
}  // namespace lanediff::lint
