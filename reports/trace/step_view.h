#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "reports/trace/case_view.h"
#include "reports/trace/facts.h"
#include "reports/trace/instructions.h"

namespace lanediff::view {

/// A step that was run, and what stood in memory around it.
struct StepRun {
  std::size_t index = 0;
  const isa::Step& step;
  isa::Product product;
  /// Memory is what the oracle left, of a rejected call as it would have run.
  const StepFacts& facts;
  const diff::MemorySet& before;
  const diff::MemorySet& expected;  ///< after; `before` if it was rejected
  const diff::MemorySet* actual;    ///< after, by the target; null if not run
  bool extended = false;  ///< the accesses are those of a rejected call
};

/// What of a step is kept, at most `limits.iterations`, `accesses`, `blocks`,
/// `nodes` and `overlaps`.
StepView ViewStep(const StepRun& run, const ViewLimits& limits);

// What of a step is shown where not all of it can be.

/// The iterations worth showing, most relevant first: `focus`, the first and
/// the last, those that meet in an overlap, then the neighbours of the focus
/// and those that follow the first. At most `limit`, each once, all below
/// `total`.
std::vector<std::int64_t> RankIterations(std::int64_t total, std::int64_t focus,
                                         const std::vector<Overlap>& overlaps,
                                         std::size_t limit);

/// Which of an iteration's nodes are shown, in their order. A tree is shown
/// whole or, where it doesn't fit, only where something happened; of other
/// shapes those to which something happened come before the rest.
std::vector<oracle::Node> ChooseNodes(std::span<const oracle::Node> nodes,
                                      Arithmetic shape, std::size_t limit);

/// Collects DataBlocks until there is no space for more.
class BlockChooser {
 public:
  explicit BlockChooser(std::size_t limit) : limit_(limit) {}

  /// Adds the DataBlocks of bytes [at, at + bytes): all of a short run, the
  /// first and the last of a long one.
  void Add(isa::Memory memory, std::int64_t at, std::int64_t bytes);

  /// In the order of memories and numbers.
  const std::vector<Place>& Chosen();

 private:
  void AddBlock(Place place);

  std::size_t limit_;
  std::vector<Place> chosen_;
};

/// Chooses the DataBlocks in which the target's memory is not as expected.
void AddDifferingBlocks(const StepRun& run, BlockChooser& chooser);

/// Fills `view.blocks` with the `chosen` ones and counts those left out.
/// `view.operands` and `view.shown` must be complete.
void FillBlocks(const StepRun& run, const Portrait& portrait,
                const std::vector<Place>& chosen, StepView& view);

}  // namespace lanediff::view
