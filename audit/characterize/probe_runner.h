#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "audit/characterize/fold.h"
#include "differential/targets/target.h"
#include "differential/testcase/case.h"
#include "reports/character_record.h"

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

/// An answer before it stands in the record.
struct ProbeResult {
  std::string answer;
  std::string note = {};
  std::vector<Case> cases = {};
  std::uint64_t probes = 0;
};

/// The result of one probe, as far as the reply has no answer.
ProbeResult ResultOf(const Reply& reply);

/// Which question is answered.
struct Topic {
  std::string_view question;
  std::string_view op;
  isa::DType dtype;
  std::string about = {};
  std::size_t length = 0;  ///< of an order: leaves
};

/// Runs probes on one target, by `Target::Run` alone, and keeps what it finds.
class ProbeRunner {
 public:
  /// `goes_on` is called before each probe; false ends the probing.
  ProbeRunner(const diff::Target& target, std::function<bool()> goes_on,
              isa::Edition edition = isa::kNewestEdition);

  const diff::Target& target() const { return target_; }
  const diff::Capabilities& capabilities() const { return capabilities_; }

  /// One probe. A target that crashed or hung too often gets no more probes.
  Reply Run(const Case& c);
  /// The same of a call that breaks a rule: to crash is an answer to it, and
  /// no reason to give the target up soon.
  Reply RunIllegal(const Case& c);

  /// Adds the answer, open to what few have; gives its cases names.
  Answer& Write(const Topic& topic, ProbeResult result);
  /// The answers, and how often it was probed.
  const Character& character() const { return character_; }
  Character Take() { return std::move(character_); }

 private:
  Reply Failed(const diff::NoOutcome& none);

  const diff::Target& target_;
  diff::Capabilities capabilities_;
  std::function<bool()> goes_on_;
  Character character_;
  std::uint64_t hung_ = 0;
  std::uint64_t in_a_row_ = 0;  ///< failures in legal calls
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

  /// The same for an answer of several values, whose cases are kept: NaN where
  /// there is none; `Finish` then states the failure.
  double Value(const std::vector<double>& leaves);
  bool failed() const { return !failure_.empty(); }
  /// `answer`, unless some value for it is missing; counts the probes from its
  /// first value on.
  ProbeResult Finish(std::string answer, std::string note = "");

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
  // Of the answer that is looked for.
  std::optional<std::uint64_t> before_;
  std::vector<Case> cases_;
  std::string failure_;
};

}  // namespace lanediff::character
