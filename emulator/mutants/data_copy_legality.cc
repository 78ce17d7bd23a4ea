// DataCopy: seams of legality.

#include <algorithm>

#include "emulator/address.h"
#include "emulator/mutants/judge.h"

namespace lanediff::mutants {
namespace {

namespace rule = isa::dc;
using emulator::DataCopyPlan;
using emulator::State;
using isa::DType;
using isa::Position;
using isa::Product;
using isa::RuleSet;
using Call = isa::DataCopy;
using emulator::Blocks;
using emulator::CopyUnderWay;

Table Ranges() {
  return {
      MisreadBy<Call>({"dc-block-count-4096-accepted", rule::kBlockCount,
                       "accepts blockCount = 4096", "12 bits counted from 1"},
                      [](Call& c) {
                        if (c.params.block_count == 4096)
                          c.params.block_count = 4095;
                      }),
      MisreadBy<Call>({"dc-block-count-zero-accepted", rule::kBlockCount,
                       "accepts blockCount = 0 in edition 2024"},
                      [](Call& c) {
                        if (c.form == Call::kParams &&
                            c.params.block_count == 0) {
                          c.params.block_count = 1;
                        }
                      }),
      MisreadBy<Call>({"dc-block-len-zero-accepted", rule::kBlockLen,
                       "accepts blockLen = 0 in edition 2024"},
                      [](Call& c) {
                        if (c.form == Call::kParams &&
                            c.params.block_len == 0) {
                          c.params.block_len = 1;
                        }
                      }),
      StricterBy<Call>({"dc-block-count-zero-refused", rule::kBlockCount,
                        "refuses blockCount = 0", "the range of 2024"},
                       [](RuleSet& broken, const Call& c) {
                         broken.AddIf(c.form == Call::kParams &&
                                          c.params.block_count == 0,
                                      rule::kBlockCount);
                       }),
      StricterBy<Call>({"dc-block-len-zero-refused", rule::kBlockLen,
                        "refuses blockLen = 0", "the range of 2024"},
                       [](RuleSet& broken, const Call& c) {
                         broken.AddIf(
                             c.form == Call::kParams && c.params.block_len == 0,
                             rule::kBlockLen);
                       }),
      MisreadBy<Call>(
          {"dc-src-gap-65536-accepted", rule::kGap, "accepts srcGap = 65536"},
          [](Call& c) {
            if (c.params.src_gap == 65536) c.params.src_gap = 65535;
          }),
      MisreadBy<Call>({"dc-dst-gap-negative-accepted", rule::kGap,
                       "accepts dstGap = -1", "a lower bound left out"},
                      [](Call& c) {
                        if (c.params.dst_gap == -1) c.params.dst_gap = 0;
                      }),
      JudgedBy<Call>(
          {"dc-count-64-bit", rule::kCount,
           "takes count for a 64-bit number: 2^32 breaks the bounds instead"},
          [](const Call& c, const State& s) {
            return c.count < 0
                       ? Real(c, s)
                       : Instead(Real(c, s), rule::kCount, rule::kBounds);
          }),
      StricterBy<Call>({"dc-gm-src-align-32", rule::kSrcAlign,
                        "wants a source in GM aligned to 32 bytes, too",
                        "one alignment for every position"},
                       [](RuleSet& broken, const Call& c) {
                         broken.AddIf(c.src.at % 32 != 0, rule::kSrcAlign);
                       }),
      MisreadBy<Call>(
          {"dc-local-dst-align-16", rule::kDstAlign,
           "is content with a local destination aligned to 16 bytes"},
          [](Call& c) { c.dst = AlignedTo16(c.dst); }),
      MisreadBy<Call>({"dc-c2-align-32", rule::kDstAlign,
                       "is content with 32 bytes at C2 as elsewhere"},
                      [](Call& c) {
                        if (c.dst.position == Position::kC2 &&
                            c.dst.at % 64 == 32) {
                          c.dst.at -= 32;
                          c.dst = Longer(c.dst, 32);
                        }
                      }),
      JudgedBy<Call>({"dc-bounds-gap-behind-last-block", rule::kBounds,
                      "wants space for the gap behind the last block, too",
                      "n * stride for (n - 1) * stride + length"},
                     [](const Call& c, const State& s) {
                       RuleSet broken = Real(c, s);
                       if (!broken.empty() || c.form != Call::kParams)
                         return broken;
                       const DataCopyPlan p = emulator::kDataCopy.plan(c, s);
                       broken.AddIf(p.src.count * p.src.stride > c.src.bytes,
                                    rule::kBounds);
                       return broken;
                     }),
  };
}

Table Tables() {
  return {
      ConfusedOn<Call, Product::kAtlas200_300_500, Product::kAtlasTraining>(
          {"dc-product-200-300-500-accepted", rule::kProduct,
           "gives atlas-200-300-500 the routes of atlas-training"}),
      JudgedBy<Call>({"dc-vectorcore-has-a1", rule::kRoute,
                      "lets atlas-inference-vectorcore copy GM to A1",
                      "the table row of the AI Core read for the Vector Core"},
                     [](const Call& c, const State& s) {
                       if (c.dst.position != Position::kA1) return Real(c, s);
                       return Real(
                           c, Confused(s, Product::kAtlasInferenceVectorcore,
                                       Product::kAtlasInferenceAicore));
                     }),
      StricterBy<Call>({"dc-a3-without-tscm", rule::kRoute,
                        "refuses copies to TSCM on atlas-a3"},
                       [](RuleSet& broken, const Call& c, const State& s) {
                         broken.AddIf(s.product == Product::kAtlasA3 &&
                                          c.dst.position == Position::kTscm,
                                      rule::kRoute);
                       }),
      StricterBy<Call>(
          {"dc-example-route-refused", rule::kRoute, "refuses VECIN to VECOUT",
           "table 5 read without the example"},
          [](RuleSet& broken, const Call& c) {
            broken.AddIf(c.src.position == Position::kVecin &&
                             c.dst.position == Position::kVecout,
                         rule::kRoute);
          }),
      StricterBy<Call>({"dc-bfloat16-on-200i-refused", rule::kDtype,
                        "refuses bfloat16 on atlas-200i-500-a2"},
                       [](RuleSet& broken, const Call& c, const State& s) {
                         broken.AddIf(s.product == Product::kAtlas200i500A2 &&
                                          c.dtype == DType::kBfloat16,
                                      rule::kDtype);
                       }),
      JudgedBy<Call>({"dc-bfloat16-on-training-accepted", rule::kDtype,
                      "accepts bfloat16 on atlas-training"},
                     [](const Call& c, const State& s) {
                       return Weakened(Real(c, s), rule::kDtype,
                                       s.product != Product::kAtlasTraining);
                     }),
      JudgedBy<Call>({"dc-mixed-reported-as-dtype", rule::kMixed,
                      "reports DC-DTYPE where DC-MIXED is broken"},
                     [](const Call& c, const State& s) {
                       return Instead(Real(c, s), rule::kMixed, rule::kDtype);
                     }),
      JudgedBy<Call>(
          {"dc-align-hides-second-rule", rule::kSrcAlign,
           "reports DC-DST-ALIGN and not DC-SRC-ALIGN where both are broken",
           "else if in a row of checks"},
          [](const Call& c, const State& s) {
            const RuleSet broken = Real(c, s);
            return Weakened(broken, rule::kSrcAlign,
                            !broken.Contains(rule::kDstAlign));
          }),
  };
}

/// A mutant before whose eyes `Change(state)` has happened.
template <class Change>
Mutant Forgetful(const Label& label, Change) {
  return JudgedBy<Call>(label, [](const Call& call, const State& state) {
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
      JudgedBy<Call>({"dc-overlap-ignored", rule::kOverlap,
                      "lets source and destination overlap in any way"},
                     [](const Call& c, const State& s) {
                       return Without(Real(c, s), rule::kOverlap);
                     }),
      JudgedBy<Call>({"dc-overlap-first-block-only", rule::kOverlap,
                      "holds the first block against the first block only"},
                     [](const Call& c, const State& s) {
                       Call first = c;
                       first.params.block_count =
                           std::min<std::int64_t>(c.params.block_count, 1);
                       return Weakened(Real(c, s), rule::kOverlap,
                                       Real(first, s).Contains(rule::kOverlap));
                     }),
      JudgedBy<Call>(
          {"dc-overlap-same-start-accepted", rule::kOverlap,
           "takes every copy that starts in place for one that stays there"},
          [](const Call& c, const State& s) {
            return Weakened(Real(c, s), rule::kOverlap, c.src.at != c.dst.at);
          }),
      StricterOn<Call>(
          {"dc-overlap-bounding-box", rule::kOverlap,
           "takes blocks that lie in the other side's gaps for overlapping",
           "a checker that compares address ranges, not bytes"},
          [](RuleSet& broken, const DataCopyPlan& p) {
            broken.AddIf(
                p.src_memory == p.dst_memory && !InPlace(p) &&
                    emulator::ExtentOf(p.src).Meets(emulator::ExtentOf(p.dst)),
                rule::kOverlap);
          }),
      StricterOn<Call>(
          {"dc-overlap-touching", rule::kOverlap,
           "takes a destination right behind the source for overlapping",
           "<= for < in a comparison of ranges"},
          [](RuleSet& broken, const DataCopyPlan& p) {
            broken.AddIf(
                p.src_memory == p.dst_memory &&
                    Touch(emulator::ExtentOf(p.src), emulator::ExtentOf(p.dst)),
                rule::kOverlap);
          }),
  };
}

Table Barriers() {
  return {
      Forgetful(
          {"dc-barrier-ignored", rule::kBarrier, "never requires a barrier"},
          [](State& s) { s.copies_under_way.clear(); }),
      Forgetful({"dc-barrier-last-copy-only", rule::kBarrier,
                 "remembers the last copy only"},
                [](State& s) {
                  auto& copies = s.copies_under_way;
                  if (copies.size() > 1) {
                    copies.erase(copies.begin(), copies.end() - 1);
                  }
                }),
      Forgetful({"dc-barrier-first-block-only", rule::kBarrier,
                 "remembers the first block of an earlier copy only"},
                [](State& s) {
                  for (CopyUnderWay& copy : s.copies_under_way) {
                    copy.destination.count = 1;
                  }
                }),
      Forgetful({"dc-barrier-bounding-box", rule::kBarrier,
                 "counts the gaps of an earlier copy as written"},
                [](State& s) {
                  for (CopyUnderWay& copy : s.copies_under_way) {
                    Blocks& blocks = copy.destination;
                    blocks.bytes += (blocks.count - 1) * blocks.stride;
                    blocks.count = 1;
                  }
                }),
      StricterOn<Call>(
          {"dc-barrier-any-pipe", rule::kBarrier,
           "wants a barrier after a copy of another pipe, too"},
          [](RuleSet& broken, const DataCopyPlan& p, const State& now) {
            broken.AddIf(std::ranges::any_of(
                             now.copies_under_way,
                             [&](const CopyUnderWay& copy) {
                               return copy.memory == p.dst_memory &&
                                      emulator::Meet(copy.destination, p.dst);
                             }),
                         rule::kBarrier);
          }),
      StricterOn<Call>(
          {"dc-barrier-touching", rule::kBarrier,
           "wants a barrier between copies side by side"},
          [](RuleSet& broken, const DataCopyPlan& p, const State& now) {
            broken.AddIf(std::ranges::any_of(
                             now.copies_under_way,
                             [&](const CopyUnderWay& copy) {
                               return copy.memory == p.dst_memory &&
                                      copy.pipe == p.pipe &&
                                      Touch(
                                          emulator::ExtentOf(copy.destination),
                                          emulator::ExtentOf(p.dst));
                             }),
                         rule::kBarrier);
          }),
  };
}

}  // namespace

Table DataCopyLegality() { return Joined(Ranges(), Tables()); }

Table DataCopyOverlaps() { return Joined(Overlaps(), Barriers()); }

}  // namespace lanediff::mutants
