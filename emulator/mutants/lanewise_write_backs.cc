// Lane-wise calls: seams of write-back, and of vectors in the place of kernel
// and write-back.

#include <algorithm>
#include <span>
#include <vector>

#include "emulator/mutants/lanewise.h"

namespace lanediff::mutants::lanewise {
namespace {

using emulator::kBlockBytes;
using emulator::kIterationBytes;
using emulator::Path;
using Index = std::int64_t;  // of an iteration

/// The real write-back.
void WriteReal(const Plan& plan, Index r, const Result& result, Ub ub) {
  PlainSeams(*plan.signature).write_back(plan, r, result, ub);
}

/// Calls `visit(byte offset in the result, address, whether it takes part)` for
/// each lane of an iteration.
void EachLane(const Plan& plan, Index r, auto visit) {
  const auto element = static_cast<int>(plan.dst().element_bytes);
  for (int offset = 0; offset < kIterationBytes; offset += element) {
    visit(offset, plan.dst().BlockAt(r, offset / 32) + offset % 32,
          plan.LanesOf(r).Slice(offset / element, 1) != 0);
  }
}

Table Writes(const LaneRow& row) {
  return {
      row("unmasked-lanes-zeroed", kUnmasked,
          "writes 0 to the lanes that take no part",
          "zeroing instead of merging masking")
          .Where(!row.Packs())
          .Written([](const Plan& p, Index r, const Result& result, Ub ub) {
            EachLane(p, r, [&](int, std::int64_t at, bool takes_part) {
              const std::int64_t bytes = takes_part ? 0 : p.dst().element_bytes;
              for (std::int64_t byte = 0; byte < bytes; ++byte) {
                emulator::Store(ub, at + byte, std::uint8_t{0});
              }
            });
            WriteReal(p, r, result, ub);
          }),
      row("byte-behind-written", kUnmasked,
          "changes the byte behind the last lane of an iteration")
          .Where(!row.Packs())
          .Written([](const Plan& p, Index r, const Result& result, Ub ub) {
            WriteReal(p, r, result, ub);
            std::int64_t behind = -1;
            EachLane(p, r, [&](int, std::int64_t at, bool takes_part) {
              if (takes_part) behind = at + p.dst().element_bytes;
            });
            const auto old = emulator::Load<std::uint8_t>(ub, behind);
            emulator::Store(ub, behind, static_cast<std::uint8_t>(~old));
          }),
      row("full-mask-last-lane-lost", kMaskLanes,
          "never writes lane 127 of 16-bit types",
          "(1 << n) - 1 built in a type that is too narrow")
          .Where(!row.Packs())
          .Written([](const Plan& p, Index r, const Result& result, Ub ub) {
            Plan fewer = p;
            constexpr std::uint64_t kAllButLast = ~std::uint64_t{0} >> 1;
            fewer.lanes.high &= kAllButLast;
            fewer.last_lanes.high &= kAllButLast;
            WriteReal(fewer, r, result, ub);
          }),
      row("last-iteration-not-written", kAddress,
          "never writes the last of several iterations",
          "a store that waits for the next one")
          .Written([](const Plan& p, Index r, const Result& result, Ub ub) {
            if (r == 0 || r + 1 < p.iterations) WriteReal(p, r, result, ub);
          }),
  };
}

/// Accumulates int32 into dst by `Keep`, a function that takes one of two.
template <class Keep>
Mutant Accumulated(const LaneLabel& label, Keep) {
  return label.Written([](const Plan& p, Index r, const Result& result, Ub ub) {
    if (p.dtype != DType::kInt32) {
      WriteReal(p, r, result, ub);
      return;
    }
    EachLane(p, r, [&](int offset, std::int64_t at, bool takes_part) {
      if (!takes_part) return;
      const auto now = emulator::Load<Int32>(result, offset);
      const auto old = emulator::Load<Int32>(ub, at);
      emulator::Store(ub, at, Int32{Keep{}(now, old)});
    });
  });
}

Table Accumulations(const LaneRow& row) {
  return {
      Accumulated(row("smaller-than-dst-only", kValue,
                      "writes only where the result is below what dst held",
                      "an accumulating minimum")
                      .Where(row.value == "OneOfTwo<Smaller>"),
                  std::ranges::min),
      Accumulated(row("larger-than-dst-only", kValue,
                      "writes only where the result is above what dst held",
                      "an accumulating maximum")
                      .Where(row.value == "OneOfTwo<Larger>"),
                  std::ranges::max),
  };
}

/// `lanes` and those beside them in the same DataBlocks.
LaneMask WholeBlocks(const LaneMask& lanes, std::int64_t element) {
  const auto per_block = static_cast<int>(kBlockBytes / element);
  const std::uint64_t block = (std::uint64_t{1} << per_block) - 1;
  LaneMask whole;
  for (int first = 0; first < emulator::kBlocksPerIteration * per_block;
       first += per_block) {
    if (lanes.Slice(first, per_block) == 0) continue;
    (first < 64 ? whole.low : whole.high) |= block << (first % 64);
  }
  return whole;
}

Table Vectors(const LaneRow& row) {
  return {
      row("vectors-write-whole-blocks", kUnmasked,
          "vectors write every lane of a DataBlock that takes part",
          "a masked store that lost its mask")
          .Where(!row.Packs())
          .ComputedFrom([](Plan& p) {
            const std::int64_t element = p.dst().element_bytes;
            p.lanes = WholeBlocks(p.lanes, element);
            p.last_lanes = WholeBlocks(p.last_lanes, element);
          }),
      row("vectors-last-lanes-lost", kAddress,
          "vectors leave out the last iteration of the count form if it is not "
          "whole",
          "a loop over whole vectors without its remainder")
          .Where(row.has_count() && !row.Packs())
          .Computed([](const Plan& plan, Ub ub) {
            Plan other = plan;
            other.iterations -= plan.lanes == plan.last_lanes ? 0 : 1;
            return other.iterations == 0
                       ? Path::kMasked
                       : RealVectors<emulator::LanewiseSeams>(other, ub);
          }),
      row("vectors-read-before-all-writes", kInOrder,
          "vectors compute every iteration before they write one",
          "loads hoisted out of the loop")
          .Where(row.rereads())
          .Computed([](const Plan& plan, Ub ub) {
            std::vector<Result> results(
                static_cast<std::size_t>(plan.iterations));
            const auto kernel =
                PlainSeams(*plan.signature).KernelOf(plan.dtype);
            Index r = 0;
            for (Result& result : results) kernel(plan, r++, ub, result);
            r = 0;
            for (const Result& result : results) {
              WriteReal(plan, r++, result, ub);
            }
            return Path::kStrided;
          }),
      row("vectors-first-iteration-only", kInOrder,
          "vectors write the first of several iterations with dstRepStride 0")
          .Where(row.Counts() || !row.has_count())
          .ComputedFrom([](Plan& p) {
            if (p.dst().repeat_stride == 0) p.iterations = 1;
          }),
      row("vectors-contiguous-by-blocks", kAddress,
          "vectors take sources without gaps inside an iteration for "
          "contiguous ones")
          .Where(row.has_source())
          .ComputedFrom([](Plan& p, Ub ub) {
            for (std::size_t i = 0; i < p.signature->sources(); ++i) {
              const bool inside =
                  p.src(i).at + p.iterations * kIterationBytes <=
                  static_cast<std::int64_t>(ub.size());
              if (p.src(i).block_stride == kBlockBytes && inside) {
                p.src(i).repeat_stride = kIterationBytes;
              }
            }
          }),
      row("vectors-low-half-of-scalar", kValue,
          "vectors fill 32-bit lanes with the low 16 bits of the scalar",
          "a scalar register of the wrong width")
          .Where(row.value == "Copy" && row.signature.Has(Param::kScalar))
          .ComputedFrom([](Plan& p) { p.scalar &= 0xffffu; }),
      row("vectors-le-is-lt", kValue, "vectors take LE for LT")
          .Where(row.Packs())
          .ComputedFrom([](Plan& p) {
            if (p.cmp_mode == isa::CmpMode::kLe) p.cmp_mode = isa::CmpMode::kLt;
          }),
      row("vectors-floats-as-int32", kValue,
          "vectors compare floats as integers",
          "an order that holds for what is not negative")
          .Where(row.Packs())
          .ComputedFrom([](Plan& p) {
            if (p.dtype == DType::kFloat) p.dtype = DType::kInt32;
          }),
      row("vectors-first-iteration-alone", kAddress,
          "vectors compute one iteration of several")
          .Where(row.Packs())
          .ComputedFrom([](Plan& p) { p.iterations = 1; }),
      row("vectors-scalar-of-the-wrong-width", kValue,
          "vectors fill 32-bit lanes with the low 16 bits of the scalar",
          "a scalar register of the wrong width")
          .Where(row.Selects())
          .ComputedFrom([](Plan& p) { p.scalar &= 0xffffu; }),
      row("vectors-take-the-first-bits-again", kBits,
          "vectors take the bits of the first iteration for all",
          "a mask register loaded once")
          .Where(row.Selects())
          .ComputedFrom([](Plan& p) { p.src(1).repeat_stride = 0; }),
      row("vectors-src1-in-place-of-scalar", kValue,
          "vectors take src0 where bits are 0 and a scalar is given")
          .Where(row.Selects())
          .ComputedFrom([](Plan& p) {
            if (p.selects_scalar) p.src(2) = p.src(0);
            p.selects_scalar = false;
          }),
      row("vectors-never-saturate", kValue,
          "vectors keep infinity and NaN in saturation mode")
          .Where(row.Saturates())
          .ComputedFrom([](Plan& p) { p.saturation = false; }),
      row("vectors-floats-by-bits", kValue,
          "vectors compare floats as integers",
          "an order that holds for what is not negative")
          .Where(row.GivesOneOfTwo())
          .ComputedFrom([](Plan& p) {
            if (p.dtype == DType::kFloat) p.dtype = DType::kInt32;
          }),
      row("vectors-always-saturate", kIntegerOverflow,
          "vectors saturate integers with the mode off, too",
          "an instruction that knows no other way")
          .Where(row.GivesResultOfTwo())
          .ComputedFrom([](Plan& p) {
            p.saturation = p.saturation || p.dtype == DType::kInt16 ||
                           p.dtype == DType::kInt32;
          }),
      row("vectors-wrap-int32", kIntegerOverflow,
          "vectors keep the low bits of int32 in saturation mode",
          "saturating instructions stop at 16 bits")
          .Where(row.GivesResultOfTwo())
          .ComputedFrom([](Plan& p) {
            p.saturation = p.saturation && p.dtype != DType::kInt32;
          }),
  };
}

}  // namespace

Table WriteBacks(const LaneRow& row) {
  return Joined(Writes(row), Accumulations(row), Vectors(row));
}

}  // namespace lanediff::mutants::lanewise
