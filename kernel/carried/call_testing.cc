#include "kernel/carried/call_testing.h"

#include <bit>
#include <map>

namespace lanediff::kernel::test {
namespace {

constexpr std::int64_t kMemoryBytes = 65536;

}  // namespace

Call::Call(const char* name) : ub_(kMemoryBytes), gm_(kMemoryBytes) {
  raw_.name = name;
  raw_.site = {"kernel.cpp", 1};
  raw_.form = LANEDIFF_PLAIN;
  raw_.is_set_mask = 1;
  raw_.scalar_dtype = LANEDIFF_NO_DTYPE;
}

Call& Call::Operand(isa::OperandName name, std::uint8_t dtype, std::int64_t at,
                    isa::Memory memory) {
  call.operands.push_back({.name = name,
                           .dtype = dtype,
                           .memory = memory,
                           .at = at,
                           .window = kMemoryBytes - at,
                           .bytes = BytesOf(memory) + at});
  return *this;
}

Call& Call::Number(const std::string& name, std::int64_t value) {
  parameters_.push_back({names_.emplace_back(name).c_str(), value, nullptr});
  return *this;
}

Call& Call::Numbers(const std::vector<const char*>& names,
                    const std::vector<std::int64_t>& values) {
  auto value = values.begin();
  for (const char* name : names) Number(name, *value++);
  return *this;
}

Call& Call::Strides(const std::vector<std::int64_t>& strides) {
  if (strides.size() == 3) {
    return Numbers({"dstRepStride", "srcBlkStride", "srcRepStride"}, strides);
  }
  if (strides.size() == 4) {
    return Numbers(
        {"dstBlkStride", "srcBlkStride", "dstRepStride", "srcRepStride"},
        strides);
  }
  return Numbers({"dstBlkStride", "src0BlkStride", "src1BlkStride",
                  "dstRepStride", "src0RepStride", "src1RepStride"},
                 strides);
}

Call& Call::Word(const std::string& name, const char* text) {
  parameters_.push_back({names_.emplace_back(name).c_str(), 0, text});
  return *this;
}

Call& Call::Form(std::uint8_t form, std::uint64_t low, std::uint64_t high) {
  raw_.form = form;
  raw_.mask[0] = low;
  raw_.mask[1] = high;
  return *this;
}

Call& Call::Count(std::int64_t count) {
  return Form(LANEDIFF_COUNT).Number("count", count);
}

Call& Call::Mask(std::uint64_t lanes, std::int64_t repeat) {
  return Form(LANEDIFF_MASK_LEN, lanes).Number("repeatTime", repeat);
}

Call& Call::MaskBits(std::uint64_t low, std::uint64_t high,
                     std::int64_t repeat) {
  return Form(LANEDIFF_MASK_BITS, low, high).Number("repeatTime", repeat);
}

Call& Call::NoSetMask() {
  raw_.is_set_mask = 0;
  return *this;
}

Call& Call::Scalar(std::uint8_t dtype, std::uint64_t bits) {
  raw_.scalar_dtype = dtype;
  raw_.scalar = bits;
  return *this;
}

Call& Call::Counter(std::uint64_t elements) {
  call.state.counter = true;
  call.state.mask_low = elements;
  return *this;
}

Call& Call::Saturation(bool on) {
  call.state.saturation = on;
  return *this;
}

Call& Call::On(isa::Product product) {
  call.product = product;
  return *this;
}

const lanediff_call& Call::Raw() {
  flat_.assign(parameters_.begin(), parameters_.end());
  raw_.parameters = flat_.data();
  raw_.parameter_count = static_cast<std::uint32_t>(flat_.size());
  raw_.operand_count = static_cast<std::uint32_t>(call.operands.size());
  call.call = &raw_;
  return raw_;
}

std::expected<CarriedPlan, std::string> Call::Plan() {
  Raw();
  return PlanOf(call);
}

std::string Call::Refused() {
  const auto plan = Plan();
  return plan ? "" : plan.error();
}

std::string Call::OutOfRange() {
  const auto plan = Plan();
  if (!plan) return plan.error();
  std::string names;
  for (const isa::Argument& one : plan->parameters) {
    const auto* const value = std::get_if<std::int64_t>(&one.value);
    if (value == nullptr || !one.range) continue;
    if (*value < one.range->low || *value > one.range->high) {
      names += (names.empty() ? "" : " ") + one.name;
    }
  }
  return names;
}

std::string Call::Touched() {
  const auto plan = Plan();
  if (!plan) return plan.error();
  std::map<std::int64_t, std::string> by_iteration;
  const auto add = [&](const std::vector<Touch>& touches, const char* sign) {
    for (const Touch& touch : touches) {
      by_iteration[touch.iteration] +=
          " " + std::string(isa::Name(call.operands[touch.operand].name)) +
          sign + std::to_string(touch.at) + "+" + std::to_string(touch.bytes);
    }
  };
  add(plan->reads, " ");
  add(plan->writes, "=");
  std::string text;
  for (const auto& [iteration, touches] : by_iteration) {
    text += (text.empty() ? "" : "; ") + std::to_string(iteration) + touches;
  }
  return text;
}

std::uint64_t Call::Run() {
  const auto plan = Plan();
  return plan ? Compute(call, call.state) : ~std::uint64_t{0};
}

Call Of(const char* name, std::uint8_t dtype,
        const std::vector<isa::OperandName>& operands) {
  using enum isa::OperandName;
  Call call(name);
  for (const isa::OperandName one : operands) {
    const std::uint8_t own = one == kOffset ? std::uint8_t{LANEDIFF_UINT32}
                             : one == kMask ? std::uint8_t{LANEDIFF_UINT8}
                                            : dtype;
    call.Operand(one, own,
                 one == kDst                      ? 8192
                 : one == kDst1                   ? 12288
                 : one == kSrc || one == kSrc0    ? 0
                 : one == kSrc1 || one == kOffset ? 4096
                                                  : 16384);
  }
  return call;
}

Call Unary(const char* name, std::uint8_t dtype) {
  return Of(name, dtype, {isa::OperandName::kDst, isa::OperandName::kSrc});
}

Call Binary(const char* name, std::uint8_t dtype) {
  return Of(name, dtype,
            {isa::OperandName::kDst, isa::OperandName::kSrc0,
             isa::OperandName::kSrc1});
}

std::uint16_t HalfOf(double value) {
  return std::bit_cast<std::uint16_t>(static_cast<_Float16>(value));
}

double OfHalf(std::uint16_t bits) { return std::bit_cast<_Float16>(bits); }

std::vector<std::uint16_t> Halves(std::initializer_list<double> values) {
  std::vector<std::uint16_t> halves;
  for (const double value : values) halves.push_back(HalfOf(value));
  return halves;
}

}  // namespace lanediff::kernel::test
