#include "sanitizer/stale_reads.h"

#include <cstddef>
#include <utility>

#include "isa/memory_map.h"

namespace lanediff::lint {

Case AllWritten(const Case& c) {
  Case written;
  written.product = c.product;
  written.lint = c.lint;
  for (std::size_t m = 0; m < written.memory.size(); ++m) {
    const auto memory = static_cast<isa::Memory>(m);
    written.memory[m].emplace();
    written.memory[m]->size = isa::CapacityBytes(c.product, memory);
  }
  return written;
}

// What a call leaves unspecified is INIT-READ's.
StaleReads::StaleReads(const Case& c)
    : reads_(AllWritten(c), {.scratch = false}) {}

void StaleReads::EnterBlock(std::int64_t block) {
  block_ = block;
  reads_.unwritten().EnterBlock(block);
}

void StaleReads::Launch() {
  block_ = 0;
  reads_.unwritten().Launch();
  origins_.clear();
  first_reads_.clear();
}

void StaleReads::Begin(isa::Memory memory, const isa::IntervalSet& bytes,
                       bool only, const Races& written) {
  active_ = true;
  written.ForWriters(memory, bytes,
                     [&](const isa::Interval& run, std::int32_t writer) {
                       reads_.unwritten().Forget(memory, run);
                       OriginsOf(memory).Set(run, {writer, only});
                     });
}

void StaleReads::NoteFirstRead(std::int32_t number, const StepUse& use) {
  for (std::size_t m = 0; m < isa::kCount<isa::Memory>; ++m) {
    const auto memory = static_cast<isa::Memory>(m);
    if (memory == isa::Memory::kGm) continue;
    for (const isa::Interval& range : use[memory].reads) {
      for (const isa::Interval& stale :
           reads_.unwritten().In(memory, isa::IntervalSet({range}))) {
        const auto origin = OriginsOf(memory).FirstIn(stale);
        if (!origin) continue;
        first_reads_.try_emplace(number, origin->second);
        return;
      }
    }
  }
}

std::vector<StaleReads::Read> StaleReads::Take(
    const isa::Step& step, std::int32_t number,
    const std::vector<isa::Access>& accesses, const StepUse& use) {
  if (!active_) return {};
  NoteFirstRead(number, use);
  std::vector<Read> found;
  for (InitRead& read : reads_.Take(step, number, accesses, use)) {
    std::optional<Origin> origin;
    if (!read.earlier) {
      const auto first = OriginsOf(read.memory)
                             .FirstIn({read.bytes.front().begin,
                                       read.bytes.front().begin + 1});
      if (first) origin = first->second;
    } else if (const auto first = first_reads_.find(*read.earlier);
               first != first_reads_.end()) {
      origin = first->second;
    }
    if (origin) found.push_back({std::move(read), *origin});
  }
  return found;
}

UnknownReads::UnknownReads(const Case& c)
    : reads_(AllWritten(c), {.scratch = false, .gm = true}) {}

void UnknownReads::Leave(isa::Memory memory, const isa::Interval& bytes,
                         std::int32_t source) {
  active_ = true;
  reads_.unwritten().Forget(memory, bytes, source);
}

std::vector<InitRead> UnknownReads::Take(
    const isa::Step& step, std::int32_t number,
    const std::vector<isa::Access>& accesses, const StepUse& use) {
  if (!active_) return {};
  return reads_.Take(step, number, accesses, use);
}

std::vector<Unwritten::Piece> UnknownReads::In(
    isa::Memory memory, const isa::Interval& bytes) const {
  if (!active_) return {};
  return reads_.unwritten().In(memory, bytes);
}

}  // namespace lanediff::lint
