// Select: one of two by the bits of a mask.

#include <array>
#include <cstring>

#include "kernel/carried/family.h"
#include "kernel/carried/flags.h"
#include "kernel/carried/flow.h"
#include "kernel/carried/lanes.h"
#include "kernel/carried/parameters.h"

namespace lanediff::kernel::carried {
namespace {

using isa::OperandName;

enum class SelectMode : std::uint8_t { kSame, kScalar, kTensors };

template <class U, bool kScalar>
void Choose(const Slice& slice) {
  const U* const a = static_cast<const U*>(slice.in[0]);
  const auto* const flags = static_cast<const std::uint8_t*>(slice.in[1]);
  const U* const b = static_cast<const U*>(slice.in[2]);
  U* const out = static_cast<U*>(slice.out);
  const U scalar = static_cast<U>(slice.scalar);
  for (std::int64_t i = 0; i < slice.count; ++i) {
    out[i] = flags[i] != 0 ? a[i] : kScalar ? scalar : b[i];
  }
}

struct Selecting {
  LaneCall lane;  ///< its sources: src0, and src1 if there is one
  SelectMode mode = SelectMode::kSame;
  std::optional<std::uint32_t> mask;  ///< none: the register's bits
  std::int64_t bits = 0;              ///< of an element
};

std::expected<SelectMode, std::string> ModeOf(const CarriedCall& call,
                                              bool has_src1) {
  const std::string_view word = call.Word("selMode");
  if (word == "VSEL_CMPMASK_SPR") return SelectMode::kSame;
  if (word == "VSEL_TENSOR_SCALAR_MODE") return SelectMode::kScalar;
  if (word == "VSEL_TENSOR_TENSOR_MODE") return SelectMode::kTensors;
  // The form without src1 and without a mode has its scalar in the register.
  if (word.empty() && !has_src1) return SelectMode::kScalar;
  return std::unexpected("Select with " + (word.empty()
                                               ? std::string("no selMode")
                                               : std::string(word)));
}

std::expected<Selecting, std::string> ResolveSelect(Parameters& parameters) {
  const CarriedCall& call = parameters.call();
  const auto dst = Require(call, OperandName::kDst);
  const auto a = Require(call, OperandName::kSrc0);
  const auto b = Require(call, OperandName::kSrc1);
  if (!dst) return std::unexpected(dst.error());
  if (!a) return std::unexpected(a.error());
  const auto mode = ModeOf(call, b.has_value());
  if (!mode) return std::unexpected(mode.error());
  if (*mode != SelectMode::kScalar && !b) return std::unexpected(b.error());
  if (call.product == isa::Product::kAtlasTraining &&
      *mode != SelectMode::kSame) {
    return std::unexpected("Select with " + std::string(call.Word("selMode")) +
                           " on atlas-training");
  }
  const std::uint8_t dtype = call.operands[*dst].dtype;
  if (dtype != LANEDIFF_HALF && dtype != LANEDIFF_FLOAT) {
    return std::unexpected(RefusedType(call, dtype));
  }
  if (call.operands[*a].dtype != dtype ||
      (b && call.operands[*b].dtype != dtype)) {
    return std::unexpected(RefusedPair(
        call, call.operands[call.operands[*a].dtype != dtype ? *a : *b].dtype,
        dtype));
  }
  Selecting selecting;
  selecting.mode = *mode;
  selecting.bits = BitsOf(dtype);
  if (const auto mask = Require(call, OperandName::kMask)) {
    selecting.mask = *mask;
  } else if (*mode == SelectMode::kTensors) {
    // The register then holds an address, which no call here gives.
    return std::unexpected("Select with VSEL_TENSOR_TENSOR_MODE without mask");
  }
  Flow& flow = selecting.lane.flow;
  flow.lanes = LanesOf(parameters, selecting.bits);
  const auto place = [&](Names block, Names repeat, std::int64_t least) {
    const std::int64_t blocks = parameters.Get(block, least, 255, 1);
    return Place{.bits = selecting.bits,
                 .block = flow.lanes.contiguous ? 1 : blocks,
                 .repeat = parameters.Get(repeat, 0, 255, 8)};
  };
  flow.result = {*dst, place({"dstBlkStride"}, {"dstRepStride"}, 1)};
  flow.AddSource(*a, place({"src0BlkStride"}, {"src0RepStride"}, 0));
  const Place other = place({"src1BlkStride"}, {"src1RepStride"}, 0);
  const bool half = selecting.bits == 16;
  LaneLoop& loop = selecting.lane.loop;
  if (*mode == SelectMode::kScalar) {
    loop = half ? &Choose<std::uint16_t, true> : &Choose<std::uint32_t, true>;
    selecting.lane.scalar = call.call->scalar;
    if (call.call->form == LANEDIFF_PLAIN) {
      selecting.lane.scalar = call.state.compare_mask[0];
    } else if (call.call->scalar_dtype != dtype) {
      return std::unexpected(RefusedType(call, dtype) + " with a scalar of " +
                             std::string(DTypeName(call.call->scalar_dtype)));
    }
  } else {
    loop = half ? &Choose<std::uint16_t, false> : &Choose<std::uint32_t, false>;
    flow.AddSource(*b, other);
  }
  return selecting;
}

/// The bits of iteration `r`: its first byte and how many, in the mask.
struct MaskBytes {
  std::int64_t at = 0;
  std::int64_t bytes = 0;
};
MaskBytes BytesOfMask(const Selecting& selecting, std::int64_t r) {
  const Lanes& lanes = selecting.lane.flow.lanes;
  const bool same = selecting.mode == SelectMode::kSame;
  std::int64_t bits = lanes.first >= 0 ? lanes.Count(r) : lanes.width;
  if (lanes.first < 0 && lanes.Count(r) == 0) bits = 0;
  if (same && bits > lanes.width) bits = lanes.width;
  return {same ? 0 : r * lanes.width / 8, (bits + 7) / 8};
}

/// Calls visit(flag, bit) for each element that takes part, in their order: its
/// number in `WithFlags` and the mask's bit; 0 behind the mask's window.
template <class Visit>
void ForBits(const CarriedCall& call, const Selecting& selecting,
             const VectorState& state, const Visit& visit) {
  const Lanes& lanes = selecting.lane.flow.lanes;
  const std::uint8_t* bits =
      reinterpret_cast<const std::uint8_t*>(state.compare_mask);
  std::int64_t bytes = sizeof state.compare_mask;
  if (selecting.mask) {
    bits = call.operands[*selecting.mask].bytes;
    bytes = call.operands[*selecting.mask].window;
  }
  for (std::int64_t r = 0; r < lanes.iterations; ++r) {
    const std::int64_t row = lanes.contiguous ? 0 : r * lanes.width;
    lanes.ForRuns(r, [&](std::int64_t first, std::int64_t count) {
      for (std::int64_t k = first; k < first + count; ++k) {
        const std::int64_t bit =
            selecting.mode == SelectMode::kSame ? k % lanes.width : row + k;
        visit(row + k,
              bit / 8 < bytes && (bits[bit / 8] >> (bit % 8) & 1) != 0);
      }
    });
  }
}

Planned PlanSelect(const CarriedCall& call) {
  CarriedPlan plan;
  Parameters parameters(call, &plan);
  const auto selecting = ResolveSelect(parameters);
  if (!selecting) return std::unexpected(selecting.error());
  const Flow& flow = selecting->lane.flow;
  Bounds bounds(call, plan);
  for (std::int64_t r = 0; r < flow.lanes.iterations && !bounds.Left(); ++r) {
    const MaskBytes mask = BytesOfMask(*selecting, r);
    if (selecting->mask && mask.bytes > 0) {
      plan.reads.push_back({*selecting->mask,
                            call.operands[*selecting->mask].at + mask.at,
                            mask.bytes, r});
    }
    for (std::uint32_t i = 0; i < flow.source_count; ++i) {
      Touches(call, flow.sources[i].operand, flow.lanes, flow.sources[i].place,
              r, plan.reads);
    }
    Touches(call, flow.result.operand, flow.lanes, flow.result.place, r,
            plan.writes);
  }
  // More are out of bounds.
  if (flow.lanes.contiguous && flow.lanes.first > kMostElements) return plan;
  ForBits(call, *selecting, call.state,
          [&](std::int64_t, bool is_src0) { plan.chosen.push_back(is_src0); });
  return plan;
}

std::uint64_t ComputeSelect(const CarriedCall& call, const CarriedPlan&,
                            VectorState& state) {
  Parameters parameters(call);
  const auto selecting = ResolveSelect(parameters);
  Flow flow = selecting->lane.flow;
  WithFlags with(call, flow.lanes);
  // What the mask's bits are before anything is written.
  ForBits(call, *selecting, state, [&](std::int64_t flag, bool is_src0) {
    with.flags[flag] = is_src0 ? 1 : 0;
  });
  const Flow::Source other = flow.sources[1];
  const bool has_other = flow.source_count == 2;
  flow.sources[1] = {with.operand, with.place};
  flow.source_count = 2;
  if (has_other) flow.AddSource(other.operand, other.place);
  RunFlow(with.call, flow, selecting->lane.loop, selecting->lane.scalar);
  return 0;
}

constexpr std::array<Row, 1> kSelectRows = {
    Row{"Select", &PlanSelect, &ComputeSelect}};

}  // namespace

std::span<const Row> SelectRows() { return kSelectRows; }

}  // namespace lanediff::kernel::carried
