#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <string_view>

#include "isa/catalogue.h"

namespace lanediff::isa {

/// Expects of a citation that each place is a section of a known document, and
/// a quotation of at most 40 characters or the reason why there is none.
inline void ExpectCitation(std::string_view text, std::string_view quote) {
  SCOPED_TRACE(text);
  const auto places = CitationsOf(text);
  EXPECT_EQ(places.empty(), text.empty());
  EXPECT_EQ(quote.empty(), text.empty());
  for (const Citation& place : places) {
    EXPECT_NE(place.document, nullptr) << place.title;
    EXPECT_FALSE(place.section.empty()) << place.title;
  }
  if (quote.starts_with(kNoQuotation)) {
    EXPECT_GT(quote.size(), kNoQuotation.size());
    return;
  }
  const auto characters = std::ranges::count_if(
      quote, [](unsigned char byte) { return (byte & 0xc0) != 0x80; });
  EXPECT_LE(characters, 40) << quote;
}

}  // namespace lanediff::isa
