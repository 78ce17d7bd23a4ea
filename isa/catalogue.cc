#include "isa/catalogue.h"

#include <algorithm>
#include <iterator>

namespace lanediff::isa {
namespace {

std::vector<Rule> BuildCatalogue() {
  std::vector<Rule> all;
  for (auto* section : {&CommonRules, &RepeatReduceSumRules, &MinRules,
                        &DataCopyRules, &TrowprodRules, &VecTransRules}) {
    std::ranges::move(section(), std::back_inserter(all));
  }
  return all;
}

}  // namespace

std::span<const Rule> Catalogue() {
  static const std::vector<Rule> all = BuildCatalogue();
  return all;
}

const Rule* FindRule(std::string_view text) {
  const auto all = Catalogue();
  const auto found = std::ranges::find(
      all, text, [](const Rule& rule) { return rule.id.text(); });
  return found == all.end() ? nullptr : &*found;
}

}  // namespace lanediff::isa
