#pragma once

#include <cstddef>
#include <cstdint>
#include <expected>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "differential/testcase/record.h"

/// What a campaign keeps of the document of one run.
namespace lanediff::campaign {

/// A larger case is not kept with a finding.
inline constexpr std::size_t kMaxKeptCaseBytes = std::size_t{1} << 20;

/// How a run showed one finding.
struct Sighting {
  std::string signature = {};
  std::uint64_t times = 0;  ///< cases that show it, or how often a fuzzer did
  std::string known = {};   ///< why it is accepted; empty: it is not
  // Of the smallest case: fewest steps, then nodes, then the first path.
  std::string message = {};
  /// Its id; of a case of fuzz or exhaust that was not found the signature or
  /// the path; empty: unknown.
  std::string case_name = {};
  std::string path = {};
  std::string reproduce = {};
  std::uint64_t steps = 0;
  std::uint64_t nodes = 0;
  std::string case_text = {};  ///< the document, where it was found; else empty
  std::string case_digest = {};

  static void Fields(auto& s, auto& v) {
    LANEDIFF_REQUIRED(v, s.signature, s.times, s.known, s.message);
    v.Required("case", s.case_name);
    LANEDIFF_REQUIRED(v, s.path, s.reproduce, s.steps, s.nodes);
    v.Required("text", s.case_text);
    v.Required("digest", s.case_digest);
  }
};

/// How many cases a run compared of an instruction.
struct Compared {
  std::string instruction = {};
  std::optional<std::uint64_t> cases = {};  ///< absent: it compared none
  /// No evidence of silence: of sweep, exhaust and audit cases that were not
  /// compared, as the target does not claim or take them or only legal ones
  /// were requested, of an audit at each instruction those of all; of fuzz
  /// those of programs that ended early.
  std::uint64_t left_out = 0;

  static void Fields(auto& c, auto& v) {
    v.Required("instruction", c.instruction);
    LANEDIFF_OPTIONAL(v, c.cases, c.left_out);
  }
};

/// What fuzz programs of one instruction and build did.
struct Rate {
  std::string instruction = {};
  std::string build = {};
  std::uint64_t microseconds = 0;
  std::uint64_t cases = 0;
  std::uint64_t legal = 0;
  std::uint64_t nodes = 0;
  std::uint64_t findings = 0;

  static void Fields(auto& r, auto& v) {
    LANEDIFF_REQUIRED(v, r.instruction, r.build, r.microseconds, r.cases,
                      r.legal, r.nodes, r.findings);
  }
};

/// The functional coverage that fuzzing reached of an instruction.
struct Coverage {
  std::string instruction = {};
  std::uint64_t bins = 0;
  std::uint64_t never = 0;              ///< of them, that no case can reach
  std::vector<std::string> holes = {};  ///< not reached

  static void Fields(auto& c, auto& v) {
    LANEDIFF_REQUIRED(v, c.instruction, c.bins, c.never, c.holes);
  }
};

/// What a run left out although it looked at an instruction.
struct Scope {
  std::uint64_t sample = 0;  ///< cases of each rule, at most; 0: all there are
  bool legal_only = false;   ///< what the documents refuse was left out
  /// Of the documents, by which cases were judged; several with commas in
  /// between; empty: the newest alone.
  std::string edition = {};
  std::set<std::string> only = {};  ///< products, spaces: no other; empty: all

  static void Fields(auto& s, auto& v) {
    LANEDIFF_REQUIRED(v, s.sample, s.legal_only, s.edition, s.only);
  }
};

/// Whether a run of `scope` looked at all that one of `other` did.
bool Covers(const Scope& scope, const Scope& other);

struct Document {
  std::string date = {};
  std::string commit = {};  ///< of what was tested; empty: unknown
  std::string verb = {};
  std::string target = {};
  std::string reference = {};
  Scope scope = {};
  std::string unfinished = {};  ///< why not all was done; empty: all was
  std::uint64_t cases = 0;      ///< that were looked at
  std::uint64_t nodes = 0;
  double seconds = 0;                             ///< 0: unknown
  std::map<std::string, Sighting> findings = {};  ///< by signature
  std::map<std::string, Compared> compared = {};  ///< by instruction
  std::map<std::pair<std::string, std::string>, Rate> rates = {};
  std::vector<Coverage> coverage = {};
  /// `CaseHash` of each compared case of check and hunted mutant.
  std::string case_hashes = {};
  std::string digest = {};  ///< of all its bytes

  /// For the database (add.cc).
  static void Fields(auto& d, auto& v) {
    const auto values = [](const auto& map) {
      std::vector<typename std::remove_cvref_t<decltype(map)>::mapped_type> all;
      for (const auto& [key, value] : map) all.push_back(value);
      return all;
    };
    LANEDIFF_REQUIRED(v, d.date, d.commit, d.verb, d.target, d.reference,
                      d.scope, d.unfinished, d.cases, d.nodes, d.seconds,
                      d.case_hashes, d.digest);
    v.Derived("findings", [&] { return values(d.findings); });
    v.Derived("compared", [&] { return values(d.compared); });
    v.Derived("rate", [&] { return values(d.rates); });
    v.Required("coverage", d.coverage);
  }
};

/// Sixteen hex digits, by which a run keeps a case that it compared.
std::string CaseHash(std::string_view id);

/// "run", if `file` begins as a report of that kind does, in any version;
/// nothing where it doesn't. The error, one line, is the reason why it can't be
/// read.
std::expected<std::optional<std::string>, std::string> KindOf(
    const std::string& file);

/// Whether a campaign keeps reports of this kind.
bool IsKept(std::string_view kind);

/// Reads a report of a kind that is kept. The error is one line, without
/// the file's name: where, what was found, what is allowed.
std::expected<Document, std::string> ReadDocumentOf(const std::string& file);

/// Whether `text` matches `diff::kSignatureText`.
bool IsSignature(std::string_view text);

/// The second word of a signature.
std::string InstructionIn(std::string_view signature);

}  // namespace lanediff::campaign
