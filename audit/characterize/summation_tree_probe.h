#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <random>
#include <tuple>
#include <utility>
#include <vector>

#include "audit/characterize/probe_runner.h"
#include "audit/characterize/tree.h"

namespace lanediff::character {

/// What a probe of three leaves showed.
enum class Meeting : std::uint8_t {
  kFirst,     ///< i and j meet before either meets k
  kNotFirst,  ///< they don't
  kStrange,   ///< no tree gives such a value
  kNoAnswer,
};

/// Finds which of three leaves meet first.
///
/// Of a sum: M, -M and one that M swallows. It survives exactly if M and -M
/// meet before it joins either; whatever the rounding, and of all accumulators
/// whose significand is shorter than M is above it.
///
/// Of a product: twice a number whose square is too large, and its inverse.
/// The product overflows exactly if the two meet before the inverse joins
/// either: it is infinite, or, where halves saturate, too small.
class SummationTreeProbe {
 public:
  /// Of `all` leaves those at `places` are probed, by their number in that
  /// list; the others always have the neutral value.
  SummationTreeProbe(Prober& prober, std::size_t all,
                     std::vector<std::size_t> places)
      : prober_(prober), all_(all), places_(std::move(places)) {}

  Meeting Query(const Triple& triple);
  /// Whether a second probe has the same answer as the first.
  bool IsRepeatable(const Triple& triple);

  Prober& prober() { return prober_; }
  std::size_t leaves() const { return places_.size(); }
  /// All leaves of a probe in which the leaves at `places` have these values.
  std::vector<double> Spread(const std::vector<double>& values) const;
  const std::map<std::tuple<std::size_t, std::size_t, std::size_t>, Meeting>&
  known() const {
    return known_;
  }
  /// The cases of the first queried triples.
  const std::vector<Case>& shown() const { return shown_; }

 private:
  Meeting RunProbe(const Triple& triple);
  void Show(const Triple& triple, Meeting meeting);

  Prober& prober_;
  std::size_t all_;
  std::vector<std::size_t> places_;
  std::map<std::tuple<std::size_t, std::size_t, std::size_t>, Meeting> known_;
  std::vector<Case> shown_;
};

/// The tree of a sum or a product, leaf by leaf: each is searched in the tree
/// of those before it, a node that splits the rest being probed first. About 2
/// n log n probes. Nothing where answers fit no tree.
std::optional<Tree> RevealByTriples(SummationTreeProbe& probe);

/// The neutral value of a fold.
double NeutralOf(const Fold& fold);

/// Chooses among leaves; the same in every run.
class Chooser {
 public:
  std::size_t operator()(std::size_t count) { return random_() % count; }

 private:
  std::minstd_rand random_{20411};
};

}  // namespace lanediff::character
