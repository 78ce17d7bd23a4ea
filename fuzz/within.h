#pragma once

#include "differential/targets/capabilities.h"
#include "differential/testcase/case.h"

namespace lanediff::fuzz {

/// The first case of some that `make()` returns which is within `can`; beyond
/// it only where no case of a few tries was. A change to a case that is within
/// mostly is, too: what isn't has another product or type.
template <class Make>
Case MakeWithin(const diff::Capabilities& can, const Make& make) {
  constexpr int kTries = 16;
  Case c = make();
  for (int i = 1; i < kTries && diff::BeyondCapabilities(c, can); ++i) {
    c = make();
  }
  return c;
}

}  // namespace lanediff::fuzz
