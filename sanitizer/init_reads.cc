#include "sanitizer/init_reads.h"

#include <algorithm>
#include <cstddef>
#include <utility>
#include <variant>

#include "isa/memory_map.h"
#include "sanitizer/bit_lanes.h"
#include "sanitizer/step_use.h"

namespace lanediff::lint {
namespace {

std::vector<std::string_view> OperandsThatRead(
    isa::Memory memory, const std::vector<isa::Access>& accesses) {
  std::vector<std::string_view> names;
  for (const isa::Access& access : accesses) {
    if (access.write || access.memory != memory) continue;
    if (std::ranges::find(names, access.operand) == names.end()) {
      names.push_back(access.operand);
    }
  }
  return names;
}

/// The cells that the operand reads before anything of the step writes them.
isa::IntervalSet ReadBeforeWritten(const AccessCells& cells,
                                   std::string_view operand,
                                   const std::vector<isa::Access>& accesses) {
  const auto read = cells.First(accesses, {.write = false, .operand = operand});
  const auto written = cells.First(accesses, {.write = true});
  isa::IntervalSet list;
  for (std::size_t i = 0; i < read.size(); ++i) {
    if (read[i] == AccessCells::kNone) continue;
    if (written[i] != AccessCells::kNone && written[i] < read[i]) continue;
    list.Append(cells.cells()[i]);
  }
  return list;
}

/// A case without steps, all of whose bytes count as written.
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

}  // namespace

std::vector<InitRead> InitReads::FirstReads(
    const std::vector<isa::Access>& accesses, const StepUse& use) const {
  std::vector<InitRead> found;
  for (std::size_t m = 0; m < isa::kCount<isa::Memory>; ++m) {
    const auto memory = static_cast<isa::Memory>(m);
    const isa::IntervalSet bytes =
        unwritten_.In(memory, use[memory].read_first);
    if (bytes.empty()) continue;
    const AccessCells cells(bytes, memory, accesses);
    for (std::string_view operand : OperandsThatRead(memory, accesses)) {
      isa::IntervalSet read = ReadBeforeWritten(cells, operand, accesses);
      if (read.empty()) continue;
      const auto lowest =
          unwritten_.In(memory, isa::Interval{read.front()}).front();
      std::optional<std::int32_t> left_by;
      if (lowest.left_by != Unwritten::kNoStep) left_by = lowest.left_by;
      found.push_back(
          {operand, memory, std::move(read), std::nullopt, left_by});
    }
  }
  return found;
}

std::vector<InitRead> InitReads::Take(const isa::Step& step,
                                      std::int32_t number,
                                      const std::vector<isa::Access>& accesses,
                                      const StepUse& use) {
  std::vector<InitRead> found;
  bool reads_unwritten = false;
  for (std::size_t m = 0; m < isa::kCount<isa::Memory>; ++m) {
    const auto memory = static_cast<isa::Memory>(m);
    reads_unwritten =
        reads_unwritten || !unwritten_.In(memory, use[memory].reads).empty();
  }
  const auto* const call = std::get_if<isa::Carried>(&step);
  const bool moves_mask = call != nullptr && IsComparison(*call);
  const bool reads_mask = call != nullptr && IsSelection(*call) &&
                          !unwritten_.InCompareMask().empty();
  if (propagate_ && (reads_unwritten || moves_mask || reads_mask)) {
    return Propagate(step, number, accesses, following_, unwritten_);
  }
  if (reads_unwritten) found = FirstReads(accesses, use);
  for (std::size_t m = 0; m < isa::kCount<isa::Memory>; ++m) {
    const auto memory = static_cast<isa::Memory>(m);
    for (const isa::Interval& range : use[memory].writes) {
      unwritten_.Write(memory, range);
    }
  }
  if (following_.scratch &&
      (call != nullptr || IsOf(step, isa::Family::kTile) ||
       IsOf(step, isa::Family::kCopy))) {
    LeaveScratch(number, accesses);
  }
  return found;
}

/// What the step leaves in its scratch operand is unspecified, but for what it
/// writes there behind it.
void InitReads::LeaveScratch(std::int32_t number,
                             const std::vector<isa::Access>& accesses) {
  // Behind the last of many scratch accesses is nothing to look for.
  std::size_t end = accesses.size();
  while (end > 0 && accesses[end - 1].operand == kScratch) --end;
  for (std::size_t i = 0; i < accesses.size(); ++i) {
    const isa::Access& access = accesses[i];
    if (!access.write || access.operand != kScratch) continue;
    std::vector<isa::Interval> results;
    for (std::size_t j = i + 1; j < end; ++j) {
      const isa::Access& later = accesses[j];
      if (later.write && later.memory == access.memory &&
          later.operand != kScratch) {
        results.push_back(BytesOf(later));
      }
    }
    const isa::IntervalSet scratch({BytesOf(access)});
    for (const isa::Interval& range :
         Without(scratch, isa::IntervalSet(std::move(results)))) {
      unwritten_.Taint(access.memory, {.bytes = range, .left_by = number});
    }
  }
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
