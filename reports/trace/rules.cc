#include "reports/trace/rules.h"

#include <fmt/format.h>

#include <variant>

#include "isa/fields.h"
#include "isa/memory_map.h"
#include "reports/trace/arithmetic.h"
#include "reports/trace/instructions.h"

namespace lanediff::view {
namespace {

bool Concerns(const isa::Rule& rule, const isa::Step& step) {
  const bool in_scope =
      !isa::IsOfLint(rule) ||
      (rule.instruction == isa::kKernel && rule.effect == isa::Effect::kReject);
  return in_scope && rule.SpeaksOf(isa::OpName(step));
}

bool UsesRule(const isa::Step& step, const isa::Rule& rule,
              const StepFacts& facts) {
  if (rule.instruction == "common") {
    return !rule.steps.empty() || UsesCommon(step, rule.id, facts);
  }
  return Uses(step, rule, facts);
}

/// "repeat is 256, allowed is 0 to 255" for each field that is out of a range
/// of `rule`.
std::string OutOfRange(const isa::Rule& rule, isa::Step step) {
  std::string text;
  std::int64_t element_bits = 0;
  for (const isa::FieldRef& field : isa::FieldsOf(step)) {
    if (auto* const* dtype = std::get_if<isa::DType*>(&field.value)) {
      element_bits = 8 * isa::SizeBytes(**dtype);
    }
    auto* const* value = std::get_if<std::int64_t*>(&field.value);
    if (value == nullptr) continue;
    for (const isa::Range& range : rule.ranges) {
      if (range.field != field.name) continue;
      if (range.element_bits != 0 && range.element_bits != element_bits) {
        continue;
      }
      if (**value >= range.low && **value <= range.high) continue;
      text += fmt::format("{}{} is {}, allowed is {} to {}",
                          text.empty() ? "" : "; ", field.name, **value,
                          range.low, range.high);
    }
  }
  return text;
}

RuleVerdict VerdictOf(const isa::Step& step, const isa::Rule& rule,
                      const StepFacts& facts) {
  if (rule.effect == isa::Effect::kReject) return RuleVerdict::kNotBroken;
  if (facts.result.notes.Contains(rule.id)) return RuleVerdict::kNoted;
  const bool applies =
      rule.effect == isa::Effect::kSemantics && UsesRule(step, rule, facts);
  return applies ? RuleVerdict::kApplies : RuleVerdict::kNotMet;
}

}  // namespace

std::vector<RuleUse> RulesOfExecuted(const isa::Step& step,
                                     const StepFacts& facts) {
  std::vector<RuleUse> uses;
  for (const isa::Rule& rule : isa::Catalogue()) {
    if (!Concerns(rule, step)) continue;
    uses.push_back({&rule, VerdictOf(step, rule, facts), ""});
  }
  return uses;
}

std::vector<RuleUse> RulesOfRejected(const isa::Step& step,
                                     const isa::StepResult& result) {
  const isa::Stage reached = result.rules.empty()
                                 ? isa::Stage::kOverlap
                                 : isa::StageOf(*result.rules.begin());
  std::vector<RuleUse> uses;
  for (const isa::Rule& rule : isa::Catalogue()) {
    if (!Concerns(rule, step) || rule.effect != isa::Effect::kReject) continue;
    if (result.rules.Contains(rule.id)) {
      uses.push_back({&rule, RuleVerdict::kBroken, OutOfRange(rule, step)});
    } else {
      const bool later = rule.stage > reached;
      uses.push_back(
          {&rule, later ? RuleVerdict::kNotReached : RuleVerdict::kNotBroken,
           ""});
    }
  }
  return uses;
}

std::string DocumentsOf(const isa::Rule& rule) {
  std::string text;
  for (const isa::Source& source : rule.sources) {
    const std::string name(source.document.empty()
                               ? isa::Name(source.provenance())
                               : source.document);
    if (text.find(name) != std::string::npos) continue;
    if (!text.empty()) text += "; ";
    text += name;
  }
  return text;
}

}  // namespace lanediff::view
