// What an audit reports of two defects at once: both rules, and none beside.

#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <vector>

#include "audit/audit.h"
#include "audit/record_testing.h"
#include "audit/testing.h"
#include "differential/targets/emulators.h"
#include "emulator/mutants/mutant.h"

namespace lanediff::audit {
namespace {

using test::BlameIn;
using test::CellOf;
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
  if (mutant.slug == isa::WholeReduceSum::kSlug) {
    const auto& from = mutant.seams.whole_reduce_sum;
    auto& to = all.whole_reduce_sum;
    const auto plant = [&](auto seam) {
      if (from.*seam != emulator::kWholeReduceSum.*seam) to.*seam = from.*seam;
    };
    plant(&emulator::WholeReduceSumSeams::plan);
    plant(&emulator::WholeReduceSumSeams::half_kernel);
    plant(&emulator::WholeReduceSumSeams::float_kernel);
  }
  isa::ForEachIntrinsic([&]<class Call>() {
    if constexpr (isa::Elementwise<Call>) {
      if (mutant.slug != Call::kSlug) return;
      emulator::RowOf<Call>(all.elementwise) =
          emulator::RowOf<Call>(mutant.seams.elementwise);
    }
  });
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
      << BlameIn(record);
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
