#include "fuzz/edition.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cstdio>
#include <cstdlib>

namespace lanediff::fuzz {

std::optional<isa::Edition> Edition() {
  static const auto edition = []() -> std::optional<isa::Edition> {
    const char* const word = std::getenv("LANEDIFF_FUZZ_EDITION");
    if (word == nullptr || *word == '\0') return std::nullopt;
    const auto found = isa::Parse<isa::Edition>(word);
    if (!found) {
      fmt::print(stderr,
                 "lanediff-fuzz: LANEDIFF_FUZZ_EDITION: found another word; "
                 "expected {}\n",
                 fmt::join(isa::Words<isa::Edition>::kSpelling, " or "));
      std::_Exit(2);
    }
    return *found;
  }();
  return edition;
}

}  // namespace lanediff::fuzz
