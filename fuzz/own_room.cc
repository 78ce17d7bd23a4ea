#include "fuzz/subject.h"

std::string_view lanediff::fuzz::OwnRoom() { return LANEDIFF_FUZZ_ROOM; }
