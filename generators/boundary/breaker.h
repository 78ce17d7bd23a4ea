#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "differential/testcase/case.h"
#include "isa/signature.h"
#include "isa/vocabulary.h"

/// How a sweep breaks rules: mostly a field of the call under test, which is
/// the last step, gets a value. Fields have the document's names; parts of
/// operands and tiles are "dst.at", "dst.dtype", "src.validRow".
namespace lanediff::make::sweep {

/// Changes a case; false where the call has not what it takes.
using Change = std::function<bool(Case&)>;

using MaskWords = std::array<std::uint64_t, 2>;
using FieldValue = std::variant<std::int64_t, bool, MaskWords, isa::DType,
                                isa::Position, isa::Layout>;

/// Gives `field` a value. False where the call's form has no such field; a name
/// or kind of value that no form has is a mistake of the caller and aborts.
Change Set(std::string_view field, FieldValue value);
/// Adds to an integer.
Change Plus(std::string_view field, std::int64_t difference);
/// Changes nothing; false where `field` has another value.
Change Is(std::string_view field, FieldValue value);
/// Another product.
Change On(isa::Product product);
/// The older edition of the documents.
Change In2024();

/// A way to break one rule of a small legal call.
struct Breaker {
  isa::CallRule rule;
  std::string how;
  std::vector<Change> changes;  ///< one after the other

  /// False where the call has not what it takes.
  bool Apply(Case& c) const;
};

}  // namespace lanediff::make::sweep
