#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "differential/records/hazard.h"
#include "differential/testcase/case.h"
#include "isa/rule.h"
#include "isa/vocabulary.h"
#include "sanitizer/judge.h"

namespace lanediff::lint {

/// A step on its way: what the program did before it is the state of `judge`.
struct Situation {
  const Case& c;
  std::size_t number;
  Judge& judge;
  /// The rejected steps of the program, ascending.
  const std::vector<std::size_t>& rejected;
  /// Of each step before, whether it was executed; null: all were.
  const std::vector<bool>* executed = nullptr;
  /// What is tried in place of the program's step.
  const isa::Step* tried = nullptr;

  const isa::Step& step() const {
    return tried == nullptr ? c.program[number] : *tried;
  }
  Situation Trying(const isa::Step& other) const {
    return {c, number, judge, rejected, executed, &other};
  }
  bool Breaks(const isa::Step& step, isa::RuleId rule) const {
    return judge.Broken(step).Contains(rule);
  }
};

/// At least one witness of each of `rules`, all of which the step breaks; one
/// of each operand or field at fault.
std::vector<Witness> WitnessesOf(const Situation& situation,
                                 const isa::RuleSet& rules);

/// Of rules on bytes outside: one for each operand at fault. What an operand
/// needs and has is in `needed` and `found`.
std::vector<Witness> OutsideWitnesses(const Situation& situation,
                                      isa::RuleId rule);
/// Of rules on bytes shared, *-BARRIER among them.
std::vector<Witness> SharedWitnesses(const Situation& situation,
                                     isa::RuleId rule);
/// Of every other rule.
std::vector<Witness> ValueWitnesses(const Situation& situation,
                                    isa::RuleId rule);

}  // namespace lanediff::lint
