#include "cli/explain/rules.h"

#include <fmt/format.h>

#include <cstdint>
#include <string>
#include <string_view>
#include <variant>

#include "cli/explain/arithmetic.h"
#include "cli/explain/instructions.h"
#include "cli/explain/text.h"
#include "isa/catalogue.h"
#include "isa/fields.h"

namespace lanediff::cli::explain {
namespace {

constexpr std::size_t kVerdictWidth = 12;

bool Concerns(const isa::Rule& rule, const isa::Step& step) {
  return rule.instruction == isa::OpName(step) || rule.instruction == "common";
}

std::string DocumentOf(const isa::Rule& rule) {
  std::string text;
  for (const isa::Source& source : rule.sources) {
    const std::string name(source.document.empty()
                               ? isa::Name(source.provenance)
                               : source.document);
    if (text.find(name) != std::string::npos) continue;
    if (!text.empty()) text += "; ";
    text += name;
  }
  return text;
}

std::string Head(std::string_view verdict) {
  return fmt::format("    {:<{}}", verdict, kVerdictWidth);
}

void PrintRule(std::string_view verdict, const isa::Rule& rule, bool whole) {
  const std::string head = Head(verdict);
  const std::string text = fmt::format("{} [{}] {}", rule.id.text(),
                                       DocumentOf(rule), rule.statement);
  PrintWrapped(head, whole ? text : Cut(text, kPageWidth - DisplayWidth(head)));
}

/// Rules with one verdict that need no words, unless everything is asked for.
class Named {
 public:
  Named(std::string_view verdict, bool all) : verdict_(verdict), all_(all) {}

  void Add(const isa::Rule& rule) {
    if (all_) {
      PrintRule(verdict_, rule, true);
    } else {
      if (!ids_.empty()) ids_ += ", ";
      ids_ += rule.id.text();
    }
  }
  void Finish() const {
    if (!ids_.empty()) PrintWrapped(Head(verdict_), ids_);
  }

 private:
  std::string_view verdict_;
  bool all_;
  std::string ids_;
};

bool UsesRule(const isa::Step& step, const isa::Rule& rule,
              const StepFacts& facts) {
  if (rule.instruction == "common") {
    return UsesCommon(step, rule.id, facts);
  }
  return std::visit([&](const auto& s) { return Uses(s, rule.id, facts); },
                    step);
}

/// The stage in which a reject rule is looked at: 1, 2 (bounds) or 3 (overlap).
int StageOf(isa::RuleId rule) {
  if (rule.text().ends_with("-BOUNDS")) return 2;
  const bool third = rule.text().find("-OVERLAP") != std::string_view::npos ||
                     rule.text() == "DC-BARRIER";
  return third ? 3 : 1;
}

/// "repeat is 256, allowed is 0 to 255" for each field that is out of a range
/// of `rule`.
std::string OutOfRange(const isa::Rule& rule, isa::Step step) {
  std::string text;
  std::int64_t element_bits = 0;
  for (const isa::FieldRef& field : isa::FieldsOf(step)) {
    if (auto* const* dtype = std::get_if<isa::DType*>(&field.value)) {
      element_bits = 8 * ElementBytes(**dtype);
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

}  // namespace

void PrintRules(const isa::Step& step, const StepFacts& facts) {
  fmt::print("  rules\n");
  Named unused("not met", facts.all);
  Named kept("not broken", facts.all);
  for (const isa::Rule& rule : isa::Catalogue()) {
    if (!Concerns(rule, step)) continue;
    if (rule.effect == isa::Effect::kReject) {
      kept.Add(rule);
    } else if (facts.result.notes.Contains(rule.id)) {
      PrintRule("noted", rule, facts.all);
    } else if (rule.effect == isa::Effect::kSemantics &&
               UsesRule(step, rule, facts)) {
      PrintRule("applies", rule, facts.all);
    } else {
      unused.Add(rule);
    }
  }
  unused.Finish();
  kept.Finish();
}

void PrintRejection(const isa::Step& step, const isa::StepResult& result,
                    bool all) {
  fmt::print("  rules\n");
  const int reached = result.rules.empty() ? 3 : StageOf(*result.rules.begin());
  Named kept("not broken", all);
  Named unreached("not reached", all);
  for (const isa::Rule& rule : isa::Catalogue()) {
    if (!Concerns(rule, step) || rule.effect != isa::Effect::kReject) continue;
    if (result.rules.Contains(rule.id)) {
      PrintRule("BROKEN", rule, true);
      const std::string fields = OutOfRange(rule, step);
      if (!fields.empty()) PrintWrapped(Head(""), fields);
    } else {
      (StageOf(rule.id) > reached ? unreached : kept).Add(rule);
    }
  }
  kept.Finish();
  unreached.Finish();
  fmt::print("  the call was not executed: it changed no byte\n");
}

}  // namespace lanediff::cli::explain
