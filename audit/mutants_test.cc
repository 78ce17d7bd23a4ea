// Audits of defects of all kinds: the verdict on the broken rule changes, and
// no other verdict.

#include <gtest/gtest.h>

#include <algorithm>
#include <string>

#include "audit/audit.h"
#include "audit/speaks.h"
#include "differential/targets/find_target.h"
#include "emulator/mutants/mutant.h"

namespace lanediff::audit {
namespace {

bool IsWrong(Verdict verdict) {
  return verdict == Verdict::kViolated || verdict == Verdict::kContradicted;
}

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
  const Audit audit = RunAudit(**target, options);
  EXPECT_EQ(audit.record.crashed + audit.record.hung, 0u);
  bool turned = false;
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
    } else {
      EXPECT_EQ(rule.verdict, CanBeBroken(*rule.rule, *options.product)
                                  ? Verdict::kEnforced
                                  : Verdict::kNotExercised)
          << rule.rule->id.text();
    }
  }
  EXPECT_TRUE(turned) << mutant->rule.text();
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

}  // namespace
}  // namespace lanediff::audit
