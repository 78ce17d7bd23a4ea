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

/// A change that was tried and takes away a hazard for which no call is
/// missing: flags and barriers that the product does not have, and bytes that
/// nothing wrote.
struct HazardRepair {
  struct Change {
    std::size_t step = 0;
    std::string field;
    std::variant<std::int64_t, std::string> from;
    std::variant<std::int64_t, std::string> to;
    bool operator==(const Change&) const = default;
  };
  /// One value of the hazard's step; of a flag, of every step that has it.
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

/// Whether `FindHazardRepair` is for this hazard.
bool IsForRepair(const Hazard& hazard);

/// The nearest one: the hazard is gone with it, all hazards are fewer, and no
/// more steps are rejected. `verdict` is what `Lint` says of `c`, `hazard` one
/// of its hazards. None if there is none in reach.
std::optional<HazardRepair> FindHazardRepair(const Case& c,
                                             const Verdict& verdict,
                                             const Hazard& hazard);

/// Of the first hazards that are wanted and for which there may be one, by
/// their place in `verdict.hazards`, what was found.
std::map<std::size_t, std::optional<HazardRepair>> FindHazardRepairs(
    const Case& c, const Verdict& verdict,
    bool (*is_wanted)(const Hazard&) = IsForRepair);

/// As `c` was, if the repair has no changes and nothing to write.
Case Repaired(const Case& c, const HazardRepair& repair);

}  // namespace lanediff::lint
