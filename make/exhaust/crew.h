#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "case/json.h"
#include "case/record.h"
#include "make/exhaust/space.h"

namespace lanediff::make::exhaust {

/// Those calls in [from, to) of a space that leave `index` when divided by
/// `count`, in ascending order. All parts of the same range are the whole range
/// together, none of it twice.
struct Part {
  std::uint64_t from = 0;
  std::uint64_t to = 0;
  std::uint64_t index = 0;
  std::uint64_t count = 1;  ///< not 0

  /// How many calls it has.
  std::uint64_t size() const;
  /// Its call number `position`, below `size()`.
  std::uint64_t CallAt(std::uint64_t position) const;

  bool operator==(const Part&) const = default;

  /// Whether `index` is not below `count`.
  std::optional<CaseError> Fault() const {
    return NotBelow("/index", index, count);
  }

  template <class Self, class Visitor>
  static void Fields(Self& p, Visitor& v) {
    v.Required("from", p.from, kNotNegative);
    v.Required("to", p.to, kNotNegative);
    v.Required("index", p.index, kNotNegative);
    v.Required("count", p.count, {.low = 1});
  }
};

/// Walkers, one for each thread, that are kept from round to round.
class Crew {
 public:
  /// `space`, `target` and `reference` must outlive it; `jobs` is at least 1.
  Crew(const Space& space, const diff::Target& target,
       const diff::Target& reference, std::size_t jobs,
       isa::Edition edition = isa::kNewestEdition);

  /// Runs positions [begin, end) of `part`. The tally is the same however many
  /// threads there are, unless a target keeps something from call to call.
  Tally Run(const Part& part, std::uint64_t begin, std::uint64_t end);

 private:
  const diff::Target& target_;
  std::vector<std::unique_ptr<Walker>> walkers_;
};

}  // namespace lanediff::make::exhaust
