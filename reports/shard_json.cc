#include <fmt/format.h>

#include <charconv>
#include <nlohmann/json.hpp>
#include <system_error>
#include <utility>

#include "differential/testcase/record_json.h"
#include "reports/shard.h"

namespace lanediff::reports {
namespace {

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
  ShardName parsed;
  const auto number = [&](std::uint64_t& value) {
    std::uint32_t digits = 0;  // products with other numbers fit 64 bits
    const char* const last = name.data() + name.size();
    const auto [end, error] = std::from_chars(name.data(), last, digits);
    if (error != std::errc{}) return false;
    name.remove_prefix(static_cast<std::size_t>(end - name.data()));
    value = digits;
    return true;
  };
  const auto word = [&](std::string_view text) {
    if (!name.starts_with(text)) return false;
    name.remove_prefix(text.size());
    return true;
  };
  const auto dot = name.find('.');
  if (dot == 0 || dot == std::string_view::npos) return std::nullopt;
  parsed.verb = name.substr(0, dot);
  name.remove_prefix(dot);
  if (!word(".") || !number(parsed.shard.index) || !word("-of-") ||
      !number(parsed.shard.count) || name != ".json" || parsed.shard.Fault()) {
    return std::nullopt;
  }
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
