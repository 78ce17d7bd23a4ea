#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "differential/testcase/case.h"
#include "isa/rule.h"

/// Systematic cases: both sides of every rule's boundary, alone and with
/// another broken rule; special values through every node; and every pair of
/// parameter classes. Nothing is random: the same build gives the same cases.
namespace lanediff::make {

/// An integer field at a value worth looking at.
struct FieldPoint {
  std::string field;  ///< the document's name
  std::int64_t value;
};

struct SweepCase {
  /// In its instruction. Numbers ascend; not every number has a case.
  std::uint64_t number = 0;
  /// "family: which of it".
  std::string what;
  /// Whose boundary it is at, on either side; none for combinations.
  std::optional<isa::RuleId> rule;
  /// The field that is at a boundary of `rule`, all else being legal.
  std::optional<FieldPoint> point;
  /// Its `id` holds instruction and number, its `note` is `what`.
  Case c;
};

/// The folders of the corpus for which there are cases: one for each
/// instruction, and "program" for machine state.
std::span<const std::string_view> SweepModules();

/// Whether the case of this number is to be made. Unwanted numbers
/// cost nothing but the counting, so that a shard is cheap.
using WantsSweepCase = std::function<bool(std::uint64_t)>;
/// Takes a case; false where it wants no more.
using TakesSweepCase = std::function<bool(SweepCase&&)>;

/// Makes the cases of `slug`, one of `SweepModules()`, in ascending order, and
/// hands over those that are wanted. Returns how many numbers the instruction
/// has. All are of edition 2024 if that is `edition`; else of the newest, but
/// for those that show where the older one differs.
std::uint64_t ForEachSweepCase(std::string_view slug,
                               const WantsSweepCase& wants,
                               const TakesSweepCase& take,
                               isa::Edition edition = isa::kNewestEdition);

/// What a case is before its memories are there, which take the most time.
struct SweepOutline {
  std::uint64_t number;
  std::optional<isa::RuleId> rule;  ///< see `SweepCase`
  const Case& c;                    ///< its product and program
};

/// Shows all cases of `slug` in ascending order.
void ForEachSweepOutline(std::string_view slug,
                         const std::function<void(const SweepOutline&)>& show,
                         isa::Edition edition = isa::kNewestEdition);

}  // namespace lanediff::make
