#include "make/exhaust/crew.h"

#include <algorithm>
#include <atomic>
#include <exception>
#include <iterator>
#include <system_error>
#include <thread>

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
  if (sum.shown.size() > kMaxShown) sum.shown.resize(kMaxShown);
  return sum;
}

}  // namespace

std::uint64_t Part::size() const {
  const auto below = [&](std::uint64_t end) {
    return end / count + (end % count > index ? 1 : 0);
  };
  return to > from ? below(to) - below(from) : 0;
}

std::uint64_t Part::CallAt(std::uint64_t position) const {
  const std::uint64_t rest = (index + count - from % count) % count;
  return from + rest + position * count;
}

Crew::Crew(const Space& space, const diff::Target& target,
           const diff::Target& reference, std::size_t jobs) {
  for (std::size_t i = 0; i < jobs; ++i) {
    walkers_.push_back(space.Open(target, reference));
  }
}

Tally Crew::Run(const Part& part, std::uint64_t begin, std::uint64_t end) {
  const std::uint64_t portion = Portion(end - begin, walkers_.size());
  std::atomic<std::uint64_t> next = begin;
  std::vector<Tally> tallies(walkers_.size());
  std::vector<std::exception_ptr> failures(walkers_.size());
  const auto work = [&](std::size_t worker) {
    try {
      for (std::uint64_t first = next.fetch_add(portion); first < end;
           first = next.fetch_add(portion)) {
        const std::uint64_t last = std::min(end, first + portion);
        for (std::uint64_t i = first; i < last; ++i) {
          walkers_[worker]->Run(part.CallAt(i), tallies[worker]);
        }
      }
    } catch (...) {
      failures[worker] = std::current_exception();
    }
  };
  std::vector<std::jthread> threads;
  for (std::size_t i = 1; i < walkers_.size(); ++i) {
    try {
      threads.emplace_back(work, i);
    } catch (const std::system_error&) {
      break;  // no more are to be had; fewer do it, too
    }
  }
  work(0);
  threads.clear();  // joins them
  for (const std::exception_ptr& failure : failures) {
    if (failure) std::rethrow_exception(failure);
  }
  return Join(tallies);
}

}  // namespace lanediff::make::exhaust
