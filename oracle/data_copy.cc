#include "oracle/data_copy.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <limits>
#include <optional>
#include <utility>
#include <vector>

#include "isa/rule.h"
#include "isa/vocabulary.h"
#include "oracle/copies.h"
#include "oracle/count_events.h"
#include "oracle/element.h"
#include "oracle/format.h"
#include "oracle/listing.h"
#include "oracle/memory_map.h"
#include "oracle/rounder.h"
#include "oracle/state.h"

namespace lanediff::oracle {
namespace {

using isa::DataCopy;
using isa::DType;
using isa::Memory;
using isa::Pipe;
using isa::Position;
using isa::Product;
using isa::RuleSet;
namespace dc = isa::dc;

bool IsWithin(std::int64_t value, std::int64_t low, std::int64_t high) {
  return low <= value && value <= high;
}

bool IsA2OrA3(Product product) {
  return product == Product::kAtlasA2 || product == Product::kAtlasA3;
}

/// An operand's own type, else T.
DType TypeOf(const isa::Operand& operand, const DataCopy& call) {
  return operand.dtype.value_or(call.dtype);
}
bool IsMixed(const DataCopy& call) {
  return TypeOf(call.dst, call) != TypeOf(call.src, call);
}

// ---- Stage 1: routes and types ---------------------------------------------

bool IsVector(Position p) {
  return p == Position::kVecin || p == Position::kVeccalc ||
         p == Position::kVecout;
}
bool IsA1OrB1(Position p) { return p == Position::kA1 || p == Position::kB1; }

/// Table 4: from GM.
bool GmToLocal(Product product, Position dst) {
  switch (product) {
    case Product::kAtlasTraining:
    case Product::kAtlasInferenceAicore:
      return dst == Position::kVecin || IsA1OrB1(dst);
    case Product::kAtlasInferenceVectorcore:
    case Product::kAtlas200i500A2:
      return dst == Position::kVecin;
    case Product::kAtlasA2:
    case Product::kAtlasA3:
      return dst == Position::kVecin || IsA1OrB1(dst) || dst == Position::kC1;
    case Product::kAtlas200_300_500:
      return false;
  }
  return false;
}

/// Table 5, without the route of the document's example.
bool LocalToLocal(Product product, Position src, Position dst) {
  const bool within_ub =
      (src == Position::kVecin && dst == Position::kVeccalc) ||
      (src == Position::kVeccalc && dst == Position::kVecout);
  switch (product) {
    case Product::kAtlasTraining:
      return within_ub;
    case Product::kAtlasInferenceAicore:
      return within_ub || (IsVector(src) && IsA1OrB1(dst));
    case Product::kAtlasA2:
    case Product::kAtlasA3:
      return within_ub || (IsVector(src) && dst == Position::kTscm) ||
             ((IsA1OrB1(src) || src == Position::kC1) &&
              dst == Position::kC2pipe2gm) ||
             (src == Position::kC1 && dst == Position::kC2);
    case Product::kAtlasInferenceVectorcore:
    case Product::kAtlas200i500A2:
    case Product::kAtlas200_300_500:
      return false;
  }
  return false;
}

/// Table 6: to GM.
bool LocalToGm(Product product, Position src) {
  switch (product) {
    case Product::kAtlasTraining:
    case Product::kAtlasInferenceVectorcore:
    case Product::kAtlas200i500A2:
      return src == Position::kVecout;
    case Product::kAtlasInferenceAicore:
      return src == Position::kVecout || src == Position::kCo2;
    case Product::kAtlasA2:
    case Product::kAtlasA3:
      return src == Position::kVecout || IsA1OrB1(src);
    case Product::kAtlas200_300_500:
      return false;
  }
  return false;
}

/// DC-ROUTE-EXAMPLE.
bool IsExampleRoute(const DataCopy& call) {
  return call.src.position == Position::kVecin &&
         call.dst.position == Position::kVecout;
}

bool IsRoute(const DataCopy& call, Product product) {
  const Position src = call.src.position;
  const Position dst = call.dst.position;
  if (IsExampleRoute(call)) {
    return LocalToLocal(product, Position::kVecin, Position::kVeccalc);
  }
  if (src == Position::kGm) return GmToLocal(product, dst);
  if (dst == Position::kGm) return LocalToGm(product, src);
  return LocalToLocal(product, src, dst);
}

/// B is every type but bfloat16, which B+ has too.
bool MovesType(Product product, DType type) {
  const bool b_plus = IsA2OrA3(product) || product == Product::kAtlas200i500A2;
  return type != DType::kBfloat16 || b_plus;
}

/// DC-MIXED.
bool IsWidening(const DataCopy& call) {
  return call.src.position == Position::kC1 &&
         call.dst.position == Position::kC2 &&
         TypeOf(call.src, call) == DType::kHalf &&
         TypeOf(call.dst, call) == DType::kFloat &&
         call.form == DataCopy::kParams;
}

RuleSet RouteRules(const DataCopy& call, Product product) {
  RuleSet broken;
  const bool supported = product != Product::kAtlas200_300_500 &&
                         (!IsMixed(call) || IsA2OrA3(product));
  broken.AddIf(!supported, dc::kProduct);
  if (!supported) return broken;  // the others depend on the product
  if (IsMixed(call)) {
    broken.AddIf(!IsWidening(call), dc::kMixed);
  } else if (!IsRoute(call, product)) {
    broken.Add(dc::kRoute);
  } else {
    broken.AddIf(!MovesType(product, TypeOf(call.src, call)), dc::kDtype);
  }
  return broken;
}

// ---- Stage 1: alignment and ranges -----------------------------------------

std::int64_t DstAlignment(const DataCopy& call) {
  switch (call.dst.position) {
    case Position::kC2:
      return 64;
    case Position::kC2pipe2gm:
      return 128;
    case Position::kGm:
      return ElementBytes(TypeOf(call.dst, call));
    default:
      return 32;
  }
}

std::int64_t SrcAlignment(const DataCopy& call) {
  return call.src.position == Position::kGm
             ? ElementBytes(TypeOf(call.src, call))
             : 32;
}

RuleSet ParameterRules(const DataCopy& call, Product product) {
  RuleSet broken = RouteRules(call, product);
  broken.AddIf(call.dst.at % DstAlignment(call) != 0, dc::kDstAlign);
  broken.AddIf(call.src.at % SrcAlignment(call) != 0, dc::kSrcAlign);
  if (call.form == DataCopy::kCount) {
    constexpr std::int64_t kUint32Max =
        std::numeric_limits<std::uint32_t>::max();
    broken.AddIf(!IsWithin(call.count, 0, kUint32Max), dc::kCount);
    return broken;
  }
  const isa::DataCopyParams& p = call.params;
  broken.AddIf(!IsWithin(p.block_count, 1, 4095), dc::kBlockCount);
  broken.AddIf(!IsWithin(p.block_len, 1, 65535), dc::kBlockLen);
  broken.AddIf(!IsWithin(p.src_gap, 0, 65535) || !IsWithin(p.dst_gap, 0, 65535),
               dc::kGap);
  return broken;
}

// ---- What a call with clean parameters reads and writes --------------------

/// Unit of blockLen and of dstGap.
std::int64_t UnitOf(const DataCopy& call) {
  if (call.dst.position == Position::kC2) return 64;
  if (call.dst.position == Position::kC2pipe2gm) return 128;
  return 32;
}

/// The bytes that the count form asks for, whole or not.
std::int64_t CountBytes(const DataCopy& call) {
  return call.count * ElementBytes(TypeOf(call.src, call));
}

/// The blocks of both sides, one for one.
struct Blocks {
  std::vector<ByteRun> src;
  std::vector<ByteRun> dst;
};

/// DC-ADDRESS and DC-COUNT-LENGTH. After stage 1 every offset is below 2^38.
Blocks ListBlocks(const DataCopy& call) {
  Blocks blocks;
  if (call.form == DataCopy::kCount) {
    const std::int64_t bytes = CountBytes(call) / 32 * 32;
    if (bytes == 0) return blocks;
    blocks.src.push_back({call.src.at, bytes});
    blocks.dst.push_back({call.dst.at, bytes});
    return blocks;
  }
  const isa::DataCopyParams& p = call.params;
  const std::int64_t length = p.block_len * UnitOf(call);
  const std::int64_t width = IsMixed(call) ? 2 : 1;
  blocks.src.reserve(static_cast<std::size_t>(p.block_count));
  blocks.dst.reserve(static_cast<std::size_t>(p.block_count));
  for (std::int64_t i = 0; i < p.block_count; ++i) {
    blocks.src.push_back(
        {call.src.at + Address{i} * (length + p.src_gap * 32), length});
    blocks.dst.push_back(
        {call.dst.at + Address{i} * (length * width + p.dst_gap * UnitOf(call)),
         length * width});
  }
  return blocks;
}

bool IsOutOfBounds(const DataCopy& call, const Blocks& blocks,
                   Memory dst_memory, Memory src_memory,
                   const isa::Memories& memories) {
  if (!WindowIsInMemory(call.dst, dst_memory, memories)) return true;
  if (!WindowIsInMemory(call.src, src_memory, memories)) return true;
  const auto outside = [](const isa::Operand& operand,
                          const std::vector<ByteRun>& runs) {
    return std::ranges::any_of(runs, [&](const ByteRun& run) {
      return !RunIsInWindow(operand, run.at, run.bytes);
    });
  };
  return outside(call.src, blocks.src) || outside(call.dst, blocks.dst);
}

/// DC-BARRIER: the pipe that moves between two memories.
Pipe PipeOf(Memory src, Memory dst) {
  if (src == Memory::kUb && dst == Memory::kUb) return Pipe::kV;
  if (dst == Memory::kGm) return Pipe::kMte3;
  if (dst == Memory::kBt) return Pipe::kMte1;
  if (dst == Memory::kFb) return Pipe::kFix;
  return Pipe::kMte2;  // GM to UB, GM to L1, UB to L1
}

bool NeedsBarrier(const std::vector<CopyUnderWay>& copies, Pipe pipe,
                  Memory memory, const std::vector<ByteRun>& written) {
  return std::ranges::any_of(copies, [&](const CopyUnderWay& earlier) {
    return earlier.pipe == pipe && earlier.memory == memory &&
           ShareBytes(earlier.written, written);
  });
}

// ---- Execution --------------------------------------------------------------

/// DC-BITS: exact widening; a NaN keeps sign and payload, moved up.
std::uint64_t WidenHalf(std::uint64_t bits) {
  const Decoded d = Decode(kHalfFormat, bits);
  if (d.IsNan()) {
    const std::uint64_t payload = bits & 0x3ff;
    return kFloatFormat.Infinity(d.negative) |
           payload << (kFloatFormat.StoredFraction() -
                       kHalfFormat.StoredFraction());
  }
  if (d.IsInfinite()) return kFloatFormat.Infinity(d.negative);
  return RoundToNearestEven(kFloatFormat, d.negative, d.significand, d.exponent)
      .bits;
}

void CopyBlock(const DataCopy& call, const ByteRun& src, const ByteRun& dst,
               std::span<const std::uint8_t> from, std::span<std::uint8_t> to,
               NumericEvents& events) {
  if (!IsMixed(call)) {  // the blocks share no byte or are the same
    std::memmove(to.data() + static_cast<std::ptrdiff_t>(dst.at),
                 from.data() + static_cast<std::ptrdiff_t>(src.at),
                 static_cast<std::size_t>(src.bytes));
    return;
  }
  for (std::int64_t i = 0; i < src.bytes / 2; ++i) {
    const std::uint64_t half = Load(from, src.at + 2 * i, 2);
    const std::uint64_t widened = WidenHalf(half);
    CountWrite(DType::kHalf, half, DType::kFloat, {.bits = widened}, events);
    Store(to, dst.at + 4 * i, 4, widened);
  }
}

void AppendAccess(std::string_view operand, bool write, Memory memory,
                  const ByteRun& run, DType dtype, std::size_t block,
                  std::vector<Access>& accesses) {
  accesses.push_back({.operand = operand,
                      .write = write,
                      .memory = memory,
                      .at = static_cast<std::int64_t>(run.at),
                      .bytes = run.bytes,
                      .dtype = dtype,
                      .iteration = static_cast<std::int64_t>(block),
                      .lane = 0});
}

isa::StepResult NotesOf(const DataCopy& call) {
  isa::StepResult result;
  if (call.form == DataCopy::kCount) {
    result.notes.AddIf(CountBytes(call) % 32 != 0, dc::kCountFloor);
    result.notes.AddIf(CountBytes(call) < 32, dc::kCountEmpty);
  }
  result.notes.AddIf(IsExampleRoute(call), dc::kRouteExample);
  return result;
}

}  // namespace

isa::StepResult Run(const DataCopy& call, Oracle::State& state) {
  RuleSet broken = ParameterRules(call, state.product);
  if (!broken.empty()) return isa::StepResult::FromBroken(broken);

  // The positions of a route exist on its product.
  const Memory dst = MemoryOf(state.product, call.dst.position).value();
  const Memory src = MemoryOf(state.product, call.src.position).value();
  Blocks blocks = ListBlocks(call);
  broken.AddIf(IsOutOfBounds(call, blocks, dst, src, state.memories),
               dc::kBounds);
  if (!broken.empty()) return isa::StepResult::FromBroken(broken);

  const Pipe pipe = PipeOf(src, dst);
  broken.AddIf(dst == src && blocks.src != blocks.dst &&
                   ShareBytes(blocks.src, blocks.dst),
               dc::kOverlap);
  broken.AddIf(NeedsBarrier(state.copies, pipe, dst, blocks.dst), dc::kBarrier);
  if (!broken.empty()) return isa::StepResult::FromBroken(broken);

  state.accesses.reserve(2 * blocks.src.size());
  for (std::size_t i = 0; i < blocks.src.size(); ++i) {
    AppendAccess("src", false, src, blocks.src[i], TypeOf(call.src, call), i,
                 state.accesses);
    AppendAccess("dst", true, dst, blocks.dst[i], TypeOf(call.dst, call), i,
                 state.accesses);
    CopyBlock(call, blocks.src[i], blocks.dst[i], state.memories[src],
              state.memories[dst], state.events);
  }
  state.copies.push_back({pipe, dst, std::move(blocks.dst)});
  return NotesOf(call);
}

}  // namespace lanediff::oracle
