#pragma once

#include <random>
#include <string>
#include <string_view>

namespace lanediff::cli {

/// A case's text with one to four random defects: numbers at and beyond the
/// ends of their types or taken from elsewhere in it, other words, parts left
/// out or repeated, bytes that are no text. The same for the same state of
/// `random`, on every machine.
std::string Damaged(std::string_view text, std::mt19937_64& random);

}  // namespace lanediff::cli
