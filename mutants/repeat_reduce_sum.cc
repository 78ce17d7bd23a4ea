// RepeatReduceSum: seams of addresses, masks and write-back.

#include <algorithm>
#include <array>

#include "emulator/address.h"
#include "mutants/plant.h"
#include "mutants/rooms.h"

namespace lanediff::mutants {
namespace {

namespace rule = isa::rrs;
using emulator::kRepeatReduceSum;
using emulator::LaneMask;
using emulator::State;
using isa::DType;
using Call = isa::RepeatReduceSum;
using Plan = emulator::ReduceSumPlan;
using Seams = emulator::RepeatReduceSumSeams;
using Ub = std::span<std::uint8_t>;

/// The real plan, altered by `change(plan, call, state)`.
template <class Change>
Mutant Planned(const Label& label, Change change) {
  return Plant(Call::kRoom, &emulator::Seams::repeat_reduce_sum, &Seams::plan,
               AlteredPlan<kRepeatReduceSum, Call>(change), label);
}

Mutant Written(const Label& label, decltype(Seams::write_back) write_back) {
  return Plant(Call::kRoom, &emulator::Seams::repeat_reduce_sum,
               &Seams::write_back, write_back, label);
}

void WriteReal(const Plan& plan, std::int64_t r, std::uint32_t bits, Ub ub) {
  kRepeatReduceSum.write_back(plan, r, bits, ub);
}

Table Strides() {
  return {
      Planned(
          {"rrs-src-blk-stride-ignored", rule::kAddress,
           "reads the blocks of an iteration without gaps"},
          [](Plan& p, const Call&, const State&) { p.src_block_stride = 32; }),
      Planned({"rrs-src-blk-stride-zero-as-one", rule::kAddress,
               "takes srcBlkStride = 0 for 1",
               "a default filled in for a field that is 0"},
              [](Plan& p, const Call&, const State&) {
                if (p.src_block_stride == 0) p.src_block_stride = 32;
              }),
      Planned({"rrs-src-rep-stride-ignored", rule::kAddress,
               "reads the iterations without gaps"},
              [](Plan& p, const Call&, const State&) {
                p.src_repeat_stride = 256;
              }),
      Planned({"rrs-src-rep-stride-in-elements", rule::kAddress,
               "counts srcRepStride in elements, as dstRepStride"},
              [](Plan& p, const Call& c, const State&) {
                p.src_repeat_stride =
                    c.src_rep_stride * emulator::ElementBytes(c.dtype);
              }),
      Planned({"rrs-src-rep-stride-8-bit", rule::kAddress,
               "keeps eight bits of srcRepStride",
               "a register field that is narrower than the parameter"},
              [](Plan& p, const Call& c, const State&) {
                p.src_repeat_stride = c.src_rep_stride % 256 * 32;
              }),
      Planned({"rrs-dst-rep-stride-in-blocks", rule::kAddress,
               "counts dstRepStride in DataBlocks",
               "every other destination stride counts DataBlocks"},
              [](Plan& p, const Call& c, const State&) {
                p.dst_repeat_stride = c.dst_rep_stride * 32;
              }),
      Planned({"rrs-dst-rep-stride-8-bit", rule::kAddress,
               "keeps eight bits of dstRepStride"},
              [](Plan& p, const Call& c, const State&) {
                p.dst_repeat_stride =
                    c.dst_rep_stride % 256 * emulator::ElementBytes(c.dtype);
              }),
      Planned({"rrs-dst-rep-stride-zero-as-one", rule::kInOrder,
               "takes dstRepStride = 0 for 1"},
              [](Plan& p, const Call& c, const State&) {
                if (p.dst_repeat_stride == 0) {
                  p.dst_repeat_stride = emulator::ElementBytes(c.dtype);
                }
              }),
      Planned({"rrs-dst-blk-stride-used", rule::kDstBlkStride,
               "moves the destination by dstBlkStride DataBlocks"},
              [](Plan& p, const Call& c, const State&) {
                p.dst += c.dst_blk_stride * 32;
              }),
  };
}

Table Repeats() {
  return {
      Planned({"rrs-last-repeat-skipped", rule::kAddress,
               "leaves out the last iteration", "< n - 1 for < n"},
              [](Plan& p, const Call&, const State&) { --p.repeats; }),
      Planned({"rrs-one-repeat-too-many", rule::kAddress,
               "runs one iteration too many", "<= n for < n"},
              [](Plan& p, const Call&, const State&) {
                if (p.repeats > 0) ++p.repeats;
              }),
      Planned({"rrs-repeat-7-bit", rule::kAddress, "keeps seven bits of repeat",
               "uint8_t read as int8_t"},
              [](Plan& p, const Call&, const State&) { p.repeats %= 128; }),
      Planned({"rrs-iterations-reversed", rule::kInOrder,
               "runs the iterations from the last to the first"},
              [](Plan& p, const Call&, const State&) {
                p.src += (p.repeats - 1) * p.src_repeat_stride;
                p.dst += (p.repeats - 1) * p.dst_repeat_stride;
                p.src_repeat_stride = -p.src_repeat_stride;
                p.dst_repeat_stride = -p.dst_repeat_stride;
              }),
  };
}

Table Masks() {
  return {
      Planned({"rrs-elems-one-less", rule::kAddress,
               "leaves out the last lane of elemsInOneRepeat"},
              [](Plan& p, const Call& c, const State&) {
                if (c.is_set_mask && c.elems_in_one_repeat > 1) {
                  p.lanes = LaneMask::First(c.elems_in_one_repeat - 1);
                }
              }),
      Planned({"rrs-elems-rounded-up-to-block", rule::kAddress,
               "adds the whole DataBlock that the last lane is in",
               "a kernel that loads whole blocks and forgets the tail"},
              [](Plan& p, const Call& c, const State&) {
                if (!c.is_set_mask) return;
                const std::int64_t lanes = 32 / emulator::ElementBytes(c.dtype);
                const std::int64_t all =
                    (c.elems_in_one_repeat + lanes - 1) / lanes * lanes;
                p.lanes = LaneMask::First(all);
              }),
      Planned({"rrs-mask-high-word-lost", rule::kAddress,
               "knows the first 64 lanes only"},
              [](Plan& p, const Call&, const State&) { p.lanes.high = 0; }),
      Planned({"rrs-mask-register-ignored", isa::state::kMaskRegister,
               "adds all lanes where the mask register says which"},
              [](Plan& p, const Call& c, const State&) {
                if (!c.is_set_mask && !p.lanes.empty()) {
                  p.lanes =
                      LaneMask::First(256 / emulator::ElementBytes(c.dtype));
                }
              }),
      Planned({"rrs-mask-words-swapped", isa::state::kMaskRegister,
               "takes the high word of the register for the low one",
               "SetVectorMask has the high word first, mask[] the low one"},
              [](Plan& p, const Call& c, const State& s) {
                if (c.is_set_mask) return;
                p.lanes = {
                    .low = s.mask_register.high,
                    .high = c.dtype == DType::kHalf ? s.mask_register.low : 0};
              }),
      Planned({"rrs-mask-bits-reversed", isa::state::kMaskRegister,
               "takes the highest bit of a mask word for the first lane"},
              [](Plan& p, const Call& c, const State&) {
                if (c.is_set_mask) return;
                p.lanes = BitsReversed(p.lanes);
              }),
      Planned({"rrs-mask-empty-note-missing", rule::kMaskEmpty,
               "doesn't report an empty mask register"},
              [](Plan& p, const Call&, const State&) {
                if (!p.lanes.empty()) return;
                p.lanes = LaneMask::First(1);
                p.repeats = 0;
              }),
      Planned({"rrs-saturation-off-ignored", isa::state::kSaturation,
               "saturates although saturation is off"},
              [](Plan& p, const Call&, const State&) { p.saturation = true; }),
      Planned({"rrs-saturation-missing", rule::kSaturate, "never saturates",
               "newer products start in IEEE mode"},
              [](Plan& p, const Call&, const State&) { p.saturation = false; }),
  };
}

}  // namespace

Table RepeatReduceSumPlans() { return Joined(Strides(), Repeats(), Masks()); }

Table RepeatReduceSumWriteBacks() {
  return {
      Written({"rrs-passed-through-not-saturated", isa::state::kSaturation,
               "writes an infinity that met no arithmetic as it is"},
              [](const Plan& p, std::int64_t r, std::uint32_t bits, Ub ub) {
                Plan plain = p;
                plain.saturation = false;
                WriteReal(plain, r, bits, ub);
              }),
      Written({"rrs-writes-whole-block", rule::kAddress,
               "clears the rest of the DataBlock behind the element",
               "a store of the whole register"},
              [](const Plan& p, std::int64_t r, std::uint32_t bits, Ub ub) {
                const std::int64_t at = p.dst + r * p.dst_repeat_stride;
                const std::int64_t rest = 32 - at % 32;
                std::array<std::uint8_t, 32> zeros{};
                emulator::StoreBytes(
                    ub, at,
                    std::span(zeros).first(static_cast<std::size_t>(rest)));
                WriteReal(p, r, bits, ub);
              }),
      Written({"rrs-half-written-as-32-bits", rule::kAddress,
               "writes four bytes for a half"},
              [](const Plan& p, std::int64_t r, std::uint32_t bits, Ub ub) {
                WriteReal(p, r, bits, ub);
                const std::int64_t at = p.dst + r * p.dst_repeat_stride;
                if (p.dtype == DType::kHalf) {
                  emulator::Store(ub, at + 2, std::uint16_t{0});
                }
              }),
      Written({"rrs-byte-before-written", rule::kAddress,
               "changes the byte before the element"},
              [](const Plan& p, std::int64_t r, std::uint32_t bits, Ub ub) {
                const std::int64_t at = p.dst + r * p.dst_repeat_stride;
                const auto old = emulator::Load<std::uint8_t>(ub, at - 1);
                emulator::Store(ub, at - 1, static_cast<std::uint8_t>(~old));
                WriteReal(p, r, bits, ub);
              }),
      Written({"rrs-nan-keeps-dst", isa::arith::kNan,
               "leaves what dst held where the sum is NaN",
               "a blend on an ordered comparison"},
              [](const Plan& p, std::int64_t r, std::uint32_t bits, Ub ub) {
                const bool half = p.dtype == DType::kHalf;
                const std::uint32_t infinity = half ? 0x7c00u : 0x7f800000u;
                const std::uint32_t magnitude = half ? 0x7fffu : 0x7fffffffu;
                if ((bits & magnitude) <= infinity) WriteReal(p, r, bits, ub);
              }),
  };
}

}  // namespace lanediff::mutants
