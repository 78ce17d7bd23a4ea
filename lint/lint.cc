#include "lint/lint.h"

#include <cstddef>

#include "lint/walk.h"

namespace lanediff::lint {

Verdict Lint(const Case& c) {
  Walk walk(c, [&](std::size_t number) { return &c.program[number]; });
  for (std::size_t i = 0; i < c.program.size(); ++i) {
    walk.Take(c.program[i], i);
    if (walk.unsupported()) break;
  }
  return walk.Finish();
}

}  // namespace lanediff::lint
