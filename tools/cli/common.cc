#include "tools/cli/common.h"

#include <fmt/format.h>
#include <sys/resource.h>

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <thread>

#include "differential/compare/keep_finding.h"
#include "differential/testcase/case_writer.h"
#include "reports/printers.h"
#include "reports/report.h"
#include "tools/cli/html.h"
#include "tools/cli/options.h"

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

std::vector<CasePath> FindCases(const std::vector<std::string>& paths) {
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

bool MakeFolder(const std::string& folder) {
  std::error_code error;
  std::filesystem::create_directories(folder, error);
  if (error) FailUsage(folder + ": can't be made: " + error.message());
  return !error;
}

bool MakeNewFolder(const std::string& out) {
  std::error_code error;
  std::string wrong;
  if (fs::exists(out, error) && !fs::is_directory(out, error)) {
    wrong = "is a file";
  } else if (fs::is_directory(out, error) && !fs::is_empty(out, error)) {
    wrong = "is not empty; a new folder is needed";
  } else {
    fs::create_directories(out, error);
    if (error) wrong = "can't be made: " + error.message();
  }
  if (!wrong.empty()) FailUsage(fmt::format("--out: {}: {}", out, wrong));
  return wrong.empty();
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
  const auto written = WriteFile(path, make());
  if (!written) FailUsage(written.error());
  return written.has_value();
}

bool WriteOrPrint(const std::string& path,
                  const std::function<std::string()>& make) {
  if (path != "-") return WriteTo(path, make);
  fmt::print("{}", make());
  return true;
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

bool CaseLines::Take(bool is_well) {
  constexpr std::uint64_t kOnAScreen = 20;
  Lines& lines = is_well ? well_ : others_;
  if (!lines.on) return false;
  const bool printed = IsVerbose() || lines.printed < kOnAScreen;
  ++(printed ? lines.printed : lines.left);
  return printed;
}

void CaseLines::Print(const reports::CaseRecord& record) {
  if (!Take(record.findings.empty() && record.error.empty())) return;
  if (!record.what.empty()) fmt::print("{}\n", reports::InOneLine(record.what));
  fmt::print("{}", reports::CaseText(record));
}

void CaseLines::PrintRest(std::string_view thing) const {
  if (others_.left > 0) {
    fmt::print("and {} with findings or errors, which --verbose prints\n",
               reports::Counted(others_.left, thing));
  }
  if (well_.left > 0) {
    fmt::print("and {} without, which --verbose prints\n",
               reports::Counted(well_.left, thing));
  }
}

void PrintChanges(const std::optional<reports::RunBaseline>& baseline,
                  reports::RunRecord& record) {
  if (!baseline) return;
  record.changes = reports::ChangesSince(*baseline, record);
  fmt::print("{}", reports::ChangesText(*record.changes));
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
