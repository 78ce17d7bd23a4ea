#include "diff/known_issues.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <chrono>
#include <optional>

#include "case/case_reader.h"
#include "case/record_json.h"
#include "diff/signature.h"

namespace lanediff::diff {
namespace {

/// The number that `digits` are; -1 if they are something else.
int Number(std::string_view digits) {
  int value = 0;
  for (char c : digits) {
    if (c < '0' || c > '9') return -1;
    value = value * 10 + (c - '0');
  }
  return value;
}

bool IsDay(std::string_view text) {
  if (text.size() != 10 || text[4] != '-' || text[7] != '-') return false;
  const int year = Number(text.substr(0, 4));
  const int month = Number(text.substr(5, 2));
  const int day = Number(text.substr(8, 2));
  if (year < 0 || month < 0 || day < 0) return false;
  return std::chrono::year_month_day(
             std::chrono::year(year),
             std::chrono::month(static_cast<unsigned>(month)),
             std::chrono::day(static_cast<unsigned>(day)))
      .ok();
}

struct Document {
  std::vector<KnownIssue> issues;

  /// Whether a signature stands there twice.
  std::optional<CaseError> Fault() const {
    for (auto issue = issues.begin(); issue != issues.end(); ++issue) {
      const auto same =
          std::find_if(issues.begin(), issue, [&](const KnownIssue& other) {
            return other.signature == issue->signature;
          });
      if (same == issue) continue;
      return CaseError{
          fmt::format("/issues/{}", issue - issues.begin()),
          fmt::format("the signature of issue {} stands there once more; one "
                      "entry for each is allowed",
                      same - issues.begin())};
    }
    return std::nullopt;
  }

  template <class Self, class Visitor>
  static void Fields(Self& d, Visitor& v) {
    v.Format(kKnownIssuesFormat);
    v.Required("issues", d.issues);
  }
};

}  // namespace

std::string NoLine(const std::string& text) {
  if (!text.empty() && text.find('\n') == std::string::npos) return "";
  return fmt::format("found \"{}\"; one line of text is allowed", Quote(text));
}

std::string NoSignature(const std::string& text) {
  if (text.starts_with("lint/")) return NoLintSignature(text);
  const auto signature = ParseSignature(text);
  return signature ? "" : signature.error();
}

std::string NoDay(const std::string& text) {
  if (IsDay(text)) return "";
  return fmt::format(
      "found \"{}\"; a day of the calendar, YYYY-MM-DD, is allowed",
      Quote(text));
}

std::expected<std::vector<KnownIssue>, CaseError> ReadKnownIssues(
    std::string_view text) {
  auto document = ReadDocument<Document>(text);
  if (!document) return std::unexpected(document.error());
  return std::move(document->issues);
}

std::expected<std::vector<KnownIssue>, std::string> ReadKnownIssuesFile(
    const std::string& path) {
  const auto text = ReadFile(path);
  if (!text) return std::unexpected(path + ": " + text.error());
  auto issues = ReadKnownIssues(*text);
  if (!issues) {
    return std::unexpected(path + ": " + LineOf(issues.error()));
  }
  for (KnownIssue& issue : *issues) issue.file = path;
  return std::move(*issues);
}

std::string Today() {
  const std::chrono::year_month_day day(
      std::chrono::floor<std::chrono::days>(std::chrono::system_clock::now()));
  return fmt::format("{:04}-{:02}-{:02}", static_cast<int>(day.year()),
                     static_cast<unsigned>(day.month()),
                     static_cast<unsigned>(day.day()));
}

KnownIssueFilter::KnownIssueFilter(std::vector<KnownIssue> issues, Of of)
    : issues_(std::move(issues)) {
  std::erase_if(issues_, [&](const KnownIssue& issue) {
    return IsLintSignature(issue.signature) != (of == Of::kLint);
  });
}

bool KnownIssueFilter::AllKnown(std::span<const Finding> findings) {
  bool all = !findings.empty();
  for (const Finding& finding : findings) {
    if (const KnownIssue* const issue = Find(finding.signature)) {
      occurred_.insert(issue->signature);
    } else {
      all = false;
    }
  }
  return all;
}

const KnownIssue* KnownIssueFilter::Find(std::string_view signature) const {
  for (std::string_view one : {signature, WithoutForm(signature)}) {
    const auto found = std::ranges::find(issues_, one, &KnownIssue::signature);
    if (found != issues_.end()) return &*found;
  }
  return nullptr;
}

std::vector<std::string> KnownIssueFilter::Expired(
    std::string_view today) const {
  std::vector<std::string> lines;
  for (const KnownIssue& issue : issues_) {
    if (today <= issue.expires) continue;
    lines.push_back(fmt::format(
        "{}: {} expired: accepted until {}, today is {}; correct the defect, "
        "or give it a later day ({})",
        issue.file, issue.signature, issue.expires, today, issue.link));
  }
  return lines;
}

std::vector<std::string> KnownIssueFilter::NotOccurred() const {
  std::vector<std::string> lines;
  for (const KnownIssue& issue : issues_) {
    if (occurred_.contains(issue.signature)) continue;
    lines.push_back(fmt::format(
        "{}: {} did not occur in this run; remove the entry if the defect is "
        "gone ({})",
        issue.file, issue.signature, issue.link));
  }
  return lines;
}

}  // namespace lanediff::diff
