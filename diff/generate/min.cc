#include "diff/generate/min.h"

#include <algorithm>

#include "diff/generate/mutate.h"
#include "diff/generate/operands.h"
#include "isa/memory_map.h"
#include "isa/min.h"

namespace lanediff::diff {
namespace {

using isa::DType;
using isa::Min;
using isa::Product;

/// Three operands of this size fit the smallest Unified Buffer.
constexpr std::int64_t kLargestOperand = 60 * 1024;

DType Type(Random& random, Product product) {
  const std::int64_t kind = random.Between(0, 99);
  if (kind < 40) return DType::kHalf;
  if (kind < 65) return DType::kFloat;
  return kind < 85 || product == Product::kAtlasTraining ? DType::kInt32
                                                         : DType::kInt16;
}

void SetLanes(Random& random, Min& call) {
  const std::int64_t lanes = 256 / isa::SizeBytes(call.dtype);
  call.is_set_mask = random.Percent(80);
  if (!call.is_set_mask) return;
  if (call.form == Min::kContiguous) {
    call.mask = random.Percent(50)
                    ? random.OneOf<std::int64_t>({1, lanes / 2, lanes})
                    : random.Between(1, lanes);
    return;
  }
  const isa::SetVectorMask mask = GenerateMask(random);
  call.mask_words = {mask.low, lanes > 64 ? mask.high : 0};
  if (call.mask_words[0] == 0 && call.mask_words[1] == 0)
    call.mask_words[0] = 8;
}

std::int64_t BlockStride(Random& random, std::int64_t least) {
  return random.Percent(70)
             ? 1
             : std::max(least, random.OneOf<std::int64_t>({0, 2, 3, 9}));
}

std::int64_t RepeatStride(Random& random) {
  return random.Percent(65) ? 8
                            : random.OneOf<std::int64_t>({0, 1, 7, 9, 16, 24});
}

void SetStrides(Random& random, Min& call) {
  auto& p = call.repeat_params;
  p = {.dst_blk_stride = BlockStride(random, 1),
       .src0_blk_stride = BlockStride(random, 0),
       .src1_blk_stride = BlockStride(random, 0),
       .dst_rep_stride = RepeatStride(random),
       .src0_rep_stride = RepeatStride(random),
       .src1_rep_stride = RepeatStride(random)};
}

/// Bytes from the first to the last that an operand touches, if all lanes did.
std::int64_t OperandBytes(const Min& call, std::int64_t block_stride,
                          std::int64_t repeat_stride) {
  if (call.form == Min::kCount) {
    return call.count * isa::SizeBytes(call.dtype);
  }
  return kDataBlockBytes *
         (std::max<std::int64_t>(call.repeat_times - 1, 0) * repeat_stride +
          7 * block_stride + 1);
}

struct Sizes {
  std::int64_t dst;
  std::int64_t src0;
  std::int64_t src1;
};

Sizes SizesOf(const Min& call) {
  const auto& p = call.repeat_params;
  return {OperandBytes(call, p.dst_blk_stride, p.dst_rep_stride),
          OperandBytes(call, p.src0_blk_stride, p.src0_rep_stride),
          OperandBytes(call, p.src1_blk_stride, p.src1_rep_stride)};
}

/// Lets a source share the place and the strides of dst, or a running minimum
/// build up in dst through src1.
void Overlap(Random& random, Min& call) {
  auto& p = call.repeat_params;
  switch (random.Between(0, 9)) {
    case 0:
    case 1:
      call.dst.at = call.src0.at;
      p.dst_blk_stride = std::max<std::int64_t>(1, p.src0_blk_stride);
      p.dst_rep_stride = p.src0_rep_stride;
      p.src0_blk_stride = p.dst_blk_stride;
      break;
    case 2:
    case 3:
      call.dst.at = call.src1.at;
      p.dst_blk_stride = std::max<std::int64_t>(1, p.src1_blk_stride);
      p.dst_rep_stride = p.src1_rep_stride;
      p.src1_blk_stride = p.dst_blk_stride;
      break;
    case 4:
    case 5:
    case 6:  // the exception: one accumulator
      call.dst.at = call.src1.at;
      p.dst_rep_stride = random.Percent(80) ? 0 : p.dst_rep_stride;
      p.src1_rep_stride = 0;
      p.src1_blk_stride = p.dst_blk_stride;
      break;
    case 7:  // its near miss
      call.dst.at = random.OneOf({call.src0.at, call.src1.at});
      p.dst_rep_stride = 0;
      break;
    case 8:
      call.dst.at = call.src1.at + kDataBlockBytes;
      break;
    default:
      call.src1.at = call.src0.at;
      break;
  }
}

Min Call(Random& random, Product product) {
  Min call;
  call.dtype = Type(random, product);
  call.form = static_cast<std::uint8_t>(
      random.Percent(25) ? Min::kCount
                         : random.OneOf({Min::kContiguous, Min::kBitwise}));
  if (call.form == Min::kCount) {
    call.count = random.Percent(30)
                     ? random.OneOf<std::int64_t>({0, 1, 15, 16, 17, 128, 4096})
                     : random.Between(1, 2000);
  } else {
    SetLanes(random, call);
    call.repeat_times = GenerateRepeat(random, 0, 255);
    SetStrides(random, call);
  }
  call.dst.position = VectorPosition(random);
  call.src0.position = VectorPosition(random);
  call.src1.position = VectorPosition(random);
  return call;
}

/// Places the operands from `start` on; returns the first byte behind them.
std::int64_t LayOut(Random& random, std::int64_t start, Min& call) {
  const auto slack = [&] {
    return random.OneOf<std::int64_t>({0, 0, 32, 64, 256});
  };
  while (true) {
    const Sizes sizes = SizesOf(call);
    if (std::max({sizes.dst, sizes.src0, sizes.src1}) <= kLargestOperand) break;
    auto& p = call.repeat_params;
    p.dst_rep_stride = std::min<std::int64_t>(p.dst_rep_stride, 7);
    p.src0_rep_stride = std::min<std::int64_t>(p.src0_rep_stride, 7);
    p.src1_rep_stride = std::min<std::int64_t>(p.src1_rep_stride, 7);
    p.dst_blk_stride = 1;
    p.src0_blk_stride = p.src1_blk_stride = 1;
  }
  Sizes sizes = SizesOf(call);
  call.src0.at = RoundUp(start + slack(), kDataBlockBytes);
  call.src1.at = RoundUp(call.src0.at + sizes.src0 + slack(), kDataBlockBytes);
  call.dst.at = RoundUp(call.src1.at + sizes.src1 + slack(), kDataBlockBytes);
  if (random.Percent(35)) Overlap(random, call);
  if (call.form == Min::kCount) call.repeat_params = {};
  sizes = SizesOf(call);
  const auto extra = [&] { return random.OneOf<std::int64_t>({0, 0, 0, 32}); };
  call.dst.bytes = sizes.dst + extra();
  call.src0.bytes = sizes.src0 + extra();
  call.src1.bytes = sizes.src1 + extra();
  return RoundUp(
      std::max({call.dst.at + call.dst.bytes, call.src0.at + call.src0.bytes,
                call.src1.at + call.src1.bytes}),
      kDataBlockBytes);
}

}  // namespace

Case GenerateMin(Random& random) {
  Case c;
  c.id = "generated/min";
  c.product = random.OneOf(
      {Product::kAtlasA2, Product::kAtlasA2, Product::kAtlasTraining,
       Product::kAtlasInferenceAicore, Product::kAtlas200i500A2});
  if (random.Percent(c.product == Product::kAtlasA2 ? 30 : 3)) {
    c.program.emplace_back(
        isa::SetSaturation{.enabled = c.product != Product::kAtlasA2});
  }
  Min call = Call(random, c.product);
  if (call.form != Min::kCount && !call.is_set_mask && random.Percent(85)) {
    c.program.emplace_back(GenerateMask(random));
  }
  const std::int64_t end =
      LayOut(random, random.OneOf<std::int64_t>({0, 32, 512}), call);
  AddMemory(random, c, isa::Memory::kUb,
            end + random.OneOf<std::int64_t>({0, 32, 512}));
  const Sizes sizes = SizesOf(call);
  const auto ub = isa::Memory::kUb;
  AddData(random, c, ub, call.src0.at, sizes.src0, call.dtype);
  AddData(random, c, ub, call.src1.at, sizes.src1, call.dtype);
  if (random.Percent(30)) {
    AddData(random, c, ub, call.dst.at, sizes.dst, call.dtype);
  }
  c.program.emplace_back(call);
  if (random.Percent(25)) {  // a second call sees the state the first one left
    call.is_set_mask = call.form == Min::kCount;
    call.mask = 0;
    call.mask_words = {};
    c.program.emplace_back(call);
  }
  if (random.Percent(33)) Mutate(random, c);
  return c;
}

}  // namespace lanediff::diff
