#include "oracle/call_rules.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <numeric>
#include <optional>
#include <vector>

#include "isa/vocabulary.h"
#include "oracle/call_operations.h"
#include "oracle/cast.h"
#include "oracle/format.h"
#include "oracle/listing.h"
#include "oracle/memory_map.h"
#include "oracle/state.h"
#include "oracle/vector_rules.h"

namespace lanediff::oracle {

using isa::CallRule;
using isa::Param;
using isa::RuleSet;

namespace {

MaskArgument MaskArgumentOf(const isa::Call& call) {
  return {.bitwise = call.Has(Param::kMaskWords),
          .lanes = call[Param::kMask],
          .words = call.mask_words,
          .is_set_mask = call.is_set_mask};
}

/// The type by whose width lanes are counted: the widest of all operands.
isa::DType LaneType(const isa::Call& call) {
  isa::DType widest = call.dtype;
  for (std::size_t i = 0; i < call.used_operands().size(); ++i) {
    if (call.signature->operands[i].is_packed) continue;
    if (ElementBytes(call.TypeOf(i)) > ElementBytes(widest)) {
      widest = call.TypeOf(i);
    }
  }
  return widest;
}

static_assert(std::ranges::all_of(isa::kSignatures, [](const auto& row) {
  return std::ranges::all_of(row.operands, [](const isa::OperandSpec& operand) {
    return NameOf(operand.name).name == operand.name;
  });
}));

}  // namespace

// ---- What a call reads and writes -------------------------------------------

std::int64_t LanesEach(const isa::Call& call) {
  return kIterationBytes / ElementBytes(LaneType(call));
}

std::int64_t LanesOfResult(const isa::Call& call) {
  switch (call.signature->group) {
    case isa::Group::kIteration:
      return kIterationBytes / ElementBytes(call.dtype);
    case isa::Group::kDataBlock:
      return 32 / ElementBytes(call.dtype);
    case isa::Group::kPair:
      break;
  }
  return 2;
}

std::int64_t OrderedBytes(const isa::Call& call) {
  switch (call.reduce_order) {
    case isa::ReduceOrder::kValueIndex:
    case isa::ReduceOrder::kIndexValue:
      return 2 * ElementBytes(call.dtype);
    case isa::ReduceOrder::kOnlyValue:
      return ElementBytes(call.dtype);
    case isa::ReduceOrder::kOnlyIndex:
      break;
  }
  return 4;  // a uint32_t
}

namespace {

/// *-REDUCE-ORDER: the products that have an order.
bool HasOrder(isa::Product product, isa::ReduceOrder order) {
  using enum isa::Product;
  using enum isa::ReduceOrder;
  switch (product) {
    case kAtlasA2:
    case kAtlasA3:
      return true;
    case kAtlas200i500A2:
      return order == kValueIndex || order == kOnlyValue;
    case kAtlasInferenceAicore:
      return order == kValueIndex || order == kIndexValue;
    default:
      return order == kValueIndex;
  }
}

/// The results of an iteration that are written, by their numbers.
std::vector<std::int64_t> ResultsOf(const isa::Call& call,
                                    const std::vector<std::int64_t>& lanes,
                                    isa::Product product) {
  if (call.Has(Param::kReduceOrder)) {
    std::vector<std::int64_t> elements;
    const std::int64_t bytes = lanes.empty() ? 0 : OrderedBytes(call);
    for (std::int64_t at = 0; at < bytes; at += ElementBytes(call.dtype)) {
      elements.push_back(at / ElementBytes(call.dtype));
    }
    return elements;
  }
  const bool fills = call.signature->group != isa::Group::kIteration &&
                     product == isa::Product::kAtlas200i500A2;
  std::vector<std::int64_t> results;
  const std::int64_t all = kIterationBytes / ElementBytes(call.dtype);
  for (std::int64_t i = 0; i < all / LanesOfResult(call); ++i) {
    const bool has_lane = std::ranges::any_of(lanes, [&](std::int64_t lane) {
      return lane / LanesOfResult(call) == i;
    });
    if (has_lane || (fills && !lanes.empty())) results.push_back(i);
  }
  return results;
}

}  // namespace

namespace {

/// A bit for each lane from operand `i`'s start on: an iteration's behind those
/// of the one before, or the same for all, of one iteration's bits.
LaneList ListBits(const isa::Call& call, std::size_t i, std::int64_t count,
                  const std::vector<std::int64_t>& lanes) {
  const std::int64_t at = call.operands[i].at;
  const std::int64_t all = LanesEach(call);
  const bool same = call.sel_mode == isa::SelMode::kSameBits;
  if (call.Has(Param::kCount)) {
    const std::int64_t bits = same ? std::min(count, all) : count;
    return ListContiguous(at, 1, (bits + 7) / 8, 0);
  }
  LaneList list{.at = at,
                .iteration_bytes = same ? 0 : all / 8,
                .element_bytes = 1,
                .runs = {}};
  for (const std::int64_t lane : lanes) {
    const Address byte = lane / 8;
    const bool has_run = !list.runs.empty();
    const Address end =
        has_run ? list.runs.back().offset + list.runs.back().bytes : 0;
    if (has_run && byte < end) continue;
    if (has_run && byte == end) {
      ++list.runs.back().bytes;
    } else {
      list.runs.push_back({.lane = lane, .offset = byte, .bytes = 1});
    }
  }
  return list;
}

}  // namespace

CallListing::CallListing(const isa::Call& call, const Oracle::State& state) {
  const bool by_count = call.Has(Param::kCount);
  std::int64_t count = std::min(call[Param::kCount], kFar);
  // Packed bits are those of whole iterations.
  const bool packs = call.signature->PacksBits();
  const std::int64_t lanes_each = LanesEach(call);
  if (packs && by_count && count > 0) count = count / lanes_each * lanes_each;
  if (by_count) {
    mask = LaneMask();
    iterations = count > 0 ? 1 : 0;
  } else if (call.Is(isa::Family::kTranspose) ||
             call.Is(isa::Family::kBroadcast)) {
    iterations = NotTooMany(call[Param::kRepeatTimes]);
  } else {
    const isa::DType type = LaneType(call);
    mask = MaskOf(MaskArgumentOf(call), type, state.mask_register);
    // On other products the mask of a comparison is without effect.
    if (packs && state.product != isa::Product::kAtlas200i500A2) {
      lanes.resize(static_cast<std::size_t>(lanes_each));
      std::iota(lanes.begin(), lanes.end(), 0);
    } else if (mask) {
      lanes = LanesOf(*mask, type);
    }
    iterations = lanes.empty() ? 0 : NotTooMany(call[Param::kRepeatTimes]);
  }
  for (std::size_t i = 0; i < call.used_operands().size(); ++i) {
    const std::int64_t element_bytes = ElementBytes(call.TypeOf(i));
    const std::int64_t at = call.operands[i].at;
    const std::int64_t rep_stride = Near(call.RepStride(i));
    if (packs && i == 0) {
      const std::int64_t bits = by_count ? count : lanes_each;
      operands[i] =
          ListContiguous(at, 1, lanes.empty() && !by_count ? 0 : bits / 8,
                         by_count ? 0 : bits / 8);
    } else if (call.signature->operands[i].is_packed) {
      operands[i] = ListBits(call, i, count, lanes);
    } else if (by_count) {
      operands[i] = ListContiguous(at, element_bytes, count, 0);
    } else if (Reduces(call) && i == 0) {
      results = ResultsOf(call, lanes, state.product);
      // DataBlocks one behind the other: elements side by side.
      operands[i] = ListLanes({.at = at,
                               .element_bytes = element_bytes,
                               .blk_stride = 1,
                               .rep_stride = 0},
                              results);
      const std::int64_t results_bytes =
          call.Has(Param::kReduceOrder) ? OrderedBytes(call)
                                        : kIterationBytes / LanesOfResult(call);
      operands[i].iteration_bytes = Address{rep_stride} * results_bytes;
    } else if (call.Is(isa::Family::kTranspose)) {
      operands[i] = ListContiguous(at, 2, 256, Address{rep_stride} * 512);
    } else if (call.Is(isa::Family::kBroadcast) && i > 0) {
      operands[i] = ListContiguous(at, element_bytes, 8, 8 * element_bytes);
    } else if (call.Is(isa::Family::kBroadcast)) {
      std::vector<std::int64_t> all(
          static_cast<std::size_t>(kIterationBytes / element_bytes));
      std::iota(all.begin(), all.end(), 0);
      operands[i] = ListLanes({.at = at,
                               .element_bytes = element_bytes,
                               .blk_stride = Near(call.BlkStride(i)),
                               .rep_stride = rep_stride},
                              all);
    } else {
      operands[i] = ListLanes({.at = at,
                               .element_bytes = element_bytes,
                               .blk_stride = Near(call.BlkStride(i)),
                               .rep_stride = rep_stride},
                              lanes);
    }
    memories[i] = MemoryOf(state.product, call.operands[i].position);
  }
}

std::vector<LanesOfOperand> LanesOf(const isa::Call& call,
                                    const CallListing& listing) {
  std::vector<LanesOfOperand> all;
  for (std::size_t i = 0; i < call.used_operands().size(); ++i) {
    all.push_back({NameOf(call.signature->operands[i].name),
                   listing.memories[i], listing.operands[i]});
  }
  return all;
}

// ---- Stage 1 ----------------------------------------------------------------

namespace {

/// Whether more than the first DataBlock of an iteration takes part.
bool WritesSeveralBlocks(const isa::Call& call, const LaneMask& mask_register) {
  const isa::DType type = LaneType(call);
  const std::int64_t lanes_of_block = 32 / ElementBytes(type);
  if (call.is_set_mask && call.Has(Param::kMask)) {
    return call[Param::kMask] > lanes_of_block;
  }
  const LaneMask mask =
      call.is_set_mask ? MaskOfWords(call.mask_words[1], call.mask_words[0])
                       : mask_register;
  const std::int64_t lanes = kIterationBytes / ElementBytes(type);
  for (std::int64_t lane = lanes_of_block;
       lane < std::min<std::int64_t>(lanes, 128); ++lane) {
    if (mask.test(static_cast<std::size_t>(lane))) return true;
  }
  return false;
}

/// Of lane-wise calls alone.
RuleSet LanewiseParameterRules(const isa::Call& call,
                               const LaneMask& mask_register) {
  RuleSet broken;
  for (const isa::Operand& operand : call.used_operands()) {
    broken.AddIf(operand.at % 32 != 0, call.Rule(CallRule::kAlign));
  }
  broken.AddIf(OperationOf(call).local_routes &&
                   call.src(0).position == call.dst().position,
               call.Rule(CallRule::kRoute));
  if (call.Has(Param::kCount)) {
    // uint32_t count
    const bool packs = call.signature->PacksBits();
    const bool is_unsigned = call.signature->Converts() ||
                             call.signature->NumbersLanes() || packs ||
                             call.Has(Param::kSelMode);
    const std::int64_t most = is_unsigned
                                  ? std::numeric_limits<std::uint32_t>::max()
                                  : std::numeric_limits<std::int32_t>::max();
    const bool in_range = IsWithin(call[Param::kCount], 0, most);
    broken.AddIf(!in_range, call.Rule(CallRule::kCount));
    // The bytes of count elements are whole iterations.
    broken.AddIf(packs && in_range &&
                     call[Param::kCount] * ElementBytes(LaneType(call)) %
                             kIterationBytes !=
                         0,
                 call.Rule(CallRule::kCountLength));
    return broken;
  }
  // UnaryRepeatParams and calls without a source have uint16_t for blocks.
  const bool wide = call.signature->sources() <= 1;
  const std::int64_t widest = wide ? std::numeric_limits<std::uint16_t>::max()
                                   : std::numeric_limits<std::uint8_t>::max();
  const std::int64_t furthest =
      (std::int64_t{1} << OperationOf(call).repeat_stride_bits) - 1;
  // With a scalar for src1 the fields of its strides stay.
  for (std::size_t i = 0; i < call.signature->operands.size(); ++i) {
    broken.AddIf(!IsWithin(call.BlkStride(i), 0, widest) ||
                     !IsWithin(call.RepStride(i), 0, furthest),
                 call.Rule(CallRule::kStrideRange));
  }
  broken.AddIf(call[Param::kDstBlkStride] == 0 &&
                   !call.signature->PacksBits() &&
                   (!OperationOf(call).local_routes ||
                    WritesSeveralBlocks(call, mask_register)),
               call.Rule(CallRule::kDstBlkStrideZero));
  return broken;
}

/// Of reductions alone. RRS-DST-BLK-STRIDE: dstBlkStride is an int32_t without
/// an effect.
RuleSet ReductionParameterRules(const isa::Call& call, isa::Product product) {
  using Int32 = std::numeric_limits<std::int32_t>;
  RuleSet broken;
  const std::int64_t element_bytes = ElementBytes(call.dtype);
  std::int64_t align = element_bytes;
  if (call.signature->group == isa::Group::kPair) align = 32;
  if (call.signature->group == isa::Group::kDataBlock) {
    align = element_bytes <= 2 ? 16 : 32;
  }
  if (call.Has(Param::kReduceOrder)) align = OrderedBytes(call);
  broken.AddIf(call.dst().at % align != 0, call.Rule(CallRule::kDstAlign));
  broken.AddIf(call.src(0).at % 32 != 0, call.Rule(CallRule::kSrcAlign));
  for (const Param stride :
       {Param::kSrc0BlkStride, Param::kDstRepStride, Param::kSrc0RepStride}) {
    broken.AddIf(!IsWithin(call[stride], 0, 65535),
                 call.Rule(CallRule::kStrideRange));
  }
  broken.AddIf(
      call.Has(Param::kDstBlkStride) &&
          !IsWithin(call[Param::kDstBlkStride], Int32::min(), Int32::max()),
      call.Rule(CallRule::kStrideRange));
  broken.AddIf(product == isa::Product::kAtlasTraining &&
                   call[Param::kDstRepStride] == 0,
               call.Rule(CallRule::kDstRepStrideZero));
  return broken;
}

/// Of shifts alone.
RuleSet ShiftRules(const isa::Call& call, isa::Product product) {
  RuleSet broken;
  const std::int64_t bits = 8 * ElementBytes(call.dtype);
  const bool is_signed =
      call.dtype == isa::DType::kInt16 || call.dtype == isa::DType::kInt32;
  const std::int64_t by = is_signed ? SignedValue(call.dtype, call.scalar)
                                    : static_cast<std::int64_t>(call.scalar);
  broken.AddIf(OperationOf(call).Computes(call.dtype) && !IsWithin(by, 0, bits),
               call.Rule(CallRule::kScalarRange));
  broken.AddIf(product == isa::Product::kAtlas200i500A2 &&
                   call.Has(Param::kRoundEn) && call.round_en,
               call.Rule(CallRule::kRoundEn));
  return broken;
}

/// uint8_t to uint64_t, the words of selMask.
bool HoldsBits(isa::DType type) {
  using enum isa::DType;
  return type == kUint8 || type == kUint16 || type == kUint32 ||
         type == kUint64;
}

}  // namespace

namespace {

/// *-DTYPE: what is stated of the product, or of all that have the call.
bool HasTypes(const isa::Call& call, isa::Product product) {
  if (call.Has(Param::kRoundMode)) {
    return Casts(product, call.dtype, call.TypeOf(0));
  }
  const Operation& operation = OperationOf(call);
  return operation.Supports(call.dtype, product) &&
         (!call.signature->Converts() ||
          operation.Gives(call.dtype, call.TypeOf(0)));
}

}  // namespace

RuleSet ParameterRules(const isa::Call& call, const Oracle::State& state) {
  const Operation& operation = OperationOf(call);
  const auto products = state.edition == isa::Edition::k2024
                            ? operation.limits.products_2024
                            : operation.limits.products;
  const bool has_product =
      std::ranges::find(products, state.product) != products.end();
  RuleSet broken = Reduces(call)
                       ? ReductionParameterRules(call, state.product)
                       : LanewiseParameterRules(call, state.mask_register);
  broken.AddIf(!has_product, call.Rule(CallRule::kProduct));
  broken.AddIf(has_product && call.Has(Param::kReduceOrder) &&
                   !HasOrder(state.product, call.reduce_order),
               call.Rule(CallRule::kReduceOrder));
  broken.AddIf(call.Has(Param::kSelMode) &&
                   state.product == isa::Product::kAtlasTraining &&
                   call.sel_mode != isa::SelMode::kSameBits,
               call.Rule(CallRule::kSelMode));
  if (operation.shifts) broken.AddAll(ShiftRules(call, state.product));
  // The types of lane-wise calls are those of a product that has the call.
  if (call.Has(Param::kRoundMode)) {
    const isa::DType from = call.dtype;
    const isa::DType to = call.TypeOf(0);
    const bool casts = Casts(state.product, from, to);
    broken.AddIf(has_product && !casts, call.Rule(CallRule::kDtype));
    broken.AddIf(casts && !CastsBy(state.product, from, to, call.round_mode),
                 call.Rule(CallRule::kRoundMode));
  } else {
    broken.AddIf(
        (has_product || Reduces(call)) && !HasTypes(call, state.product),
        call.Rule(CallRule::kDtype));
  }
  if (call.Has(Param::kCmpMode)) {
    const bool all_modes = call.dtype != isa::DType::kInt32 ||
                           state.product == isa::Product::kAtlas200i500A2;
    broken.AddIf(has_product && !all_modes &&
                     operation.Supports(call.dtype, state.product) &&
                     call.cmp_mode != isa::CmpMode::kEq,
                 call.Rule(CallRule::kCmpMode));
  }
  for (std::size_t i = 0; i < call.used_operands().size(); ++i) {
    const isa::Operand& operand = call.operands[i];
    const isa::OperandSpec& spec = call.signature->operands[i];
    if (spec.is_packed && spec.is_written) {
      const bool is_signed = operand.dtype == isa::DType::kInt8;
      broken.AddIf(operand.dtype != isa::DType::kUint8 &&
                       (!is_signed || call.signature->Has(Param::kScalar)),
                   call.Rule(CallRule::kDtypeMatch));
    } else if (spec.is_packed) {
      broken.AddIf(!HoldsBits(call.TypeOf(i)),
                   call.Rule(CallRule::kDtypeMatch));
    } else {
      broken.AddIf(operand.dtype.value_or(call.dtype) != call.TypeOf(i),
                   call.Rule(CallRule::kDtypeMatch));
    }
    broken.AddIf(!IsAtVectorPosition(operand), call.Rule(CallRule::kPosition));
  }
  if (call.Has(Param::kCount)) return broken;
  broken.AddIf(!IsWithin(call[Param::kRepeatTimes], 0, 255),
               call.Rule(CallRule::kRepeat));
  // RRS-ELEMS has no range for 64 bits.
  const bool any_number = call.signature->op == "RepeatReduceSum" &&
                          ElementBytes(call.dtype) == 8 && call.is_set_mask;
  if (any_number) return broken;
  broken.AddAll(
      BrokenMaskRules(MaskArgumentOf(call), LaneType(call),
                      {.contiguous = call.Rule(CallRule::kMaskContiguous),
                       .bits = call.Rule(CallRule::kMaskBits),
                       .placeholder = call.Rule(CallRule::kPlaceholder)}));
  return broken;
}

void ListAccesses(const isa::Call& call, const CallListing& listing,
                  std::int64_t r, std::vector<isa::Access>& accesses) {
  const auto operands = call.signature->operands;
  const auto append = [&](std::size_t i, bool write) {
    const bool bits = operands[i].is_packed && !operands[i].is_written;
    AppendAccesses({.operand = operands[i].name,
                    .write = write,
                    .memory = *listing.memories[i],
                    .dtype = bits ? isa::DType::kUint8 : call.TypeOf(i)},
                   listing.operands[i], r, accesses);
  };
  for (std::size_t i = 1; i < call.used_operands().size(); ++i) {
    append(i, false);
  }
  if (call.signature->ReadsDst()) append(0, false);
  append(0, true);
}

// ---- Stage 2 ----------------------------------------------------------------

bool IsOutOfBounds(const isa::Call& call, const CallListing& listing,
                   const isa::Memories& memories) {
  for (std::size_t i = 0; i < call.used_operands().size(); ++i) {
    const isa::Operand& operand = call.operands[i];
    if (!WindowIsInMemory(operand, isa::Memory::kUb, memories) ||
        !LanesAreInWindow(operand, listing.operands[i], listing.iterations)) {
      return true;
    }
  }
  return false;
}

// ---- Stage 3 ----------------------------------------------------------------

namespace {

/// Marks, none set, for all bytes of dst; nothing where they lie apart from
/// `src`.
std::optional<ByteMarks> MarksFor(const CallListing& listing,
                                  const LaneList& src) {
  const LaneList& dst = listing.operands[0];
  if (!SpansMeet(dst, listing.iterations, src, listing.iterations)) {
    return std::nullopt;
  }
  const ByteSpan span = SpanOf(dst, listing.iterations);
  return ByteMarks(span.first, span.end);
}

/// Whether dst's elements are narrower than those of `src`, or wider.
bool Narrows(const LaneList& dst, const LaneList& src) {
  return dst.element_bytes < src.element_bytes;
}
bool Widens(const LaneList& dst, const LaneList& src) {
  return dst.element_bytes > src.element_bytes;
}

/// In some iteration `src` shares a byte with dst and does not coincide with
/// it: lane by lane or, of a reduction, where the lowest lane starts the first
/// result does, or, of narrower results, where the iteration starts.
bool OverlapsWithinIteration(const isa::Call& call, const CallListing& listing,
                             const LaneList& src) {
  const LaneList& dst = listing.operands[0];
  auto written = MarksFor(listing, src);
  if (!written) return false;
  for (std::int64_t r = 0; r < listing.iterations; ++r) {
    const bool complete = Reduces(call) ? dst.AddressOf(r, dst.runs.front()) ==
                                              src.AddressOf(r, src.runs.front())
                          : Narrows(dst, src)
                              ? dst.StartOf(r) == src.StartOf(r)
                              : !Widens(dst, src) && Coincide(dst, src, r);
    if (complete) continue;
    MarkLanes(*written, dst, r);
    if (AnyLane(*written, src, r)) return true;
    ClearLanes(*written, dst, r);
  }
  return false;
}

/// Some iteration reads from `src` what an earlier one wrote to dst.
bool DependsOnEarlierIteration(const CallListing& listing,
                               const LaneList& src) {
  auto written = MarksFor(listing, src);
  if (!written) return false;
  for (std::int64_t r = 0; r < listing.iterations; ++r) {
    if (AnyLane(*written, src, r)) return true;
    MarkLanes(*written, listing.operands[0], r);
  }
  return false;
}

/// Whether src1 may depend on an earlier iteration.
bool MayDepend(const isa::Call& call) {
  using isa::DType;
  const bool type_may = call.dtype == DType::kHalf ||
                        call.dtype == DType::kInt32 ||
                        call.dtype == DType::kFloat;
  return type_may && OperationOf(call).src1_may_depend &&
         (call[Param::kSrc1RepStride] == 0 || call[Param::kDstRepStride] == 0);
}

}  // namespace

RuleSet OverlapRules(const isa::Call& call, const CallListing& listing) {
  RuleSet broken;
  const std::int64_t times = listing.iterations;
  const auto& homes = listing.memories;
  if (times <= 0 || !homes[0]) return broken;
  const LaneList& dst = listing.operands[0];
  if (call.signature->ReadsDst() && !call.Has(Param::kCount)) {
    broken.AddIf(DependsOnEarlierIteration(listing, dst),
                 call.Rule(CallRule::kOverlapDependency));
  }
  for (std::size_t i = 1; i < call.used_operands().size(); ++i) {
    if (homes[i] != homes[0]) continue;
    const LaneList& src = listing.operands[i];
    if (call.signature->operands[i].is_packed) {
      broken.AddIf(ShareBytes(dst, times, src, times),
                   call.Rule(CallRule::kOverlap));
      continue;
    }
    if (call.Has(Param::kCount)) {
      const auto ahead = src.at - dst.at;
      const bool together =
          Widens(dst, src)
              ? ahead >= Address{call[Param::kCount]} * src.element_bytes
              : ahead == 0;
      broken.AddIf(!together && ShareBytes(dst, times, src, times),
                   call.Rule(CallRule::kOverlapCount));
      continue;
    }
    broken.AddIf(OverlapsWithinIteration(call, listing, src),
                 call.Rule(CallRule::kOverlapIteration));
    if (!DependsOnEarlierIteration(listing, src)) continue;
    if (i == 1 || !MayDepend(call)) {
      broken.Add(call.Rule(CallRule::kOverlapDependency));
    } else {
      broken.AddIf(homes[1] == homes[2] &&
                       ShareBytes(listing.operands[1], times, src, times),
                   call.Rule(CallRule::kOverlapSources));
    }
  }
  return broken;
}

// ---- Each rule by itself ----------------------------------------------------

bool BreaksBounds(const isa::Call& call,
                  const std::vector<LanesOfOperand>& lanes,
                  std::int64_t iterations, const isa::Memories& memories) {
  for (std::size_t i = 0; i < lanes.size(); ++i) {
    if (BreaksBounds(call.operands[i], lanes[i], iterations, memories)) {
      return true;
    }
  }
  return false;
}

RuleSet LaneRulesAnywhere(const isa::Call& call, const Oracle::State& state) {
  RuleSet broken = ParameterRules(call, state);
  broken.AddIf(!HasTypes(call, state.product), call.Rule(CallRule::kDtype));
  CallListing listing(call, state);
  const std::int64_t times = listing.iterations;
  const auto lanes = LanesOf(call, listing);
  broken.AddIf(BreaksBounds(call, lanes, times, state.memories),
               call.Rule(CallRule::kBounds));
  for (std::size_t i = 0; i < lanes.size(); ++i) {
    listing.memories[i] = HomeOf(lanes[i], times, state.memories);
  }
  if (!IsTooMuch(times, lanes)) broken.AddAll(OverlapRules(call, listing));
  return broken;
}

}  // namespace lanediff::oracle
