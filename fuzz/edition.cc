#include "fuzz/edition.h"

#include "differential/testcase/edition_variable.h"

namespace lanediff::fuzz {

std::optional<isa::Edition> Edition() {
  static const auto edition = EditionOfVariable("LANEDIFF_FUZZ_EDITION");
  return edition;
}

}  // namespace lanediff::fuzz
