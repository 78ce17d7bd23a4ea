// ReduceSum, ReduceMax, ReduceMin: one result of all that takes part.

#include <algorithm>
#include <array>
#include <cstring>
#include <limits>

#include "kernel/carried/family.h"
#include "kernel/carried/fold.h"
#include "kernel/carried/lanes.h"
#include "kernel/carried/parameters.h"

namespace lanediff::kernel::carried {
namespace {

using isa::OperandName;

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

std::expected<ReducingAll, std::string> ResolveAll(Parameters& parameters) {
  const CarriedCall& call = parameters.call();
  const auto dst = Require(call, OperandName::kDst);
  const auto src = Require(call, OperandName::kSrc);
  if (!dst) return std::unexpected(dst.error());
  if (!src) return std::unexpected(src.error());
  const auto fold = FoldOf(call, *KindOf(call), *dst, *src);
  if (!fold) return std::unexpected(fold.error());
  ReducingAll all;
  all.dst = *dst;
  all.src = *src;
  all.fold = *fold;
  if (const auto tmp = Require(call, OperandName::kTmp)) all.tmp = *tmp;
  all.count_form = call.call->form == LANEDIFF_COUNT;
  all.place.bits = all.fold.element() * 8;
  all.lanes = LanesOf(parameters, all.place.bits);
  if (!all.count_form && !call.state.counter) {
    // repeatTime may be more than elsewhere; more than fits is out of bounds.
    all.lanes.iterations = std::min(
        RepeatTime(parameters, std::numeric_limits<std::int32_t>::max()),
        kMostElements / all.lanes.width);
  }
  all.place.repeat = parameters.Get({"srcRepStride"}, 0, 65535, 8);
  if (all.fold.kind != FoldKind::kSum) {
    all.index = parameters.Get({"calIndex"}, 0, 1, 0) != 0;
  }
  if (parameters.plan() != nullptr) {
    parameters.plan()->leaves = CarriedPlan::Leaves::kUnknown;
  }
  return all;
}

bool ReducesNothing(const ReducingAll& all) {
  return all.lanes.iterations == 0 || all.lanes.Count(0) == 0;
}

Planned PlanAll(const CarriedCall& call) {
  CarriedPlan plan;
  Parameters parameters(call, &plan);
  const auto all = ResolveAll(parameters);
  if (!all) return std::unexpected(all.error());
  plan.approximate = all->fold.kind == FoldKind::kSum;
  const std::int64_t result = all->fold.element() * (all->index ? 2 : 1);
  plan.align.resize(call.operands.size());
  plan.align[all->dst] = result;
  if (ReducesNothing(*all)) return plan;
  std::int64_t last = 0;
  Bounds bounds(call, plan);
  for (std::int64_t r = 0; r < all->lanes.iterations && !bounds.Left(); ++r) {
    Touches(call, all->src, all->lanes, all->place, r, plan.reads);
    last = r;
  }
  const std::int64_t tmp = TmpBytes(call, *all);
  if (all->tmp && tmp > 0) {
    plan.writes.push_back({*all->tmp, call.operands[*all->tmp].at, tmp, last});
  }
  plan.writes.push_back({all->dst, call.operands[all->dst].at, result, last});
  return plan;
}

std::uint64_t ComputeAll(const CarriedCall& call, const CarriedPlan&,
                         VectorState&) {
  Parameters parameters(call);
  const auto all = ResolveAll(parameters);
  if (ReducesNothing(*all)) return 0;
  const Fold& fold = all->fold;
  const auto width = static_cast<std::size_t>(all->lanes.width);
  // A round of each iteration, then one of their results.
  std::vector<std::optional<float>> results;
  std::vector<std::int64_t> indices;
  for (std::int64_t r = 0; r < all->lanes.iterations; ++r) {
    const auto values =
        LanesIn(call, fold, all->src, all->lanes, all->place, r);
    for (std::size_t at = 0; at < values.size(); at += width) {
      const std::span<const std::optional<float>> lanes(
          values.data() + at, std::min(width, values.size() - at));
      std::optional<float> result = fold.Tree(lanes);
      indices.push_back(static_cast<std::int64_t>(
          r * all->lanes.width + at +
          (result ? fold.IndexOf(*result, lanes) : 0)));
      if (result) {  // as an instruction leaves it for the next
        std::array<std::uint8_t, 4> bytes{};
        fold.Store(bytes.data(), *result);
        result = fold.Load(bytes.data());
      }
      results.push_back(result);
    }
  }
  std::optional<float> result;
  if (fold.kind == FoldKind::kSum && all->count_form && IsA2(call.product)) {
    for (const std::optional<float>& one : results) {
      result = !result ? one : one ? fold.Both(*result, *one) : result;
    }
  } else {
    result = fold.Tree(results);
  }
  const std::int64_t tmp = TmpBytes(call, *all);
  if (all->tmp && tmp > 0) {
    // No page specifies the bytes left there: a visible pattern.
    std::memset(call.operands[*all->tmp].bytes, 0xff, tmp);
  }
  std::uint8_t* const at = call.operands[all->dst].bytes;
  fold.Store(at, *result);
  if (all->index) {
    const auto index =
        static_cast<std::uint32_t>(indices[fold.IndexOf(*result, results)]);
    std::memcpy(at + fold.element(), &index, fold.element());
  }
  return 0;
}

constexpr std::array<Row, 3> kAllRows = {
    Row{"ReduceSum", &PlanAll, &ComputeAll},
    Row{"ReduceMax", &PlanAll, &ComputeAll},
    Row{"ReduceMin", &PlanAll, &ComputeAll}};

}  // namespace

std::span<const Row> ReduceAllRows() { return kAllRows; }

}  // namespace lanediff::kernel::carried
