#include "fuzz/favourites.h"

#include <algorithm>
#include <cstdint>
#include <deque>
#include <limits>
#include <utility>

#include "fuzz/guidance.h"

namespace lanediff::fuzz {
namespace {

/// Share of the cases that are varied favourites; and of these, how many are
/// picked without a reason.
constexpr int kPercent = 60;
constexpr int kPercentAny = 20;
/// One is varied so often: about 16 fields, each with 256 values, eight times.
constexpr std::uint32_t kTries = 32768;
constexpr std::size_t kMost = 64;
/// So much rarer has to be what an illegal case reached.
constexpr std::uint64_t kIllegalWeight = 8;

struct Favourite {
  Case c;
  std::vector<std::size_t> places;
  bool legal = false;
  std::uint32_t tries = 0;

  /// How often its rarest place was looked at: by cases that came by, and by
  /// its own variations, which may miss it.
  std::uint64_t Looked() const {
    std::uint64_t fewest = std::numeric_limits<std::uint32_t>::max();
    for (const std::size_t place : places) {
      fewest = std::min(fewest, VisitsOf(place));
    }
    return (fewest + tries) * (legal ? 1 : kIllegalWeight);
  }
};

std::deque<Favourite>& All() {
  static std::deque<Favourite> all;
  return all;
}

}  // namespace

void AddFavourite(const Case& c, std::vector<std::size_t> places, bool legal) {
  if (c.program.empty() || places.empty()) return;
  if (All().size() == kMost) All().pop_front();
  All().push_back({c, std::move(places), legal});
}

const Case* NextFavourite(make::Random& random) {
  auto& all = All();
  std::erase_if(all, [](const Favourite& one) { return one.tries == kTries; });
  if (all.empty() || !random.Percent(kPercent)) return nullptr;
  auto one = std::ranges::min_element(all, {}, &Favourite::Looked);
  if (random.Percent(kPercentAny)) {
    one = all.begin() +
          random.Between(0, static_cast<std::int64_t>(all.size()) - 1);
  }
  ++one->tries;
  return &one->c;
}

}  // namespace lanediff::fuzz
