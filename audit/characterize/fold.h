#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "differential/targets/capabilities.h"
#include "differential/testcase/case.h"
#include "isa/signature.h"
#include "isa/vocabulary.h"

namespace lanediff::character {

/// What two values become at a node.
enum class Combine : std::uint8_t {
  kSum,
  kDifference,
  kProduct,
  kMinimum,
  kMaximum,
  kOther,  ///< no probe of arithmetic speaks of it
};

/// One way in which a target makes one value of several, its leaves: lanes of
/// an iteration, columns of a row, or the sources of an element and the scalar.
struct Fold {
  std::string_view op;  ///< the instruction's name; it has a row
  Combine combine = Combine::kSum;
  isa::DType dtype = isa::DType::kHalf;
  isa::Product product = isa::Product::kAtlasA2;
  isa::Edition edition = isa::kNewestEdition;
  std::optional<isa::Order> order;  ///< requested; of TROWPROD
  bool saturation = true;           ///< else it is switched off before
  /// The lane of each leaf, ascending; empty: the first ones. Of sums.
  std::vector<std::size_t> lanes;

  /// Of the lane-wise: probed by a count, for targets without a mask form.
  bool by_count = false;

  isa::Family family() const { return isa::FindSignature(op)->family; }
  /// How many leaves there can be.
  std::size_t least() const;
  std::size_t most() const;
  bool takes(std::size_t leaves) const {
    return least() <= leaves && leaves <= most();
  }
  /// Whether it combines any number of leaves.
  bool reduces() const { return family() != isa::Family::kLanewise; }
  /// Whether the first leaf is an element of an operand.
  bool has_source() const;
};

/// The instructions that are probed.
std::vector<std::string_view> FoldOps();

/// The folds of an instruction, one for each type that it has; of TROWPROD
/// without an order.
std::vector<Fold> FoldsOf(std::string_view op, const diff::Capabilities& can,
                          isa::Edition edition = isa::kNewestEdition);

/// The case that combines `leaves`, at most `fold.most()`.
Case CaseOf(const Fold& fold, std::span<const double> leaves);

/// Where in UB the result goes, in bytes: a DataBlock of its own, with another
/// one before it.
std::int64_t ResultPlace();

/// What the case left as a result.
double ResultOf(const Fold& fold, std::span<const std::uint8_t> ub);

}  // namespace lanediff::character
