#pragma once

#include <cstddef>
#include <expected>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <string_view>

#include "differential/testcase/case_error.h"

namespace lanediff {

/// A JSON document, members in order. No number of a parsed document is
/// rounded: integers of 64 bits are integers, and every other number (1.50, -0,
/// 2^64) is a binary value, its text. Documents that are written may hold
/// doubles as well.
using Json = nlohmann::ordered_json;

/// The number that `text` spells, with all its digits.
Json NumberJson(std::string_view text);

/// The number's text, nothing of another value.
std::optional<std::string> NumberText(const Json& json);

/// Nesting beyond this many arrays and objects is malformed.
inline constexpr int kMaxJsonDepth = 16;

/// Parses `text`: UTF-8 without a byte order mark, no repeated member names, no
/// nesting deeper than `kMaxJsonDepth`.
std::expected<Json, CaseError> ParseJson(std::string_view text);

/// `json` as text for people: what fits in a line stands in a line, lists of
/// scalars fill lines, everything else is broken up and indented by two.
std::string LayOut(const Json& json);

}  // namespace lanediff
