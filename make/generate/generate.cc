#include "make/generate/generate.h"

#include <algorithm>
#include <stdexcept>
#include <string>
#include <vector>

namespace lanediff::make {

std::span<const Generator> Generators() {
  static const std::vector<Generator> generators = [] {
    std::vector<Generator> all;
    isa::ForEachIntrinsic(
        [&]<class Call>() { all.push_back(GeneratorOf<Call>()); });
    all.push_back(ProgramGenerator());
    return all;
  }();
  return generators;
}

const Generator* FindGenerator(std::string_view room) {
  const auto found = std::ranges::find(Generators(), room, &Generator::room);
  return found == Generators().end() ? nullptr : &*found;
}

Generated Generate(std::string_view room, Random& random, Style style) {
  const Generator* const generator = FindGenerator(room);
  if (generator == nullptr) {
    throw std::invalid_argument("no generator for " + std::string(room));
  }
  return generator->generate(random, {.style = style, .product = {}});
}

}  // namespace lanediff::make
