#include "tools/cli/verbs/explain/rules.h"

#include <fmt/format.h>

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "isa/catalogue.h"
#include "reports/trace/rules.h"
#include "sanitizer/diagnostics.h"
#include "tools/cli/verbs/explain/text.h"

namespace lanediff::cli::explain {
namespace {

using view::RuleUse;
using view::RuleVerdict;

constexpr std::size_t kVerdictWidth = 12;

std::string Head(std::string_view verdict) {
  return fmt::format("    {:<{}}", verdict, kVerdictWidth);
}

void PrintRule(std::string_view verdict, const isa::Rule& rule, bool whole) {
  const std::string head = Head(verdict);
  const std::string text = fmt::format("{} [{}] {}", rule.id.text(),
                                       view::DocumentsOf(rule), rule.statement);
  PrintWrapped(head, whole ? text : Cut(text, kPageWidth - DisplayWidth(head)));
}

/// Rules with one verdict that need no words, unless everything is requested.
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

}  // namespace

void PrintRules(const isa::Step& step, const StepFacts& facts) {
  fmt::print("  rules\n");
  Named unused("not met", facts.all);
  Named kept("not broken", facts.all);
  for (const RuleUse& use : view::RulesOfExecuted(step, facts)) {
    if (use.verdict == RuleVerdict::kNotBroken) {
      kept.Add(*use.rule);
    } else if (use.verdict == RuleVerdict::kNotMet) {
      unused.Add(*use.rule);
    } else {
      PrintRule(isa::Name(use.verdict), *use.rule, facts.all);
    }
  }
  unused.Finish();
  kept.Finish();
}

void PrintRejection(const Case& c, std::size_t step,
                    const isa::StepResult& result, bool all) {
  fmt::print("  rules\n");
  Named kept("not broken", all);
  Named unreached("not reached", all);
  const std::vector<lint::Witness> witnesses =
      lint::DiagnoseRejected(c, step, result.rules, false).witnesses;
  for (const RuleUse& use : view::RulesOfRejected(c.program[step], result)) {
    if (use.verdict == RuleVerdict::kBroken) {
      PrintRule("BROKEN", *use.rule, true);
      for (const lint::Witness& witness : witnesses) {
        if (witness.rule == use.rule->id) {
          PrintWrapped(Head(""), witness.text());
        }
      }
    } else {
      (use.verdict == RuleVerdict::kNotReached ? unreached : kept)
          .Add(*use.rule);
    }
  }
  kept.Finish();
  unreached.Finish();
  fmt::print("  the call was not executed: it changed no byte\n");
}

}  // namespace lanediff::cli::explain
