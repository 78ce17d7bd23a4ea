#pragma once

#include "isa/step.h"
#include "isa/vocabulary.h"
#include "tools/bench/works.h"

namespace lanediff::bench {

/// A call whose legality is decided, and the product it is for.
struct JudgedCall {
  isa::Product product;
  isa::Step step;
};

JudgedCall CallOf(Judged which);

}  // namespace lanediff::bench
