// What a rule rests on in the corpus. A case is evidence of a rule if it
// fails when the rule's effect is gone, whatever its tags state: the verdict or
// the note taken away, or a mutant that breaks the rule.

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <map>
#include <nlohmann/json.hpp>
#include <set>
#include <string>
#include <vector>

#include "differential/compare/check.h"
#include "differential/compare/signature.h"
#include "differential/memory/memory_set.h"
#include "differential/targets/find_target.h"
#include "differential/targets/target.h"
#include "differential/testcase/case_writer.h"
#include "differential/testcase/testing.h"
#include "emulator/mutants/mutant.h"
#include "isa/catalogue.h"
#include "oracle/testing.h"

namespace lanediff::diff {
namespace {

using Status = Outcome::Status;

bool Objects(const Case& c, const Outcome& outcome) {
  return CompareWithExpectation(c, outcome, "").has_value();
}

/// `outcome` as it were without `rule`: a call that it alone rejects is
/// executed, its note is not given.
Outcome Without(isa::RuleId rule, Outcome outcome) {
  std::erase(*outcome.notes, rule);
  if (outcome.rules == std::vector{rule}) {
    outcome.rules.reset();
    outcome.status = Status::kExecuted;
    outcome.step = 0;
  }
  return outcome;
}

/// Ids of the cases that object when a rule's effect is taken away, by rule.
std::map<isa::RuleId, std::set<std::string>> TakenAway() {
  std::map<isa::RuleId, std::set<std::string>> found;
  const Target& oracle = **FindTarget("oracle");
  for (const Case& c : Corpus()) {
    const Outcome whole = oracle.Run(c).value();
    EXPECT_FALSE(Objects(c, whole)) << c.id;
    for (const isa::Rule& rule : isa::Catalogue()) {
      const Outcome lacking = Without(rule.id, whole);
      if (lacking != whole && Objects(c, lacking)) found[rule.id].insert(c.id);
    }
  }
  return found;
}

/// Whether a step of `c` is in the instruction of a mutant; a step that sets
/// state has no instruction.
bool Concerns(const Case& c, std::string_view slug) {
  if (slug == mutants::kProgramSlug) return true;
  return std::ranges::any_of(
      c.program, [&](const isa::Step& step) { return SlugOf(step) == slug; });
}

TEST(Evidence, ACaseObjectsWhenTheVerdictOrTheNoteIsTakenAway) {
  const auto found = TakenAway();
  for (const isa::Rule& rule : isa::Catalogue()) {
    if (rule.effect == isa::Effect::kSemantics) continue;
    if (isa::IsOfLint(rule)) continue;
    EXPECT_TRUE(found.contains(rule.id)) << rule.id.text();
  }
}

/// The rules of products and types that `target` finds broken by a call of
/// nothing.
isa::RuleSet BrokenLimits(const StepwiseTarget& target, const isa::Call& call,
                          isa::Profile profile) {
  Case c;
  c.product = profile.product;
  c.edition = profile.edition;
  c.memory[isa::Memory::kUb] = MemoryImage();
  MemorySet memory(c);
  return target.Open(profile, memory.view())->Execute(call).rules;
}

TEST(Evidence, ProductsAndTypesOfRowsAreThoseOfBothSides) {
  int accepted = 0;
  for (const isa::Signature& row : isa::kSignatures) {
    const bool by_type =
        row.family == isa::Family::kLanewise || row.Has(isa::Param::kIsPad);
    if (!by_type) continue;
    const isa::Instruction& stated = *isa::FindInstruction(row.op);
    for (const isa::Product product : oracle::test::All<isa::Product>()) {
      for (const isa::Edition edition : oracle::test::All<isa::Edition>()) {
        for (const isa::DType dtype : oracle::test::All<isa::DType>()) {
          SCOPED_TRACE(fmt::format("{} {} {} {}", row.op, isa::Name(product),
                                   isa::Name(edition), isa::Name(dtype)));
          isa::Call call = isa::CallOf(row.op);
          call.dtype = dtype;
          const isa::Profile profile{product, edition};
          const auto expect = [&](bool has_type) {
            const bool has = stated.Has(profile);
            accepted += has && has_type;
            for (const char* const name : {"emulator", "oracle"}) {
              const isa::RuleSet broken =
                  BrokenLimits(**FindStepwiseTarget(name), call, profile);
              EXPECT_EQ(broken.Contains(row.Rule(isa::CallRule::kProduct)),
                        !has)
                  << name;
              EXPECT_EQ(broken.Contains(row.Rule(isa::CallRule::kDtype)),
                        has && !has_type)
                  << name;
            }
          };
          if (!row.Converts()) {
            expect(stated.Has(profile, dtype));
            continue;
          }
          for (const isa::DType to : oracle::test::All<isa::DType>()) {
            SCOPED_TRACE(isa::Name(to));
            call.dst().dtype = to;
            const auto* const pair = stated.Find(product, dtype, to);
            expect(pair != nullptr);
            if (pair == nullptr || !row.Has(isa::Param::kRoundMode)) continue;
            for (const auto mode : oracle::test::All<isa::RoundMode>()) {
              call.round_mode = mode;
              const bool refused = stated.Has(profile) &&
                                   std::ranges::count(pair->modes, mode) == 0;
              for (const char* const name : {"emulator", "oracle"}) {
                EXPECT_EQ(
                    BrokenLimits(**FindStepwiseTarget(name), call, profile)
                        .Contains(row.Rule(isa::CallRule::kRoundMode)),
                    refused)
                    << name << " " << isa::Name(mode);
              }
            }
          }
        }
      }
    }
  }
  EXPECT_GT(accepted, 0);
}

TEST(Evidence, ACaseObjectsToAMutantOfEachRuleThatHasOne) {
  std::set<isa::RuleId> planted;
  std::set<isa::RuleId> found;
  for (const mutants::Mutant& mutant : mutants::Mutants()) {
    planted.insert(mutant.rule);
    if (found.contains(mutant.rule)) continue;
    const Target& target = **FindTarget("mutant:" + std::string(mutant.name));
    for (const Case& c : Corpus()) {
      if (Concerns(c, mutant.slug) && Objects(c, target.Run(c).value())) {
        found.insert(mutant.rule);
        break;
      }
    }
  }
  for (isa::RuleId rule : planted) {
    EXPECT_TRUE(found.contains(rule)) << rule.text();
  }
  for (const isa::Rule& rule : isa::Catalogue()) {
    if (rule.effect == isa::Effect::kSemantics && !isa::IsOfLint(rule)) {
      EXPECT_TRUE(planted.contains(rule.id)) << rule.id.text();
    }
  }
}

/// A step that one side of a boundary is about, with the case's product.
struct Call {
  nlohmann::json fields;  ///< by JSON pointer
  std::string op;
};

Call CallOf(const nlohmann::json& document, std::size_t step) {
  const nlohmann::json& written = document.at("program").at(step);
  Call call{.fields = written.flatten(), .op = written.at("op")};
  call.fields["/product"] = document.at("product");
  return call;
}

std::size_t FieldsApart(const Call& a, const Call& b) {
  std::size_t apart = 0;
  for (const auto& [name, value] : a.fields.items()) {
    apart += !b.fields.contains(name) || b.fields.at(name) != value ? 1 : 0;
  }
  for (const auto& [name, value] : b.fields.items()) {
    apart += a.fields.contains(name) ? 0 : 1;
  }
  return apart;
}

/// Calls that are executed, and those that one rule alone rejects, by rule.
struct Verdicts {
  std::vector<Call> accepted;
  std::map<isa::RuleId, std::vector<Call>> rejected;
};

Verdicts AllVerdicts() {
  Verdicts verdicts;
  for (const Case& c : Corpus()) {
    if (!c.expect) continue;
    const auto document = nlohmann::json::parse(WriteCase(c));
    const std::size_t executed =
        c.expect->rejected ? c.expect->step : c.program.size();
    for (std::size_t i = 0; i < executed; ++i) {
      verdicts.accepted.push_back(CallOf(document, i));
    }
    if (c.expect->rules.size() == 1) {
      verdicts.rejected[c.expect->rules[0]].push_back(
          CallOf(document, c.expect->step));
    }
  }
  return verdicts;
}

/// What a rule rejects and what it lets pass are close to each other: a rule
/// that rejected everything would be seen, and where.
TEST(Evidence, NextToWhatARuleAloneRejectsACallIsAccepted) {
  constexpr std::size_t kClose = 4;  // fields; most rules have a pair 1 apart
  const Verdicts verdicts = AllVerdicts();
  for (const isa::Rule& rule : isa::Catalogue()) {
    if (rule.effect != isa::Effect::kReject) continue;
    const auto found = verdicts.rejected.find(rule.id);
    ASSERT_NE(found, verdicts.rejected.end()) << rule.id.text();
    const auto close = [&](const Call& rejected) {
      return std::ranges::any_of(verdicts.accepted, [&](const Call& accepted) {
        return accepted.op == rejected.op &&
               FieldsApart(accepted, rejected) <= kClose;
      });
    };
    EXPECT_TRUE(std::ranges::any_of(found->second, close)) << rule.id.text();
  }
}

namespace fs = std::filesystem;

/// Whether `tool` states where an expectation of the corpus is from
/// (docs/case-format.md, Origin). A script must be in the tree.
bool IsSource(const std::string& tool) {
  if (tool == "hand" || tool == "published" || tool == "oracle") return true;
  const fs::path script(tool);
  return tool == script.lexically_normal() &&
         script.parent_path() == "script" &&
         fs::is_regular_file(fs::path(LANEDIFF_SOURCE_DIR) / script);
}

TEST(Corpus, HasCasesAndNoIdTwice) {
  std::set<std::string> ids;
  for (const Case& c : Corpus()) {
    EXPECT_TRUE(ids.insert(c.id).second) << c.id;
  }
  EXPECT_GT(ids.size(), 800u);
}

TEST(Corpus, EachCaseStatesWhereItsExpectationIsFrom) {
  for (const Case& c : Corpus()) {
    EXPECT_TRUE(c.expect) << c.id;
    EXPECT_TRUE(c.origin && IsSource(c.origin->tool.value_or(""))) << c.id;
  }
}

}  // namespace
}  // namespace lanediff::diff
