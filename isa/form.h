#pragma once

#include <cstdint>
#include <string_view>

namespace lanediff::isa {

/// How the field that gives a form away looks in a document.
enum class FormShape : std::uint8_t { kInteger, kWords, kObject };

/// One of several alternative forms of a step: it has the field `key`, of this
/// shape, and no key of the other forms. An empty key: it has no key.
struct FormKey {
  std::string_view key;
  FormShape shape;
};

}  // namespace lanediff::isa
