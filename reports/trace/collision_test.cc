#include "differential/memory/collision.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <memory>
#include <set>
#include <string>
#include <utility>

#include "differential/compare/check.h"
#include "differential/targets/find_target.h"
#include "differential/targets/target.h"
#include "differential/testcase/case_reader.h"
#include "isa/catalogue.h"
#include "reports/trace/case_view.h"

namespace lanediff::view {
namespace {

namespace fs = std::filesystem;

Case CorpusCase(const std::string& name) {
  const auto c = ReadCaseFile(LANEDIFF_SOURCE_DIR "/corpus/" + name + ".json");
  EXPECT_TRUE(c) << name << ": " << c.error();
  return c.value_or(Case());
}

/// The collision of the last step.
std::string Of(const std::string& name, isa::RuleId rule) {
  const Case c = CorpusCase(name);
  const auto collision = FindCollision(c, c.program.size() - 1, rule);
  return collision ? Text(*collision) : "none";
}

TEST(Collision, WithinAnIterationAndOfALaterOne) {
  const std::string both =
      "repeat_reduce_sum/dependency-and-iteration-overlap-both-rejected";
  EXPECT_EQ(Of(both, isa::RuleId("RRS-OVERLAP-DEPENDENCY")),
            "iteration 0 writes dst [1280, 1282) and iteration 1 reads src "
            "[1280, 1536): UB [1280, 1282) is shared");
  EXPECT_EQ(Of(both, isa::RuleId("RRS-OVERLAP-ITERATION")),
            "iteration 1 reads src [1280, 1536) and iteration 1 writes dst "
            "[1282, 1284): UB [1282, 1284) is shared");
  EXPECT_EQ(Of(both, isa::RuleId("RRS-REPEAT")), "none");
  EXPECT_EQ(Of("min/exception-sources-overlap-rejected",
               isa::RuleId("MIN-OVERLAP-SOURCES")),
            "iteration 0 reads src0 [512, 520) and iteration 0 reads src1 "
            "[512, 520): UB [512, 520) is shared");
}

/// src0 lies on dst, which is read there, too: src1 is what collides.
TEST(Collision, OfADstThatIsRead) {
  for (const auto& [slug, rule] :
       {std::pair{"mul_add_dst", "MUL-ADD-DST-OVERLAP-ITERATION"},
        std::pair{"fused_mul_add", "FUSED-MUL-ADD-OVERLAP-ITERATION"},
        std::pair{"mul_add_relu", "MUL-ADD-RELU-OVERLAP-ITERATION"}}) {
    const std::string text =
        Of(std::string(slug) + "/overlap-dst-on-src0-src1-partly-rejected",
           isa::RuleId(rule));
    EXPECT_NE(text.find("reads src1"), std::string::npos) << text;
    EXPECT_EQ(text.find("reads src0"), std::string::npos) << text;
  }
}

TEST(Collision, BlocksTilesAndEarlierCopies) {
  EXPECT_EQ(
      Of("data_copy/overlap-same-start-other-gap-rejected",
         isa::RuleId("DC-OVERLAP")),
      "block 0 reads src [0, 32) and block 0 writes dst [0, 32): UB [0, 32) is "
      "shared, and not every block is in place");
  EXPECT_EQ(Of("trowprod/overlap-dst-in-last-block-of-tmp-rejected",
               isa::RuleId("TRP-OVERLAP")),
            "tile dst [1120, 1152) and tile tmp [1088, 1152): UB [1120, 1152) "
            "is shared");
  EXPECT_EQ(Of("data_copy/barrier-first-of-nine-copies-under-way-rejected",
               isa::RuleId("DC-BARRIER")),
            "block 0 of step 0 writes dst [0, 32) and block 0 of step 9 writes "
            "dst [0, 32): UB [0, 32) is shared");
}

TEST(Collision, EveryCaseThatIsRejectedForOneHasOne) {
  std::set<std::string> rules;
  const fs::path corpus = LANEDIFF_SOURCE_DIR "/corpus";
  for (const auto& entry : fs::recursive_directory_iterator(corpus)) {
    const std::string name = entry.path().filename().string();
    if (!name.ends_with("-rejected.json")) continue;
    const auto c = ReadCaseFile(entry.path().string());
    ASSERT_TRUE(c) << c.error();
    const Outcome outcome = (**diff::FindTarget("oracle")).Run(*c).value();
    for (isa::RuleId rule : outcome.RulesOrNone()) {
      const std::string id(rule.text());
      const bool shares = isa::StageOf(rule) == isa::Stage::kOverlap;
      const auto found = FindCollision(*c, outcome.step, rule);
      EXPECT_EQ(found.has_value(), shares) << c->id << " " << id;
      if (found) {
        EXPECT_GT(found->bytes, 0) << c->id;
        rules.insert(id);
      }
    }
  }
  for (const isa::Rule& rule : isa::Catalogue()) {
    if (rule.stage != isa::Stage::kOverlap) continue;
    EXPECT_TRUE(rules.contains(std::string(rule.id.text()))) << rule.id.text();
  }
}

/// Counts how often a whole case and single steps are requested.
class CountedTarget : public diff::TargetAround {
 public:
  using TargetAround::TargetAround;

  std::expected<Outcome, diff::NoOutcome> Run(const Case& c) const override {
    ++runs;
    return TargetAround::Run(c);
  }
  std::unique_ptr<diff::Session> Open(isa::Profile profile,
                                      isa::Memories memories) const override {
    ++opened;
    return inner_steps().Open(profile, memories);
  }

  mutable int runs = 0;
  mutable int opened = 0;
};

TEST(ExaminedOnce, APageTakesTheTargetThroughItsStepsOnce) {
  const CountedTarget target(**diff::FindTarget("emulator"));
  const CountedTarget reference(**diff::FindTarget("oracle"));
  Case c;
  c.program.emplace_back(isa::PipeBarrier{});
  const diff::Examination examined = diff::Examine(c, target, reference);
  EXPECT_GT(target.runs + target.opened, 1);
  const int reference_asked = reference.runs + reference.opened;
  EXPECT_GT(reference_asked, 0);
  target.runs = target.opened = 0;
  const CaseView view = ViewCase(c, target, examined);
  EXPECT_EQ(view.steps.size(), 1u);
  EXPECT_EQ(target.runs, 0);
  EXPECT_EQ(target.opened, 1);
  EXPECT_EQ(reference.runs + reference.opened, reference_asked);
}

}  // namespace

}  // namespace lanediff::view
