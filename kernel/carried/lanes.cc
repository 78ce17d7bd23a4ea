#include "kernel/carried/lanes.h"

#include <algorithm>
#include <cstdio>
#include <limits>
#include <string>

namespace lanediff::kernel::carried {
namespace {

constexpr std::int64_t kMaxCount = std::numeric_limits<std::int32_t>::max();

std::string HexOf(std::uint64_t bits) {
  std::array<char, 24> text{};
  std::snprintf(text.data(), text.size(), "0x%llx",
                static_cast<unsigned long long>(bits));
  return text.data();
}

/// Whether the call itself selects its lanes; Select has forms
/// without any mask, which go by the register.
bool HasOwnMask(const CarriedCall& call) {
  return call.call->is_set_mask != 0 && call.call->form != LANEDIFF_PLAIN;
}

/// A mask that is a beginning becomes one, which costs less to follow.
void SetMask(Lanes& lanes, std::array<std::uint64_t, 2> mask) {
  const std::int64_t count = std::popcount(mask[0]) + std::popcount(mask[1]);
  if (mask == FirstBits(count)) {
    lanes.first = lanes.last = count;
  } else {
    lanes.mask = mask;
  }
}

void Counter(Lanes& lanes, std::int64_t elements) {
  lanes.iterations = (elements + lanes.width - 1) / lanes.width;
  lanes.first = lanes.width;
  lanes.last = elements - (lanes.iterations - 1) * lanes.width;
}

}  // namespace

std::array<std::uint64_t, 2> FirstBits(std::int64_t count) {
  const auto low = [](std::int64_t n) {
    return n >= 64  ? ~std::uint64_t{0}
           : n <= 0 ? 0
                    : (std::uint64_t{1} << n) - 1;
  };
  return {low(count), low(count - 64)};
}

std::optional<std::int64_t> CounterElements(Parameters& parameters) {
  const CarriedCall& call = parameters.call();
  if (!call.state.counter) return std::nullopt;
  const bool own = HasOwnMask(call);
  const std::uint64_t bits = own ? call.call->mask[0] : call.state.mask_low;
  const std::int64_t elements = static_cast<std::int64_t>(
      std::min<std::uint64_t>(bits, std::numeric_limits<std::int64_t>::max()));
  if (own || elements > kMaxCount) {
    parameters.Add(own ? "mask" : "maskRegister", elements, 0, kMaxCount);
  }
  return std::clamp<std::int64_t>(elements, 0, kMostElements);
}

std::array<std::uint64_t, 2> MaskOf(Parameters& parameters, std::int64_t bits) {
  const CarriedCall& call = parameters.call();
  const std::int64_t width = kIterationBytes * 8 / bits;
  const std::array<std::uint64_t, 2> all =
      FirstBits(std::min<std::int64_t>(width, 128));
  const auto cut = [&](std::uint64_t low, std::uint64_t high) {
    return std::array<std::uint64_t, 2>{low & all[0], high & all[1]};
  };
  if (!HasOwnMask(call)) {
    return cut(call.state.mask_low, call.state.mask_high);
  }
  const std::uint64_t* const mask = call.call->mask;
  if (call.call->form == LANEDIFF_MASK_LEN) {
    return FirstBits(parameters.Add("mask", static_cast<std::int64_t>(mask[0]),
                                    1, std::min<std::int64_t>(width, 128)));
  }
  // 掩码 · 接口通用参数说明: at 32 bits the second word is 0, at 64 the first
  // has 32 bits.
  if (width < 64) {
    parameters.Add("maskLow", static_cast<std::int64_t>(mask[0]), 0,
                   static_cast<std::int64_t>(all[0]));
  } else {
    parameters.Add("maskLow", HexOf(mask[0]));
  }
  if (width < 128) {
    parameters.Add("maskHigh", static_cast<std::int64_t>(mask[1]), 0, 0);
  } else {
    parameters.Add("maskHigh", HexOf(mask[1]));
  }
  return cut(mask[0], mask[1]);
}

void RecordMask(Parameters& parameters, std::array<std::uint64_t, 2> mask) {
  CarriedPlan* const plan = parameters.plan();
  if (plan == nullptr) return;
  plan->mask.masked = true;
  plan->mask.is_set_mask = HasOwnMask(parameters.call());
  if (plan->mask.is_set_mask) plan->mask.leaves = mask;
}

std::int64_t RepeatTime(Parameters& parameters, std::int64_t high) {
  return parameters.Get({"repeatTime", "repeatTimes", "repeat"}, 0, high, 1);
}

Lanes LanesOf(Parameters& parameters, std::int64_t bits,
              std::int64_t multiple) {
  const lanediff_call& call = *parameters.call().call;
  Lanes lanes;
  lanes.width = kIterationBytes * 8 / bits;
  if (call.form == LANEDIFF_COUNT && call.is_set_mask != 0) {
    const std::int64_t count =
        parameters.Get("count", 0, kMaxCount, 0, multiple);
    lanes.contiguous = true;
    lanes.iterations = count > 0 ? 1 : 0;
    lanes.first = lanes.last = count;
    if (parameters.plan() != nullptr && count > 0) {
      parameters.plan()->mask.leaves = FirstBits(128);
      parameters.plan()->mask.sets_normal = true;
    }
    return lanes;
  }
  // 掩码 · 接口外设置Mask: a count form without isSetMask works on the
  // lanes of the register, and its count has no effect.
  const bool count_form = call.form == LANEDIFF_COUNT;
  if (const auto elements = CounterElements(parameters)) {
    RecordMask(parameters, {static_cast<std::uint64_t>(*elements), 0});
    Counter(lanes, *elements);
    if (count_form) {
      lanes.contiguous = true;
      lanes.iterations = *elements > 0 ? 1 : 0;
      lanes.first = lanes.last = *elements;
    }
    return lanes;
  }
  const std::array<std::uint64_t, 2> mask = MaskOf(parameters, bits);
  RecordMask(parameters, mask);
  SetMask(lanes, mask);
  lanes.iterations = count_form ? 1 : RepeatTime(parameters);
  return lanes;
}

void Touches(const CarriedCall& call, std::uint32_t operand, const Lanes& lanes,
             const Place& place, std::int64_t iteration,
             std::vector<Touch>& touches) {
  const CarriedOperand& of = call.operands[operand];
  const std::size_t begin = touches.size();
  lanes.ForRuns(iteration, [&](std::int64_t first, std::int64_t count) {
    // Many blocks of stride 0 are one.
    const std::int64_t in_block = kBlockBytes * 8 / place.bits;
    if (place.block == 0 && count > kIterationBytes * 8 / place.bits) {
      first = 0;
      count = in_block;
    }
    place.ForBytes(
        iteration, first, count,
        [&](std::int64_t offset, std::int64_t bytes) {
          if (touches.size() > begin &&
              touches.back().at + touches.back().bytes == of.at + offset) {
            touches.back().bytes += bytes;
          } else {
            touches.push_back({operand, of.at + offset, bytes, iteration});
          }
        },
        of.window);
  });
}

CallMemory::CallMemory(const CarriedCall& call, CarriedPlan* plan)
    : call_(call), plan_(plan) {
  if (plan == nullptr) return;
  rejected_ = std::ranges::any_of(plan->parameters, [](const auto& one) {
    const auto* const value = std::get_if<std::int64_t>(&one.value);
    return value != nullptr && one.range &&
           (*value < one.range->low || *value > one.range->high);
  });
}

bool CallMemory::Left() {
  if (plan_ == nullptr) return false;
  constexpr std::int64_t kMostOfRejected = 256;
  if (rejected_ && ++calls_ > kMostOfRejected) left_ = true;
  const auto leaves = [&](const std::vector<Touch>& touches,
                          std::size_t& looked_at) {
    bool left = false;
    for (; looked_at < touches.size(); ++looked_at) {
      const Touch& touch = touches[looked_at];
      const CarriedOperand& of = call_.operands[touch.operand];
      left = left ||
             (touch.bytes > 0 &&
              (touch.at < of.at || touch.at - of.at > of.window - touch.bytes));
    }
    return left;
  };
  const bool reads = leaves(plan_->reads, reads_);
  const bool writes = leaves(plan_->writes, writes_);
  left_ = left_ || reads || writes;
  plan_->cut = plan_->cut || left_;
  return left_;
}

std::uint8_t* CallMemory::At(std::uint32_t operand, std::int64_t offset,
                             std::int64_t bytes,
                             std::vector<Touch> CarriedPlan::* touches) {
  const CarriedOperand& of = call_.operands[operand];
  if (plan_ == nullptr) return of.bytes + offset;
  const std::int64_t at = of.at + offset;
  std::vector<Touch>& all = plan_->*touches;
  if (!all.empty() && all.back().operand == operand &&
      all.back().iteration == iteration_ &&
      all.back().at + all.back().bytes == at) {
    all.back().bytes += bytes;
  } else {
    all.push_back({operand, at, bytes, iteration_});
  }
  return nullptr;
}

std::uint64_t RunPieces(CallMemory& memory, const Pieces& pieces,
                        VectorState&) {
  std::vector<std::uint8_t> dense;
  std::int64_t r = 0;
  for (const std::vector<Pieces::Piece>& iteration : pieces.iterations) {
    if (!memory.Begin(r++)) break;
    dense.clear();
    for (const Pieces::Piece& one : iteration) {
      if (pieces.offsets) memory.Read(*pieces.offsets, one.offset, 4);
    }
    for (const Pieces::Piece& one : iteration) {
      const std::uint8_t* const from =
          memory.Read(one.from_operand, one.from, one.bytes);
      if (from != nullptr) dense.insert(dense.end(), from, from + one.bytes);
    }
    const std::uint8_t* from = dense.data();
    for (const Pieces::Piece& one : iteration) {
      std::uint8_t* const to = memory.Write(one.to_operand, one.to, one.bytes);
      if (to == nullptr) continue;
      std::memcpy(to, from, static_cast<std::size_t>(one.bytes));
      from += one.bytes;
    }
  }
  return 0;
}

}  // namespace lanediff::kernel::carried
