#include "tools/cli/known_issues.h"

#include <fmt/format.h>

#include <filesystem>

#include "reports/printable.h"

namespace lanediff::cli {

std::expected<std::vector<diff::KnownIssue>, std::string> KnownIssuesOf(
    const std::string& list, const std::vector<std::string>& paths) {
  if (!list.empty()) return diff::ReadKnownIssuesFile(list);
  std::vector<diff::KnownIssue> all;
  for (const std::string& path : paths) {
    const auto file = std::filesystem::path(path) / "known_issues.json";
    std::error_code error;
    if (!std::filesystem::is_directory(path, error) ||
        !std::filesystem::exists(file, error)) {
      continue;
    }
    auto issues = diff::ReadKnownIssuesFile(file.string());
    if (!issues) return std::unexpected(issues.error());
    all.insert(all.end(), issues->begin(), issues->end());
  }
  return all;
}

std::vector<std::string> StaleIssues(const diff::KnownIssueFilter& known,
                                     bool saw_everything) {
  std::vector<std::string> lines = known.Expired(Today());
  if (saw_everything) {
    const auto gone = known.NotOccurred();
    lines.insert(lines.end(), gone.begin(), gone.end());
  }
  return lines;
}

void PrintStaleIssues(const std::vector<std::string>& lines) {
  for (const std::string& line : lines) {
    fmt::print("known issue: {}\n", reports::InOneLine(line));
  }
}

}  // namespace lanediff::cli
