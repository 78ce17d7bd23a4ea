#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "audit/characterize/asker.h"
#include "audit/characterize/fold.h"
#include "differential/testcase/case.h"

namespace lanediff::character {

/// Asks one fold for values, and keeps why there was none.
class Prober {
 public:
  Prober(Asker& asker, Fold fold) : asker_(asker), fold_(std::move(fold)) {}

  const Fold& fold() const { return fold_; }
  Asker& asker() const { return asker_; }

  /// What the leaves become; nothing where there is no answer. Who doesn't
  /// support an elementwise call under a mask is asked by a count.
  std::optional<double> Ask(std::span<const double> leaves);
  std::optional<double> Ask(std::initializer_list<double> leaves) {
    return Ask(std::span<const double>(leaves.begin(), leaves.size()));
  }
  /// Why the last one had no answer; empty if it had.
  const std::string& why() const { return why_; }
  /// The case of the last one, with what was found in its note.
  Case Shown() const;
  std::uint64_t probes() const { return probes_; }

 private:
  /// Asks for `leaves_` in the form of the fold.
  std::optional<double> AskSo();

  Asker& asker_;
  Fold fold_;
  std::uint64_t probes_ = 0;
  std::vector<double> leaves_;
  std::string found_;
  std::string why_;
  bool unsupported_ = false;
};

}  // namespace lanediff::character
