#include "lint/init_reads.h"

#include <algorithm>
#include <variant>

#include "lint/access_cells.h"

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
RangeList ReadBeforeWritten(const AccessCells& cells, std::string_view operand,
                            const std::vector<isa::Access>& accesses) {
  const auto read = cells.First(accesses, {.write = false, .operand = operand});
  const auto written = cells.First(accesses, {.write = true});
  RangeList list;
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
    const RangeList bytes = unwritten_.In(memory, use[memory].read_first);
    if (bytes.empty()) continue;
    const AccessCells cells(bytes, memory, accesses);
    for (std::string_view operand : OperandsThatRead(memory, accesses)) {
      RangeList read = ReadBeforeWritten(cells, operand, accesses);
      if (read.empty()) continue;
      found.push_back({operand, memory, std::move(read), std::nullopt});
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
  if (propagate_ && reads_unwritten) {
    found = Propagate(step, number, accesses, unwritten_);
  } else {
    if (reads_unwritten) found = FirstReads(accesses, use);
    for (std::size_t m = 0; m < isa::kCount<isa::Memory>; ++m) {
      const auto memory = static_cast<isa::Memory>(m);
      for (const Range& range : use[memory].writes) {
        unwritten_.Write(memory, range);
      }
    }
  }
  if (!std::holds_alternative<isa::Trowprod>(step)) return found;
  for (const isa::Access& access : accesses) {
    if (access.operand != isa::Trowprod::kScratch) continue;
    unwritten_.Taint(access.memory,
                     {.bytes = {access.at, access.at + access.bytes},
                      .origin = Unwritten::kNobody});
  }
  return found;
}

}  // namespace lanediff::lint
