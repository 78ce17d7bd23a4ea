// Sums: seams of addresses and masks.

#include "emulator/mutants/reduce_sum.h"

#include "emulator/address.h"

namespace lanediff::mutants {
namespace {

using emulator::LaneMask;
using emulator::State;
using isa::DType;
using Plan = emulator::ReduceSumPlan;

template <class Call>
Table Strides() {
  using rule = ReduceSumRules<Call>;
  return {
      Planned<Call>({"src-blk-stride-ignored", rule::kAddress,
                     "reads the blocks of an iteration without gaps"},
                    [](Plan& p) { p.src_block_stride = 32; }),
      Planned<Call>({"src-blk-stride-zero-as-one", rule::kAddress,
                     "takes srcBlkStride = 0 for 1",
                     "a default filled in for a field that is 0"},
                    [](Plan& p) {
                      if (p.src_block_stride == 0) p.src_block_stride = 32;
                    }),
      Planned<Call>({"src-rep-stride-ignored", rule::kAddress,
                     "reads the iterations without gaps"},
                    [](Plan& p) { p.src_repeat_stride = 256; }),
      Planned<Call>({"src-rep-stride-in-elements", rule::kAddress,
                     "counts srcRepStride in elements, as dstRepStride"},
                    [](Plan& p, const Call& c) {
                      p.src_repeat_stride =
                          c.src_rep_stride * emulator::ElementBytes(c.dtype);
                    }),
      Planned<Call>({"src-rep-stride-8-bit", rule::kAddress,
                     "keeps eight bits of srcRepStride",
                     "a register field that is narrower than the parameter"},
                    [](Plan& p, const Call& c) {
                      p.src_repeat_stride = c.src_rep_stride % 256 * 32;
                    }),
      Planned<Call>({"dst-rep-stride-in-blocks", rule::kAddress,
                     "counts dstRepStride in DataBlocks",
                     "every other destination stride counts DataBlocks"},
                    [](Plan& p, const Call& c) {
                      p.dst_repeat_stride = c.dst_rep_stride * 32;
                    }),
      Planned<Call>({"dst-rep-stride-8-bit", rule::kAddress,
                     "keeps eight bits of dstRepStride"},
                    [](Plan& p, const Call& c) {
                      p.dst_repeat_stride = c.dst_rep_stride % 256 *
                                            emulator::ElementBytes(c.dtype);
                    }),
      Planned<Call>({"dst-rep-stride-zero-as-one", rule::kInOrder,
                     "takes dstRepStride = 0 for 1"},
                    [](Plan& p, const Call& c) {
                      if (p.dst_repeat_stride == 0) {
                        p.dst_repeat_stride = emulator::ElementBytes(c.dtype);
                      }
                    }),
  };
}

template <class Call>
Table Repeats() {
  using rule = ReduceSumRules<Call>;
  return {
      Planned<Call>({"last-repeat-skipped", rule::kAddress,
                     "leaves out the last iteration", "< n - 1 for < n"},
                    [](Plan& p) { --p.repeats; }),
      Planned<Call>({"one-repeat-too-many", rule::kAddress,
                     "runs one iteration too many", "<= n for < n"},
                    [](Plan& p) {
                      if (p.repeats > 0) ++p.repeats;
                    }),
      Planned<Call>({"repeat-7-bit", rule::kAddress,
                     "keeps seven bits of repeat", "uint8_t read as int8_t"},
                    [](Plan& p) { p.repeats %= 128; }),
      Planned<Call>({"iterations-reversed", rule::kInOrder,
                     "runs the iterations from the last to the first"},
                    [](Plan& p) {
                      p.src += (p.repeats - 1) * p.src_repeat_stride;
                      p.dst += (p.repeats - 1) * p.dst_repeat_stride;
                      p.src_repeat_stride = -p.src_repeat_stride;
                      p.dst_repeat_stride = -p.dst_repeat_stride;
                    }),
  };
}

template <class Call>
Table Masks() {
  using rule = ReduceSumRules<Call>;
  return {
      Planned<Call>({"mask-high-word-lost", rule::kAddress,
                     "knows the first 64 lanes only"},
                    [](Plan& p) { p.lanes.high = 0; }),
      Planned<Call>({"mask-register-ignored", isa::state::kMaskRegister,
                     "adds all lanes where the mask register selects"},
                    [](Plan& p, const Call& c) {
                      if (!c.is_set_mask && !p.lanes.empty()) {
                        p.lanes = LaneMask::First(
                            256 / emulator::ElementBytes(c.dtype));
                      }
                    }),
      Planned<Call>(
          {"mask-words-swapped", isa::state::kMaskRegister,
           "takes the high word of the register for the low one",
           "SetVectorMask has the high word first, mask[] the low one"},
          [](Plan& p, const Call& c, const State& s) {
            if (c.is_set_mask) return;
            p.lanes = {
                .low = s.mask_register.high,
                .high = c.dtype == DType::kHalf ? s.mask_register.low : 0};
          }),
      Planned<Call>({"mask-bits-reversed", isa::state::kMaskRegister,
                     "takes the highest bit of a mask word for the first lane"},
                    [](Plan& p, const Call& c) {
                      if (c.is_set_mask) return;
                      p.lanes = BitsReversed(p.lanes);
                    }),
      Planned<Call>({"mask-empty-note-missing", rule::kMaskEmpty,
                     "doesn't report an empty mask register"},
                    [](Plan& p) {
                      if (!p.lanes.empty()) return;
                      p.lanes = LaneMask::First(1);
                      p.repeats = 0;
                    }),
      Planned<Call>({"saturation-off-ignored", isa::state::kSaturation,
                     "saturates although saturation is off"},
                    [](Plan& p) { p.saturation = true; }),
      Planned<Call>({"saturation-missing", rule::kSaturate, "never saturates",
                     "newer products start in IEEE mode"},
                    [](Plan& p) { p.saturation = false; }),
  };
}

Table OfRepeatReduceSum() {
  namespace rule = isa::rrs;
  using Call = isa::RepeatReduceSum;
  return Joined(
      Table{Planned<Call>(
          {"dst-blk-stride-used", rule::kDstBlkStride,
           "moves the destination by dstBlkStride DataBlocks"},
          [](Plan& p, const Call& c) { p.dst += c.dst_blk_stride * 32; })},
      FirstLanes<Call>("elemsInOneRepeat", rule::kAddress));
}

}  // namespace

Table ReduceSumPlans() {
  return Joined(OfBothReduceSums([]<class Call>() {
                  return Joined(Strides<Call>(), Repeats<Call>(),
                                Masks<Call>());
                }),
                OfRepeatReduceSum(), WholeReduceSumPlans());
}

}  // namespace lanediff::mutants
