#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <variant>
#include <vector>

#include "isa/operand.h"
#include "isa/signature.h"
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
///   Tile(name, isa::Tile&)
///   OptionalWord(name, std::optional<Enum>&)
///   MaskWords(name, std::array<uint64, 2>&)   two words as ["0x…", "0x…"]
///   Element(name, DType, uint64&)     an element's bits, zero above its width
///   Group(name, T&)                   an object; T has `Fields` of its own
///   Part(name, T&)                    what only steps of kernels have: a text,
///                                     or what isa/carried.h and
///                                     isa/resource.h list; a resource itself
///                                     stands for its arguments
///   Form(Enum&, forms)                which of several alternative forms the
///                                     step has; decides what is shown next
namespace lanediff::isa {

/// A visitor that visits nothing; `Derived` defines what it visits.
template <class Derived>
struct FieldVisitor {
  template <class T>
  void Word(std::string_view, T&) {}
  template <class T>
  void Operand(std::string_view, T&) {}
  template <class T>
  void Integer(std::string_view, T&) {}
  template <class T>
  void HexWord(std::string_view, T&) {}
  template <class T>
  void Flag(std::string_view, T&, bool = false) {}
  template <class T>
  void Tile(std::string_view, T&) {}
  template <class T>
  void OptionalWord(std::string_view, T&) {}
  template <class T>
  void MaskWords(std::string_view, T&) {}
  template <class T>
  void Element(std::string_view, DType, T&) {}
  template <class T>
  void Part(std::string_view, T&) {}
  template <class T>
  void Group(std::string_view, T& group) {
    group.Fields(group, static_cast<Derived&>(*this));
  }
  template <class T>
  void Form(T&, std::span<const FormKey>) {}
};

/// Which form a step has, as a number below `count`.
struct FormRef {
  std::uint8_t* form;
  std::size_t count;
};

/// A field of a step, by its name, open to change.
struct FieldRef {
  std::string_view name;
  std::variant<std::int64_t*, std::uint64_t*, bool*, DType*, Pipe*, Event*,
               RoundMode*, ReduceOrder*, CmpMode*, SelMode*, Operand*, Tile*,
               std::optional<Order>*, FormRef>
      value;
};

/// Whether the field decides which others the step has.
inline bool DecidesFields(const FieldRef& field) {
  return std::holds_alternative<FormRef>(field.value) ||
         std::holds_alternative<SelMode*>(field.value);
}

/// Collects references to the fields of a step.
struct FieldCollector : FieldVisitor<FieldCollector> {
  template <class T>
  void Word(std::string_view name, T& word) {
    fields.push_back({name, &word});
  }
  void Word(std::string_view, ResourceName&) {}
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
  void Tile(std::string_view name, isa::Tile& tile) {
    fields.push_back({name, &tile});
  }
  template <class E>
  void OptionalWord(std::string_view name, std::optional<E>& word) {
    fields.push_back({name, &word});
  }
  void MaskWords(std::string_view name, std::array<std::uint64_t, 2>& words) {
    fields.push_back({name, &words[0]});
    fields.push_back({name, &words[1]});
  }
  void Element(std::string_view name, DType, std::uint64_t& bits) {
    fields.push_back({name, &bits});
  }
  void Form(std::uint8_t& form, std::span<const FormKey> forms) {
    fields.push_back({"form", FormRef{&form, forms.size()}});
  }

  std::vector<FieldRef> fields;
};

/// Whether it is a stride between DataBlocks, or between iterations.
constexpr bool IsBlkStride(Param param) {
  return param >= Param::kDstBlkStride && param <= Param::kSrc2BlkStride;
}
constexpr bool IsRepStride(Param param) {
  return param >= Param::kDstRepStride && param <= Param::kSrc2RepStride;
}

/// The parameter that the document of the row calls `name`.
constexpr std::optional<Param> ParamOf(const Signature& row,
                                       std::string_view name) {
  const auto spec = std::ranges::find(row.params, name, &ParamSpec::name);
  if (spec == row.params.end()) return std::nullopt;
  return spec->param;
}
/// The document's name of a parameter that the row has.
constexpr std::string_view NameOf(const Signature& row, Param param) {
  return std::ranges::find(row.params, param, &ParamSpec::param)->name;
}
/// The same of a parameter of operand `i`; `of_dst` is that of dst.
constexpr std::string_view NameOf(const Signature& row, Param of_dst,
                                  std::size_t i) {
  return NameOf(row, static_cast<Param>(static_cast<std::size_t>(of_dst) + i));
}

/// All fields of `step`, valid as long as the step keeps its type.
inline std::vector<FieldRef> FieldsOf(Step& step) {
  FieldCollector collector;
  std::visit([&](auto& s) { s.Fields(s, collector); }, step);
  return std::move(collector.fields);
}

}  // namespace lanediff::isa
