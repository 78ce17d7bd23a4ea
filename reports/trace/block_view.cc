#include "reports/trace/block_view.h"

#include <algorithm>
#include <cstddef>
#include <iterator>
#include <span>
#include <string_view>

#include "differential/memory/touched.h"
#include "differential/testcase/element.h"
#include "isa/memory_map.h"

namespace lanediff::view {
namespace {

using ByteList = std::vector<std::uint8_t>;

/// The bytes of a DataBlock; none where there is no such memory.
ByteList BytesOf(const diff::MemorySet& memory, const Place& place) {
  const std::span<const std::uint8_t> all = memory[place.first];
  const auto size = static_cast<std::int64_t>(all.size());
  const std::int64_t blocks = (size + kDataBlockBytes - 1) / kDataBlockBytes;
  if (place.second < 0 || place.second >= blocks) return {};
  const std::int64_t first = place.second * kDataBlockBytes;
  const std::int64_t end = std::min(size, first + kDataBlockBytes);
  return {all.begin() + first, all.begin() + end};
}

/// Elements of the target's bytes that are not as expected.
std::vector<std::size_t> DifferingElements(const BlockView& block,
                                           const ByteList& expected) {
  const auto size = static_cast<std::size_t>(isa::SizeBytes(block.dtype));
  std::vector<std::size_t> differing;
  for (std::size_t at = 0; at + size <= block.actual.size(); at += size) {
    const auto load = [&](const ByteList& bytes) {
      return LoadElement(block.dtype, std::span(bytes).subspan(at));
    };
    if (!SameElement(block.dtype, load(expected), load(block.actual))) {
      differing.push_back(at / size);
    }
  }
  return differing;
}

/// The index of an operand, which is added if it is not there yet.
std::size_t IndexOf(StepView& view, std::string_view name, isa::Memory memory,
                    isa::DType dtype) {
  const auto found = std::ranges::find(view.operands, name, &OperandView::name);
  if (found != view.operands.end()) {
    return static_cast<std::size_t>(found - view.operands.begin());
  }
  view.operands.push_back({std::string(name), memory, dtype});
  return view.operands.size() - 1;
}

/// Whether bytes [at, end) have one of a DataBlock, which has a memory.
bool Meets(std::int64_t at, std::int64_t end, std::int64_t block) {
  const std::int64_t first = block * kDataBlockBytes;
  return at < end && at < first + kDataBlockBytes && end > first;
}

/// A DataBlock that no lane touches belongs to those whose masked lanes, or at
/// least whose window, it holds.
void NameUntouched(const Place& place, const Portrait& portrait, StepView& view,
                   BlockView& block) {
  for (const IterationView& iteration : view.shown) {
    for (const AccessView& access : iteration.accesses) {
      if (view.operands[access.operand].memory != place.first ||
          !Meets(access.at, access.at + access.bytes, place.second) ||
          std::ranges::find(block.operands, access.operand) !=
              block.operands.end()) {
        continue;
      }
      block.operands.push_back(access.operand);
      block.dtype = portrait.dtype;
    }
  }
  if (!block.operands.empty()) return;
  for (const Window& window : view.windows) {
    if (window.memory != place.first ||
        !Meets(window.at, window.end(), place.second)) {
      continue;
    }
    if (window.at % isa::SizeBytes(window.dtype) == 0) {
      block.dtype = window.dtype;
    }
    block.operands.push_back(
        IndexOf(view, window.operand, window.memory, window.dtype));
  }
}

BlockView BlockAt(const StepRun& run, const Place& place) {
  BlockView block{.memory = place.first,
                  .number = place.second,
                  .before = BytesOf(run.before, place),
                  .after = BytesOf(run.facts.memory, place)};
  if (run.actual != nullptr) block.actual = BytesOf(*run.actual, place);
  return block;
}

}  // namespace

void AddDifferingBlocks(const StepRun& run, BlockChooser& chooser) {
  /// Enough to see what kind of defect it is.
  constexpr int kMost = 24;
  if (run.actual == nullptr) return;
  int found = 0;
  diff::ThereInEither(run.expected, *run.actual)
      .ForEach([&](const diff::Touched::Run& part) {
        const std::span want = run.expected[part.memory];
        const std::span have = (*run.actual)[part.memory];
        const auto end = static_cast<std::ptrdiff_t>(part.at + part.bytes);
        for (auto at = static_cast<std::ptrdiff_t>(part.at); found < kMost;) {
          at = std::mismatch(want.begin() + at, want.begin() + end,
                             have.begin() + at)
                   .first -
               want.begin();
          if (at == end) break;
          chooser.Add(part.memory, at, 1);
          ++found;
          at = std::min<std::ptrdiff_t>((BlockOf(at) + 1) * kDataBlockBytes,
                                        end);
        }
      });
}

void FillBlocks(const StepRun& run, const Portrait& portrait,
                const std::vector<Place>& chosen, StepView& view) {
  const TouchedBlocks touched = SurveyBlocks(run.facts.accesses);
  auto next = touched.begin();
  isa::Memory memory = isa::Memory::kGm;
  std::int64_t omitted = 0;
  for (const Place& place : chosen) {
    BlockView block = BlockAt(run, place);
    if (place.first != memory) omitted = 0;
    memory = place.first;
    for (; next != touched.end() && next->first < place; ++next) {
      ++view.omitted_blocks;
      if (next->first.first == memory) ++omitted;
    }
    if (next != touched.end() && next->first == place) {
      block.touched = next->second.touched;
      block.dtype = next->second.dtype;
      for (const std::string_view operand : next->second.operands) {
        block.operands.push_back(
            IndexOf(view, operand, place.first, block.dtype));
      }
      ++next;
    } else {
      NameUntouched(place, portrait, view, block);
    }
    block.omitted_before = omitted;
    omitted = 0;
    block.differing = DifferingElements(block, BytesOf(run.expected, place));
    view.blocks.push_back(std::move(block));
  }
  view.omitted_blocks += std::distance(next, touched.end());
}

}  // namespace lanediff::view
