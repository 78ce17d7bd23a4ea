#include "diff/audit/blame.h"

#include <algorithm>

namespace lanediff::diff::audit {
namespace {

using isa::RuleId;
using oracle::NumericEvent;

/// The rules of one instruction by what they speak of; empty where it has none.
struct Topics {
  std::vector<RuleId> address;  ///< which bytes are read and written
  std::vector<RuleId> value;    ///< what is written
  std::vector<RuleId> special;  ///< besides, for NaNs, zeros, infinities
  std::vector<RuleId> saturate;
};

Topics TopicsOf(const isa::RepeatReduceSum&) {
  namespace rule = isa::rrs;
  return {.address = {rule::kAddress},
          .value = {rule::kTree},
          .special = {},
          .saturate = {rule::kSaturate}};
}
Topics TopicsOf(const isa::Min& call) {
  namespace rule = isa::min;
  std::vector<RuleId> address = {rule::kAddress};
  if (call.form != isa::Min::kCount) {
    address.insert(address.end(), {rule::kMaskLanes, rule::kUnmasked});
  }
  std::vector<RuleId> value = {rule::kValue};
  // A minimum is one of its sources: what is neither was rounded.
  if (call.dtype == isa::DType::kHalf || call.dtype == isa::DType::kFloat) {
    value.push_back(isa::arith::kRound);
  }
  return {.address = address,
          .value = value,
          .special = {rule::kValue},
          .saturate = {rule::kValue}};
}
Topics TopicsOf(const isa::DataCopy& call) {
  namespace rule = isa::dc;
  return {.address = {call.form == isa::DataCopy::kCount ? rule::kCountLength
                                                         : rule::kAddress},
          .value = {rule::kBits},
          .special = {rule::kBits},
          .saturate = {rule::kBits}};
}
Topics TopicsOf(const isa::Trowprod&) {
  namespace rule = isa::trp;
  return {.address = {rule::kAddress},
          .value = {rule::kOrder},
          .special = {},
          .saturate = {rule::kSaturate}};
}
Topics TopicsOf(const isa::VecTrans&) {
  namespace rule = isa::vt;
  return {.address = {rule::kAddress},
          .value = {rule::kTranspose},
          .special = {rule::kBits},
          .saturate = {}};
}
template <class StateStep>
Topics TopicsOf(const StateStep&) {
  return {};
}

std::vector<RuleId> Joined(std::vector<RuleId> rules,
                           const std::vector<RuleId>& others) {
  rules.insert(rules.end(), others.begin(), others.end());
  return rules;
}

/// The third word of a signature: what is wrong (diff/signature.h).
std::string_view WhatOf(std::string_view signature) {
  for (int skipped = 0; skipped < 2; ++skipped) {
    signature.remove_prefix(std::min(signature.size(), signature.find('/')));
    if (!signature.empty()) signature.remove_prefix(1);
  }
  return signature.substr(0, signature.find('/'));
}

bool DoesArithmetic(const isa::Step& step) {
  return !std::holds_alternative<isa::DataCopy>(step) &&
         !std::holds_alternative<isa::VecTrans>(step);
}

}  // namespace

std::vector<RuleId> RulesInUse(const isa::Step& step,
                               const oracle::NumericEvents& events) {
  const auto any = [&](std::initializer_list<NumericEvent> list) {
    return std::ranges::any_of(list,
                               [&](NumericEvent e) { return events[e] > 0; });
  };
  std::vector<RuleId> rules;
  if (!DoesArithmetic(step)) return rules;
  if (any({NumericEvent::kRounded})) rules.push_back(isa::arith::kRound);
  if (any({NumericEvent::kSubnormal})) rules.push_back(isa::arith::kSubnormal);
  if (any({NumericEvent::kMinusZero, NumericEvent::kCancellation,
           NumericEvent::kMinusZeroAgainstPlusZero})) {
    rules.push_back(isa::arith::kZeroSign);
  }
  if (any({NumericEvent::kNanMade, NumericEvent::kNanSaturated,
           NumericEvent::kNanSwallowed})) {
    rules.push_back(isa::arith::kNan);
  }
  if (any({NumericEvent::kSaturatedHigh, NumericEvent::kSaturatedLow,
           NumericEvent::kNanSaturated, NumericEvent::kOverflowed})) {
    const Topics topics =
        std::visit([](const auto& s) { return TopicsOf(s); }, step);
    rules = Joined(std::move(rules), topics.saturate);
    rules.push_back(isa::state::kSaturation);
  }
  return rules;
}

std::vector<RuleId> RulesAgainst(const isa::Step& step,
                                 const Finding& finding) {
  const Topics topics =
      std::visit([](const auto& s) { return TopicsOf(s); }, step);
  const std::string_view what = WhatOf(finding.signature);
  const bool arithmetic = DoesArithmetic(step);
  if (finding.kind == FindingKind::kReadsOutside || what == "outside" ||
      what == "missing") {
    return topics.address;
  }
  if (arithmetic && what == "nan") {
    return Joined(topics.special, {isa::arith::kNan});
  }
  if (arithmetic && what == "zero-sign") {
    return Joined(topics.special, {isa::arith::kZeroSign});
  }
  if (arithmetic && what == "subnormal") {
    return Joined(topics.special, {isa::arith::kSubnormal});
  }
  if (what == "saturation") {
    return Joined(topics.saturate, {isa::state::kSaturation});
  }
  return what == "value" ? topics.value : topics.special;
}

}  // namespace lanediff::diff::audit
