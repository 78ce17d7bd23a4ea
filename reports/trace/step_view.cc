#include "reports/trace/step_view.h"

#include <algorithm>
#include <cstdint>
#include <optional>
#include <span>
#include <utility>

#include "differential/testcase/element.h"
#include "isa/memory_map.h"
#include "reports/trace/facts.h"

namespace lanediff::view {
namespace {

using isa::Access;
using oracle::Node;

/// Those of one iteration among things in the order of execution.
template <class T>
std::span<const T> OfIteration(const std::vector<T>& all,
                               std::int64_t iteration) {
  const auto [first, last] =
      std::ranges::equal_range(all, iteration, {}, &T::iteration);
  return {first, last};
}

/// First byte of a lane; nothing if it exceeds 64 bits. `offset`
/// is within the lane's DataBlock.
std::optional<std::int64_t> AddressOf(const LanePlaces& places,
                                      std::int64_t iteration,
                                      std::int64_t block, std::int64_t offset) {
  std::int64_t repeats = 0;
  std::int64_t blocks = 0;
  std::int64_t at = 0;
  if (__builtin_mul_overflow(iteration, places.rep_stride, &repeats) ||
      __builtin_mul_overflow(block, places.blk_stride, &blocks) ||
      __builtin_add_overflow(repeats, blocks, &blocks) ||
      __builtin_mul_overflow(blocks, kDataBlockBytes, &at) ||
      __builtin_add_overflow(at, offset, &at) ||
      __builtin_add_overflow(at, places.at, &at)) {
    return std::nullopt;
  }
  return at;
}

/// The part of bytes [at, end) that `memory` has: where it starts and how long
/// it is.
std::pair<std::int64_t, std::int64_t> Inside(
    std::span<const std::uint8_t> memory, std::int64_t at, std::int64_t end) {
  const std::int64_t first = std::max<std::int64_t>(at, 0);
  const std::int64_t last = std::min<std::int64_t>(end, std::ssize(memory));
  return {first, last > first ? last - first : 0};
}

/// Builds the record of a step, part by part.
class Builder {
 public:
  Builder(const StepRun& run, const ViewLimits& limits)
      : run_(run),
        limits_(limits),
        portrait_(PortraitOf(run.step, run.facts)) {}

  StepView Build() {
    DescribeCall();
    AddOverlaps();
    AddMask();
    ranked_ = RankIterations(view_.iterations, view_.focus, view_.overlaps,
                             limits_.iterations);
    AddIterations();
    AddBlocks();
    AddArithmetic();
    AddTrueResults();
    std::ranges::sort(view_.shown, {}, &IterationView::number);
    return std::move(view_);
  }

 private:
  const std::vector<Access>& accesses() const { return run_.facts.accesses; }

  void DescribeCall() {
    view_.index = run_.index;
    view_.op = isa::OpName(run_.step);
    view_.fields = FieldTexts(run_.step);
    view_.result = run_.facts.result;
    view_.rules = view_.result.status == isa::StepResult::Status::kRejected
                      ? RulesOfRejected(run_.step, view_.result)
                      : RulesOfExecuted(run_.step, run_.facts);
    view_.windows = WindowsOf(run_.step, run_.product);
    view_.shared = SharedBytesOf(view_.windows);
    view_.extended = run_.extended;
    view_.iteration_word = portrait_.iteration;
    view_.iterations = run_.facts.iterations();
    view_.focus = std::min(run_.facts.focus,
                           std::max<std::int64_t>(view_.iterations - 1, 0));
  }

  void AddOverlaps() {
    view_.overlaps = FindOverlaps(accesses());
    if (view_.overlaps.size() > limits_.overlaps) {
      view_.omitted_overlaps = view_.overlaps.size() - limits_.overlaps;
      view_.overlaps.resize(limits_.overlaps);
    }
  }

  void AddMask() {
    view_.has_mask = !portrait_.lanes.empty() && !accesses().empty();
    if (!view_.has_mask) return;
    view_.lane_dtype = portrait_.dtype;
    view_.lanes = LanesOf(run_.facts, portrait_.masked_operand, portrait_.dtype,
                          portrait_.lane_bytes);
    view_.mask_origin = portrait_.mask_origin;
  }

  /// The lanes of an operand's window that take no part, joined where they lie
  /// side by side.
  void AddMasked(const LanePlaces& places, IterationView& iteration) {
    const auto operand =
        std::ranges::find(view_.operands, places.operand, &OperandView::name);
    if (operand == view_.operands.end()) return;
    const auto index =
        static_cast<std::size_t>(operand - view_.operands.begin());
    const std::int64_t size = isa::SizeBytes(operand->dtype);
    const std::int64_t per_block = kDataBlockBytes / size;
    const auto lanes = static_cast<std::int64_t>(view_.lanes.drawing.size());
    const auto window =
        std::ranges::find(view_.windows, places.operand, &Window::operand);
    AccessView run{.operand = index, .kind = AccessView::Kind::kMasked};
    for (std::int64_t lane = 0; lane < lanes; ++lane) {
      if (view_.lanes.drawing[static_cast<std::size_t>(lane)] == '#') continue;
      const auto place = AddressOf(places, iteration.number, lane / per_block,
                                   lane % per_block * size);
      if (!place || *place < window->at || *place > window->end() - size) {
        continue;
      }
      const std::int64_t at = *place;
      if (run.bytes > 0 && run.at + run.bytes == at &&
          run.lane + run.bytes / size == lane) {
        run.bytes += size;
        continue;
      }
      if (run.bytes > 0) iteration.accesses.push_back(run);
      run.at = at;
      run.lane = lane;
      run.bytes = size;
    }
    if (run.bytes > 0) iteration.accesses.push_back(run);
  }

  IterationView IterationOf(std::int64_t number) {
    IterationView iteration{.number = number};
    for (const Access& access : OfIteration(accesses(), number)) {
      iteration.accesses.push_back(
          {.operand =
               view_.IndexOf(access.operand, access.memory, access.dtype),
           .kind = access.write ? AccessView::Kind::kWrite
                                : AccessView::Kind::kRead,
           .at = access.at,
           .bytes = access.bytes,
           .lane = access.lane});
    }
    if (view_.has_mask) {
      for (const LanePlaces& places : portrait_.lanes) {
        AddMasked(places, iteration);
      }
    }
    return iteration;
  }

  /// As many iterations as there is space for, one at least.
  void AddIterations() {
    std::size_t left = limits_.accesses;
    for (const std::int64_t number : ranked_) {
      IterationView iteration = IterationOf(number);
      const std::size_t accesses = iteration.accesses.size();
      if (accesses > left && !view_.shown.empty()) continue;
      if (accesses > left) {
        iteration.omitted_accesses = accesses - left;
        iteration.accesses.resize(left);
      }
      left -= iteration.accesses.size();
      view_.shown.push_back(std::move(iteration));
    }
  }

  /// The shown iterations are still in the order of their rank.
  void AddBlocks() {
    BlockChooser chooser(limits_.blocks);
    AddDifferingBlocks(run_, chooser);
    if (accesses().empty()) AddWindows(chooser);
    for (const auto kind : {AccessView::Kind::kWrite, AccessView::Kind::kRead,
                            AccessView::Kind::kMasked}) {
      for (std::size_t i = 0; i < std::min<std::size_t>(2, view_.shown.size());
           ++i) {
        ChooseBlocks(view_.shown[i], kind, chooser);
      }
    }
    for (const IterationView& iteration : view_.shown) {
      for (const auto kind : {AccessView::Kind::kWrite, AccessView::Kind::kRead,
                              AccessView::Kind::kMasked}) {
        ChooseBlocks(iteration, kind, chooser);
      }
    }
    FillBlocks(run_, portrait_, chooser.Chosen(), view_);
  }

  /// Where a call touches nothing: the bytes that its operands share, and how
  /// each of them begins.
  void AddWindows(BlockChooser& chooser) const {
    for (const SharedBytes& shared : view_.shared) {
      const auto [at, bytes] = Inside(run_.before[shared.memory], shared.at,
                                      shared.at + shared.bytes);
      chooser.Add(shared.memory, at, bytes);
    }
    for (const Window& window : view_.windows) {
      const auto [at, bytes] =
          Inside(run_.before[window.memory], window.at, window.end());
      chooser.Add(window.memory, at, std::min<std::int64_t>(bytes, 256));
    }
  }

  void ChooseBlocks(const IterationView& iteration, AccessView::Kind kind,
                    BlockChooser& chooser) const {
    for (const AccessView& access : iteration.accesses) {
      if (access.kind != kind) continue;
      chooser.Add(view_.operands[access.operand].memory, access.at,
                  access.bytes);
    }
  }

  void AddArithmetic() {
    const std::vector<Node>& nodes = run_.facts.nodes;
    if (nodes.empty()) return;
    view_.arithmetic = portrait_.arithmetic;
    for (const Node& node : nodes) view_.counts.Add(node);
    std::size_t left = limits_.nodes;
    for (IterationView& iteration : view_.shown) {
      const auto mine = OfIteration(nodes, iteration.number);
      for (const Node& node : mine) iteration.counts.Add(node);
      iteration.nodes = ChooseNodes(mine, view_.arithmetic, left);
      left -= iteration.nodes.size();
      iteration.omitted_nodes = std::ssize(mine) - std::ssize(iteration.nodes);
      for (Node& node : iteration.nodes) node.exact = ShortDecimal(node.exact);
    }
    for (const Phase& phase : portrait_.phases) {
      PhaseView& shown = view_.phases.emplace_back(phase, NodeCounts());
      for (const Node& node : nodes) {
        if (phase.Has(node)) shown.counts.Add(node);
      }
    }
  }

  /// Where each lane has a node of its own, the node has it already.
  void AddTrueResults() {
    if (portrait_.arithmetic == Arithmetic::kLanes) return;
    for (const oracle::TrueResult& result : run_.facts.true_results) {
      const bool shown =
          std::ranges::any_of(view_.shown, [&](const IterationView& iteration) {
            return iteration.number == result.iteration;
          });
      if (!shown) {
        ++view_.omitted_true_results;
        continue;
      }
      const auto window =
          std::ranges::find(view_.windows, "dst", &Window::operand);
      const isa::DType dtype = window->dtype;
      TrueResultView entry{
          .iteration = result.iteration,
          .lane = result.lane,
          .at = result.at,
          .dtype = dtype,
          .exact = ShortDecimal(result.exact),
          .nearest = NearestOf(dtype, result.exact, result.bits),
          .written = result.bits};
      view_.true_results.push_back(std::move(entry));
    }
  }

  const StepRun& run_;
  const ViewLimits& limits_;
  Portrait portrait_;
  StepView view_;
  std::vector<std::int64_t> ranked_;
};

}  // namespace

StepView ViewStep(const StepRun& run, const ViewLimits& limits) {
  return Builder(run, limits).Build();
}

}  // namespace lanediff::view
