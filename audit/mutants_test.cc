// Audits of defects of all kinds: the verdict on the broken rule changes, and
// no other verdict; of two defects at once both rules, and none beside.

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "audit/applicable_rules.h"
#include "audit/audit.h"
#include "audit/record_testing.h"
#include "audit/testing.h"
#include "differential/targets/emulators.h"
#include "differential/targets/find_target.h"
#include "emulator/mutants/mutant.h"

namespace lanediff::audit {
namespace {

bool IsWrong(Verdict verdict) {
  return verdict == Verdict::kViolated || verdict == Verdict::kContradicted;
}

/// Mutants that are audited with every case, one of each kind of arithmetic.
constexpr std::array<std::string_view, 4> kWholly = {
    "trp-left-fold-from-the-right", "trp-nan-columns-skipped",
    "vt-bounds-next-repeat", "min-half-not-saturated"};

class AuditedMutant : public testing::TestWithParam<std::string> {};

TEST_P(AuditedMutant, TurnsItsOwnRuleAndNoneBeside) {
  const auto* const mutant = mutants::FindMutant(GetParam());
  ASSERT_NE(mutant, nullptr);
  const auto target = diff::FindTarget("mutant:" + GetParam());
  ASSERT_TRUE(target) << target.error();
  AuditOptions options;
  options.instruction = mutant->slug;
  options.product = isa::Product::kAtlasA2;
  options.jobs = 2;
  options.target_word = "mutant:" + GetParam();
  // The cases of machine state alone are 150,000: most mutants are audited with
  // a sample of each rule's cases, in which what they do wrong shows.
  options.sample = std::ranges::count(kWholly, GetParam()) != 0 ? 0 : 1000;
  const Audit audit = RunAudit(**target, options);
  EXPECT_EQ(audit.record.crashed + audit.record.hung, 0u);
  bool turned = false;
  int held = 0;  // rules that are no refusals
  for (const AuditedRule& rule : audit.record.rules) {
    if (rule.rule->id == mutant->rule) {
      turned = IsWrong(rule.verdict);
      ASSERT_FALSE(rule.cells.empty());
      ASSERT_FALSE(rule.cells[0].evidence.empty());
      const Evidence& evidence = rule.cells[0].evidence[0];
      EXPECT_NE(evidence.message, "");
      EXPECT_NE(evidence.signature, "");
      EXPECT_TRUE(audit.files.contains(evidence.file)) << evidence.file;
      EXPECT_EQ(evidence.reproduce, "lanediff check " + evidence.file +
                                        " --target mutant:" + GetParam());
    } else if (rule.rule->effect != isa::Effect::kReject) {
      EXPECT_FALSE(IsWrong(rule.verdict)) << rule.rule->id.text();
      held += rule.verdict != Verdict::kNotExercised ? 1 : 0;
    } else {
      EXPECT_EQ(rule.verdict, CanBeBroken(*rule.rule, *options.product)
                                  ? Verdict::kEnforced
                                  : Verdict::kNotExercised)
          << rule.rule->id.text();
    }
  }
  EXPECT_TRUE(turned) << mutant->rule.text();
  EXPECT_GE(held, 3);
}

INSTANTIATE_TEST_SUITE_P(
    OfAllKinds, AuditedMutant,
    testing::Values(
        // Parameters: a limit moved out, a limit moved in, a wrong name.
        "vt-repeat-zero-accepted", "rrs-dst-align-32",
        "rrs-elems-of-half-for-float", "min-mask-bits-reported-as-contiguous",
        // Bounds, overlap, barrier.
        "vt-bounds-next-repeat", "vt-overlap-touching",
        "dc-barrier-last-copy-only",
        // Notes, addresses, lanes, order.
        "rrs-mask-empty-note-missing", "dc-gaps-swapped", "vt-strides-swapped",
        "min-mask-words-swapped", "trp-left-fold-from-the-right",
        // Rounding, saturation, NaN, zero.
        "rrs-truncates", "min-half-not-saturated", "min-float-nan-dropped",
        "trp-nan-columns-skipped", "rrs-nan-lanes-skipped",
        "rrs-missing-lanes-are-zero"),
    [](const auto& mutant) {
      std::string name = mutant.param;
      std::ranges::replace(name, '-', '_');
      return name;
    });

using test::CellOf;
using test::FaultsIn;
using test::Ids;
using test::RulesThatAre;

struct Row {
  const char* name;
  std::vector<const char*> mutants;
  Ids rules;  ///< that these violate
};

/// Plants `mutant` beside what stands in `all`: another seam of one row, or
/// another row.
void Plant(const mutants::Mutant& mutant, emulator::Seams& all) {
  if (mutant.slug == mutants::kProgramSlug) all.state = mutant.seams.state;
  for (std::size_t i = 0; i < isa::kReductionRows.size(); ++i) {
    if (mutant.slug != isa::kReductionRows[i].slug) continue;
    const auto& from = mutant.seams.reductions[i];
    const auto plain = emulator::Seams().reductions[i];
    auto& to = all.reductions[i];
    const auto plant = [&](auto seam) {
      if (from.*seam != plain.*seam) to.*seam = from.*seam;
    };
    plant(&emulator::ReduceSumSeams::plan);
    plant(&emulator::ReduceSumSeams::half_kernel);
    plant(&emulator::ReduceSumSeams::float_kernel);
  }
  for (std::size_t i = 0; i < isa::kLanewiseRows.size(); ++i) {
    if (mutant.slug != isa::kLanewiseRows[i].slug) continue;
    all.lanewise[i] = mutant.seams.lanewise[i];
  }
}

class TwoDefects : public testing::TestWithParam<Row> {};

TEST_P(TwoDefects, AreTwoRulesAndNoneBeside) {
  emulator::Seams seams;
  for (const char* name : GetParam().mutants) {
    const auto* const mutant = mutants::FindMutant(name);
    ASSERT_NE(mutant, nullptr) << name;
    Plant(*mutant, seams);
  }
  const auto planted = diff::EmulatorWith(seams, "planted", "for a test");
  diff::Capabilities can;
  can.instructions = {"Min", "Add", "WholeReduceSum"};
  can.products = {isa::Product::kAtlasA2};
  can.legality = diff::Capabilities::Legality::kNone;
  can.notes = false;
  can.legal_only = true;  // illegal calls are slow
  const test::HandMade target(
      [](const isa::Step& step, diff::Session& emulator, isa::Memories) {
        return emulator.Execute(step);
      },
      can, *planted->stepwise());
  AuditOptions options;
  options.product = isa::Product::kAtlasA2;
  options.jobs = 2;
  options.sample = 100;
  const AuditRecord record = RunAudit(target, options).record;
  EXPECT_EQ(RulesThatAre(record, Verdict::kContradicted), GetParam().rules)
      << FaultsIn(record);
  test::ExpectSumsAddUp(record);
}

INSTANTIATE_TEST_SUITE_P(
    OfAllKinds, TwoDefects,
    testing::Values(
        Row{"register_ignored_and_order",
            {"min-register-ignored", "add-register-ignored",
             "wrs-mask-register-ignored", "wrs-left-fold",
             "wrs-left-fold-float"},
            {"STATE-MASK-REGISTER", "WRS-TREE"}},
        Row{"repeat_and_register",
            {"add-last-repeat-skipped", "program-mask-words-swapped"},
            {"ADD-ADDRESS", "STATE-MASK-REGISTER"}},
        Row{"repeat_of_the_sum_and_register",
            {"wrs-last-repeat-skipped", "program-mask-adds-lanes"},
            {"STATE-MASK-REGISTER", "WRS-ADDRESS"}},
        Row{"mask_with_gaps_and_rounding",
            {"wrs-own-mask-counted", "wrs-truncates"},
            {"ARITH-ROUND", "WRS-MASK-LANES"}},
        Row{"mask_words_and_block_stride",
            {"min-mask-words-swapped", "wrs-src-blk-stride-ignored"},
            {"MIN-MASK-LANES", "WRS-ADDRESS"}},
        Row{"repeat_alone", {"add-last-repeat-skipped"}, {"ADD-ADDRESS"}}),
    [](const auto& row) { return std::string(row.param.name); });

}  // namespace
}  // namespace lanediff::audit
