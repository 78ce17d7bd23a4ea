#include "kernel/launch/report.h"

#include <fmt/format.h>

#include <cstdio>
#include <filesystem>
#include <functional>
#include <string>
#include <utility>

#include "differential/testcase/case_reader.h"
#include "differential/testcase/write_file.h"
#include "isa/catalogue.h"
#include "reports/kernel.h"
#include "reports/report.h"
#include "sanitizer/diagnostics.h"

namespace lanediff::host {
namespace {

void Print(const std::string& text) {
  std::fwrite(text.data(), 1, text.size(), stderr);
}

/// Of findings with a case, what lint tries on it.
void AddRepairs(kernel::RunRecord& record) {
  for (kernel::Finding& finding : record.findings) {
    const isa::Rule* const rule = isa::FindRule(finding.rule);
    if (rule == nullptr || finding.case_path.empty()) continue;
    const auto c = ReadCaseFile(finding.case_path);
    if (c) finding.repair = lint::TriedRepairOf(*c, rule->id);
  }
}

}  // namespace

std::expected<Wanted, std::string> ReadWanted(
    const kernel::Settings& settings) {
  Wanted wanted;
  if (!settings.suppress.empty()) {
    auto read = reports::ReadSuppressions(settings.suppress);
    if (!read) return std::unexpected("--known-issues: " + read.error());
    wanted.suppressions = std::move(*read);
  }
  if (!settings.expect.empty()) {
    auto read = reports::ReadExpectationsFile(settings.expect);
    if (!read) return std::unexpected("--expect: " + read.error());
    wanted.expectations = std::move(*read);
  }
  return wanted;
}

namespace {

/// What is expected of the record, and what is suppressed of it.
void Apply(const Wanted& wanted, const reports::KernelSources& sources,
           kernel::RunRecord& record) {
  using namespace reports;
  if (wanted.suppressions) {
    Suppress(*wanted.suppressions, sources, Today(), record);
  }
  if (wanted.expectations) {
    record.expectation_faults = Unexpected(*wanted.expectations, record);
  }
}

/// Writes the files that were requested; those that can't be are noted in the
/// record. All of them have its status.
void WriteFiles(const reports::KernelSources& sources,
                const std::set<std::string>& compiled,
                kernel::RunRecord& record) {
  using namespace reports;
  const kernel::Settings& to = record.settings;
  const std::pair<std::string, std::function<std::string()>> files[] = {
      {to.json, [&] { return KernelJson(record); }},
      {to.junit, [&] { return ToJunit(ToReport(record, sources)); }},
      {to.sarif, [&] { return ToSarif(ToReport(record, sources)); }},
      {to.html, [&] {
         return ToHtml(ToReport(record, sources.Shown(record, compiled)));
       }}};
  // --html names a folder, which may not be there yet.
  std::error_code ignored;
  if (to.html.ends_with("/index.html")) {
    const std::filesystem::path page(to.html);
    std::filesystem::create_directories(page.parent_path(), ignored);
  }
  std::set<std::string> failed;
  for (bool again = true; again;) {
    again = false;
    for (const auto& [path, make] : files) {
      if (path.empty() || failed.contains(path)) continue;
      const auto written = WriteFile(path, make());
      if (written) continue;
      failed.insert(path);
      const std::string& error = written.error();
      record.unwritten.push_back(path + error.substr(error.rfind(": ")));
      // The written ones have another status.
      again = true;
    }
  }
}

}  // namespace

int Judge(const Wanted& wanted, kernel::RunRecord record) {
  Apply(wanted, reports::ReadSources(record), record);
  return reports::KernelStatus(record);
}

int Report(const Wanted& wanted, kernel::RunRecord& record,
           const std::set<std::string>& compiled) {
  using namespace reports;
  const KernelSources sources = ReadSources(record);
  Apply(wanted, sources, record);
  AddRepairs(record);
  PutRootsFirst(record);
  WriteFiles(sources, compiled, record);
  Print(ToText(ToReport(record, sources)));
  return KernelStatus(record);
}

}  // namespace lanediff::host
