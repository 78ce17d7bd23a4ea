#pragma once

#include <cstdint>
#include <string_view>

#include "isa/step.h"

/// Which of several legal values the author is likely to have meant.
namespace lanediff::lint {

/// "src.at".
bool IsPlace(std::string_view field);
/// "src.bytes".
bool IsWindow(std::string_view field);
/// How much a call works on: repeats, counts, lengths, lanes.
bool IsAmount(std::string_view field);

/// Whether `value` of a stride or gap of `step` lets blocks and iterations lie
/// behind each other; false of other fields.
bool LiesClose(std::string_view field, std::int64_t value,
               const isa::Step& step);

/// How far `to` is from `from`, 0 to 3. A tensor moves less willingly than a
/// number changes, and one that only gets the space it needs is nearest to
/// what was meant.
double Distance(std::string_view field, std::int64_t from, std::int64_t to);

/// Whether the call, by its fields, reads and writes no byte: no author means
/// that.
bool DoesNothing(const isa::Step& step);

/// The next multiple of a DataBlock's 32 bytes.
std::int64_t RoundedUp(std::int64_t at);

}  // namespace lanediff::lint
