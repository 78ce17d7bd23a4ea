#include <fmt/format.h>

#include <algorithm>
#include <initializer_list>
#include <string>
#include <string_view>

#include "audit/characterize/characterise.h"
#include "audit/conditions.h"
#include "differential/testcase/case_reader.h"
#include "differential/testcase/element.h"
#include "isa/catalogue.h"
#include "isa/step.h"

namespace lanediff::character {
namespace {

using audit::Conditions;
using audit::Measurement;
using Words = std::initializer_list<std::string_view>;

bool IsOneOf(std::string_view answer, Words words) {
  return std::ranges::find(words, answer) != words.end();
}

/// How an answer reads that is as the documents have it.
struct Documented {
  std::string_view rule;  ///< empty: none is measured by it
  std::string_view answer;
  Words others;                ///< answers that contradict it
  Conditions conditions = 0;   ///< of the calls, besides instruction and type
  bool of_any_call = false;    ///< not only of this instruction and type
  bool speaks_for_it = false;  ///< a documented answer clears the rule
};

std::string_view OrderRuleOf(std::string_view op) {
  const isa::Signature* const row = isa::FindSignature(op);
  if (row == nullptr) return {};
  switch (row->family) {
    case isa::Family::kReduction:
      return row->Rule(isa::CallRule::kTree).text();
    case isa::Family::kTile:
      return row->Rule(isa::CallRule::kOrder).text();
    default:
      return {};
  }
}

Documented OfOrder(const Answer& a) {
  static const Words names = {
      "documented",     "neighbours", "halves",
      "left-fold",      "right-fold", "block-lanes",
      "register-lanes", "other",      "not a fixed tree"};
  // Orders of TROWPROD that a call names have cases of their own, and of
  // integers, which are not rounded, no result shows an order.
  const auto dtype = isa::Parse<isa::DType>(a.dtype);
  if (a.about.starts_with("order ") || !dtype || !IsFloating(*dtype)) return {};
  return {.rule = OrderRuleOf(a.instruction),
          .answer = a.instruction == "TROWPROD" ? "documented" : "neighbours",
          .others = names,
          .conditions = a.about.starts_with("lanes ") ? audit::WithMaskGaps()
                                                      : Conditions{0}};
}

Documented OfMaskAfter(const Answer& a) {
  static const Words words = {"its own mask", "kept", "all ones", "empty"};
  const isa::Instruction* const instruction =
      isa::FindInstruction(a.instruction);
  if (instruction == nullptr || !instruction->masked) return {};
  return {.rule = isa::state::kMaskRegister.text(),
          .answer = a.about == "count" ? "all ones" : "its own mask",
          .others = words,
          .conditions = audit::WithMaskRegister(),
          .of_any_call = true};
}

Documented DocumentedOf(const Answer& a) {
  if (a.question == "order") return OfOrder(a);
  if (a.question == "mask-after") return OfMaskAfter(a);
  if (!a.about.empty()) return {};
  if (a.question == "rounding") {
    static const Words ways = {"nearest-away", "nearest-toward-zero",
                               "nearest-up",   "nearest-down",
                               "toward-zero",  "away-from-zero",
                               "up",           "down",
                               "to-odd",       "other"};
    return {.rule = isa::arith::kRound.text(),
            .answer = "nearest-even",
            .others = ways,
            .speaks_for_it = true};
  }
  if (a.question == "subnormals") {
    static const Words ways = {"flushed in", "flushed out",
                               "flushed in and out"};
    return {.rule = isa::arith::kSubnormal.text(),
            .answer = "kept",
            .others = ways};
  }
  return {};
}

std::string TextOf(const Answer& a, std::string_view documented) {
  return fmt::format("{} of {} {}{}{}: {}; documented: {}", a.question, a.dtype,
                     a.instruction, a.about.empty() ? "" : ", ", a.about,
                     a.answer, documented);
}

std::vector<Case> CasesOf(const Answer& a) {
  std::vector<Case> cases;
  for (const JsonText& document : a.cases) {
    if (auto c = ReadCase(document.text)) cases.push_back(*std::move(c));
  }
  return cases;
}

}  // namespace

std::vector<Measurement> MeasurementsOf(const Character& character) {
  std::vector<Measurement> all;
  for (const Answer& a : character.answers) {
    const Documented documented = DocumentedOf(a);
    const bool follows = a.answer == documented.answer;
    if (documented.rule.empty() ||
        (follows ? !documented.speaks_for_it
                 : !IsOneOf(a.answer, documented.others))) {
      continue;
    }
    Measurement one{.rule = documented.rule,
                    .conditions = documented.conditions,
                    .follows = follows,
                    .text = TextOf(a, documented.answer)};
    if (!documented.of_any_call) {
      one.conditions |= audit::OfOp(a.instruction);
      if (const auto dtype = isa::Parse<isa::DType>(a.dtype)) {
        one.conditions |= audit::OfType(*dtype);
      }
    }
    if (!follows) one.cases = CasesOf(a);
    const bool known = std::ranges::any_of(all, [&](const Measurement& other) {
      return other.rule == one.rule && other.conditions == one.conditions;
    });
    if (!known) all.push_back(std::move(one));
  }
  return all;
}

}  // namespace lanediff::character
