// What a baseline is read from, what is refused, and what counts as a change.

#include "reports/baseline.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>

#include "reports/audit.h"
#include "reports/audit_testing.h"
#include "reports/front.h"
#include "reports/printers.h"
#include "reports/schema_testing.h"
#include "reports/testing.h"

namespace lanediff::reports::test {
namespace {

namespace fs = std::filesystem;
using audit::Follows;

class Baseline : public testing::Test {
 protected:
  void TearDown() override { fs::remove(path_); }

  std::string Spill(const std::string& text) {
    std::ofstream(path_, std::ios::binary) << text;
    return path_;
  }

  const std::string path_ = (fs::path(testing::TempDir()) /
                             ("baseline-" + std::to_string(getpid()) + ".json"))
                                .string();
};

TEST_F(Baseline, NoFileIsNoBaseline) {
  EXPECT_FALSE(ReadRunBaseline("", "check").value());
  EXPECT_FALSE(ReadAuditBaseline("").value());
  EXPECT_FALSE(ReadMutantsBaseline("").value());
}

TEST_F(Baseline, FindingsAreNewGoneAndUpdated) {
  RunRecord run = SampleRun();
  const auto before = ReadRunBaseline(Spill(RunJson(run)), "check");
  ASSERT_TRUE(before) << before.error();
  run.cases[0].findings = {run.cases[1].findings[0]};  // a.json
  run.cases[1].findings[0].message = "another value";
  run.cases[1].findings.pop_back();
  run.cases.erase(run.cases.begin() + 2);  // known.json
  const RunChanges changes = ChangesSince(**before, run);
  ASSERT_EQ(changes.updated.size(), 1u);
  EXPECT_EQ(changes.updated[0].message, "another value");
  EXPECT_EQ(
      ToText(ChangesSection(changes)),
      "new a.json memory/repeat_reduce_sum/value/half\n"
      "gone b c%<é>.json rules/min/MIN-DTYPE/half\n"
      "gone known.json memory/repeat_reduce_sum/value/half (its case was not "
      "run)\n"
      "updated b c%<é>.json memory/repeat_reduce_sum/value/half\n"
      "against " +
          path_ +
          " of emulator: 1 findings new, 2 gone, 1 updated, 0 unchanged\n");
}

TEST_F(Baseline, VerdictsAndReadingsThatChanged) {
  auto audit = SampleAudit();
  const auto before = ReadAuditBaseline(Spill(AuditJson(audit)));
  ASSERT_TRUE(before) << before.error();
  audit.rules[0].cells[1].verdict = audit::Verdict::kEnforced;
  audit.rules[2].cells[0].product = isa::Product::kAtlasA2;
  audit.disagreements[0].follows = Follows::kOther;
  const AuditChanges changes = ChangesSince(**before, audit);
  EXPECT_EQ(
      ToText(ChangesSection(changes)),
      "changed RRS-REPEAT on atlas-a2: violated before, enforced now\n"
      "changed MIN-PRODUCT on atlas-a2: not there before, tolerated now\n"
      "changed MIN-PRODUCT on atlas-a3: tolerated before, not there now\n"
      "changed disagreement printed-35604: chosen before, other now\n"
      "against " +
          path_ +
          " of mutant:x: 3 verdicts and 1 readings changed, 4 unchanged\n");
  EXPECT_TRUE(FitsSchema(AuditJson(audit, &changes), "audit.schema.json"));
  EXPECT_TRUE(Has(AuditText(audit, &changes), ToText(ChangesSection(changes))));
}

TEST_F(Baseline, MutantsFoundBeforeAndNow) {
  MutantsRecord record = SampleMutants();
  const auto before = ReadMutantsBaseline(Spill(MutantsJson(record)));
  ASSERT_TRUE(before) << before.error();
  std::swap(record.mutants[0].checkers, record.mutants[1].checkers);
  record.mutants.push_back(record.mutants[0]);
  record.mutants.back().name = "min/third";
  const MutantsChanges changes = ChangesSince(**before, record);
  EXPECT_EQ(changes.found, std::vector<std::string>{"min/other"});
  EXPECT_EQ(changes.survived, std::vector<std::string>{"min/signed-zero"});
  EXPECT_EQ(changes.added, std::vector<std::string>{"min/third"});
  record.mutants.erase(record.mutants.begin());
  EXPECT_EQ(ChangesSince(**before, record).gone,
            std::vector<std::string>{"min/signed-zero"});
}

TEST_F(Baseline, AMutantWhoseHuntWasNotFinishedIsNotHunted) {
  MutantsRecord record = SampleMutants();
  MutantRecord& late = record.mutants[2];
  ASSERT_EQ(late.verdict(), MutantVerdict::kNotFinished);
  const auto before = ReadMutantsBaseline(Spill(MutantsJson(record)));
  ASSERT_TRUE(before) << before.error();
  late.checkers.pop_back();
  EXPECT_EQ(ChangesSince(**before, record).added,
            std::vector<std::string>{"min/late"});
  const auto found = ReadMutantsBaseline(Spill(MutantsJson(record)));
  late = SampleMutants().mutants[2];
  const MutantsChanges changes = ChangesSince(**found, record);
  EXPECT_EQ(changes.gone, std::vector<std::string>{"min/late"});
  EXPECT_TRUE(changes.survived.empty());
}

TEST_F(Baseline, OfVersion1IsRead) {
  const auto run = ReadRunBaseline(OlderDocument("run.json"), "check");
  ASSERT_TRUE(run) << run.error();
  const std::string signature = "rules/min/MIN-BOUNDS/half/mask";
  const FindingKey key = {"min/repeat-256-rejected", signature};
  EXPECT_EQ((*run)->target, "mutant:min-repeat-256-accepted");
  EXPECT_EQ((*run)->signatures.at(signature), std::set{key.id});
  EXPECT_EQ((*run)->findings.at(key).path,
            "corpus/min/repeat-256-rejected.json");
  const auto audit = ReadAuditBaseline(OlderDocument("audit.json"));
  ASSERT_TRUE(audit) << audit.error();
  EXPECT_EQ((*audit)->cells.at({"MIN-DTYPE", isa::Product::kAtlasA2}),
            audit::Verdict::kEnforced);
  EXPECT_EQ((*audit)->readings.at("DOC-SUBNORMALS"), Follows::kChosen);
  const auto mutants = ReadMutantsBaseline(OlderDocument("mutants.json"));
  ASSERT_TRUE(mutants) << mutants.error();
  EXPECT_TRUE((*mutants)->found.at("min-repeat-256-accepted"));
  EXPECT_TRUE(Has(ReadMutantsBaseline(OlderDocument("run.json")).error(),
                  "/format: found \"lanediff-run/1\"; "
                  "\"lanediff-mutants/1\" is allowed"));
}

// Documents of another kind, verb or version: Reports of the program.
TEST_F(Baseline, WhatIsNoneIsRefusedInOneLine) {
  const std::string run = RunJson(SampleRun());
  const Rows rows = {
      {"", "the file is empty"},
      {"[]", "found an array; an object is allowed"},
      {Replaced(run, "\"path\": \"a.json\"", "\"path\": 1"),
       "/cases/0/path: found 1; a string is allowed"},
      {Replaced(run, "\"message\"", "\"msg\""),
       "/cases/1/findings/0: the field \"message\" is missing"},
  };
  for (const auto& [text, message] : rows) {
    const auto read = ReadRunBaseline(Spill(text), "check");
    ASSERT_FALSE(read) << message;
    EXPECT_TRUE(read.error().starts_with("--baseline: " + path_ + ": "))
        << read.error();
    EXPECT_TRUE(Has(read.error(), message));
    EXPECT_FALSE(Has(read.error(), "\n"));
  }
  const auto audit = ReadAuditBaseline(
      Spill(Replaced(AuditJson(SampleAudit()), "\"product\": \"atlas-a2\"",
                     "\"product\": \"atlas-training\"")));
  ASSERT_FALSE(audit);
  EXPECT_TRUE(Has(
      audit.error(),
      "/rules/0/cells/1: RRS-REPEAT on atlas-training stands there once more"));
  EXPECT_TRUE(Has(ReadMutantsBaseline("/nonexistent").error(), "not found"));
}

}  // namespace
}  // namespace lanediff::reports::test
