#include "differential/testcase/edition_variable.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cstdio>
#include <cstdlib>

#include "differential/testcase/json.h"

namespace lanediff {

std::optional<isa::Edition> EditionOfVariable(const char* name) {
  const char* const word = std::getenv(name);
  if (word == nullptr || *word == '\0') return std::nullopt;
  const auto edition = isa::Parse<isa::Edition>(word);
  if (!edition) {
    fmt::print(stderr, "{}: expected {}, found {}\n", name,
               fmt::join(isa::Words<isa::Edition>::kSpelling, " or "),
               Quote(word, 100));
    std::_Exit(2);
  }
  return *edition;
}

}  // namespace lanediff
