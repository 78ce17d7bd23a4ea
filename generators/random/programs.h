#pragma once

#include <cstdint>
#include <optional>

#include "differential/testcase/case.h"
#include "generators/random.h"
#include "isa/vocabulary.h"

namespace lanediff::make {

/// How the steps of a program that share bytes are synchronized.
enum class Synchronized : std::uint8_t {
  kRight,   ///< what shares bytes is ordered, by flags and barriers
  kAlmost,  ///< the same with one step deleted, changed or moved
  kAnyhow,  ///< flags, barriers and mask steps at random, or none at all
};

struct SyncPlan {
  std::optional<Synchronized> way = {};      ///< else any
  std::optional<isa::Product> product = {};  ///< else any, mostly atlas-a2
  std::optional<bool> automatic = {};        ///< else either
  int most_operations = 9;
};

/// A well-formed case whose `lint` facts are set: a few calls on small windows
/// that overlap, of one product, with what orders them, mask steps between them
/// and memories that count as written in part. Nearly all of its steps are
/// legal; a few programs have one that is not, or a masked call in counter
/// mode. Its memories have at most 16 KiB, for slow judges.
Case SynchronizedProgram(Random& random, const SyncPlan& plan = {});

/// A program as kernels leave it: blocks, a TPipe, queues whose tensors are
/// filled, passed on and freed, unaudited calls between them, atomic and mask
/// modes. If `right`, all is synchronized and no rule of queues is broken; else
/// one or two steps are left out, doubled or exchanged, or a number is another.
/// Absent: two of three are right. Memories have 16 KiB.
Case KernelProgram(Random& random, std::optional<bool> right = {});

}  // namespace lanediff::make
