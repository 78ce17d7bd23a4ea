#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "kernel/carried/lanes.h"

/// What reductions make of the lanes that take part.
namespace lanediff::kernel::carried {

enum class FoldKind : std::uint8_t { kSum, kMax, kMin };

/// Folds elements of half or float; each step is a node of its own
/// (STATE-SATURATION, ARITH-ROUND).
struct Fold {
  FoldKind kind = FoldKind::kSum;
  bool half = false;
  bool saturate = true;

  std::int64_t element() const { return half ? 2 : 4; }
  float Load(const std::uint8_t* at) const;
  /// Rounds and saturates, as what is written does.
  void Store(std::uint8_t* at, float value) const;
  float Both(float a, float b) const;
  /// As a tree of neighbours; a lane that takes no part leaves its partner as
  /// it is (ReduceDataBlock · 关键特性说明). Nothing of no lane.
  std::optional<float> Tree(std::span<const std::optional<float>> lanes) const;
  /// The first lane that holds `value`, the largest or smallest of them.
  std::int64_t IndexOf(float value,
                       std::span<const std::optional<float>> lanes) const;
};

/// half and float; else why not.
std::expected<Fold, std::string> FoldOf(const CarriedCall& call, FoldKind kind,
                                        std::uint32_t dst, std::uint32_t src);

/// The lanes of iteration `r`, by their places; those that take no part are
/// empty. As many as an iteration has, or in a count form all.
std::vector<std::optional<float>> LanesIn(const CarriedCall& call,
                                          const Fold& fold,
                                          std::uint32_t operand,
                                          const Lanes& lanes,
                                          const Place& place, std::int64_t r);

/// Of its name or its reduceType: "SUM", "MAX", "MIN".
std::optional<FoldKind> KindOf(const CarriedCall& call);

}  // namespace lanediff::kernel::carried
