#include "generators/guided/holes.h"

#include <fmt/format.h>

#include <algorithm>

#include "differential/compare/compare.h"
#include "differential/targets/find_target.h"
#include "differential/targets/target.h"
#include "generators/boundary/sweep.h"
#include "generators/coverage/never.h"
#include "generators/guided/guide.h"

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
  for (std::string_view slug : SweepModules()) Sweep(slug, wanted, stop);
  for (std::string_view slug : SweepModules()) Generate(slug, wanted, stop);
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

bool Fillers::AllFilled(std::string_view slug,
                        const std::vector<Bin>& wanted) const {
  return std::ranges::all_of(wanted, [&](Bin bin) {
    return reached_.Has(bin) || Model::Get(edition_).Module(bin) != slug ||
           WhyNever(bin, edition_).has_value();
  });
}

void Fillers::Sweep(std::string_view slug, const std::vector<Bin>& wanted,
                    const std::function<bool()>& stop) {
  if (AllFilled(slug, wanted)) return;
  ForEachSweepCase(
      slug, [](std::uint64_t) { return true; },
      [&](SweepCase&& swept) {
        const std::size_t before = reached_.count();
        Try(swept.c, [&] {
          return fmt::format("sweep {} {}: {}", slug, swept.number, swept.what);
        });
        if (stop()) return false;
        return before == reached_.count() || !AllFilled(slug, wanted);
      },
      edition_);
}

void Fillers::Generate(std::string_view slug, const std::vector<Bin>& wanted,
                       const std::function<bool()>& stop) {
  if (AllFilled(slug, wanted)) return;
  Guide guide(slug, kSeed, edition_);
  for (std::uint64_t n = 0; n < generated_ && !stop(); ++n) {
    const Case c = guide.Next();
    const Observer observer = Observed(c, edition_);
    guide.Learn(c, observer);
    if (reached_.Add(observer.bins()) == 0) continue;
    for (Bin bin : observer.bins()) {
      fillers_.try_emplace(bin, fmt::format("generated {} {}", slug, n), c);
    }
    if (AllFilled(slug, wanted)) return;
  }
}

std::vector<Bin> Holes(const Reached& reached, std::string_view slug,
                       isa::Edition edition) {
  const Model& model = Model::Get(edition);
  std::vector<Bin> holes;
  for (std::size_t i = 0; i < model.bins(); ++i) {
    const auto bin = static_cast<Bin>(i);
    if (reached.Has(bin)) continue;
    if (slug.empty() || model.Module(bin) == slug) holes.push_back(bin);
  }
  return holes;
}

}  // namespace lanediff::make::coverage
