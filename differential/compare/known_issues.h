#pragma once

#include <cstdint>
#include <expected>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "differential/compare/finding.h"
#include "differential/testcase/case_error.h"
#include "differential/testcase/record.h"

/// Defects that are known and accepted for a time, so that a run reports new
/// ones only. Document `lanediff-known-issues/1`, docs/known-issues.md.
namespace lanediff::diff {

inline constexpr std::string_view kKnownIssuesFormat =
    "lanediff-known-issues/1";

/// Why a text is none, in one line; empty if it is one.
std::string NoSignature(const std::string& text);

struct KnownIssue {
  std::string signature;  ///< differential/compare/signature.h
  std::string reason;     ///< why it is accepted, one line
  std::string link;       ///< where it is followed up
  std::string expires;    ///< the last day on which it is accepted, YYYY-MM-DD
  std::string file;       ///< from which it was read; empty if from text

  bool operator==(const KnownIssue&) const = default;

  static void Fields(auto& i, auto& v) {
    v.Required("signature", i.signature,
               {.description = kSignatureText.description,
                .pattern = kSignatureText.pattern,
                .check = NoSignature});
    v.Required("reason", i.reason, {.filled = true, .check = NoLine});
    v.Required("link", i.link, {.filled = true, .check = NoLine});
    v.Required("expires", i.expires,
               {.description = "the last day on which it is accepted, in UTC",
                .pattern = kDayPattern,
                .check = NoDay});
  }
};

/// Reads one document. Strict as the reader of cases: unknown, missing,
/// repeated or empty fields, days that no calendar has and signatures that
/// stand there twice are errors that name their JSON pointer.
std::expected<std::vector<KnownIssue>, CaseError> ReadKnownIssues(
    std::string_view text);

/// The issues in `path`; the error is one line "path: pointer: message".
std::expected<std::vector<KnownIssue>, std::string> ReadKnownIssuesFile(
    const std::string& path);

/// A list of known issues on its way through a run.
class KnownIssueFilter {
 public:
  /// Of a list that may also speak of what others find: lint's entries are
  /// left out, or all but them.
  enum class Of : std::uint8_t { kCompared, kLint };
  explicit KnownIssueFilter(std::vector<KnownIssue> issues,
                            Of of = Of::kCompared);

  /// Whether there are findings and all of them are known. Notes which issues
  /// occurred, also where an unknown finding stands beside them.
  bool AllKnown(std::span<const Finding> findings);

  /// The issue with this signature, else the one without its form, which means
  /// every form; null if there is none.
  const KnownIssue* Find(std::string_view signature) const;

  /// As if a finding with this signature had been seen.
  void MarkOccurred(std::string signature) {
    occurred_.insert(std::move(signature));
  }

  const std::vector<KnownIssue>& issues() const { return issues_; }
  const std::set<std::string, std::less<>>& occurred() const {
    return occurred_;
  }

  /// One line for each issue whose last day is before `today`.
  std::vector<std::string> Expired(std::string_view today) const;

  /// One line for each issue that did not occur: for runs that look at
  /// everything there is, such as a replay of a whole corpus.
  std::vector<std::string> NotOccurred() const;

 private:
  std::vector<KnownIssue> issues_;
  std::set<std::string, std::less<>> occurred_;
};

}  // namespace lanediff::diff
