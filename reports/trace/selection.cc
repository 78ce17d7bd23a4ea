#include "reports/trace/selection.h"

#include <algorithm>
#include <numeric>
#include <tuple>

#include "reports/trace/arithmetic.h"

namespace lanediff::view {
namespace {

/// A run of more DataBlocks than the sum is shown by its ends.
constexpr std::int64_t kHeadBlocks = 20;
constexpr std::int64_t kTailBlocks = 4;

}  // namespace

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

}  // namespace lanediff::view
