#include "generators/boundary/breaker.h"

#include <algorithm>
#include <cstdlib>
#include <optional>
#include <type_traits>

#include "generators/wrapping.h"
#include "isa/fields.h"

namespace lanediff::make::sweep {
namespace {

/// Where a field's value stands: as a number, a word, or two words of a mask.
struct Words {
  std::uint64_t* first;
  std::uint64_t* second;
};
using Part =
    std::variant<std::monostate, std::int64_t*, bool*, Words, isa::DType*,
                 std::optional<isa::DType>*, isa::Position*, isa::Layout*>;

template <class T>
Part PartOfWindow(T& window, std::string_view part) {
  if (part == "at") return &window.at;
  if (part == "position") return &window.position;
  if (part == "dtype") return &window.dtype;
  if constexpr (requires { window.bytes; }) {
    if (part == "bytes") return &window.bytes;
  } else {
    if (part == "rows") return &window.rows;
    if (part == "cols") return &window.cols;
    if (part == "validRow") return &window.valid_row;
    if (part == "validCol") return &window.valid_col;
    if (part == "layout") return &window.layout;
  }
  return {};
}

Part PartOf(isa::Step& step, std::string_view field) {
  const std::size_t dot = std::min(field.find('.'), field.size());
  const std::string_view part = field.substr(std::min(dot + 1, field.size()));
  const auto fields = isa::FieldsOf(step);
  const auto found =
      std::ranges::find(fields, field.substr(0, dot), &isa::FieldRef::name);
  if (found == fields.end()) return {};
  return std::visit(
      [&]<class T>(T value) -> Part {
        if constexpr (std::is_same_v<T, isa::Operand*> ||
                      std::is_same_v<T, isa::Tile*>) {
          return PartOfWindow(*value, part);
        } else if constexpr (std::is_same_v<T, std::uint64_t*>) {
          // The two words of a mask follow each other, under one name.
          return Words{value, std::get<std::uint64_t*>((found + 1)->value)};
        } else if constexpr (std::is_constructible_v<Part, T>) {
          return value;
        } else {
          return {};
        }
      },
      found->value);
}

/// Takes a value where it belongs or compares it with what is there.
template <class Found>
struct Meet {
  Found found;

  template <class T>
  std::optional<bool> operator()(T* place, const T& value) const {
    return found(*place, value);
  }
  std::optional<bool> operator()(std::optional<isa::DType>* place,
                                 isa::DType value) const {
    return found(*place, std::optional(value));
  }
  std::optional<bool> operator()(Words place, const MaskWords& value) const {
    MaskWords words = {*place.first, *place.second};
    const bool done = found(words, value);
    *place.first = words[0];
    *place.second = words[1];
    return done;
  }
  /// Another kind of value.
  template <class P, class T>
  std::optional<bool> operator()(const P&, const T&) const {
    return std::nullopt;
  }
};

/// Whether some form of the call has `field` with this kind of value.
bool IsOfSomeForm(isa::Step step, std::string_view field,
                  const FieldValue& value) {
  const auto look = [](const auto&, const auto&) { return true; };
  auto& call = std::get<isa::Call>(step);
  const auto forms = std::max<std::size_t>(1, call.signature->forms.size());
  for (call.form = 0; call.form < forms; ++call.form) {
    if (std::visit(Meet{look}, PartOf(step, field), value)) return true;
  }
  return false;
}

/// `found(place, value)` for the field of the last step.
template <class Found>
Change AtField(std::string_view field, FieldValue value, Found found) {
  return [=, name = std::string(field)](Case& c) {
    isa::Step& step = c.program.back();
    const auto done = std::visit(Meet{found}, PartOf(step, name), value);
    if (!done && !IsOfSomeForm(step, name, value)) std::abort();
    return done.value_or(false);
  };
}

}  // namespace

Change Set(std::string_view field, FieldValue value) {
  return AtField(field, value, [](auto& place, const auto& wanted) {
    place = wanted;
    return true;
  });
}

Change Plus(std::string_view field, std::int64_t difference) {
  return AtField(field, difference, []<class T>(T& place, const T& more) {
    if constexpr (std::is_same_v<T, std::int64_t>) {
      place = WrappingSum(place, more);
    }
    return true;
  });
}

Change Is(std::string_view field, FieldValue value) {
  return AtField(field, value, [](const auto& place, const auto& wanted) {
    return place == wanted;
  });
}

Change On(isa::Product product) {
  return [=](Case& c) {
    c.product = product;
    return true;
  };
}

Change In2024() {
  return [](Case& c) {
    c.edition = isa::Edition::k2024;
    return true;
  };
}

bool Breaker::Apply(Case& c) const {
  return std::ranges::all_of(changes,
                             [&](const Change& change) { return change(c); });
}

}  // namespace lanediff::make::sweep
