#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "diff/finding.h"
#include "diff/pace.h"
#include "isa/vocabulary.h"
#include "reports/changes.h"

namespace lanediff::reports {

/// What became of one case.
enum class Verdict : std::uint8_t {
  kAgree,
  kDisagree,
  kUnsupported,  ///< a side can't do a step; nothing was compared
  kMalformed,    ///< the file is no case, or what was recorded no outcome of it
  kKnown,        ///< it disagrees, in known issues only
};

}  // namespace lanediff::reports

template <>
struct lanediff::isa::Words<lanediff::reports::Verdict> {
  static constexpr std::string_view kWhat = "verdict";
  static constexpr std::array<std::string_view, 5> kSpelling = {
      "agree", "disagree", "unsupported", "malformed", "known"};
};

namespace lanediff::reports {

/// One case of a run.
struct CaseRecord {
  std::string path;
  std::string id;  ///< empty where the file is malformed
  Verdict verdict = Verdict::kAgree;
  std::string error;  ///< of a malformed file: pointer, what was found, allowed
  std::string reason;       ///< of an unsupported case: why, if more is known
  bool unrecorded = false;  ///< unsupported, as nothing was recorded of it
  std::vector<diff::Finding> findings;
  std::string known_reason;  ///< of a known case: why it is accepted, and link
  std::string reproduce;     ///< the command that shows the findings again
  std::uint64_t times = 0;   ///< how often a fuzzer found it; 0: not counted
  std::string what;          ///< of a sweep's case: what it was made for
  std::string room;          ///< of a sweep's case
  /// Among the cases of the run, or of a sweep's room, whichever shard ran it.
  std::uint64_t number = 0;
  std::size_t steps = 0;
  std::int64_t compared_bytes = 0;
  std::uint64_t nodes = 0;
};

/// One fuzz program of a run.
struct FuzzerRecord {
  std::string instruction;
  std::uint64_t seed = 0;
  double seconds = 0;
  std::uint64_t cases = 0;
  std::uint64_t legal = 0;         ///< cases without a rejected step
  std::uint64_t nodes = 0;         ///< arithmetic nodes of legal cases
  std::uint64_t operations = 0;    ///< nodes and elements written, legal cases
  std::uint64_t long_repeats = 0;  ///< legal cases with 64 iterations or more
  std::string build;               ///< "release", or its sanitizers
  diff::Pace pace;
  std::uint64_t findings = 0;  ///< cases that disagreed
  std::uint64_t crashes = 0;   ///< inputs that ended it
  std::string error;           ///< why it ended early, if it did
};

/// One bin of the functional coverage that a run did not reach.
struct HoleRecord {
  std::string bin;
  std::string filler;  ///< a case that reaches it; empty where none is known
  std::string reason;  ///< why no case can; else empty
};

/// The functional coverage of one room.
struct CoverageRecord {
  std::string room;
  std::size_t bins = 0;
  std::size_t reached = 0;
  std::vector<HoleRecord> holes;

  /// Holes that some case could fill.
  std::size_t open() const;
};

/// How often a sweep met one rule.
struct SweptRule {
  isa::RuleId id;
  std::uint64_t alone = 0;     ///< broken, and no other with it
  std::uint64_t together = 0;  ///< broken with others
  std::uint64_t noted = 0;     ///< executed steps that noted it
  std::uint64_t kept = 0;      ///< executed cases made for it

  bool Reached() const { return alone + together + noted + kept > 0; }
};

/// The systematic cases of one instruction.
struct SweepRecord {
  std::string instruction;
  std::uint64_t cases = 0;
  std::uint64_t legal = 0;  ///< executed to the end by the reference
  std::uint64_t rejected = 0;
  std::uint64_t unsupported = 0;
  std::uint64_t disagree = 0;
  std::size_t steps = 0;
  std::int64_t compared_bytes = 0;
  std::uint64_t nodes = 0;
  /// The rules of the instruction, and others that its cases met.
  std::vector<SweptRule> rules;
};

/// Everything that a run did and found. Printers show it and compute nothing.
struct RunRecord {
  std::string verb;
  std::string target;
  /// That the target computes with; empty where it is no emulator. Of several
  /// machines with commas in between.
  std::string vectors;
  std::string reference;
  std::vector<CaseRecord> cases;
  std::vector<FuzzerRecord> fuzzers;
  /// Known issues that have expired or did not occur, a line each.
  std::vector<std::string> stale_issues;
  std::vector<SweepRecord> sweeps;
  std::vector<CoverageRecord> coverage;
  std::optional<RunChanges> changes;  ///< since a baseline, if there is one
  /// Why not all was done, such as "interrupted after 3 of 5 cases"; empty
  /// where all was.
  std::string unfinished;

  // Sums over all that was compared, by verdict. A sweep keeps but a few of its
  // cases in `cases`.
  std::size_t agree = 0;
  std::size_t disagree = 0;
  std::size_t unsupported = 0;
  std::size_t unrecorded = 0;  ///< of the unsupported
  std::size_t malformed = 0;
  std::size_t known = 0;
  std::size_t steps = 0;
  std::int64_t compared_bytes = 0;
  std::uint64_t nodes = 0;

  /// Appends `record` and adds to the sums.
  void Add(CaseRecord record);
  void AddSweep(SweepRecord record);

  /// All that was looked at.
  std::size_t total() const {
    return agree + disagree + known + unsupported + malformed;
  }
};

}  // namespace lanediff::reports
