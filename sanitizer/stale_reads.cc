#include "sanitizer/stale_reads.h"

#include <cstddef>
#include <iterator>
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

// What a call leaves in its scratch operand is INIT-READ's.
StaleReads::StaleReads(const Case& c)
    : reads_(AllWritten(c), {.scratch = false}) {}

void StaleReads::EnterBlock(std::int64_t block) {
  block_ = block;
  reads_.EnterBlock(block);
}

void StaleReads::Launch() {
  block_ = 0;
  reads_.Launch();
  runs_.clear();
  first_reads_.clear();
}

void StaleReads::Begin(isa::Memory memory, const RangeList& bytes, bool only,
                       const Races& written) {
  active_ = true;
  Runs& runs = RunsOf(memory);
  written.ForWriters(memory, bytes, [&](const Range& run, std::int32_t writer) {
    reads_.Forget(memory, run);
    // Runs of other uses begin elsewhere: the newest one that covers a byte is
    // the one that begins last before it, or none.
    runs.erase(runs.lower_bound(run.begin), runs.lower_bound(run.end));
    runs[run.begin] = {run.end, {writer, only}};
  });
}

std::optional<StaleReads::Origin> StaleReads::OriginAt(isa::Memory memory,
                                                       std::int64_t at) {
  const Runs& runs = RunsOf(memory);
  auto behind = runs.upper_bound(at);
  if (behind == runs.begin()) return std::nullopt;
  const Run& run = std::prev(behind)->second;
  return at < run.end ? std::optional(run.origin) : std::nullopt;
}

void StaleReads::NoteFirstRead(std::int32_t number, const StepUse& use) {
  for (std::size_t m = 0; m < isa::kCount<isa::Memory>; ++m) {
    const auto memory = static_cast<isa::Memory>(m);
    if (memory == isa::Memory::kGm) continue;
    for (const Range& range : use[memory].reads) {
      if (!reads_.HasUnwritten(memory, RangeList({range}))) continue;
      for (const auto& [begin, run] : RunsOf(memory)) {
        const Range common = Common(range, Range{begin, run.end});
        if (common.empty() ||
            !reads_.HasUnwritten(memory, RangeList({common}))) {
          continue;
        }
        first_reads_.try_emplace(number, run.origin);
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
      origin = OriginAt(read.memory, read.bytes.front().begin);
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
