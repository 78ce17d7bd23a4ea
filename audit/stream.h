#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <string_view>
#include <vector>

#include "generators/boundary/sweep.h"
#include "isa/vocabulary.h"
#include "reports/audit_record.h"

/// The cases of an audit: those of the sweep (generators/boundary), each on
/// every product that has the instruction. Nothing is random and nothing
/// depends on the target, so that a number means the same case in every audit.
namespace lanediff::audit {

/// With which the id of each case begins.
inline constexpr std::string_view kIdFolder = "audit";

/// In the place of an instruction of the sweep: cases of a corpus, and those
/// that show what was measured.
inline constexpr std::string_view kGivenSource = "corpus";
inline constexpr std::string_view kMeasuredSource = "characterise";

/// One case on one product. Its id is "audit/SLUG/NUMBER/PRODUCT".
struct AuditCase : make::SweepCase {
  std::string_view slug;  ///< one of `SweepModules()`, or a source
  bool moved = false;     ///< to a product that the sweep does not try it on
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

/// The `number`th of the given cases as one of an audit, from `source`.
AuditCase GivenCase(const std::vector<Case>& given, std::uint64_t number,
                    std::string_view source = kGivenSource);

/// The cases of what `measured` found against a rule, which they name, on each
/// of `products`.
std::vector<Case> MeasuredCases(const std::vector<Measurement>& measured,
                                const std::vector<isa::Product>& products);

/// How many numbers `slug` has.
std::uint64_t NumbersOf(std::string_view slug);

/// Whether `product` has the intrinsic that the last step of `c` calls. State
/// steps are everywhere.
bool IsSupported(const Case& c, isa::Product product);

}  // namespace lanediff::audit
