#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "differential/testcase/content_hash.h"
#include "generators/exhaustive/pair_space.h"
#include "generators/exhaustive/parameter_spaces.h"
#include "generators/exhaustive/space.h"

namespace lanediff::make::exhaust {

const std::vector<std::unique_ptr<Space>>& Spaces() {
  static const std::vector<std::unique_ptr<Space>> spaces = [] {
    std::vector<std::unique_ptr<Space>> list;
    for (auto& space : PairSpaces()) list.push_back(std::move(space));
    isa::ForEachIntrinsic(
        [&]<class Call>() { list.push_back(ParametersOf<Call>()); });
    return list;
  }();
  return spaces;
}

const Space* FindSpace(std::string_view name) {
  const auto& spaces = Spaces();
  const auto found = std::ranges::find_if(
      spaces, [&](const auto& space) { return space->name() == name; });
  return found == spaces.end() ? nullptr : found->get();
}

std::string VersionOf(const Space& space) {
  const std::string text =
      fmt::format("{} {} {} {}", space.name(), space.calls(), space.points(),
                  fmt::join(space.Bounds(), "\n"));
  return TextHash(text);
}

}  // namespace lanediff::make::exhaust
