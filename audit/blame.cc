#include "audit/blame.h"

#include <algorithm>

#include "audit/conditions.h"
#include "case/element.h"
#include "diff/signature.h"
#include "isa/catalogue.h"

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

/// The rules that say what becomes of half values too large: those of its value
/// where an instruction has none of its own.
std::vector<RuleId> SaturateRules(const isa::Step& step) {
  const auto own = isa::RulesAbout(step, Topic::kSaturate);
  return own.empty() ? isa::RulesAbout(step, Topic::kValue) : own;
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
  const auto signature = diff::ParseSignature(finding.signature);
  const std::string_view what =
      signature ? signature->what : std::string_view();
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
  if (what == "zero-sign") rules.push_back(isa::arith::kZeroSign);
  if (what == "subnormal") rules.push_back(isa::arith::kSubnormal);
  if (what == "saturation") {
    rules = Joined(std::move(rules), SaturateRules(step));
    rules.push_back(isa::state::kSaturation);
  }
  return Sorted(std::move(rules));
}

}  // namespace lanediff::audit
