#include "kernel/carried/parameters.h"

#include <algorithm>
#include <array>

#include "kernel/carried/carried.h"

namespace lanediff::kernel::carried {
namespace {

struct TypeRow {
  std::string_view name;
  std::int64_t bits;
};
constexpr std::array<TypeRow, LANEDIFF_INT4 + 1> kTypes = {{
    {"int8_t", 8},
    {"uint8_t", 8},
    {"int16_t", 16},
    {"uint16_t", 16},
    {"int32_t", 32},
    {"uint32_t", 32},
    {"int64_t", 64},
    {"uint64_t", 64},
    {"half", 16},
    {"bfloat16_t", 16},
    {"float", 32},
    {"double", 64},
    {"int4b_t", 4},
}};

std::string NameOf(const CarriedCall& call) { return call.call->name; }

}  // namespace

Parameters::Parameters(const CarriedCall& call, CarriedPlan* plan)
    : call_(call), plan_(plan) {
  if (plan_ == nullptr) return;
  plan_->parameters.reserve(call.call->parameter_count + 2);
  for (std::uint32_t i = 0; i < call.call->parameter_count; ++i) {
    const lanediff_parameter& one = call.call->parameters[i];
    isa::Argument& argument = plan_->parameters.emplace_back();
    argument.name = one.name;
    if (one.text != nullptr) {
      argument.value = std::string(one.text);
    } else {
      argument.value = one.value;
    }
  }
}

std::int64_t Parameters::Get(Names names, std::int64_t low, std::int64_t high,
                             std::int64_t otherwise, std::int64_t multiple) {
  for (const std::string_view name : names) {
    for (std::uint32_t i = 0; i < call_.call->parameter_count; ++i) {
      const lanediff_parameter& one = call_.call->parameters[i];
      if (name != one.name || one.text != nullptr) continue;
      if (plan_ != nullptr) {
        plan_->parameters[i].range = isa::ParameterRange{low, high};
      }
      const std::int64_t inside = std::clamp(one.value, low, high);
      return inside == one.value ? Rounded(name, inside, multiple)
                                 : inside / multiple * multiple;
    }
  }
  return otherwise;
}

std::int64_t Parameters::GetOf(Names names,
                               std::initializer_list<std::int64_t> values,
                               std::int64_t otherwise) {
  const std::int64_t value = call_.Number(*names.begin(), otherwise);
  const std::int64_t low = *values.begin();
  std::int64_t nearest = low;
  std::string name = std::string(*names.begin()) + " (";
  for (const std::int64_t one : values) {
    if (one <= value) nearest = one;
    name += (one == low ? "" : ", ") + std::to_string(one);
  }
  if (nearest != value) Add(name + ")", value, nearest, nearest);
  return nearest;
}

std::int64_t Parameters::Rounded(std::string_view name, std::int64_t value,
                                 std::int64_t multiple) {
  const std::int64_t rest = value % multiple;
  if (rest != 0) {
    Add(std::string(name) + " % " + std::to_string(multiple), rest, 0, 0);
  }
  return value - rest;
}

std::int64_t Parameters::Add(std::string_view name, std::int64_t value,
                             std::int64_t low, std::int64_t high) {
  if (plan_ != nullptr) {
    plan_->parameters.push_back(
        {std::string(name), value, isa::ParameterRange{low, high}});
  }
  return std::clamp(value, low, high);
}

void Parameters::Add(std::string_view name, std::string text) {
  if (plan_ == nullptr) return;
  plan_->parameters.push_back({std::string(name), std::move(text)});
}

std::int64_t BitsOf(std::uint8_t dtype) {
  return dtype < kTypes.size() ? kTypes[dtype].bits : 0;
}

std::string_view DTypeName(std::uint8_t dtype) {
  return dtype < kTypes.size() ? kTypes[dtype].name : "no type";
}

std::expected<std::uint32_t, std::string> Require(const CarriedCall& call,
                                                  isa::OperandName name) {
  return Require(call, name, name);
}

std::expected<std::uint32_t, std::string> Require(const CarriedCall& call,
                                                  isa::OperandName name,
                                                  isa::OperandName other) {
  for (const isa::OperandName wanted : {name, other}) {
    for (std::uint32_t i = 0; i < call.operands.size(); ++i) {
      if (call.operands[i].name == wanted) return i;
    }
  }
  return std::unexpected(NameOf(call) + " without " +
                         std::string(isa::Name(name)));
}

std::string RefusedType(const CarriedCall& call, std::uint8_t dtype) {
  return NameOf(call) + " of " + std::string(DTypeName(dtype));
}

std::string RefusedPair(const CarriedCall& call, std::uint8_t src,
                        std::uint8_t dst) {
  return NameOf(call) + " from " + std::string(DTypeName(src)) + " to " +
         std::string(DTypeName(dst));
}

bool IsA2(isa::Product product) {
  return product == isa::Product::kAtlasA2 || product == isa::Product::kAtlasA3;
}

}  // namespace lanediff::kernel::carried
