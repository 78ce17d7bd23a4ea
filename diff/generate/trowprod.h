#pragma once

#include "diff/case.h"
#include "diff/generate/random.h"

namespace lanediff::diff {

/// A program around a TROWPROD: every order, both layouts of dst, columns
/// around every multiple of a repeat, products that stay finite and products
/// that don't. About a third have one thing broken.
Case GenerateTrowprod(Random& random);

}  // namespace lanediff::diff
