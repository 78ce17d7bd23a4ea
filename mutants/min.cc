// Min: seams of addresses and masks, and of write-back.

#include <algorithm>
#include <utility>

#include "emulator/address.h"
#include "mutants/plant.h"
#include "mutants/rooms.h"

namespace lanediff::mutants {
namespace {

namespace rule = isa::min;
using emulator::kMin;
using emulator::LaneMask;
using emulator::MinLanes;
using emulator::State;
using Call = isa::Min;
using Plan = emulator::MinPlan;
using Seams = emulator::MinSeams;
using Ub = std::span<std::uint8_t>;

/// The real plan, altered by `change(plan, call, state)`.
template <class Change>
Mutant Planned(const Label& label, Change change) {
  return Plant(Call::kRoom, &emulator::Seams::min, &Seams::plan,
               AlteredPlan<kMin, Call>(change), label);
}

Mutant Written(const Label& label, decltype(Seams::write_back) write_back) {
  return Plant(Call::kRoom, &emulator::Seams::min, &Seams::write_back,
               write_back, label);
}

void SetLanes(Plan& plan, LaneMask lanes) {
  if (emulator::ElementBytes(plan.dtype) == 4) lanes.high = 0;
  plan.lanes = plan.last_lanes = lanes;
}

/// The plan of the same call with another count.
void Recount(Plan& plan, Call call, const State& state, std::int64_t count) {
  if (call.form != Call::kCount) return;
  call.count = count;
  plan = kMin.plan(call, state);
}

/// Calls `visit(byte offset in the result, address)` for each lane of an
/// iteration, taking part or not.
template <class Visit>
void EachLane(const Plan& plan, std::int64_t r, Visit visit) {
  const auto element = static_cast<int>(emulator::ElementBytes(plan.dtype));
  for (int block = 0; block < 8; ++block) {
    for (int byte = 0; byte < 32; byte += element) {
      visit(block * 32 + byte, plan.dst.BlockAt(r, block) + byte);
    }
  }
}

bool TakesPart(const Plan& plan, std::int64_t r, int offset) {
  const auto lane =
      static_cast<int>(offset / emulator::ElementBytes(plan.dtype));
  return plan.LanesOf(r).Slice(lane, 1) != 0;
}

Table Strides() {
  return {
      Planned(
          {"min-dst-blk-stride-ignored", rule::kAddress,
           "writes the blocks of an iteration without gaps"},
          [](Plan& p, const Call&, const State&) { p.dst.block_stride = 32; }),
      Planned({"min-src0-blk-stride-zero-as-one", rule::kAddress,
               "takes src0BlkStride = 0 for 1",
               "a default filled in for a field that is 0"},
              [](Plan& p, const Call&, const State&) {
                if (p.src0.block_stride == 0) p.src0.block_stride = 32;
              }),
      Planned({"min-src1-strides-of-src0", rule::kAddress,
               "reads src1 with the strides of src0",
               "a line copied but not edited"},
              [](Plan& p, const Call&, const State&) {
                p.src1.block_stride = p.src0.block_stride;
                p.src1.repeat_stride = p.src0.repeat_stride;
              }),
      Planned({"min-src0-rep-stride-in-elements", rule::kAddress,
               "counts src0RepStride in elements"},
              [](Plan& p, const Call& c, const State&) {
                if (c.form == Call::kCount) return;
                p.src0.repeat_stride = c.repeat_params.src0_rep_stride *
                                       emulator::ElementBytes(c.dtype);
              }),
      Planned({"min-dst-rep-stride-zero-as-eight", rule::kAddress,
               "takes dstRepStride = 0 for 8"},
              [](Plan& p, const Call&, const State&) {
                if (p.dst.repeat_stride == 0) p.dst.repeat_stride = 256;
              }),
      Planned({"min-src1-rep-stride-7-bit", rule::kAddress,
               "keeps seven bits of src1RepStride", "uint8_t read as int8_t"},
              [](Plan& p, const Call&, const State&) {
                p.src1.repeat_stride %= 128 * 32;
              }),
      Planned({"min-last-repeat-skipped", rule::kAddress,
               "leaves out the last iteration", "< n - 1 for < n"},
              [](Plan& p, const Call& c, const State&) {
                if (c.form != Call::kCount && p.iterations > 1) --p.iterations;
              }),
      Planned({"min-iterations-reversed", rule::kInOrder,
               "runs the iterations from the last to the first"},
              [](Plan& p, const Call& c, const State&) {
                if (c.form == Call::kCount) return;
                for (auto* x : {&p.dst, &p.src0, &p.src1}) {
                  x->at += (p.iterations - 1) * x->repeat_stride;
                  x->repeat_stride = -x->repeat_stride;
                }
              }),
  };
}

Table Counts() {
  return {
      Planned({"min-tail-dropped", rule::kAddress,
               "leaves out the elements behind the last whole 256 bytes",
               "a loop over registers without a tail"},
              [](Plan& p, const Call& c, const State& s) {
                const std::int64_t lanes =
                    256 / emulator::ElementBytes(c.dtype);
                Recount(p, c, s, c.count / lanes * lanes);
              }),
      Planned({"min-count-rounded-up-to-block", rule::kAddress,
               "goes on to the end of the last DataBlock",
               "a kernel that stores whole blocks"},
              [](Plan& p, const Call& c, const State& s) {
                const std::int64_t lanes = 32 / emulator::ElementBytes(c.dtype);
                Recount(p, c, s, (c.count + lanes - 1) / lanes * lanes);
              }),
      Planned(
          {"min-count-one-less", rule::kAddress, "leaves out the last element"},
          [](Plan& p, const Call& c, const State& s) {
            Recount(p, c, s, std::max<std::int64_t>(c.count - 1, 0));
          }),
      Planned({"min-count-16-bit", rule::kAddress, "keeps 16 bits of count"},
              [](Plan& p, const Call& c, const State& s) {
                Recount(p, c, s, c.count % 65536);
              }),
      Planned({"min-count-first-255-iterations", rule::kAddress,
               "stops after 255 iterations of the count form",
               "a count laid out as one call, whose repeat is uint8_t"},
              [](Plan& p, const Call& c, const State& s) {
                const std::int64_t most =
                    255 * 256 / emulator::ElementBytes(c.dtype);
                Recount(p, c, s, std::min(c.count, most));
              }),
  };
}

Table Masks() {
  return {
      Planned({"min-mask-words-swapped", rule::kMaskLanes,
               "takes mask[1] for the first 64 lanes",
               "SetVectorMask has the high word first, mask[] the low one"},
              [](Plan& p, const Call& c, const State&) {
                if (c.form != Call::kBitwise || !c.is_set_mask) return;
                SetLanes(p, {.low = c.mask_words[1], .high = c.mask_words[0]});
              }),
      Planned({"min-mask-bits-reversed", rule::kMaskLanes,
               "takes the highest bit of a mask word for the first lane"},
              [](Plan& p, const Call& c, const State&) {
                if (c.form != Call::kBitwise) return;
                SetLanes(p, BitsReversed(p.lanes));
              }),
      Planned({"min-mask-from-the-end", rule::kMaskLanes,
               "takes a contiguous mask for the last lanes of the iteration"},
              [](Plan& p, const Call& c, const State&) {
                if (c.form != Call::kContiguous || !c.is_set_mask) return;
                const std::int64_t lanes =
                    256 / emulator::ElementBytes(c.dtype);
                const LaneMask all = LaneMask::First(lanes);
                const LaneMask rest = LaneMask::First(lanes - c.mask);
                SetLanes(p, {.low = all.low & ~rest.low,
                             .high = all.high & ~rest.high});
              }),
      Planned({"min-mask-high-word-lost", rule::kMaskLanes,
               "knows the first 64 lanes of a mask only"},
              [](Plan& p, const Call& c, const State&) {
                if (c.form != Call::kCount) SetLanes(p, {.low = p.lanes.low});
              }),
      Planned({"min-register-ignored", isa::state::kMaskRegister,
               "takes all lanes where the mask register says which"},
              [](Plan& p, const Call& c, const State&) {
                if (c.form == Call::kCount || c.is_set_mask) return;
                if (!p.lanes.empty()) SetLanes(p, LaneMask::First(128));
              }),
      Planned({"min-count-masked-by-register", isa::state::kMaskRegister,
               "masks the count form with the register",
               "a count form made of masked calls that forget to set the mask"},
              [](Plan& p, const Call& c, const State& s) {
                if (c.form != Call::kCount) return;
                for (LaneMask* lanes : {&p.lanes, &p.last_lanes}) {
                  lanes->low &= s.mask_register.low;
                  lanes->high &= s.mask_register.high;
                }
              }),
      Planned({"min-nop-note-missing", rule::kNop,
               "doesn't report an empty mask register"},
              [](Plan& p, const Call& c, const State&) {
                if (c.form != Call::kCount) p.iterations = c.repeat_times;
              }),
      Planned({"min-saturation-off-ignored", isa::state::kSaturation,
               "saturates although saturation is off"},
              [](Plan& p, const Call&, const State&) { p.saturation = true; }),
  };
}

}  // namespace

Table MinPlans() { return Joined(Strides(), Counts(), Masks()); }

Table MinWriteBacks() {
  return {
      Written({"min-unmasked-lanes-zeroed", rule::kUnmasked,
               "writes 0 to the lanes that take no part",
               "zeroing instead of merging masking"},
              [](const Plan& p, std::int64_t r, const MinLanes& lanes, Ub ub) {
                EachLane(p, r, [&](int offset, std::int64_t at) {
                  if (TakesPart(p, r, offset)) return;
                  const auto element = emulator::ElementBytes(p.dtype);
                  for (std::int64_t byte = 0; byte < element; ++byte) {
                    emulator::Store(ub, at + byte, std::uint8_t{0});
                  }
                });
                kMin.write_back(p, r, lanes, ub);
              }),
      Written({"min-byte-behind-written", rule::kUnmasked,
               "changes the byte behind the last lane of an iteration"},
              [](const Plan& p, std::int64_t r, const MinLanes& lanes, Ub ub) {
                kMin.write_back(p, r, lanes, ub);
                std::int64_t behind = -1;
                EachLane(p, r, [&](int offset, std::int64_t at) {
                  if (!TakesPart(p, r, offset)) return;
                  behind = at + emulator::ElementBytes(p.dtype);
                });
                const auto old = emulator::Load<std::uint8_t>(ub, behind);
                emulator::Store(ub, behind, static_cast<std::uint8_t>(~old));
              }),
      Written({"min-full-mask-last-lane-lost", rule::kMaskLanes,
               "never writes lane 127 of 16-bit types",
               "(1 << n) - 1 built in a type that is too narrow"},
              [](const Plan& p, std::int64_t r, const MinLanes& lanes, Ub ub) {
                Plan fewer = p;
                constexpr std::uint64_t kAllButLast = ~std::uint64_t{0} >> 1;
                fewer.lanes.high &= kAllButLast;
                fewer.last_lanes.high &= kAllButLast;
                kMin.write_back(fewer, r, lanes, ub);
              }),
      Written({"min-smaller-than-dst-only", rule::kValue,
               "writes only where the result is below what dst held",
               "an accumulating minimum"},
              [](const Plan& p, std::int64_t r, const MinLanes& lanes, Ub ub) {
                if (p.dtype != isa::DType::kInt32) {
                  kMin.write_back(p, r, lanes, ub);
                  return;
                }
                EachLane(p, r, [&](int offset, std::int64_t at) {
                  if (!TakesPart(p, r, offset)) return;
                  const auto now = emulator::Load<std::int32_t>(lanes, offset);
                  const auto old = emulator::Load<std::int32_t>(ub, at);
                  emulator::Store(ub, at, std::min(now, old));
                });
              }),
  };
}

}  // namespace lanediff::mutants
