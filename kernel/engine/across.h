#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <set>
#include <span>
#include <utility>
#include <vector>

#include "isa/access.h"
#include "isa/intervals.h"
#include "isa/step.h"
#include "isa/vocabulary.h"

namespace lanediff::kernel {

/// What would go wrong across a place that --without took away, if nothing else
/// stood there: whether `weaken` may call it harmless. Only pipes, bytes and
/// blocks count: neither the rules for races nor what else may order or set the
/// same.
class Across {
 public:
  explicit Across(isa::Product product) : product_(product) {}

  /// An executed operation.
  struct Operation {
    const isa::Step& step;
    isa::Pipe pipe;
    std::span<const isa::Access> accesses;
    std::int64_t block = 0;
    bool atomic = false;  ///< it accumulates in GM
  };

  /// From here on nothing orders what `from` did before what `to` does; ALL is
  /// every pipe.
  void CutOrder(std::int64_t block, isa::Pipe from, isa::Pipe to);
  /// SyncAll: nor what other blocks do.
  void CutBlocks(std::int64_t block);
  /// What can't be taken away has ordered all: the end of a TPipe.
  void Order(std::int64_t block);
  /// No call has set the mask register; nor its mode.
  void CutMask(std::int64_t block) { masks_.insert(block); }
  void CutMode(std::int64_t block) { modes_.insert(block); }

  /// Whether the operation conflicts with one before a cut, or reads the
  /// register or mode that no call has set.
  bool Conflicts(const Operation& operation) const;
  void Executed(const Operation& operation);

  void EndLaunch() { *this = Across(product_); }

 private:
  /// How bytes are touched; two that accumulate don't conflict.
  enum class Way : std::uint8_t { kRead, kWrite, kAccumulate };
  static constexpr std::size_t kWays = 3;
  static Way WayOf(const isa::Access& access, bool atomic);

  /// What one pipe has touched.
  struct Touched {
    std::map<isa::Memory, std::array<isa::IntervalSet, kWays>> bytes;

    bool Conflicts(const isa::Access& access, Way way) const;
  };

  struct Block {
    std::map<isa::Pipe, Touched> touched;
    /// Up to the last `Order`, for other blocks.
    std::vector<std::map<isa::Pipe, Touched>> ordered;
    /// What a pipe did before the last cut between it and another.
    std::map<std::pair<isa::Pipe, isa::Pipe>, Touched> before;

    /// Whether any pipe has ever touched them in a way that conflicts.
    bool Touches(const isa::Access& access, Way way) const;
  };

  isa::Product product_;
  std::map<std::int64_t, Block> blocks_;
  bool cut_blocks_ = false;
  std::set<std::int64_t> masks_;
  std::set<std::int64_t> modes_;
};

}  // namespace lanediff::kernel
