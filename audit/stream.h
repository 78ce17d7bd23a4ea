#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <string_view>

#include "generators/boundary/sweep.h"
#include "isa/vocabulary.h"

/// The cases of an audit: those of the sweep (generators/boundary), each on
/// every product that has the instruction. Nothing is random and nothing
/// depends on the target, so that a number means the same case in every audit.
namespace lanediff::audit {

/// With which the id of each case begins.
inline constexpr std::string_view kIdFolder = "audit";

/// One case of the sweep on one product.
struct AuditCase {
  std::string_view slug;     ///< one of `SweepModules()`
  std::uint64_t number = 0;  ///< in the sweep of its instruction
  bool moved = false;        ///< to a product that the sweep does not try it on
  /// Its case has the id "audit/SLUG/NUMBER/PRODUCT".
  make::SweepCase swept;
};

/// Takes a case; false where it wants no more.
using TakesAuditCase = std::function<bool(AuditCase&&)>;

/// Makes the cases of those numbers of `slug` that are wanted, in ascending
/// order, each on those of `products` that have its instruction; those of
/// `edition` alone.
void ForEachAuditCase(std::string_view slug, const make::WantsSweepCase& wants,
                      std::span<const isa::Product> products,
                      const TakesAuditCase& take,
                      isa::Edition edition = isa::kNewestEdition);

/// How many numbers `slug` has.
std::uint64_t NumbersOf(std::string_view slug);

/// Whether `product` has the intrinsic that the last step of `c` calls. State
/// steps are everywhere.
bool IsSupported(const Case& c, isa::Product product);

}  // namespace lanediff::audit
