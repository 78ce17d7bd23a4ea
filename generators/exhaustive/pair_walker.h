#pragma once

#include <memory>

#include "generators/exhaustive/pair_space.h"

namespace lanediff::make::exhaust {

/// The lean loop over a pair space: both sides keep one session and one memory,
/// which is filled again for each call and compared byte by byte. What differs
/// is reported by `CompareCase` from a case of one pair. Reads outside what
/// the call may read are not looked for; the parameter spaces do.
std::unique_ptr<Walker> OpenPairWalker(const PairSpace& space,
                                       const diff::Target& target,
                                       const diff::Target& reference,
                                       isa::Edition edition);

}  // namespace lanediff::make::exhaust
