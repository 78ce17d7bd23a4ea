#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "isa/rule.h"
#include "isa/step.h"
#include "reports/trace/facts.h"

namespace lanediff::view {

/// Whether the executed step made use of a rule of the machine (STATE-*,
/// ARITH-*): rounding needs an add or a multiply, the rules of zeros, NaNs and
/// subnormals need such a value among the nodes.
bool UsesCommon(const isa::Step& step, isa::RuleId rule,
                const StepFacts& facts);

/// A NaN comes in or would go out.
bool MeetsNan(const oracle::Node& node);

/// The exact result of an integer node is outside its type: it was saturated or
/// wrapped.
bool LeavesItsType(const oracle::Node& node);

/// How many nodes something happened to.
struct NodeCounts {
  std::int64_t all = 0;
  std::int64_t rounded = 0;  ///< ties among them
  std::int64_t tied = 0;
  std::int64_t saturated = 0;
  std::int64_t wrapped = 0;  ///< integers of which the low bits were kept
  std::int64_t outside = 0;  ///< `LeavesItsType`: those, and saturated integers
  std::int64_t nan = 0;      ///< a NaN comes in or would go out

  void Add(const oracle::Node& node);
};

/// The value of a type that is nearest to an exact result, beside what was
/// written.
struct Nearest {
  /// Bits; a NaN where the result is none; nothing where no finite value is.
  std::optional<std::uint64_t> bits;
  /// Values of the type from what was written to there; a NaN has no distance.
  std::optional<std::uint64_t> ulp;
};

/// `exact` is a decimal, "nan", "inf" or "-inf", without the sign of a zero;
/// `written` are the bits.
Nearest NearestOf(isa::DType type, std::string_view exact,
                  std::uint64_t written);

/// The rank of a node's event, 0 the highest: it saturated, wrapped or met a
/// NaN, tied, rounded, or had no event (`kNoEvent`).
inline constexpr int kNoEvent = 3;
int RankOf(const oracle::Node& node);

/// A decimal of any length in at most about 24 characters: as it is, or with 16
/// digits, an exponent, and how many digits there are in all.
std::string ShortDecimal(const std::string& exact);

}  // namespace lanediff::view
