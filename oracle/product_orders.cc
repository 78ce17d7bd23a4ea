#include "oracle/product_orders.h"

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "oracle/count_events.h"
#include "oracle/exact_text.h"
#include "oracle/format.h"
#include "oracle/memory_map.h"
#include "oracle/node.h"
#include "oracle/state.h"

namespace lanediff::oracle {
namespace {

using isa::DType;

using Lanes = std::vector<std::uint64_t>;

/// Lanes of a repeat of 256 bytes.
std::size_t RepeatLanes(DType type) {
  return static_cast<std::size_t>(256 / ElementBytes(type));
}

/// Lane by lane; `right` may be shorter and then meets the first lanes alone.
void MultiplyInto(Multiplier& m, int level, Lanes& left, const Lanes& right) {
  for (std::size_t e = 0; e < right.size(); ++e) {
    left[e] =
        m.Multiply(level, static_cast<std::int64_t>(e), left[e], right[e]);
  }
}

/// Step 5: lane e by lane e + w, for w = E/2, E/4, …, 1.
std::uint64_t FoldInHalf(Multiplier& m, int level, Lanes lanes) {
  for (std::size_t w = lanes.size() / 2; w >= 1; w /= 2, ++level) {
    for (std::size_t e = 0; e < w; ++e) {
      lanes[e] = m.Multiply(level, static_cast<std::int64_t>(e), lanes[e],
                            lanes[e + w]);
    }
  }
  return lanes[0];
}

std::uint64_t Documented(Multiplier& m, const Lanes& factors) {
  const std::size_t lanes = RepeatLanes(m.type());
  const std::size_t repeats = factors.size() / lanes;
  const auto part = [&](std::size_t first, std::size_t count) {
    const auto begin =
        factors.begin() + static_cast<std::ptrdiff_t>(first * lanes);
    return Lanes(begin, begin + static_cast<std::ptrdiff_t>(count));
  };
  // 1. Pairs of adjacent repeats.
  std::vector<Lanes> tmp;
  for (std::size_t k = 0; 2 * k + 1 < repeats; ++k) {
    tmp.push_back(part(2 * k, lanes));
    MultiplyInto(m, 0, tmp.back(), part(2 * k + 1, lanes));
  }
  if (tmp.empty()) tmp.push_back(Lanes(lanes, m.One()));
  // 2. An odd last repeat.
  if (repeats % 2 == 1) MultiplyInto(m, 1, tmp[0], part(repeats - 1, lanes));
  // 3. The tail columns.
  MultiplyInto(m, 2, tmp[0], part(repeats, factors.size() % lanes));
  // 4. Adjacent pairs of tmp, until one is left.
  int level = 3;
  for (; tmp.size() > 1; ++level) {
    std::vector<Lanes> next;
    for (std::size_t k = 0; k < tmp.size(); k += 2) {
      next.push_back(tmp[k]);
      if (k + 1 < tmp.size()) MultiplyInto(m, level, next.back(), tmp[k + 1]);
    }
    tmp = std::move(next);
  }
  return FoldInHalf(m, level, tmp[0]);
}

/// Column j goes to lane j mod `count`, in ascending order, starting from 1.
Lanes Accumulate(Multiplier& m, const Lanes& factors, std::size_t count) {
  Lanes lanes(count, m.One());
  for (std::size_t j = 0; j < factors.size(); ++j) {
    const std::size_t lane = j % count;
    lanes[lane] =
        m.Multiply(static_cast<int>(j / count), static_cast<std::int64_t>(lane),
                   lanes[lane], factors[j]);
  }
  return lanes;
}

/// The float with the value of a half.
std::uint64_t Widened(std::uint64_t half) {
  return Convert(DType::kHalf, DType::kFloat, half).bits;
}

std::uint64_t BlockLanes(Multiplier& m, const Lanes& factors) {
  const auto count = static_cast<std::size_t>(32 / ElementBytes(m.type()));
  Lanes lanes = Accumulate(m, factors, count);
  const int level = static_cast<int>(factors.size() / count) + 1;
  if (!IsFloating(m.type())) {
    std::uint64_t product = lanes[0];
    for (std::size_t e = 1; e < lanes.size(); ++e) {
      product =
          m.Multiply(level, static_cast<std::int64_t>(e), product, lanes[e]);
    }
    return product;
  }
  const bool half = m.type() == DType::kHalf;
  std::uint64_t product = half ? Widened(lanes[0]) : lanes[0];
  for (std::size_t e = 1; e < lanes.size(); ++e) {
    product = m.MultiplyFloat(level, static_cast<std::int64_t>(e), product,
                              half ? Widened(lanes[e]) : lanes[e]);
  }
  return half ? m.NarrowToHalf(product) : product;
}

std::uint64_t RegisterLanes(Multiplier& m, const Lanes& factors) {
  const std::size_t count = RepeatLanes(m.type());
  return FoldInHalf(m, static_cast<int>(factors.size() / count) + 1,
                    Accumulate(m, factors, count));
}

std::uint64_t LeftFold(Multiplier& m, const Lanes& factors) {
  return Accumulate(m, factors, 1)[0];
}

}  // namespace

std::uint64_t Multiplier::One() const {
  if (!IsFloating(type_)) return 1;
  return type_ == DType::kHalf ? 0x3c00 : 0x3f800000;
}

std::uint64_t Multiplier::Multiply(int level, std::int64_t index,
                                   std::uint64_t left, std::uint64_t right) {
  return Trace(level, index, type_, left, right,
               oracle::Multiply(type_, left, right, state_.saturation));
}

std::uint64_t Multiplier::MultiplyFloat(int level, std::int64_t index,
                                        std::uint64_t left,
                                        std::uint64_t right) {
  return Trace(level, index, DType::kFloat, left, right,
               oracle::Multiply(DType::kFloat, left, right, false));
}

std::uint64_t Multiplier::NarrowToHalf(std::uint64_t bits) const {
  const NodeResult half = Convert(DType::kFloat, DType::kHalf, bits);
  NodeResult written = Write(DType::kHalf, half.bits, state_.saturation);
  written.rounded = half.rounded;
  written.tie = half.tie;
  CountWrite(DType::kFloat, bits, DType::kHalf, written, state_.events);
  return written.bits;
}

std::uint64_t Multiplier::Trace(int level, std::int64_t index, DType type,
                                std::uint64_t left, std::uint64_t right,
                                const NodeResult& result) {
  ++state_.node_count;
  CountMultiply(type, left, right, result, state_.events);
  if (state_.tracing) {
    state_.nodes.push_back({.iteration = row_,
                            .level = level,
                            .index = index,
                            .dtype = type,
                            .operation = "mul",
                            .left = left,
                            .right = right,
                            .result = result.bits,
                            .exact = ExactMultiply(type, left, right),
                            .rounded = result.rounded,
                            .tie = result.tie,
                            .saturated = result.saturated,
                            .wrapped = result.wrapped});
  }
  return result.bits;
}

std::uint64_t MultiplyInOrder(Multiplier& multiplier, isa::Order order,
                              const std::vector<std::uint64_t>& factors) {
  switch (order) {
    case isa::Order::kDocumented:
      return Documented(multiplier, factors);
    case isa::Order::kBlockLanes:
      return BlockLanes(multiplier, factors);
    case isa::Order::kRegisterLanes:
      return RegisterLanes(multiplier, factors);
    case isa::Order::kLeftFold:
      return LeftFold(multiplier, factors);
  }
  std::unreachable();
}

}  // namespace lanediff::oracle
