// Lane-wise calls: the rows, and seams of addresses and masks.

#include "emulator/mutants/lanewise.h"

#include <algorithm>
#include <string>
#include <utility>

namespace lanediff::mutants::lanewise {
namespace {

/// By row, what emulator/lanewise.inc states that it computes.
constexpr auto kValues = [] {
  std::array<std::string_view, isa::kLanewiseRows.size()> all;
#define LANEDIFF_LANEWISE_VALUE(op, limits, ...) \
  all[emulator::LanewiseRow(#op)] = #__VA_ARGS__;
#include "emulator/lanewise.inc"
#undef LANEDIFF_LANEWISE_VALUE
  return all;
}();

void SetLanes(Plan& plan, LaneMask lanes) {
  if (plan.lane_bytes >= 4) lanes.high = 0;
  if (plan.lane_bytes == 8) lanes.low &= 0xffffffffu;
  plan.lanes = plan.last_lanes = lanes;
}

/// The plan of the same call with another count.
void Recount(Plan& plan, Call call, const State& state, std::int64_t count) {
  if (!call.IsByCount()) return;
  call[Param::kCount] = count;
  plan = RealPlan<emulator::LanewiseSeams>(call, state);
}

Table Strides(const LaneRow& row) {
  return {
      row("dst-blk-stride-ignored", kAddress,
          "writes the blocks of an iteration without gaps")
          .Where(!row.Packs())
          .Planned([](Plan& p) { p.dst().block_stride = 32; }),
      row("src0-blk-stride-zero-as-one", kAddress,
          "takes src0BlkStride = 0 for 1",
          "a default filled in for a field that is 0")
          .Where(row.has_source())
          .Planned([](Plan& p) {
            if (p.src(0).block_stride == 0) p.src(0).block_stride = 32;
          }),
      row("src1-strides-of-src0", kAddress,
          "reads src1 with the strides of src0", "a line copied but not edited")
          .Where(row.two_sources())
          .Planned([](Plan& p) {
            p.src(1).block_stride = p.src(0).block_stride;
            p.src(1).repeat_stride = p.src(0).repeat_stride;
          }),
      row("src0-rep-stride-in-elements", kAddress,
          "counts src0RepStride in elements")
          .Where(row.has_source())
          .Planned([](Plan& p, const Call& c) {
            if (c.IsByCount()) return;
            p.src(0).repeat_stride = c.RepStride(1) * ElementBytes(c.dtype);
          }),
      row("dst-rep-stride-zero-as-eight", kAddress,
          "takes dstRepStride = 0 for 8")
          .Where(!row.reads_dst() && !row.Packs())
          .Planned([](Plan& p) {
            if (p.dst().repeat_stride == 0) p.dst().repeat_stride = 256;
          }),
      row("src1-rep-stride-7-bit", kAddress,
          "keeps seven bits of src1RepStride", "uint8_t read as int8_t")
          .Where(row.two_sources())
          .Planned([](Plan& p) { p.src(1).repeat_stride %= 128 * 32; }),
      row("last-repeat-skipped", kAddress, "leaves out the last iteration",
          "< n - 1 for < n")
          .Planned([](Plan& p, const Call& c) {
            if (!c.IsByCount() && p.iterations > 1) --p.iterations;
          }),
      row("iterations-reversed", kInOrder,
          "runs the iterations from the last to the first")
          .Where(row.has_source() && !row.reads_dst() && !row.Packs())
          .Planned([](Plan& p, const Call& c) {
            if (c.IsByCount()) return;
            for (auto& x : p.operands) {
              x.at += (p.iterations - 1) * x.repeat_stride;
              x.repeat_stride = -x.repeat_stride;
            }
          }),
  };
}

Table Counts(const LaneRow& row) {
  if (!row.has_count()) return {};
  return {
      row("tail-dropped", kAddress,
          "leaves out the elements behind the last whole 256 bytes",
          "a loop over registers without a tail")
          .Where(!row.Packs())
          .Planned([](Plan& p, const Call& c, const State& s) {
            const std::int64_t lanes = 256 / ElementBytes(c.dtype);
            Recount(p, c, s, c[Param::kCount] / lanes * lanes);
          }),
      row("count-rounded-up-to-block", kAddress,
          "goes on to the end of the last DataBlock",
          "a kernel that stores whole blocks")
          .Where(!row.Packs())
          .Planned([](Plan& p, const Call& c, const State& s) {
            const std::int64_t lanes = 32 / ElementBytes(c.dtype);
            Recount(p, c, s, (c[Param::kCount] + lanes - 1) / lanes * lanes);
          }),
      row("count-one-less", kAddress, "leaves out the last element")
          .Planned([](Plan& p, const Call& c, const State& s) {
            Recount(p, c, s, std::max<std::int64_t>(c[Param::kCount] - 1, 0));
          }),
      // Those of And and Or are so long only where they are all one.
      row("count-16-bit", kAddress, "keeps 16 bits of count")
          .Where(!row.GivesBits() || !row.two_sources())
          .Planned([](Plan& p, const Call& c, const State& s) {
            Recount(p, c, s, c[Param::kCount] % 65536);
          }),
      row("count-first-255-iterations", kAddress,
          "stops after 255 iterations of the count form",
          "a count laid out as one call, whose repeat is uint8_t")
          .Planned([](Plan& p, const Call& c, const State& s) {
            const std::int64_t most = 255 * 256 / ElementBytes(c.dtype);
            Recount(p, c, s, std::min(c[Param::kCount], most));
          }),
  };
}

Table Masks(const LaneRow& row) {
  return {
      row("mask-words-swapped", kMaskLanes,
          "takes mask[1] for the first 64 lanes",
          "SetVectorMask has the high word first, mask[] the low one")
          .Planned([](Plan& p, const Call& c) {
            if (!c.Has(Param::kMaskWords) || !c.is_set_mask) return;
            SetLanes(p, {.low = c.mask_words[1], .high = c.mask_words[0]});
          }),
      row("mask-bits-reversed", kMaskLanes,
          "takes the highest bit of a mask word for the first lane")
          .Planned([](Plan& p, const Call& c) {
            if (c.Has(Param::kMaskWords)) SetLanes(p, BitsReversed(p.lanes));
          }),
      row("mask-from-the-end", kMaskLanes,
          "takes a contiguous mask for the last lanes of the iteration")
          .Planned([](Plan& p, const Call& c) {
            if (!c.Has(Param::kMask) || !c.is_set_mask) return;
            const std::int64_t lanes = 256 / p.lane_bytes;
            const LaneMask all = LaneMask::First(lanes);
            const LaneMask rest = LaneMask::First(lanes - c[Param::kMask]);
            SetLanes(
                p, {.low = all.low & ~rest.low, .high = all.high & ~rest.high});
          }),
      row("mask-high-word-lost", kMaskLanes,
          "knows the first 64 lanes of a mask only")
          .Planned([](Plan& p, const Call& c) {
            if (!c.IsByCount()) SetLanes(p, {.low = p.lanes.low});
          }),
      row("register-ignored", isa::state::kMaskRegister,
          "takes all lanes where the mask register selects")
          .Where(row.by_register())
          .Planned([](Plan& p, const Call& c) {
            if (c.IsByCount() || c.is_set_mask) return;
            if (!p.lanes.empty()) SetLanes(p, LaneMask::First(128));
          }),
      row("count-masked-by-register", isa::state::kMaskRegister,
          "masks the count form with the register",
          "a count form made of masked calls that forget to set the mask")
          .Where(row.has_count())
          .Planned([](Plan& p, const Call& c, const State& s) {
            if (!c.IsByCount()) return;
            for (LaneMask* lanes : {&p.lanes, &p.last_lanes}) {
              lanes->low &= s.mask_register.low;
              lanes->high &= s.mask_register.high;
            }
          }),
      row("nop-note-missing", kNop, "doesn't report an empty mask register")
          .Where(row.by_register())
          .Planned([](Plan& p, const Call& c) {
            if (!c.IsByCount()) p.iterations = c[Param::kRepeatTimes];
          }),
      row("saturation-off-ignored", isa::state::kSaturation,
          "saturates although saturation is off")
          .Where(row.Saturates())
          .Planned([](Plan& p) { p.saturation = true; }),
  };
}

}  // namespace

LaneLabel LaneRow::operator()(std::string_view name, isa::RuleId rule,
                              std::string_view defect,
                              std::string_view modelled_on) const {
  const auto renamed = [&](std::string_view text) {
    const std::string_view first =
        has_source() ? signature.operands[1].name : "src0";
    if (first == "src0" || text.find("src0") == text.npos) return text;
    std::string all(text);
    for (std::size_t at; (at = all.find("src0")) != all.npos;) {
      all.replace(at, 4, first);
    }
    return Kept(std::move(all));
  };
  const std::string full =
      std::string(signature.slug) + "-" + std::string(renamed(name));
  return {{{Kept(full), rule, renamed(defect), modelled_on, &signature}}};
}

Table Plans(const LaneRow& row) {
  return Joined(Strides(row), Counts(row), Masks(row));
}

}  // namespace lanediff::mutants::lanewise

namespace lanediff::mutants {

Table Lanewise() {
  Table all;
  for (const isa::Signature& signature : isa::kLanewiseRows) {
    const lanewise::LaneRow row{signature,
                                lanewise::kValues[isa::PlaceOf(signature)]};
    all = Joined(std::move(all), Legality(row), Overlaps(row), Plans(row),
                 Kernels(row), ResultKernels(row), WriteBacks(row));
  }
  std::erase_if(all, [](const Mutant& mutant) { return mutant.name.empty(); });
  return all;
}

}  // namespace lanediff::mutants
