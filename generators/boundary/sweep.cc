#include "generators/boundary/sweep.h"

#include <vector>

#include "generators/boundary/emitter.h"
#include "generators/boundary/modules.h"
#include "isa/step.h"

namespace lanediff::make {
namespace {

constexpr std::string_view kProgram = "program";

void SweepRow(sweep::Emitter& out, const isa::Signature& row) {
  switch (row.family) {
    case isa::Family::kLanewise:
      return sweep::SweepLanewise(out, row);
    case isa::Family::kReduction:
      return sweep::SweepReduction(out, row);
    case isa::Family::kCopy:
      return sweep::SweepCopy(out, row);
    case isa::Family::kTranspose:
      return sweep::SweepTranspose(out, row);
    case isa::Family::kTile:
      return sweep::SweepTiles(out, row);
  }
}

/// How many numbers the module of the emitter's slug has.
std::uint64_t Sweep(sweep::Emitter out) {
  for (const isa::Signature& row : isa::kSignatures) {
    if (row.slug == out.slug()) SweepRow(out, row);
  }
  if (out.slug() == kProgram) sweep::SweepProgram(out);
  return out.count();
}

}  // namespace

/// In the order of the steps' numbers, machine state last.
std::span<const std::string_view> SweepModules() {
  static const auto names = [] {
    std::vector<std::string_view> all;
    for (const isa::Call& kind : isa::CallKinds()) {
      all.push_back(kind.signature->slug);
    }
    all.push_back(kProgram);
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
