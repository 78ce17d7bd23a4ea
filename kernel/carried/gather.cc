// Gather, Gatherb, Scatter, Brcb: what lies where is in a tensor of offsets, or
// follows from its number.

#include <algorithm>
#include <array>
#include <limits>
#include <string>
#include <utility>
#include <vector>

#include "kernel/carried/family.h"
#include "kernel/carried/lanes.h"
#include "kernel/carried/parameters.h"
#include "kernel/carried/pieces.h"

namespace lanediff::kernel::carried {
namespace {

using isa::OperandName;

/// One piece from here to there, of one iteration.
struct Moved {
  std::int64_t from = 0;
  std::int64_t to = 0;
  std::int64_t offset = -1;  ///< where its number stands, if in a tensor
};

struct Moves {
  std::uint32_t dst = 0;
  std::uint32_t src = 0;
  std::optional<std::uint32_t> offsets;
  std::int64_t bytes = 0;  ///< of a piece, in dst
  bool spreads = false;    ///< a source is an element, a result a block of it
  std::int64_t element = 0;
  std::vector<std::vector<Moved>> iterations;
};

std::expected<Moves, std::string> Begin(const CarriedCall& call,
                                        OperandName src_name) {
  const auto dst = Require(call, OperandName::kDst);
  const auto src = Require(call, src_name, OperandName::kSrc);
  if (!dst) return std::unexpected(dst.error());
  if (!src) return std::unexpected(src.error());
  const std::uint8_t dtype = call.operands[*dst].dtype;
  const std::int64_t bits = BitsOf(dtype);
  if (bits != 16 && bits != 32) {
    return std::unexpected(RefusedType(call, dtype));
  }
  if (call.operands[*src].dtype != dtype) {
    return std::unexpected(RefusedPair(call, call.operands[*src].dtype, dtype));
  }
  Moves moves;
  moves.dst = *dst;
  moves.src = *src;
  moves.element = moves.bytes = bits / 8;
  return moves;
}

std::expected<std::uint32_t, std::string> Offsets(const CarriedCall& call) {
  const auto offsets = Require(call, OperandName::kOffset);
  if (offsets && call.operands[*offsets].dtype != LANEDIFF_UINT32) {
    return std::unexpected(
        std::string(call.call->name) + " with offsets of " +
        std::string(DTypeName(call.operands[*offsets].dtype)));
  }
  return offsets;
}

/// One that nothing has written counts as 0.
std::optional<std::uint32_t> OffsetAt(const CarriedOperand& offsets,
                                      std::int64_t at) {
  if (offsets.HasUnwritten(at, 4)) return 0;
  return NumberAt<std::uint32_t>(offsets, at);
}

constexpr std::int64_t kMaxOffset = std::numeric_limits<std::uint32_t>::max();

/// What an offset that stands in `operand` must be: a multiple, and not above
/// the highest. The first one that is not goes to the plan.
void CheckOffset(CarriedPlan& plan, std::int64_t index, std::int64_t offset,
                 std::int64_t multiple, std::int64_t highest) {
  if (!plan.contents.empty()) return;
  const bool fits = offset <= highest;
  if (fits && offset % multiple == 0) return;
  plan.contents.push_back(
      {.operand = OperandName::kOffset,
       .text = "element " + std::to_string(index) + " is " +
               std::to_string(offset) +
               (fits ? "; a multiple of " + std::to_string(multiple)
                     : "; at most " + std::to_string(highest)) +
               " is needed"});
}

/// Scatter · 约束说明: where two elements go to one place, the result is open.
void CheckTargets(CarriedPlan& plan,
                  std::vector<std::pair<std::int64_t, std::int64_t>> targets) {
  std::ranges::sort(targets);
  const auto same = std::ranges::adjacent_find(
      targets, {}, &std::pair<std::int64_t, std::int64_t>::first);
  if (same == targets.end()) return;
  plan.contents.push_back(
      {.operand = OperandName::kOffset,
       .text = "elements " + std::to_string(same->second) + " and " +
               std::to_string((same + 1)->second) +
               " are equal; each needs a place of its own"});
}

/// Gather · 约束说明, Scatter · 约束说明: of 16 bits on that product.
std::int64_t HighestOffset(const CarriedCall& call, std::int64_t element) {
  const bool is_short =
      call.product == isa::Product::kAtlas200i500A2 && element == 2;
  return is_short ? (std::int64_t{1} << 17) - 1 : kMaxOffset;
}

/// Gather, Scatter: an offset in bytes for each lane, one behind the other
/// through all iterations. What follows the first lane that leaves a window is
/// not listed.
std::expected<Moves, std::string> ResolveLaneMoves(Parameters& parameters) {
  const CarriedCall& call = parameters.call();
  const bool scatter = std::string_view(call.call->name) == "Scatter";
  auto moves = Begin(call, OperandName::kSrc);
  if (!moves) return moves;
  const auto offsets = Offsets(call);
  if (!offsets) return std::unexpected(offsets.error());
  moves->offsets = *offsets;
  const std::int64_t element = moves->element;
  const Lanes lanes = LanesOf(parameters, element * 8);
  const std::int64_t base =
      parameters.Get(scatter ? Names{"dstBaseAddr"} : Names{"srcBaseAddr"}, 0,
                     kMaxOffset, 0, element);
  const Place place{.bits = element * 8,
                    .repeat = parameters.Get(
                        scatter ? Names{"srcRepStride"} : Names{"dstRepStride"},
                        0, scatter ? 255 : 65535, 8)};
  const CarriedOperand& far_side =
      call.operands[scatter ? moves->dst : moves->src];
  const CarriedOperand& near_side =
      call.operands[scatter ? moves->src : moves->dst];
  CarriedPlan* const plan = parameters.plan();
  std::vector<std::pair<std::int64_t, std::int64_t>> targets;
  bool left = false;
  const auto add = [&](std::int64_t r, std::int64_t k) {
    const std::int64_t index = r * lanes.width + k;
    const auto offset = OffsetAt(call.operands[*offsets], 4 * index);
    const std::int64_t far = base + offset.value_or(0);
    const std::int64_t near = r * place.repeat * kBlockBytes + k * element;
    moves->iterations.back().push_back(scatter ? Moved{near, far, 4 * index}
                                               : Moved{far, near, 4 * index});
    left = !offset || IsOutside(far_side, far, element) ||
           IsOutside(near_side, near, element);
    if (plan == nullptr || !offset ||
        call.operands[*offsets].HasUnwritten(4 * index, 4)) {
      return;
    }
    CheckOffset(*plan, index, *offset, element, HighestOffset(call, element));
    if (scatter) targets.emplace_back(far, index);
  };
  for (std::int64_t r = 0; r < lanes.iterations && !left; ++r) {
    moves->iterations.emplace_back();
    lanes.ForRuns(r, [&](std::int64_t first, std::int64_t count) {
      for (std::int64_t k = first; k < first + count && !left; ++k) add(r, k);
    });
  }
  if (plan != nullptr) {
    plan->cut = left;
    CheckTargets(*plan, std::move(targets));
  }
  return moves;
}

void AllOnesBehind(Parameters& parameters) {
  if (parameters.plan() != nullptr) {
    parameters.plan()->leaves = CarriedPlan::Leaves::kAllOnes;
  }
}

/// Gatherb: eight blocks an iteration.
std::expected<Moves, std::string> ResolveBlockMoves(Parameters& parameters) {
  const CarriedCall& call = parameters.call();
  auto moves = Begin(call, OperandName::kSrc0);
  if (!moves) return moves;
  const auto offsets = Offsets(call);
  if (!offsets) return std::unexpected(offsets.error());
  moves->offsets = *offsets;
  moves->bytes = kBlockBytes;
  AllOnesBehind(parameters);
  const std::int64_t repeat = RepeatTime(parameters);
  // 0 counts as 1 (Gatherb · 表3).
  const std::int64_t block =
      std::max<std::int64_t>(parameters.Get({"dstBlkStride"}, 0, 255, 1), 1);
  const std::int64_t step = parameters.Get({"dstRepStride"}, 0, 255, 8);
  for (std::int64_t r = 0; r < repeat; ++r) {
    std::vector<Moved>& iteration = moves->iterations.emplace_back();
    for (std::int64_t b = 0; b < 8; ++b) {
      const std::int64_t at = 4 * (8 * r + b);
      const std::int64_t offset =
          OffsetAt(call.operands[*offsets], at).value_or(0);
      iteration.push_back({offset, (r * step + b * block) * kBlockBytes, at});
      if (CarriedPlan* const plan = parameters.plan()) {
        CheckOffset(*plan, 8 * r + b, offset, kBlockBytes, kMaxOffset);
      }
    }
  }
  return moves;
}

/// Brcb: each of eight elements fills a block.
std::expected<Moves, std::string> ResolveBrcb(Parameters& parameters) {
  auto moves = Begin(parameters.call(), OperandName::kSrc0);
  if (!moves) return moves;
  moves->spreads = true;
  moves->bytes = kBlockBytes;
  AllOnesBehind(parameters);
  const std::int64_t repeat = RepeatTime(parameters);
  // 0 counts as 1 (Brcb · 表3).
  const std::int64_t block =
      std::max<std::int64_t>(parameters.Get({"dstBlkStride"}, 0, 65535, 1), 1);
  const std::int64_t step = parameters.Get({"dstRepStride"}, 0, 65535, 8);
  for (std::int64_t r = 0; r < repeat; ++r) {
    std::vector<Moved>& iteration = moves->iterations.emplace_back();
    for (std::int64_t b = 0; b < 8; ++b) {
      iteration.push_back(
          {(8 * r + b) * moves->element, (r * step + b * block) * kBlockBytes});
    }
  }
  return moves;
}

using ResolveMoves = std::expected<Moves, std::string> (*)(Parameters&);

template <ResolveMoves kResolve>
Planned PlanMoves(const CarriedCall& call) {
  CarriedPlan plan;
  Parameters parameters(call, &plan);
  const auto moves = kResolve(parameters);
  if (!moves) return std::unexpected(moves.error());
  std::int64_t r = 0;
  Bounds bounds(call, plan);
  for (const std::vector<Moved>& iteration : moves->iterations) {
    if (bounds.Left()) break;
    if (moves->offsets) {
      for (const Moved& one : iteration) {
        AddTouch(call, *moves->offsets, one.offset, 4, r, plan.reads);
      }
    }
    for (const Moved& one : iteration) {
      AddTouch(call, moves->src, one.from,
               moves->spreads ? moves->element : moves->bytes, r, plan.reads);
      AddTouch(call, moves->dst, one.to, moves->bytes, r, plan.writes);
    }
    ++r;
  }
  return plan;
}

template <ResolveMoves kResolve>
std::uint64_t ComputeMoves(const CarriedCall& call, const CarriedPlan&,
                           VectorState&) {
  Parameters parameters(call);
  const auto moves = kResolve(parameters);
  const std::uint8_t* const from = call.operands[moves->src].bytes;
  std::uint8_t* const to = call.operands[moves->dst].bytes;
  std::vector<std::uint8_t> dense;
  for (const std::vector<Moved>& iteration : moves->iterations) {
    dense.clear();
    for (const Moved& one : iteration) {
      const std::int64_t step = moves->spreads ? moves->element : moves->bytes;
      for (std::int64_t at = 0; at < moves->bytes; at += step) {
        dense.insert(dense.end(), from + one.from, from + one.from + step);
      }
    }
    std::size_t at = 0;
    for (const Moved& one : iteration) {
      std::memcpy(to + one.to, dense.data() + at, moves->bytes);
      at += moves->bytes;
    }
  }
  return 0;
}

constexpr std::array<Row, 4> kGatherRows = {
    Row{"Gather", &PlanMoves<ResolveLaneMoves>,
        &ComputeMoves<ResolveLaneMoves>},
    Row{"Scatter", &PlanMoves<ResolveLaneMoves>,
        &ComputeMoves<ResolveLaneMoves>},
    Row{"Gatherb", &PlanMoves<ResolveBlockMoves>,
        &ComputeMoves<ResolveBlockMoves>},
    Row{"Brcb", &PlanMoves<ResolveBrcb>, &ComputeMoves<ResolveBrcb>}};

}  // namespace

std::span<const Row> GatherRows() { return kGatherRows; }

}  // namespace lanediff::kernel::carried
