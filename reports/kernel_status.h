#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "differential/testcase/record.h"
#include "isa/vocabulary.h"
#include "reports/kernel_record.h"
#include "reports/reasons.h"

/// What a run of a kernel comes to, in numbers and in words; words stand in one
/// line each and are fit to be shown.
namespace lanediff::reports {

/// The status of the run, whatever was expected of it. 1: findings, what
/// --fail-on names, or a stale list of suppressions. 3: the program crashed,
/// timed out or its main failed. 2: not started, a refused call, stopped by
/// --max-errors, nothing checked, or a place of --without not met. Else 0.
int KernelRunStatus(const kernel::RunRecord& record);

/// What --fail-on takes for a failure and the run has, a line each.
std::vector<std::string> FailedOn(const kernel::RunRecord& record);

/// The status that lanediff ends with: of the run; with --expect 0 if it was as
/// expected and there is nothing that --fail-on names, else 1.
int KernelStatus(const kernel::RunRecord& record);

/// Whether anything was audited or followed.
bool AnythingChecked(const kernel::Counts& counts);

/// The line SUMMARY.
struct KernelSummary {
  /// Findings that nothing suppresses: rule, site and other site, each once.
  std::array<std::uint64_t, isa::kCount<kernel::Group>> findings = {};
  std::uint64_t suppressed = 0;
  std::uint64_t notes = 0;  ///< rule and site, each once
  std::uint64_t status = 0;

  std::uint64_t AllFindings() const;

  static void Fields(auto& s, auto& v) {
    for (std::size_t i = 0; i < s.findings.size(); ++i) {
      v.Required(isa::Name(static_cast<kernel::Group>(i)), s.findings[i]);
    }
    v.Required("suppressed", s.suppressed);
    v.Required("notes", s.notes);
    v.Required("status", s.status);
  }
};
KernelSummary SummaryOf(const kernel::RunRecord& record);

/// A key of the lines CHECKED or NOT-CHECKED.
struct KernelCount {
  std::string_view key;
  std::uint64_t kernel::Counts::* count;
  std::string_view meaning;  ///< for people, without an end
  /// Of NOT-CHECKED: what a user does so that it is checked.
  std::string_view remedy = {};
};
std::span<const KernelCount> KernelChecked();
std::span<const KernelCount> KernelNotChecked();

/// "add.cpp:24".
std::string SiteText(const kernel::Site& site);

/// Why `text` is no rule that a run reports; empty if it is one.
std::string NoRule(const std::string& text);

/// " (and 63 more)"; empty for 1.
std::string MoreText(std::uint64_t times);

/// "block 0, execution 1, iteration 3, lanes 0 to 63 (and 63 more)", with
/// launch, iteration and call where they are not the first.
std::string OccurrenceText(const kernel::Finding& finding);

/// "SYNC-FLAG-ID add.cpp:20"; empty of a root cause.
std::string CauseText(const kernel::Finding& finding);

/// "256 bytes that leave the core depend on the call (argument 2, elements 0 to
/// 63)"; empty of none.
std::string UnknownText(const kernel::Finding& finding);

/// Root causes before what follows from them; else the order stays.
void PutRootsFirst(kernel::RunRecord& record);

/// "add.cpp:31: refused: CrossCoreSetFlag (synchronization between cores)".
std::string RefusalText(const kernel::Refusal& refusal);

/// "add.cpp:24: hidden by --auto-sync on: SYNC-RAW: Add is ordered behind
/// DataCopy add.cpp:21 by the compiler alone; fix: …".
std::string HiddenText(const kernel::Hidden& hidden);

/// The command that shows the finding again; empty if it has no case.
std::string ReproduceText(const kernel::Finding& finding);

/// Lines on how the program ended and on what was not checked at all; empty if
/// all went well.
std::vector<std::string> EndLines(const kernel::RunRecord& record);

/// The refused calls, and those lines.
Reasons ReasonsOf(const kernel::RunRecord& record);

/// What came out, in one sentence without its end.
std::string KernelSentence(const kernel::RunRecord& record);

/// Document of the kind `kernel`, for its writer and its schema.
struct KernelDocument {
  kernel::RunRecord record;

  static void Fields(auto& d, auto& v) {
    auto& r = d.record;
    v.Document("kernel");
    v.Required("program", r.program);
    v.Derived("sentence", [&] { return KernelSentence(r); });
    CompleteFields(v, ReasonsOf(r));
    v.Derived("summary", [&] { return SummaryOf(r); },
              {.description = "findings by group that nothing suppresses, what "
                              "is suppressed or noted, and the exit status"});
    v.Required("counts", r.counts,
               {.description = "the lines CHECKED and NOT-CHECKED"});
    v.Required("end", r.end);
    v.Required("settings", r.settings);
    v.Required("findings", r.findings,
               {.description =
                    "root causes first, in the order of the first occurrence"});
    v.Required("notes", r.notes);
    v.Required("refusals", r.refusals);
    v.Optional("hidden", r.hidden,
               {.description = "findings that --auto-sync off would add"});
    v.Required("sites", r.sites);
    v.Optional("suppressionFaults", r.suppression_faults, kFilled);
    v.Optional("expectationFaults", r.expectation_faults, kFilled);
  }
};

}  // namespace lanediff::reports
