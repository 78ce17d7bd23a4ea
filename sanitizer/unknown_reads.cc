#include "sanitizer/unknown_reads.h"

#include "sanitizer/stale_reads.h"

namespace lanediff::lint {

UnknownReads::UnknownReads(const Case& c)
    : reads_(AllWritten(c), {.scratch = false, .gm = true}) {}

void UnknownReads::Leave(isa::Memory memory, const Range& bytes,
                         std::int32_t source) {
  active_ = true;
  reads_.Forget(memory, bytes, source);
}

std::vector<InitRead> UnknownReads::Take(
    const isa::Step& step, std::int32_t number,
    const std::vector<isa::Access>& accesses, const StepUse& use) {
  if (!active_) return {};
  return reads_.Take(step, number, accesses, use);
}

std::vector<Unwritten::Piece> UnknownReads::In(isa::Memory memory,
                                               const Range& bytes) const {
  if (!active_) return {};
  return reads_.PiecesIn(memory, bytes);
}

}  // namespace lanediff::lint
