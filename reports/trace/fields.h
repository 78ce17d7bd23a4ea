#pragma once

#include <string>
#include <vector>

#include "isa/step.h"

namespace lanediff::view {

/// A field of a step under the document's name: "dst", "VECOUT at 0 (32
/// bytes)".
struct FieldText {
  std::string name;
  std::string value;

  bool operator==(const FieldText&) const = default;
};

/// All fields of `step`, in the document's order.
std::vector<FieldText> FieldTexts(const isa::Step& step);

}  // namespace lanediff::view
