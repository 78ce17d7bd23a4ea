#pragma once

#include <cstdint>
#include <expected>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>

#include "differential/records/shard.h"
#include "tools/history/scope.h"

/// What a campaign keeps of one document: of a run's JSON, or of a shard's.
namespace lanediff::campaign {

/// A larger case is not kept with a finding.
inline constexpr std::size_t kMaxKeptCaseBytes = std::size_t{1} << 20;

/// How one part of a run showed one finding.
struct Sighting {
  std::uint64_t times = 0;  ///< cases that show it, or how often a fuzzer did
  std::string known = {};   ///< why it is accepted; empty: it is not
  // Of the smallest case: fewest steps, then nodes, then the first path.
  std::string message = {};
  /// Its id; of a case of fuzz or exhaust that was not found the signature or
  /// the path; empty: unknown.
  std::string case_name = {};
  std::string document_name = {};  ///< in the document, as are the next two
  std::string path = {};
  std::string reproduce = {};
  std::uint64_t steps = 0;
  std::uint64_t nodes = 0;
  std::string case_text = {};  ///< the document, where it was found; else empty
};

/// Kind of figure ("compared", "rate", "coverage"), instruction, and build.
using FigureKey = std::tuple<std::string, std::string, std::string>;

struct Part {
  std::string file = {};  ///< as it was named
  std::string verb = {};
  std::string target = {};
  std::string reference = {};
  std::string program = {};  ///< version of lanediff; empty: unknown
  std::string day = {};      ///< on which it ended; empty: unknown
  bool sharded = false;      ///< it is a shard's own document
  make::Shard shard = {};    ///< the whole where it is none
  std::string options = {};  ///< and known issues: the same in all shards
  Scope scope = {};
  std::string unfinished = {};  ///< why not all was done; empty: all was
  std::uint64_t cases = 0;      ///< that were looked at
  std::uint64_t steps = 0;
  std::uint64_t compared_bytes = 0;
  std::uint64_t nodes = 0;
  double seconds = 0;                             ///< 0: unknown
  std::map<std::string, Sighting> findings = {};  ///< by signature
  /// By name, as the table `figure` has them (tools/history/schema.cc).
  /// "leftOut" is no evidence of silence: of sweep, exhaust and audit cases
  /// that were not compared, as the target does not claim or take them or only
  /// legal ones were requested, of an audit at each instruction those of all;
  /// of fuzz those of programs that ended early.
  std::map<FigureKey, std::map<std::string, std::uint64_t>> figures = {};
  /// Bins that were not reached, sorted, by instruction.
  std::map<std::string, std::vector<std::string>> holes = {};
  /// Of check: `CaseHash` of those compared, sorted.
  std::vector<std::uint64_t> case_hashes = {};
};

/// The hash that a run of check stores for each compared case.
std::uint64_t CaseHash(std::string_view id);

/// "lanediff-run/1", if `file` begins as a document of ours does; nothing where
/// it doesn't. The error, one line, is the reason why it can't be read.
std::expected<std::optional<std::string>, std::string> FormatOf(
    const std::string& file);

/// Whether a campaign keeps documents of this format, in any version.
bool IsKept(std::string_view format);

/// Reads a document of such a format. Memory follows the number of different
/// findings and instructions; of check also eight bytes for each case. The
/// error is one line, without the file's name: where, what was found, what is
/// allowed.
std::expected<Part, std::string> ReadPart(const std::string& file);

/// Hex digits that depend on a part's contents without its file's name, paths
/// and duration.
std::string DigestOf(const Part& part);

}  // namespace lanediff::campaign
