#include "fuzz/subject.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

#include "generators/random/generate.h"

namespace lanediff::fuzz {
namespace {

constexpr std::string_view kPrefix = "lanediff-fuzz-";

std::string& TheModule() {
  static std::string slug;
  return slug;
}

}  // namespace

std::string_view Module() { return TheModule(); }

void SetModule(std::string_view program) {
  const std::string_view name = program.substr(program.rfind('/') + 1);
  std::string_view slug = OwnModule();
  if (slug.empty() && name.starts_with(kPrefix)) {
    slug = name.substr(kPrefix.size());
  }
  std::vector<std::string_view> slugs;
  for (const make::Generator& one : make::Generators()) {
    slugs.push_back(one.slug);
  }
  if (std::ranges::find(slugs, slug) == slugs.end()) {
    fmt::print(stderr,
               "lanediff-fuzz: started as \"{}\"; expected {}INSTRUCTION with "
               "INSTRUCTION one of {}\n",
               name, kPrefix, fmt::join(slugs, ", "));
    std::_Exit(2);
  }
  TheModule() = slug;
}

}  // namespace lanediff::fuzz
