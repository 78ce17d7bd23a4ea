#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "generators/exhaustive/grid.h"
#include "generators/exhaustive/space.h"

namespace lanediff::make::exhaust {

/// A memory of `bytes` bytes whose 16-bit elements are different halves of
/// magnitude 0.5 to 2, both signs: a wrong address or sign shows, sums and
/// products stay finite, and pairs of them are finite floats.
MemoryImage PatternImage(std::int64_t bytes);

/// What a grid starts from whose calls have `bytes` of UB.
Draft OnUb(const isa::Signature& row, std::int64_t bytes);

/// A walker that runs each call of `space` through `CompareCase`.
std::unique_ptr<Walker> OpenCaseWalker(const Space& space,
                                       const diff::Target& target,
                                       const diff::Target& reference,
                                       isa::Edition edition);

/// The parameters of one instruction within bounds: the combinations of one
/// grid after the other, each from `start` on; `finish` is called when all axes
/// are set. Each call is one point.
std::unique_ptr<Space> ParameterSpaceOf(Draft start, std::vector<Grid> grids,
                                        void (*finish)(Draft&));

// ---- The spaces of the instructions -----------------------------------------

// Each integer field runs through small values and the neighbours on both sides
// of its range, in every form; operands start around each other, in steps that
// reach every way of overlapping. The bounds are in the grids themselves, from
// where `Bounds()` lists them. Saturation mode is on; data is that of
// `PatternImage`.

/// 0.9 million calls on 1 KiB of each memory, some of two copies; 0.7 million
/// of a copy that pads.
std::unique_ptr<Space> CopyParameters(const isa::Signature& row);
/// 2 million calls on 4 KiB of UB.
std::unique_ptr<Space> TileParameters(const isa::Signature& row);
/// 0.1 million calls on 4 KiB of UB.
std::unique_ptr<Space> TransposeParameters(const isa::Signature& row);
/// 2 million calls on 3 KiB of UB, where there are two sources.
std::unique_ptr<Space> LanewiseParameters(const isa::Signature& row);
/// 2 million calls on 1 KiB of UB.
std::unique_ptr<Space> ReductionParameters(const isa::Signature& row);
/// That of the kind's family.
std::unique_ptr<Space> ParametersOf(const isa::Call& kind);

}  // namespace lanediff::make::exhaust
