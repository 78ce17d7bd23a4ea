#include "fuzz/subject.h"

std::string_view lanediff::fuzz::OwnModule() {
  return LANEDIFF_FUZZ_INSTRUCTION;
}
