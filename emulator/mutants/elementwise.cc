// Element-wise calls: seams of addresses and masks.

#include "emulator/mutants/elementwise.h"

#include <algorithm>

#include "emulator/address.h"

namespace lanediff::mutants {
namespace {

using emulator::LaneMask;
using emulator::State;
using Plan = emulator::ElementwisePlan;

void SetLanes(Plan& plan, LaneMask lanes) {
  if (emulator::ElementBytes(plan.dtype) == 4) lanes.high = 0;
  plan.lanes = plan.last_lanes = lanes;
}

/// The plan of the same call with another count.
template <class Call>
void Recount(Plan& plan, Call call, const State& state, std::int64_t count) {
  if (call.form != Call::kCount) return;
  call.count = count;
  plan = PlainRow<Call>().plan(call, state);
}

template <class Call>
Table Strides() {
  using rule = RulesOf<Call>;
  return {
      Planned<Call>({"dst-blk-stride-ignored", rule::kAddress,
                     "writes the blocks of an iteration without gaps"},
                    [](Plan& p) { p.dst.block_stride = 32; }),
      Planned<Call>({"src0-blk-stride-zero-as-one", rule::kAddress,
                     "takes src0BlkStride = 0 for 1",
                     "a default filled in for a field that is 0"},
                    [](Plan& p) {
                      if (p.src0.block_stride == 0) p.src0.block_stride = 32;
                    }),
      Planned<Call>({"src1-strides-of-src0", rule::kAddress,
                     "reads src1 with the strides of src0",
                     "a line copied but not edited"},
                    [](Plan& p) {
                      p.src1.block_stride = p.src0.block_stride;
                      p.src1.repeat_stride = p.src0.repeat_stride;
                    }),
      Planned<Call>({"src0-rep-stride-in-elements", rule::kAddress,
                     "counts src0RepStride in elements"},
                    [](Plan& p, const Call& c) {
                      if (c.form == Call::kCount) return;
                      p.src0.repeat_stride = c.repeat_params.src0_rep_stride *
                                             emulator::ElementBytes(c.dtype);
                    }),
      Planned<Call>({"dst-rep-stride-zero-as-eight", rule::kAddress,
                     "takes dstRepStride = 0 for 8"},
                    [](Plan& p) {
                      if (p.dst.repeat_stride == 0) p.dst.repeat_stride = 256;
                    }),
      Planned<Call>(
          {"src1-rep-stride-7-bit", rule::kAddress,
           "keeps seven bits of src1RepStride", "uint8_t read as int8_t"},
          [](Plan& p) { p.src1.repeat_stride %= 128 * 32; }),
      Planned<Call>({"last-repeat-skipped", rule::kAddress,
                     "leaves out the last iteration", "< n - 1 for < n"},
                    [](Plan& p, const Call& c) {
                      if (c.form != Call::kCount && p.iterations > 1)
                        --p.iterations;
                    }),
      Planned<Call>({"iterations-reversed", rule::kInOrder,
                     "runs the iterations from the last to the first"},
                    [](Plan& p, const Call& c) {
                      if (c.form == Call::kCount) return;
                      for (auto* x : {&p.dst, &p.src0, &p.src1}) {
                        x->at += (p.iterations - 1) * x->repeat_stride;
                        x->repeat_stride = -x->repeat_stride;
                      }
                    }),
  };
}

template <class Call>
Table Counts() {
  using rule = RulesOf<Call>;
  return {
      Planned<Call>({"tail-dropped", rule::kAddress,
                     "leaves out the elements behind the last whole 256 bytes",
                     "a loop over registers without a tail"},
                    [](Plan& p, const Call& c, const State& s) {
                      const std::int64_t lanes =
                          256 / emulator::ElementBytes(c.dtype);
                      Recount(p, c, s, c.count / lanes * lanes);
                    }),
      Planned<Call>({"count-rounded-up-to-block", rule::kAddress,
                     "goes on to the end of the last DataBlock",
                     "a kernel that stores whole blocks"},
                    [](Plan& p, const Call& c, const State& s) {
                      const std::int64_t lanes =
                          32 / emulator::ElementBytes(c.dtype);
                      Recount(p, c, s, (c.count + lanes - 1) / lanes * lanes);
                    }),
      Planned<Call>(
          {"count-one-less", rule::kAddress, "leaves out the last element"},
          [](Plan& p, const Call& c, const State& s) {
            Recount(p, c, s, std::max<std::int64_t>(c.count - 1, 0));
          }),
      Planned<Call>({"count-16-bit", rule::kAddress, "keeps 16 bits of count"},
                    [](Plan& p, const Call& c, const State& s) {
                      Recount(p, c, s, c.count % 65536);
                    }),
      Planned<Call>({"count-first-255-iterations", rule::kAddress,
                     "stops after 255 iterations of the count form",
                     "a count laid out as one call, whose repeat is uint8_t"},
                    [](Plan& p, const Call& c, const State& s) {
                      const std::int64_t most =
                          255 * 256 / emulator::ElementBytes(c.dtype);
                      Recount(p, c, s, std::min(c.count, most));
                    }),
  };
}

template <class Call>
Table Masks() {
  using rule = RulesOf<Call>;
  return {
      Planned<Call>(
          {"mask-words-swapped", rule::kMaskLanes,
           "takes mask[1] for the first 64 lanes",
           "SetVectorMask has the high word first, mask[] the low one"},
          [](Plan& p, const Call& c) {
            if (c.form != Call::kBitwise || !c.is_set_mask) return;
            SetLanes(p, {.low = c.mask_words[1], .high = c.mask_words[0]});
          }),
      Planned<Call>({"mask-bits-reversed", rule::kMaskLanes,
                     "takes the highest bit of a mask word for the first lane"},
                    [](Plan& p, const Call& c) {
                      if (c.form != Call::kBitwise) return;
                      SetLanes(p, BitsReversed(p.lanes));
                    }),
      Planned<Call>(
          {"mask-from-the-end", rule::kMaskLanes,
           "takes a contiguous mask for the last lanes of the iteration"},
          [](Plan& p, const Call& c) {
            if (c.form != Call::kContiguous || !c.is_set_mask) return;
            const std::int64_t lanes = 256 / emulator::ElementBytes(c.dtype);
            const LaneMask all = LaneMask::First(lanes);
            const LaneMask rest = LaneMask::First(lanes - c.mask);
            SetLanes(
                p, {.low = all.low & ~rest.low, .high = all.high & ~rest.high});
          }),
      Planned<Call>({"mask-high-word-lost", rule::kMaskLanes,
                     "knows the first 64 lanes of a mask only"},
                    [](Plan& p, const Call& c) {
                      if (c.form != Call::kCount)
                        SetLanes(p, {.low = p.lanes.low});
                    }),
      Planned<Call>({"register-ignored", isa::state::kMaskRegister,
                     "takes all lanes where the mask register selects"},
                    [](Plan& p, const Call& c) {
                      if (c.form == Call::kCount || c.is_set_mask) return;
                      if (!p.lanes.empty()) SetLanes(p, LaneMask::First(128));
                    }),
      Planned<Call>(
          {"count-masked-by-register", isa::state::kMaskRegister,
           "masks the count form with the register",
           "a count form made of masked calls that forget to set the mask"},
          [](Plan& p, const Call& c, const State& s) {
            if (c.form != Call::kCount) return;
            for (LaneMask* lanes : {&p.lanes, &p.last_lanes}) {
              lanes->low &= s.mask_register.low;
              lanes->high &= s.mask_register.high;
            }
          }),
      Planned<Call>({"nop-note-missing", rule::kNop,
                     "doesn't report an empty mask register"},
                    [](Plan& p, const Call& c) {
                      if (c.form != Call::kCount) p.iterations = c.repeat_times;
                    }),
      Planned<Call>({"saturation-off-ignored", isa::state::kSaturation,
                     "saturates although saturation is off"},
                    [](Plan& p) { p.saturation = true; }),
  };
}

}  // namespace

Table ElementwisePlans() {
  return OfEachElementwise([]<class Call>() {
    return Joined(Strides<Call>(), Counts<Call>(), Masks<Call>());
  });
}

}  // namespace lanediff::mutants
