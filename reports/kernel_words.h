#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "reports/kernel_record.h"

/// Parts of a run's record in words, each in one line and fit to be shown.
namespace lanediff::reports {

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

/// What came out, in one sentence without its end.
std::string KernelSentence(const kernel::RunRecord& record);

}  // namespace lanediff::reports
