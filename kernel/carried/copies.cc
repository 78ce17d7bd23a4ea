// TLOAD, TSTORE. Fill and its older names: one value into global memory. And
// what a copy to GM does in an atomic mode.

#include <algorithm>
#include <array>
#include <cstring>
#include <limits>
#include <string>
#include <vector>

#include "kernel/carried/flow.h"

namespace lanediff::kernel::carried {
namespace {

using isa::OperandName;

template <auto kOperation>
LaneLoop AtomicLoop(std::uint8_t dtype, bool saturate) {
  return LoopFor<kOperation, Takes::kAB>(
      dtype, dtype, saturate, Types<Half>{}, Types<Bfloat16>{}, Types<float>{},
      Types<std::int8_t>{}, Types<std::int16_t>{}, Types<std::int32_t>{});
}

/// Of what type the elements are.
std::uint8_t AtomicType(const VectorState& state, std::uint8_t dtype) {
  return state.atomic_dtype == LANEDIFF_NO_DTYPE ? dtype : state.atomic_dtype;
}

// ---- Fill -------------------------------------------------------------------

struct Filling {
  std::uint32_t dst = 0;
  std::int64_t element = 0;
  std::int64_t bytes = 0;
};

Filling ResolveFill(Parameters& parameters) {
  const CarriedCall& call = parameters.call();
  const std::uint32_t dst = Require(call, OperandName::kDst);
  const CarriedOperand& to = call.operands[dst];
  const std::int64_t bits = BitsOf(to.dtype);
  if (bits < 8 || to.dtype != call.call->scalar_dtype) {
    throw Refused(RefusedType(call, to.dtype));
  }
  // The page doesn't state whether the copies inside would accumulate.
  if (call.state.atomic != "none") {
    throw Refused(std::string(call.call->name) + " in an atomic mode");
  }
  const std::int64_t size = parameters.Get(
      "size", 0, std::numeric_limits<std::int64_t>::max() / 8, 0);
  return {dst, bits / 8, size * bits / 8};
}

std::uint64_t RunFill(CallMemory& memory, const Filling& filling,
                      VectorState&) {
  if (CarriedPlan* const plan = memory.plan()) plan->pipe = isa::Pipe::kMte3;
  std::uint8_t* const to = memory.Write(filling.dst, 0, filling.bytes);
  for (std::int64_t i = 0; to != nullptr && i < filling.bytes;
       i += filling.element) {
    std::memcpy(to + i, &memory.call().call->scalar, filling.element);
  }
  return 0;
}

}  // namespace

bool CanAccumulate(const VectorState& state, std::uint8_t dtype) {
  return AtomicLoop<kAdd>(AtomicType(state, dtype), false) != nullptr;
}

std::string RefusedAtomic(const VectorState& state, std::uint8_t dtype) {
  return "atomic " + std::string(state.atomic) + " of " +
         std::string(DTypeName(AtomicType(state, dtype)));
}

void Accumulate(const VectorState& state, std::uint8_t dtype, std::uint8_t* dst,
                const std::uint8_t* src, std::int64_t bytes) {
  const std::uint8_t type = AtomicType(state, dtype);
  const LaneLoop loop =
      state.atomic == "add"   ? AtomicLoop<kAdd>(type, state.saturation)
      : state.atomic == "max" ? AtomicLoop<kMax>(type, state.saturation)
                              : AtomicLoop<kMin>(type, state.saturation);
  if (loop == nullptr) return;
  const std::int64_t element = BitsOf(type) / 8;
  constexpr std::int64_t kPart = 4096;
  alignas(64) std::array<std::array<std::uint8_t, kPart>, 3> parts;
  for (std::int64_t at = 0; at + element <= bytes; at += kPart) {
    const std::int64_t size = std::min(kPart, (bytes - at) / element * element);
    std::memcpy(parts[0].data(), dst + at, size);
    std::memcpy(parts[1].data(), src + at, size);
    loop({.in = {parts[0].data(), parts[1].data()},
          .out = parts[2].data(),
          .count = size / element});
    std::memcpy(dst + at, parts[2].data(), size);
  }
}

// ---- TLOAD, TSTORE of PTO: a tile's valid elements, from GM and to GM -------

namespace {

constexpr std::int64_t kMost = std::numeric_limits<std::int32_t>::max();
constexpr std::size_t kDimensions = 5;

/// Neighbours in both memories, at bytes from the operands' first.
struct Run {
  std::int64_t tile = 0;
  std::int64_t gm = 0;
  std::int64_t bytes = 0;
  std::int64_t row = 0;
};

struct TileCopy {
  std::uint32_t tile = 0;
  std::uint32_t gm = 0;
  bool out = false;
  bool adds = false;
  std::vector<Run> runs;
};

/// Rows are the four outer dimensions of the tensor in GM, columns the inner
/// one. What follows the first element that leaves a window is not listed.
std::vector<Run> RunsOf(Parameters& parameters, const TileCopy& copy,
                        std::int64_t element) {
  const std::string tile = copy.out ? "src" : "dst";
  const std::string gm = copy.out ? "dst" : "src";
  const CarriedCall& call = parameters.call();
  const auto get = [&](const std::string& name, std::int64_t low,
                       std::int64_t high) {
    return parameters.Get(name, low, high, low);
  };
  const std::int64_t rows = get(tile + ".rows", 1, kMost);
  const std::int64_t cols = get(tile + ".cols", 1, kMost);
  const std::int64_t valid_rows = get(tile + ".validRow", 0, rows);
  const std::int64_t valid_cols = get(tile + ".validCol", 0, cols);
  std::array<std::int64_t, kDimensions> shape{};
  std::array<std::int64_t, kDimensions> stride{};
  for (std::size_t d = 0; d < kDimensions; ++d) {
    shape[d] = get(gm + ".shape" + std::to_string(d), 1, kMost);
    stride[d] = get(gm + ".stride" + std::to_string(d), 0, kMost);
  }
  const bool by_columns = call.Word(tile + ".layout") == "DN";
  std::vector<Run> runs;
  const std::int64_t outer = by_columns ? valid_cols : valid_rows;
  const std::int64_t inner = by_columns ? valid_rows : valid_cols;
  if (inner == 0) return runs;
  bool left = false;
  for (std::int64_t a = 0; a < outer && !left; ++a) {
    for (std::int64_t b = 0; b < inner && !left; ++b) {
      const std::int64_t row = by_columns ? b : a;
      const std::int64_t col = by_columns ? a : b;
      std::int64_t rest = row;
      std::int64_t far = col * stride[4];
      for (std::size_t d = 4; d-- > 0;) {
        const bool last = d == 0;
        far += (last ? rest : rest % shape[d]) * stride[d];
        rest /= shape[d];
      }
      const std::int64_t near =
          by_columns ? col * rows + row : row * cols + col;
      left = IsOutside(call.operands[copy.tile], near * element, element) ||
             IsOutside(call.operands[copy.gm], far * element, element);
      if (!runs.empty()) {
        Run& run = runs.back();
        if (run.row == a && run.tile + run.bytes == near * element &&
            run.gm + run.bytes == far * element) {
          run.bytes += element;
          continue;
        }
      }
      runs.push_back({near * element, far * element, element, a});
    }
  }
  if (parameters.plan() != nullptr) parameters.plan()->cut = left;
  return runs;
}

TileCopy ResolveTile(Parameters& parameters) {
  const CarriedCall& call = parameters.call();
  const std::uint32_t dst = Require(call, OperandName::kDst);
  const std::uint32_t src = Require(call, OperandName::kSrc);
  TileCopy copy;
  copy.out = std::string_view(call.call->name) == "TSTORE";
  copy.tile = copy.out ? src : dst;
  copy.gm = copy.out ? dst : src;
  const CarriedOperand& tile = call.operands[copy.tile];
  const CarriedOperand& gm = call.operands[copy.gm];
  if (tile.memory != isa::Memory::kUb || gm.memory != isa::Memory::kGm) {
    throw Refused(std::string(call.call->name) + " between " +
                  std::string(isa::Name(gm.memory)) + " and " +
                  std::string(isa::Name(tile.memory)));
  }
  if (tile.dtype != gm.dtype || BitsOf(tile.dtype) < 8) {
    throw Refused(
        RefusedPair(call, call.operands[src].dtype, call.operands[dst].dtype));
  }
  copy.adds = call.Word("atomic") == "AtomicAdd";
  VectorState adding;
  adding.atomic = "add";
  if (copy.adds && !CanAccumulate(adding, tile.dtype)) {
    throw Refused(RefusedAtomic(adding, tile.dtype));
  }
  copy.runs = RunsOf(parameters, copy, BitsOf(tile.dtype) / 8);
  return copy;
}

void PlanTile(const CarriedCall& call, const TileCopy& copy,
              CarriedPlan& plan) {
  plan.pipe = copy.out ? isa::Pipe::kMte3 : isa::Pipe::kMte2;
  const std::int64_t tile = call.operands[copy.tile].at;
  const std::int64_t gm = call.operands[copy.gm].at;
  for (const Run& run : copy.runs) {
    const Touch near{copy.tile, tile + run.tile, run.bytes, run.row};
    const Touch far{copy.gm, gm + run.gm, run.bytes, run.row};
    plan.reads.push_back(copy.out ? near : far);
    if (copy.adds) plan.reads.push_back(far);
    plan.writes.push_back(copy.out ? far : near);
  }
}

std::uint64_t RunTile(CallMemory& memory, const TileCopy& copy,
                      VectorState& state) {
  const CarriedCall& call = memory.call();
  if (CarriedPlan* const plan = memory.plan()) {
    PlanTile(call, copy, *plan);
    return 0;
  }
  VectorState adding = state;
  adding.atomic = "add";
  adding.atomic_dtype = call.operands[copy.tile].dtype;
  for (const Run& run : copy.runs) {
    std::uint8_t* const near = call.operands[copy.tile].bytes + run.tile;
    std::uint8_t* const far = call.operands[copy.gm].bytes + run.gm;
    if (copy.adds) {
      Accumulate(adding, adding.atomic_dtype, far, near, run.bytes);
    } else {
      std::memcpy(copy.out ? far : near, copy.out ? near : far,
                  static_cast<std::size_t>(run.bytes));
    }
  }
  return 0;
}

}  // namespace

Rows CopyRows() {
  using Name = std::string_view;
  Rows rows = {RowOf<ResolveTile, RunTile>("TLOAD"),
               RowOf<ResolveTile, RunTile>("TSTORE")};
  for (const Name name : {"Fill", "InitGlobalMemory", "InitOutput"}) {
    rows.push_back(RowOf<ResolveFill, RunFill>(name));
  }
  return rows;
}

}  // namespace lanediff::kernel::carried
