#include <algorithm>
#include <iterator>
#include <numeric>
#include <string_view>
#include <tuple>

#include "differential/memory/memory_set.h"
#include "differential/testcase/element.h"
#include "isa/memory_map.h"
#include "reports/trace/facts.h"
#include "reports/trace/step_view.h"

namespace lanediff::view {
namespace {

/// A run of more DataBlocks than the sum is shown by its ends.
constexpr std::int64_t kHeadBlocks = 20;
constexpr std::int64_t kTailBlocks = 4;

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
        view.IndexOf(window.operand, window.memory, window.dtype));
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

std::size_t StepView::IndexOf(std::string_view name, isa::Memory memory,
                              isa::DType type) {
  const auto found = std::ranges::find(operands, name, &OperandView::name);
  if (found != operands.end()) {
    return static_cast<std::size_t>(found - operands.begin());
  }
  operands.push_back({std::string(name), memory, type});
  return operands.size() - 1;
}

std::vector<std::int64_t> RankIterations(std::int64_t total, std::int64_t focus,
                                         const std::vector<Overlap>& overlaps,
                                         std::size_t limit) {
  std::vector<std::int64_t> ranked;
  const auto add = [&](std::int64_t i) {
    if (i < 0 || i >= total || ranked.size() >= limit) return;
    if (std::ranges::find(ranked, i) == ranked.end()) ranked.push_back(i);
  };
  add(focus);
  add(0);
  add(total - 1);
  if (!overlaps.empty()) {
    add(overlaps.front().first);
    add(overlaps.front().second);
  }
  add(focus - 1);
  add(focus + 1);
  const auto following = std::min(total, static_cast<std::int64_t>(limit));
  for (std::int64_t i = 1; i < following; ++i) add(i);
  return ranked;
}

std::vector<oracle::Node> ChooseNodes(std::span<const oracle::Node> nodes,
                                      Arithmetic shape, std::size_t limit) {
  if (nodes.size() <= limit) return {nodes.begin(), nodes.end()};
  std::vector<std::size_t> order(nodes.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  if (shape == Arithmetic::kTree) {
    std::erase_if(order,
                  [&](std::size_t i) { return RankOf(nodes[i]) == kNoEvent; });
  }
  std::ranges::sort(order, {}, [&](std::size_t i) {
    return std::tuple(RankOf(nodes[i]), i);
  });
  order.resize(std::min(order.size(), limit));
  std::ranges::sort(order);
  std::vector<oracle::Node> chosen;
  for (const std::size_t i : order) chosen.push_back(nodes[i]);
  return chosen;
}

void BlockChooser::Add(isa::Memory memory, std::int64_t at,
                       std::int64_t bytes) {
  if (bytes <= 0) return;
  const std::int64_t first = BlockOf(at);
  const std::int64_t last = BlockOf(at + bytes - 1);
  const bool whole = last - first < kHeadBlocks + kTailBlocks;
  const std::int64_t head = whole ? last : first + kHeadBlocks - 1;
  for (std::int64_t block = first; block <= head; ++block) {
    AddBlock({memory, block});
  }
  if (whole) return;
  for (std::int64_t block = last - kTailBlocks + 1; block <= last; ++block) {
    AddBlock({memory, block});
  }
}

void BlockChooser::AddBlock(Place place) {
  if (chosen_.size() >= limit_) return;
  if (std::ranges::find(chosen_, place) != chosen_.end()) return;
  chosen_.push_back(place);
}

const std::vector<Place>& BlockChooser::Chosen() {
  std::ranges::sort(chosen_);
  return chosen_;
}

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
            view.IndexOf(operand, place.first, block.dtype));
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
