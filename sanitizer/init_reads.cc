#include "sanitizer/init_reads.h"

#include <algorithm>
#include <variant>

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

}  // namespace lanediff::lint
