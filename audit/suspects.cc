#include "audit/suspects.h"

#include <algorithm>
#include <cstdint>
#include <string>

#include "audit/conditions.h"
#include "differential/compare/signature.h"
#include "differential/testcase/element.h"
#include "isa/catalogue.h"
#include "isa/memory_map.h"

namespace lanediff::audit {
namespace {

using isa::NumericEvent;
using isa::RuleId;
using isa::Topic;

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

bool DoesArithmetic(const isa::Step& step) {
  const isa::Instruction* const instruction = isa::InstructionOf(step);
  return instruction == nullptr || instruction->arithmetic;
}

bool IsOfHalf(const isa::Step& step) {
  return TraitsOf(step).dtype == isa::DType::kHalf;
}

/// Whether each element written is the result of one operation: who does
/// several has a rule of its own of what becomes of those between.
bool IsOfOneOperation(const isa::Step& step) {
  return isa::RulesAbout(step, Topic::kSaturate).empty();
}

/// The rules on values too large: those of its value where an instruction has
/// no rules of saturation of its own, which speak of half alone.
std::vector<RuleId> SaturateRules(const isa::Step& step) {
  if (IsOfOneOperation(step)) return isa::RulesAbout(step, Topic::kValue);
  if (!IsOfHalf(step)) return {};
  return isa::RulesAbout(step, Topic::kSaturate);
}

bool IsZero(isa::DType dtype, std::uint64_t bits) {
  const std::uint64_t sign = std::uint64_t{1}
                             << (8 * isa::SizeBytes(dtype) - 1);
  return IsFloating(dtype) && (bits & (sign - 1)) == 0;
}

std::string WhatOf(const diff::Finding& finding) {
  const auto signature = diff::ParseSignature(finding.signature);
  return signature ? signature->what : "";
}

bool IsAboutSaturation(RuleId rule) {
  const Topic topic = isa::TopicOf(rule);
  return topic == Topic::kSaturate || topic == Topic::kOverflow ||
         rule == isa::state::kSaturation;
}

/// Of an element that should be a zero and is that of the other sign. What an
/// operation makes of NaN in saturation mode is +0, which the next one may
/// turn; most zeros that rounding makes are +0.
bool MayTurnZeroSign(RuleId rule, const isa::Step& step,
                     const diff::ElementDifference& d) {
  if (rule == isa::arith::kNan) {
    return d.expected == 0 || !IsOfOneOperation(step);
  }
  if (rule == isa::arith::kRound) return d.expected == 0;
  return rule != isa::arith::kSubnormal && !IsAboutSaturation(rule);
}

bool HasNan(const diff::ElementDifference& d) {
  return IsNan(d.dtype, d.expected) || IsNan(d.dtype, d.actual);
}

/// An infinity that should be a number, which no NaN rule explains: with
/// saturation NaN becomes +0, and without it stays NaN.
bool LacksSaturation(const diff::ElementDifference& d) {
  return !IsNan(d.dtype, d.expected) &&
         ElementToText(d.dtype, d.actual).text.ends_with("inf");
}

}  // namespace

bool SpeaksOfTypeOf(const isa::Step& step, isa::RuleId rule) {
  return isa::TopicOf(rule) != Topic::kSaturate || IsOfHalf(step);
}

bool IsAboutSomeValues(RuleId rule) {
  return IsAboutSaturation(rule) || rule == isa::arith::kRound ||
         rule == isa::arith::kSubnormal || rule == isa::arith::kZeroSign ||
         rule == isa::arith::kNan;
}

bool IsAboutValues(RuleId rule) {
  return isa::TopicOf(rule) == Topic::kValue || IsAboutSomeValues(rule);
}

std::vector<RuleId> RulesInUse(const isa::Step& step,
                               const isa::NumericEvents& events) {
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
    rules = Joined(std::move(rules), SaturateRules(step));
    rules.push_back(isa::state::kSaturation);
  }
  if (any({NumericEvent::kIntegerSaturated, NumericEvent::kIntegerWrapped})) {
    rules = Joined(std::move(rules), isa::RulesAbout(step, Topic::kOverflow));
    rules.push_back(isa::state::kSaturation);
  }
  return rules;
}

std::vector<RuleId> RulesInPlay(const isa::Step& step,
                                const isa::NumericEvents& events) {
  std::vector<RuleId> rules = RulesInUse(step, events);
  for (Topic topic : {Topic::kAddress, Topic::kOutside, Topic::kValue}) {
    rules = Joined(std::move(rules), isa::RulesAbout(step, topic));
  }
  if (ReadsMaskRegister(step)) rules.push_back(isa::state::kMaskRegister);
  return Sorted(std::move(rules));
}

std::vector<RuleId> SuspectsOf(const isa::Step& step,
                               const isa::NumericEvents& events,
                               const diff::Finding& finding) {
  const auto outside = isa::RulesAbout(step, Topic::kOutside);
  const std::string what = WhatOf(finding);
  if (finding.kind == diff::FindingKind::kReadsOutside || what == "outside") {
    auto rules = Joined(isa::RulesAbout(step, Topic::kAddress), outside);
    if (ReadsMaskRegister(step)) rules.push_back(isa::state::kMaskRegister);
    return Sorted(std::move(rules));
  }
  std::vector<RuleId> rules = RulesInPlay(step, events);
  for (RuleId rule : outside) std::erase(rules, rule);
  if (!DoesArithmetic(step)) return rules;
  // What is in play here may be an event of what should have come out alone.
  if (const auto& d = finding.difference) {
    if (HasNan(*d)) rules.push_back(isa::arith::kNan);
    if (LacksSaturation(*d)) std::erase(rules, isa::arith::kNan);
  }
  // Without two zeros that meet it is the zero that saturation makes of NaN.
  if (what == "zero-sign" &&
      std::ranges::find(rules, isa::arith::kNan) == rules.end()) {
    rules.push_back(isa::arith::kZeroSign);
  }
  if (what == "subnormal") rules.push_back(isa::arith::kSubnormal);
  if (what == "saturation") {
    rules = Joined(std::move(rules), SaturateRules(step));
    rules.push_back(isa::state::kSaturation);
  }
  std::erase_if(rules, [&](RuleId rule) {
    return !MaySpeakAgainst(rule, step, finding);
  });
  return Sorted(std::move(rules));
}

bool IsAboutMemory(const diff::Finding& finding) {
  return finding.kind == diff::FindingKind::kMemory ||
         finding.kind == diff::FindingKind::kReadsOutside;
}

MismatchKind MismatchKindOf(const diff::Finding& finding) {
  const std::string what = WhatOf(finding);
  if (what == "missing") return MismatchKind::kMissing;
  if (what == "zero-sign") return MismatchKind::kZeroSign;
  const auto& d = finding.difference;
  return d && IsZero(d->dtype, d->expected) ? MismatchKind::kZeroLost
                                            : MismatchKind::kOther;
}

bool MaySpeakAgainst(RuleId rule, const isa::Step& step,
                     const diff::Finding& finding) {
  const auto& d = finding.difference;
  if (!d || !DoesArithmetic(step) || !IsFloating(d->dtype)) return true;
  const bool zeros =
      IsZero(d->dtype, d->expected) && IsZero(d->dtype, d->actual);
  const std::string what = WhatOf(finding);
  if (rule == isa::arith::kZeroSign) return zeros;
  if (what == "missing") return true;
  if (zeros) return MayTurnZeroSign(rule, step, *d);
  // What is not kept within the range is infinite, or a NaN.
  const bool in_range = what == "value" || what == "subnormal";
  return !(in_range && IsOfOneOperation(step) &&
           rule == isa::state::kSaturation);
}

}  // namespace lanediff::audit
