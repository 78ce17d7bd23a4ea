// Select: one of two by the bits of a mask. GatherMask: the elements that a
// pattern picks, one behind the other.

#include <algorithm>
#include <cstring>
#include <limits>
#include <optional>
#include <string>
#include <vector>

#include "kernel/carried/flow.h"

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

SelectMode ModeOf(const CarriedCall& call, bool has_src1) {
  const std::string_view word = call.Word("selMode");
  if (word == "VSEL_CMPMASK_SPR") return SelectMode::kSame;
  if (word == "VSEL_TENSOR_SCALAR_MODE") return SelectMode::kScalar;
  if (word == "VSEL_TENSOR_TENSOR_MODE") return SelectMode::kTensors;
  // The form without src1 and without a mode has its scalar in the register.
  if (word.empty() && !has_src1) return SelectMode::kScalar;
  throw Refused("Select with " +
                (word.empty() ? std::string("no selMode") : std::string(word)));
}

Selecting ResolveSelect(Parameters& parameters) {
  const CarriedCall& call = parameters.call();
  const std::uint32_t dst = Require(call, OperandName::kDst);
  const std::uint32_t a = Require(call, OperandName::kSrc0);
  auto b = Find(call, OperandName::kSrc1);
  Selecting selecting;
  selecting.mode = ModeOf(call, b.has_value());
  const bool scalar = selecting.mode == SelectMode::kScalar;
  if (!scalar) b = Require(call, OperandName::kSrc1);
  if (call.product == isa::Product::kAtlasTraining &&
      selecting.mode != SelectMode::kSame) {
    throw Refused("Select with " + std::string(call.Word("selMode")) +
                  " on atlas-training");
  }
  const std::uint8_t dtype = call.operands[dst].dtype;
  const bool half = RequireHalfOrFloat(call, dtype);
  RequireSame(call, a, dst);
  if (b) RequireSame(call, *b, dst);
  selecting.bits = BitsOf(dtype);
  selecting.mask = Find(call, OperandName::kMask);
  if (!selecting.mask && selecting.mode == SelectMode::kTensors) {
    // The register then holds an address, which no call here gives.
    throw Refused("Select with VSEL_TENSOR_TENSOR_MODE without mask");
  }
  Flow& flow = selecting.lane.flow;
  flow.lanes = LanesOf(parameters, selecting.bits);
  const std::int64_t bits = selecting.bits;
  flow.result = {dst, PlaceOf(parameters, flow.lanes, "dst", bits, 1)};
  flow.AddSource(a, PlaceOf(parameters, flow.lanes, "src0", bits));
  const Place other = PlaceOf(parameters, flow.lanes, "src1", bits);
  LaneLoop& loop = selecting.lane.loop;
  if (!scalar) {
    loop = half ? &Choose<std::uint16_t, false> : &Choose<std::uint32_t, false>;
    flow.AddSource(*b, other);
    return selecting;
  }
  loop = half ? &Choose<std::uint16_t, true> : &Choose<std::uint32_t, true>;
  selecting.lane.scalar = call.call->scalar;
  if (call.call->form == LANEDIFF_PLAIN) {
    selecting.lane.scalar = call.state.compare_mask[0];
  } else {
    RequireScalar(call, dtype);
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
/// number in `WithLanes` and the mask's bit; 0 behind the mask's window.
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

void PlanSelect(CallMemory& memory, const Selecting& selecting) {
  const CarriedCall& call = memory.call();
  CarriedPlan& plan = *memory.plan();
  const Flow& flow = selecting.lane.flow;
  for (std::int64_t r = 0; r < flow.lanes.iterations && memory.Begin(r); ++r) {
    const MaskBytes mask = BytesOfMask(selecting, r);
    if (selecting.mask && mask.bytes > 0) {
      memory.Read(*selecting.mask, mask.at, mask.bytes);
    }
    TouchSources(memory, flow, r);
    Touches(call, flow.result.operand, flow.lanes, flow.result.place, r,
            plan.writes);
  }
  // More are out of bounds.
  if (flow.lanes.contiguous && flow.lanes.first > kMostElements) return;
  ForBits(call, selecting, call.state,
          [&](std::int64_t, bool is_src0) { plan.chosen.push_back(is_src0); });
}

std::uint64_t RunSelect(CallMemory& memory, const Selecting& selecting,
                        VectorState& state) {
  if (memory.plan() != nullptr) {
    PlanSelect(memory, selecting);
    return 0;
  }
  const CarriedCall& call = memory.call();
  Flow flow = selecting.lane.flow;
  WithLanes with(call, flow.lanes);
  // What the mask's bits are before anything is written.
  ForBits(call, selecting, state, [&](std::int64_t flag, bool is_src0) {
    with.bytes[flag] = is_src0 ? 1 : 0;
  });
  const Flow::Source other = flow.sources[1];
  const bool has_other = flow.source_count == 2;
  flow.sources[1] = {with.operand, with.place};
  flow.source_count = 2;
  if (has_other) flow.AddSource(other.operand, other.place);
  RunFlow(with.call, flow, selecting.lane.loop, selecting.lane.scalar);
  return 0;
}

// ---- GatherMask -------------------------------------------------------------

struct Gathering {
  std::uint32_t dst = 0;
  std::uint32_t src = 0;
  std::optional<std::uint32_t> pattern = std::nullopt;  ///< a tensor of bits
  std::int64_t built_in = 0;                            ///< else one of 1 to 7
  Lanes lanes{};
  Place place{};
  std::int64_t pattern_step = 0;  ///< bytes of it from iteration to iteration
};

/// Which lane of each two or four (GatherMask · 功能说明).
bool Picks(std::int64_t built_in, std::int64_t lane) {
  if (built_in <= 2) return lane % 2 == built_in - 1;
  if (built_in <= 6) return lane % 4 == built_in - 3;
  return true;
}

Gathering ResolveGather(Parameters& parameters) {
  const CarriedCall& call = parameters.call();
  Gathering gathering{.dst = Require(call, OperandName::kDst),
                      .src = Require(call, OperandName::kSrc0)};
  const std::uint8_t dtype = call.operands[gathering.src].dtype;
  const std::int64_t bits = Require16Or32(call, dtype);
  RequireSame(call, gathering.src, gathering.dst);
  const bool inference = call.product == isa::Product::kAtlasInferenceAicore;
  gathering.pattern = Find(call, OperandName::kSrc1);
  if (gathering.pattern) {
    const std::uint8_t type = call.operands[*gathering.pattern].dtype;
    if (type != (bits == 16 ? LANEDIFF_UINT16 : LANEDIFF_UINT32)) {
      throw Refused(RefusedType(call, dtype) + " with a pattern of " +
                    std::string(DTypeName(type)));
    }
  } else {
    gathering.built_in = parameters.Get("src1Pattern", 1, inference ? 6 : 7, 7);
  }
  Lanes& lanes = gathering.lanes;
  lanes.width = kIterationBytes * 8 / bits;
  const bool counter = parameters.Get("reduceMode", 0, 1, 0) != 0;
  const std::int64_t repeat = RepeatTime(parameters);
  lanes.iterations = repeat;
  lanes.first = lanes.last = lanes.width;
  if (counter) {
    const std::int64_t elements = std::min(
        parameters.Get("mask", 1, std::numeric_limits<std::uint32_t>::max(), 1),
        kMostElements);
    if (inference) {  // all elements, however often
      lanes.iterations = (elements + lanes.width - 1) / lanes.width;
      lanes.last = elements - (lanes.iterations - 1) * lanes.width;
    } else {  // so many in each iteration, behind its eighth block, too
      lanes.first = lanes.last = elements;
    }
  }
  gathering.place = {
      .bits = bits,
      .block = parameters.Get({"src0BlockStride", "src0BlkStride"}, 0, 255, 1),
      .repeat =
          parameters.Get({"src0RepeatStride", "src0RepStride"}, 0, 65535, 8)};
  gathering.pattern_step =
      kBlockBytes *
      parameters.Get({"src1RepeatStride", "src1RepStride"}, 0, 255, 0);
  if (CarriedPlan* const plan = parameters.plan()) {
    // GatherMask · 约束说明: a caller in counter mode sets the mode again, and
    // nothing else.
    plan->mask.sets_normal = true;
    plan->mask.leaves_unknown = !call.state.counter;
  }
  return gathering;
}

/// The lanes that iteration `r` picks; bits beyond the pattern's window are 0.
std::vector<std::int64_t> Picked(const CarriedCall& call,
                                 const Gathering& gathering, std::int64_t r) {
  std::vector<std::int64_t> lanes;
  for (std::int64_t k = 0; k < gathering.lanes.Count(r); ++k) {
    if (!gathering.pattern) {
      if (Picks(gathering.built_in, k)) lanes.push_back(k);
      continue;
    }
    const CarriedOperand& pattern = call.operands[*gathering.pattern];
    const std::int64_t at = r * gathering.pattern_step + k / 8;
    if (at >= pattern.readable) break;
    if ((pattern.bytes[at] >> (k % 8) & 1) != 0) lanes.push_back(k);
  }
  return lanes;
}

/// Notes which lanes of iteration `r` are picked.
void NotePicked(const Gathering& gathering,
                const std::vector<std::int64_t>& lanes, std::int64_t r,
                CarriedPlan& plan) {
  const std::size_t before = plan.chosen.size();
  const std::int64_t all = gathering.lanes.Count(r);
  if (static_cast<std::int64_t>(before) + all > kMostElements) return;
  plan.chosen.resize(before + static_cast<std::size_t>(all));
  for (const std::int64_t lane : lanes) plan.chosen[before + lane] = true;
}

std::uint64_t RunGatherMask(CallMemory& memory, const Gathering& gathering,
                            VectorState&) {
  const CarriedCall& call = memory.call();
  CarriedPlan* const plan = memory.plan();
  const std::int64_t element = gathering.place.bits / 8;
  const std::uint8_t* const from = call.operands[gathering.src].bytes;
  std::int64_t kept = 0;
  std::vector<std::uint8_t> out;
  for (std::int64_t r = 0; r < gathering.lanes.iterations && memory.Begin(r);
       ++r) {
    if (plan != nullptr) {
      Touches(call, gathering.src, gathering.lanes, gathering.place, r,
              plan->reads);
    }
    if (gathering.pattern) {
      memory.Read(*gathering.pattern, r * gathering.pattern_step,
                  (gathering.lanes.Count(r) + 7) / 8);
    }
    if (memory.Left()) break;
    const std::vector<std::int64_t> lanes = Picked(call, gathering, r);
    if (plan != nullptr) NotePicked(gathering, lanes, r, *plan);
    const auto picked = static_cast<std::int64_t>(lanes.size());
    if (picked == 0) continue;
    out.clear();
    for (std::size_t i = 0; plan == nullptr && i < lanes.size(); ++i) {
      gathering.place.ForBytes(
          r, lanes[i], 1, [&](std::int64_t offset, std::int64_t bytes) {
            out.insert(out.end(), from + offset, from + offset + bytes);
          });
    }
    std::uint8_t* const to =
        memory.Write(gathering.dst, kept * element, picked * element);
    if (to != nullptr) std::memcpy(to, out.data(), out.size());
    kept += picked;
  }
  return static_cast<std::uint64_t>(kept);
}

}  // namespace

Rows SelectRows() {
  return {RowOf<ResolveSelect, RunSelect>("Select"),
          RowOf<ResolveGather, RunGatherMask>("GatherMask")};
}

}  // namespace lanediff::kernel::carried
