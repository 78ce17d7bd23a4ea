#pragma once

#include <cstddef>
#include <cstdint>
#include <expected>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "differential/compare/known_issues.h"
#include "differential/records/exhaust_state.h"
#include "differential/records/sample_size.h"
#include "differential/records/shard.h"
#include "differential/testcase/json.h"
#include "reports/mutant_record.h"
#include "reports/record.h"

/// What a shard of a run leaves for `lanediff merge`: the document
/// "lanediff-shard/1" (reports/schema/shard.schema.json).
namespace lanediff::reports {

/// A larger file is refused before it is parsed.
inline constexpr std::size_t kMaxShardBytes = std::size_t{256} << 20;

/// What the processes of an audit came to.
struct AuditShard {
  std::uint64_t crashed = 0;
  std::uint64_t hung = 0;
  std::string stopped;
  std::optional<make::SampleSize> sample;
  Json tally = Json(JsonArray{});

  template <class Self, class Visitor>
  static void Fields(Self& a, Visitor& v) {
    v.Required("crashed", a.crashed);
    v.Required("hung", a.hung);
    v.Required("stopped", a.stopped,
               {.description = "why the target was given up; else empty"});
    v.Optional("sample", a.sample,
               {.description = "what its cases are, if they are one"});
    v.Required("tally", a.tally,
               {.description = "sums over its cases, for programs of the same "
                               "version"});
  }
};

/// One shard's result, and what makes it a part of the same run as others.
struct ShardRecord {
  std::string program;  ///< version of lanediff
  std::string verb;
  make::Shard shard;
  /// Whether the shard did all that it had to; one that was interrupted or
  /// could not save something did not.
  bool complete = true;
  std::string day;  ///< on which it ended, YYYY-MM-DD in UTC
  /// What was requested, by option: the same in all shards of one run.
  std::vector<std::pair<std::string, std::string>> options = {};
  /// The folder of results, as it was named; paths of kept cases begin with it.
  std::string out;

  // Of check and fuzz.
  std::vector<diff::KnownIssue> known_issues = {};
  std::set<std::string, std::less<>> occurred = {};  ///< their signatures

  // The result, by verb.
  std::optional<RunRecord> run = {};              ///< check, fuzz, sweep
  std::optional<MutantsRecord> mutants = {};      ///< mutants
  std::vector<make::exhaust::State> states = {};  ///< exhaust
  AuditShard audit = {};                          ///< audit

  /// "sweep.3-of-8.json": by which a folder's shards are found.
  std::string FileName() const;
};

/// Of which shard of which verb a file is that `FileName` named so; nothing if
/// it names none so.
struct ShardName {
  std::string verb;
  make::Shard shard;
};
std::optional<ShardName> ParseShardFileName(std::string_view name);

/// Whether it is one, of `verb` or, where that is empty, of any.
bool IsShardFileName(std::string_view name, std::string_view verb);

std::string ShardJson(const ShardRecord& record);

/// Reads such a document. The error is one line: JSON pointer, what was found
/// and what is allowed.
std::expected<ShardRecord, std::string> ReadShard(std::string_view text);

}  // namespace lanediff::reports
