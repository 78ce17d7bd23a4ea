#include "diff/generate/repeat_reduce_sum.h"

#include <algorithm>

#include "diff/generate/data.h"
#include "diff/generate/mutate.h"
#include "diff/generate/operands.h"
#include "isa/memory_map.h"
#include "isa/repeat_reduce_sum.h"

namespace lanediff::diff {
namespace {

using isa::DType;
using isa::Position;
using isa::Product;
using isa::RepeatReduceSum;

/// Room left in the Unified Buffer for one operand: two calls of two operands
/// fit the smallest product.
constexpr std::int64_t kLargestOperand = 72 * 1024;

/// Fields that need no layout, all within their ranges.
RepeatReduceSum Parameters(Random& random, Product product) {
  RepeatReduceSum call;
  call.dtype = random.Percent(65) ? DType::kHalf : DType::kFloat;
  const std::int64_t lanes = call.dtype == DType::kHalf ? 128 : 64;
  call.is_set_mask = random.Percent(80);
  if (call.is_set_mask) {
    call.elems_in_one_repeat =
        random.Percent(50)
            ? random.OneOf<std::int64_t>({1, 2, 3, lanes / 2, lanes - 1, lanes})
            : random.Between(1, lanes);
  }
  call.repeat = GenerateRepeat(random, 0, 255);
  call.dst_blk_stride =
      random.OneOf<std::int64_t>({0, 1, 1, -7, 65536, -2147483648, 2147483647});
  call.src_blk_stride =
      random.Percent(65) ? 1 : random.OneOf<std::int64_t>({0, 2, 3, 9, 16});
  call.src_rep_stride =
      random.Percent(50) ? 8 : random.OneOf<std::int64_t>({0, 1, 3, 7, 9, 16});
  call.dst_rep_stride =
      random.Percent(50) ? 1 : random.OneOf<std::int64_t>({0, 2, 3, 16, 129});
  if (product == Product::kAtlasTraining && call.dst_rep_stride == 0) {
    call.dst_rep_stride = 1;
  }
  if (call.repeat <= 1 && random.Percent(20)) {  // strides that nothing follows
    call.src_rep_stride = random.OneOf<std::int64_t>({65535, 4096});
    call.dst_rep_stride = random.OneOf<std::int64_t>({65535, 4096});
  }
  return call;
}

/// Bytes from the first to the last that an operand touches, if all lanes did.
std::int64_t SourceBytes(const RepeatReduceSum& call) {
  return kDataBlockBytes *
         (std::max<std::int64_t>(call.repeat - 1, 0) * call.src_rep_stride +
          7 * call.src_blk_stride + 1);
}
std::int64_t DestinationBytes(const RepeatReduceSum& call) {
  const std::int64_t element = isa::SizeBytes(call.dtype);
  return element *
         (std::max<std::int64_t>(call.repeat - 1, 0) * call.dst_rep_stride + 1);
}

/// Places both operands at `start` or behind it; returns the first byte behind.
std::int64_t LayOut(Random& random, std::int64_t start, RepeatReduceSum& call) {
  const std::int64_t element = isa::SizeBytes(call.dtype);
  const std::int64_t src_bytes = SourceBytes(call);
  const std::int64_t dst_bytes = DestinationBytes(call);
  const std::int64_t slack = random.OneOf<std::int64_t>({0, 0, 32, 64});
  call.src.at = start;
  const std::int64_t intent = random.Between(0, 99);
  if (intent < 45) {  // dst behind src, touching it or not
    call.dst.at = start + src_bytes + RoundUp(slack, element);
  } else if (intent < 70) {  // dst before src
    call.dst.at = start + slack;
    call.src.at = RoundUp(call.dst.at + dst_bytes, kDataBlockBytes);
  } else if (intent < 85) {  // in place
    call.dst.at = call.src.at;
  } else if (intent < 93) {  // in the gap behind the first block
    call.dst.at = call.src.at + kDataBlockBytes;
  } else {  // anywhere in src
    call.dst.at =
        call.src.at + random.Between(0, src_bytes / element - 1) * element;
  }
  call.src.bytes = src_bytes + random.OneOf<std::int64_t>({0, 0, 32, 256});
  call.dst.bytes = dst_bytes + random.OneOf<std::int64_t>({0, 0, element, 32});
  if (intent >= 70 && random.Percent(50)) {  // one tensor for both
    call.dst.bytes = std::max(call.dst.bytes, call.src.bytes);
  }
  return RoundUp(
      std::max(call.src.at + call.src.bytes, call.dst.at + call.dst.bytes),
      kDataBlockBytes);
}

/// One call whose operands fit between `start` and the smallest capacity.
RepeatReduceSum Call(Random& random, Product product, std::int64_t& start) {
  RepeatReduceSum call = Parameters(random, product);
  while (SourceBytes(call) > kLargestOperand) {
    call.src_rep_stride = std::min<std::int64_t>(call.src_rep_stride, 8);
    call.src_blk_stride = 1;
    call.repeat = std::min(call.repeat, std::int64_t{255});
  }
  if (DestinationBytes(call) > kLargestOperand / 4) call.dst_rep_stride = 1;
  call.dst.position = VectorPosition(random);
  call.src.position = VectorPosition(random);
  start = LayOut(random, start, call);
  return call;
}

}  // namespace

Case GenerateRepeatReduceSum(Random& random) {
  Case c;
  c.id = "generated/repeat_reduce_sum";
  c.product =
      random.OneOf({Product::kAtlasA2, Product::kAtlasA2,
                    Product::kAtlasTraining, Product::kAtlasInferenceAicore});
  MemoryImage ub{.fill = static_cast<std::uint8_t>(random.Between(0, 255)),
                 .size = 0,
                 .regions = {}};
  std::int64_t end = random.OneOf<std::int64_t>({0, 32, 256});
  for (std::int64_t calls = random.Percent(25) ? 2 : 1; calls > 0; --calls) {
    if (random.Percent(c.product == Product::kAtlasA2 ? 30 : 5)) {
      c.program.emplace_back(isa::SetSaturation{
          .enabled = c.product != Product::kAtlasA2 || random.Percent(30)});
    }
    const RepeatReduceSum call = Call(random, c.product, end);
    if (!call.is_set_mask && random.Percent(85)) {
      c.program.emplace_back(GenerateMask(random));
    }
    const std::int64_t count = SourceBytes(call) / isa::SizeBytes(call.dtype);
    if (ub.regions.empty() || ub.regions.back().end() <= call.src.at) {
      ub.regions.push_back({.at = call.src.at,
                            .dtype = call.dtype,
                            .bytes = GenerateData(random, call.dtype, count)});
    }
    c.program.emplace_back(call);
  }
  ub.size = std::min(end + random.OneOf<std::int64_t>({0, 32, 512}),
                     isa::CapacityBytes(c.product, isa::Memory::kUb));
  c.memory[static_cast<std::size_t>(isa::Memory::kUb)] = std::move(ub);
  FitMemories(c);
  if (random.Percent(33)) Mutate(random, c);
  return c;
}

}  // namespace lanediff::diff
