#pragma once

#include <cstddef>
#include <cstdint>

#include "isa/step.h"
#include "isa/vocabulary.h"
#include "tools/bench/data.h"
#include "tools/bench/row.h"

/// Makers of rows, by instruction. Each gives a legal call, its data and the
/// yardstick beside it.
namespace lanediff::bench {

// ---- Emulator, through Emulator::Execute ------------------------------------

/// Full mask, 255 repeats, contiguous, beside the loop in AVX2. Data whose
/// results are too large is for Min and Max only.
template <class Call>
Prepared ElementwiseContiguous(const Setting& setting, isa::DType type,
                               Data data);
/// A random bitwise mask, block stride 2 and repeat stride 9 of all operands,
/// 255 repeats; the yardstick is the contiguous call with full mask.
template <class Call>
Prepared ElementwiseMasked(const Setting& setting, isa::DType type, Data data);

/// 128 halves, 255 repeats, contiguous.
Prepared ReduceSumBesideAvx2(const Setting& setting, Data data);
Prepared ReduceSumBesideScalar(const Setting& setting, Data data);
/// 64 floats, 255 repeats; the yardstick is the half call, as many bytes.
Prepared ReduceSumFloatBesideHalf(const Setting& setting);
/// WholeReduceSum of the halves that a random bitwise mask names, 255 repeats;
/// the yardstick is RepeatReduceSum of all lanes.
Prepared WholeReduceSumMasked(const Setting& setting);

/// The count form, UB to UB or GM to UB, and a PipeBarrier, without which the
/// second copy would be illegal; beside memcpy.
Prepared CopyContiguous(const Setting& setting, bool from_gm,
                        std::int64_t bytes);
/// At most 4,095 blocks of 32 bytes from GM to UB, gaps in DataBlocks; beside
/// memcpy of as many bytes without gaps.
Prepared CopyBlocks(const Setting& setting, std::int64_t blocks,
                    std::int64_t src_gap, std::int64_t dst_gap);

/// A whole tile; beside the plain left fold of the same data.
Prepared RowProducts(const Setting& setting, isa::DType type, std::int64_t rows,
                     std::int64_t cols, isa::Order order, Data data);

/// 255 blocks, contiguous; beside memcpy of as many bytes.
Prepared Transpose(const Setting& setting);

// ---- Emulator, legality alone -----------------------------------------------

/// Calls that are judged; legality_bench.cc lists them. Apart: the
/// operands' windows don't meet. Interleaved: blocks of one lie in the gaps of
/// the others, at equal strides. Coprime: the same at different strides.
enum class Judged : std::uint8_t {
  kMinRepeat1,
  kMinRepeat8,
  kMinRepeat255,
  kMinStrided,
  kMinInterleaved,
  kMinCoprime,
  kMinIllegal,
  kSumRepeat1,
  kSumRepeat8,
  kSumRepeat255,
  kSumStrided,
  kSumInterleaved,
  kSumCoprime,
  kCopyCount,
  kCopyBlocks,
  kCopyInterleaved,
  kCopyCoprime,
  kTransRepeat8,
  kTransRepeat255,
  kTransInterleaved,
  kProductApart,
};
/// The legality seam alone.
Prepared EmulatorLegality(const Setting& setting, Judged call);

// ---- Oracle -----------------------------------------------------------------

/// Rounded nodes on random finite values, all exponents.
Prepared OracleAdds(const Setting& setting, isa::DType type);
Prepared OracleMultiplies(const Setting& setting, isa::DType type);
/// Nodes in a whole call of 255 repeats: RepeatReduceSum.
Prepared OracleSum(const Setting& setting, isa::DType type);
/// The exact product of 1,024 floats: whether a result is near enough to it,
/// and the product in decimal.
Prepared OracleTrueProduct(const Setting& setting);
Prepared OracleTrueProductText(const Setting& setting);
/// Every reject rule, judged by listing.
Prepared OracleLegality(const Setting& setting, Judged call);

// ---- Harness ----------------------------------------------------------------

/// CompareCase of a case with one small call, emulator against oracle;
/// beside the oracle's nodes of it, by themselves.
enum class SmallCase : std::uint8_t { kCopy, kTrans, kMin, kSum, kIllegal };
Prepared SmallCaseCompared(const Setting& setting, SmallCase which,
                           std::int64_t ub_bytes);

// ---- Programs ---------------------------------------------------------------

/// `lanediff check` of small corpus cases; a unit is a case.
Prepared CheckManyCases(const Setting& setting);
/// The same with two jobs beside one.
Prepared CheckTwoJobs(const Setting& setting);
/// A kernel of 8 blocks over 2²⁰ elements, tiles of 4096 in double buffers, all
/// checks on, beside a plain loop over the same buffers. `call`: add or min.
Prepared KernelBesideLoop(const Setting& setting, const char* call,
                          const char* options);

/// `generate --check` of our emulator as a plugin beside the same in lanediff
/// itself, each on one processor or on all; a unit is a case.
Prepared PluginBesideOurs(const Setting& setting, bool one_processor);
/// `generate --check`, on one processor, of our emulator as a program with a
/// window of 16 and sparse memories, and of the example in Python.
Prepared ProgramTarget(const Setting& setting);
Prepared PythonTarget(const Setting& setting);
/// Start to end of a program that has next to nothing to do.
Prepared StartHelp(const Setting& setting);
Prepared StartList(const Setting& setting);
/// libFuzzer with a target that does nothing; a unit is an execution.
Prepared EmptyFuzzer(const Setting& setting);
/// A fuzz program that starts without inputs; a unit is a case.
Prepared FuzzProgram(const Setting& setting, const char* instruction);

// ---- Lint -------------------------------------------------------------------

/// Half of `steps` calls of 255 repeats over all of UB, a barrier behind each;
/// beside the same of `beside` steps, if there are any.
Prepared LintProgram(const Setting& setting, std::size_t steps,
                     std::size_t beside);

/// A call whose legality is decided, and the product it is for.
struct JudgedCall {
  isa::Product product;
  isa::Step step;
};

JudgedCall CallOf(Judged which);

}  // namespace lanediff::bench
