// Element-wise calls: seams of write-back.

#include <algorithm>

#include "emulator/address.h"
#include "emulator/mutants/elementwise.h"

namespace lanediff::mutants {
namespace {

using emulator::ElementwiseLanes;
using Plan = emulator::ElementwisePlan;
using Ub = std::span<std::uint8_t>;

template <class Call>
Mutant Written(const Label& label, emulator::ElementwiseWriteBack write_back) {
  return PlantedIn<Call>(&emulator::ElementwiseSeams<Call>::write_back,
                         write_back, label);
}

/// The real write-back, the same for all calls.
void WriteReal(const Plan& plan, std::int64_t r, const ElementwiseLanes& lanes,
               Ub ub) {
  PlainRow<isa::Min>().write_back(plan, r, lanes, ub);
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

template <class Call>
Table WriteBacks() {
  using rule = RulesOf<Call>;
  return {
      Written<Call>({"unmasked-lanes-zeroed", rule::kUnmasked,
                     "writes 0 to the lanes that take no part",
                     "zeroing instead of merging masking"},
                    [](const Plan& p, std::int64_t r,
                       const ElementwiseLanes& lanes, Ub ub) {
                      EachLane(p, r, [&](int offset, std::int64_t at) {
                        if (TakesPart(p, r, offset)) return;
                        const auto element = emulator::ElementBytes(p.dtype);
                        for (std::int64_t byte = 0; byte < element; ++byte) {
                          emulator::Store(ub, at + byte, std::uint8_t{0});
                        }
                      });
                      WriteReal(p, r, lanes, ub);
                    }),
      Written<Call>({"byte-behind-written", rule::kUnmasked,
                     "changes the byte behind the last lane of an iteration"},
                    [](const Plan& p, std::int64_t r,
                       const ElementwiseLanes& lanes, Ub ub) {
                      WriteReal(p, r, lanes, ub);
                      std::int64_t behind = -1;
                      EachLane(p, r, [&](int offset, std::int64_t at) {
                        if (!TakesPart(p, r, offset)) return;
                        behind = at + emulator::ElementBytes(p.dtype);
                      });
                      const auto old = emulator::Load<std::uint8_t>(ub, behind);
                      emulator::Store(ub, behind,
                                      static_cast<std::uint8_t>(~old));
                    }),
      Written<Call>({"full-mask-last-lane-lost", rule::kMaskLanes,
                     "never writes lane 127 of 16-bit types",
                     "(1 << n) - 1 built in a type that is too narrow"},
                    [](const Plan& p, std::int64_t r,
                       const ElementwiseLanes& lanes, Ub ub) {
                      Plan fewer = p;
                      constexpr std::uint64_t kAllButLast =
                          ~std::uint64_t{0} >> 1;
                      fewer.lanes.high &= kAllButLast;
                      fewer.last_lanes.high &= kAllButLast;
                      WriteReal(fewer, r, lanes, ub);
                    }),
      Written<Call>({"last-iteration-not-written", rule::kAddress,
                     "never writes the last of several iterations",
                     "a store that waits for the next one"},
                    [](const Plan& p, std::int64_t r,
                       const ElementwiseLanes& lanes, Ub ub) {
                      if (r == 0 || r + 1 < p.iterations)
                        WriteReal(p, r, lanes, ub);
                    }),
  };
}

/// Accumulates into dst by `Keep`, a function that takes one of two.
template <class Call, auto Keep>
Mutant Accumulated(const Label& label) {
  return Written<Call>(label, [](const Plan& p, std::int64_t r,
                                 const ElementwiseLanes& lanes, Ub ub) {
    if (p.dtype != isa::DType::kInt32) {
      WriteReal(p, r, lanes, ub);
      return;
    }
    EachLane(p, r, [&](int offset, std::int64_t at) {
      if (!TakesPart(p, r, offset)) return;
      const auto now = emulator::Load<std::int32_t>(lanes, offset);
      const auto old = emulator::Load<std::int32_t>(ub, at);
      emulator::Store(ub, at, Keep(now, old));
    });
  });
}

std::int32_t Smaller(std::int32_t a, std::int32_t b) { return std::min(a, b); }
std::int32_t Larger(std::int32_t a, std::int32_t b) { return std::max(a, b); }

}  // namespace

Table ElementwiseWriteBacks() {
  return Joined(
      OfEachElementwise([]<class Call>() { return WriteBacks<Call>(); }),
      Table{Accumulated<isa::Min, Smaller>(
                {"smaller-than-dst-only", isa::min::kValue,
                 "writes only where the result is below what dst held",
                 "an accumulating minimum"}),
            Accumulated<isa::Max, Larger>(
                {"larger-than-dst-only", isa::max::kValue,
                 "writes only where the result is above what dst held",
                 "an accumulating maximum"})});
}

}  // namespace lanediff::mutants
