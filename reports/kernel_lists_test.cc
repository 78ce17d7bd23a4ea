// Lists that people write of runs of kernels: what is accepted, what is
// expected.

#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>

#include "reports/kernel.h"
#include "reports/kernel_testing.h"
#include "reports/schema_testing.h"

namespace lanediff::reports::test {
namespace {

using kernel::RunRecord;

constexpr const char* kDay = "2027-06-30";

/// A file of this process alone, which goes with it.
std::string Write(const std::string& text) {
  static const struct File {
    std::filesystem::path path =
        std::filesystem::path(testing::TempDir()) /
        ("lanediff-kernel-lists-" + std::to_string(getpid()));
    ~File() { std::filesystem::remove(path); }
  } file;
  const auto& path = file.path;
  std::ofstream(path, std::ios::binary) << text;
  return path.string();
}

std::string ListOf(const std::string& entries) {
  return R"({"format": "lanediff-suppressions/1", "suppressions": [)" +
         entries + "]}";
}

std::string Entry(const std::string& where,
                  const std::string& rule = "SYNC-RAW",
                  const std::string& file = "add.cpp") {
  return R"({"rule": ")" + rule + R"(", "file": ")" + file + R"(", )" + where +
         R"(, "reason": "known, #17", "expires": "2027-06-30"})";
}

/// The record of one finding, at src/add.cpp:24, after the list was applied.
RunRecord Suppressed(const std::string& entries, const std::string& today,
                     RunRecord record = CleanRun()) {
  record.findings = {SampleFinding()};
  const auto list = ReadSuppressions(Write(ListOf(entries)));
  EXPECT_TRUE(list.has_value()) << list.error();
  std::string text;
  for (int line = 1; line < 24; ++line) text += "//\n";
  text += "  \t Add(z, x, y, n);  \r\n";
  if (list) {
    Suppress(*list, KernelSources({{"src/add.cpp", text}}), today, record);
  }
  return record;
}

TEST(Suppressions, AFindingIsMetByItsLineOrTheTextOfItsLine) {
  for (const char* where : {R"("line": 24)", R"("text": "Add(z, x, y, n);")"}) {
    for (const char* file : {"add.cpp", "src/add.cpp"}) {
      const RunRecord record = Suppressed(Entry(where, "SYNC-RAW", file), kDay);
      EXPECT_EQ(record.findings[0].suppressed, "known, #17");
      EXPECT_TRUE(record.suppression_faults.empty());
      EXPECT_EQ(KernelRunStatus(record), 0);
      EXPECT_EQ(SummaryOf(record).suppressed, 1u);
      EXPECT_EQ(SummaryOf(record).AllFindings(), 0u);
    }
  }
}

TEST(Suppressions, WhatMeetsNothingIsNamedAndFailsTheRun) {
  for (const std::string& entry :
       {Entry(R"("line": 23)"), Entry(R"("text": "Add(z, x, y);")"),
        Entry(R"("line": 24)", "SYNC-WAR"),
        Entry(R"("line": 24)", "SYNC-RAW", "dd.cpp")}) {
    const RunRecord record = Suppressed(entry, kDay);
    EXPECT_EQ(record.findings[0].suppressed, "");
    ASSERT_EQ(record.suppression_faults.size(), 1u) << entry;
    EXPECT_TRUE(Has(record.suppression_faults[0], "met nothing in this run"));
  }
  const RunRecord record =
      Suppressed(Entry(R"("line": 24)") + "," + Entry(R"("line": 7)"), kDay);
  EXPECT_EQ(record.findings[0].suppressed, "known, #17");
  ASSERT_EQ(record.suppression_faults.size(), 1u);
  EXPECT_TRUE(
      Has(record.suppression_faults[0], ": SYNC-RAW at add.cpp:7 met "));
  EXPECT_EQ(KernelRunStatus(record), 1);
}

TEST(Suppressions, UnusedEntriesOfAnIncompleteRunAreNotReported) {
  RunRecord cut = CleanRun();
  cut.end.how = kernel::End::How::kTooMany;
  RunRecord part = CleanRun();
  part.settings.checks = {kernel::Group::kMemcheck};
  for (const RunRecord& record : {cut, part}) {
    EXPECT_TRUE(Suppressed(Entry(R"("line": 7)"), kDay, record)
                    .suppression_faults.empty());
  }
}

TEST(Suppressions, AnEntryIsAcceptedUntilTheEndOfItsDay) {
  const RunRecord record = Suppressed(Entry(R"("line": 24)"), "2027-07-01");
  EXPECT_EQ(record.findings[0].suppressed, "known, #17");
  ASSERT_EQ(record.suppression_faults.size(), 1u);
  EXPECT_TRUE(Has(record.suppression_faults[0],
                  "SYNC-RAW at add.cpp:24 expired: accepted until 2027-06-30, "
                  "today is 2027-07-01"));
  EXPECT_EQ(KernelRunStatus(record), 1);
}

TEST(Suppressions, AWrongListIsOneLineWithItsPlace) {
  const std::pair<std::string, std::string> rows[] = {
      {ListOf(Entry(R"("line": 24, "text": "x")")),
       "/suppressions/0: has \"line\" and \"text\"; one of the two is allowed"},
      {ListOf(Entry(R"("line": 0)")),
       "/suppressions/0/line: found 0; 1 to 9223372036854775807 is allowed"},
      {ListOf(R"({"rule": "VALUE", "file": "a", "reason": "b",
                  "expires": "2027-01-01"})"),
       "/suppressions/0: has neither \"line\" nor \"text\"; one of the two is "
       "needed"},
      {ListOf(Entry(R"("line": 2, "lines": 3)")),
       "/suppressions/0/lines: unknown field; remove it or correct its name"},
      {ListOf(Entry(R"("line": 2)", "SYNC-RWA")),
       "/suppressions/0/rule: found \"SYNC-RWA\", which is no rule; VALUE or "
       "one that `lanediff list rules` has is allowed"},
      {Replaced(ListOf(Entry(R"("line": 2)")), "2027-06-30", "2027-06-31"),
       "/suppressions/0/expires: found \"2027-06-31\""},
      {"", "the file is empty"}};
  for (const auto& [text, message] : rows) {
    const auto read = ReadSuppressions(Write(text));
    ASSERT_FALSE(read.has_value()) << text;
    EXPECT_TRUE(Has(read.error(), ": " + message));
    EXPECT_FALSE(Has(read.error(), "\n"));
  }
  EXPECT_TRUE(Has(ReadSuppressions("/no/such").error(), "/no/such: not found"));
}

TEST(Suppressions, AListFitsItsSchema) {
  constexpr const char* kSchema = "suppressions.schema.json";
  EXPECT_TRUE(FitsSchema(ListOf(Entry(R"("line": 24)")), kSchema));
  EXPECT_TRUE(FitsSchema(ListOf(Entry(R"("text": "x")")), kSchema));
  EXPECT_FALSE(FitsSchema(ListOf(Entry(R"("lines": 24)")), kSchema));
}

std::vector<std::string> Differences(const std::string& text,
                                     const RunRecord& record) {
  const auto expected = ReadExpectations(text);
  EXPECT_TRUE(expected.has_value()) << expected.error();
  return expected ? Unexpected(*expected, record) : std::vector<std::string>{};
}

using Lines = std::vector<std::string>;

TEST(Expectations, ExactlyWhatIsExpected) {
  const RunRecord record = SampleRun();
  for (const char* text :
       {"finding SYNC-RAW src/add.cpp:24\nfinding KRN-QUEUE add.cpp:30\n",
        "# a comment\n\n  finding  racecheck  add.cpp:24  # why\r\n"
        "finding synccheck src/add.cpp:30\nnote MIN-CLOBBERS-MASK\nstatus 1"}) {
    EXPECT_EQ(Differences(text, record), Lines{}) << text;
  }
}

TEST(Expectations, EachDifferenceIsALine) {
  const std::string good =
      "finding SYNC-RAW add.cpp:24\nfinding KRN-QUEUE add.cpp:30\n";
  const RunRecord record = SampleRun();
  EXPECT_EQ(Differences("finding KRN-QUEUE add.cpp:30\n", record),
            Lines{"not expected: racecheck SYNC-RAW src/add.cpp:24"});
  EXPECT_EQ(Differences(good + "finding SYNC-RAW add.cpp:24\n", record),
            Lines{"missing: SYNC-RAW add.cpp:24"});
  EXPECT_EQ(
      Differences(good + "note MIN-CLOBBERS-MASK\nnote KRN-APPROX\n", record),
      Lines{"missing: note KRN-APPROX"});
  EXPECT_EQ(Differences(good + "status 3\n", record),
            Lines{"the run has status 1, expected is 3"});
  EXPECT_EQ(
      Differences("finding SYNC-RAW add.cpp:25\nfinding synccheck dd.cpp:30\n",
                  record),
      (Lines{"missing: SYNC-RAW add.cpp:25", "missing: synccheck dd.cpp:30",
             "not expected: racecheck SYNC-RAW src/add.cpp:24",
             "not expected: synccheck KRN-QUEUE src/add.cpp:30"}));
}

TEST(Expectations, WithoutAStatusARunMustEndAsItsFindingsSay) {
  RunRecord record = CleanRun();
  EXPECT_EQ(Differences("", record), Lines{});
  record.end = {kernel::End::How::kCrashed, 11, ""};
  EXPECT_EQ(Differences("", record),
            Lines{"the run has status 3, expected is 0"});
  EXPECT_EQ(Differences("status 3", record), Lines{});
}

TEST(Expectations, EachFindingIsMetOnce) {
  RunRecord record = CleanRun();
  kernel::Finding war = SampleFinding();
  war.rule = "SYNC-WAR";
  record.findings = {SampleFinding(), war};
  // The group takes whichever the rule leaves over, in any order.
  for (const char* text :
       {"finding racecheck add.cpp:24\nfinding SYNC-RAW add.cpp:24\n",
        "finding racecheck add.cpp:24\nfinding SYNC-WAR add.cpp:24\n",
        "finding SYNC-WAR add.cpp:24\nfinding racecheck add.cpp:24\n"}) {
    EXPECT_EQ(Differences(text, record), Lines{}) << text;
  }
  EXPECT_EQ(Differences("finding racecheck add.cpp:24\n", record).size(), 1u);
  // What is suppressed is none.
  record.findings[1].suppressed = "why";
  EXPECT_EQ(Differences("finding racecheck add.cpp:24\n", record), Lines{});
}

TEST(Expectations, InvalidLineIsReportedWithItsNumber) {
  for (const char* text :
       {"finding SYNC-RAW", "finding SYNC-RAW add.cpp", "finding A-B :3",
        "finding A-B add.cpp:3x", "finding A-B add.cpp:-3", "note", "status",
        "status 4", "status -1", "status 1 2", "findings A-B add.cpp:3",
        "status 1\nstatus 1"}) {
    const auto read = ReadExpectations(std::string("\n# x\n") + text);
    ASSERT_FALSE(read.has_value()) << text;
    EXPECT_EQ(
        read.error().find(std::string(text).find('\n') == std::string::npos
                              ? "3: found \""
                              : "4: found \""),
        0u)
        << read.error();
    EXPECT_FALSE(Has(read.error(), "\n"));
  }
  const auto error = [](const std::string& text) {
    return ReadExpectations(text).error();
  };
  EXPECT_EQ(error("# x\nnote KRN-QUEUE-LEFTT"),
            "2: found \"KRN-QUEUE-LEFTT\", which is no rule; VALUE or one that "
            "`lanediff list rules` has is allowed");
  EXPECT_EQ(
      error("finding memchek add.cpp:3"),
      "1: found \"memchek\", which is no rule; VALUE or one that `lanediff "
      "list rules` has is allowed, and so is a group, as memcheck");
  EXPECT_EQ(ReadExpectationsFile("/no/such").error().find("/no/such: "), 0u);
  const std::string path = Write("nonsense");
  EXPECT_EQ(ReadExpectationsFile(path).error().find(path + ":1: found"), 0u);
  const auto blanks = ReadExpectations("finding VALUE my file#1.cpp:3 # why");
  ASSERT_TRUE(blanks.has_value()) << blanks.error();
  EXPECT_EQ(blanks->findings[0].file, "my file#1.cpp");
}

}  // namespace
}  // namespace lanediff::reports::test
