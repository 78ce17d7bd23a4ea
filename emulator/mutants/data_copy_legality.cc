// DataCopy: seams of legality.

#include <algorithm>

#include "emulator/address.h"
#include "emulator/mutants/plant.h"

namespace lanediff::mutants {
namespace {

using enum isa::CallRule;
using emulator::Blocks;
using emulator::CopyUnderWay;
using emulator::DataCopyPlan;
using emulator::State;
using isa::Call;
using isa::DType;
using isa::Param;
using isa::Position;
using isa::Product;
using isa::RuleSet;

Table Ranges() {
  return {
      kCopyRow("dc-block-count-4096-accepted", kBlockCount,
               "accepts blockCount = 4096", "12 bits counted from 1")
          .MisreadBy([](Call& c) {
            if (c[Param::kBlockCount] == 4096) c[Param::kBlockCount] = 4095;
          }),
      kCopyRow("dc-block-count-zero-accepted", kBlockCount,
               "accepts blockCount = 0 in edition 2024")
          .MisreadBy([](Call& c) {
            if (c.Has(Param::kBlockCount) && c[Param::kBlockCount] == 0) {
              c[Param::kBlockCount] = 1;
            }
          }),
      kCopyRow("dc-block-len-zero-accepted", kBlockLen,
               "accepts blockLen = 0 in edition 2024")
          .MisreadBy([](Call& c) {
            if (c.Has(Param::kBlockCount) && c[Param::kBlockLen] == 0) {
              c[Param::kBlockLen] = 1;
            }
          }),
      kCopyRow("dc-block-count-zero-refused", kBlockCount,
               "refuses blockCount = 0", "the range of 2024")
          .StricterBy([](RuleSet& broken, const Call& c) {
            broken.AddIf(
                c.Has(Param::kBlockCount) && c[Param::kBlockCount] == 0,
                c.Rule(kBlockCount));
          }),
      kCopyRow("dc-block-len-zero-refused", kBlockLen, "refuses blockLen = 0",
               "the range of 2024")
          .StricterBy([](RuleSet& broken, const Call& c) {
            broken.AddIf(c.Has(Param::kBlockCount) && c[Param::kBlockLen] == 0,
                         c.Rule(kBlockLen));
          }),
      kCopyRow("dc-src-gap-65536-accepted", kGap, "accepts srcGap = 65536")
          .MisreadBy([](Call& c) {
            if (c[Param::kSrcGap] == 65536) c[Param::kSrcGap] = 65535;
          }),
      kCopyRow("dc-dst-gap-negative-accepted", kGap, "accepts dstGap = -1",
               "a lower bound left out")
          .MisreadBy([](Call& c) {
            if (c[Param::kDstGap] == -1) c[Param::kDstGap] = 0;
          }),
      kCopyRow(
          "dc-count-64-bit", kCount,
          "takes count for a 64-bit number: 2^32 breaks the bounds instead")
          .JudgedBy([](const Call& c, const State& s) {
            return c[Param::kCount] < 0
                       ? Real(c, s)
                       : Instead(Real(c, s), c.Rule(kCount), c.Rule(kBounds));
          }),
      kCopyRow("dc-gm-src-align-32", kSrcAlign,
               "wants a source in GM aligned to 32 bytes, too",
               "one alignment for every position")
          .StricterBy([](RuleSet& broken, const Call& c) {
            broken.AddIf(c.src(0).at % 32 != 0, c.Rule(kSrcAlign));
          }),
      kCopyRow("dc-local-dst-align-16", kDstAlign,
               "is content with a local destination aligned to 16 bytes")
          .MisreadBy([](Call& c) { c.dst() = AlignedTo16(c.dst()); }),
      kCopyRow("dc-c2-align-32", kDstAlign,
               "is content with 32 bytes at C2 as elsewhere")
          .MisreadBy([](Call& c) {
            if (c.dst().position == Position::kC2 && c.dst().at % 64 == 32) {
              c.dst().at -= 32;
              c.dst() = Longer(c.dst(), 32);
            }
          }),
      kCopyRow("dc-bounds-gap-behind-last-block", kBounds,
               "wants space for the gap behind the last block, too",
               "n * stride for (n - 1) * stride + length")
          .StricterBy([](RuleSet& broken, const Call& c, const State& s) {
            const DataCopyPlan p = emulator::kDataCopy.plan(c, s);
            broken.AddIf(c.Has(Param::kBlockCount) &&
                             p.src.count * p.src.stride > c.src(0).bytes,
                         c.Rule(kBounds));
          }),
  };
}

Table Tables() {
  return {
      kCopyRow("dc-product-200-300-500-accepted", kProduct,
               "gives atlas-200-300-500 the routes of atlas-training")
          .ConfusedOn<Product::kAtlas200_300_500, Product::kAtlasTraining>(),
      kCopyRow("dc-vectorcore-has-a1", kRoute,
               "lets atlas-inference-vectorcore copy GM to A1",
               "the table row of the AI Core read for the Vector Core")
          .JudgedBy([](const Call& c, const State& s) {
            if (c.dst().position != Position::kA1) return Real(c, s);
            return Real(c, Confused(s, Product::kAtlasInferenceVectorcore,
                                    Product::kAtlasInferenceAicore));
          }),
      kCopyRow("dc-a3-without-tscm", kRoute,
               "refuses copies to TSCM on atlas-a3")
          .StricterBy([](RuleSet& broken, const Call& c, const State& s) {
            broken.AddIf(s.product == Product::kAtlasA3 &&
                             c.dst().position == Position::kTscm,
                         c.Rule(kRoute));
          }),
      kCopyRow("dc-example-route-refused", kRoute, "refuses VECIN to VECOUT",
               "table 5 read without the example")
          .StricterBy([](RuleSet& broken, const Call& c) {
            broken.AddIf(c.src(0).position == Position::kVecin &&
                             c.dst().position == Position::kVecout,
                         c.Rule(kRoute));
          }),
      kCopyRow("dc-bfloat16-on-200i-refused", kDtype,
               "refuses bfloat16 on atlas-200i-500-a2")
          .StricterBy([](RuleSet& broken, const Call& c, const State& s) {
            broken.AddIf(s.product == Product::kAtlas200i500A2 &&
                             c.dtype == DType::kBfloat16,
                         c.Rule(kDtype));
          }),
      kCopyRow("dc-bfloat16-on-training-accepted", kDtype,
               "accepts bfloat16 on atlas-training")
          .JudgedBy([](const Call& c, const State& s) {
            return Weakened(Real(c, s), c.Rule(kDtype),
                            s.product != Product::kAtlasTraining);
          }),
      kCopyRow("dc-mixed-reported-as-dtype", kMixed,
               "reports DC-DTYPE where DC-MIXED is broken")
          .Instead<kMixed, kDtype>(),
      kCopyRow(
          "dc-align-hides-second-rule", kSrcAlign,
          "reports DC-DST-ALIGN and not DC-SRC-ALIGN where both are broken",
          "else if in a row of checks")
          .JudgedBy([](const Call& c, const State& s) {
            const RuleSet broken = Real(c, s);
            return Weakened(broken, c.Rule(kSrcAlign),
                            !broken.Contains(c.Rule(kDstAlign)));
          }),
  };
}

/// A mutant before whose eyes `Change(state)` has happened.
template <class Change>
Mutant Forgetful(const auto& label, Change) {
  return label.JudgedBy([](const Call& call, const State& state) {
    State other = state;
    Change{}(other);
    return Real(call, other);
  });
}

bool InPlace(const DataCopyPlan& p) {
  return p.src.begin == p.dst.begin && p.src.stride == p.dst.stride;
}

Table Overlaps() {
  return {
      kCopyRow("dc-overlap-ignored", kOverlap,
               "lets source and destination overlap in any way")
          .Without<kOverlap>(),
      kCopyRow("dc-overlap-first-block-only", kOverlap,
               "holds the first block against the first block only")
          .WeakenedBy<kOverlap>([](Call& c) {
            auto& count = c[Param::kBlockCount];
            count = std::min<std::int64_t>(count, 1);
          }),
      kCopyRow("dc-overlap-same-start-accepted", kOverlap,
               "takes every copy that starts in place for one that stays there")
          .JudgedBy([](const Call& c, const State& s) {
            return Weakened(Real(c, s), c.Rule(kOverlap),
                            c.src(0).at != c.dst().at);
          }),
      kCopyRow("dc-overlap-bounding-box", kOverlap,
               "takes blocks that lie in the other side's gaps for overlapping",
               "a checker that compares address ranges, not bytes")
          .StricterOn<kOverlap>([](const DataCopyPlan& p) {
            return p.src_memory == p.dst_memory && !InPlace(p) &&
                   ExtentOf(p.src).Meets(ExtentOf(p.dst));
          }),
      kCopyRow("dc-overlap-touching", kOverlap,
               "takes a destination right behind the source for overlapping",
               "<= for < in a comparison of ranges")
          .StricterOn<kOverlap>([](const DataCopyPlan& p) {
            return p.src_memory == p.dst_memory &&
                   Touch(ExtentOf(p.src), ExtentOf(p.dst));
          }),
  };
}

Table Barriers() {
  return {
      Forgetful(
          kCopyRow("dc-barrier-ignored", kBarrier, "never requires a barrier"),
          [](State& s) { s.copies_under_way.clear(); }),
      Forgetful(kCopyRow("dc-barrier-last-copy-only", kBarrier,
                         "remembers the last copy only"),
                [](State& s) {
                  auto& copies = s.copies_under_way;
                  if (copies.size() > 1) {
                    copies.erase(copies.begin(), copies.end() - 1);
                  }
                }),
      Forgetful(kCopyRow("dc-barrier-first-block-only", kBarrier,
                         "remembers the first block of an earlier copy only"),
                [](State& s) {
                  for (CopyUnderWay& copy : s.copies_under_way) {
                    copy.destination.count = 1;
                  }
                }),
      Forgetful(kCopyRow("dc-barrier-bounding-box", kBarrier,
                         "counts the gaps of an earlier copy as written"),
                [](State& s) {
                  for (CopyUnderWay& copy : s.copies_under_way) {
                    Blocks& blocks = copy.destination;
                    blocks.bytes += (blocks.count - 1) * blocks.stride;
                    blocks.count = 1;
                  }
                }),
      kCopyRow("dc-barrier-any-pipe", kBarrier,
               "wants a barrier after a copy of another pipe, too")
          .StricterOn<kBarrier>([](const DataCopyPlan& p, const State& now) {
            return std::ranges::any_of(now.copies_under_way,
                                       [&](const CopyUnderWay& copy) {
                                         return copy.memory == p.dst_memory &&
                                                Meet(copy.destination, p.dst);
                                       });
          }),
      kCopyRow("dc-barrier-touching", kBarrier,
               "wants a barrier between copies side by side")
          .StricterOn<kBarrier>([](const DataCopyPlan& p, const State& now) {
            return std::ranges::any_of(
                now.copies_under_way, [&](const CopyUnderWay& copy) {
                  return copy.memory == p.dst_memory && copy.pipe == p.pipe &&
                         Touch(ExtentOf(copy.destination), ExtentOf(p.dst));
                });
          }),
  };
}

}  // namespace

Table DataCopyLegality() { return Joined(Ranges(), Tables()); }

Table DataCopyOverlaps() { return Joined(Overlaps(), Barriers()); }

}  // namespace lanediff::mutants
