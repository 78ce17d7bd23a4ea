// GatherMask: the elements that a pattern picks, one behind the other.

#include <algorithm>
#include <array>
#include <cstring>
#include <limits>
#include <vector>

#include "kernel/carried/family.h"
#include "kernel/carried/lanes.h"
#include "kernel/carried/parameters.h"

namespace lanediff::kernel::carried {
namespace {

using isa::OperandName;

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

std::expected<Gathering, std::string> ResolveGather(Parameters& parameters) {
  const CarriedCall& call = parameters.call();
  const auto dst = Require(call, OperandName::kDst);
  const auto src = Require(call, OperandName::kSrc0);
  if (!dst) return std::unexpected(dst.error());
  if (!src) return std::unexpected(src.error());
  const std::uint8_t dtype = call.operands[*src].dtype;
  const std::int64_t bits = BitsOf(dtype);
  if (bits != 16 && bits != 32)
    return std::unexpected(RefusedType(call, dtype));
  if (call.operands[*dst].dtype != dtype) {
    return std::unexpected(RefusedPair(call, dtype, call.operands[*dst].dtype));
  }
  Gathering gathering{.dst = *dst, .src = *src};
  const bool inference = call.product == isa::Product::kAtlasInferenceAicore;
  if (const auto pattern = Require(call, OperandName::kSrc1)) {
    const std::uint8_t type = call.operands[*pattern].dtype;
    if (type != (bits == 16 ? LANEDIFF_UINT16 : LANEDIFF_UINT32)) {
      return std::unexpected(RefusedType(call, dtype) + " with a pattern of " +
                             std::string(DTypeName(type)));
    }
    gathering.pattern = *pattern;
  } else {
    gathering.built_in =
        parameters.Get({"src1Pattern"}, 1, inference ? 6 : 7, 7);
  }
  Lanes& lanes = gathering.lanes;
  lanes.width = kIterationBytes * 8 / bits;
  const bool counter = parameters.Get({"reduceMode"}, 0, 1, 0) != 0;
  const std::int64_t repeat = RepeatTime(parameters);
  lanes.iterations = repeat;
  lanes.first = lanes.last = lanes.width;
  if (counter) {
    const std::int64_t elements =
        std::min(parameters.Get({"mask"}, 1,
                                std::numeric_limits<std::uint32_t>::max(), 1),
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
    plan->leaves = call.state.counter ? CarriedPlan::Leaves::kNormal
                                      : CarriedPlan::Leaves::kNormalUnknown;
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

Planned PlanGatherMask(const CarriedCall& call) {
  CarriedPlan plan;
  Parameters parameters(call, &plan);
  const auto gathering = ResolveGather(parameters);
  if (!gathering) return std::unexpected(gathering.error());
  const std::int64_t element = gathering->place.bits / 8;
  std::int64_t at = call.operands[gathering->dst].at;
  Bounds bounds(call, plan);
  for (std::int64_t r = 0; r < gathering->lanes.iterations && !bounds.Left();
       ++r) {
    Touches(call, gathering->src, gathering->lanes, gathering->place, r,
            plan.reads);
    if (gathering->pattern) {
      plan.reads.push_back(
          {*gathering->pattern,
           call.operands[*gathering->pattern].at + r * gathering->pattern_step,
           (gathering->lanes.Count(r) + 7) / 8, r});
    }
    if (bounds.Left()) break;
    const std::vector<std::int64_t> lanes = Picked(call, *gathering, r);
    const std::size_t before = plan.chosen.size();
    const std::int64_t all = gathering->lanes.Count(r);
    if (static_cast<std::int64_t>(before) + all <= kMostElements) {
      plan.chosen.resize(before + static_cast<std::size_t>(all));
      for (const std::int64_t lane : lanes) plan.chosen[before + lane] = true;
    }
    const auto picked = static_cast<std::int64_t>(lanes.size());
    if (picked > 0) {
      plan.writes.push_back({gathering->dst, at, picked * element, r});
    }
    at += picked * element;
  }
  return plan;
}

std::uint64_t ComputeGatherMask(const CarriedCall& call, const CarriedPlan&,
                                VectorState&) {
  Parameters parameters(call);
  const auto gathering = ResolveGather(parameters);
  const std::int64_t element = gathering->place.bits / 8;
  const std::uint8_t* const from = call.operands[gathering->src].bytes;
  std::uint8_t* to = call.operands[gathering->dst].bytes;
  std::uint64_t kept = 0;
  std::vector<std::uint8_t> out;
  for (std::int64_t r = 0; r < gathering->lanes.iterations; ++r) {
    out.clear();
    for (const std::int64_t lane : Picked(call, *gathering, r)) {
      gathering->place.ForBytes(
          r, lane, 1, [&](std::int64_t offset, std::int64_t bytes) {
            out.insert(out.end(), from + offset, from + offset + bytes);
          });
    }
    std::memcpy(to, out.data(), out.size());
    to += out.size();
    kept += out.size() / element;
  }
  return kept;
}

constexpr std::array<Row, 1> kGatherMaskRows = {
    Row{"GatherMask", &PlanGatherMask, &ComputeGatherMask}};

}  // namespace

std::span<const Row> GatherMaskRows() { return kGatherMaskRows; }

}  // namespace lanediff::kernel::carried
