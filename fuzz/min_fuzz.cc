#include "fuzz/subject.h"

constinit const std::string_view lanediff::fuzz::kRoom = "min";
