#include "audit/blame.h"

#include <algorithm>

#include "case/element.h"

namespace lanediff::audit {
namespace {

using isa::RuleId;
using oracle::NumericEvent;

/// The rules of one instruction by what they speak of; empty where it has none.
struct Topics {
  std::vector<RuleId> address;  ///< which bytes are read and written
  std::vector<RuleId> outside;  ///< which others keep what they hold
  std::vector<RuleId> value;    ///< what is written
  std::vector<RuleId> saturate;
};

Topics TopicsOf(const isa::RepeatReduceSum&) {
  namespace rule = isa::rrs;
  return {.address = {rule::kAddress},
          .outside = {},
          .value = {rule::kTree},
          .saturate = {rule::kSaturate}};
}
Topics TopicsOf(const isa::Min& call) {
  namespace rule = isa::min;
  std::vector<RuleId> address = {rule::kAddress};
  std::vector<RuleId> outside;
  if (call.form != isa::Min::kCount) {
    address.push_back(rule::kMaskLanes);
    outside.push_back(rule::kUnmasked);
  }
  return {.address = address,
          .outside = outside,
          .value = {rule::kValue},
          .saturate = {rule::kValue}};
}
Topics TopicsOf(const isa::DataCopy& call) {
  namespace rule = isa::dc;
  return {.address = {call.form == isa::DataCopy::kCount ? rule::kCountLength
                                                         : rule::kAddress},
          .outside = {},
          .value = {rule::kBits},
          .saturate = {rule::kBits}};
}
Topics TopicsOf(const isa::Trowprod&) {
  namespace rule = isa::trp;
  return {.address = {rule::kAddress},
          .outside = {},
          .value = {rule::kOrder},
          .saturate = {rule::kSaturate}};
}
Topics TopicsOf(const isa::VecTrans&) {
  namespace rule = isa::vt;
  return {.address = {rule::kAddress},
          .outside = {},
          .value = {rule::kTranspose, rule::kBits},
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

std::vector<RuleId> Sorted(std::vector<RuleId> rules) {
  std::ranges::sort(rules);
  const auto rest = std::ranges::unique(rules);
  rules.erase(rest.begin(), rest.end());
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

bool HasNan(const diff::ElementDifference& d) {
  return IsNan(d.dtype, d.expected) || IsNan(d.dtype, d.actual);
}

/// An infinity that should be a number, which is none of NaN's: with
/// saturation NaN becomes +0, and without it stays NaN.
bool LacksSaturation(const diff::ElementDifference& d) {
  return !IsNan(d.dtype, d.expected) &&
         ElementToText(d.dtype, d.actual).text.ends_with("inf");
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

std::vector<RuleId> RulesInPlay(const isa::Step& step,
                                const oracle::NumericEvents& events) {
  Topics topics = std::visit([](const auto& s) { return TopicsOf(s); }, step);
  std::vector<RuleId> rules = std::move(topics.address);
  for (const auto& more :
       {topics.outside, topics.value, RulesInUse(step, events)}) {
    rules = Joined(std::move(rules), more);
  }
  return Sorted(std::move(rules));
}

std::vector<RuleId> SuspectsOf(const isa::Step& step,
                               const oracle::NumericEvents& events,
                               const diff::Finding& finding) {
  const Topics topics =
      std::visit([](const auto& s) { return TopicsOf(s); }, step);
  const std::string_view what = WhatOf(finding.signature);
  if (finding.kind == diff::FindingKind::kReadsOutside || what == "outside") {
    return Sorted(Joined(topics.address, topics.outside));
  }
  std::vector<RuleId> rules = RulesInPlay(step, events);
  for (RuleId rule : topics.outside) std::erase(rules, rule);
  if (!DoesArithmetic(step)) return rules;
  // What is in play here may be an event of what should have come out alone.
  if (const auto& d = finding.difference) {
    if (HasNan(*d)) rules.push_back(isa::arith::kNan);
    if (LacksSaturation(*d)) std::erase(rules, isa::arith::kNan);
  }
  if (what == "zero-sign") rules.push_back(isa::arith::kZeroSign);
  if (what == "subnormal") rules.push_back(isa::arith::kSubnormal);
  if (what == "saturation") {
    rules = Joined(std::move(rules), topics.saturate);
    rules.push_back(isa::state::kSaturation);
  }
  return Sorted(std::move(rules));
}

}  // namespace lanediff::audit
