#pragma once

#include <cstddef>
#include <expected>
#include <functional>
#include <iosfwd>
#include <span>
#include <string_view>

#include "differential/testcase/json.h"

/// Documents that are larger than memory.
namespace lanediff {

/// Some arrays of a document, by their JSON pointers, whose items are handed
/// over as they are read. They are empty in what is left of the document, and
/// lie at most two objects deep ("/run/cases").
struct StreamedArrays {
  std::span<const std::string_view> pointers;
  /// Gets an array's place among `pointers`, the item's in the array, and it.
  /// May throw a `CaseError`, whose pointer starts at the item.
  std::function<void(std::size_t array, std::size_t index, Json item)> take;
};

/// Parses what `stream` holds, as `ParseJson` of a text does; no more is held
/// than one item of each streamed array and all that is outside them.
std::expected<Json, CaseError> ParseJson(std::istream& stream,
                                         const StreamedArrays& streamed);

}  // namespace lanediff
