#pragma once

#include <array>
#include <cstdint>
#include <string_view>
#include <variant>
#include <vector>

#include "isa/operand.h"
#include "isa/step.h"

/// Every step type has a static `Fields(self, visitor)` that shows its fields,
/// once each and in the document's order, under the document's names. Case
/// reader, case writer, serialiser, generator and printers are such visitors,
/// so a new step type needs no edit in any of them. A visitor has
///
///   Word(name, Enum&)                 one word of a list
///   Operand(name, isa::Operand&)
///   Integer(name, int64&)             any JSON integer of 64 bits, signed
///   HexWord(name, uint64&)            64 bits as "0x…"
///   Flag(name, bool&)                 must be given
///   Flag(name, bool&, default)        may be left out
namespace lanediff::isa {

/// A field of a step, by its name, open to change.
struct FieldRef {
  std::string_view name;
  std::variant<std::int64_t*, std::uint64_t*, bool*, DType*, Pipe*, Operand*>
      value;
};

/// Collects references to the fields of a step.
class FieldCollector {
 public:
  template <class T>
  void Word(std::string_view name, T& word) {
    fields.push_back({name, &word});
  }
  void Operand(std::string_view name, isa::Operand& o) {
    fields.push_back({name, &o});
  }
  void Integer(std::string_view name, std::int64_t& n) {
    fields.push_back({name, &n});
  }
  void HexWord(std::string_view name, std::uint64_t& w) {
    fields.push_back({name, &w});
  }
  void Flag(std::string_view name, bool& flag, bool = false) {
    fields.push_back({name, &flag});
  }

  std::vector<FieldRef> fields;
};

/// All fields of `step`, valid as long as the step keeps its type.
inline std::vector<FieldRef> FieldsOf(Step& step) {
  FieldCollector collector;
  std::visit([&](auto& s) { s.Fields(s, collector); }, step);
  return std::move(collector.fields);
}

}  // namespace lanediff::isa
