// DataCopy: legality that gets overlap or barriers wrong.

#include <algorithm>

#include "emulator/address.h"
#include "emulator/mutants/judge.h"
#include "emulator/mutants/modules.h"

namespace lanediff::mutants {
namespace {

namespace rule = isa::dc;
using emulator::Blocks;
using emulator::CopyUnderWay;
using emulator::DataCopyPlan;
using emulator::Extent;
using emulator::State;
using isa::RuleSet;
using Call = isa::DataCopy;

/// A mutant before whose eyes `Change(state)` has happened.
template <class Change>
Mutant Forgetful(const Label& label, Change) {
  return JudgedBy<Call>(label, [](const Call& call, const State& state) {
    State other = state;
    Change{}(other);
    return Real(call, other);
  });
}

/// The real verdict, and `added` where the call is legal and `Objects(plan,
/// state)` holds.
template <class Objects>
RuleSet Stricter(const Call& call, const State& state, isa::RuleId added,
                 Objects objects) {
  RuleSet broken = Real(call, state);
  if (!broken.empty()) return broken;
  broken.AddIf(objects(emulator::kDataCopy.plan(call, state), state), added);
  return broken;
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
      JudgedBy<Call>(
          {"dc-overlap-bounding-box", rule::kOverlap,
           "takes blocks that lie in the other side's gaps for overlapping",
           "a checker that compares address ranges, not bytes"},
          [](const Call& c, const State& s) {
            return Stricter(
                c, s, rule::kOverlap, [](const DataCopyPlan& p, const State&) {
                  return p.src_memory == p.dst_memory && !InPlace(p) &&
                         emulator::ExtentOf(p.src).Meets(
                             emulator::ExtentOf(p.dst));
                });
          }),
      JudgedBy<Call>(
          {"dc-overlap-touching", rule::kOverlap,
           "takes a destination right behind the source for overlapping",
           "<= for < in a comparison of ranges"},
          [](const Call& c, const State& s) {
            return Stricter(c, s, rule::kOverlap,
                            [](const DataCopyPlan& p, const State&) {
                              return p.src_memory == p.dst_memory &&
                                     Touch(emulator::ExtentOf(p.src),
                                           emulator::ExtentOf(p.dst));
                            });
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
      JudgedBy<Call>(
          {"dc-barrier-any-pipe", rule::kBarrier,
           "wants a barrier after a copy of another pipe, too"},
          [](const Call& c, const State& s) {
            return Stricter(
                c, s, rule::kBarrier,
                [](const DataCopyPlan& p, const State& now) {
                  return std::ranges::any_of(
                      now.copies_under_way, [&](const CopyUnderWay& copy) {
                        return copy.memory == p.dst_memory &&
                               emulator::Meet(copy.destination, p.dst);
                      });
                });
          }),
      JudgedBy<Call>(
          {"dc-barrier-touching", rule::kBarrier,
           "wants a barrier between copies side by side"},
          [](const Call& c, const State& s) {
            return Stricter(
                c, s, rule::kBarrier,
                [](const DataCopyPlan& p, const State& now) {
                  return std::ranges::any_of(
                      now.copies_under_way, [&](const CopyUnderWay& copy) {
                        return copy.memory == p.dst_memory &&
                               copy.pipe == p.pipe &&
                               Touch(emulator::ExtentOf(copy.destination),
                                     emulator::ExtentOf(p.dst));
                      });
                });
          }),
  };
}

}  // namespace

Table DataCopyOverlaps() { return Joined(Overlaps(), Barriers()); }

}  // namespace lanediff::mutants
