#include "reports/record.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>

#include "differential/testcase/record_json.h"
#include "reports/printers.h"

namespace lanediff::reports {
namespace {

void AddCase(const CaseRecord& record, RunSums& sums) {
  sums.agree += record.verdict == Verdict::kAgree;
  sums.disagree += record.verdict == Verdict::kDisagree;
  sums.unsupported += record.verdict == Verdict::kUnsupported;
  sums.unrecorded += record.unrecorded;
  sums.malformed += record.verdict == Verdict::kMalformed;
  sums.known += record.verdict == Verdict::kKnown;
  sums.tolerated += record.verdict == Verdict::kTolerated;
  sums.steps += record.steps;
  sums.compared_bytes += record.compared_bytes;
  sums.nodes += record.nodes;
  sums.open_memory += record.open_memory;
}

void AddModule(const SweepRecord& record, RunSums& sums) {
  sums.agree +=
      record.cases - record.unsupported - record.disagree - record.tolerated;
  sums.disagree += record.disagree;
  sums.tolerated += record.tolerated;
  sums.unsupported += record.unsupported;
  sums.steps += record.steps;
  sums.compared_bytes += record.compared_bytes;
  sums.nodes += record.nodes;
}

}  // namespace

std::optional<CaseError> CaseRecord::Fault() const {
  const bool has_findings =
      verdict == Verdict::kDisagree || verdict == Verdict::kKnown;
  if (has_findings != findings.empty()) return std::nullopt;
  return CaseError{
      "", fmt::format("found verdict \"{}\" with {} findings; {} allowed",
                      isa::Name(verdict), findings.size(),
                      has_findings ? "1 or more are" : "none is")};
}

std::size_t CoverageRecord::open() const {
  return static_cast<std::size_t>(
      std::ranges::count_if(holes, &std::string::empty, &HoleRecord::reason));
}

void RunRecord::Add(CaseRecord record) {
  AddCase(record, *this);
  cases.push_back(std::move(record));
}

std::vector<RateLine> RunRecord::Rates() const {
  std::vector<RateLine> all;
  for (const FuzzerRecord& fuzzer : fuzzers) {
    std::ranges::move(fuzzer.Rates(), std::back_inserter(all));
  }
  return all;
}

std::size_t RunRecord::LegalAgreeing() const {
  return static_cast<std::size_t>(
      std::ranges::count_if(cases, [](const CaseRecord& c) {
        return c.verdict == Verdict::kAgree && c.enforced.empty();
      }));
}

void RunRecord::AddSweep(SweepRecord record) {
  AddModule(record, *this);
  sweeps.push_back(std::move(record));
}

void RunRecord::SumUp() {
  static_cast<RunSums&>(*this) = {};
  for (const SweepRecord& record : sweeps) AddModule(record, *this);
  // A sweep's sums are in its instructions, of which its cases are a few.
  if (verb == "sweep") return;
  for (const CaseRecord& record : cases) AddCase(record, *this);
}

std::string RunJson(const RunRecord& record) { return RecordText(record); }

}  // namespace lanediff::reports
