#include "differential/compare/known_issues.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <optional>

#include "differential/compare/signature.h"
#include "differential/testcase/case_reader.h"
#include "differential/testcase/record_json.h"

namespace lanediff::diff {
namespace {

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

  static void Fields(auto& d, auto& v) {
    v.Format(kKnownIssuesFormat);
    v.Required("issues", d.issues);
  }
};

}  // namespace

std::string NoSignature(const std::string& text) {
  if (text.starts_with("lint/")) return NoLintSignature(text);
  const auto signature = ParseSignature(text);
  return signature ? "" : signature.error();
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
