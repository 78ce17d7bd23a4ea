#include "bench/rows.h"

#include "bench/works.h"
#include "isa/step.h"
#include "isa/vocabulary.h"

namespace lanediff::bench {
namespace {

using isa::DType;
using isa::Order;

Prepared WithoutYardstick(Prepared prepared) {
  prepared.yardstick = {};
  return prepared;
}

// The figures asked for stand here and nowhere else; 0 asks for nothing.
// clang-format off
constexpr Row kRows[] = {
    // ---- Emulator ----------------------------------------------------------------
    {"data_copy.contiguous.ub", "DataCopy 64 KiB, UB to UB", "memcpy", "", RatioAtLeast(0.9), [](const Setting& s) { return CopyContiguous(s, false, 65536); }},
    {"data_copy.contiguous.gm", "DataCopy 64 KiB, GM to UB", "memcpy", "", RatioAtLeast(0.9), [](const Setting& s) { return CopyContiguous(s, true, 65536); }},
    {"data_copy.gaps.src", "DataCopy 4,095 blocks of 32 bytes, gaps in src", "memcpy", "", RatioAtLeast(0.5), [](const Setting& s) { return CopyBlocks(s, 4095, 1, 0); }},
    {"data_copy.gaps.dst", "DataCopy 4,095 blocks of 32 bytes, gaps in dst", "memcpy", "", RatioAtLeast(0.5), [](const Setting& s) { return CopyBlocks(s, 4095, 0, 1); }},
    {"data_copy.gaps.both", "DataCopy 4,095 blocks of 32 bytes, gaps in both", "memcpy", "", RatioAtLeast(0.5), [](const Setting& s) { return CopyBlocks(s, 4095, 1, 1); }},
    {"data_copy.gaps.both.half", "DataCopy 2,047 blocks of 32 bytes, gaps in both", "memcpy", "", RatioAtLeast(0.5), [](const Setting& s) { return CopyBlocks(s, 2047, 1, 1); }},
    {"min.int16", "Min int16, full mask, 255 repeats", "AVX2 loop", "", RatioAtLeast(0.8), [](const Setting& s) { return ElementwiseContiguous<isa::Min>(s, DType::kInt16, Data::kFinite); }},
    {"min.int32", "Min int32, full mask, 255 repeats", "AVX2 loop", "", RatioAtLeast(0.8), [](const Setting& s) { return ElementwiseContiguous<isa::Min>(s, DType::kInt32, Data::kFinite); }},
    {"min.half", "Min half, full mask, 255 repeats", "AVX2 loop", "", RatioAtLeast(0.5), [](const Setting& s) { return ElementwiseContiguous<isa::Min>(s, DType::kHalf, Data::kFinite); }},
    {"min.float", "Min float, full mask, 255 repeats", "AVX2 loop", "", RatioAtLeast(0.5), [](const Setting& s) { return ElementwiseContiguous<isa::Min>(s, DType::kFloat, Data::kFinite); }},
    {"min.half.specials", "the same half, NaN, inf, zeros and subnormals", "AVX2 loop", "", RatioAtLeast(0.5), [](const Setting& s) { return ElementwiseContiguous<isa::Min>(s, DType::kHalf, Data::kSpecials); }},
    {"min.float.specials", "the same float, NaN, inf, zeros and subnormals", "AVX2 loop", "", RatioAtLeast(0.5), [](const Setting& s) { return ElementwiseContiguous<isa::Min>(s, DType::kFloat, Data::kSpecials); }},
    {"min.int16.masked", "Min int16, random bitwise mask, strides 2 and 9", "contiguous, full mask", "", RatioAtLeast(0.4), [](const Setting& s) { return ElementwiseMasked<isa::Min>(s, DType::kInt16, Data::kFinite); }},
    {"min.int32.masked", "Min int32, random bitwise mask, strides 2 and 9", "contiguous, full mask", "", RatioAtLeast(0.4), [](const Setting& s) { return ElementwiseMasked<isa::Min>(s, DType::kInt32, Data::kFinite); }},
    {"min.half.masked", "Min half, random bitwise mask, strides 2 and 9", "contiguous, full mask", "", RatioAtLeast(0.4), [](const Setting& s) { return ElementwiseMasked<isa::Min>(s, DType::kHalf, Data::kFinite); }},
    {"min.float.masked", "Min float, random bitwise mask, strides 2 and 9", "contiguous, full mask", "", RatioAtLeast(0.4), [](const Setting& s) { return ElementwiseMasked<isa::Min>(s, DType::kFloat, Data::kFinite); }},
    {"max.int16", "Max int16, full mask, 255 repeats", "AVX2 loop", "", RatioAtLeast(0.8), [](const Setting& s) { return ElementwiseContiguous<isa::Max>(s, DType::kInt16, Data::kFinite); }},
    {"max.int32", "Max int32, full mask, 255 repeats", "AVX2 loop", "", RatioAtLeast(0.8), [](const Setting& s) { return ElementwiseContiguous<isa::Max>(s, DType::kInt32, Data::kFinite); }},
    {"max.half", "Max half, full mask, 255 repeats", "AVX2 loop", "", RatioAtLeast(0.5), [](const Setting& s) { return ElementwiseContiguous<isa::Max>(s, DType::kHalf, Data::kFinite); }},
    {"max.float", "Max float, full mask, 255 repeats", "AVX2 loop", "", RatioAtLeast(0.5), [](const Setting& s) { return ElementwiseContiguous<isa::Max>(s, DType::kFloat, Data::kFinite); }},
    {"max.half.masked", "Max half, random bitwise mask, strides 2 and 9", "contiguous, full mask", "", RatioAtLeast(0.4), [](const Setting& s) { return ElementwiseMasked<isa::Max>(s, DType::kHalf, Data::kFinite); }},
    {"add.int16", "Add int16, full mask, 255 repeats", "AVX2 loop, numbers only", "", RatioAtLeast(0.5), [](const Setting& s) { return ElementwiseContiguous<isa::Add>(s, DType::kInt16, Data::kNearOne); }},
    {"add.int32", "Add int32, full mask, 255 repeats", "AVX2 loop, numbers only", "", RatioAtLeast(0.5), [](const Setting& s) { return ElementwiseContiguous<isa::Add>(s, DType::kInt32, Data::kNearOne); }},
    {"add.half", "Add half, full mask, 255 repeats", "AVX2 loop, numbers only", "", RatioAtLeast(0.5), [](const Setting& s) { return ElementwiseContiguous<isa::Add>(s, DType::kHalf, Data::kNearOne); }},
    {"add.float", "Add float, full mask, 255 repeats", "AVX2 loop, numbers only", "", RatioAtLeast(0.5), [](const Setting& s) { return ElementwiseContiguous<isa::Add>(s, DType::kFloat, Data::kNearOne); }},
    {"add.half.masked", "Add half, random bitwise mask, strides 2 and 9", "contiguous, full mask", "", RatioAtLeast(0.4), [](const Setting& s) { return ElementwiseMasked<isa::Add>(s, DType::kHalf, Data::kNearOne); }},
    {"sub.int16", "Sub int16, full mask, 255 repeats", "AVX2 loop, numbers only", "", RatioAtLeast(0.5), [](const Setting& s) { return ElementwiseContiguous<isa::Sub>(s, DType::kInt16, Data::kNearOne); }},
    {"sub.int32", "Sub int32, full mask, 255 repeats", "AVX2 loop, numbers only", "", RatioAtLeast(0.5), [](const Setting& s) { return ElementwiseContiguous<isa::Sub>(s, DType::kInt32, Data::kNearOne); }},
    {"sub.half", "Sub half, full mask, 255 repeats", "AVX2 loop, numbers only", "", RatioAtLeast(0.5), [](const Setting& s) { return ElementwiseContiguous<isa::Sub>(s, DType::kHalf, Data::kNearOne); }},
    {"sub.float", "Sub float, full mask, 255 repeats", "AVX2 loop, numbers only", "", RatioAtLeast(0.5), [](const Setting& s) { return ElementwiseContiguous<isa::Sub>(s, DType::kFloat, Data::kNearOne); }},
    {"sub.half.masked", "Sub half, random bitwise mask, strides 2 and 9", "contiguous, full mask", "", RatioAtLeast(0.4), [](const Setting& s) { return ElementwiseMasked<isa::Sub>(s, DType::kHalf, Data::kNearOne); }},
    {"mul.int16", "Mul int16, full mask, 255 repeats", "AVX2 loop, numbers only", "", RatioAtLeast(0.5), [](const Setting& s) { return ElementwiseContiguous<isa::Mul>(s, DType::kInt16, Data::kNearOne); }},
    {"mul.int32", "Mul int32, full mask, 255 repeats", "AVX2 loop, numbers only", "", RatioAtLeast(0.5), [](const Setting& s) { return ElementwiseContiguous<isa::Mul>(s, DType::kInt32, Data::kNearOne); }},
    {"mul.half", "Mul half, full mask, 255 repeats", "AVX2 loop, numbers only", "", RatioAtLeast(0.5), [](const Setting& s) { return ElementwiseContiguous<isa::Mul>(s, DType::kHalf, Data::kNearOne); }},
    {"mul.float", "Mul float, full mask, 255 repeats", "AVX2 loop, numbers only", "", RatioAtLeast(0.5), [](const Setting& s) { return ElementwiseContiguous<isa::Mul>(s, DType::kFloat, Data::kNearOne); }},
    {"mul.half.masked", "Mul half, random bitwise mask, strides 2 and 9", "contiguous, full mask", "", RatioAtLeast(0.4), [](const Setting& s) { return ElementwiseMasked<isa::Mul>(s, DType::kHalf, Data::kNearOne); }},
    {"repeat_reduce_sum.half.avx2", "RepeatReduceSum half, 128 lanes, 255 repeats", "AVX2/F16C tree", "", RatioAtLeast(1.0), [](const Setting& s) { return ReduceSumBesideAvx2(s, Data::kFinite); }},
    {"repeat_reduce_sum.half.avx2.specials", "the same, NaN, inf, zeros and subnormals", "AVX2/F16C tree", "", RatioAtLeast(1.0), [](const Setting& s) { return ReduceSumBesideAvx2(s, Data::kSpecials); }},
    {"repeat_reduce_sum.half.scalar", "RepeatReduceSum half, 128 lanes, 255 repeats", "scalar tree", "", RatioAtLeast(30), [](const Setting& s) { return ReduceSumBesideScalar(s, Data::kFinite); }},
    {"repeat_reduce_sum.float", "RepeatReduceSum float, 64 lanes, 255 repeats", "the half call", "", RatioAtLeast(1.5), [](const Setting& s) { return ReduceSumFloatBesideHalf(s); }},
    {"whole_reduce_sum.half.masked", "WholeReduceSum half, random bitwise mask, 255 repeats", "RepeatReduceSum, 128 lanes", "", RatioAtLeast(0), [](const Setting& s) { return WholeReduceSumMasked(s); }},
    {"trowprod.half.16x16.documented", "TROWPROD half 16x16, documented", "scalar left fold", "", RatioAtLeast(3), [](const Setting& s) { return RowProducts(s, DType::kHalf, 16, 16, Order::kDocumented, Data::kNearOne); }},
    {"trowprod.half.16x16.left-fold", "TROWPROD half 16x16, left-fold", "scalar left fold", "", RatioAtLeast(3), [](const Setting& s) { return RowProducts(s, DType::kHalf, 16, 16, Order::kLeftFold, Data::kNearOne); }},
    {"trowprod.half.64x64.documented", "TROWPROD half 64x64, documented", "scalar left fold", "", RatioAtLeast(3), [](const Setting& s) { return RowProducts(s, DType::kHalf, 64, 64, Order::kDocumented, Data::kNearOne); }},
    {"trowprod.half.64x64.left-fold", "TROWPROD half 64x64, left-fold", "scalar left fold", "", RatioAtLeast(3), [](const Setting& s) { return RowProducts(s, DType::kHalf, 64, 64, Order::kLeftFold, Data::kNearOne); }},
    {"trowprod.half.64x128.documented", "TROWPROD half 64x128, documented", "scalar left fold", "", RatioAtLeast(8), [](const Setting& s) { return RowProducts(s, DType::kHalf, 64, 128, Order::kDocumented, Data::kNearOne); }},
    {"trowprod.half.64x128.block-lanes", "TROWPROD half 64x128, block-lanes", "scalar left fold", "", RatioAtLeast(8), [](const Setting& s) { return RowProducts(s, DType::kHalf, 64, 128, Order::kBlockLanes, Data::kNearOne); }},
    {"trowprod.half.64x128.register-lanes", "TROWPROD half 64x128, register-lanes", "scalar left fold", "", RatioAtLeast(8), [](const Setting& s) { return RowProducts(s, DType::kHalf, 64, 128, Order::kRegisterLanes, Data::kNearOne); }},
    {"trowprod.half.64x128.left-fold", "TROWPROD half 64x128, left-fold", "scalar left fold", "", RatioAtLeast(3), [](const Setting& s) { return RowProducts(s, DType::kHalf, 64, 128, Order::kLeftFold, Data::kNearOne); }},
    {"trowprod.half.128x128.documented", "TROWPROD half 128x128, documented", "scalar left fold", "", RatioAtLeast(8), [](const Setting& s) { return RowProducts(s, DType::kHalf, 128, 128, Order::kDocumented, Data::kNearOne); }},
    {"trowprod.half.128x128.block-lanes", "TROWPROD half 128x128, block-lanes", "scalar left fold", "", RatioAtLeast(8), [](const Setting& s) { return RowProducts(s, DType::kHalf, 128, 128, Order::kBlockLanes, Data::kNearOne); }},
    {"trowprod.half.128x128.register-lanes", "TROWPROD half 128x128, register-lanes", "scalar left fold", "", RatioAtLeast(8), [](const Setting& s) { return RowProducts(s, DType::kHalf, 128, 128, Order::kRegisterLanes, Data::kNearOne); }},
    {"trowprod.half.128x128.left-fold", "TROWPROD half 128x128, left-fold", "scalar left fold", "", RatioAtLeast(3), [](const Setting& s) { return RowProducts(s, DType::kHalf, 128, 128, Order::kLeftFold, Data::kNearOne); }},
    {"trowprod.half.64x256.documented", "TROWPROD half 64x256, documented", "scalar left fold", "", RatioAtLeast(8), [](const Setting& s) { return RowProducts(s, DType::kHalf, 64, 256, Order::kDocumented, Data::kNearOne); }},
    {"trowprod.half.64x256.block-lanes", "TROWPROD half 64x256, block-lanes", "scalar left fold", "", RatioAtLeast(8), [](const Setting& s) { return RowProducts(s, DType::kHalf, 64, 256, Order::kBlockLanes, Data::kNearOne); }},
    {"trowprod.half.64x256.register-lanes", "TROWPROD half 64x256, register-lanes", "scalar left fold", "", RatioAtLeast(8), [](const Setting& s) { return RowProducts(s, DType::kHalf, 64, 256, Order::kRegisterLanes, Data::kNearOne); }},
    {"trowprod.half.64x256.left-fold", "TROWPROD half 64x256, left-fold", "scalar left fold", "", RatioAtLeast(3), [](const Setting& s) { return RowProducts(s, DType::kHalf, 64, 256, Order::kLeftFold, Data::kNearOne); }},
    {"trowprod.float.64x128.documented", "TROWPROD float 64x128, documented", "scalar left fold", "", RatioAtLeast(8), [](const Setting& s) { return RowProducts(s, DType::kFloat, 64, 128, Order::kDocumented, Data::kNearOne); }},
    {"trowprod.float.64x128.block-lanes", "TROWPROD float 64x128, block-lanes", "scalar left fold", "", RatioAtLeast(8), [](const Setting& s) { return RowProducts(s, DType::kFloat, 64, 128, Order::kBlockLanes, Data::kNearOne); }},
    {"trowprod.float.64x128.register-lanes", "TROWPROD float 64x128, register-lanes", "scalar left fold", "", RatioAtLeast(8), [](const Setting& s) { return RowProducts(s, DType::kFloat, 64, 128, Order::kRegisterLanes, Data::kNearOne); }},
    {"trowprod.float.64x128.left-fold", "TROWPROD float 64x128, left-fold", "scalar left fold", "", RatioAtLeast(3), [](const Setting& s) { return RowProducts(s, DType::kFloat, 64, 128, Order::kLeftFold, Data::kNearOne); }},
    {"trowprod.float.128x128.documented", "TROWPROD float 128x128, documented", "scalar left fold", "", RatioAtLeast(8), [](const Setting& s) { return RowProducts(s, DType::kFloat, 128, 128, Order::kDocumented, Data::kNearOne); }},
    {"trowprod.float.128x128.block-lanes", "TROWPROD float 128x128, block-lanes", "scalar left fold", "", RatioAtLeast(8), [](const Setting& s) { return RowProducts(s, DType::kFloat, 128, 128, Order::kBlockLanes, Data::kNearOne); }},
    {"trowprod.float.128x128.register-lanes", "TROWPROD float 128x128, register-lanes", "scalar left fold", "", RatioAtLeast(8), [](const Setting& s) { return RowProducts(s, DType::kFloat, 128, 128, Order::kRegisterLanes, Data::kNearOne); }},
    {"trowprod.float.128x128.left-fold", "TROWPROD float 128x128, left-fold", "scalar left fold", "", RatioAtLeast(3), [](const Setting& s) { return RowProducts(s, DType::kFloat, 128, 128, Order::kLeftFold, Data::kNearOne); }},
    {"trowprod.float.64x256.documented", "TROWPROD float 64x256, documented", "scalar left fold", "", RatioAtLeast(8), [](const Setting& s) { return RowProducts(s, DType::kFloat, 64, 256, Order::kDocumented, Data::kNearOne); }},
    {"trowprod.float.64x256.block-lanes", "TROWPROD float 64x256, block-lanes", "scalar left fold", "", RatioAtLeast(8), [](const Setting& s) { return RowProducts(s, DType::kFloat, 64, 256, Order::kBlockLanes, Data::kNearOne); }},
    {"trowprod.float.64x256.register-lanes", "TROWPROD float 64x256, register-lanes", "scalar left fold", "", RatioAtLeast(8), [](const Setting& s) { return RowProducts(s, DType::kFloat, 64, 256, Order::kRegisterLanes, Data::kNearOne); }},
    {"trowprod.float.64x256.left-fold", "TROWPROD float 64x256, left-fold", "scalar left fold", "", RatioAtLeast(3), [](const Setting& s) { return RowProducts(s, DType::kFloat, 64, 256, Order::kLeftFold, Data::kNearOne); }},
    {"trowprod.half.64x128.documented.specials", "the same half 64x128, documented, with NaN, inf, zeros …", "scalar left fold", "", RatioAtLeast(8), [](const Setting& s) { return RowProducts(s, DType::kHalf, 64, 128, Order::kDocumented, Data::kSpecials); }},
    {"trowprod.float.64x128.time", "TROWPROD float 64x128, documented: a fifth of the CPU model", "", "", SecondsAtMost(1e-6), [](const Setting& s) { return WithoutYardstick(RowProducts(s, DType::kFloat, 64, 128, Order::kDocumented, Data::kNearOne)); }},
    {"trowprod.float.128x128.time", "TROWPROD float 128x128, documented: a fifth of the CPU model", "", "", SecondsAtMost(3.8e-6), [](const Setting& s) { return WithoutYardstick(RowProducts(s, DType::kFloat, 128, 128, Order::kDocumented, Data::kNearOne)); }},
    {"vec_trans", "vec_trans 255 blocks", "memcpy", "", RatioAtLeast(0.5), [](const Setting& s) { return Transpose(s); }},
    // ---- Legality by the emulator ------------------------------------------------
    {"legality.min.repeat-1", "legality of Min, repeat 1, apart", "", "", SecondsAtMost(150e-9), [](const Setting& s) { return EmulatorLegality(s, Judged::kMinRepeat1); }},
    {"legality.min.repeat-255", "legality of Min, repeat 255, apart", "", "", SecondsAtMost(150e-9), [](const Setting& s) { return EmulatorLegality(s, Judged::kMinRepeat255); }},
    {"legality.min.strided", "legality of Min, repeat 255, strides 2 and 9, apart", "", "", SecondsAtMost(150e-9), [](const Setting& s) { return EmulatorLegality(s, Judged::kMinStrided); }},
    {"legality.repeat_reduce_sum.repeat-1", "legality of RepeatReduceSum, repeat 1, apart", "", "", SecondsAtMost(150e-9), [](const Setting& s) { return EmulatorLegality(s, Judged::kSumRepeat1); }},
    {"legality.repeat_reduce_sum.repeat-255", "legality of RepeatReduceSum, repeat 255, apart", "", "", SecondsAtMost(150e-9), [](const Setting& s) { return EmulatorLegality(s, Judged::kSumRepeat255); }},
    {"legality.repeat_reduce_sum.strided", "legality of RepeatReduceSum, repeat 255, strides 2 and 9, apart", "", "", SecondsAtMost(150e-9), [](const Setting& s) { return EmulatorLegality(s, Judged::kSumStrided); }},
    {"legality.data_copy.count", "legality of DataCopy, count, apart", "", "", SecondsAtMost(150e-9), [](const Setting& s) { return EmulatorLegality(s, Judged::kCopyCount); }},
    {"legality.data_copy.blocks", "legality of DataCopy, 2,047 blocks with gaps, apart", "", "", SecondsAtMost(150e-9), [](const Setting& s) { return EmulatorLegality(s, Judged::kCopyBlocks); }},
    {"legality.vec_trans.repeat-8", "legality of vec_trans, 8 blocks, apart", "", "", SecondsAtMost(150e-9), [](const Setting& s) { return EmulatorLegality(s, Judged::kTransRepeat8); }},
    {"legality.vec_trans.repeat-255", "legality of vec_trans, 255 blocks, apart", "", "", SecondsAtMost(150e-9), [](const Setting& s) { return EmulatorLegality(s, Judged::kTransRepeat255); }},
    {"legality.trowprod", "legality of TROWPROD 128x128, apart", "", "", SecondsAtMost(150e-9), [](const Setting& s) { return EmulatorLegality(s, Judged::kProductApart); }},
    {"legality.min.interleaved", "legality of Min, repeat 255, interleaved", "", "", SecondsAtMost(20e-6), [](const Setting& s) { return EmulatorLegality(s, Judged::kMinInterleaved); }},
    {"legality.min.coprime", "legality of Min, repeat 255, interleaved at different strides", "", "", SecondsAtMost(20e-6), [](const Setting& s) { return EmulatorLegality(s, Judged::kMinCoprime); }},
    {"legality.min.illegal", "legality of Min, repeat 255, operands run into each other", "", "", SecondsAtMost(20e-6), [](const Setting& s) { return EmulatorLegality(s, Judged::kMinIllegal); }},
    {"legality.repeat_reduce_sum.interleaved", "legality of RepeatReduceSum, repeat 255, interleaved", "", "", SecondsAtMost(20e-6), [](const Setting& s) { return EmulatorLegality(s, Judged::kSumInterleaved); }},
    {"legality.repeat_reduce_sum.coprime", "legality of RepeatReduceSum, repeat 255, interleaved at different strides", "", "", SecondsAtMost(20e-6), [](const Setting& s) { return EmulatorLegality(s, Judged::kSumCoprime); }},
    {"legality.data_copy.interleaved", "legality of DataCopy, 4,095 blocks, interleaved", "", "", SecondsAtMost(20e-6), [](const Setting& s) { return EmulatorLegality(s, Judged::kCopyInterleaved); }},
    {"legality.data_copy.coprime", "legality of DataCopy, 1,365 blocks, interleaved at different strides", "", "", SecondsAtMost(20e-6), [](const Setting& s) { return EmulatorLegality(s, Judged::kCopyCoprime); }},
    {"legality.vec_trans.interleaved", "legality of vec_trans, 255 blocks, interleaved", "", "", SecondsAtMost(20e-6), [](const Setting& s) { return EmulatorLegality(s, Judged::kTransInterleaved); }},
    // ---- Oracle ------------------------------------------------------------------
    {"oracle.add.half", "oracle: exact half sum, rounded", "", "nodes", RateAtLeast(25e6), [](const Setting& s) { return OracleAdds(s, DType::kHalf); }},
    {"oracle.multiply.half", "oracle: exact half product, rounded", "", "nodes", RateAtLeast(25e6), [](const Setting& s) { return OracleMultiplies(s, DType::kHalf); }},
    {"oracle.call.half", "oracle: RepeatReduceSum half, 255 repeats, a whole call", "", "nodes", RateAtLeast(0), [](const Setting& s) { return OracleSum(s, DType::kHalf); }},
    {"oracle.add.float", "oracle: exact float sum, rounded", "", "nodes", RateAtLeast(10e6), [](const Setting& s) { return OracleAdds(s, DType::kFloat); }},
    {"oracle.multiply.float", "oracle: exact float product, rounded", "", "nodes", RateAtLeast(10e6), [](const Setting& s) { return OracleMultiplies(s, DType::kFloat); }},
    {"oracle.call.float", "oracle: RepeatReduceSum float, 255 repeats, a whole call", "", "nodes", RateAtLeast(0), [](const Setting& s) { return OracleSum(s, DType::kFloat); }},
    {"oracle.true-product", "oracle: true product of 1,024 floats, and whether a result is near it", "", "", SecondsAtMost(0.5e-3), [](const Setting& s) { return OracleTrueProduct(s); }},
    {"oracle.true-product.text", "oracle: the same in decimal, some 23,000 digits", "", "", SecondsAtMost(0), [](const Setting& s) { return OracleTrueProductText(s); }},
    {"oracle.legality.min.repeat-8", "oracle: legality of Min, repeat 8", "", "", SecondsAtMost(20e-6), [](const Setting& s) { return OracleLegality(s, Judged::kMinRepeat8); }},
    {"oracle.legality.repeat_reduce_sum.repeat-8", "oracle: legality of RepeatReduceSum, repeat 8", "", "", SecondsAtMost(20e-6), [](const Setting& s) { return OracleLegality(s, Judged::kSumRepeat8); }},
    {"oracle.legality.data_copy.count", "oracle: legality of DataCopy, count", "", "", SecondsAtMost(20e-6), [](const Setting& s) { return OracleLegality(s, Judged::kCopyCount); }},
    {"oracle.legality.vec_trans.repeat-8", "oracle: legality of vec_trans, 8 blocks", "", "", SecondsAtMost(20e-6), [](const Setting& s) { return OracleLegality(s, Judged::kTransRepeat8); }},
    {"oracle.legality.trowprod", "oracle: legality of TROWPROD 128x128", "", "", SecondsAtMost(0), [](const Setting& s) { return OracleLegality(s, Judged::kProductApart); }},
    {"oracle.legality.min.repeat-255", "oracle: legality of Min, repeat 255, apart", "", "", SecondsAtMost(0), [](const Setting& s) { return OracleLegality(s, Judged::kMinRepeat255); }},
    {"oracle.legality.min.interleaved", "oracle: legality of Min, repeat 255, interleaved", "", "", SecondsAtMost(0.7e-3), [](const Setting& s) { return OracleLegality(s, Judged::kMinInterleaved); }},
    {"oracle.legality.min.coprime", "oracle: legality of Min, repeat 255, interleaved at different strides", "", "", SecondsAtMost(0.7e-3), [](const Setting& s) { return OracleLegality(s, Judged::kMinCoprime); }},
    {"oracle.legality.repeat_reduce_sum.interleaved", "oracle: legality of RepeatReduceSum, repeat 255, interleaved", "", "", SecondsAtMost(0.7e-3), [](const Setting& s) { return OracleLegality(s, Judged::kSumInterleaved); }},
    {"oracle.legality.repeat_reduce_sum.coprime", "oracle: legality of RepeatReduceSum, repeat 255, interleaved at different strides", "", "", SecondsAtMost(0.7e-3), [](const Setting& s) { return OracleLegality(s, Judged::kSumCoprime); }},
    {"oracle.legality.vec_trans.interleaved", "oracle: legality of vec_trans, 255 blocks, interleaved", "", "", SecondsAtMost(0.7e-3), [](const Setting& s) { return OracleLegality(s, Judged::kTransInterleaved); }},
    {"oracle.legality.data_copy.interleaved", "oracle: legality of DataCopy, 4,095 blocks, interleaved", "", "", SecondsAtMost(0), [](const Setting& s) { return OracleLegality(s, Judged::kCopyInterleaved); }},
    // ---- Harness -----------------------------------------------------------------
    {"harness.data_copy", "one case compared: DataCopy of 256 bytes", "nodes of the oracle", "", BesideAtMost(3e-6), [](const Setting& s) { return SmallCaseCompared(s, SmallCase::kCopy, 4096); }},
    {"harness.data_copy.whole", "one case compared: DataCopy of 256 bytes, a whole UB of 256 KiB", "nodes of the oracle", "", BesideAtMost(3e-6), [](const Setting& s) { return SmallCaseCompared(s, SmallCase::kCopy, 262144); }},
    {"harness.vec_trans", "one case compared: vec_trans of 1 block", "nodes of the oracle", "", BesideAtMost(3e-6), [](const Setting& s) { return SmallCaseCompared(s, SmallCase::kTrans, 4096); }},
    {"harness.vec_trans.whole", "one case compared: vec_trans of 1 block, a whole UB of 256 KiB", "nodes of the oracle", "", BesideAtMost(3e-6), [](const Setting& s) { return SmallCaseCompared(s, SmallCase::kTrans, 262144); }},
    {"harness.min", "one case compared: Min of 16 halves", "nodes of the oracle", "", BesideAtMost(3e-6), [](const Setting& s) { return SmallCaseCompared(s, SmallCase::kMin, 4096); }},
    {"harness.min.whole", "one case compared: Min of 16 halves, a whole UB of 256 KiB", "nodes of the oracle", "", BesideAtMost(3e-6), [](const Setting& s) { return SmallCaseCompared(s, SmallCase::kMin, 262144); }},
    {"harness.repeat_reduce_sum", "one case compared: RepeatReduceSum of 16 halves", "nodes of the oracle", "", BesideAtMost(3e-6), [](const Setting& s) { return SmallCaseCompared(s, SmallCase::kSum, 4096); }},
    {"harness.repeat_reduce_sum.whole", "one case compared: RepeatReduceSum of 16 halves, a whole UB of 256 KiB", "nodes of the oracle", "", BesideAtMost(3e-6), [](const Setting& s) { return SmallCaseCompared(s, SmallCase::kSum, 262144); }},
    {"harness.illegal", "one case compared: illegal RepeatReduceSum", "", "", SecondsAtMost(3e-6), [](const Setting& s) { return WithoutYardstick(SmallCaseCompared(s, SmallCase::kIllegal, 4096)); }},
    {"harness.illegal.whole", "one case compared: illegal RepeatReduceSum, a whole UB of 256 KiB", "", "", SecondsAtMost(3e-6), [](const Setting& s) { return WithoutYardstick(SmallCaseCompared(s, SmallCase::kIllegal, 262144)); }},
    // ---- Lint --------------------------------------------------------------------
    {"lint.64-steps", "lint of 64 steps, calls of 255 repeats over all of UB", "", "", SecondsAtMost(5e-3), [](const Setting& s) { return LintProgram(s, 64, 0); }},
    {"lint.10000-steps", "the same of 10,000 steps", "", "", SecondsAtMost(2), [](const Setting& s) { return LintProgram(s, 10'000, 0); }},
    {"lint.growth", "the same of 20,000 steps", "10,000 steps", "", RatioAtLeast(0.45), [](const Setting& s) { return LintProgram(s, 20'000, 10'000); }},
    // ---- Programs ----------------------------------------------------------------
    {"cli.check", "lanediff check, 10,000 small corpus cases", "", "cases", RateAtLeast(5000), [](const Setting& s) { return CheckManyCases(s); }, Clock::kWall},
    {"cli.jobs", "the same with --jobs 2", "--jobs 1", "", RatioAtLeast(1.8), [](const Setting& s) { return CheckTwoJobs(s); }, Clock::kWall},
    {"target.plugin.one", "generate --check of our emulator as a plugin, one processor", "in lanediff itself", "", RatioAtLeast(0.5), [](const Setting& s) { return PluginBesideOurs(s, true); }, Clock::kWall},
    {"target.plugin.all", "the same, all processors", "in lanediff itself", "", RatioAtLeast(0.5), [](const Setting& s) { return PluginBesideOurs(s, false); }, Clock::kWall},
    {"target.exec.program", "generate --check of our emulator as a program, window 16, sparse, one processor", "", "cases", RateAtLeast(4000), [](const Setting& s) { return ProgramTarget(s); }, Clock::kWall},
    {"target.exec.python", "generate --check of the example in Python, one processor", "", "cases", RateAtLeast(1000), [](const Setting& s) { return PythonTarget(s); }, Clock::kWall},
    {"cli.start.help", "lanediff --help, start to end", "", "", SecondsAtMost(20e-3), [](const Setting& s) { return StartHelp(s); }, Clock::kWall},
    {"cli.start.list", "lanediff list rules, start to end", "", "", SecondsAtMost(20e-3), [](const Setting& s) { return StartList(s); }, Clock::kWall},
    {"fuzz.empty", "libFuzzer, empty target, sanitizers on", "", "cases", RateAtLeast(0), [](const Setting& s) { return EmptyFuzzer(s); }, Clock::kWall},
    {"fuzz.repeat_reduce_sum", "lanediff-fuzz-repeat_reduce_sum from nothing", "", "cases", RateAtLeast(0), [](const Setting& s) { return FuzzProgram(s, "repeat_reduce_sum"); }, Clock::kWall},
    {"fuzz.min", "lanediff-fuzz-min from nothing", "", "cases", RateAtLeast(0), [](const Setting& s) { return FuzzProgram(s, "min"); }, Clock::kWall},
    {"fuzz.data_copy", "lanediff-fuzz-data_copy from nothing", "", "cases", RateAtLeast(0), [](const Setting& s) { return FuzzProgram(s, "data_copy"); }, Clock::kWall},
    {"fuzz.trowprod", "lanediff-fuzz-trowprod from nothing", "", "cases", RateAtLeast(0), [](const Setting& s) { return FuzzProgram(s, "trowprod"); }, Clock::kWall},
    {"fuzz.vec_trans", "lanediff-fuzz-vec_trans from nothing", "", "cases", RateAtLeast(0), [](const Setting& s) { return FuzzProgram(s, "vec_trans"); }, Clock::kWall},
    {"fuzz.program", "lanediff-fuzz-program from nothing", "", "cases", RateAtLeast(0), [](const Setting& s) { return FuzzProgram(s, "program"); }, Clock::kWall},
};
// clang-format on

}  // namespace

std::span<const Row> Rows() { return kRows; }

}  // namespace lanediff::bench
