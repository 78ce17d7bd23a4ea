// DataCopyPad: blocks of any length between GM and UB.

#include <algorithm>
#include <array>
#include <cstring>
#include <limits>

#include "kernel/carried/accumulate.h"
#include "kernel/carried/family.h"
#include "kernel/carried/lanes.h"
#include "kernel/carried/parameters.h"

namespace lanediff::kernel::carried {
namespace {

using isa::OperandName;

constexpr std::int64_t kMaxWord = std::numeric_limits<std::uint32_t>::max();

struct PadCopy {
  std::uint32_t dst = 0;
  std::uint32_t src = 0;
  bool out = false;  ///< to GM
  std::int64_t count = 0;
  std::int64_t bytes = 0;  ///< of a block, without what is filled
  std::int64_t src_step = 0;
  std::int64_t dst_step = 0;
  std::int64_t left = 0;    ///< bytes
  std::int64_t filled = 0;  ///< bytes from the block's end on
  bool pads = false;
  /// Without padding what is filled is the block's first element, whatever
  /// isPad is (DataCopyPad · 参数解释).
  bool first_element = false;
  std::int64_t element = 1;
  std::uint64_t value = 0;
};

std::int64_t RoundUp(std::int64_t bytes) {
  return (bytes + kBlockBytes - 1) / kBlockBytes * kBlockBytes;
}

std::expected<PadCopy, std::string> ResolvePad(Parameters& parameters) {
  const CarriedCall& call = parameters.call();
  const auto dst = Require(call, OperandName::kDst);
  const auto src = Require(call, OperandName::kSrc);
  if (!dst) return std::unexpected(dst.error());
  if (!src) return std::unexpected(src.error());
  const CarriedOperand& to = call.operands[*dst];
  const CarriedOperand& from = call.operands[*src];
  PadCopy copy{.dst = *dst, .src = *src, .out = to.memory == isa::Memory::kGm};
  const isa::Memory local = copy.out ? from.memory : to.memory;
  const isa::Memory far = copy.out ? to.memory : from.memory;
  if (local != isa::Memory::kUb || far != isa::Memory::kGm) {
    return std::unexpected("DataCopyPad from " +
                           std::string(isa::Name(from.memory)) + " to " +
                           std::string(isa::Name(to.memory)));
  }
  if (to.dtype != from.dtype) {
    return std::unexpected(RefusedPair(call, from.dtype, to.dtype));
  }
  if (BitsOf(to.dtype) < 8) return std::unexpected(RefusedType(call, to.dtype));
  copy.element = BitsOf(to.dtype) / 8;
  // Ranges of DataCopyExtParams, unless the call names the older struct
  // of 16-bit fields.
  const bool older = call.Word("params") == "DataCopyParams";
  copy.count = parameters.Get({"blockCount"}, 0, 4095, 1);
  // A multiple of the element (DataCopyPad · 表3).
  copy.bytes =
      parameters.Get({"blockLen"}, 0, older ? 65535 : 2097151, 0, copy.element);
  const std::int64_t most = older ? 65535 : kMaxWord;
  const std::int64_t src_gap = parameters.Get({"srcStride"}, 0, most, 0);
  const std::int64_t dst_gap = parameters.Get({"dstStride"}, 0, most, 0);
  if (copy.bytes == 0) copy.count = 0;
  if (copy.out && call.state.atomic != "none" &&
      !CanAccumulate(call.state, to.dtype)) {
    return std::unexpected(RefusedAtomic(call.state, to.dtype));
  }
  if (copy.out) {
    copy.src_step = RoundUp(copy.bytes) + src_gap * kBlockBytes;
    copy.dst_step = copy.bytes + dst_gap;
    return copy;
  }
  copy.pads = parameters.Get({"isPad"}, 0, 1, 0) != 0;
  const std::int64_t most_padding = kBlockBytes / copy.element;
  const std::int64_t left = parameters.Get({"leftPadding"}, 0, most_padding, 0);
  const std::int64_t right =
      parameters.Get({"rightPadding"}, 0, most_padding, 0);
  if (copy.element == 8) {
    copy.value =
        static_cast<std::uint64_t>(parameters.Get({"paddingValue"}, 0, 0, 0));
  } else {
    copy.value = static_cast<std::uint64_t>(call.Number("paddingValue"));
  }
  copy.first_element = left == 0 && right == 0;
  copy.left = left * copy.element;
  const std::int64_t whole =
      RoundUp(copy.left + copy.bytes + right * copy.element);
  copy.filled = whole - copy.left - copy.bytes;
  copy.src_step = copy.bytes + src_gap;
  copy.dst_step = whole + dst_gap * kBlockBytes;
  return copy;
}

Planned PlanPad(const CarriedCall& call) {
  CarriedPlan plan;
  Parameters parameters(call, &plan);
  const auto copy = ResolvePad(parameters);
  if (!copy) return std::unexpected(copy.error());
  plan.pipe = copy->out ? isa::Pipe::kMte3 : isa::Pipe::kMte2;
  const std::int64_t src = call.operands[copy->src].at;
  const std::int64_t dst = call.operands[copy->dst].at;
  const bool accumulates = copy->out && call.state.atomic != "none";
  Bounds bounds(call, plan);
  for (std::int64_t i = 0; i < copy->count && !bounds.Left(); ++i) {
    plan.reads.push_back({copy->src, src + i * copy->src_step, copy->bytes, i});
    Touch result{copy->dst, dst + i * copy->dst_step, copy->bytes, i};
    if (accumulates) plan.reads.push_back(result);
    // Without isPad what is filled beside a padding is of no known value: never
    // written.
    if (copy->pads || copy->first_element) {
      result.bytes += copy->left + copy->filled;
    } else {
      result.at += copy->left;
    }
    plan.writes.push_back(result);
  }
  return plan;
}

/// Elements of `value`, as many as fit.
void FillBytes(std::uint8_t* at, std::int64_t bytes, std::uint64_t value,
               std::int64_t element) {
  for (std::int64_t i = 0; i < bytes; ++i) {
    at[i] = static_cast<std::uint8_t>(value >> (i % element * 8));
  }
}

std::uint64_t ComputePad(const CarriedCall& call, const CarriedPlan&,
                         VectorState&) {
  Parameters parameters(call);
  const auto copy = ResolvePad(parameters);
  const CarriedOperand& to = call.operands[copy->dst];
  for (std::int64_t i = 0; i < copy->count; ++i) {
    const std::uint8_t* const from =
        call.operands[copy->src].bytes + i * copy->src_step;
    std::uint8_t* const at = to.bytes + i * copy->dst_step;
    if (copy->out && call.state.atomic != "none") {
      Accumulate(call.state, to.dtype, at, from, copy->bytes);
      continue;
    }
    std::memcpy(at + copy->left, from, copy->bytes);
    if (!copy->pads && !copy->first_element) continue;
    std::uint64_t value = copy->value;
    if (copy->first_element) {
      value = 0;
      std::memcpy(&value, from, std::min(copy->element, copy->bytes));
    }
    FillBytes(at, copy->left, value, copy->element);
    FillBytes(at + copy->left + copy->bytes, copy->filled, value,
              copy->element);
  }
  return 0;
}

constexpr std::array<Row, 1> kPadRows = {
    Row{"DataCopyPad", &PlanPad, &ComputePad}};

}  // namespace

std::span<const Row> DataCopyPadRows() { return kPadRows; }

}  // namespace lanediff::kernel::carried
