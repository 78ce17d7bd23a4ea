#include "diff/generate/vec_trans.h"

#include <algorithm>

#include "diff/generate/mutate.h"
#include "diff/generate/operands.h"
#include "isa/vec_trans.h"

namespace lanediff::diff {
namespace {

using isa::DType;
using isa::Product;
using isa::VecTrans;

constexpr std::int64_t kMatrixBytes = 512;
constexpr std::int64_t kLargestOperand = 90 * 1024;

std::int64_t OperandBytes(const VecTrans& call, std::int64_t stride) {
  return kMatrixBytes + std::max<std::int64_t>(call.repeat_times - 1, 0) *
                            stride * kMatrixBytes;
}

std::int64_t Stride(Random& random, const VecTrans& call) {
  const std::int64_t largest = (kLargestOperand / kMatrixBytes - 1) /
                               std::max<std::int64_t>(call.repeat_times - 1, 1);
  if (call.repeat_times == 1 && random.Percent(20)) return 4095;
  return std::min(largest, random.Percent(55)
                               ? 1
                               : random.OneOf<std::int64_t>({0, 2, 3, 17}));
}

VecTrans Call(Random& random) {
  VecTrans call;
  call.dtype = random.OneOf({DType::kHalf, DType::kInt16, DType::kUint16});
  call.repeat_times = random.Percent(1) ? 4095 : GenerateRepeat(random, 1, 170);
  call.dst_rep_stride = Stride(random, call);
  call.src_rep_stride = Stride(random, call);
  call.dst.position = call.src.position = isa::Position::kUb;
  const std::int64_t start = random.OneOf<std::int64_t>({0, 32, 512});
  const std::int64_t slack = random.OneOf<std::int64_t>({0, 0, 32, 512});
  call.src.at = start;
  const std::int64_t intent = random.Between(0, 99);
  if (intent < 25) {  // in place
    call.dst.at = start;
    if (random.Percent(80)) call.dst_rep_stride = call.src_rep_stride;
  } else if (intent < 30) {  // partly over each other
    call.dst.at = start + random.OneOf<std::int64_t>({32, 480, 512});
  } else if (intent < 65) {
    call.dst.at = start + OperandBytes(call, call.src_rep_stride) + slack;
  } else {
    call.dst.at = start;
    call.src.at = start + OperandBytes(call, call.dst_rep_stride) + slack;
  }
  const auto extra = [&] { return random.OneOf<std::int64_t>({0, 0, 0, 32}); };
  call.dst.bytes = OperandBytes(call, call.dst_rep_stride) + extra();
  call.src.bytes = OperandBytes(call, call.src_rep_stride) + extra();
  return call;
}

}  // namespace

Case GenerateVecTrans(Random& random) {
  Case c;
  c.id = "generated/vec_trans";
  c.product =
      random.OneOf({Product::kAtlasTraining, Product::kAtlasInferenceAicore,
                    Product::kAtlasInferenceVectorcore, Product::kAtlasA2,
                    Product::kAtlas200i500A2, Product::kAtlas200_300_500});
  const VecTrans call = Call(random);
  const std::int64_t end =
      std::max(call.dst.at + call.dst.bytes, call.src.at + call.src.bytes);
  AddMemory(random, c, isa::Memory::kUb,
            end + random.OneOf<std::int64_t>({0, 32, 512}));
  AddData(random, c, isa::Memory::kUb, call.src.at,
          OperandBytes(call, call.src_rep_stride), call.dtype);
  c.program.emplace_back(call);
  if (random.Percent(33)) Mutate(random, c);
  return c;
}

}  // namespace lanediff::diff
