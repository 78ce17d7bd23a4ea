#include "oracle/repeat_reduce_sum.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <utility>
#include <vector>

#include "isa/rule.h"
#include "isa/vocabulary.h"
#include "oracle/accesses.h"
#include "oracle/count_events.h"
#include "oracle/element.h"
#include "oracle/exact_text.h"
#include "oracle/listing.h"
#include "oracle/memory_map.h"
#include "oracle/node.h"
#include "oracle/state.h"
#include "oracle/vector_lanes.h"

namespace lanediff::oracle {
namespace {

using isa::DType;
using isa::Operand;
using isa::Position;
using isa::Product;
using isa::RuleSet;
namespace rrs = isa::rrs;

bool IsWithin(std::int64_t value, std::int64_t low, std::int64_t high) {
  return low <= value && value <= high;
}

// ---- Stage 1 ---------------------------------------------------------------

bool ProductIsSupported(Product product) {
  return product == Product::kAtlasTraining ||
         product == Product::kAtlasInferenceAicore ||
         product == Product::kAtlasA2;
}

bool PositionIsAllowed(const Operand& operand) {
  return operand.position == Position::kVecin ||
         operand.position == Position::kVeccalc ||
         operand.position == Position::kVecout;
}

/// The ranges are given for 16 and 32 bits; other widths have none to break.
bool ElemsAreInRange(std::int64_t elems, std::int64_t element_bytes) {
  if (element_bytes == 2) return IsWithin(elems, 1, 128);
  if (element_bytes == 4) return IsWithin(elems, 1, 64);
  return true;
}

bool StridesAreInRange(const isa::RepeatReduceSum& call) {
  using Int32 = std::numeric_limits<std::int32_t>;
  return IsWithin(call.src_blk_stride, 0, 65535) &&
         IsWithin(call.dst_rep_stride, 0, 65535) &&
         IsWithin(call.src_rep_stride, 0, 65535) &&
         IsWithin(call.dst_blk_stride, Int32::min(), Int32::max());
}

RuleSet ParameterRules(const isa::RepeatReduceSum& call, Product product) {
  const std::int64_t element_bytes = ElementBytes(call.dtype);
  RuleSet broken;
  broken.AddIf(!ProductIsSupported(product), rrs::kProduct);
  broken.AddIf(call.dtype != DType::kHalf && call.dtype != DType::kFloat,
               rrs::kDtype);
  broken.AddIf(call.dst.dtype.value_or(call.dtype) != call.dtype ||
                   call.src.dtype.value_or(call.dtype) != call.dtype,
               rrs::kDtypeMatch);
  broken.AddIf(!PositionIsAllowed(call.dst) || !PositionIsAllowed(call.src),
               rrs::kPosition);
  broken.AddIf(call.dst.at % element_bytes != 0, rrs::kDstAlign);
  broken.AddIf(call.src.at % 32 != 0, rrs::kSrcAlign);
  broken.AddIf(!IsWithin(call.repeat, 0, 255), rrs::kRepeat);
  if (call.is_set_mask) {
    broken.AddIf(!ElemsAreInRange(call.elems_in_one_repeat, element_bytes),
                 rrs::kElems);
  } else {  // MASK_PLACEHOLDER is 0
    broken.AddIf(call.elems_in_one_repeat != 0, rrs::kPlaceholder);
  }
  broken.AddIf(!StridesAreInRange(call), rrs::kStrideRange);
  broken.AddIf(product == Product::kAtlasTraining && call.dst_rep_stride == 0,
               rrs::kDstRepStrideZero);
  return broken;
}

// ---- What a call with clean parameters reads and writes --------------------

/// RRS-ADDRESS. After stage 1 every factor is at most 65535, so that all
/// offsets from `at` stay below 2^40.
class Listing {
 public:
  Listing(const isa::RepeatReduceSum& call, const LaneMask& mask)
      : call_(call),
        element_bytes_(ElementBytes(call.dtype)),
        grid_{.at = call.src.at,
              .element_bytes = element_bytes_,
              .blk_stride = call.src_blk_stride,
              .rep_stride = call.src_rep_stride},
        lanes_(LanesOf(mask, call.dtype)) {}

  std::int64_t element_bytes() const { return element_bytes_; }

  /// The lanes that take part, ascending; the same in each iteration. If there
  /// are none, nothing is read and nothing written.
  const std::vector<std::int64_t>& lanes() const { return lanes_; }
  std::int64_t iterations() const { return lanes_.empty() ? 0 : call_.repeat; }

  /// Where iteration `r` reads `lane`.
  Address ReadAt(std::int64_t r, std::int64_t lane) const {
    return grid_.AddressOf(r, lane);
  }

  /// Where iteration `r` writes its element: dst.at + r·dstRepStride·sizeof(T).
  Address WrittenAt(std::int64_t r) const {
    return call_.dst.at + Address{r} * call_.dst_rep_stride * element_bytes_;
  }

 private:
  const isa::RepeatReduceSum& call_;
  std::int64_t element_bytes_;
  LaneGrid grid_;
  std::vector<std::int64_t> lanes_;
};

// ---- Stage 2: RRS-BOUNDS ---------------------------------------------------

bool IsOutOfBounds(const isa::RepeatReduceSum& call, const Listing& listing,
                   isa::Memory dst_memory, isa::Memory src_memory,
                   const isa::Memories& memories) {
  if (!WindowIsInMemory(call.dst, dst_memory, memories)) return true;
  if (!WindowIsInMemory(call.src, src_memory, memories)) return true;
  const std::int64_t count = listing.element_bytes();
  for (std::int64_t r = 0; r < listing.iterations(); ++r) {
    for (std::int64_t lane : listing.lanes()) {
      if (!RunIsInWindow(call.src, listing.ReadAt(r, lane), count)) return true;
    }
    if (!RunIsInWindow(call.dst, listing.WrittenAt(r), count)) return true;
  }
  return false;
}

// ---- Stage 3: overlap within the same memory -------------------------------

/// RRS-OVERLAP-ITERATION: some iteration's element shares a byte with the lanes
/// read and does not start where the lowest participating lane starts.
bool OverlapsWithinIteration(const Listing& listing) {
  const std::int64_t count = listing.element_bytes();
  for (std::int64_t r = 0; r < listing.iterations(); ++r) {
    const Address written = listing.WrittenAt(r);
    ByteMarks element(written, written + count);
    element.Mark(written, count);
    const bool shares_a_byte =
        std::ranges::any_of(listing.lanes(), [&](std::int64_t lane) {
          return element.Any(listing.ReadAt(r, lane), count);
        });
    const bool complete = written == listing.ReadAt(r, listing.lanes().front());
    if (shares_a_byte && !complete) return true;
  }
  return false;
}

/// RRS-OVERLAP-DEPENDENCY: some iteration reads a byte that an earlier one
/// wrote.
bool DependsOnEarlierIteration(const Listing& listing) {
  if (listing.iterations() == 0) return false;
  const std::int64_t count = listing.element_bytes();
  // The stride is not negative, so the last iteration writes the last element.
  ByteMarks written(listing.WrittenAt(0),
                    listing.WrittenAt(listing.iterations() - 1) + count);
  for (std::int64_t r = 0; r < listing.iterations(); ++r) {
    for (std::int64_t lane : listing.lanes()) {
      if (written.Any(listing.ReadAt(r, lane), count)) return true;
    }
    written.Mark(listing.WrittenAt(r), count);
  }
  return false;
}

// ---- Execution -------------------------------------------------------------

void Trace(Oracle::State& state, std::int64_t iteration, int level,
           std::size_t index, DType dtype, std::uint64_t left,
           std::uint64_t right, const NodeResult& result, bool is_add) {
  if (!state.tracing) return;
  state.nodes.push_back({.iteration = iteration,
                         .level = level,
                         .index = static_cast<std::int64_t>(index),
                         .dtype = dtype,
                         .operation = is_add ? "add" : "write",
                         .left = left,
                         .right = right,
                         .result = result.bits,
                         .exact = is_add
                                      ? ExactAdd(dtype, left, right)
                                      : ExactSumText(dtype, std::vector{left}),
                         .rounded = result.rounded,
                         .tie = result.tie,
                         .saturated = result.saturated});
}

/// A leaf or an inner node of the tree: its value, if it takes part.
using Slot = std::optional<std::uint64_t>;

/// RRS-TREE: the value written for one iteration. At least one leaf takes part.
std::uint64_t SumTree(std::vector<Slot> slots, std::int64_t iteration,
                      DType dtype, Oracle::State& state) {
  bool any_add = false;
  int level = 0;
  for (; slots.size() > 1; ++level) {
    std::vector<Slot> sums(slots.size() / 2);
    for (std::size_t i = 0; i < sums.size(); ++i) {
      const Slot left = slots[2 * i];
      const Slot right = slots[2 * i + 1];
      if (!left || !right) {  // that side, or none
        sums[i] = left ? left : right;
        continue;
      }
      // RRS-SATURATE at each node.
      const NodeResult sum = Add(dtype, *left, *right, state.saturation);
      Trace(state, iteration, level, i, dtype, *left, *right, sum, true);
      CountAdd(dtype, *left, *right, sum, state.events);
      ++state.node_count;
      any_add = true;
      sums[i] = sum.bits;
    }
    slots = std::move(sums);
  }

  const std::uint64_t root = slots.front().value();
  const NodeResult written = Write(dtype, root, state.saturation);
  if (!any_add) {
    CountWrite(dtype, root, dtype, written, state.events);
    Trace(state, iteration, level, 0, dtype, root, root, written, false);
  }
  return written.bits;
}

/// Lists what iteration `r` reads and then writes.
void ListAccesses(const isa::RepeatReduceSum& call, const Listing& listing,
                  std::int64_t r, isa::Memory dst_memory,
                  isa::Memory src_memory, std::vector<Access>& accesses) {
  std::vector<ElementAt> read;
  for (std::int64_t lane : listing.lanes()) {
    read.push_back({.lane = lane, .at = listing.ReadAt(r, lane)});
  }
  Access access;
  access.dtype = call.dtype;
  access.iteration = r;
  access.operand = "src";
  access.memory = src_memory;
  AppendAccesses(access, read, listing.element_bytes(), accesses);

  const ElementAt written{.lane = 0, .at = listing.WrittenAt(r)};
  access.operand = "dst";
  access.memory = dst_memory;
  access.write = true;
  AppendAccesses(access, {&written, 1}, listing.element_bytes(), accesses);
}

void ExecuteIteration(const isa::RepeatReduceSum& call, const Listing& listing,
                      std::int64_t r, isa::Memory dst_memory,
                      isa::Memory src_memory, Oracle::State& state) {
  const std::int64_t count = listing.element_bytes();
  // Always over all leaves, 128 for half and 64 for float.
  std::vector<Slot> leaves(static_cast<std::size_t>(kIterationBytes / count));
  std::vector<std::uint64_t> terms;
  for (std::int64_t lane : listing.lanes()) {
    const std::uint64_t bits =
        Load(state.memories[src_memory], listing.ReadAt(r, lane), count);
    leaves[static_cast<std::size_t>(lane)] = bits;
    terms.push_back(bits);
  }
  const Address at = listing.WrittenAt(r);
  const std::uint64_t sum = SumTree(std::move(leaves), r, call.dtype, state);
  Store(state.memories[dst_memory], at, count, sum);
  if (state.tracing) {
    state.true_results.push_back({.iteration = r,
                                  .lane = 0,
                                  .at = static_cast<std::int64_t>(at),
                                  .exact = ExactSumText(call.dtype, terms),
                                  .bits = sum});
  }
}

}  // namespace

isa::StepResult Run(const isa::RepeatReduceSum& call, Oracle::State& state) {
  RuleSet broken = ParameterRules(call, state.product);
  if (!broken.empty()) return isa::StepResult::FromBroken(broken);

  const LaneMask mask = call.is_set_mask ? MaskOfFirst(call.elems_in_one_repeat)
                                         : state.mask_register;
  const Listing listing(call, mask);
  // The positions that stage 1 lets through exist on every product.
  const isa::Memory dst = MemoryOf(state.product, call.dst.position).value();
  const isa::Memory src = MemoryOf(state.product, call.src.position).value();

  broken.AddIf(IsOutOfBounds(call, listing, dst, src, state.memories),
               rrs::kBounds);
  if (!broken.empty()) return isa::StepResult::FromBroken(broken);

  if (dst == src) {
    broken.AddIf(OverlapsWithinIteration(listing), rrs::kOverlapIteration);
    broken.AddIf(DependsOnEarlierIteration(listing), rrs::kOverlapDependency);
  }
  if (!broken.empty()) return isa::StepResult::FromBroken(broken);

  // RRS-IN-ORDER; a later write to the same place wins.
  for (std::int64_t r = 0; r < listing.iterations(); ++r) {
    ListAccesses(call, listing, r, dst, src, state.accesses);
    ExecuteIteration(call, listing, r, dst, src, state);
  }
  // STATE-MASK-REGISTER; with repeat 0 too, for the call was executed.
  if (call.is_set_mask) state.mask_register = mask;

  isa::StepResult result;
  result.notes.AddIf(call.repeat == 0, rrs::kRepeatZero);
  result.notes.AddIf(listing.lanes().empty(), rrs::kMaskEmpty);
  result.notes.Add(rrs::kPreferWholeReduceSum);
  return result;
}

}  // namespace lanediff::oracle
