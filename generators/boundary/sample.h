#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "differential/records/shard.h"
#include "differential/testcase/case.h"

/// A sample of the systematic cases, for a target that takes long for all of
/// them: some of each rule, spread over all that there are of it.
namespace lanediff::make {

struct Sample {
  std::vector<std::uint64_t> numbers;  ///< ascending
  std::uint64_t not_drawn = 0;         ///< numbers of which no case is made
  SampleSize size;

  bool Holds(std::uint64_t number) const;
};

/// How many cases are made of a systematic one; 0 where none is wanted. Its
/// memories are not there yet.
using CountsCases = std::function<std::uint64_t(const Case&)>;

/// Draws `per_rule` numbers of each rule of `slug`, and of what is at no rule's
/// boundary, from those of which `counts` makes cases; keeps, and counts, those
/// that `shard` holds. Cases for which `concerns` is false do not exist here.
/// The same arguments give the same sample.
Sample DrawSample(std::string_view slug, std::uint64_t per_rule,
                  const Shard& shard, const CountsCases& counts,
                  const std::function<bool(const Case&)>& concerns = {},
                  isa::Edition edition = isa::kNewestEdition);

}  // namespace lanediff::make
