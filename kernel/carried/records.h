#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <limits>
#include <span>
#include <string>
#include <vector>

#include "kernel/carried/carried.h"
#include "kernel/carried/lanes.h"
#include "kernel/carried/numbers.h"
#include "kernel/carried/parameters.h"

/// What sorting calls sort: records with a score in them. On atlas-a2 and -a3
/// 8 bytes, the score first and a 32-bit index last; elsewhere region
/// proposals of eight elements, the score the fifth (Sort · 功能说明).
namespace lanediff::kernel::carried {

struct RecordKind {
  std::int64_t bytes = 8;
  std::int64_t score = 0;  ///< where it stands
  bool half = false;
  std::int64_t batch = 32;  ///< records of an iteration

  std::int64_t element() const { return half ? 2 : 4; }
};

inline RecordKind PairsOf(bool half) {
  return {.bytes = 8, .score = 0, .half = half, .batch = 32};
}
inline RecordKind ProposalsOf(bool half) {
  const std::int64_t element = half ? 2 : 4;
  return {
      .bytes = 8 * element, .score = 4 * element, .half = half, .batch = 16};
}

/// What stands there.
inline float FloatAt(bool half, const std::uint8_t* at) {
  if (half) {
    Half bits;
    std::memcpy(&bits, at, sizeof bits);
    return Widen(bits);
  }
  float value;
  std::memcpy(&value, at, sizeof value);
  return value;
}

/// A NaN counts as the largest; the pages are silent.
inline float ScoreAt(const RecordKind& kind, const std::uint8_t* record) {
  const float score = FloatAt(kind.half, record + kind.score);
  return std::isnan(score) ? std::numeric_limits<float>::infinity() : score;
}

/// The pages are silent on NaN scores: notes the first one of `count`, `each`
/// bytes apart, and marks the result as open.
inline void CheckScores(CarriedPlan& plan, const CarriedOperand& operand,
                        bool half, const std::uint8_t* score,
                        std::int64_t count, std::int64_t each) {
  for (std::int64_t i = 0; i < count; ++i) {
    const std::uint8_t* const at = score + i * each;
    if (!std::isnan(FloatAt(half, at)) ||
        operand.HasUnwritten(at - operand.bytes, 1)) {
      continue;
    }
    plan.approximate = true;
    plan.contents.push_back({.operand = operand.name,
                             .text = "score " + std::to_string(i) + " is NaN",
                             .open = true});
    return;
  }
}

using Records = std::vector<std::uint8_t>;

/// Largest score first; of equal ones the earlier.
inline Records Sorted(const RecordKind& kind, const Records& records) {
  const auto count = static_cast<std::int64_t>(records.size()) / kind.bytes;
  std::vector<std::int64_t> order(count);
  for (std::int64_t i = 0; i < count; ++i) order[i] = i;
  std::ranges::sort(order, [&](std::int64_t i, std::int64_t j) {
    const float a = ScoreAt(kind, records.data() + i * kind.bytes);
    const float b = ScoreAt(kind, records.data() + j * kind.bytes);
    return a != b ? a > b : i < j;
  });
  Records sorted(records.size());
  for (std::int64_t i = 0; i < count; ++i) {
    std::memcpy(sorted.data() + i * kind.bytes,
                records.data() + order[i] * kind.bytes, kind.bytes);
  }
  return sorted;
}

/// The queues' heads, the largest first, of equal ones that of the earlier
/// queue; until all are empty, or with `suspend` one is. `taken`: how many of
/// each, 16 bits each, the first queue low.
inline Records Merged(const RecordKind& kind, std::span<const Records> queues,
                      bool suspend, std::uint64_t& taken) {
  std::vector<std::size_t> heads(queues.size());
  Records merged;
  taken = 0;
  for (;;) {
    std::ptrdiff_t best = -1;
    float most = 0;
    for (std::size_t q = 0; q < queues.size(); ++q) {
      if (heads[q] >= queues[q].size()) {
        if (suspend) return merged;
        continue;
      }
      const float score = ScoreAt(kind, queues[q].data() + heads[q]);
      if (best < 0 || score > most) {
        best = static_cast<std::ptrdiff_t>(q);
        most = score;
      }
    }
    if (best < 0) return merged;
    const std::uint8_t* const from = queues[best].data() + heads[best];
    merged.insert(merged.end(), from, from + kind.bytes);
    heads[best] += kind.bytes;
    taken += std::uint64_t{1} << (16 * best);
  }
}

}  // namespace lanediff::kernel::carried
