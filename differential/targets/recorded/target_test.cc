#include "differential/targets/recorded/target.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <string>
#include <thread>
#include <vector>

#include "differential/compare/check.h"
#include "differential/compare/testing.h"
#include "differential/testcase/case_writer.h"

namespace lanediff::diff {
namespace {

namespace fs = std::filesystem;

TEST(OutcomePath, StaysInItsFolderAndBelongsToOneId) {
  EXPECT_EQ(OutcomePath("d", "a"), "d/a.json");
  EXPECT_EQ(OutcomePath("d/", "a/b-c_1.x"), "d/a/b-c_1.x.json");
  EXPECT_EQ(OutcomePath("d", "..."), "d/....json");
  EXPECT_EQ(OutcomePath("d", "a..b"), "d/a..b.json");
  for (const char* id : {"..", "../x", "a/../../x", "a/..", ".", "./a", "a/./b",
                         "/", "/etc/passwd", "a/", "a//b", "//"}) {
    const auto path = OutcomePath("d", id);
    ASSERT_FALSE(path) << *path;
    EXPECT_NE(path.error().find(id), std::string::npos) << path.error();
  }
}

class RecordedFolder : public testing::Test {
 protected:
  void SetUp() override {
    folder_ = fs::path(testing::TempDir()) /
              (std::string("lanediff-recorded-") +
               testing::UnitTest::GetInstance()->current_test_info()->name() +
               "-" + std::to_string(getpid()));
    fs::remove_all(folder_);
    fs::create_directories(folder_ / "dir/two");
  }
  void TearDown() override { fs::remove_all(folder_); }

  fs::path In(const std::string& name) const { return folder_ / name; }
  void Spill(const std::string& name, std::string_view text) const {
    std::ofstream(In(name), std::ios::binary) << text;
  }
  std::string Name() const { return "recorded:" + In("dir").string(); }
  const Target& Found() const { return **FindTarget(Name()); }
  Comparison Check(const Case& c) const {
    return CheckCase(c, Found(), Oracle());
  }

 private:
  fs::path folder_;
};

TEST_F(RecordedFolder, IsATargetThatRunsNothing) {
  const Target& target = Found();
  EXPECT_EQ(target.name(), Name());
  EXPECT_FALSE(target.runs_any_case());
  EXPECT_EQ(target.stepwise(), nullptr);
  EXPECT_TRUE(Oracle().runs_any_case());
  EXPECT_NE(Oracle().stepwise(), nullptr);
  const auto unknown = target.Run(TwoSums());
  ASSERT_FALSE(unknown);
  EXPECT_EQ(unknown.error().kind, NoOutcome::Kind::kUnknown);
  EXPECT_FALSE(FindStepwiseTarget(Name()));
  const auto refused = FindRunningTarget(Name());
  ASSERT_FALSE(refused);
  EXPECT_NE(refused.error().find("a target that runs any case"),
            std::string::npos);
  EXPECT_TRUE(FindRunningTarget("emulator"));
  EXPECT_FALSE(FindRunningTarget("none"));
}

TEST_F(RecordedFolder, ListsTheCasesOfAFolder) {
  using Ids = std::vector<std::string>;
  Spill("dir/two/b.json", "{}");
  Spill("dir/two/a.x.json", "{}");
  Spill("dir/two/a.txt", "{}");
  Spill("dir/other.json", "{}");
  for (const std::string& name : {Name(), Name() + "/"}) {
    EXPECT_EQ(RecordedIds(name, "two"), (Ids{"two/a.x", "two/b"}));
    EXPECT_EQ(RecordedIds(name, "none"), Ids());
  }
  EXPECT_EQ(RecordedIds("oracle", "two"), std::nullopt);
}

TEST_F(RecordedFolder, HasOneTargetForASpellingInEveryThread) {
  std::vector<const Target*> found(8);
  {
    std::vector<std::jthread> threads;
    for (auto& target : found) {
      threads.emplace_back([&] { target = *FindTarget(Name()); });
    }
  }
  for (const Target* target : found) EXPECT_EQ(target, found[0]);
  EXPECT_NE(*FindTarget(Name() + "/"), found[0]);
}

TEST_F(RecordedFolder, AMissingOutcomeIsUnsupportedAndCounted) {
  const Comparison result = Check(TwoSums());
  EXPECT_TRUE(result.unsupported);
  EXPECT_TRUE(result.unrecorded);
  EXPECT_FALSE(result.malformed);
  EXPECT_EQ(result.why,
            "no outcome document " + In("dir/two/sums.json").string());
  Case outside = TwoSums();
  outside.id = "../two/sums";
  ExpectContains(Check(outside).why, "names no outcome document");
  // A file where the id wants a folder.
  fs::remove_all(In("dir/two"));
  Spill("dir/two", "");
  EXPECT_TRUE(Check(TwoSums()).unrecorded);
}

TEST_F(RecordedFolder, WhatCannotBeReadIsMalformed) {
  const auto expect = [&](const std::string& message) {
    const Comparison result = Check(TwoSums());
    EXPECT_TRUE(result.malformed) << message;
    EXPECT_FALSE(result.unsupported);
    EXPECT_FALSE(result.unrecorded);
    EXPECT_TRUE(result.findings.empty());
    EXPECT_EQ(result.why.rfind(In("dir/two/sums.json").string() + ": ", 0), 0u)
        << result.why;
    EXPECT_NE(result.why.find(message), std::string::npos) << result.why;
  };
  Spill("dir/two/sums.json", "");
  expect("the file is empty");
  Spill("dir/two/sums.json",
        R"({"outcome": "executed", "memory": {}, "step": 7})");
  expect(": /step: unknown field");
  Spill("dir/two/sums.json", R"({"case": "two/other"})");
  expect(": /case: found \"two/other\"; \"two/sums\" is allowed");
  fs::resize_file(In("dir/two/sums.json"), (std::uintmax_t{16} << 20) + 1);
  expect("at most 16777216 are allowed");
  fs::remove(In("dir/two/sums.json"));
  fs::create_symlink("sums.json", In("dir/two/sums.json"));
  expect("can't be read: Too many levels");
  fs::remove(In("dir/two/sums.json"));
  fs::create_directories(In("dir/two/sums.json"));
  expect("is no regular file");
}

using isa::Memory;
using Status = Outcome::Status;

Outcome Read(const std::string& text) {
  const auto outcome = ReadOutcome(text, TwoSums());
  EXPECT_TRUE(outcome) << LineOf(outcome.error());
  return outcome.value_or(Outcome());
}

TEST(OutcomeReader, AllMembers) {
  const Outcome outcome = Read(std::string(kGoodOutcome));
  EXPECT_EQ(outcome.status, Status::kExecuted);
  EXPECT_EQ(outcome.observed, "a device");
  EXPECT_FALSE(outcome.rules);
  ASSERT_TRUE(outcome.notes);
  EXPECT_EQ(outcome.notes->size(), 1u);
  ASSERT_TRUE(outcome.memory);
  const auto& ub = (*outcome.memory)[static_cast<std::size_t>(Memory::kUb)];
  ASSERT_EQ(ub.size(), 2u);
  EXPECT_EQ(ub[0].at, 0);
  EXPECT_EQ(ub[0].bytes, (std::vector<std::uint8_t>{0x00, 0x42, 0x00, 0x7e}));
  EXPECT_EQ(ub[1].at, 64);
}

TEST(OutcomeReader, WhatADeviceCannotReportMayBeLeftOut) {
  const Outcome executed = Read(R"({ "outcome": "executed", "memory": {} })");
  EXPECT_FALSE(executed.notes);
  EXPECT_EQ(executed.observed, "");
  EXPECT_EQ(*executed.memory, RegionsByMemory());
  const Outcome rejected = Read(R"({ "outcome": "rejected", "step": 1 })");
  EXPECT_EQ(rejected.status, Status::kRejected);
  EXPECT_EQ(rejected.step, 1u);
  EXPECT_FALSE(rejected.rules);
  EXPECT_FALSE(rejected.notes);
  EXPECT_FALSE(rejected.memory);
  const Outcome unsupported =
      Read(R"({ "outcome": "unsupported", "step": 2 })");
  EXPECT_EQ(unsupported.status, Status::kUnsupported);
}

TEST(OutcomeReader, TheMemoryIsWhatChanged) {
  // A whole operand with its unchanged bytes, in two regions that touch.
  const Outcome outcome = Read(R"({ "outcome": "executed", "memory": {
      "UB": [ { "at": 4, "hex": "a5a5" },
              { "at": 0, "dtype": "half", "values": [3, "nan"] } ] } })");
  const auto& ub = (*outcome.memory)[static_cast<std::size_t>(Memory::kUb)];
  ASSERT_EQ(ub.size(), 1u);
  EXPECT_EQ(ub[0].at, 0);
  EXPECT_EQ(ub[0].bytes.size(), 4u);
  EXPECT_FALSE(ub[0].dtype);
}

TEST(OutcomeReader, AnEmptyListMayBeOfAnyMemory) {
  const Outcome none = Read(R"({ "outcome": "executed", "memory": {} })");
  for (const auto form : {OutcomeForm::kDocument, OutcomeForm::kReply}) {
    const auto read = ReadDocument(
        R"({ "outcome": "executed", "memory": {"L1": [], "UB": []} })",
        [&](const Cursor& root) {
          return ReadOutcomeAt(root, TwoSums(), form);
        });
    ASSERT_TRUE(read);
    EXPECT_EQ(*read, none);
  }
  ExpectRefused(
      ReadOutcome(R"({ "outcome": "executed", "memory": {"L9": []} })",
                  TwoSums()),
      "/memory/L9", "no such memory");
}

TEST(OutcomeReader, WhatTheWriterWritesReadsBack) {
  for (const std::string& text : {
           std::string(kGoodOutcome),
           std::string(R"({ "outcome": "executed", "memory": {} })"),
           std::string(R"({ "outcome": "rejected", "step": 1 })"),
           std::string(R"({ "outcome": "rejected", "step": 1,
               "rules": ["RRS-REPEAT"], "notes": [], "memory": {} })"),
           std::string(R"({ "outcome": "unsupported", "step": 0 })"),
       }) {
    const Outcome outcome = Read(text);
    const std::string written = WriteOutcome(outcome, TwoSums().id);
    EXPECT_EQ(Read(written), outcome) << written;
    EXPECT_EQ(Read(WriteOutcome(outcome, "")), outcome);
  }
}

TEST(OutcomeReader, RefusesWhatIsNoOutcomeOfTheCase) {
  const std::vector<Refusal> rows = {
      // Whose it is.
      {"\"two/sums\"", "\"two/sum\"", "/case",
       "found \"two/sum\"; \"two/sums\" is allowed"},
      {"\"case\"", "\"id\"", "/id", "unknown field"},
      {"\"case\"", "\"format\"", "/format", "a case has"},
      // Members.
      {"\"target\": \"a device\"", "\"target\": null", "/target",
       "found null; a string"},
      {"\"outcome\"", "\"Outcome\"", "", "\"outcome\" is missing"},
      {"\"executed\"", "\"Executed\"", "/outcome",
       "found \"Executed\"; executed, rejected or unsupported"},
      {"\"executed\"", "\"executed\", \"step\": 0", "/step", "unknown field"},
      {"\"executed\"", "\"executed\", \"rules\": []", "/rules",
       "unknown field"},
      {"\"memory\"", "\"memories\"", "", "\"memory\" is missing"},
      // Steps: the program has three.
      {"\"executed\"", "\"rejected\"", "", "\"step\" is missing"},
      {"\"executed\"", "\"unsupported\"", "", "\"step\" is missing"},
      {"\"executed\"", "\"rejected\", \"step\": 3", "/step",
       "found 3; 0 to 2 is allowed"},
      {"\"executed\"", "\"unsupported\", \"step\": 0, \"rules\": []", "/rules",
       "unknown field"},
      // Rules and notes.
      {"\"executed\"", "\"rejected\", \"step\": 0, \"rules\": [\"RRS-NO\"]",
       "/rules/0", "found \"RRS-NO\"; an id of the rule catalogue"},
      {"\"executed\"", "\"rejected\", \"step\": 0, \"rules\": \"RRS-TREE\"",
       "/rules", "an array"},
      {"[\"RRS-PREFER", "[\"rrs-tree\", \"RRS-PREFER", "/notes/0",
       "rule catalogue"},
      // Memory: UB of 4096 bytes and nothing else.
      {"\"UB\"", "\"L1\"", "/memory/L1", "the case has no such memory"},
      {"\"UB\"", "\"ub\"", "/memory/ub", "the case has no such memory"},
      {"\"at\": 64", "\"at\": 4095", "/memory/UB/1/values/0",
       "leave their memory"},
      {"\"at\": 64", "\"at\": 3", "/memory/UB", "overlap"},
  };
  ExpectAllRefused(kGoodOutcome, rows, [](const std::string& text) {
    return ReadOutcome(text, TwoSums());
  });
}

TEST(OutcomeReader, ACaseIsNoOutcome) {
  ExpectRefused(ReadOutcome(WriteCase(TwoSums()), TwoSums()), "/format",
                "not that of the cases");
  ExpectRefused(ReadOutcome(std::string(kMaxCaseFileBytes + 1, ' '), TwoSums()),
                "", "at most");
}

}  // namespace
}  // namespace lanediff::diff
