#include "audit/characterize/leaves.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "audit/characterize/summation_tree_probe.h"

namespace lanediff::character {
namespace {

/// How many twos a product may have and stay in range.
std::size_t GroupOf(const Fold& fold) {
  return fold.dtype == isa::DType::kHalf ? 14 : 100;
}

/// Leaves of `value` from `from` to `to`, neutral ones elsewhere.
std::vector<double> Only(const Fold& fold, std::size_t leaves, std::size_t from,
                         std::size_t to, double value) {
  std::vector<double> all(leaves, NeutralOf(fold));
  std::fill(all.begin() + static_cast<std::ptrdiff_t>(from),
            all.begin() + static_cast<std::ptrdiff_t>(to), value);
  return all;
}

class Counter {
 public:
  Counter(Prober& prober, std::size_t leaves)
      : prober_(prober), leaves_(leaves) {}

  Counted Count() {
    const bool product = prober_.fold().combine == Combine::kProduct;
    const std::size_t group = product ? GroupOf(prober_.fold()) : leaves_;
    counted_.kind = Counted::Kind::kCounted;
    for (std::size_t from = 0; from < leaves_ && going(); from += group) {
      CountGroup(from, std::min(leaves_, from + group));
    }
    return std::move(counted_);
  }

 private:
  bool going() const { return counted_.kind == Counted::Kind::kCounted; }

  /// What comes out if each leaf of a range counts once.
  double Expected(std::size_t from, std::size_t to) const {
    const auto count = static_cast<int>(to - from);
    return prober_.fold().combine == Combine::kProduct ? std::ldexp(1.0, count)
                                                       : count;
  }
  std::optional<double> ProbeRange(std::size_t from, std::size_t to) {
    const double value = prober_.fold().combine == Combine::kProduct ? 2 : 1;
    const auto found =
        prober_.Probe(Only(prober_.fold(), leaves_, from, to, value));
    if (!found) counted_.kind = Counted::Kind::kNoAnswer;
    return found;
  }

  void CountGroup(std::size_t from, std::size_t to) {
    const auto found = ProbeRange(from, to);
    if (!found) return;
    if (*found == Expected(from, to)) {
      for (std::size_t i = from; i < to; ++i) counted_.there.push_back(i);
      return;
    }
    for (std::size_t i = from; i < to && going(); ++i) CountOne(i);
  }

  void CountOne(std::size_t i) {
    const auto found = ProbeRange(i, i + 1);
    if (!found) return;
    if (*found == Expected(i, i + 1)) {
      counted_.there.push_back(i);
    } else if (*found == NeutralOf(prober_.fold())) {
      counted_.lost.push_back(i);
    } else {
      counted_.kind = Counted::Kind::kStrange;
    }
  }

  Prober& prober_;
  std::size_t leaves_;
  Counted counted_;
};

}  // namespace

Counted CountLeaves(Prober& prober, std::size_t leaves) {
  return Counter(prober, leaves).Count();
}

std::string LeavesText(const std::vector<std::size_t>& leaves) {
  std::string text;
  for (std::size_t i = 0; i < leaves.size();) {
    std::size_t end = i + 1;
    while (end < leaves.size() && leaves[end] == leaves[end - 1] + 1) ++end;
    if (!text.empty()) text += ", ";
    text += end - i == 1 ? fmt::format("{}", leaves[i])
                         : fmt::format("{} to {}", leaves[i], leaves[end - 1]);
    i = end;
  }
  return text;
}

}  // namespace lanediff::character
