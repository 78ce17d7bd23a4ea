#include "sanitizer/slots.h"

#include <fmt/format.h>

#include <algorithm>
#include <type_traits>

#include "isa/fields.h"

namespace lanediff::lint {
namespace {

/// Collects what isa/fields.h shows; an element's bits and words of lists that
/// no reject rule speaks of are left out.
class Collector : public isa::FieldVisitor<Collector> {
 public:
  template <class T>
  void Word(std::string_view name, T& word) {
    if constexpr (std::is_same_v<T, isa::DType>) Add(name, &word);
  }
  void Operand(std::string_view name, isa::Operand& o) {
    AddPart(name, "position", &o.position);
    AddPart(name, "at", &o.at);
    AddPart(name, "bytes", &o.bytes);
    AddPart(name, "dtype", &o.dtype);
  }
  void Tile(std::string_view name, isa::Tile& t) {
    AddPart(name, "position", &t.position);
    AddPart(name, "at", &t.at);
    AddPart(name, "rows", &t.rows);
    AddPart(name, "cols", &t.cols);
    AddPart(name, "validRow", &t.valid_row);
    AddPart(name, "validCol", &t.valid_col);
    AddPart(name, "layout", &t.layout);
    AddPart(name, "dtype", &t.dtype);
  }
  void Integer(std::string_view name, std::int64_t& n) { Add(name, &n); }
  void HexWord(std::string_view name, std::uint64_t& w) { Add(name, &w); }
  void Flag(std::string_view name, bool& flag, bool = false) {
    Add(name, &flag);
  }
  void MaskWords(std::string_view name, std::array<std::uint64_t, 2>& words) {
    slots.push_back({fmt::format("{}[0]", name), &words[0]});
    slots.push_back({fmt::format("{}[1]", name), &words[1]});
  }

  std::vector<Slot> slots;

 private:
  template <class T>
  void Add(std::string_view name, T* place) {
    slots.push_back({std::string(name), place});
  }
  template <class T>
  void AddPart(std::string_view name, std::string_view part, T* place) {
    slots.push_back({fmt::format("{}.{}", name, part), place});
  }
};

}  // namespace

SlotValue Slot::Get() const {
  return std::visit([](auto* p) { return SlotValue(*p); }, place);
}

void Slot::Set(const SlotValue& value) const {
  std::visit(
      [&](auto* p) {
        *p = std::get<std::remove_pointer_t<decltype(p)>>(value);
      },
      place);
}

std::vector<Slot> SlotsOf(isa::Step& step) {
  Collector collector;
  std::visit([&](auto& s) { s.Fields(s, collector); }, step);
  return std::move(collector.slots);
}

std::optional<SlotValue> ValueOf(const isa::Step& step, std::string_view name) {
  isa::Step copy = step;
  for (const Slot& slot : SlotsOf(copy)) {
    if (slot.name == name) return slot.Get();
  }
  return std::nullopt;
}

std::optional<std::int64_t> IntegerOf(const isa::Step& step,
                                      std::string_view name) {
  const auto value = ValueOf(step, name);
  if (!value) return std::nullopt;
  const auto* const integer = std::get_if<std::int64_t>(&*value);
  return integer == nullptr ? std::nullopt : std::optional(*integer);
}

isa::Step With(const isa::Step& step, std::string_view name,
               const SlotValue& value) {
  isa::Step changed = step;
  for (const Slot& slot : SlotsOf(changed)) {
    if (slot.name == name) slot.Set(value);
  }
  return changed;
}

std::optional<isa::DType> TypeOf(const isa::Step& step) {
  const auto value = ValueOf(step, "dtype");
  if (!value) return std::nullopt;
  return std::get<isa::DType>(*value);
}

std::vector<std::string> OperandsOf(const isa::Step& step) {
  isa::Step copy = step;
  std::vector<std::string> names;
  for (const Slot& slot : SlotsOf(copy)) {
    const std::size_t dot = slot.name.find(".at");
    if (dot != std::string::npos) names.push_back(slot.name.substr(0, dot));
  }
  return names;
}

}  // namespace lanediff::lint
