#include "kernel/carried/carried.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <iterator>
#include <unordered_map>

#include "isa/memory_map.h"
#include "kernel/carried/family.h"
#include "kernel/carried/parameters.h"

namespace lanediff::kernel {
namespace {

const std::unordered_map<std::string_view, carried::Row>& AllRows() {
  static const auto kRows = [] {
    std::unordered_map<std::string_view, carried::Row> rows;
    for (const auto& family :
         {carried::LanewiseRows(), carried::CastRows(), carried::CopyRows(),
          carried::CompareRows(), carried::SelectRows(), carried::ReduceRows(),
          carried::RearrangeRows(), carried::SortRows()}) {
      for (const carried::Row& row : family) rows.emplace(row.name, row);
    }
    return rows;
  }();
  return kRows;
}

const carried::Row* RowCalled(std::string_view name) {
  const auto found = AllRows().find(name);
  return found == AllRows().end() ? nullptr : &found->second;
}

}  // namespace

const lanediff_parameter* GivenParameters::Find(std::string_view name) const {
  const auto found = std::ranges::find_if(
      all, [&](const lanediff_parameter& one) { return name == one.name; });
  return found == all.end() ? nullptr : &*found;
}

std::int64_t GivenParameters::Number(std::string_view name,
                                     std::int64_t otherwise) const {
  const lanediff_parameter* const one = Find(name);
  return one == nullptr || one->text != nullptr ? otherwise : one->value;
}

std::string_view GivenParameters::Word(std::string_view name) const {
  const lanediff_parameter* const one = Find(name);
  return one == nullptr || one->text == nullptr ? "" : one->text;
}

bool CarriedOperand::HasUnwritten(std::int64_t offset,
                                  std::int64_t size) const {
  return std::ranges::any_of(unwritten, [&](const auto& run) {
    return run.first < offset + size && offset < run.second;
  });
}

bool LooksAtContents(std::string_view name) {
  constexpr std::array<std::string_view, 8> kNames = {
      "Gather", "Gatherb",  "Scatter", "Sort",
      "Sort32", "RpSort16", "MrgSort", "MrgSort4"};
  return std::ranges::find(kNames, name) != kNames.end();
}

bool IsCarried(std::string_view name) { return RowCalled(name) != nullptr; }

std::vector<std::string_view> CarriedNames() {
  std::vector<std::string_view> names;
  for (const auto& [name, row] : AllRows()) names.push_back(name);
  return names;
}

std::expected<CarriedPlan, std::string> PlanOf(const CarriedCall& call) {
  const carried::Row* const row = RowCalled(call.call->name);
  if (row == nullptr) {
    return std::unexpected(std::string(call.call->name) + " is no known call");
  }
  try {
    return row->plan(call);
  } catch (const carried::Refused& refused) {
    return std::unexpected(refused.what());
  }
}

std::uint64_t Compute(const CarriedCall& call, VectorState& state) {
  return RowCalled(call.call->name)->compute(call, state);
}

void MarkSkipped(const lanediff_call& call, VectorState& state) {
  const std::string_view name = call.name;
  if (name == "ReduceSum" && call.form == LANEDIFF_COUNT) {
    const std::span operands(call.operands, call.operand_count);
    const auto dst = std::ranges::find(
        operands, std::string_view("dst"),
        [](const lanediff_operand& one) { return std::string_view(one.name); });
    if (dst == operands.end()) return;
    state.sum = {state.sum ? state.sum->first : 0, dst->dtype};
    state.sum_skipped = true;
  } else if (name == "MrgSort" || name == "MrgSort4") {
    const bool suspends =
        ParametersIn(call).Number("ifExhaustedSuspension") != 0;
    const std::uint64_t last = state.merged.value_or(0);
    state.merged.reset();
    if (suspends) state.merged = last;
    state.merged_skipped = suspends;
  }
}

}  // namespace lanediff::kernel

namespace lanediff::kernel::carried {
namespace {

constexpr std::string_view kTypes[] = {
    "int8_t",   "uint8_t", "int16_t",  "uint16_t", "int32_t",
    "uint32_t", "int64_t", "uint64_t", "half",     "bfloat16_t",
    "float",    "double",  "int4b_t"};
static_assert(std::size(kTypes) == LANEDIFF_INT4 + 1);

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
    const lanediff_parameter* const one = ParametersIn(*call_.call).Find(name);
    if (one == nullptr || one->text != nullptr) continue;
    if (plan_ != nullptr) {
      plan_->parameters[one - call_.call->parameters].range =
          isa::ParameterRange{low, high};
    }
    const std::int64_t inside = std::clamp(one->value, low, high);
    return inside == one->value ? Rounded(name, inside, multiple)
                                : inside / multiple * multiple;
  }
  return otherwise;
}

std::int64_t Parameters::GetOf(std::string_view name,
                               std::initializer_list<std::int64_t> values,
                               std::int64_t otherwise) {
  const std::int64_t value = call_.Number(name, otherwise);
  std::int64_t nearest = *values.begin();
  for (const std::int64_t one : values) {
    if (one <= value) nearest = one;
  }
  if (nearest != value) {
    Add(fmt::format("{} ({})", name, fmt::join(values, ", ")), value, nearest,
        nearest);
  }
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
  if (dtype >= LANEDIFF_INT4) return dtype == LANEDIFF_INT4 ? 4 : 0;
  return 8 * isa::SizeBytes(static_cast<isa::DType>(dtype));
}

std::string_view DTypeName(std::uint8_t dtype) {
  return dtype <= LANEDIFF_INT4 ? kTypes[dtype] : "no type";
}

std::optional<std::uint32_t> Find(const CarriedCall& call,
                                  isa::OperandName name) {
  const auto found =
      std::ranges::find(call.operands, name, &CarriedOperand::name);
  if (found == call.operands.end()) return std::nullopt;
  return static_cast<std::uint32_t>(found - call.operands.begin());
}

std::uint32_t Require(const CarriedCall& call, isa::OperandName name,
                      std::optional<isa::OperandName> other) {
  auto found = Find(call, name);
  if (!found && other) found = Find(call, *other);
  if (found) return *found;
  throw Refused(NameOf(call) + " without " + std::string(isa::Name(name)));
}

std::int64_t Require16Or32(const CarriedCall& call, std::uint8_t dtype) {
  const std::int64_t bits = BitsOf(dtype);
  if (bits != 16 && bits != 32) throw Refused(RefusedType(call, dtype));
  return bits;
}

bool RequireHalfOrFloat(const CarriedCall& call, std::uint8_t dtype) {
  if (dtype == LANEDIFF_HALF) return true;
  if (dtype == LANEDIFF_FLOAT) return false;
  throw Refused(RefusedType(call, dtype));
}

void RequireSame(const CarriedCall& call, std::uint32_t src,
                 std::uint32_t dst) {
  const std::uint8_t from = call.operands[src].dtype;
  const std::uint8_t to = call.operands[dst].dtype;
  if (from != to) throw Refused(RefusedPair(call, from, to));
}

void RequireScalar(const CarriedCall& call, std::uint8_t dtype) {
  const std::uint8_t given = call.call->scalar_dtype;
  if (given == dtype) return;
  throw Refused(RefusedType(call, dtype) + " with a scalar of " +
                std::string(DTypeName(given)));
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
