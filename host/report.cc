#include "host/report.h"

#include <fmt/format.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <string>
#include <utility>

#include "case/case_reader.h"
#include "isa/catalogue.h"
#include "lint/tell.h"
#include "reports/kernel.h"
#include "reports/kernel_status.h"

namespace lanediff::host {
namespace {

void Print(const std::string& text) {
  std::fwrite(text.data(), 1, text.size(), stderr);
}

/// A report that was asked for.
class File {
 public:
  /// Opens it, if there is a path; `record` is told where it can't be.
  File(std::string path, kernel::RunRecord& record)
      : path_(std::move(path)), record_(record) {
    if (path_.empty()) return;
    file_ = std::fopen(path_.c_str(), "wb");
    if (file_ == nullptr) Object();
  }
  File(const File&) = delete;
  File& operator=(const File&) = delete;

  /// Writes what `make` makes, if there is a path.
  template <class Make>
  void Write(Make make) {
    if (file_ == nullptr) return;
    const std::string text = make();
    bool written =
        std::fwrite(text.data(), 1, text.size(), file_) == text.size();
    written = std::fclose(file_) == 0 && written;
    if (!written) Object();
  }

 private:
  void Object() {
    record_.unwritten.push_back(
        fmt::format("{}: {}", path_, std::strerror(errno)));
  }

  std::string path_;
  kernel::RunRecord& record_;
  std::FILE* file_ = nullptr;
};

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
    if (!read) return std::unexpected("--suppress: " + read.error());
    wanted.suppressions = std::move(*read);
  }
  if (!settings.expect.empty()) {
    auto read = reports::ReadExpectationsFile(settings.expect);
    if (!read) return std::unexpected("--expect: " + read.error());
    wanted.expectations = std::move(*read);
  }
  return wanted;
}

int Report(const Wanted& wanted, kernel::RunRecord& record) {
  using namespace reports;
  const KernelSources sources = ReadSources(record);
  if (wanted.suppressions) {
    Suppress(*wanted.suppressions, sources, Today(), record);
  }
  if (wanted.expectations) {
    record.expectation_faults = Unexpected(*wanted.expectations, record);
  }
  AddRepairs(record);
  // All are opened before the first is written, which has the status.
  const kernel::Settings& to = record.settings;
  File json(to.json, record);
  File junit(to.junit, record);
  File sarif(to.sarif, record);
  File html(to.html, record);
  json.Write([&] { return KernelJson(record); });
  junit.Write([&] { return KernelJunit(record); });
  sarif.Write([&] { return KernelSarif(record, sources); });
  html.Write([&] { return KernelHtml(record, sources); });
  Print(KernelBasisText(record) + KernelFirstLine(record.settings));
  Print(KernelText(record));
  return KernelStatus(record);
}

}  // namespace lanediff::host
