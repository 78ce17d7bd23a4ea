#include "generators/boundary/sample.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <utility>

#include "generators/boundary/sweep.h"
#include "generators/random.h"

namespace lanediff::make {
namespace {

/// A number of an instruction, and how many cases are made of it.
using Counted = std::pair<std::uint64_t, std::uint64_t>;

/// `most` of `all`, one from each of as many equal parts. Which one is left to
/// chance, as what lies at equal distances may be of one kind.
std::vector<Counted> Spread(const std::vector<Counted>& all,
                            std::uint64_t most) {
  if (all.size() <= most) return all;
  std::vector<Counted> some;
  Random random(all.size());
  for (std::uint64_t part = 0; part < most; ++part) {
    const std::uint64_t begin = part * all.size() / most;
    const std::uint64_t end = (part + 1) * all.size() / most;
    some.push_back(all[static_cast<std::size_t>(
        random.Between(static_cast<std::int64_t>(begin),
                       static_cast<std::int64_t>(end - 1)))]);
  }
  return some;
}

}  // namespace

bool Sample::Holds(std::uint64_t number) const {
  return std::ranges::binary_search(numbers, number);
}

Sample DrawSample(std::string_view slug, std::uint64_t per_rule,
                  const Shard& shard, const CountsCases& counts,
                  const std::function<bool(const Case&)>& concerns,
                  isa::Edition edition) {
  std::map<std::string_view, std::vector<Counted>> rules;
  Sample sample;
  sample.size.per_rule = per_rule;
  const auto show = [&](const SweepOutline& outline) {
    if (concerns && !concerns(outline.c)) return;
    const std::uint64_t cases = counts(outline.c);
    if (cases == 0) {
      sample.not_drawn += shard.Holds(outline.number);
      return;
    }
    const auto rule = outline.rule ? outline.rule->text() : "";
    rules[rule].emplace_back(outline.number, cases);
    if (shard.Holds(outline.number)) sample.size.of += cases;
  };
  ForEachSweepOutline(slug, show, edition);
  for (const auto& [rule, all] : rules) {
    for (const auto& [number, cases] : Spread(all, per_rule)) {
      if (!shard.Holds(number)) continue;
      sample.numbers.push_back(number);
      sample.size.cases += cases;
    }
  }
  std::ranges::sort(sample.numbers);
  return sample;
}

}  // namespace lanediff::make
