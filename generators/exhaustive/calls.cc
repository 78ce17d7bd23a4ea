#include "generators/exhaustive/calls.h"

#include <algorithm>

#include "differential/compare/compare.h"

namespace lanediff::make::exhaust {

CallSource::CallSource(const Space& space, const Part& part,
                       std::uint64_t first, std::size_t jobs,
                       isa::Edition edition)
    : space_(space),
      part_(part),
      first_(first),
      // Enough parts to share out the work evenly, and few enough for their
      // order to cost nothing.
      portion_(std::clamp<std::uint64_t>(size() / (jobs * 16), 1, 64)),
      edition_(edition) {}

std::size_t CallSource::parts() const {
  return (size() + portion_ - 1) / portion_;
}

std::uint64_t CallSource::CallsIn(std::size_t part) const {
  return std::min(portion_, size() - part * portion_);
}

void CallSource::Produce(std::size_t part,
                         const std::function<bool(std::uint64_t&&)>& take) {
  const std::uint64_t begin = first_ + part * portion_;
  for (std::uint64_t i = 0; i < CallsIn(part); ++i) {
    if (!take(part_.CallAt(begin + i))) return;
  }
}

void CallSource::Announce(const std::uint64_t& call, const diff::Target& target,
                          const diff::Target& reference) const {
  // The sessions of a space of pairs stay open from call to call.
  if (space_.calls() != space_.points()) return;
  Case c = space_.CaseAt(call);
  c.edition = edition_;
  diff::AnnounceCase(c, target, reference);
}

CallSink::CallSink(const Space& space, const diff::Target& target,
                   const diff::Target& reference, std::size_t jobs,
                   isa::Edition edition) {
  for (std::size_t i = 0; i < jobs; ++i) {
    walkers_.push_back(space.Open(target, reference, edition));
  }
}

bool CallSink::Compare(std::uint64_t&& call, std::size_t worker,
                       ComparedCalls& result) {
  Tally& tally = result.tally;
  const Tally before = {tally.calls,    tally.points, tally.unsupported,
                        tally.disagree, tally.open,   {}};
  const auto shown = static_cast<std::ptrdiff_t>(tally.shown.size());
  try {
    walkers_[worker]->Run(call, tally);
  } catch (...) {  // what it added counts for nothing
    auto kept = std::move(tally.shown);
    kept.erase(kept.begin() + shown, kept.end());
    tally = before;
    tally.shown = std::move(kept);
    throw;
  }
  found += tally.disagree - before.disagree;
  ++result.calls;
  return true;
}

}  // namespace lanediff::make::exhaust
