#include "kernel/carried/fold.h"

#include <bit>
#include <cstring>

#include "kernel/carried/numbers.h"
#include "kernel/carried/operations.h"

namespace lanediff::kernel::carried {
namespace {

template <class T>
T ElementAt(const std::uint8_t* at) {
  T value;
  std::memcpy(&value, at, sizeof value);
  return value;
}

template <class T>
float NodeOf(float value, bool saturate) {
  return saturate ? Node<T, true>(value) : Node<T, false>(value);
}

}  // namespace

float Fold::Load(const std::uint8_t* at) const {
  return half ? Widen(ElementAt<Half>(at)) : ElementAt<float>(at);
}

void Fold::Store(std::uint8_t* at, float value) const {
  if (half) {
    const Half bits =
        saturate ? Narrow<Half, true>(value) : Narrow<Half, false>(value);
    std::memcpy(at, &bits, sizeof bits);
  } else {
    const float bits = Narrow<float, false>(value);
    std::memcpy(at, &bits, sizeof bits);
  }
}

float Fold::Both(float a, float b) const {
  if (kind == FoldKind::kMax) return Larger(a, b);
  if (kind == FoldKind::kMin) return Smaller(a, b);
  return half ? NodeOf<Half>(a + b, saturate) : NodeOf<float>(a + b, false);
}

std::optional<float> Fold::Tree(
    std::span<const std::optional<float>> lanes) const {
  std::vector<std::optional<float>> level(lanes.begin(), lanes.end());
  if (level.empty()) return std::nullopt;
  while (level.size() > 1) {
    const std::size_t pairs = (level.size() + 1) / 2;
    for (std::size_t i = 0; i < pairs; ++i) {
      const std::optional<float> a = level[2 * i];
      const std::optional<float> b =
          2 * i + 1 < level.size() ? level[2 * i + 1] : std::nullopt;
      level[i] = a && b ? std::optional<float>(Both(*a, *b)) : a ? a : b;
    }
    level.resize(pairs);
  }
  return level.front();
}

std::int64_t Fold::IndexOf(float value,
                           std::span<const std::optional<float>> lanes) const {
  for (std::size_t i = 0; i < lanes.size(); ++i) {
    if (!lanes[i]) continue;
    const bool nan = value != value && *lanes[i] != *lanes[i];
    if (nan || std::bit_cast<std::uint32_t>(*lanes[i]) ==
                   std::bit_cast<std::uint32_t>(value)) {
      return static_cast<std::int64_t>(i);
    }
  }
  return 0;
}

std::expected<Fold, std::string> FoldOf(const CarriedCall& call, FoldKind kind,
                                        std::uint32_t dst, std::uint32_t src) {
  const std::uint8_t dtype = call.operands[src].dtype;
  if (dtype != LANEDIFF_HALF && dtype != LANEDIFF_FLOAT) {
    return std::unexpected(RefusedType(call, dtype));
  }
  if (call.operands[dst].dtype != dtype) {
    return std::unexpected(RefusedPair(call, dtype, call.operands[dst].dtype));
  }
  return Fold{kind, dtype == LANEDIFF_HALF, call.state.saturation};
}

std::vector<std::optional<float>> LanesIn(const CarriedCall& call,
                                          const Fold& fold,
                                          std::uint32_t operand,
                                          const Lanes& lanes,
                                          const Place& place, std::int64_t r) {
  std::vector<std::optional<float>> values(lanes.contiguous ? lanes.Count(r)
                                                            : lanes.width);
  const std::uint8_t* const bytes = call.operands[operand].bytes;
  lanes.ForRuns(r, [&](std::int64_t first, std::int64_t count) {
    std::int64_t lane = first;
    place.ForBytes(
        r, first, count, [&](std::int64_t offset, std::int64_t size) {
          for (std::int64_t at = 0; at < size; at += fold.element()) {
            values[lane++] = fold.Load(bytes + offset + at);
          }
        });
  });
  return values;
}

std::optional<FoldKind> KindOf(const CarriedCall& call) {
  const std::string_view name = call.call->name;
  const std::string_view word = call.Word("reduceType");
  if (name.ends_with("Sum") || word == "SUM") return FoldKind::kSum;
  if (name.ends_with("Max") || word == "MAX") return FoldKind::kMax;
  if (name.ends_with("Min") || word == "MIN") return FoldKind::kMin;
  return std::nullopt;
}

}  // namespace lanediff::kernel::carried
