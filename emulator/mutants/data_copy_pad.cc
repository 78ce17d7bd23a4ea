// Copies that pad: mutants of DataCopy that are as wrong here, and those of
// what others have no like of.

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>

#include "emulator/address.h"
#include "emulator/mutants/plant.h"

namespace lanediff::mutants {
namespace {

using enum isa::CallRule;
using emulator::kDataCopy;
using emulator::Padding;
using emulator::State;
using isa::Call;
using isa::Param;
using isa::Position;
using isa::Product;
using isa::RuleSet;
using Bytes = std::span<std::uint8_t>;
using Constant = std::span<const std::uint8_t>;
using Plan = emulator::DataCopyPlan;
using Seams = emulator::DataCopySeams;

bool IsIntoUb(const Call& call) { return call.Has(Param::kIsPad); }

std::int64_t Element(const Call& call) {
  return emulator::ElementBytes(call.dtype);
}

std::int64_t Whole(std::int64_t bytes) { return (bytes + 31) / 32 * 32; }

// ---- As in DataCopy ---------------------------------------------------------

struct SharedDefect {
  std::string_view name;
  std::string_view defect = {};  // where parameters are called otherwise
};
constexpr auto kShared = std::to_array<SharedDefect>({
    {"dc-block-count-4096-accepted"},
    {"dc-block-count-zero-refused"},
    {"dc-block-len-zero-refused"},
    {"dc-dst-gap-negative-accepted", "accepts dstStride = -1"},
    {"dc-gm-src-align-32"},
    {"dc-local-dst-align-16"},
    {"dc-bounds-gap-behind-last-block"},
    {"dc-barrier-ignored"},
    {"dc-barrier-last-copy-only"},
    {"dc-barrier-first-block-only"},
    {"dc-barrier-bounding-box"},
    {"dc-barrier-any-pipe"},
    {"dc-barrier-touching"},
    {"dc-dst-gap-head-to-head",
     "takes dstStride for the distance of two heads"},
    {"dc-dst-gap-ignored"},
    {"dc-last-block-skipped"},
    {"dc-block-count-zero-copies-one"},
    {"dc-block-count-8-bit"},
    {"dc-gm-to-local-on-mte3"},
    {"dc-local-to-gm-on-mte2"},
    {"dc-copy-flushes-subnormals"},
    {"dc-copy-swaps-32-bit-words"},
    {"dc-gap-overwritten"},
    {"dc-byte-behind-written"},
    {"dc-last-byte-lost"},
    {"dc-vectors-remainder-lost"},
    {"dc-vectors-gap-of-dst-overwritten"},
    {"dc-vectors-write-64-bytes"},
});

/// The index of `wanted` among `all`.
template <class Member = std::identity>
std::size_t IndexOf(const auto& wanted, const auto& all, Member member = {}) {
  return static_cast<std::size_t>(std::ranges::find(all, wanted, member) -
                                  all.begin());
}

/// The same seam replaced in the other row.
Table Shared() {
  const Table all =
      Joined(DataCopyLegality(), DataCopyOverlaps(), DataCopyPlans(),
             DataCopyKernels(), DataCopyWriteBacks(), DataCopyVectorKernels());
  Table shared;
  for (const auto& [name, defect] : kShared) {
    Mutant& mutant =
        shared.emplace_back(all.at(IndexOf(name, all, &Mutant::name)));
    mutant.name = Kept("dcp" + std::string(name.substr(2)));
    mutant.slug = kPadRow.signature.slug;
    mutant.rule =
        kPadRow.signature.rules[IndexOf(mutant.rule, kCopyRow.signature.rules)];
    if (!defect.empty()) mutant.defect = defect;
    std::swap(mutant.seams.copies.front(), mutant.seams.copies.back());
  }
  return shared;
}

// ---- Legality ---------------------------------------------------------------

Table Ranges() {
  return {
      kPadRow("dcp-block-len-2097152-accepted", kBlockLen,
              "accepts blockLen = 2097152", "21 bits counted from 1")
          .MisreadBy([](Call& c) {
            auto& length = c[Param::kBlockLen];
            if (length == 2097152) length -= 32;
          }),
      kPadRow("dcp-block-len-multiple-unchecked", kBlockLen,
              "accepts a blockLen that ends within an element",
              "a length that is only a number of bytes")
          .MisreadBy([](Call& c) {
            auto& length = c[Param::kBlockLen];
            if (length > 0) length -= length % Element(c);
          }),
      kPadRow("dcp-src-gap-33-bits-accepted", kGap,
              "accepts srcStride = 4294967296")
          .MisreadBy([](Call& c) {
            auto& gap = c[Param::kSrcGap];
            if (gap == 4294967296) --gap;
          }),
      kPadRow("dcp-dst-gap-16-bit", kGap, "refuses a dstStride above 65535",
              "DataCopyParams in the place of DataCopyExtParams")
          .StricterBy([](RuleSet& broken, const Call& c) {
            broken.AddIf(c[Param::kDstGap] > 65535, c.Rule(kGap));
          }),
      kPadRow("dcp-left-padding-one-more-accepted", kPadding,
              "accepts one element more than 32 bytes of leftPadding")
          .MisreadBy([](Call& c) {
            auto& left = c[Param::kLeftPadding];
            if (left == 32 / Element(c) + 1) --left;
          }),
      kPadRow("dcp-right-padding-of-32-bytes-refused", kPadding,
              "refuses 32 bytes of rightPadding",
              "< for <= at the end of a range")
          .StricterBy([](RuleSet& broken, const Call& c) {
            broken.AddIf(c[Param::kRightPadding] == 32 / Element(c),
                         c.Rule(kPadding));
          }),
      kPadRow("dcp-padding-up-to-32-elements", kPadding,
              "allows 32 elements of padding, whatever the type",
              "a limit in bytes taken for one in elements")
          .MisreadBy([](Call& c) {
            for (const Param p : {Param::kLeftPadding, Param::kRightPadding}) {
              if (c[p] <= 32) c[p] = std::min(c[p], 32 / Element(c));
            }
          }),
      kPadRow("dcp-padding-value-of-64-bits-accepted", kPaddingValue,
              "accepts any paddingValue of 64 bits")
          .MisreadBy([](Call& c) {
            if (Element(c) == 8) c.scalar = 0;
          }),
      kPadRow("dcp-src-align-16", kSrcAlign,
              "is content with a source in UB aligned to 16 bytes")
          .MisreadBy([](Call& c) {
            if (!IsIntoUb(c)) c.src(0) = AlignedTo16(c.src(0));
          }),
      kPadRow("dcp-gm-dst-align-32", kDstAlign,
              "wants a destination in GM aligned to 32 bytes, too",
              "one alignment for every position")
          .StricterBy([](RuleSet& broken, const Call& c) {
            broken.AddIf(c.dst().at % 32 != 0, c.Rule(kDstAlign));
          }),
  };
}

Table Tables() {
  return {
      kPadRow("dcp-product-a3-refused", kProduct, "refuses atlas-a3")
          .ConfusedOn<Product::kAtlasA3, Product::kAtlasInferenceAicore>(),
      kPadRow("dcp-product-aicore-accepted", kProduct,
              "takes atlas-inference-aicore for a product that has the call",
              "the table row of DataCopy")
          .ConfusedOn<Product::kAtlasInferenceAicore, Product::kAtlasA2>(),
      kPadRow("dcp-dtype-64-bits-on-200i-accepted", kDtype,
              "accepts types of 64 bits on atlas-200i-500-a2")
          .JudgedBy([](const Call& c, const State& s) {
            return Element(c) == 8
                       ? Real(c, Confused(s, Product::kAtlas200i500A2,
                                          Product::kAtlasA2))
                       : Real(c, s);
          }),
      kPadRow("dcp-dtype-match-unchecked", kDtypeMatch,
              "does not look at the types of the operands")
          .MisreadBy([](Call& c) {
            for (isa::Operand& operand : c.used_operands()) {
              operand.dtype = std::nullopt;
            }
          }),
      kPadRow("dcp-veccalc-accepted", kRoute, "copies to VECCALC",
              "the product after these has it")
          .MisreadBy([](Call& c) {
            auto& position = c.dst().position;
            if (position == Position::kVeccalc) position = Position::kVecin;
          }),
      kPadRow("dcp-vecout-into-ub-refused", kRoute, "refuses to copy to VECOUT",
              "the table of DataCopy")
          .StricterBy([](RuleSet& broken, const Call& c) {
            broken.AddIf(c.dst().position == Position::kVecout, c.Rule(kRoute));
          }),
      kPadRow("dcp-vecin-out-of-ub-refused", kRoute,
              "refuses to copy from VECIN", "the table of DataCopy")
          .StricterBy([](RuleSet& broken, const Call& c) {
            broken.AddIf(c.src(0).position == Position::kVecin, c.Rule(kRoute));
          }),
      kPadRow("dcp-first-rule-only", kBlockLen,
              "reports one of several broken rules",
              "a checker that returns at the first failure")
          .JudgedBy([](const Call& c, const State& s) {
            return FirstOnly(Real(c, s));
          }),
  };
}

Table Places() {
  return {
      kPadRow("dcp-bounds-last-data-block-not-counted", kBounds,
              "lets what fills the last DataBlock reach behind the window")
          .WeakenedBy<kBounds>([](Call& c) {
            if (IsIntoUb(c)) c.dst() = Longer(c.dst(), 31);
          }),
      kPadRow("dcp-bounds-padding-not-counted", kBounds,
              "wants space in dst for the block alone")
          .WeakenedBy<kBounds>([](Call& c) {
            c[Param::kLeftPadding] = c[Param::kRightPadding] = 0;
          }),
      kPadRow("dcp-bounds-src-in-whole-data-blocks", kBounds,
              "wants the last block of src to be whole DataBlocks",
              "a copy engine that reads 32 bytes at a time")
          .StricterBy([](RuleSet& broken, const Call& c, const State& s) {
            Plan p = RealPlan<Seams>(c, s);
            p.src.bytes = Whole(p.src.bytes);
            broken.AddIf(!ExtentOf(p.src).Inside(emulator::WindowOf(c.src(0))),
                         c.Rule(kBounds));
          }),
      kPadRow("dcp-barrier-padding-not-counted", kBarrier,
              "wants no barrier where only padding is written again")
          .JudgedBy([](const Call& c, const State& s) {
            const RuleSet broken = Real(c, s);
            if (!broken.Contains(c.Rule(kBarrier))) return broken;
            Plan p = RealPlan<Seams>(c, s);
            p.dst.begin += p.left;
            p.dst.bytes = p.copied();
            return Weakened(
                broken, c.Rule(kBarrier),
                std::ranges::any_of(s.copies_under_way, [&](const auto& copy) {
                  return copy.pipe == p.pipe && copy.memory == p.dst_memory &&
                         Meet(copy.destination, p.dst);
                }));
          }),
  };
}

// ---- Addresses --------------------------------------------------------------

/// Gaps of `src` and `dst` bytes, from the end of a block in GM, and of the
/// last DataBlock of one in UB.
void SetGaps(Plan& plan, const Call& call, std::int64_t src, std::int64_t dst) {
  const std::int64_t bytes = plan.src.bytes;
  plan.src.stride = (IsIntoUb(call) ? bytes : Whole(bytes)) + src;
  plan.dst.stride = plan.dst.bytes + dst;
}

/// Blocks of dst with `bytes` each, gaps as they were.
void SetWidth(Plan& plan, std::int64_t bytes) {
  plan.dst.stride += bytes - plan.dst.bytes;
  plan.dst.bytes = bytes;
}

/// Bytes of a block with its padding, up to no DataBlock's end.
std::int64_t Padded(const Plan& plan, const Call& call) {
  return plan.left + plan.src.bytes +
         call[Param::kRightPadding] * Element(call);
}

Table Gaps() {
  return {
      kPadRow("dcp-ub-dst-gap-in-bytes", kAddress,
              "counts dstStride in bytes in UB, too")
          .Planned([](Plan& p, const Call& c) {
            if (IsIntoUb(c))
              SetGaps(p, c, c[Param::kSrcGap], c[Param::kDstGap]);
          }),
      kPadRow("dcp-gm-src-gap-in-data-blocks", kAddress,
              "counts srcStride in 32 bytes in GM, too")
          .Planned([](Plan& p, const Call& c) {
            if (!IsIntoUb(c)) return;
            SetGaps(p, c, c[Param::kSrcGap] * 32, c[Param::kDstGap] * 32);
          }),
      kPadRow("dcp-ub-src-gap-in-bytes", kAddress,
              "counts srcStride in bytes in UB, too")
          .Planned([](Plan& p, const Call& c) {
            if (!IsIntoUb(c)) {
              SetGaps(p, c, c[Param::kSrcGap], c[Param::kDstGap]);
            }
          }),
      kPadRow("dcp-gm-dst-gap-in-data-blocks", kAddress,
              "counts dstStride in 32 bytes in GM, too")
          .Planned([](Plan& p, const Call& c) {
            if (IsIntoUb(c)) return;
            SetGaps(p, c, c[Param::kSrcGap] * 32, c[Param::kDstGap] * 32);
          }),
      kPadRow("dcp-gaps-swapped", kAddress,
              "takes srcStride for dstStride and dstStride for srcStride")
          .Planned([](Plan& p, const Call& c) {
            SetGaps(p, c, c[Param::kDstGap] * (IsIntoUb(c) ? 1 : 32),
                    c[Param::kSrcGap] * (IsIntoUb(c) ? 32 : 1));
          }),
  };
}

Table Widths() {
  return {
      kPadRow("dcp-src-blocks-packed", kAddress,
              "reads blocks of UB from any byte, not from a DataBlock's begin")
          .Planned([](Plan& p, const Call& c) {
            if (!IsIntoUb(c)) p.src.stride -= Whole(p.src.bytes) - p.src.bytes;
          }),
      kPadRow("dcp-dst-blocks-packed", kAddress,
              "writes the next block right behind rightPadding")
          .Planned([](Plan& p, const Call& c) {
            if (IsIntoUb(c) && !p.dst.empty()) SetWidth(p, Padded(p, c));
          }),
      kPadRow("dcp-width-without-right-padding", kAddress,
              "rounds up to DataBlocks before it adds rightPadding")
          .Planned([](Plan& p, const Call& c) {
            if (IsIntoUb(c) && !p.dst.empty()) {
              SetWidth(p, Whole(p.left + p.src.bytes));
            }
          }),
      kPadRow("dcp-left-padding-ignored", kAddress,
              "writes the block where its padding begins")
          .Planned([](Plan& p) { p.left = 0; }),
      kPadRow("dcp-paddings-swapped", kAddress,
              "takes leftPadding for rightPadding and rightPadding for "
              "leftPadding")
          .Planned([](Plan& p, const Call& c) {
            if (IsIntoUb(c)) p.left = c[Param::kRightPadding] * Element(c);
          }),
      kPadRow("dcp-tail-lost", kAddress, "copies whole DataBlocks alone",
              "DataCopy")
          .Planned([](Plan& p, const Call& c) {
            p.src.bytes = p.src.bytes / 32 * 32;
            if (!IsIntoUb(c)) p.dst.bytes = p.src.bytes;
          }),
      kPadRow("dcp-gm-in-whole-data-blocks", kAddress,
              "writes GM up to a multiple of 32 bytes", "DataCopy")
          .Planned([](Plan& p, const Call& c) {
            if (!IsIntoUb(c)) p.src.bytes = p.dst.bytes = Whole(p.dst.bytes);
          }),
      kPadRow("dcp-empty-block-padded", kBlockEmpty,
              "writes the padding of blocks of no bytes")
          .Planned([](Plan& p, const Call& c) {
            if (p.src.bytes == 0 && p.padded_with == Padding::kElement) {
              SetWidth(p, Whole(Padded(p, c)));
            }
          }),
      kPadRow("dcp-empty-copy-booked", kBlockEmpty,
              "books a copy of nothing as one of a DataBlock, and has no note")
          .Planned([](Plan& p) {
            if (!p.dst.empty()) return;
            p.src.bytes = 0;
            p.dst.bytes = 32;
            p.dst.count = 1;
            p.padded_with = Padding::kKept;
          }),
  };
}

// ---- What pads --------------------------------------------------------------

Mutant Filled(const Label& label, emulator::DataCopyPadKernel kernel) {
  return PlantedIn(&Seams::pad_kernel, kernel, label);
}

Table Fills() {
  return {
      kPadRow("dcp-fill-of-value-without-padding", kFill,
              "fills with paddingValue if isPad, without padding, too",
              "table 4 read without the text below it")
          .Planned([](Plan& p, const Call& c) {
            if (IsIntoUb(c) && c.is_pad) p.padded_with = Padding::kElement;
          }),
      kPadRow("dcp-fill-of-value-without-is-pad", kFill,
              "fills with paddingValue if isPad is false and nothing pads")
          .Planned([](Plan& p, const Call& c) {
            if (p.padded_with == Padding::kFirstElement && !c.is_pad) {
              p.padded_with = Padding::kElement;
            }
          }),
      kPadRow("dcp-fill-of-zero-without-padding", kFill,
              "fills with zeros where the block's first element is right")
          .Planned([](Plan& p) {
            if (p.padded_with != Padding::kFirstElement) return;
            p.padded_with = Padding::kElement;
            p.padding = 0;
          }),
      kPadRow("dcp-fill-of-zero", kFill, "takes 0 for paddingValue")
          .Planned([](Plan& p) { p.padding = 0; }),
      kPadRow("dcp-fill-stops-at-right-padding", kFill,
              "leaves what is behind rightPadding in the last DataBlock as it "
              "was")
          .Planned([](Plan& p, const Call& c) {
            if (p.padded_with == Padding::kElement && !p.dst.empty()) {
              p.dst.bytes = Padded(p, c);
            }
          }),
      Filled(kPadRow("dcp-fill-of-bytes", kFill,
                     "fills with the first byte of the element", "memset"),
             [](const Plan& p, Constant memory, std::int64_t at, Bytes out) {
               kDataCopy.pad_kernel(p, memory, at, out);
               std::ranges::fill(out, std::uint8_t{out.front()});
             }),
      Filled(kPadRow("dcp-fill-of-last-element", kFill,
                     "fills with the block's last element"),
             [](const Plan& p, Constant memory, std::int64_t at, Bytes out) {
               kDataCopy.pad_kernel(p, memory,
                                    at + p.src.bytes - p.element_bytes, out);
             }),
      Filled(kPadRow("dcp-fill-of-first-block", kFill,
                     "fills behind each block with the first element of the "
                     "first one"),
             [](const Plan& p, Constant memory, std::int64_t, Bytes out) {
               kDataCopy.pad_kernel(p, memory, p.src.begin, out);
             }),
  };
}

Table VectorKernels() {
  return {
      kPadRow("dcp-vectors-fill-of-first-block", kFill,
              "vectors fill behind each block with the first element of the "
              "first one",
              "a broadcast before the loop")
          .Computed([](const Plan& plan, Constant src, Bytes dst) {
            Plan other = plan;
            if (plan.padded_with == Padding::kFirstElement) {
              std::array<std::uint8_t, 8> first{};
              emulator::LoadBytes(src, plan.src.begin,
                                  std::span(first).first(plan.element_bytes));
              other.padded_with = Padding::kElement;
              other.padding = std::bit_cast<std::uint64_t>(first);
            }
            return RealVectors<Seams>(other, src, dst);
          }),
      kPadRow("dcp-vectors-tail-lost", kAddress,
              "vectors copy whole DataBlocks", "a loop without its remainder")
          .Computed([](const Plan& plan, Constant src, Bytes dst) {
            Plan other = plan;
            other.src.bytes = plan.src.bytes / 32 * 32;
            return RealVectors<Seams>(other, src, dst);
          }),
  };
}

}  // namespace

Table PaddedCopies() {
  return Joined(Shared(), Ranges(), Tables(), Places(), Gaps(), Widths(),
                Fills(), VectorKernels());
}

}  // namespace lanediff::mutants
