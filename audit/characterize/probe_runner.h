#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "audit/characterize/fold.h"
#include "differential/targets/target.h"
#include "differential/testcase/case.h"

namespace lanediff::character {

/// What a target made of one probe.
struct Reply {
  enum class Kind : std::uint8_t {
    kExecuted,
    kRejected,
    kUnsupported,  ///< by its outcome or its capabilities
    kCrashed,      ///< it ended, or broke the protocol
    kHung,
    kNotReported,  ///< the outcome lacks the queried memory
    kNotProbed,    ///< it was given up, or the run was interrupted
  };

  Kind kind = Kind::kNotProbed;
  Outcome outcome;  ///< of one that was executed or rejected
  std::string why;  ///< where there is none, one line

  bool executed() const { return kind == Kind::kExecuted; }
};

/// "rejects a legal call", …: what stands in the place of an answer.
std::string WhyNoAnswer(const Reply& reply);

/// Runs probes on one target, by `Target::Run` alone, and counts.
class ProbeRunner {
 public:
  /// `goes_on` is called before each probe; false ends the probing.
  ProbeRunner(const diff::Target& target, std::function<bool()> goes_on);

  const diff::Target& target() const { return target_; }
  const diff::Capabilities& capabilities() const { return capabilities_; }

  /// One probe. A target that crashed or hung too often gets no more probes.
  Reply Run(const Case& c);
  /// The same of a call that breaks a rule: to crash is an answer to it, and
  /// no reason to give the target up soon.
  Reply RunIllegal(const Case& c);

  std::uint64_t probes() const { return probes_; }
  std::uint64_t executed() const { return executed_; }
  std::uint64_t rejected() const { return rejected_; }
  /// How often it crashed, hung or broke the protocol.
  std::uint64_t failures() const { return failures_; }
  bool gave_up() const { return gave_up_; }
  bool interrupted() const { return interrupted_; }

 private:
  Reply Failed(const diff::NoOutcome& none);

  const diff::Target& target_;
  diff::Capabilities capabilities_;
  std::function<bool()> goes_on_;
  std::uint64_t probes_ = 0;
  std::uint64_t executed_ = 0;
  std::uint64_t rejected_ = 0;
  std::uint64_t failures_ = 0;
  std::uint64_t hung_ = 0;
  std::uint64_t in_a_row_ = 0;  ///< failures in legal calls
  bool gave_up_ = false;
  bool interrupted_ = false;
};

/// The bytes of `memory` after a case that lists all it holds, none as a
/// series.
std::vector<std::uint8_t> MemoryAfter(const Case& c, const Outcome& outcome,
                                      isa::Memory memory);

/// Probes one fold for values, and keeps why there was none.
class Prober {
 public:
  Prober(ProbeRunner& runner, Fold fold)
      : runner_(runner), fold_(std::move(fold)) {}

  const Fold& fold() const { return fold_; }
  ProbeRunner& runner() const { return runner_; }

  /// What the leaves become; nothing where there is no answer. A target without
  /// lane-wise calls under a mask is probed by a count.
  std::optional<double> Probe(std::span<const double> leaves);
  std::optional<double> Probe(std::initializer_list<double> leaves) {
    return Probe(std::span<const double>(leaves.begin(), leaves.size()));
  }
  /// Why the last one had no answer; empty if it had.
  const std::string& why() const { return why_; }
  /// The case of the last one, with what was found in its note.
  Case Shown() const;
  std::uint64_t probes() const { return probes_; }

 private:
  /// Probes `leaves_` in the form of the fold.
  std::optional<double> ProbeOnce();

  ProbeRunner& runner_;
  Fold fold_;
  std::uint64_t probes_ = 0;
  std::vector<double> leaves_;
  std::string found_;
  std::string why_;
  bool unsupported_ = false;
};

}  // namespace lanediff::character
