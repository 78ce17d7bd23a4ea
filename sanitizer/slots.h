#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "differential/records/hazard.h"
#include "isa/step.h"
#include "isa/vocabulary.h"

namespace lanediff::lint {

/// A place for such a value: a field, or a part of an operand or tile. Valid as
/// long as the step keeps its type and form.
struct Slot {
  /// The document's name; of parts "src.at", "tmp.validRow", "mask[0]".
  std::string name;
  std::variant<std::int64_t*, std::uint64_t*, bool*, isa::DType*,
               std::optional<isa::DType>*, isa::Position*, isa::Layout*>
      place;

  SlotValue Get() const;
  /// `value` must be of the slot's kind.
  void Set(const SlotValue& value) const;
};

/// The slots of `step`, in the document's order.
std::vector<Slot> SlotsOf(isa::Step& step);

/// The value of the slot `name`; none where the step has no such slot.
std::optional<SlotValue> ValueOf(const isa::Step& step, std::string_view name);

/// The integer of the slot `name`; none where it is no integer.
std::optional<std::int64_t> IntegerOf(const isa::Step& step,
                                      std::string_view name);

/// `step` with another value in the slot `name`; unchanged without the slot.
isa::Step With(const isa::Step& step, std::string_view name,
               const SlotValue& value);

/// The step's `dtype`; none where it has no type.
std::optional<isa::DType> TypeOf(const isa::Step& step);

/// The names of the step's operands and tiles.
std::vector<std::string> OperandsOf(const isa::Step& step);

}  // namespace lanediff::lint
