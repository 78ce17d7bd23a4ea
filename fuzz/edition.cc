#include "fuzz/edition.h"

#include "case/edition_variable.h"

namespace lanediff::fuzz {

std::optional<isa::Edition> Edition() {
  static const auto edition = EditionOfVariable("LANEDIFF_FUZZ_EDITION");
  return edition;
}

}  // namespace lanediff::fuzz
