#pragma once

#include <expected>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "differential/targets/target.h"

/// Kinds of targets, each with a file of its own and a row in the one table.
namespace lanediff::diff {

using FoundTarget = std::expected<const Target*, std::string>;

/// A kind of targets, distinguished by how their names begin.
struct TargetKind {
  /// What the names begin with; one that ends with ":" takes an argument. No
  /// kind's is the beginning of another's.
  std::string_view prefix;
  /// How its names are spelt, and in one line what they mean. Empty where
  /// `listed` names all there are.
  std::string_view usage;
  std::string_view description;
  /// The target called `name`, which begins with the prefix and lives as long
  /// as the process. The error is one line. May be called from several threads.
  FoundTarget (*find)(std::string_view name);
  /// Those that can be named without an argument; null where there are none.
  std::vector<const Target*> (*listed)() = nullptr;
};

/// All kinds, in the order in which they are listed.
std::span<const TargetKind> TargetKinds();

/// Those of all kinds that can be named without an argument.
std::vector<const Target*> ListedTargets();

/// The error for a name that nothing is called: it lists what there is.
std::unexpected<std::string> NoSuchTarget(std::string_view name);

}  // namespace lanediff::diff
