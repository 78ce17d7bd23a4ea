#include "generators/random/generate.h"

#include <algorithm>
#include <stdexcept>
#include <string>
#include <vector>

namespace lanediff::make {

Generator GeneratorOf(const isa::Call& blank) {
  const isa::Signature& row = *blank.signature;
  switch (row.family) {
    case isa::Family::kLanewise:
      return LanewiseGenerator(row);
    case isa::Family::kReduction:
      return ReductionGenerator(row);
    case isa::Family::kCopy:
      return CopyGenerator(row);
    case isa::Family::kTranspose:
      return TransposeGenerator(row);
    case isa::Family::kBroadcast:
      return BroadcastGenerator(row);
    case isa::Family::kTile:
      break;
  }
  return TileGenerator(row);
}

std::span<const Generator> Generators() {
  static const std::vector<Generator> generators = [] {
    std::vector<Generator> all;
    for (const isa::Call& kind : isa::CallKinds()) {
      all.push_back(GeneratorOf(kind));
    }
    all.push_back(ProgramGenerator());
    return all;
  }();
  return generators;
}

const Generator* FindGenerator(std::string_view slug) {
  const auto found = std::ranges::find(Generators(), slug, &Generator::slug);
  return found == Generators().end() ? nullptr : &*found;
}

Generated GenerateWithin(const Generator& generator, Random& random,
                         const Plan& plan) {
  constexpr int kTries = 2000;
  Generated generated = generator.generate(random, plan);
  for (int i = 0; i < kTries && plan.can != nullptr &&
                  diff::BeyondCapabilities(generated.c, *plan.can);
       ++i) {
    generated = generator.generate(random, plan);
  }
  if (plan.edition == isa::Edition::k2024) {
    generated.c.edition = plan.edition;
  }
  return generated;
}

Generated Generate(std::string_view slug, Random& random, Style style,
                   const diff::Capabilities* can, isa::Edition edition) {
  const Generator* const generator = FindGenerator(slug);
  if (generator == nullptr) {
    throw std::invalid_argument("no generator for " + std::string(slug));
  }
  return GenerateWithin(
      *generator, random,
      {.style = style, .product = {}, .can = can, .edition = edition});
}

}  // namespace lanediff::make
