#pragma once

#include <string_view>

#include "diff/case.h"
#include "diff/generate/random.h"

namespace lanediff::fuzz {

/// What a fuzz program is about. Each program defines `kSubject` and links the
/// harness, which does the rest.
struct Subject {
  std::string_view room;  ///< the instruction as it stands in file names
  diff::Case (*generate)(diff::Random& random);
};

extern const Subject kSubject;

}  // namespace lanediff::fuzz
