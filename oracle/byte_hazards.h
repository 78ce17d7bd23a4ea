#pragma once

#include <cstddef>
#include <vector>

#include "isa/access.h"
#include "isa/step.h"
#include "isa/vocabulary.h"
#include "oracle/hazards.h"

/// Hazards of memory, each byte by itself.
namespace lanediff::oracle {

/// An executed step with a pipe, and what it touches, in order.
struct Touching {
  std::size_t step = 0;
  isa::Pipe pipe = isa::Pipe::kV;
  const isa::Step* call = nullptr;
  std::vector<isa::Access> accesses;
};

/// `before[a][b]`, a < b: whether operation number a is before number b.
using Before = std::vector<std::vector<bool>>;

/// SYNC-RAW, -WAR and -WAW.
std::vector<ByteHazard> FindRaces(const std::vector<Touching>& operations,
                                  const Before& before);

/// Pairs of operations with a byte in common that one of them writes.
std::vector<std::pair<std::size_t, std::size_t>> FindSharing(
    const std::vector<Touching>& operations);

/// INIT-READ; `written` as in HazardQuestion.
std::vector<ByteHazard> FindUnwrittenReads(
    const std::vector<Touching>& operations,
    const HazardQuestion::Written& written);
/// The same with propagate.
std::vector<ByteHazard> FindUnwrittenLeaving(
    const std::vector<Touching>& operations,
    const HazardQuestion::Written& written);

}  // namespace lanediff::oracle
