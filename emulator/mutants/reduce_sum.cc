// Sums: the rows, and seams of addresses and masks.

#include "emulator/mutants/reduce_sum.h"

#include <algorithm>
#include <bit>
#include <utility>

namespace lanediff::mutants::reductions {
namespace {

/// Whether `c` has its lanes from two words.
bool HasWords(const Call& c) {
  return c.is_set_mask && c.Has(Param::kMaskWords);
}

LaneMask AllLanes(const Call& c) {
  return LaneMask::First(256 / ElementBytes(c.dtype));
}

Table Strides(const SumRow& row) {
  return {
      row("src-blk-stride-ignored", kAddress,
          "reads the blocks of an iteration without gaps")
          .Planned([](Plan& p) { p.src_block_stride = 32; }),
      row("src-blk-stride-zero-as-one", kAddress,
          "takes srcBlkStride = 0 for 1",
          "a default filled in for a field that is 0")
          .Planned([](Plan& p) {
            if (p.src_block_stride == 0) p.src_block_stride = 32;
          }),
      row("src-rep-stride-ignored", kAddress,
          "reads the iterations without gaps")
          .Planned([](Plan& p) { p.src_repeat_stride = 256; }),
      row("src-rep-stride-in-elements", kAddress,
          "counts srcRepStride in elements, as dstRepStride")
          .Planned([](Plan& p, const Call& c) {
            p.src_repeat_stride = c.RepStride(1) * ElementBytes(c.dtype);
          }),
      row("src-rep-stride-8-bit", kAddress, "keeps eight bits of srcRepStride",
          "a register field that is narrower than the parameter")
          .Planned([](Plan& p, const Call& c) {
            p.src_repeat_stride = c.RepStride(1) % 256 * 32;
          }),
      row("dst-rep-stride-in-blocks", kAddress,
          "counts dstRepStride in DataBlocks",
          "every other destination stride counts DataBlocks")
          .Planned([](Plan& p, const Call& c) {
            p.dst_repeat_stride = c.RepStride(0) * 32;
          }),
      row("dst-rep-stride-8-bit", kAddress, "keeps eight bits of dstRepStride")
          .Planned([](Plan& p, const Call& c) {
            p.dst_repeat_stride = c.RepStride(0) % 256 * ResultBytes(c);
          }),
      row("dst-rep-stride-zero-as-one", kInOrder,
          "takes dstRepStride = 0 for 1")
          .Planned([](Plan& p, const Call& c) {
            if (p.dst_repeat_stride == 0) {
              p.dst_repeat_stride = ResultBytes(c);
            }
          }),
      row("dst-rep-stride-in-elements", kAddress,
          "counts dstRepStride in elements",
          "reductions of whole iterations count them")
          .Where(row.groups() || row.orders())
          .Planned([](Plan& p, const Call& c) {
            p.dst_repeat_stride = c.RepStride(0) * ElementBytes(c.dtype);
          }),
  };
}

/// What is written of a value and the number of its lane.
Table ValuesAndIndices(const SumRow& row) {
  using emulator::Part;
  using isa::ReduceOrder;
  return {
      row("order-ignored", kAddress, "writes value and index in every order")
          .Where(row.orders())
          .Planned([](Plan& p) { p.parts = {Part::kValue, Part::kIndex}; }),
      row("index-value-as-value-index", kAddress,
          "writes the value first in ORDER_INDEX_VALUE, too")
          .Where(row.orders())
          .Planned([](Plan& p, const Call& c) {
            if (c.reduce_order != ReduceOrder::kIndexValue) return;
            std::swap(p.parts[0], p.parts[1]);
          }),
      row("value-index-as-index-value", kAddress,
          "writes the index first in ORDER_VALUE_INDEX, too")
          .Where(row.orders())
          .Planned([](Plan& p, const Call& c) {
            if (c.reduce_order != ReduceOrder::kValueIndex) return;
            std::swap(p.parts[0], p.parts[1]);
          }),
      row("only-value-with-index", kAddress,
          "writes the index behind the value in ORDER_ONLY_VALUE, too")
          .Where(row.orders())
          .Planned([](Plan& p, const Call& c) {
            if (c.reduce_order != ReduceOrder::kOnlyValue) return;
            p.parts[1] = Part::kIndex;
            p.elements = 2;
          }),
      row("only-index-with-value", kAddress,
          "writes the value behind the index in ORDER_ONLY_INDEX, too")
          .Where(row.orders())
          .Planned([](Plan& p, const Call& c) {
            if (c.reduce_order != ReduceOrder::kOnlyIndex) return;
            p.parts[1] = Part::kValue;
            p.elements = 2;
          }),
      row("only-index-is-value", kAddress,
          "writes the value in the place of a lone index")
          .Where(row.orders())
          .Planned([](Plan& p, const Call& c) {
            if (c.reduce_order != ReduceOrder::kOnlyIndex) return;
            p.parts[0] = Part::kValue;
          }),
      row("only-index-of-16-bits", kIndex,
          "writes a lone index in 16 bits of half",
          "index and value have the type's width everywhere else")
          .Where(row.orders())
          .Planned([](Plan& p) {
            if (p.parts[1] == Part::kZero) p.elements = 1;
          }),
      row("only-value-unit-of-both", kAddress,
          "counts dstRepStride in pairs in ORDER_ONLY_VALUE, too")
          .Where(row.orders())
          .Planned([](Plan& p, const Call& c) {
            if (c.reduce_order == ReduceOrder::kOnlyValue) {
              p.dst_repeat_stride *= 2;
            }
          }),
      row("only-index-unit-of-element", kAddress,
          "counts dstRepStride in elements in ORDER_ONLY_INDEX")
          .Where(row.orders())
          .Planned([](Plan& p, const Call& c) {
            if (c.reduce_order == ReduceOrder::kOnlyIndex) {
              p.dst_repeat_stride = c.RepStride(0) * ElementBytes(c.dtype);
            }
          }),
  };
}

/// Which lanes make a result, and what one of no lane is.
Table Groups(const SumRow& row) {
  const bool has_filling = row.groups() && !row.sums();
  return {
      row("one-result-an-iteration", kAddress,
          "makes one result of all lanes of an iteration")
          .Where(row.groups())
          .Planned([](Plan& p) { p.signature = isa::kReductionRows.data(); }),
      row("another-group", kAddress,
          "takes pairs of neighbours for DataBlocks, or the other way round")
          .Where(row.groups())
          .Planned([](Plan& p) {
            const bool pairs = p.signature->group == isa::Group::kPair;
            p.signature =
                isa::FindSignature(pairs ? "BlockReduceSum" : "PairReduceSum");
          }),
      row("empty-results-filled", kUnmasked,
          "fills the results of no lane on every product",
          "atlas-200i-500-a2 does")
          .Where(row.groups())
          .Planned([](Plan& p) { p.fills = true; }),
      row("empty-results-kept-on-200i", kUnmasked,
          "leaves the results of no lane on atlas-200i-500-a2, too")
          .Where(row.groups())
          .Planned([](Plan& p) { p.fills = false; }),
      row("filling-zero", kUnmasked, "fills in 0, as a sum does")
          .Where(has_filling)
          .Planned([](Plan& p) { p.filling = 0; }),
      row("filling-of-the-other-end", kUnmasked,
          "fills in the end of the type that every value beats the other way")
          .Where(has_filling)
          .Planned([](Plan& p) {
            p.filling ^= p.dtype == DType::kHalf ? 0x8000u : 0x80000000u;
          }),
      row("filling-finite-for-float", kUnmasked,
          "fills in the last finite float, as half's")
          .Where(has_filling)
          .Planned([](Plan& p) {
            if (p.dtype == DType::kFloat) --p.filling;
          }),
  };
}

Table Repeats(const SumRow& row) {
  return {
      row("last-repeat-skipped", kAddress, "leaves out the last iteration",
          "< n - 1 for < n")
          .Planned([](Plan& p) { --p.repeats; }),
      row("one-repeat-too-many", kAddress, "runs one iteration too many",
          "<= n for < n")
          .Planned([](Plan& p) {
            if (p.repeats > 0) ++p.repeats;
          }),
      row("repeat-7-bit", kAddress, "keeps seven bits of repeat",
          "uint8_t read as int8_t")
          .Planned([](Plan& p) { p.repeats %= 128; }),
      row("iterations-reversed", kInOrder,
          "runs the iterations from the last to the first")
          .Planned([](Plan& p) {
            p.src += (p.repeats - 1) * p.src_repeat_stride;
            p.dst += (p.repeats - 1) * p.dst_repeat_stride;
            p.src_repeat_stride = -p.src_repeat_stride;
            p.dst_repeat_stride = -p.dst_repeat_stride;
          }),
  };
}

Table Masks(const SumRow& row) {
  return {
      row("mask-high-word-lost", kAddress, "knows the first 64 lanes only")
          .Planned([](Plan& p) { p.lanes.high = 0; }),
      row("mask-register-ignored", isa::state::kMaskRegister,
          "adds all lanes where the mask register selects")
          .Planned([](Plan& p, const Call& c) {
            if (!c.is_set_mask && !p.lanes.empty()) {
              p.lanes = AllLanes(c);
            }
          }),
      row("mask-words-swapped", isa::state::kMaskRegister,
          "takes the high word of the register for the low one",
          "SetVectorMask has the high word first, mask[] the low one")
          .Planned([](Plan& p, const Call& c, const State& s) {
            if (c.is_set_mask) return;
            p.lanes = {
                .low = s.mask_register.high,
                .high = c.dtype == DType::kHalf ? s.mask_register.low : 0};
          }),
      row("mask-bits-reversed", isa::state::kMaskRegister,
          "takes the highest bit of a mask word for the first lane")
          .Planned([](Plan& p, const Call& c) {
            if (c.is_set_mask) return;
            p.lanes = BitsReversed(p.lanes);
          }),
      row("mask-empty-note-missing", kMaskEmpty,
          "doesn't report an empty mask register")
          .Planned([](Plan& p) {
            if (!p.lanes.empty()) return;
            p.lanes = LaneMask::First(1);
            p.repeats = 0;
          }),
      row("saturation-off-ignored", isa::state::kSaturation,
          "saturates although saturation is off")
          .Planned([](Plan& p) { p.saturation = true; }),
      row("saturation-missing", kSaturate, "never saturates",
          "newer products start in IEEE mode")
          .Planned([](Plan& p) { p.saturation = false; }),
  };
}

/// Masks that the call names, in which the two differ.
Table OwnMasks(const SumRow& row) {
  const bool whole = row.whole();
  const isa::CallRule rule = whole ? kMaskLanes : kAddress;
  const std::string number(std::ranges::find(row.signature.params, Param::kMask,
                                             &isa::ParamSpec::param)
                               ->name);
  const std::string word = whole ? "mask" : "elems";
  return {
      row("dst-blk-stride-used", kDstBlkStride,
          "moves the destination by dstBlkStride DataBlocks")
          .Where(!whole)
          .Planned(
              [](Plan& p, const Call& c) { p.dst += c.BlkStride(0) * 32; }),
      row("own-mask-words-swapped", rule,
          "takes mask[1] for the first 64 lanes",
          "SetVectorMask has the high word first, mask[] the low one")
          .Where(whole)
          .Planned([](Plan& p, const Call& c) {
            if (!HasWords(c) || c.dtype != DType::kHalf) return;
            p.lanes = {.low = c.mask_words[1], .high = c.mask_words[0]};
          }),
      row("own-mask-bits-reversed", rule,
          "takes the highest bit of a word of its own mask for the first lane")
          .Where(whole)
          .Planned([](Plan& p, const Call& c) {
            if (HasWords(c)) p.lanes = BitsReversed(p.lanes);
          }),
      row("own-mask-counted", rule,
          "takes the number of bits for that of the first lanes",
          "a mask turned into a length")
          .Where(whole)
          .Planned([](Plan& p, const Call& c) {
            if (!HasWords(c)) return;
            p.lanes = LaneMask::First(std::popcount(p.lanes.low) +
                                      std::popcount(p.lanes.high));
          }),
      row("own-mask-from-the-end", rule,
          "takes a contiguous mask for the last lanes of the iteration")
          .Where(whole)
          .Planned([](Plan& p, const Call& c) {
            const std::int64_t lanes = FirstLanesOf(c);
            if (lanes == 0) return;
            const LaneMask every = AllLanes(c);
            const LaneMask rest =
                LaneMask::First(256 / ElementBytes(c.dtype) - lanes);
            p.lanes = {.low = every.low & ~rest.low,
                       .high = every.high & ~rest.high};
          }),
      row("own-mask-in-words-ignored", rule,
          "takes all lanes where two words select",
          "a call that only knows the form with a number")
          .Where(whole)
          .Planned([](Plan& p, const Call& c) {
            if (HasWords(c)) p.lanes = AllLanes(c);
          }),
      row(word + "-one-less", rule,
          Kept("leaves out the last lane of " + number))
          .Planned([](Plan& p, const Call& c) {
            const std::int64_t lanes = FirstLanesOf(c);
            if (lanes > 1) p.lanes = LaneMask::First(lanes - 1);
          }),
      row(word + "-rounded-up-to-block", rule,
          "adds the whole DataBlock that the last lane is in",
          "a kernel that loads whole blocks and forgets the tail")
          .Planned([](Plan& p, const Call& c) {
            if (FirstLanesOf(c) == 0) return;
            const std::int64_t lanes = 32 / ElementBytes(c.dtype);
            p.lanes =
                LaneMask::First((FirstLanesOf(c) + lanes - 1) / lanes * lanes);
          }),
  };
}

}  // namespace

Table Plans(const SumRow& row) {
  return Joined(Strides(row), ValuesAndIndices(row), Groups(row), Repeats(row),
                Masks(row), OwnMasks(row));
}

}  // namespace lanediff::mutants::reductions

namespace lanediff::mutants {

Table Reductions() {
  Table all;
  for (const isa::Signature& signature : isa::kReductionRows) {
    const reductions::SumRow row{signature};
    all = Joined(std::move(all), Overlaps(row), Legality(row), Plans(row),
                 Kernels(row), WriteBacks(row), VectorKernels(row));
  }
  std::erase_if(all, [](const Mutant& mutant) { return mutant.name.empty(); });
  return all;
}

}  // namespace lanediff::mutants
