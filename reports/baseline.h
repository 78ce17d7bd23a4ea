#pragma once

#include <expected>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>

#include "reports/audit_record.h"
#include "reports/changes.h"
#include "reports/mutant_record.h"
#include "reports/record.h"

/// Earlier runs, read from their JSON, and what has changed since. Members
/// that a comparison does not need are not looked at.
namespace lanediff::reports {

/// A larger file is refused before it is parsed.
inline constexpr std::size_t kMaxBaselineBytes = std::size_t{256} << 20;

struct RunBaseline {
  std::string file;
  std::string target;
  std::map<FindingKey, ChangedFinding> findings;
  /// By signature: the cases that showed it, those of known issues left out.
  std::map<std::string, std::set<std::string>> signatures;
};

struct AuditBaseline {
  std::string file;
  std::string target;
  std::map<std::pair<std::string, isa::Product>, audit::Verdict> cells;
  std::map<std::string, audit::Follows> readings;
  /// Bad showings by signature, with the rules that they speak against.
  std::map<std::string, std::set<std::string>> signatures;
};

struct MutantsBaseline {
  std::string file;
  std::map<std::string, bool> found;  ///< by name
};

/// What a run of `verb` left in `file` with --json. Nothing where `file` is
/// empty. The error is one line: file, JSON pointer, what was found and what is
/// allowed; a document of another format or verb is one.
std::expected<std::optional<RunBaseline>, std::string> ReadRunBaseline(
    const std::string& file, std::string_view verb);
/// Likewise of an audit.
std::expected<std::optional<AuditBaseline>, std::string> ReadAuditBaseline(
    const std::string& file);
/// Likewise of a hunt for mutants.
std::expected<std::optional<MutantsBaseline>, std::string> ReadMutantsBaseline(
    const std::string& file);

/// What has changed since. Findings are the same where case and signature are.
RunChanges ChangesSince(const RunBaseline& before, const RunRecord& now);
AuditChanges ChangesSince(const AuditBaseline& before,
                          const audit::AuditRecord& now);
MutantsChanges ChangesSince(const MutantsBaseline& before,
                            const MutantsRecord& now);

}  // namespace lanediff::reports
