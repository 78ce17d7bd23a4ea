#include "oracle/min.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <string_view>
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
using isa::Min;
using isa::Operand;
using isa::Position;
using isa::Product;
using isa::RuleSet;
// The namespace `min` holds the rules; `Min` is the call.
namespace rule = isa::min;

bool IsWithin(std::int64_t value, std::int64_t low, std::int64_t high) {
  return low <= value && value <= high;
}

// ---- Stage 1 ---------------------------------------------------------------

bool ProductIsSupported(Product product) {
  return product == Product::kAtlasTraining ||
         product == Product::kAtlasInferenceAicore ||
         product == Product::kAtlasA2 || product == Product::kAtlas200i500A2;
}

bool TypeIsSupported(DType type, Product product) {
  if (type == DType::kInt16) return product != Product::kAtlasTraining;
  return type == DType::kHalf || type == DType::kFloat || type == DType::kInt32;
}

bool PositionIsAllowed(const Operand& operand) {
  return operand.position == Position::kVecin ||
         operand.position == Position::kVeccalc ||
         operand.position == Position::kVecout;
}

/// MIN-MASK-CONTIGUOUS; no range is given for 8 bits.
bool MaskIsInRange(std::int64_t mask, std::int64_t element_bytes) {
  if (element_bytes == 2) return IsWithin(mask, 1, 128);
  if (element_bytes == 4) return IsWithin(mask, 1, 64);
  if (element_bytes == 8) return IsWithin(mask, 1, 32);
  return true;
}

/// MIN-MASK-BITS; nothing is said of 8 bits.
bool MaskWordsAreInRange(const std::array<std::uint64_t, 2>& mask,
                         std::int64_t element_bytes) {
  if (element_bytes == 2) return mask[0] != 0 || mask[1] != 0;
  if (element_bytes == 4) return mask[1] == 0 && mask[0] != 0;
  if (element_bytes == 8) {
    return mask[1] == 0 && mask[0] != 0 && mask[0] <= 0xffffffff;
  }
  return true;
}

bool StridesAreInRange(const isa::BinaryRepeatParams& p) {
  return IsWithin(p.dst_blk_stride, 0, 255) &&
         IsWithin(p.src0_blk_stride, 0, 255) &&
         IsWithin(p.src1_blk_stride, 0, 255) &&
         IsWithin(p.dst_rep_stride, 0, 255) &&
         IsWithin(p.src0_rep_stride, 0, 255) &&
         IsWithin(p.src1_rep_stride, 0, 255);
}

void AddMaskRules(const Min& call, RuleSet& broken) {
  const std::int64_t element_bytes = ElementBytes(call.dtype);
  const bool bitwise = call.form == Min::kBitwise;
  if (!call.is_set_mask) {  // MASK_PLACEHOLDER is 0, or two words 0
    broken.AddIf(bitwise ? call.mask_words[0] != 0 || call.mask_words[1] != 0
                         : call.mask != 0,
                 rule::kPlaceholder);
  } else if (bitwise) {
    broken.AddIf(!MaskWordsAreInRange(call.mask_words, element_bytes),
                 rule::kMaskBits);
  } else {
    broken.AddIf(!MaskIsInRange(call.mask, element_bytes),
                 rule::kMaskContiguous);
  }
}

RuleSet ParameterRules(const Min& call, Product product) {
  RuleSet broken;
  broken.AddIf(!ProductIsSupported(product), rule::kProduct);
  if (ProductIsSupported(product)) {
    broken.AddIf(!TypeIsSupported(call.dtype, product), rule::kDtype);
  }
  for (const Operand* operand : {&call.dst, &call.src0, &call.src1}) {
    broken.AddIf(operand->dtype.value_or(call.dtype) != call.dtype,
                 rule::kDtypeMatch);
    broken.AddIf(!PositionIsAllowed(*operand), rule::kPosition);
    broken.AddIf(operand->at % 32 != 0, rule::kAlign);
  }
  if (call.form == Min::kCount) {
    constexpr std::int64_t kInt32Max = std::numeric_limits<std::int32_t>::max();
    broken.AddIf(!IsWithin(call.count, 0, kInt32Max), rule::kCount);
    return broken;
  }
  broken.AddIf(!IsWithin(call.repeat_times, 0, 255), rule::kRepeat);
  broken.AddIf(!StridesAreInRange(call.repeat_params), rule::kStrideRange);
  broken.AddIf(call.repeat_params.dst_blk_stride == 0, rule::kDstBlkStrideZero);
  AddMaskRules(call, broken);
  return broken;
}

// ---- What a call with clean parameters reads and writes --------------------

/// MIN-ADDRESS, MIN-MASK-LANES. The count form is one iteration of as many
/// lanes as there are elements, contiguous.
class Listing {
 public:
  Listing(const Min& call, const LaneMask& mask)
      : element_bytes_(ElementBytes(call.dtype)) {
    const isa::BinaryRepeatParams& p = call.repeat_params;
    is_count_ = call.form == Min::kCount;
    if (is_count_) {
      count_ = call.count;
      iterations_ = call.count > 0 ? 1 : 0;
    } else {
      lanes_ = LanesOf(mask, call.dtype);
      count_ = static_cast<std::int64_t>(lanes_.size());
      iterations_ = lanes_.empty() ? 0 : call.repeat_times;
    }
    dst = Grid(call.dst, p.dst_blk_stride, p.dst_rep_stride);
    src0 = Grid(call.src0, p.src0_blk_stride, p.src0_rep_stride);
    src1 = Grid(call.src1, p.src1_blk_stride, p.src1_rep_stride);
  }

  std::int64_t element_bytes() const { return element_bytes_; }
  std::int64_t iterations() const { return iterations_; }
  bool is_count() const { return is_count_; }
  /// How many lanes take part in each iteration.
  std::int64_t lane_count() const { return count_; }
  std::int64_t lane(std::int64_t i) const {
    return is_count_ ? i : lanes_[static_cast<std::size_t>(i)];
  }
  Address At(const LaneGrid& grid, std::int64_t r, std::int64_t lane) const {
    if (is_count_) return Address{grid.at} + Address{lane} * element_bytes_;
    return grid.AddressOf(r, lane);
  }
  /// From the first to the last byte that an operand's lanes touch.
  struct Span {
    Address first = 0;
    Address end = 0;
  };
  Span SpanOf(const LaneGrid& grid) const {
    Span span{At(grid, 0, lane(0)), 0};
    for (std::int64_t i = 0; i < lane_count(); ++i) {
      // Strides are not negative, so the last iteration reaches furthest.
      const Address low = At(grid, 0, lane(i));
      const Address high = At(grid, iterations_ - 1, lane(i)) + element_bytes_;
      span.first = std::min(span.first, low);
      span.end = std::max(span.end, high);
    }
    return span;
  }

  LaneGrid dst, src0, src1;

 private:
  LaneGrid Grid(const Operand& operand, std::int64_t blk, std::int64_t rep) {
    return {.at = operand.at,
            .element_bytes = element_bytes_,
            .blk_stride = blk,
            .rep_stride = rep};
  }

  std::int64_t element_bytes_;
  bool is_count_ = false;
  std::int64_t count_ = 0;
  std::int64_t iterations_ = 0;
  std::vector<std::int64_t> lanes_;
};

// ---- Stage 2: MIN-BOUNDS ---------------------------------------------------

bool IsOutOfWindow(const Operand& operand, const LaneGrid& grid,
                   const Listing& listing) {
  if (listing.is_count()) {  // one run of bytes
    const Address bytes =
        Address{listing.lane_count()} * listing.element_bytes();
    return listing.iterations() > 0 &&
           !RunIsInWindow(operand, operand.at,
                          static_cast<std::int64_t>(bytes));
  }
  for (std::int64_t r = 0; r < listing.iterations(); ++r) {
    for (std::int64_t i = 0; i < listing.lane_count(); ++i) {
      if (!RunIsInWindow(operand, listing.At(grid, r, listing.lane(i)),
                         listing.element_bytes())) {
        return true;
      }
    }
  }
  return false;
}

bool IsOutOfBounds(const Min& call, const Listing& listing,
                   const isa::Memories& memories) {
  for (const Operand* operand : {&call.dst, &call.src0, &call.src1}) {
    if (!WindowIsInMemory(*operand, isa::Memory::kUb, memories)) return true;
  }
  return IsOutOfWindow(call.dst, listing.dst, listing) ||
         IsOutOfWindow(call.src0, listing.src0, listing) ||
         IsOutOfWindow(call.src1, listing.src1, listing);
}

// ---- Stage 3: overlap ------------------------------------------------------

/// Whether the lanes of `grid` in iteration `r` read a marked byte.
bool ReadsMarked(const ByteMarks& marks, const Listing& listing,
                 const LaneGrid& grid, std::int64_t r) {
  for (std::int64_t i = 0; i < listing.lane_count(); ++i) {
    if (marks.Any(listing.At(grid, r, listing.lane(i)),
                  listing.element_bytes())) {
      return true;
    }
  }
  return false;
}

void MarkLanes(ByteMarks& marks, const Listing& listing, const LaneGrid& grid,
               std::int64_t r) {
  for (std::int64_t i = 0; i < listing.lane_count(); ++i) {
    marks.Mark(listing.At(grid, r, listing.lane(i)), listing.element_bytes());
  }
}

/// Whether two operands' spans share a byte at all; without that no rule about
/// overlap can be broken.
bool SpansMeet(const Listing& listing, const LaneGrid& a, const LaneGrid& b) {
  const Listing::Span x = listing.SpanOf(a);
  const Listing::Span y = listing.SpanOf(b);
  return x.first < y.end && y.first < x.end;
}

/// MIN-OVERLAP-ITERATION for one source: in some iteration it shares a byte
/// with dst and does not coincide with it lane by lane.
bool OverlapsWithinIteration(const Listing& listing, const LaneGrid& src) {
  if (!SpansMeet(listing, listing.dst, src)) return false;
  const Listing::Span span = listing.SpanOf(listing.dst);
  for (std::int64_t r = 0; r < listing.iterations(); ++r) {
    bool coincide = true;
    for (std::int64_t i = 0; i < listing.lane_count(); ++i) {
      const std::int64_t lane = listing.lane(i);
      coincide = coincide &&
                 listing.At(listing.dst, r, lane) == listing.At(src, r, lane);
    }
    if (coincide) continue;
    ByteMarks written(span.first, span.end);
    MarkLanes(written, listing, listing.dst, r);
    if (ReadsMarked(written, listing, src, r)) return true;
  }
  return false;
}

/// Whether some iteration reads from `src` what an earlier one wrote to dst.
bool DependsOnEarlierIteration(const Listing& listing, const LaneGrid& src) {
  if (!SpansMeet(listing, listing.dst, src)) return false;
  const Listing::Span span = listing.SpanOf(listing.dst);
  ByteMarks written(span.first, span.end);
  for (std::int64_t r = 0; r < listing.iterations(); ++r) {
    if (ReadsMarked(written, listing, src, r)) return true;
    MarkLanes(written, listing, listing.dst, r);
  }
  return false;
}

/// Whether src0 and src1 share a byte over the whole call.
bool SourcesOverlap(const Listing& listing) {
  if (!SpansMeet(listing, listing.src0, listing.src1)) return false;
  const Listing::Span span = listing.SpanOf(listing.src0);
  ByteMarks read(span.first, span.end);
  for (std::int64_t r = 0; r < listing.iterations(); ++r) {
    MarkLanes(read, listing, listing.src0, r);
  }
  for (std::int64_t r = 0; r < listing.iterations(); ++r) {
    if (ReadsMarked(read, listing, listing.src1, r)) return true;
  }
  return false;
}

RuleSet OverlapRules(const Min& call, const Listing& listing) {
  RuleSet broken;
  if (listing.iterations() == 0) return broken;
  if (call.form == Min::kCount) {
    const bool src0 = call.dst.at != call.src0.at &&
                      SpansMeet(listing, listing.dst, listing.src0);
    const bool src1 = call.dst.at != call.src1.at &&
                      SpansMeet(listing, listing.dst, listing.src1);
    broken.AddIf(src0 || src1, rule::kOverlapCount);
    return broken;
  }
  broken.AddIf(OverlapsWithinIteration(listing, listing.src0) ||
                   OverlapsWithinIteration(listing, listing.src1),
               rule::kOverlapIteration);
  const bool src0_depends = DependsOnEarlierIteration(listing, listing.src0);
  const bool src1_depends = DependsOnEarlierIteration(listing, listing.src1);
  const bool type_may = call.dtype == DType::kHalf ||
                        call.dtype == DType::kInt32 ||
                        call.dtype == DType::kFloat;
  const bool exception = type_may && (call.repeat_params.src1_rep_stride == 0 ||
                                      call.repeat_params.dst_rep_stride == 0);
  broken.AddIf(src0_depends || (src1_depends && !exception),
               rule::kOverlapDependency);
  broken.AddIf(src1_depends && exception && SourcesOverlap(listing),
               rule::kOverlapSources);
  return broken;
}

// ---- Execution -------------------------------------------------------------

void ListAccesses(const Min& call, const Listing& listing, std::int64_t r,
                  std::vector<Access>& accesses) {
  const auto list = [&](std::string_view name, const LaneGrid& grid,
                        bool write) {
    Access access;
    access.operand = name;
    access.write = write;
    access.memory = isa::Memory::kUb;
    access.dtype = call.dtype;
    access.iteration = r;
    std::vector<ElementAt> elements;
    for (std::int64_t i = 0; i < listing.lane_count(); ++i) {
      const std::int64_t lane = listing.lane(i);
      elements.push_back({.lane = lane, .at = listing.At(grid, r, lane)});
    }
    AppendAccesses(access, elements, listing.element_bytes(), accesses);
  };
  list("src0", listing.src0, false);
  list("src1", listing.src1, false);
  list("dst", listing.dst, true);
}

void Trace(const Min& call, std::int64_t r, std::int64_t lane,
           std::uint64_t left, std::uint64_t right, const NodeResult& result,
           Oracle::State& state) {
  if (!state.tracing) return;
  state.nodes.push_back({.iteration = r,
                         .level = 0,
                         .index = lane,
                         .dtype = call.dtype,
                         .operation = "min",
                         .left = left,
                         .right = right,
                         .result = result.bits,
                         .exact = ExactMinimum(call.dtype, left, right),
                         .rounded = result.rounded,
                         .tie = result.tie,
                         .saturated = result.saturated});
}

/// All reads of an iteration come before its writes.
void ExecuteIteration(const Min& call, const Listing& listing, std::int64_t r,
                      Oracle::State& state) {
  const std::span<std::uint8_t> ub = state.memories[isa::Memory::kUb];
  const std::int64_t bytes = listing.element_bytes();
  std::vector<std::uint64_t> smaller;
  for (std::int64_t i = 0; i < listing.lane_count(); ++i) {
    const std::int64_t lane = listing.lane(i);
    const std::uint64_t left =
        Load(ub, listing.At(listing.src0, r, lane), bytes);
    const std::uint64_t right =
        Load(ub, listing.At(listing.src1, r, lane), bytes);
    const NodeResult result =
        Minimum(call.dtype, left, right, state.saturation);
    Trace(call, r, lane, left, right, result, state);
    CountMinimum(call.dtype, left, right, result, state.events);
    ++state.node_count;
    smaller.push_back(result.bits);
  }
  for (std::int64_t i = 0; i < listing.lane_count(); ++i) {
    Store(ub, listing.At(listing.dst, r, listing.lane(i)), bytes,
          smaller[static_cast<std::size_t>(i)]);
  }
}

/// The lanes that take part in a masked call.
LaneMask MaskOf(const Min& call, const LaneMask& mask_register) {
  if (!call.is_set_mask) return mask_register;
  return call.form == Min::kBitwise
             ? MaskOfWords(call.mask_words[1], call.mask_words[0])
             : MaskOfFirst(call.mask);
}

}  // namespace

isa::StepResult Run(const Min& call, Oracle::State& state) {
  RuleSet broken = ParameterRules(call, state.product);
  if (!broken.empty()) return isa::StepResult::FromBroken(broken);

  const bool is_count = call.form == Min::kCount;
  const LaneMask mask =
      is_count ? LaneMask() : MaskOf(call, state.mask_register);
  const Listing listing(call, mask);
  broken.AddIf(IsOutOfBounds(call, listing, state.memories), rule::kBounds);
  if (!broken.empty()) return isa::StepResult::FromBroken(broken);
  broken = OverlapRules(call, listing);
  if (!broken.empty()) return isa::StepResult::FromBroken(broken);

  // MIN-IN-ORDER: an iteration sees what the earlier ones wrote.
  for (std::int64_t r = 0; r < listing.iterations(); ++r) {
    ListAccesses(call, listing, r, state.accesses);
    ExecuteIteration(call, listing, r, state);
  }
  // STATE-MASK-REGISTER.
  if (is_count && call.count > 0) state.mask_register = LaneMask().set();
  if (!is_count && call.is_set_mask) state.mask_register = mask;

  isa::StepResult result;
  result.notes.AddIf(is_count && call.count > 0, rule::kClobbersMask);
  result.notes.AddIf(listing.iterations() == 0, rule::kNop);
  return result;
}

}  // namespace lanediff::oracle
