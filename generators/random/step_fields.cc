#include "generators/random/step_fields.h"

#include <variant>

namespace lanediff::make {
namespace {

struct Copier {
  template <class T>
  bool operator()(T* from, T* to) const {
    *to = *from;
    return true;
  }
  bool operator()(isa::FormRef from, isa::FormRef to) const {
    *to.form = *from.form;
    return true;
  }
  template <class T, class U>
  bool operator()(T, U) const {
    return false;
  }
};

/// A step of the same type with every field at its initial value.
isa::Step Blank(const isa::Step& step) {
  return std::visit([]<class S>(const S&) { return isa::Step(S{}); }, step);
}

}  // namespace

bool CopyField(const isa::FieldRef& from, const isa::FieldRef& to) {
  return std::visit(Copier{}, from.value, to.value);
}

void ClearHiddenFields(isa::Step& step) {
  isa::Step blank = Blank(step);
  // The form comes first: it decides which fields there are.
  const std::vector<isa::FieldRef> shown = isa::FieldsOf(step);
  for (std::size_t i = 0; i < shown.size(); ++i) {
    if (std::holds_alternative<isa::FormRef>(shown[i].value)) {
      CopyField(shown[i], isa::FieldsOf(blank)[i]);
    }
  }
  const std::vector<isa::FieldRef> kept = isa::FieldsOf(blank);
  for (std::size_t i = 0; i < shown.size(); ++i) CopyField(shown[i], kept[i]);
  step = std::move(blank);
}

}  // namespace lanediff::make
