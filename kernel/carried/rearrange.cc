// Gather, Gatherb, Scatter: what lies where is in a tensor of offsets.
// Transpose of 16 × 16, and TransDataTo5HD, which takes its rows from anywhere.
// ArithProgression: numbers that follow from the lane's.

#include <algorithm>
#include <array>
#include <cstring>
#include <limits>
#include <string>
#include <utility>
#include <vector>

#include "kernel/carried/flow.h"

namespace lanediff::kernel::carried {
namespace {

using isa::OperandName;

/// Pieces of one source and one result.
struct Moves {
  std::uint32_t dst = 0;
  std::uint32_t src = 0;
  std::int64_t element = 0;
  Pieces pieces;

  /// Adds one to the last iteration.
  void Add(Pieces::Piece piece) {
    piece.from_operand = src;
    piece.to_operand = dst;
    pieces.iterations.back().push_back(piece);
  }
};

Moves BeginMoves(const CarriedCall& call, OperandName src_name) {
  Moves moves;
  moves.dst = Require(call, OperandName::kDst);
  moves.src = Require(call, src_name, OperandName::kSrc);
  moves.element = Require16Or32(call, call.operands[moves.dst].dtype) / 8;
  RequireSame(call, moves.src, moves.dst);
  return moves;
}

std::uint32_t RequireOffsets(const CarriedCall& call) {
  const std::uint32_t offsets = Require(call, OperandName::kOffset);
  const std::uint8_t dtype = call.operands[offsets].dtype;
  if (dtype == LANEDIFF_UINT32) return offsets;
  throw Refused(std::string(call.call->name) + " with offsets of " +
                std::string(DTypeName(dtype)));
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
Pieces ResolveLaneMoves(Parameters& parameters) {
  const CarriedCall& call = parameters.call();
  const bool scatter = std::string_view(call.call->name) == "Scatter";
  Moves moves = BeginMoves(call, OperandName::kSrc);
  const CarriedOperand& offsets = call.operands[RequireOffsets(call)];
  moves.pieces.offsets = Find(call, OperandName::kOffset);
  const std::int64_t element = moves.element;
  const Lanes lanes = LanesOf(parameters, element * 8);
  const std::int64_t base = parameters.Get(
      scatter ? "dstBaseAddr" : "srcBaseAddr", 0, kMaxOffset, 0, element);
  const std::int64_t repeat = parameters.Get(
      scatter ? "srcRepStride" : "dstRepStride", 0, scatter ? 255 : 65535, 8);
  const CarriedOperand& far_side =
      call.operands[scatter ? moves.dst : moves.src];
  const CarriedOperand& near_side =
      call.operands[scatter ? moves.src : moves.dst];
  CarriedPlan* const plan = parameters.plan();
  std::vector<std::pair<std::int64_t, std::int64_t>> targets;
  bool left = false;
  const auto add = [&](std::int64_t r, std::int64_t k) {
    const std::int64_t index = r * lanes.width + k;
    const auto offset = OffsetAt(offsets, 4 * index);
    const std::int64_t far = base + offset.value_or(0);
    const std::int64_t near = r * repeat * kBlockBytes + k * element;
    moves.Add({.from = scatter ? near : far,
               .to = scatter ? far : near,
               .bytes = element,
               .offset = 4 * index});
    left = !offset || IsOutside(far_side, far, element) ||
           IsOutside(near_side, near, element);
    if (plan == nullptr || !offset || offsets.HasUnwritten(4 * index, 4)) {
      return;
    }
    CheckOffset(*plan, index, *offset, element, HighestOffset(call, element));
    if (scatter) targets.emplace_back(far, index);
  };
  for (std::int64_t r = 0; r < lanes.iterations && !left; ++r) {
    moves.pieces.iterations.emplace_back();
    lanes.ForRuns(r, [&](std::int64_t first, std::int64_t count) {
      for (std::int64_t k = first; k < first + count && !left; ++k) add(r, k);
    });
  }
  if (plan != nullptr) {
    plan->cut = left;
    CheckTargets(*plan, std::move(targets));
  }
  return std::move(moves.pieces);
}

/// Gatherb: eight blocks an iteration.
Pieces ResolveBlockMoves(Parameters& parameters) {
  const CarriedCall& call = parameters.call();
  Moves moves = BeginMoves(call, OperandName::kSrc0);
  const CarriedOperand& offsets = call.operands[RequireOffsets(call)];
  moves.pieces.offsets = Find(call, OperandName::kOffset);
  CarriedPlan* const plan = parameters.plan();
  if (plan != nullptr) plan->mask.leaves = FirstBits(128);
  const std::int64_t iterations = RepeatTime(parameters);
  // 0 counts as 1 (Gatherb · 表3).
  const std::int64_t block =
      std::max<std::int64_t>(parameters.Get("dstBlkStride", 0, 255, 1), 1);
  const std::int64_t step = parameters.Get("dstRepStride", 0, 255, 8);
  for (std::int64_t r = 0; r < iterations; ++r) {
    moves.pieces.iterations.emplace_back();
    for (std::int64_t b = 0; b < 8; ++b) {
      const std::int64_t i = 8 * r + b;
      const std::int64_t offset = OffsetAt(offsets, 4 * i).value_or(0);
      if (plan != nullptr) {
        CheckOffset(*plan, i, offset, kBlockBytes, kMaxOffset);
      }
      moves.Add({.from = offset,
                 .to = (r * step + b * block) * kBlockBytes,
                 .bytes = kBlockBytes,
                 .offset = 4 * i});
    }
  }
  return std::move(moves.pieces);
}

// ---- Transposing ------------------------------------------------------------

constexpr std::int64_t kRows = 16;

struct RowList {
  std::uint32_t dst = 0;
  std::uint32_t src = 0;
  std::int64_t element = 0;
  std::int64_t iterations = 1;
  std::array<std::int64_t, kRows> to{};    ///< bytes from dst on
  std::array<std::int64_t, kRows> from{};  ///< likewise, src
  std::int64_t to_step = 0;
  std::int64_t from_step = 0;
  std::int64_t begin = 0;  ///< the first iteration's number, of the steps

  /// Elements that an iteration takes of each source row.
  std::int64_t Columns() const { return element == 4 ? 8 : 16; }
};

RowList Begin16(const CarriedCall& call) {
  RowList rows;
  rows.dst = Require(call, OperandName::kDst);
  rows.src = Require(call, OperandName::kSrc);
  rows.element = BitsOf(call.operands[rows.dst].dtype) / 8;
  RequireSame(call, rows.src, rows.dst);
  return rows;
}

RowList ResolveTranspose(Parameters& parameters) {
  const CarriedCall& call = parameters.call();
  RowList rows = Begin16(call);
  if (rows.element != 2) {
    throw Refused(RefusedType(call, call.operands[rows.dst].dtype));
  }
  // The form with a work space has these; it is another call.
  for (const char* name : {"nSize", "cSize", "hSize", "wSize"}) {
    if (call.Number(name, -1) >= 0) {
      throw Refused("Transpose with TransposeParamsExt");
    }
  }
  for (std::int64_t i = 0; i < kRows; ++i) {
    rows.to[i] = rows.from[i] = i * kBlockBytes;
  }
  return rows;
}

RowList ResolveTo5hd(Parameters& parameters) {
  const CarriedCall& call = parameters.call();
  RowList rows = Begin16(call);
  if (rows.element != 1 && rows.element != 2 && rows.element != 4) {
    throw Refused(RefusedType(call, call.operands[rows.dst].dtype));
  }
  const std::int64_t high_to = parameters.Get("dstHighHalf", 0, 1, 0);
  const std::int64_t high_from = parameters.Get("srcHighHalf", 0, 1, 0);
  for (std::int64_t i = 0; i < kRows; ++i) {
    const std::string number = std::to_string(i);
    rows.to[i] = call.Number("dst" + number);
    rows.from[i] = call.Number("src" + number);
    if (rows.element == 1) {
      rows.to[i] += high_to * 16;
      rows.from[i] += high_from * 16;
    }
  }
  rows.iterations = RepeatTime(parameters);
  rows.to_step = kBlockBytes * parameters.Get("dstRepStride", 0, 65535, 0);
  rows.from_step = kBlockBytes * parameters.Get("srcRepStride", 0, 65535, 0);
  // A single iteration is a step away already (repeatTimes · 注意事项).
  rows.begin = rows.iterations == 1 ? 1 : 0;
  return rows;
}

/// Where column `column` of row `row` goes, from the beginning of dst's row
/// list: 16 elements make a result row; at 32 bits it takes two blocks.
struct Target {
  std::int64_t row;
  std::int64_t offset;
};
Target TargetOf(const RowList& rows, std::int64_t row, std::int64_t column) {
  if (rows.element != 4) return {column, row * rows.element};
  return {2 * column + row / 8, row % 8 * 4};
}

std::uint64_t RunRows(CallMemory& memory, const RowList& rows, VectorState&) {
  const std::int64_t taken = rows.Columns() * rows.element;
  std::vector<std::uint8_t> in(kRows * taken);
  std::array<std::uint8_t*, kRows> to{};
  for (std::int64_t r = 0; r < rows.iterations && memory.Begin(r); ++r) {
    for (std::int64_t i = 0; i < kRows; ++i) {
      const std::uint8_t* const from = memory.Read(
          rows.src, rows.from[i] + (rows.begin + r) * rows.from_step, taken);
      if (from != nullptr) std::memcpy(in.data() + i * taken, from, taken);
    }
    for (std::int64_t i = 0; i < kRows; ++i) {
      to[i] = memory.Write(rows.dst,
                           rows.to[i] + (rows.begin + r) * rows.to_step, taken);
    }
    if (memory.plan() != nullptr) continue;
    for (std::int64_t i = 0; i < kRows; ++i) {
      for (std::int64_t k = 0; k < rows.Columns(); ++k) {
        const Target target = TargetOf(rows, i, k);
        std::memcpy(to[target.row] + target.offset,
                    in.data() + i * taken + k * rows.element, rows.element);
      }
    }
  }
  return 0;
}

// ---- Counting ---------------------------------------------------------------

struct Progression {
  LaneCall lane;  ///< copies the numbers of lanes
  std::uint64_t first = 0;
  std::uint64_t step = 0;  ///< the element's bits
  std::uint64_t (*value)(const Progression& of, std::int64_t index,
                         bool saturate) = nullptr;
};

/// first + index · step: the product is a node, and the sum. Integers saturate
/// as those of Adds do (边界值汇总 · 数据填充).
template <class T>
std::uint64_t Value(const Progression& of, std::int64_t index, bool saturate) {
  const auto first = Widen(FromBits<T>(of.first));
  const auto step = Widen(FromBits<T>(of.step));
  using Wide = decltype(first + step);
  const auto narrow = [&](auto value) {
    return saturate ? Narrow<T, true>(value) : Narrow<T, false>(value);
  };
  T value;
  if constexpr (std::is_integral_v<T>) {
    value = narrow(std::int64_t{first} + std::int64_t{step} * index);
  } else {
    value = narrow(first + static_cast<Wide>(index) * step);
  }
  std::uint64_t bits = 0;
  std::memcpy(&bits, &value, sizeof value);
  return bits;
}

struct Countable {
  std::uint8_t dtype;
  decltype(Progression::value) value;
};
constexpr Countable kCountable[] = {{LANEDIFF_INT16, &Value<std::int16_t>},
                                    {LANEDIFF_INT32, &Value<std::int32_t>},
                                    {LANEDIFF_HALF, &Value<Half>},
                                    {LANEDIFF_FLOAT, &Value<float>}};

Progression ResolveProgression(Parameters& parameters) {
  const CarriedCall& call = parameters.call();
  const std::uint32_t dst = Require(call, OperandName::kDst);
  const std::uint8_t dtype = call.operands[dst].dtype;
  const auto* const row =
      std::ranges::find(kCountable, dtype, &Countable::dtype);
  if (row == std::end(kCountable)) throw Refused(RefusedType(call, dtype));
  RequireScalar(call, dtype);
  Progression of{.lane = {},
                 .first = call.call->scalar,
                 .step = static_cast<std::uint64_t>(call.Number("diffValue")),
                 .value = row->value};
  of.lane.approximate = dtype == LANEDIFF_HALF || dtype == LANEDIFF_FLOAT;
  const std::int64_t bits = BitsOf(dtype);
  of.lane.loop = bits == 16 ? &Move<2> : &Move<4>;
  Flow& flow = of.lane.flow;
  flow.lanes = LanesOf(parameters, bits);
  flow.result = {dst, {.bits = bits, .block = 1, .repeat = 8}};
  return of;
}

std::uint64_t RunProgression(CallMemory& memory, const Progression& of,
                             VectorState& state) {
  if (memory.plan() != nullptr) return RunLanes(memory, of.lane, state);
  Flow flow = of.lane.flow;
  const std::int64_t element = flow.result.place.bits / 8;
  WithLanes with(memory.call(), flow.lanes, element);
  for (std::int64_t i = 0; i < std::ssize(with.bytes) / element; ++i) {
    const std::uint64_t bits = of.value(of, i, state.saturation);
    std::memcpy(with.bytes.data() + i * element, &bits, element);
  }
  flow.AddSource(with.operand, with.place);
  RunFlow(with.call, flow, of.lane.loop, 0);
  return 0;
}

}  // namespace

Rows RearrangeRows() {
  return {RowOf<ResolveLaneMoves, RunPieces>("Gather"),
          RowOf<ResolveLaneMoves, RunPieces>("Scatter"),
          RowOf<ResolveBlockMoves, RunPieces>("Gatherb"),
          RowOf<ResolveTranspose, RunRows>("Transpose"),
          RowOf<ResolveTo5hd, RunRows>("TransDataTo5HD"),
          RowOf<ResolveProgression, RunProgression>("ArithProgression")};
}

}  // namespace lanediff::kernel::carried
