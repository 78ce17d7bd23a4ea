// vec_trans: seams of addresses, kernels and write-back.

#include <algorithm>
#include <utility>

#include "emulator/address.h"
#include "emulator/mutants/floats.h"
#include "emulator/mutants/modules.h"
#include "emulator/mutants/plant.h"

namespace lanediff::mutants {
namespace {

namespace rule = isa::vt;
using emulator::kVecTrans;
using emulator::State;
using Block = emulator::VecTransBlock;
using Call = isa::VecTrans;
using Constant = std::span<const std::uint8_t>;
using Plan = emulator::VecTransPlan;
using Seams = emulator::VecTransSeams;
using Ub = std::span<std::uint8_t>;

/// The real plan, altered by `change(plan, call, state)`.
template <class Change>
Mutant Planned(const Label& label, Change change) {
  return Plant(Call::kSlug, &emulator::Seams::vec_trans, &Seams::plan,
               AlteredPlan<kVecTrans, Call>(change), label);
}

Mutant Moved(const Label& label, emulator::VecTransKernel kernel) {
  return Plant(Call::kSlug, &emulator::Seams::vec_trans, &Seams::kernel, kernel,
               label);
}

Mutant Written(const Label& label, decltype(Seams::write_back) write_back) {
  return Plant(Call::kSlug, &emulator::Seams::vec_trans, &Seams::write_back,
               write_back, label);
}

/// The block of iteration `r` as it lies in memory.
Block SourceOf(const Plan& plan, std::int64_t r, Constant ub) {
  return emulator::Load<Block>(ub, plan.src.begin + r * plan.src.stride);
}

}  // namespace

Table VecTransPlans() {
  return {
      Planned({"vt-first-block-only", rule::kAddress,
               "transposes one block, whatever repeat_times is"},
              [](Plan& p, const Call&, const State&) { p.dst.count = 1; }),
      Planned({"vt-last-repeat-skipped", rule::kAddress,
               "leaves out the last iteration of several"},
              [](Plan& p, const Call&, const State&) {
                if (p.dst.count > 1) --p.dst.count;
              }),
      Planned({"vt-repeat-8-bit", rule::kAddress,
               "keeps eight bits of repeat_times",
               "repeat is uint8_t in the other instructions"},
              [](Plan& p, const Call&, const State&) { p.dst.count %= 256; }),
      Planned({"vt-dst-stride-in-blocks", rule::kAddress,
               "counts dst_rep_stride in 32 bytes",
               "the unit of the other instructions' strides"},
              [](Plan& p, const Call& c, const State&) {
                p.dst.stride = c.dst_rep_stride * 32;
              }),
      Planned({"vt-src-stride-tail-to-head", rule::kAddress,
               "counts src_rep_stride from a block's tail"},
              [](Plan& p, const Call&, const State&) { p.src.stride += 512; }),
      Planned({"vt-strides-swapped", rule::kAddress,
               "takes one stride for the other",
               "the parameters stand dst first, the operands' text src first"},
              [](Plan& p, const Call&, const State&) {
                std::swap(p.src.stride, p.dst.stride);
              }),
      Planned({"vt-stride-zero-as-one", rule::kInOrder,
               "takes dst_rep_stride = 0 for 1"},
              [](Plan& p, const Call&, const State&) {
                if (p.dst.stride == 0) p.dst.stride = 512;
              }),
      Planned({"vt-iterations-reversed", rule::kInOrder,
               "runs the iterations from the last to the first"},
              [](Plan& p, const Call&, const State&) {
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
      Written({"vt-last-row-lost", rule::kTranspose, "writes 15 of 16 rows",
               "< side - 1 for < side"},
              [](const Plan& p, std::int64_t r, const Block& block, Ub ub) {
                for (int i = 0; i < 240; ++i) {
                  emulator::Store(ub, p.dst.begin + r * p.dst.stride + 2 * i,
                                  block[i]);
                }
              }),
      Written({"vt-byte-behind-written", rule::kAddress,
               "changes the byte behind a block"},
              [](const Plan& p, std::int64_t r, const Block& block, Ub ub) {
                const std::int64_t behind =
                    p.dst.begin + r * p.dst.stride + 512;
                const auto old = emulator::Load<std::uint8_t>(ub, behind);
                emulator::Store(ub, behind, static_cast<std::uint8_t>(~old));
                kVecTrans.write_back(p, r, block, ub);
              }),
      Written({"vt-zeros-keep-dst", rule::kTranspose,
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

}  // namespace lanediff::mutants
