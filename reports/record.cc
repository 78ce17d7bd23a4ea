#include "reports/record.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <nlohmann/json.hpp>
#include <utility>

#include "differential/testcase/record_json.h"
#include "reports/printers.h"
#include "reports/shard.h"

namespace lanediff::reports {
namespace {

void AddCase(const CaseRecord& record, RunSums& sums) {
  std::size_t* const counts[] = {&sums.agree,       &sums.disagree,
                                 &sums.unsupported, &sums.malformed,
                                 &sums.known,       &sums.tolerated};
  static_assert(std::size(counts) == isa::kCount<Verdict>);
  ++*counts[static_cast<std::size_t>(record.verdict)];
  sums.unrecorded += record.unrecorded;
  sums.steps += record.steps;
  sums.compared_bytes += record.compared_bytes;
  diff::Join(record.open, sums.open);
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
  diff::Join(record.open, sums.open);
  sums.nodes += record.nodes;
}

ShardDocument DocumentOf(const ShardRecord& record) {
  ShardDocument document;
  document.record = record;
  for (const diff::KnownIssue& issue : record.known_issues) {
    document.known_issues.push_back({issue});
  }
  if (record.run) {
    const RunRecord& run = *record.run;
    document.places.assign(run.cases.begin(), run.cases.end());
    for (const FuzzerRecord& fuzzer : run.fuzzers) {
      document.paces.push_back({fuzzer.build, fuzzer.pace});
    }
  }
  return document;
}

ShardRecord RecordOf(ShardDocument document) {
  ShardRecord record = std::move(document.record);
  record.known_issues.assign(document.known_issues.begin(),
                             document.known_issues.end());
  if (record.run) {
    RunRecord& run = *record.run;
    for (std::size_t i = 0; i < run.cases.size(); ++i) {
      static_cast<CasePlace&>(run.cases[i]) = document.places[i];
    }
    for (std::size_t i = 0; i < run.fuzzers.size(); ++i) {
      run.fuzzers[i].build = document.paces[i].build;
      run.fuzzers[i].pace = document.paces[i].pace;
    }
    run.SumUp();
  }
  return record;
}

std::optional<CaseError> OneForEach(std::string_view pointer, std::size_t found,
                                    std::size_t wanted, std::string_view what) {
  if (found == wanted) return std::nullopt;
  return CaseError{std::string(pointer),
                   fmt::format("found {}; one for each of {} {} is allowed",
                               found, wanted, what)};
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

std::optional<CaseError> ShardDocument::Fault() const {
  if (!record.run) return std::nullopt;
  const RunRecord& run = *record.run;
  if (run.verb != record.verb) {
    return CaseError{"/run",
                     fmt::format("found a run of \"{}\"; of \"{}\" is allowed",
                                 run.verb, record.verb)};
  }
  if (auto fault =
          OneForEach("/places", places.size(), run.cases.size(), "cases")) {
    return fault;
  }
  return OneForEach("/paces", paces.size(), run.fuzzers.size(), "programs");
}

std::vector<std::string> ShardRecord::Reasons() const {
  auto reasons = run       ? TextsOf(ReasonsOf(*run))
                 : mutants ? TextsOf(ReasonsOf(*mutants))
                           : std::vector<std::string>();
  if (!audit.stopped.empty()) reasons.push_back(audit.stopped);
  if (reasons.empty()) {
    reasons.push_back("interrupted, or something could not be saved");
  }
  return reasons;
}

std::string ShardRecord::FileName() const {
  return fmt::format("{}.{}-of-{}.json", verb, shard.index, shard.count);
}

std::optional<ShardName> ParseShardFileName(std::string_view name) {
  constexpr std::string_view kOf = "-of-";
  constexpr std::string_view kEnd = ".json";
  const auto dot = name.find('.');
  const auto of = name.find(kOf, dot);
  if (dot == 0 || of == std::string_view::npos || !name.ends_with(kEnd)) {
    return std::nullopt;
  }
  const std::string_view numbers = name.substr(0, name.size() - kEnd.size());
  // Products with other numbers fit 64 bits.
  const auto index =
      ToNumber<std::uint32_t>(numbers.substr(dot + 1, of - dot - 1));
  const auto count = ToNumber<std::uint32_t>(numbers.substr(of + kOf.size()));
  if (!index || !count) return std::nullopt;
  ShardName parsed = {std::string(name.substr(0, dot)),
                      {.index = *index, .count = *count}};
  if (parsed.shard.Fault()) return std::nullopt;
  return parsed;
}

std::string ShardJson(const ShardRecord& record) {
  return RecordText(DocumentOf(record));
}

std::expected<ShardRecord, std::string> ReadShard(std::string_view text) {
  auto record = ReadDocument(text, [](const Cursor& root) {
    return RecordOf(ReadRecord<ShardDocument>(root));
  });
  if (record) return *std::move(record);
  return std::unexpected(LineOf(record.error()));
}

}  // namespace lanediff::reports
