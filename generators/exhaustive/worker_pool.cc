#include "generators/exhaustive/worker_pool.h"

#include <algorithm>
#include <iterator>
#include <utility>
#include <vector>

#include "generators/in_order.h"

namespace lanediff::make::exhaust {
namespace {

/// Calls that a thread takes at once: enough to share out the work evenly, and
/// few enough for taking them to cost nothing.
std::uint64_t Portion(std::uint64_t calls, std::size_t jobs) {
  return std::clamp<std::uint64_t>(calls / (jobs * 16), 1, 64);
}

Tally Join(std::vector<Tally>& tallies) {
  Tally sum;
  for (Tally& tally : tallies) {
    sum.calls += tally.calls;
    sum.points += tally.points;
    sum.unsupported += tally.unsupported;
    sum.disagree += tally.disagree;
    // No call is in two tallies, so an order of calls is an order of all.
    std::vector<Disagreement> merged;
    std::ranges::merge(sum.shown, tally.shown, std::back_inserter(merged), {},
                       &Disagreement::call, &Disagreement::call);
    sum.shown = std::move(merged);
  }
  diff::SignatureCounts counts;
  std::erase_if(sum.shown, [&](const Disagreement& one) {
    return !counts.Add(one.finding.signature);
  });
  return sum;
}

}  // namespace

WorkerPool::WorkerPool(const Space& space, const diff::Target& target,
                       const diff::Target& reference, std::size_t jobs,
                       isa::Edition edition)
    : target_(target) {
  for (std::size_t i = 0; i < jobs; ++i) {
    walkers_.push_back(space.Open(target, reference, edition));
  }
}

Tally WorkerPool::Run(const Part& part, std::uint64_t begin,
                      std::uint64_t end) {
  const std::uint64_t portion = Portion(end - begin, walkers_.size());
  // A tally for each thread, which then makes cases of the first few
  // disagreements only.
  std::vector<Tally> tallies(walkers_.size());
  ForEach((end - begin + portion - 1) / portion, {.jobs = walkers_.size()},
          [&](std::size_t i, std::size_t worker) {
            const std::uint64_t first = begin + i * portion;
            const std::uint64_t last = std::min(end, first + portion);
            const std::uint64_t ahead = target_.foresight();
            for (std::uint64_t at = first; at < last + ahead; ++at) {
              Walker& walker = *walkers_[worker];
              if (ahead > 0 && at < last) walker.Announce(part.CallAt(at));
              if (at < first + ahead) continue;
              walker.Run(part.CallAt(at - ahead), tallies[worker]);
            }
          });
  return Join(tallies);
}

}  // namespace lanediff::make::exhaust
