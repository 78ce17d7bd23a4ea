#include "make/hunt/holes.h"

#include <fmt/format.h>

#include <algorithm>

#include "diff/compare.h"
#include "diff/target.h"
#include "diff/targets/find_target.h"
#include "make/coverage/never.h"
#include "make/hunt/guide.h"
#include "make/sweep/sweep.h"

namespace lanediff::make::coverage {
namespace {

constexpr std::uint64_t kSeed = 1;

/// Bins are reached by what the reference does; nothing is held against it.
Observer Observed(const Case& c, isa::Edition edition) {
  Observer observer(c, edition);
  diff::CompareCase(c, std::span<const diff::Target* const>(),
                    **diff::FindTarget("oracle"), std::ref(observer));
  return observer;
}

}  // namespace

void Fillers::Find(const std::vector<Bin>& wanted,
                   const std::function<bool()>& stop) {
  if (!corpus_tried_) {
    for (const Known& known : corpus_) {
      if (stop()) return;
      Try(known.c, [&] { return "corpus " + known.path; });
    }
    corpus_tried_ = true;
  }
  for (std::string_view room : SweepRooms()) Sweep(room, wanted, stop);
  for (std::string_view room : SweepRooms()) Generate(room, wanted, stop);
}

const Filler* Fillers::Of(Bin bin) const {
  const auto found = fillers_.find(bin);
  return found == fillers_.end() ? nullptr : &found->second;
}

void Fillers::Try(const Case& c, const std::function<std::string()>& what) {
  const Observer observer = Observed(c, edition_);
  for (Bin bin : observer.bins()) {
    if (reached_.Add({bin}) > 0) fillers_.emplace(bin, Filler{what(), c});
  }
}

bool Fillers::AllFilled(std::string_view room,
                        const std::vector<Bin>& wanted) const {
  return std::ranges::all_of(wanted, [&](Bin bin) {
    return reached_.Has(bin) || Model::Get(edition_).Room(bin) != room ||
           WhyNever(bin, edition_).has_value();
  });
}

void Fillers::Sweep(std::string_view room, const std::vector<Bin>& wanted,
                    const std::function<bool()>& stop) {
  if (AllFilled(room, wanted)) return;
  ForEachSweepCase(
      room, [](std::uint64_t) { return true; },
      [&](SweepCase&& swept) {
        const std::size_t before = reached_.count();
        Try(swept.c, [&] {
          return fmt::format("sweep {} {}: {}", room, swept.number, swept.what);
        });
        if (stop()) return false;
        return before == reached_.count() || !AllFilled(room, wanted);
      },
      edition_);
}

void Fillers::Generate(std::string_view room, const std::vector<Bin>& wanted,
                       const std::function<bool()>& stop) {
  if (AllFilled(room, wanted)) return;
  Guide guide(room, kSeed, edition_);
  for (std::uint64_t n = 0; n < generated_ && !stop(); ++n) {
    const Case c = guide.Next();
    const Observer observer = Observed(c, edition_);
    guide.Learn(c, observer);
    if (reached_.Add(observer.bins()) == 0) continue;
    for (Bin bin : observer.bins()) {
      fillers_.try_emplace(bin, fmt::format("generated {} {}", room, n), c);
    }
    if (AllFilled(room, wanted)) return;
  }
}

std::vector<Bin> Holes(const Reached& reached, std::string_view room,
                       isa::Edition edition) {
  const Model& model = Model::Get(edition);
  std::vector<Bin> holes;
  for (std::size_t i = 0; i < model.bins(); ++i) {
    const auto bin = static_cast<Bin>(i);
    if (reached.Has(bin)) continue;
    if (room.empty() || model.Room(bin) == room) holes.push_back(bin);
  }
  return holes;
}

}  // namespace lanediff::make::coverage
