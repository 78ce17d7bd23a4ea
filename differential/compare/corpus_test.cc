// The corpus as a whole: rules, origins. What its cases are worth as evidence
// is in evidence_test.cc.

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <set>
#include <string>

#include "differential/compare/check.h"
#include "differential/compare/corpus_testing.h"
#include "differential/targets/find_target.h"
#include "differential/targets/target.h"
#include "isa/catalogue.h"

namespace lanediff::diff {
namespace {

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

TEST(Corpus, SourcesOfExpectationsAreFourAndScriptsExist) {
  for (const char* source :
       {"hand", "published", "oracle", "script/expectations"}) {
    EXPECT_TRUE(IsSource(source)) << source;
  }
  for (const char* other :
       {"", "fuzz", "script", "script/", "script/none", "script/../README.md",
        "script/../script/format", "differential/testcase/case.h", "Hand"}) {
    EXPECT_FALSE(IsSource(other)) << other;
  }
}

TEST(Corpus, CatalogueHasEachIdOnce) {
  std::set<std::string_view> ids;
  for (const isa::Rule& rule : isa::Catalogue()) ids.insert(rule.id.text());
  EXPECT_EQ(ids.size(), isa::Catalogue().size());
  EXPECT_EQ(ids.size(), 277u);
}

TEST(Corpus, EachRejectRuleIsReportedByBothSides) {
  std::set<isa::RuleId> reported;
  for (const Case& c : Corpus()) {
    if (!c.expect || !c.expect->rejected) continue;
    const auto rules_of = [&](std::string_view target) {
      return (**FindTarget(target)).Run(c).value().RulesOrNone();
    };
    const auto by_emulator = rules_of("emulator");
    for (isa::RuleId rule : rules_of("oracle")) {
      if (std::ranges::find(by_emulator, rule) != by_emulator.end()) {
        reported.insert(rule);
      }
    }
  }
  for (const isa::Rule& rule : isa::Catalogue()) {
    if (rule.effect != isa::Effect::kReject) continue;
    EXPECT_TRUE(reported.contains(rule.id)) << rule.id.text();
  }
}

}  // namespace
}  // namespace lanediff::diff
