#include "generators/guided/hunter.h"

#include <numeric>
#include <utility>

namespace lanediff::make {

Hunter::Hunter(std::span<const diff::Target* const> targets,
               const diff::Target& reference, std::uint64_t budget)
    : reference_(reference),
      budget_(budget),
      left_(targets.begin(), targets.end()),
      places_(targets.size()),
      results_(targets.size()) {
  std::iota(places_.begin(), places_.end(), std::size_t{0});
}

void Hunter::Try(const Case& c, const diff::StepObserver& observer) {
  ++tried_;
  auto comparisons = diff::CompareCase(c, left_, reference_, observer);
  std::size_t kept = 0;
  for (std::size_t i = 0; i < left_.size(); ++i) {
    if (comparisons[i].findings.empty()) {
      left_[kept] = left_[i];
      places_[kept++] = places_[i];
      continue;
    }
    results_[places_[i]] = {
        .found_after = tried_,
        .finding = std::move(comparisons[i].findings.front())};
  }
  left_.resize(kept);
  places_.resize(kept);
}

}  // namespace lanediff::make
