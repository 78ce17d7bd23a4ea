#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "audit/characterize/fold.h"
#include "audit/characterize/probe_runner.h"
#include "differential/testcase/case.h"

namespace lanediff::character {

/// Probes one fold for values, and keeps why there was none.
class Prober {
 public:
  Prober(ProbeRunner& runner, Fold fold)
      : runner_(runner), fold_(std::move(fold)) {}

  const Fold& fold() const { return fold_; }
  ProbeRunner& runner() const { return runner_; }

  /// What the leaves become; nothing where there is no answer. A target without
  /// elementwise calls under a mask is probed by a count.
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
