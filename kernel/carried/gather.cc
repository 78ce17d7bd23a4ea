// Gather, Gatherb, Scatter, Brcb: what lies where is in a tensor of offsets, or
// follows from its number.

#include <algorithm>
#include <array>
#include <limits>

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

constexpr std::int64_t kMaxOffset = std::numeric_limits<std::uint32_t>::max();

/// Gather, Scatter: an offset in bytes for each lane, one behind the other
/// through all iterations.
std::expected<Moves, std::string> ResolveLaneMoves(Parameters& parameters) {
  const CarriedCall& call = parameters.call();
  const bool scatter = std::string_view(call.call->name) == "Scatter";
  auto moves = Begin(call, OperandName::kSrc);
  if (!moves) return moves;
  const auto offsets = Offsets(call);
  if (!offsets) return std::unexpected(offsets.error());
  moves->offsets = *offsets;
  const Lanes lanes = LanesOf(parameters, moves->element * 8);
  const std::int64_t base = parameters.Get(
      scatter ? Names{"dstBaseAddr"} : Names{"srcBaseAddr"}, 0, kMaxOffset, 0);
  const Place place{.bits = moves->element * 8,
                    .repeat = parameters.Get(
                        scatter ? Names{"srcRepStride"} : Names{"dstRepStride"},
                        0, scatter ? 255 : 65535, 8)};
  for (std::int64_t r = 0; r < lanes.iterations; ++r) {
    std::vector<Moved>& iteration = moves->iterations.emplace_back();
    lanes.ForRuns(r, [&](std::int64_t first, std::int64_t count) {
      count = std::min(count, kMostElements);
      for (std::int64_t k = first; k < first + count; ++k) {
        const std::int64_t at = 4 * (r * lanes.width + k);
        const std::int64_t far =
            base +
            NumberAt<std::uint32_t>(call.operands[*offsets], at).value_or(0);
        const std::int64_t near =
            r * place.repeat * kBlockBytes + k * moves->element;
        iteration.push_back(scatter ? Moved{near, far, at}
                                    : Moved{far, near, at});
      }
    });
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
  // Not 0, unlike elsewhere (Gatherb · 参数说明).
  const std::int64_t repeat =
      parameters.Get({"repeatTime", "repeatTimes"}, 1, 255, 1);
  const std::int64_t block = parameters.Get({"dstBlkStride"}, 0, 255, 1);
  const std::int64_t step = parameters.Get({"dstRepStride"}, 0, 255, 8);
  for (std::int64_t r = 0; r < repeat; ++r) {
    std::vector<Moved>& iteration = moves->iterations.emplace_back();
    for (std::int64_t b = 0; b < 8; ++b) {
      const std::int64_t at = 4 * (8 * r + b);
      iteration.push_back(
          {NumberAt<std::uint32_t>(call.operands[*offsets], at).value_or(0),
           (r * step + b * block) * kBlockBytes, at});
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
  for (const std::vector<Moved>& iteration : moves->iterations) {
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
