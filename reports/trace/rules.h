#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "isa/catalogue.h"
#include "isa/step.h"
#include "reports/trace/facts.h"

namespace lanediff::view {

/// What a rule had to do with a step.
enum class RuleVerdict : std::uint8_t {
  kBroken,      ///< the step was rejected for it
  kApplies,     ///< a semantics rule that the result rests on
  kNoted,       ///< the executed step was reported for it
  kNotMet,      ///< a note or semantics rule that had nothing to do
  kNotBroken,   ///< a reject rule that was looked at and kept
  kNotReached,  ///< a reject rule of a later stage than the broken one
};

struct RuleUse {
  const isa::Rule* rule = nullptr;
  RuleVerdict verdict = RuleVerdict::kNotMet;
  /// Of a broken rule: "repeat is 256, allowed is 0 to 255" for each field that
  /// is out of its range; empty where none is.
  std::string out_of_range;
  /// Of a broken rule: operand, found and needed, a sentence for each witness.
  /// Set by callers that have lint (tools/cli/kernel_findings.h).
  std::vector<std::string> witnesses = {};
};

/// Each rule of an executed step's instruction, and each rule of the machine,
/// in the catalogue's order.
std::vector<RuleUse> RulesOfExecuted(const isa::Step& step,
                                     const StepFacts& facts);

/// Each reject rule of a rejected step's instruction, and of the machine.
std::vector<RuleUse> RulesOfRejected(const isa::Step& step,
                                     const isa::StepResult& result);

/// Titles and sections of the documents behind `rule`, each once; the
/// provenance where there is no document.
std::string DocumentsOf(const isa::Rule& rule);

}  // namespace lanediff::view

template <>
struct lanediff::isa::Words<lanediff::view::RuleVerdict> {
  static constexpr std::array<std::string_view, 6> kSpelling = {
      "broken", "applies", "noted", "not met", "not broken", "not reached"};
};
