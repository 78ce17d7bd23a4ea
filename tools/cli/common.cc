#include "tools/cli/common.h"

#include <fmt/format.h>
#include <sys/resource.h>

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <thread>

#include "differential/compare/keep_finding.h"
#include "differential/testcase/case_reader.h"
#include "differential/testcase/case_writer.h"
#include "reports/printers.h"
#include "reports/report.h"
#include "tools/cli/html.h"
#include "tools/cli/kernel_findings.h"
#include "tools/cli/options.h"
#include "tools/cli/progress.h"

namespace lanediff::cli {
namespace {

namespace fs = std::filesystem;

bool IsCaseName(const fs::path& path) {
  const std::string name = path.filename().string();
  return path.extension() == ".json" && !name.ends_with(".schema.json") &&
         name != "known_issues.json";
}

/// Why an entry of a folder is neither a case nor searched for cases, though it
/// may hold some; empty where it is no such entry.
std::string WhyNoCase(const fs::directory_entry& entry) {
  std::error_code error;
  const fs::file_status status = entry.status(error);  // behind links
  if (entry.is_symlink(error)) {
    if (fs::is_directory(status)) {
      return "is a link to a folder, which is not searched; fix: name the "
             "folder itself as a PATH";
    }
    if (!fs::exists(status)) {
      return "is a link to nothing; expected a file or no link";
    }
  }
  if (!IsCaseName(entry.path()) || fs::is_directory(status) ||
      fs::is_regular_file(status)) {
    return "";
  }
  return "is no regular file; expected a case";
}

void SearchFolder(const std::string& folder, std::vector<CasePath>& found) {
  std::error_code error;
  std::vector<CasePath> files;
  fs::recursive_directory_iterator entry(folder, error);
  while (!error && entry != fs::recursive_directory_iterator()) {
    std::error_code ignored;
    if (std::string why = WhyNoCase(*entry); !why.empty()) {
      files.push_back({entry->path().string(), std::move(why)});
    } else if (IsCaseName(entry->path()) && entry->is_regular_file(ignored)) {
      files.push_back({entry->path().string(), ""});
    }
    entry.increment(error);
  }
  if (error) {
    found.push_back({folder, "can't be searched: " + error.message()});
  } else if (files.empty()) {
    found.push_back({folder, "holds no case; a folder with *.json is allowed"});
  }
  std::ranges::sort(files, {}, &CasePath::path);
  std::ranges::move(files, std::back_inserter(found));
}

/// A thread takes its stack, an arena of the allocator and what a case needs.
constexpr rlim_t kBytesOfAJob = rlim_t{256} << 20;

/// How many jobs the limits of this process have space for, one at least.
std::size_t JobsThatFit() {
  rlim_t bytes = RLIM_INFINITY;
  for (const auto resource : {RLIMIT_AS, RLIMIT_DATA}) {
    rlimit limit{};
    if (getrlimit(resource, &limit) == 0)
      bytes = std::min(bytes, limit.rlim_cur);
  }
  return std::max<std::size_t>(1, bytes / kBytesOfAJob);
}

}  // namespace

int FailUsage(const std::string& message) {
  fmt::print(stderr, "lanediff: {}\n", reports::InOneLine(message));
  return kUsage;
}

void Fail(const std::string& message) { throw Exit{FailUsage(message)}; }

std::vector<CasePath> FindCases(const std::vector<std::string>& paths) {
  const Progress phase(0, "listing cases");
  std::vector<CasePath> found;
  for (const std::string& path : paths) {
    std::error_code error;
    if (fs::is_directory(path, error)) {
      SearchFolder(path, found);
    } else {
      found.push_back({path, ""});
    }
  }
  return found;
}

std::vector<Case> ReadCorpus(const std::string& folder,
                             const std::string& edition,
                             const std::string& product) {
  std::vector<Case> cases;
  for (const CasePath& path : FindCases({folder})) {
    cases.push_back(OrFail(path.error.empty() ? ReadCaseFile(path.path)
                                              : std::unexpected(path.error),
                           "--corpus: " + path.path + ": "));
    ReadAs(edition, cases.back(), product);
  }
  return cases;
}

bool MakeFolder(const std::string& folder, std::string_view option) {
  std::error_code error;
  std::filesystem::create_directories(folder, error);
  if (error) {
    FailUsage("{}{}{}: can't be made: {}", option, option.empty() ? "" : ": ",
              folder, error.message());
  }
  return !error;
}

bool MakeNewFolder(const std::string& out) {
  std::error_code error;
  if (!fs::exists(out, error)) return MakeFolder(out, "--out");
  const bool is_file = !fs::is_directory(out, error);
  if (!is_file && fs::is_empty(out, error)) return true;
  FailUsage("--out: {}: {}", out,
            is_file ? "is a file" : "is not empty; a new folder is needed");
  return false;
}

double SecondsSince(std::chrono::steady_clock::time_point start) {
  const auto passed = std::chrono::steady_clock::now() - start;
  return std::chrono::duration<double>(passed).count();
}

double PerSecond(std::uint64_t count, double seconds) {
  return seconds > 0 ? static_cast<double>(count) / seconds : 0;
}

std::size_t JobsOf(std::int64_t option) {
  const std::size_t requested =
      option > 0 ? static_cast<std::size_t>(option)
                 : std::max(1u, std::thread::hardware_concurrency());
  return std::min(requested, JobsThatFit());
}

bool WriteTo(const std::string& path,
             const std::function<std::string()>& make) {
  if (path.empty()) return true;
  if (path == "-") {
    fmt::print("{}", make());
    return true;
  }
  const auto written = WriteFile(path, make());
  if (!written) FailUsage(written.error());
  return written.has_value();
}

bool IsOldPage(const std::string& html) {
  const bool old = html.ends_with(".html");
  if (old) {
    FailUsage(
        "--html FILE is now --html DIR, which gets index.html; the older "
        "spelling is read for one version");
  }
  return old;
}

bool WriteReports(const reports::RunRecord& record, const ReportFiles& files,
                  int status, const ExaminedCases* examined) {
  const bool json =
      WriteTo(files.json, [&] { return reports::RunJson(record); });
  const bool junit =
      WriteTo(files.junit, [&] { return ToJunit(ToReport(record, status)); });
  const bool sarif =
      WriteTo(files.sarif, [&] { return ToSarif(ToReport(record, status)); });
  const bool html = WriteRunHtml(
      files.html, record, examined != nullptr ? *examined : ExaminedCases());
  return json && junit && sarif && html;
}

namespace {

/// Lines of cases on a screen.
constexpr std::size_t kRows = 30;

}  // namespace

void CaseLines::Add(bool is_well, std::string text) {
  if (is_well && IsQuiet()) return;
  Lines& lines = is_well && !IsVerbose() ? well_ : others_;
  ++lines.count;
  if (IsVerbose() || lines.kept.size() < kRows) {
    lines.kept.push_back(std::move(text));
  }
}

void CaseLines::Add(const reports::CaseRecord& record) {
  Add(record.findings.empty() && record.error.empty(),
      (record.what.empty() ? "" : reports::InOneLine(record.what) + "\n") +
          reports::CaseText(record));
}

std::string CaseLines::Text() const {
  std::string text;
  std::size_t rows = 0;
  const auto add = [&](const Lines& lines, std::string_view which) {
    std::uint64_t printed = 0;
    for (const std::string& one : lines.kept) {
      rows += static_cast<std::size_t>(std::ranges::count(one, '\n'));
      if (!IsVerbose() && !text.empty() && rows > kRows) break;
      text += one;
      ++printed;
    }
    if (printed == lines.count) return;
    text += fmt::format("and {} {}, which --verbose prints\n",
                        Counted(lines.count - printed, thing_), which);
  };
  add(others_, "with findings or errors");
  add(well_, "without");
  return text;
}

void PrintRun(reports::RunRecord& run, const CaseLines& lines,
              const std::string& details,
              const std::optional<reports::RunBaseline>& baseline) {
  if (baseline) run.changes = reports::ChangesSince(*baseline, run);
  fmt::print("{}{}{}", reports::HeadlineText(run), lines.Text(), details);
  PrintStaleIssues(run.stale_issues);
  if (!run.changes) return;
  fmt::print("{}", ToText(reports::ChangesSection(*run.changes)));
}

std::string Reproduce(const std::string& path, const std::string& target,
                      const std::string& reference) {
  return diff::CheckCommand(ShellWord(path),
                            target == "emulator" ? "" : ShellWord(target),
                            reference == "oracle" ? "" : ShellWord(reference));
}

std::string ReproduceLintDifference(const std::string& path) {
  return "lanediff lint --compare " + ShellWord(path);
}

std::string FindingsBelow(const std::string& out) {
  return (fs::path(out) / "findings").string();
}

}  // namespace lanediff::cli
