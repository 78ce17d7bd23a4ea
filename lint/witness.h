#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "case/case.h"
#include "isa/rule.h"
#include "isa/vocabulary.h"
#include "lint/judge.h"

namespace lanediff::lint {

/// What shows that a step breaks a rule: the first place where it does.
struct Witness {
  isa::RuleId rule;
  std::string_view statement;  ///< the rule in the catalogue's words
  /// The operand at fault and, where one value is at fault, its slot (see
  /// lint/slots.h) or "product".
  std::string operand;
  std::string field;
  /// "repeatTimes is 256", and "0 to 255 is allowed".
  std::string found;
  std::string needed;
  /// Both in one sentence, where they read better together.
  std::string sentence;
  /// Where bytes show it: repeat, block or row, from 0; the first and the last
  /// lane, column or element; and the bytes themselves.
  std::optional<std::int64_t> iteration;
  std::optional<std::pair<std::int64_t, std::int64_t>> lanes;
  struct Bytes {
    isa::Memory memory = isa::Memory::kUb;
    std::int64_t at = 0;
    std::int64_t bytes = 0;
    bool operator==(const Bytes&) const = default;
  };
  std::optional<Bytes> bytes;
  /// DC-BARRIER: the step that copied there before.
  std::optional<std::size_t> earlier;

  /// "repeatTimes is 256; 0 to 255 is allowed".
  std::string text() const {
    return sentence.empty() ? found + "; " + needed : sentence;
  }
  bool operator==(const Witness&) const = default;
};

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
/// Of rules on bytes shared, DC-BARRIER among them.
std::vector<Witness> SharedWitnesses(const Situation& situation,
                                     isa::RuleId rule);
/// Of every other rule.
std::vector<Witness> ValueWitnesses(const Situation& situation,
                                    isa::RuleId rule);

/// How many bytes `operand` needs from its start on, as the call would touch
/// them; none where nothing tells.
std::optional<std::int64_t> NeededBytes(const Situation& situation,
                                        const isa::Step& step,
                                        std::string_view operand);

}  // namespace lanediff::lint
