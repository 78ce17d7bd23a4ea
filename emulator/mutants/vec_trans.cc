// vec_trans: seams of addresses, kernels, write-back and vectors.

#include <algorithm>
#include <span>
#include <utility>

#include "emulator/address.h"
#include "emulator/mutants/floats.h"
#include "emulator/mutants/plant.h"

namespace lanediff::mutants {
namespace {

namespace rule = isa::vt;
using emulator::kVecTrans;
using Block = emulator::VecTransBlock;
using Call = isa::VecTrans;
using Constant = std::span<const std::uint8_t>;
using Plan = emulator::VecTransPlan;
using Seams = emulator::VecTransSeams;
using Ub = std::span<std::uint8_t>;
using emulator::Path;

Mutant Moved(const Label& label, emulator::VecTransKernel kernel) {
  return PlantedIn<Call>(&Seams::kernel, kernel, label);
}

/// The block of iteration `r` as it lies in memory.
Block SourceOf(const Plan& plan, std::int64_t r, Constant ub) {
  return emulator::Load<Block>(ub, plan.src.begin + r * plan.src.stride);
}

constexpr int kSide = 16;
constexpr int kQuarter = 8;

bool InPlace(const Plan& plan) { return plan.src.begin == plan.dst.begin; }

/// Swaps the quarters of a block of `dst` that are not on its diagonal.
void SwapQuarters(std::int64_t block, Ub ub) {
  const auto at = [&](int row, int column) {
    return block + 2 * (row * kSide + column);
  };
  for (int row = 0; row < kQuarter; ++row) {
    for (int column = kQuarter; column < kSide; ++column) {
      const std::int64_t upper = at(row, column);
      const std::int64_t lower = at(row + kQuarter, column - kQuarter);
      const auto moved = emulator::Load<std::uint16_t>(ub, upper);
      emulator::Store(ub, upper, emulator::Load<std::uint16_t>(ub, lower));
      emulator::Store(ub, lower, moved);
    }
  }
}

}  // namespace

Table VecTransPlans() {
  return {
      Planned<Call>({"vt-first-block-only", rule::kAddress,
                     "transposes one block, whatever repeat_times is"},
                    [](Plan& p) { p.dst.count = 1; }),
      Planned<Call>({"vt-last-repeat-skipped", rule::kAddress,
                     "leaves out the last iteration of several"},
                    [](Plan& p) {
                      if (p.dst.count > 1) --p.dst.count;
                    }),
      Planned<Call>({"vt-repeat-8-bit", rule::kAddress,
                     "keeps eight bits of repeat_times",
                     "repeat is uint8_t in the other instructions"},
                    [](Plan& p) { p.dst.count %= 256; }),
      Planned<Call>(
          {"vt-dst-stride-in-blocks", rule::kAddress,
           "counts dst_rep_stride in 32 bytes",
           "the unit of the other instructions' strides"},
          [](Plan& p, const Call& c) { p.dst.stride = c.dst_rep_stride * 32; }),
      Planned<Call>({"vt-src-stride-tail-to-head", rule::kAddress,
                     "counts src_rep_stride from a block's tail"},
                    [](Plan& p) { p.src.stride += 512; }),
      Planned<Call>(
          {"vt-strides-swapped", rule::kAddress,
           "takes one stride for the other",
           "the parameters stand dst first, the operands' text src first"},
          [](Plan& p) { std::swap(p.src.stride, p.dst.stride); }),
      Planned<Call>({"vt-stride-zero-as-one", rule::kInOrder,
                     "takes dst_rep_stride = 0 for 1"},
                    [](Plan& p) {
                      if (p.dst.stride == 0) p.dst.stride = 512;
                    }),
      Planned<Call>({"vt-iterations-reversed", rule::kInOrder,
                     "runs the iterations from the last to the first"},
                    [](Plan& p) {
                      for (auto* blocks : {&p.src, &p.dst}) {
                        blocks->begin += (p.dst.count - 1) * blocks->stride;
                        blocks->stride = -blocks->stride;
                      }
                    }),
  };
}

Table VecTransKernels() {
  return {
      Moved({"vt-copies", rule::kTranspose, "copies the block as it is"},
            [](const Plan& p, std::int64_t r, Constant ub, Block& out) {
              out = SourceOf(p, r, ub);
            }),
      Moved({"vt-quadrants-in-place", rule::kTranspose,
             "transposes each 8 x 8 quadrant where it stands",
             "a transpose built from smaller ones without the last exchange"},
            [](const Plan& p, std::int64_t r, Constant ub, Block& out) {
              const Block in = SourceOf(p, r, ub);
              for (int i = 0; i < 16; ++i) {
                for (int j = 0; j < 16; ++j) {
                  const int row = i / 8 * 8 + j % 8;
                  const int column = j / 8 * 8 + i % 8;
                  out[row * 16 + column] = in[i * 16 + j];
                }
              }
            }),
      Moved({"vt-other-diagonal", rule::kTranspose,
             "mirrors at the other diagonal"},
            [](const Plan& p, std::int64_t r, Constant ub, Block& out) {
              const Block in = SourceOf(p, r, ub);
              for (int i = 0; i < 16; ++i) {
                for (int j = 0; j < 16; ++j) {
                  out[(15 - j) * 16 + 15 - i] = in[i * 16 + j];
                }
              }
            }),
      Moved({"vt-in-place-unbuffered", rule::kTranspose,
             "reads, where it works in place, what it has just written",
             "a loop of assignments without a buffer"},
            [](const Plan& p, std::int64_t r, Constant ub, Block& out) {
              kVecTrans.kernel(p, r, ub, out);
              const bool in_place = p.src.begin + r * p.src.stride ==
                                    p.dst.begin + r * p.dst.stride;
              if (!in_place) return;
              Block block = SourceOf(p, r, ub);
              for (int i = 0; i < 16; ++i) {
                for (int j = 0; j < 16; ++j) {
                  block[j * 16 + i] = block[i * 16 + j];
                }
              }
              out = block;
            }),
      Moved({"vt-flushes-subnormals", rule::kBits,
             "loses bit patterns that are subnormal halves",
             "a transpose through floating-point registers"},
            [](const Plan& p, std::int64_t r, Constant ub, Block& out) {
              kVecTrans.kernel(p, r, ub, out);
              std::ranges::transform(out, out.begin(), FlushedHalf);
            }),
      Moved({"vt-loses-minus-zero", rule::kBits, "makes 0x8000 0x0000"},
            [](const Plan& p, std::int64_t r, Constant ub, Block& out) {
              kVecTrans.kernel(p, r, ub, out);
              std::ranges::replace(out, 0x8000u, std::uint16_t{0});
            }),
  };
}

Table VecTransWriteBacks() {
  return {
      Written<Call>(
          {"vt-last-row-lost", rule::kTranspose, "writes 15 of 16 rows",
           "< side - 1 for < side"},
          [](const Plan& p, std::int64_t r, const Block& block, Ub ub) {
            for (int i = 0; i < 240; ++i) {
              emulator::Store(ub, p.dst.begin + r * p.dst.stride + 2 * i,
                              block[i]);
            }
          }),
      Written<Call>(
          {"vt-byte-behind-written", rule::kAddress,
           "changes the byte behind a block"},
          [](const Plan& p, std::int64_t r, const Block& block, Ub ub) {
            const std::int64_t behind = p.dst.begin + r * p.dst.stride + 512;
            const auto old = emulator::Load<std::uint8_t>(ub, behind);
            emulator::Store(ub, behind, static_cast<std::uint8_t>(~old));
            kVecTrans.write_back(p, r, block, ub);
          }),
      Written<Call>(
          {"vt-zeros-keep-dst", rule::kTranspose,
           "leaves what dst held where an element is zero",
           "scatter into a buffer that is taken for cleared"},
          [](const Plan& p, std::int64_t r, const Block& block, Ub ub) {
            for (int i = 0; i < 256; ++i) {
              if (block[i] == 0) continue;
              emulator::Store(ub, p.dst.begin + r * p.dst.stride + 2 * i,
                              block[i]);
            }
          }),
  };
}

Table VecTransVectorKernels() {
  return {
      Computed<Call>({"vt-vectors-quarters-stay", rule::kTranspose,
                      "vectors transpose four blocks of 8 x 8 where they lie",
                      "three shuffles in the place of four"},
                     [](const Plan& plan, Ub ub) {
                       const Path path = RealVectors<Call>(plan, ub);
                       for (std::int64_t r = 0; r < plan.dst.count; ++r) {
                         SwapQuarters(plan.dst.begin + r * plan.dst.stride, ub);
                       }
                       return path;
                     }),
      ComputedFrom<Call>(
          {"vt-vectors-in-place-once", rule::kInOrder,
           "vectors transpose a block in place once, however often it is "
           "requested"},
          [](Plan& p) {
            if (InPlace(p) && p.src.stride == 0) {
              p.src.count = p.dst.count = 1;
            }
          }),
      ComputedFrom<Call>(
          {"vt-vectors-last-one-lost", rule::kInOrder,
           "vectors write the first of several blocks with dst stride 0"},
          [](Plan& p) {
            if (!InPlace(p) && p.dst.stride == 0) {
              p.src.count = p.dst.count = 1;
            }
          }),
  };
}

}  // namespace lanediff::mutants
