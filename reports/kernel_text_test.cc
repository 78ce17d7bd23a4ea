// What people read of a run of a kernel, and its status.

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "reports/kernel.h"
#include "reports/kernel_testing.h"
#include "reports/report.h"
#include "reports/schema_testing.h"

namespace lanediff::reports::test {
namespace {

using kernel::End;
using kernel::RunRecord;

std::string KernelFirstLine(const RunRecord& record) {
  return ToReport(record, {}).opening;
}

/// All that follows the first line.
std::string KernelText(const RunRecord& record) {
  Report report = ToReport(record, {});
  report.opening.clear();
  return ToText(report);
}

TEST(KernelText, TheFirstLineHasTheSettings) {
  RunRecord record;
  kernel::Settings& settings = record.settings;
  EXPECT_EQ(KernelFirstLine(record),
            "lanediff run: atlas-a2, auto-sync on (default), saturation on, "
            "mask at start unknown, values all, edition 2026; the verdict "
            "rests on no call; NOT complete\n");
  settings.auto_sync = settings.saturation = false;
  settings.mask_start_ones = settings.strict = settings.poison_both = true;
  settings.values = 1;
  settings.edition = isa::Edition::k2024;
  settings.without = {"add.cpp:24:PipeBarrier"};
  settings.product = isa::Product::kAtlasTraining;
  settings.checks = {kernel::Group::kMemcheck, kernel::Group::kRacecheck};
  EXPECT_EQ(KernelFirstLine(record),
            "lanediff run: atlas-training, auto-sync off, saturation off, mask "
            "at start all ones, values 1 of each site, edition 2024, memcheck "
            "and racecheck alone, without add.cpp:24:PipeBarrier, strict, "
            "poison both; the verdict rests on no call; NOT complete\n");
  settings = {};
  settings.product = isa::Product::kAtlas200_300_500;
  settings.sync = false;
  EXPECT_EQ(KernelFirstLine(record),
            "lanediff run: atlas-200-300-500, synchronized by the compiler, "
            "saturation on, mask at start unknown, values all, edition 2026; "
            "the verdict rests on no call; NOT complete\n");
}

TEST(KernelText, FirstLineNamesWhatTheVerdictRestsOn) {
  EXPECT_TRUE(KernelFirstLine(CleanRun())
                  .ends_with("; the verdict rests on 192 of 256 calls checked "
                             "against the oracle, 64 executed by one "
                             "implementation alone, 3145728 bytes followed\n"))
      << KernelFirstLine(CleanRun());
  EXPECT_TRUE(KernelFirstLine(SampleRun()).ends_with("; NOT complete\n"))
      << KernelFirstLine(SampleRun());
}

TEST(KernelText, NotCheckedPrintsWhatIsNotZero) {
  RunRecord record = CleanRun();
  record.counts.refused = 0;
  record.counts = {.launches = 1, .blocks = 1, .carried = 1, .gm_extent = 3};
  EXPECT_TRUE(Has(KernelText(record), "\nNOT-CHECKED gm-extent=3\nSUMMARY"));
  record.counts.gm_extent = 0;
  const std::string text = KernelText(record);
  EXPECT_TRUE(Has(text, "\nNOT-CHECKED none\nSUMMARY"));
  EXPECT_FALSE(Has(text, "not checked: "));
}

TEST(KernelText, FindingHasPlaceReasonCountAndFix) {
  kernel::Finding finding = SampleFinding();
  EXPECT_EQ(
      KernelFindingText(finding),
      "src/add.cpp:24: racecheck SYNC-RAW: Add reads UB [0,16384) on V, "
      "unordered with DataCopy src/add.cpp:21, which writes it on MTE2\n"
      "  block 0, execution 1, lanes 0 to 63 (and 63 more); bytes 0 to 16383 "
      "of the buffer of src/add.cpp:14\n"
      "  missing: SetFlag/WaitFlag MTE2_V, or EnQue/DeQue, between "
      "src/add.cpp:21 and :24\n"
      "  repair: count 64 instead of 72 makes the call legal\n"
      "  case: out/run/add-24-1.json\n"
      "  reproduce: lanediff check out/run/add-24-1.json\n"
      "  next: lanediff lint out/run/add-24-1.json\n");
  finding.case_path = "my out/it's.json";
  finding.earlier->iteration = 4;
  EXPECT_TRUE(
      Has(KernelFindingText(finding),
          "lanes 0 to 63; DataCopy src/add.cpp:21, iteration 4 (and 63 more); "
          "bytes 0 to 16383 of the buffer of src/add.cpp:14\n  missing"));
  EXPECT_TRUE(Has(KernelFindingText(finding),
                  "  case: my out/it's.json\n"
                  "  reproduce: lanediff check 'my out/it'\\''s.json'\n"
                  "  next: lanediff lint 'my out/it'\\''s.json'\n"));
}

TEST(KernelText, AFindingNamesItsCauseAndWhatDependsOnIt) {
  kernel::Finding finding = SampleFinding();
  finding.follows_from = {"SYNC-FLAG-ID", {"src/add.cpp", 22}};
  EXPECT_TRUE(Has(
      KernelFindingText(finding),
      "src/add.cpp:21 and :24\n  follows from: SYNC-FLAG-ID src/add.cpp:22\n"));
  finding.unknown_bytes = 1;
  finding.unknown = "argument 2, element 7";
  EXPECT_TRUE(Has(KernelFindingText(finding),
                  "\n  unknown: 1 byte that leaves the core depends on the "
                  "call (argument 2, element 7)\n"));
}

TEST(KernelText, RootCausesComeFirst) {
  kernel::RunRecord record = SampleRun();
  record.findings[0].follows_from = {"KRN-QUEUE", {"src/add.cpp", 30, 2}};
  PutRootsFirst(record);
  ASSERT_EQ(record.findings.size(), 3u);
  EXPECT_EQ(record.findings[0].rule, "KRN-QUEUE");
  EXPECT_EQ(record.findings[1].rule, "INIT-READ") << "the order stays";
  EXPECT_EQ(record.findings[2].rule, "SYNC-RAW");
  EXPECT_EQ(SummaryOf(record).AllFindings(), 2u) << "all of them count";
}

TEST(KernelText, AllOfARun) {
  const std::string counts =
      "not checked: 1 calls that are known and not executed; fix: replace the "
      "call or keep it out of the path that runs\n"
      "not checked: 2 audited calls whose result was not compared; fix: "
      "--values all\n"
      "not checked: 4 unaudited calls whose result the documents do not "
      "determine; fix: compare what depends on them with a tolerance\n"
      "not checked: 5 accesses to global memory of unknown extent, bounds not "
      "checked; fix: allocate it with GmAlloc or aclrtMalloc, or wrap it in "
      "lanediff::Gm\n"
      "not checked: 6 addresses taken by GetPhyAddr; accesses through them are "
      "not followed; fix: access the tensor by GetValue, SetValue or calls\n"
      "not checked: 7 calls that a compiler synchronizes, so that order is not "
      "checked; fix: none is needed where that compiler is used\n"
      "not checked: 8 GetValue and SetValue on global memory, whose cache is "
      "not modelled; fix: review DataCacheCleanAndInvalid by hand\n"
      "not checked: 9 findings that the assumed compiler option hides; fix: "
      "--auto-sync off\n"
      "CHECKED launches=1 blocks=8 audited=192 legality=192 values=190 "
      "carried=64 bytes-followed=3145728\n"
      "NOT-CHECKED refused=1 values-skipped=2 approximate=4 gm-extent=5 "
      "raw-pointers=6 sync-auto=7 gm-cache=8 hidden-by-auto-sync=9\n"
      "SUMMARY memcheck=0 racecheck=1 synccheck=1 initcheck=0 paramcheck=0 "
      "maskcheck=0 valuecheck=0 suppressed=1 notes=2 status=1\n";
  const std::string before =
      KernelFindingText(SampleFinding()) +
      "src/add.cpp:30: synccheck KRN-QUEUE: FreeTensor of a tensor that the "
      "queue did not hand out\n"
      "  launch 1, block 3, execution 5 of call 2 on the line\n"
      "  called from src/add.cpp:30 in Process\n"
      "  called from src/add.cpp:44 in add_kernel\n"
      "  no case: it takes more than 10 s to shrink\n"
      "src/add.cpp:22: suppressed initcheck INIT-READ: padding lanes, never "
      "stored\n"
      "src/add.cpp:31: refused: CrossCoreSetFlag (synchronization between "
      "cores)\n";
  const std::string hidden =
      "src/add.cpp:24: hidden by --auto-sync on: SYNC-RAW: Add is ordered "
      "behind DataCopy src/add.cpp:21 by the compiler alone; fix: --auto-sync "
      "off reports it\n";
  const std::string notes =
      "src/add.cpp:24: note MIN-CLOBBERS-MASK: leaves the mask (and 2 more)\n"
      "src/add.cpp:12: note KRN-QUEUE-LEFT: a block is not freed (and 1 "
      "more)\n";
  const std::string faults =
      "suppression: list.json: entry 0, KRN-ALIGN at add.cpp:9, met nothing\n";
  RunRecord record = SampleRun();
  EXPECT_EQ(KernelText(record), before + hidden + faults + counts);
  record.settings.show_notes = true;
  EXPECT_EQ(KernelText(record), before + hidden + notes + faults + counts);
}

TEST(KernelText, WhatFailOnNamesIsStatus1WithALine) {
  using kernel::FailOn;
  RunRecord record = CleanRun();
  EXPECT_EQ(KernelStatus(record), 0);
  const auto line_of = [&](std::vector<FailOn> conditions) {
    record.settings.fail_on = std::move(conditions);
    EXPECT_EQ(KernelStatus(record), 1);
    EXPECT_EQ(SummaryOf(record).status, 1u);
    return fmt::format("{}", fmt::join(FailedOn(record), "|"));
  };
  EXPECT_EQ(line_of({FailOn::kHidden}),
            "--fail-on hidden: expected none, found hidden-by-auto-sync=9");
  EXPECT_EQ(line_of({FailOn::kApproximate}),
            "--fail-on approximate: expected none, found approximate=4");
  EXPECT_EQ(line_of({FailOn::kNotChecked}),
            "--fail-on not-checked: expected none, found values-skipped=2 "
            "approximate=4 gm-extent=5 raw-pointers=6 sync-auto=7 gm-cache=8 "
            "hidden-by-auto-sync=9");
  EXPECT_TRUE(Has(KernelText(record), "lanediff run: --fail-on not-checked: "));
  EXPECT_EQ(KernelSentence(record), "No finding, but what --fail-on names");
  record.settings.expect = "findings.expect";
  EXPECT_EQ(KernelStatus(record), 1) << "beside what is expected";
  record.counts = {.audited = 1};
  EXPECT_EQ(KernelStatus(record), 0);
}

TEST(KernelText, HostileTextsStayInTheirLines) {
  const std::string text = KernelText(HostileRun());
  EXPECT_EQ(text, KernelText(HostileRun()));
  for (const char c : text) {
    EXPECT_TRUE(c == '\n' || (c >= ' ' && c < 0x7f)) << text;
  }
  // A fault each, the end, two places that were not met, notes, the refused
  // call, a hidden finding, eight remedies, the three last lines, and of the
  // findings eleven lines each of two, and a suppressed one.
  EXPECT_EQ(std::ranges::count(text, '\n'),
            2 + 1 + 2 + 2 + 1 + 1 + 8 + 3 + 11 + 11 + 1)
      << text;
}

TEST(KernelText, HowItEndedIsReported) {
  const auto last = [](End end) {
    RunRecord record = CleanRun();
    record.end = std::move(end);
    const std::string text = KernelText(record);
    return text.substr(0, text.find("not checked: "));
  };
  EXPECT_EQ(last({}), "");
  EXPECT_EQ(last({End::How::kEnded, 7, ""}),
            "lanediff run: the program ended with status 7\n");
  EXPECT_EQ(last({End::How::kCrashed, 11, "killed by SIGSEGV in block 3"}),
            "lanediff run: killed by SIGSEGV in block 3\n");
  EXPECT_EQ(last({End::How::kTooMany, 0, ""}),
            "lanediff run: stopped after 0 findings (--max-errors)\n");
  const std::string nothing = "lanediff run: nothing was checked: ";
  RunRecord empty;
  EXPECT_EQ(KernelText(empty).find(nothing), 0u);
  empty.findings.emplace_back();
  EXPECT_FALSE(Has(KernelText(empty), nothing)) << "a finding is something";
}

struct StatusRow {
  const char* what;
  bool finding, suppressed, fault, refused, checked;
  End::How how;
  int code;
  int status;
};

TEST(KernelStatus, EachRowOfTheContract) {
  using How = End::How;
  const StatusRow rows[] = {
      // what, finding, suppressed, fault, refused, checked, end, code, status
      {"clean", false, false, false, false, true, How::kEnded, 0, 0},
      {"all suppressed", true, true, false, false, true, How::kEnded, 0, 0},
      {"finding", true, false, false, false, true, How::kEnded, 0, 1},
      {"stale list", false, false, true, false, true, How::kEnded, 0, 1},
      {"refused", false, false, false, true, true, How::kEnded, 0, 2},
      {"nothing", false, false, false, false, false, How::kEnded, 0, 2},
      {"compile", false, false, false, false, false, How::kNotStarted, 0, 2},
      {"too many", true, false, false, false, true, How::kTooMany, 0, 1},
      {"cut short", true, true, false, false, true, How::kTooMany, 0, 2},
      {"crash", false, false, false, false, true, How::kCrashed, 11, 3},
      {"timeout", false, false, false, false, true, How::kTimedOut, 0, 3},
      {"main failed", false, false, false, false, true, How::kEnded, 1, 3},
      {"1 beats 3", true, false, false, false, true, How::kCrashed, 11, 1},
      {"1 beats 2", true, false, false, true, true, How::kEnded, 0, 1},
      {"3 beats 2", false, false, false, true, true, How::kEnded, 1, 3},
      {"3, nothing", false, false, false, false, false, How::kCrashed, 6, 3},
  };
  for (const StatusRow& row : rows) {
    SCOPED_TRACE(row.what);
    RunRecord record;
    if (row.checked) record.counts = CleanRun().counts;
    if (row.finding) record.findings = {SampleFinding()};
    if (row.suppressed) record.findings[0].suppressed = "why";
    if (row.fault) record.suppression_faults = {"why"};
    if (row.refused) record.counts.refused = 1;
    record.end = {row.how, row.code, ""};
    EXPECT_EQ(KernelRunStatus(record), row.status);
    EXPECT_EQ(KernelStatus(record), row.status);
    record.settings.expect = "a.expect";
    EXPECT_EQ(KernelRunStatus(record), row.status);
    EXPECT_EQ(KernelStatus(record), row.how == How::kNotStarted ? 2 : 0);
    record.expectation_faults = {"why"};
    EXPECT_EQ(KernelStatus(record), row.how == How::kNotStarted ? 2 : 1);
  }
}

TEST(KernelStatus, FollowedBytesAloneCount) {
  RunRecord record;
  EXPECT_EQ(KernelRunStatus(record), 2);
  record.counts.bytes_followed = 1;
  EXPECT_EQ(KernelRunStatus(record), 0);
  record.counts = {.launches = 1, .blocks = 8};
  EXPECT_EQ(KernelRunStatus(record), 2);
  record.counts.carried = 1;
  EXPECT_EQ(KernelRunStatus(record), 0);
  record.refusals = {{"IBSet", "between cores", {"a.cpp", 1, 1}, 0}};
  EXPECT_EQ(KernelRunStatus(record), 2);
}

TEST(KernelText, APlaceThatIsTakenAwayWasMet) {
  RunRecord record = CleanRun();
  record.settings.without = {"src/add.cpp:21:DataCopy"};
  EXPECT_EQ(KernelRunStatus(record), 0);
  EXPECT_EQ(EndLines(record), std::vector<std::string>{});
  record.settings.without.insert("src/add.cpp:21:Add");
  EXPECT_EQ(KernelRunStatus(record), 2);
  EXPECT_EQ(EndLines(record), std::vector<std::string>{
                                  "--without src/add.cpp:21:Add: the run made "
                                  "no such call, and nothing was taken away"});
}

}  // namespace
}  // namespace lanediff::reports::test
