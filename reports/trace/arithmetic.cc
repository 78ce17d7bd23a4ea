#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <iterator>
#include <string_view>
#include <variant>

#include "differential/testcase/element.h"
#include "isa/catalogue.h"
#include "isa/state.h"
#include "reports/trace/facts.h"

namespace lanediff::view {
namespace {

using oracle::Node;

std::uint64_t Magnitude(isa::DType type, std::uint64_t bits) {
  return bits & (type == isa::DType::kHalf ? 0x7fffU : 0x7fffffffU);
}

bool IsZero(isa::DType type, std::uint64_t bits) {
  return Magnitude(type, bits) == 0;
}

bool IsSubnormal(isa::DType type, std::uint64_t bits) {
  const std::uint64_t least_normal =
      type == isa::DType::kHalf ? 0x400U : 0x800000U;
  return !IsZero(type, bits) && Magnitude(type, bits) < least_normal;
}

isa::DType ResultType(const Node& node) {
  return node.result_dtype.value_or(node.dtype);
}

/// Integers are never rounded.
bool IsRounded(const Node& node) {
  constexpr std::string_view kRounded[] = {
      "add",        "sub",     "mul",          "add-relu", "sub-relu",
      "leaky-relu", "mul-add", "mul-add-relu", "index"};
  return IsFloating(node.dtype) &&
         std::ranges::find(kRounded, node.operation) != std::end(kRounded);
}

/// Whether its nodes take bits as they are.
bool MovesBits(const isa::Step& step) {
  return isa::IsCall(step) && !isa::InstructionOf(step)->arithmetic;
}

/// Whether `is` holds for a value of a node of a floating type.
template <class Predicate>
bool AnyValue(const StepFacts& facts, Predicate is) {
  return std::ranges::any_of(facts.nodes, [&](const Node& node) {
    const isa::DType result = ResultType(node);
    return (IsFloating(node.dtype) &&
            (is(node.dtype, node.left) || is(node.dtype, node.right) ||
             (node.third && is(node.dtype, *node.third)))) ||
           (IsFloating(result) && is(result, node.result));
  });
}

bool UsesMaskRegister(const isa::Step& step) {
  const auto* const call = std::get_if<isa::Call>(&step);
  return call != nullptr ? call->IsMasked()
                         : std::holds_alternative<isa::SetVectorMask>(step);
}

/// Of half always, of integers by a rule of the instruction.
bool UsesSaturation(const isa::Step& step, const StepFacts& facts) {
  if (std::holds_alternative<isa::SetSaturation>(step)) return true;
  const bool integers = !isa::RulesAbout(step, isa::Topic::kOverflow).empty();
  return std::ranges::any_of(facts.nodes, [&](const Node& node) {
    return ResultType(node) == isa::DType::kHalf ||
           (integers && !IsFloating(node.dtype));
  });
}

}  // namespace

bool UsesCommon(const isa::Step& step, isa::RuleId rule,
                const StepFacts& facts) {
  namespace arith = isa::arith;
  if (rule == isa::state::kMaskRegister) return UsesMaskRegister(step);
  if (MovesBits(step)) {
    return rule != isa::state::kSaturation && rule != arith::kRound &&
           rule != arith::kSubnormal && rule != arith::kZeroSign &&
           rule != arith::kNan;
  }
  if (rule == isa::state::kSaturation) return UsesSaturation(step, facts);
  if (rule == arith::kRound) {
    return std::ranges::any_of(facts.nodes, IsRounded);
  }
  if (rule == arith::kSubnormal) return AnyValue(facts, IsSubnormal);
  if (rule == arith::kZeroSign) return AnyValue(facts, IsZero);
  if (rule == arith::kNan) return std::ranges::any_of(facts.nodes, MeetsNan);
  return true;
}

bool MeetsNan(const Node& node) {
  return IsNan(node.dtype, node.left) || IsNan(node.dtype, node.right) ||
         (node.third && IsNan(node.dtype, *node.third)) ||
         node.exact == "nan" || IsNan(ResultType(node), node.result);
}

bool LeavesItsType(const Node& node) {
  return node.wrapped || (node.saturated && !IsFloating(ResultType(node)));
}

void NodeCounts::Add(const Node& node) {
  ++all;
  rounded += node.rounded ? 1 : 0;
  tied += node.tie ? 1 : 0;
  saturated += node.saturated ? 1 : 0;
  wrapped += node.wrapped ? 1 : 0;
  outside += LeavesItsType(node) ? 1 : 0;
  nan += MeetsNan(node) ? 1 : 0;
}

Nearest NearestOf(isa::DType type, std::string_view exact,
                  std::uint64_t written) {
  Nearest nearest;
  const auto found = exact == "nan" ? ElementFromString(type, exact)
                                    : ElementFromNumber(type, exact);
  if (!found) return nearest;
  nearest.bits = *found;
  if (IsNan(type, *found) || IsNan(type, written)) return nearest;
  const bool zeros =
      IsFloating(type) && IsZero(type, *found) && IsZero(type, written);
  if (zeros) nearest.bits = written;
  nearest.ulp = UlpDistance(type, written, *nearest.bits);
  return nearest;
}

int RankOf(const Node& node) {
  if (node.saturated || node.wrapped || MeetsNan(node)) return 0;
  if (node.tie) return 1;
  return node.rounded ? 2 : kNoEvent;
}

std::string ShortDecimal(const std::string& exact) {
  constexpr std::size_t kWhole = 24;
  constexpr std::size_t kKept = 16;
  if (exact.size() <= kWhole) return exact;
  const std::string sign = exact.starts_with('-') ? "-" : "";
  const std::string number = exact.substr(sign.size());
  const std::size_t point = std::min(number.find('.'), number.size());
  std::string digits = number;
  std::erase(digits, '.');
  const std::size_t first = digits.find_first_not_of('0');
  if (first == std::string::npos) return exact;
  const auto exponent =
      static_cast<std::int64_t>(point) - static_cast<std::int64_t>(first) - 1;
  digits = digits.substr(first);
  return fmt::format("{}{}.{}…e{} ({} digits)", sign, digits[0],
                     digits.substr(1, kKept - 1), exponent, digits.size());
}

}  // namespace lanediff::view
