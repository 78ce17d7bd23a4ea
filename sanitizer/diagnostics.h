#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "differential/records/hazard.h"
#include "differential/testcase/case.h"
#include "sanitizer/repair.h"
#include "sanitizer/witness.h"

namespace lanediff::lint {

/// How many rejected steps, the first ones, are looked into: each repair looks
/// at the whole program once or twice.
struct DiagnosisLimits {
  std::size_t witnesses = 256;
  std::size_t repairs = 16;
};

/// Of the rejected steps of `verdict`, which `Lint` gave for `c`, those after
/// the first among them; ascending.
std::vector<Diagnosis> Diagnose(const Case& c, const Verdict& verdict,
                                const DiagnosisLimits& limits = {});

/// The same of step `step` of `c`, the first to be rejected, as `check` sees
/// it: each step ends before the next begins, and *-BARRIER may be among
/// `rules`.
Diagnosis DiagnoseRejected(const Case& c, std::size_t step,
                           const isa::RuleSet& rules, bool look_for_repair);

/// The text of a change of `c` that was tried and takes away its first finding
/// of `rule`, as lint prints it; empty where none is in reach.
std::string TriedRepairOf(const Case& c, isa::RuleId rule);

/// Fills `Hazard::cause` of the first INIT-READs of `verdict`, which `Lint`
/// reports of `c`, whether before or after a rejected step: the rejected step
/// that would write the lowest byte; else the step before that writes most of
/// what the operand reads in the reported iteration, the last of equals. None
/// where nothing near is written, where what was read was computed from
/// unwritten bytes, and in programs of more than 2000 steps.
void FindCauses(const Case& c, Verdict& verdict);

}  // namespace lanediff::lint
