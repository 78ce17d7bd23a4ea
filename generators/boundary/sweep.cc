#include "generators/boundary/sweep.h"

#include <functional>
#include <vector>

#include "generators/boundary/emitter.h"
#include "generators/boundary/modules.h"

namespace lanediff::make {
namespace {

struct Module {
  std::string_view name;
  std::function<void(sweep::Emitter&)> sweep;
};

/// In the order of the steps' numbers, machine state last.
const std::vector<Module>& Modules() {
  static const std::vector<Module> slugs = [] {
    std::vector<Module> all;
    isa::ForEachIntrinsic([&](const auto& kind) {
      all.push_back({isa::SlugOf(kind), [&kind](sweep::Emitter& out) {
                       sweep::SweepModule(kind, out);
                     }});
    });
    all.push_back({"program", sweep::SweepProgram});
    return all;
  }();
  return slugs;
}

/// How many numbers the module of the emitter's slug has.
std::uint64_t Sweep(sweep::Emitter out) {
  for (const Module& one : Modules()) {
    if (one.name == out.slug()) one.sweep(out);
  }
  return out.count();
}

}  // namespace

std::span<const std::string_view> SweepModules() {
  static const auto names = [] {
    std::vector<std::string_view> all;
    for (const Module& slug : Modules()) all.push_back(slug.name);
    return all;
  }();
  return names;
}

std::uint64_t ForEachSweepCase(std::string_view slug,
                               const WantsSweepCase& wants,
                               const TakesSweepCase& take,
                               isa::Edition edition) {
  return Sweep(sweep::Emitter(slug, wants, take, edition));
}

void ForEachSweepOutline(std::string_view slug,
                         const std::function<void(const SweepOutline&)>& show,
                         isa::Edition edition) {
  Sweep(sweep::Emitter(slug, show, edition));
}

}  // namespace lanediff::make
