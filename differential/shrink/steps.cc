// Drops steps.

#include <algorithm>

#include "differential/shrink/attempts.h"

namespace lanediff::diff::shrink {
namespace {

bool Drop(Attempts& attempts, std::size_t first, std::size_t count) {
  return attempts.Change([&](Case& c) {
    const auto begin = c.program.begin() + static_cast<std::ptrdiff_t>(first);
    c.program.erase(begin, begin + static_cast<std::ptrdiff_t>(count));
  });
}

}  // namespace

bool ShrinkSteps(Attempts& attempts) {
  bool any = false;
  // What comes after the finding has no part in it.
  const std::size_t end = attempts.finding().step + 1;
  if (end < attempts.best().program.size()) {
    any = Drop(attempts, end, attempts.best().program.size() - end);
  }
  for (std::size_t count = attempts.best().program.size() / 2; count > 0;
       count /= 2) {
    std::size_t first = 0;
    while (first + count <= attempts.best().program.size()) {
      if (Drop(attempts, first, count)) {
        any = true;
      } else {
        ++first;
      }
    }
  }
  return any;
}

}  // namespace lanediff::diff::shrink
