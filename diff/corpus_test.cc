// The corpus against the rule catalogue: each rule has its evidence.

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "diff/case_reader.h"
#include "diff/check.h"
#include "diff/target.h"
#include "isa/catalogue.h"

namespace lanediff::diff {
namespace {

namespace fs = std::filesystem;

/// Cases by rule id.
struct Evidence {
  std::map<std::string, std::set<std::string>> rejected;  ///< both sides say so
  std::map<std::string, std::set<std::string>> accepted;  ///< by requirement
  std::map<std::string, std::set<std::string>> noted;
  std::size_t cases = 0;
};

void AddCase(const Case& c, Evidence& evidence) {
  ++evidence.cases;
  const Outcome oracle = RunCase(c, **FindTarget("oracle"));
  const Outcome emulator = RunCase(c, **FindTarget("emulator"));
  for (isa::RuleId rule : oracle.rules) {
    const auto& others = emulator.rules;
    if (std::ranges::find(others, rule) != others.end()) {
      evidence.rejected[std::string(rule.text())].insert(c.id);
    }
  }
  for (isa::RuleId note : oracle.notes) {
    evidence.noted[std::string(note.text())].insert(c.id);
  }
  if (oracle.status != Outcome::Status::kExecuted) return;
  for (isa::RuleId rule : c.requirement) {
    evidence.accepted[std::string(rule.text())].insert(c.id);
  }
}

const Evidence& TheEvidence() {
  static const Evidence all = [] {
    Evidence evidence;
    const fs::path corpus = fs::path(LANEDIFF_SOURCE_DIR) / "corpus";
    for (const auto& entry : fs::recursive_directory_iterator(corpus)) {
      const std::string name = entry.path().filename().string();
      if (!name.ends_with(".json") || name.ends_with(".schema.json") ||
          name == "known_issues.json") {
        continue;
      }
      const auto c = ReadCaseFile(entry.path().string());
      EXPECT_TRUE(c) << entry.path() << ": " << c.error();
      if (c) AddCase(*c, evidence);
    }
    return evidence;
  }();
  return all;
}

TEST(Corpus, HasCases) { EXPECT_GT(TheEvidence().cases, 600u); }

TEST(Corpus, CatalogueHasEachIdOnce) {
  std::set<std::string_view> ids;
  for (const isa::Rule& rule : isa::Catalogue()) ids.insert(rule.id.text());
  EXPECT_EQ(ids.size(), isa::Catalogue().size());
  EXPECT_EQ(ids.size(), 103u);
}

TEST(Corpus, EachRejectRuleIsReportedByBothSides) {
  for (const isa::Rule& rule : isa::Catalogue()) {
    if (rule.effect != isa::Effect::kReject) continue;
    EXPECT_TRUE(TheEvidence().rejected.contains(std::string(rule.id.text())))
        << rule.id.text();
  }
}

TEST(Corpus, EachRejectRuleHasAnAcceptedNeighbour) {
  for (const isa::Rule& rule : isa::Catalogue()) {
    if (rule.effect != isa::Effect::kReject) continue;
    EXPECT_TRUE(TheEvidence().accepted.contains(std::string(rule.id.text())))
        << rule.id.text();
  }
}

TEST(Corpus, EachNoteAndSemanticsRuleIsShown) {
  for (const isa::Rule& rule : isa::Catalogue()) {
    const std::string id(rule.id.text());
    if (rule.effect == isa::Effect::kNote) {
      EXPECT_TRUE(TheEvidence().noted.contains(id)) << id;
    } else if (rule.effect == isa::Effect::kSemantics) {
      EXPECT_TRUE(TheEvidence().accepted.contains(id)) << id;
    }
  }
}

}  // namespace
}  // namespace lanediff::diff
