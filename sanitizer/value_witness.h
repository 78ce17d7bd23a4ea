#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "sanitizer/slots.h"
#include "sanitizer/witness.h"

namespace lanediff::lint {

/// Every value of the kind of `value`, if that is a word of a list.
std::vector<SlotValue> Alternatives(const SlotValue& value);

/// "VECIN, VECCALC or VECOUT", and the same with " is allowed".
std::string Or(const std::vector<std::string>& words);
std::string Allowed(const std::vector<std::string>& words);

/// Rule and step in question, and witnesses of them.
class ValueWitness {
 public:
  ValueWitness(const Situation& s, isa::RuleId rule)
      : s_(s), rule_(rule), step_(s.step()) {}

  std::vector<Witness> Look();

 private:
  using Strings = std::vector<std::string>;

  void Add(std::string_view field, std::string found, std::string needed) {
    Witness witness;
    witness.rule = rule_;
    witness.field = field;
    const std::size_t dot = witness.field.find('.');
    if (dot != std::string::npos)
      witness.operand = witness.field.substr(0, dot);
    witness.found = std::move(found);
    witness.needed = std::move(needed);
    all_.push_back(std::move(witness));
  }
  /// "src.at is 100".
  std::string Is(std::string_view field) const {
    const auto value = ValueOf(step_, field);
    return std::string(field) + " is " + (value ? Text(*value) : "not there");
  }
  std::int64_t Number(std::string_view field) const {
    return IntegerOf(step_, field).value_or(0);
  }
  bool Breaks(const isa::Step& step) const { return s_.Breaks(step, rule_); }

  void Ranges();
  void Product();
  void OwnTypes();
  void Choose(const Strings& fields);
  void Align();
  void NotZero(std::string_view field);
  void BlockLen();
  void MaskWords();
  void Placeholder();
  void Type();
  void Route();
  void Mixed();
  void DstLayout();
  void ValidZero();
  void ValidRows();
  void TmpShape();
  void Tiles();
  void Tile(const std::string& tile, std::int64_t element);

  const Situation& s_;
  isa::RuleId rule_;
  const isa::Step& step_;
  std::vector<Witness> all_;
};

}  // namespace lanediff::lint
