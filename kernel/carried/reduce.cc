// Reductions of all that takes part: ReduceSum, ReduceMax, ReduceMin.

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cstring>
#include <limits>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "kernel/carried/flow.h"

namespace lanediff::kernel::carried {
namespace {

using isa::OperandName;

enum class FoldKind : std::uint8_t { kSum, kMax, kMin };

/// Folds elements of half or float; each step is a node of its own
/// (STATE-SATURATION, ARITH-ROUND).
struct Fold {
  FoldKind kind = FoldKind::kSum;
  bool half = false;
  bool saturate = true;

  std::int64_t element() const { return half ? 2 : 4; }
  float Load(const std::uint8_t* at) const { return FloatAt(half, at); }
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

template <class T>
float NodeOf(float value, bool saturate) {
  return saturate ? Node<T, true>(value) : Node<T, false>(value);
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

/// Of half or float, dst and src alike.
Fold FoldOf(const CarriedCall& call, FoldKind kind, std::uint32_t dst,
            std::uint32_t src) {
  const bool half = RequireHalfOrFloat(call, call.operands[src].dtype);
  RequireSame(call, src, dst);
  return {kind, half, call.state.saturation};
}

/// The lanes of iteration `r`, by their places; those that take no part are
/// empty. As many as an iteration has, or in a count form all; none where they
/// are listed.
std::vector<std::optional<float>> ReadLanes(
    CallMemory& memory, const Fold& fold, std::uint32_t operand,
    const Lanes& lanes, const Place& place, std::int64_t r) {
  if (CarriedPlan* const plan = memory.plan()) {
    Touches(memory.call(), operand, lanes, place, r, plan->reads);
    return {};
  }
  std::vector<std::optional<float>> values(lanes.contiguous ? lanes.Count(r)
                                                            : lanes.width);
  const std::uint8_t* const bytes = memory.call().operands[operand].bytes;
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

void StoreIndex(std::uint8_t* at, std::int64_t index, std::int64_t bytes) {
  const auto number = static_cast<std::uint32_t>(index);
  std::memcpy(at, &number, bytes);  // little endian
}

FoldKind KindOf(const CarriedCall& call) {
  const std::string_view name = call.call->name;
  if (name.ends_with("Sum")) return FoldKind::kSum;
  return name.ends_with("Max") ? FoldKind::kMax : FoldKind::kMin;
}

struct ReducingAll {
  std::uint32_t dst = 0;
  std::uint32_t src = 0;
  std::optional<std::uint32_t> tmp;
  Fold fold;
  Lanes lanes;
  Place place;
  bool index = false;
  bool count_form = false;

  /// Results of the first round: iterations, at least one.
  std::int64_t Rounds() const {
    if (!lanes.contiguous) return lanes.iterations;
    return std::max<std::int64_t>(lanes.first / lanes.width, 1);
  }
};

std::int64_t DivideUp(std::int64_t a, std::int64_t b) {
  return (a + b - 1) / b;
}

/// Bytes of sharedTmpBuffer that are used (ReduceMax, ReduceSum ·
/// 关键特性说明).
std::int64_t TmpBytes(const CarriedCall& call, const ReducingAll& all) {
  const std::int64_t element = all.fold.element();
  const std::int64_t in_block = kBlockBytes / element;
  const auto whole = [&](std::int64_t elements) {
    return DivideUp(elements, in_block) * in_block;
  };
  if (all.fold.kind == FoldKind::kSum) {
    // The count form of A2 and A3 adds one iteration to the next.
    if (all.count_form && IsA2(call.product)) return 0;
    return whole(all.Rounds()) * element;
  }
  std::int64_t outputs = 2 * all.Rounds();
  std::int64_t elements = whole(outputs);
  if (!all.index) return elements * element;
  do {
    outputs = 2 * DivideUp(outputs, all.lanes.width);
    elements += whole(outputs);
  } while (outputs > 2);
  return elements * element;
}

ReducingAll ResolveAll(Parameters& parameters) {
  const CarriedCall& call = parameters.call();
  ReducingAll all;
  all.dst = Require(call, OperandName::kDst);
  all.src = Require(call, OperandName::kSrc);
  all.fold = FoldOf(call, KindOf(call), all.dst, all.src);
  all.tmp = Find(call, OperandName::kTmp);
  all.count_form = call.call->form == LANEDIFF_COUNT;
  all.place.bits = all.fold.element() * 8;
  all.lanes = LanesOf(parameters, all.place.bits);
  if (!all.count_form && !call.state.counter) {
    // repeatTime may be more than elsewhere; more than fits is out of bounds.
    all.lanes.iterations = std::min(
        RepeatTime(parameters, std::numeric_limits<std::int32_t>::max()),
        kMostElements / all.lanes.width);
  }
  all.place.repeat = parameters.Get("srcRepStride", 0, 65535, 8);
  if (all.fold.kind != FoldKind::kSum) {
    all.index = parameters.Get("calIndex", 0, 1, 0) != 0;
  }
  if (CarriedPlan* const plan = parameters.plan()) {
    plan->mask.leaves.reset();
    plan->mask.sets_normal = false;
    plan->mask.leaves_unknown = true;
  }
  return all;
}

bool ReducesNothing(const ReducingAll& all) {
  return all.lanes.iterations == 0 || all.lanes.Count(0) == 0;
}

std::uint64_t RunAll(CallMemory& memory, const ReducingAll& all,
                     VectorState& state) {
  const CarriedCall& call = memory.call();
  const std::int64_t bytes = all.fold.element() * (all.index ? 2 : 1);
  if (CarriedPlan* const plan = memory.plan()) {
    plan->approximate = all.fold.kind == FoldKind::kSum;
    plan->align[all.dst] = bytes;
  }
  if (ReducesNothing(all)) return 0;
  const Fold& fold = all.fold;
  const auto width = static_cast<std::size_t>(all.lanes.width);
  // A round of each iteration, then one of their results.
  std::vector<std::optional<float>> results;
  std::vector<std::int64_t> indices;
  for (std::int64_t r = 0; r < all.lanes.iterations && memory.Begin(r); ++r) {
    const auto values =
        ReadLanes(memory, fold, all.src, all.lanes, all.place, r);
    for (std::size_t at = 0; at < values.size(); at += width) {
      const std::span<const std::optional<float>> lanes(
          values.data() + at, std::min(width, values.size() - at));
      std::optional<float> result = fold.Tree(lanes);
      indices.push_back(static_cast<std::int64_t>(
          r * all.lanes.width + at +
          (result ? fold.IndexOf(*result, lanes) : 0)));
      if (result) {  // as an instruction leaves it for the next
        std::array<std::uint8_t, 4> stored{};
        fold.Store(stored.data(), *result);
        result = fold.Load(stored.data());
      }
      results.push_back(result);
    }
  }
  const std::int64_t tmp = TmpBytes(call, all);
  if (all.tmp && tmp > 0) {
    // No page specifies the bytes left there: a visible pattern.
    std::uint8_t* const left = memory.Write(*all.tmp, 0, tmp);
    if (left != nullptr) std::memset(left, 0xff, tmp);
  }
  std::uint8_t* const at = memory.Write(all.dst, 0, bytes);
  if (at == nullptr) return 0;
  std::optional<float> result;
  if (fold.kind == FoldKind::kSum && all.count_form && IsA2(call.product)) {
    for (const std::optional<float>& one : results) {
      result = !result ? one : one ? fold.Both(*result, *one) : result;
    }
  } else {
    result = fold.Tree(results);
  }
  fold.Store(at, *result);
  if (fold.kind == FoldKind::kSum && all.count_form) {
    std::uint64_t bits = 0;
    std::memcpy(&bits, at, static_cast<std::size_t>(fold.element()));
    state.sum = {bits, call.operands[all.dst].dtype};
    state.sum_skipped = false;
  }
  if (all.index) {
    StoreIndex(at + fold.element(), indices[fold.IndexOf(*result, results)],
               fold.element());
  }
  return 0;
}

/// GetReduceRepeatSumSpr: the scalar unit reads the last sum.
CarriedPlan PlanSumRegister(const CarriedCall& call) {
  const auto& sum = call.state.sum;
  if (!sum || sum->second != call.call->scalar_dtype) {
    throw Refused(fmt::format("no ReduceSum of {} with a count was before it",
                              DTypeName(call.call->scalar_dtype)));
  }
  CarriedPlan plan;
  plan.pipe = isa::Pipe::kS;
  plan.approximate = true;  // as the sum is
  return plan;
}
std::uint64_t SumRegister(const CarriedCall& call, VectorState&) {
  return call.state.sum->first;
}

}  // namespace

Rows ReduceRows() {
  using Name = std::string_view;
  Rows rows;
  for (const Name name : {"ReduceSum", "ReduceMax", "ReduceMin"}) {
    rows.push_back(RowOf<ResolveAll, RunAll>(name));
  }
  for (const Name name : {"GetReduceRepeatSumSpr", "GetAccVal"}) {
    rows.push_back({name, PlanSumRegister, SumRegister});
  }
  return rows;
}

}  // namespace lanediff::kernel::carried
