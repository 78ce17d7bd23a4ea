#pragma once

#include <cstdint>
#include <expected>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "isa/vocabulary.h"

/// Elements of a data type as they stand in cases and messages. Bits are those
/// of the type, zero above its width.
namespace lanediff {

/// Holds the value of every integer element.
__extension__ using Wide = __int128;

/// Whether `type` is half, bfloat16, float or double.
bool IsFloating(isa::DType type);

/// Bits of the fraction of a floating type.
int FractionBits(isa::DType type);

/// The bits of a number in JSON spelling. An integer type takes integers that
/// fit; a floating type rounds once to nearest even and takes nothing that
/// overflows. The error states what is wrong and what is allowed.
std::expected<std::uint64_t, std::string> ElementFromNumber(
    isa::DType type, std::string_view number);

/// The bits of a string value: "inf", "-inf", "nan", "-0" for floating types,
/// raw bits "0x…" for every type, digits for the 64-bit integers.
std::expected<std::uint64_t, std::string> ElementFromString(
    isa::DType type, std::string_view text);

/// The value, as a double.
double ElementToDouble(isa::DType type, std::uint64_t bits);

/// The bits of `value`, rounded to nearest even by a floating type; any NaN is
/// the quiet one. An integer type takes what fits.
std::uint64_t ElementFromDouble(isa::DType type, double value);

/// How an element is written: a JSON number, or a string where no number
/// expresses it.
struct ElementText {
  std::string text;
  bool quoted = false;
};

/// The shortest spelling that reads back as the same bits.
ElementText ElementToText(isa::DType type, std::uint64_t bits);

/// For messages: "35584 (0x7858)", "nan (0x7e00)".
std::string DescribeElement(isa::DType type, std::uint64_t bits);

bool IsNan(isa::DType type, std::uint64_t bits);

/// Equal bits, or two NaNs of a floating type.
bool SameElement(isa::DType type, std::uint64_t a, std::uint64_t b);

/// How many representable values lie between `a` and `b`, counting `b`; +0 and
/// −0 are neighbours. Zero if either is a NaN.
std::uint64_t UlpDistance(isa::DType type, std::uint64_t a, std::uint64_t b);

/// Little-endian element at the start of `bytes`, which holds at least one.
std::uint64_t LoadElement(isa::DType type, std::span<const std::uint8_t> bytes);

/// Appends the element in memory order.
void AppendElement(isa::DType type, std::uint64_t bits,
                   std::vector<std::uint8_t>& out);

}  // namespace lanediff
