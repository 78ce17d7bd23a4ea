#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "case/case.h"
#include "lint/hazard.h"

namespace lanediff::lint {

/// A change that was tried and takes away a hazard: flags and barriers that the
/// product does not have, or whose event, id or pipe is another one than was
/// meant, and bytes that nothing wrote.
struct HazardRepair {
  struct Change {
    std::size_t step = 0;
    std::string field;
    std::variant<std::int64_t, std::string> from;
    std::variant<std::int64_t, std::string> to;
    bool operator==(const Change&) const = default;
  };
  /// One value; of a flag that the product does not have or of a pair that
  /// orders nothing, of every step of it; event and id where both are wrong.
  std::vector<Change> changes;
  /// Else what the memory must hold before the program.
  struct Written {
    isa::Memory memory = isa::Memory::kUb;
    std::int64_t at = 0;
    std::int64_t bytes = 0;
    bool operator==(const Written&) const = default;
  };
  std::vector<Written> written;
  /// Else the step of another finding: with that one this one is gone.
  std::optional<std::size_t> follows_from;
  std::string text;

  bool operator==(const HazardRepair&) const = default;
};

inline constexpr std::string_view kNoHazardRepair =
    "no change of one value takes this away";

/// By the hazard's place in `Verdict::hazards`; none: looked for, none found.
using HazardRepairs = std::map<std::size_t, std::optional<HazardRepair>>;

/// Whether the hazard lacks no call, so that a change is all there can be.
bool IsForRepair(const Hazard& hazard);

/// Whether a changed flag or barrier may take the hazard away: races, and
/// hazards of flags and barriers.
bool IsOfWords(const Hazard& hazard);

/// The nearest one: the hazard is gone with it, all hazards are fewer, and no
/// more steps are rejected. `verdict` is what `Lint` says of `c`, `hazard` one
/// of its hazards. None if there is none in reach.
std::optional<HazardRepair> FindHazardRepair(const Case& c,
                                             const Verdict& verdict,
                                             const Hazard& hazard);

/// Of the first hazards that are wanted and for which there may be one, what
/// was found. A hazard that lacks a call is in it only if a repair was found,
/// of itself or of another hazard with which it goes.
HazardRepairs FindHazardRepairs(
    const Case& c, const Verdict& verdict,
    bool (*is_wanted)(const Hazard&) = [](const Hazard&) { return true; });

/// As `c` was, if the repair has no changes and nothing to write.
Case Repaired(const Case& c, const HazardRepair& repair);

}  // namespace lanediff::lint
