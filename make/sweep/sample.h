#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "case/case.h"
#include "case/record.h"
#include "make/shard.h"

/// A sample of the systematic cases, for a target that takes long for all of
/// them: some of each rule, spread over all that there are of it.
namespace lanediff::make {

/// How large a sample is, and of how many cases it was drawn.
struct SampleSize {
  std::uint64_t per_rule = 0;  ///< numbers of a rule in a room, at most
  std::uint64_t cases = 0;
  std::uint64_t of = 0;
  bool meant = false;  ///< --sample: it is enough

  /// Whether cases are missing, and --sample is.
  bool IsTooSmall() const { return cases < of && !meant; }

  /// Adds another part of the same sample.
  void Add(const SampleSize& more) {
    per_rule = more.per_rule;
    cases += more.cases;
    of += more.of;
    meant = more.meant;
  }

  friend bool operator==(const SampleSize&, const SampleSize&) = default;

  template <class Self, class Visitor>
  static void Fields(Self& s, Visitor& v) {
    v.Required("perRule", s.per_rule,
               {.description = "at most so many systematic cases of each rule "
                               "of an instruction, and as many of none"});
    v.Required("cases", s.cases, {.description = "in the sample"});
    v.Required("of", s.of, {.description = "so many there are"});
    v.Optional("meant", s.meant,
               {.description = "--sample: less than all is enough"});
  }
};

/// "a sample of 3 of 40 cases (7.5 %)".
std::string SampleText(const SampleSize& size);

struct Sample {
  std::vector<std::uint64_t> numbers;  ///< ascending
  std::uint64_t not_asked = 0;         ///< numbers of which no case is made
  SampleSize size;

  bool Holds(std::uint64_t number) const;
};

/// How many cases are made of a systematic one; 0 where it is not asked. Its
/// memories are not there yet.
using CountsCases = std::function<std::uint64_t(const Case&)>;

/// Draws `per_rule` numbers of each rule of `room`, and of what is at no rule's
/// boundary, from those of which `counts` makes cases; keeps, and counts, those
/// that `shard` holds. Cases for which `concerns` is false do not exist here.
/// The same arguments give the same sample.
Sample DrawSample(std::string_view room, std::uint64_t per_rule,
                  const Shard& shard, const CountsCases& counts,
                  const std::function<bool(const Case&)>& concerns = {},
                  isa::Edition edition = isa::kNewestEdition);

}  // namespace lanediff::make
