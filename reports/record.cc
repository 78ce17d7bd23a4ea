#include "reports/record.h"

#include <algorithm>

namespace lanediff::reports {

void RunRecord::Add(CaseRecord record) {
  agree += record.verdict == Verdict::kAgree;
  disagree += record.verdict == Verdict::kDisagree;
  unsupported += record.verdict == Verdict::kUnsupported;
  unrecorded += record.unrecorded;
  malformed += record.verdict == Verdict::kMalformed;
  known += record.verdict == Verdict::kKnown;
  steps += record.steps;
  compared_bytes += record.compared_bytes;
  nodes += record.nodes;
  cases.push_back(std::move(record));
}

std::size_t CoverageRecord::open() const {
  return static_cast<std::size_t>(
      std::ranges::count_if(holes, &std::string::empty, &HoleRecord::reason));
}

void RunRecord::AddSweep(SweepRecord record) {
  agree += record.cases - record.unsupported - record.disagree;
  disagree += record.disagree;
  unsupported += record.unsupported;
  steps += record.steps;
  compared_bytes += record.compared_bytes;
  nodes += record.nodes;
  sweeps.push_back(std::move(record));
}

}  // namespace lanediff::reports
