// vec_trans: seams of addresses, kernels, write-back and vectors.

#include <algorithm>
#include <span>
#include <utility>

#include "emulator/address.h"
#include "emulator/mutants/floats.h"
#include "emulator/mutants/plant.h"

namespace lanediff::mutants {
namespace {

using enum isa::CallRule;
using emulator::kVecTrans;
using Block = emulator::VecTransBlock;
using isa::Call;
using Constant = std::span<const std::uint8_t>;
using Plan = emulator::VecTransPlan;
using Seams = emulator::VecTransSeams;
using Ub = std::span<std::uint8_t>;
using emulator::Path;

Mutant Moved(const Label& label, emulator::VecTransKernel kernel) {
  return PlantedIn(&Seams::kernel, kernel, label);
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
      kTransposeRow("vt-first-block-only", kAddress,
                    "transposes one block, whatever repeat_times is")
          .Planned([](Plan& p) { p.dst.count = 1; }),
      kTransposeRow("vt-last-repeat-skipped", kAddress,
                    "leaves out the last iteration of several")
          .Planned([](Plan& p) {
            if (p.dst.count > 1) --p.dst.count;
          }),
      kTransposeRow("vt-repeat-8-bit", kAddress,
                    "keeps eight bits of repeat_times",
                    "repeat is uint8_t in the other instructions")
          .Planned([](Plan& p) { p.dst.count %= 256; }),
      kTransposeRow("vt-dst-stride-in-blocks", kAddress,
                    "counts dst_rep_stride in 32 bytes",
                    "the unit of the other instructions' strides")
          .Planned([](Plan& p, const Call& c) {
            p.dst.stride = c.RepStride(0) * 32;
          }),
      kTransposeRow("vt-src-stride-tail-to-head", kAddress,
                    "counts src_rep_stride from a block's tail")
          .Planned([](Plan& p) { p.src.stride += 512; }),
      kTransposeRow(
          "vt-strides-swapped", kAddress, "takes one stride for the other",
          "the parameters stand dst first, the operands' text src first")
          .Planned([](Plan& p) { std::swap(p.src.stride, p.dst.stride); }),
      kTransposeRow("vt-stride-zero-as-one", kInOrder,
                    "takes dst_rep_stride = 0 for 1")
          .Planned([](Plan& p) {
            if (p.dst.stride == 0) p.dst.stride = 512;
          }),
      kTransposeRow("vt-iterations-reversed", kInOrder,
                    "runs the iterations from the last to the first")
          .Planned([](Plan& p) {
            for (auto* blocks : {&p.src, &p.dst}) {
              blocks->begin += (p.dst.count - 1) * blocks->stride;
              blocks->stride = -blocks->stride;
            }
          }),
  };
}

Table VecTransKernels() {
  return {
      Moved(kTransposeRow("vt-copies", kTranspose, "copies the block as it is"),
            [](const Plan& p, std::int64_t r, Constant ub, Block& out) {
              out = SourceOf(p, r, ub);
            }),
      Moved(
          kTransposeRow(
              "vt-quadrants-in-place", kTranspose,
              "transposes each 8 x 8 quadrant where it stands",
              "a transpose built from smaller ones without the last exchange"),
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
      Moved(kTransposeRow("vt-other-diagonal", kTranspose,
                          "mirrors at the other diagonal"),
            [](const Plan& p, std::int64_t r, Constant ub, Block& out) {
              const Block in = SourceOf(p, r, ub);
              for (int i = 0; i < 16; ++i) {
                for (int j = 0; j < 16; ++j) {
                  out[(15 - j) * 16 + 15 - i] = in[i * 16 + j];
                }
              }
            }),
      Moved(kTransposeRow(
                "vt-in-place-unbuffered", kTranspose,
                "reads, where it works in place, what it has just written",
                "a loop of assignments without a buffer"),
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
      Moved(kTransposeRow("vt-flushes-subnormals", kBits,
                          "loses bit patterns that are subnormal halves",
                          "a transpose through floating-point registers"),
            [](const Plan& p, std::int64_t r, Constant ub, Block& out) {
              kVecTrans.kernel(p, r, ub, out);
              std::ranges::transform(out, out.begin(), FlushedHalf);
            }),
      Moved(kTransposeRow("vt-loses-minus-zero", kBits, "makes 0x8000 0x0000"),
            [](const Plan& p, std::int64_t r, Constant ub, Block& out) {
              kVecTrans.kernel(p, r, ub, out);
              std::ranges::replace(out, 0x8000u, std::uint16_t{0});
            }),
  };
}

Table VecTransWriteBacks() {
  return {
      kTransposeRow("vt-last-row-lost", kTranspose, "writes 15 of 16 rows",
                    "< side - 1 for < side")
          .Written(
              [](const Plan& p, std::int64_t r, const Block& block, Ub ub) {
                for (int i = 0; i < 240; ++i) {
                  emulator::Store(ub, p.dst.begin + r * p.dst.stride + 2 * i,
                                  block[i]);
                }
              }),
      kTransposeRow("vt-byte-behind-written", kAddress,
                    "changes the byte behind a block")
          .Written([](const Plan& p, std::int64_t r, const Block& block,
                      Ub ub) {
            const std::int64_t behind = p.dst.begin + r * p.dst.stride + 512;
            const auto old = emulator::Load<std::uint8_t>(ub, behind);
            emulator::Store(ub, behind, static_cast<std::uint8_t>(~old));
            kVecTrans.write_back(p, r, block, ub);
          }),
      kTransposeRow("vt-zeros-keep-dst", kTranspose,
                    "leaves what dst held where an element is zero",
                    "scatter into a buffer that is taken for cleared")
          .Written(
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
      kTransposeRow("vt-vectors-quarters-stay", kTranspose,
                    "vectors transpose four blocks of 8 x 8 where they lie",
                    "three shuffles in the place of four")
          .Computed([](const Plan& plan, Ub ub) {
            const Path path = RealVectors<Seams>(plan, ub);
            for (std::int64_t r = 0; r < plan.dst.count; ++r) {
              SwapQuarters(plan.dst.begin + r * plan.dst.stride, ub);
            }
            return path;
          }),
      kTransposeRow(
          "vt-vectors-in-place-once", kInOrder,
          "vectors transpose a block in place once, however often it is "
          "requested")
          .ComputedFrom([](Plan& p) {
            if (InPlace(p) && p.src.stride == 0) {
              p.src.count = p.dst.count = 1;
            }
          }),
      kTransposeRow(
          "vt-vectors-last-one-lost", kInOrder,
          "vectors write the first of several blocks with dst stride 0")
          .ComputedFrom([](Plan& p) {
            if (!InPlace(p) && p.dst.stride == 0) {
              p.src.count = p.dst.count = 1;
            }
          }),
  };
}

}  // namespace lanediff::mutants
