#include <algorithm>
#include <array>
#include <utility>

#include "isa/footprint.h"
#include "isa/memory_map.h"
#include "isa/state.h"
#include "isa/units.h"
#include "kernel/engine/inside.h"

/// Calls with rules in counter mode: judged and run as calls of normal mode.
namespace lanediff::kernel {
namespace {

constexpr std::int64_t kMostRepeats = 255;
constexpr std::int64_t kMostElements = std::int64_t{1} << 31;

/// `repeats` iterations of `lanes` lanes from iteration `first` on, there from
/// DataBlock `block` on.
struct Part {
  std::int64_t first = 0;
  std::int64_t repeats = 0;
  std::int64_t lanes = 0;
  std::int64_t block = 0;
};

/// Copy · 约束说明: the mask counts the elements of each iteration, which go on
/// behind its eighth DataBlock, and repeatTime holds.
bool CountsEachIteration(const isa::Signature& row) {
  return row.family == isa::Family::kLanewise && !row.Has(isa::Param::kCount);
}

void Narrow(isa::Operand& operand, std::int64_t bytes) {
  operand.at += bytes;
  operand.bytes -= bytes;
}

isa::Call PartOf(isa::Call call, const Part& part) {
  call.is_set_mask = true;
  call.form = call.signature->FormWith(isa::Param::kMask);
  call[isa::Param::kMask] = part.lanes;
  call[isa::Param::kRepeatTimes] = part.repeats;
  for (std::size_t i = 0; i < call.used_operands().size(); ++i) {
    const bool of_results =
        i == 0 && call.signature->family == isa::Family::kReduction;
    if (call.signature->operands[i].is_packed) {
      Narrow(call.operands[i],
             part.first * isa::kIterationBytes / isa::LaneBytes(call) / 8);
      continue;
    }
    Narrow(
        call.operands[i],
        part.first * call.RepStride(i) *
                (of_results ? isa::ResultBytes(call) : isa::kDataBlockBytes) +
            part.block * call.BlkStride(i) * isa::kDataBlockBytes);
  }
  return call;
}

}  // namespace

void Engine::Inside::ExecuteInCounterMode(const isa::Call& call,
                                          const std::vector<Placed>& operands,
                                          std::size_t site) {
  const auto mask = walk->mask_register();
  const bool own = call.is_set_mask;
  const auto elements =
      own ? call[isa::Param::kMask] : static_cast<std::int64_t>(mask.low);
  if (elements < 0 || elements >= kMostElements) {
    isa::Carried refused;
    refused.name = call.signature->op;
    refused.parameters = {
        {"mask", elements, isa::ParameterRange{0, kMostElements - 1}}};
    Take(refused, site);
    outcome = Outcome::kRejected;
    return;
  }
  const auto mode = walk->machine().mask_mode();
  // It runs in counter mode, and may read the register; its parts don't.
  isa::Carried reader;
  reader.name = call.signature->op;
  reader.mask = {.masked = true, .is_set_mask = own};
  Take(reader, site);
  Take(isa::SetMaskNorm{}, site);
  TakeParts(call, operands, site, elements);
  Take(isa::SetMaskCount{}, site);
  const std::uint64_t left =
      own ? static_cast<std::uint64_t>(elements) : mask.low;
  Take(isa::SetVectorMask{.high = own ? 0 : mask.high, .low = left}, site);
  if (!own && mode) {
    Take(isa::Resource{isa::ResourceName::kMaskMode, {Arg("mode", *mode)}},
         site);
  }
}

/// KRN-OVERLAP where a part reads what one before wrote. The first part that is
/// rejected is the last one: what the others would do counts as written.
void Engine::Inside::TakeParts(const isa::Call& call,
                               const std::vector<Placed>& operands,
                               std::size_t site, std::int64_t elements) {
  const std::int64_t lanes = isa::kIterationBytes / isa::LaneBytes(call);
  const std::int64_t full = elements / lanes;
  std::array<isa::IntervalSet, isa::kCount<isa::Memory>> written;
  const auto take = [&](const Part& part) {
    if (outcome == Outcome::kRejected) return;
    if (!TakeAudited(PartOf(call, part), operands, site)) {
      CountWritten(operands);
      return;
    }
    const auto& accesses = walk->accesses();
    const bool depends =
        std::ranges::any_of(accesses, [&](const isa::Access& one) {
          return !one.write &&
                 written[static_cast<std::size_t>(one.memory)].Intersects(
                     BytesOf(one));
        });
    if (depends) {
      lint::Hazard hazard;
      hazard.rule = isa::carried::kOverlap;
      hazard.later = {.step = last_step, .op = call.signature->op};
      hazard.what = "reads in counter mode what an earlier iteration wrote";
      Report(hazard);
    }
    for (const isa::Access& one : accesses) {
      if (!one.write) continue;
      written[static_cast<std::size_t>(one.memory)].Insert(BytesOf(one));
    }
  };
  const std::int64_t rest = elements % lanes;
  if (CountsEachIteration(*call.signature)) {
    const std::int64_t repeats = call[isa::Param::kRepeatTimes];
    const bool split =
        elements > lanes && repeats > 0 && repeats <= kMostRepeats;
    if (!split && elements > 0) take({0, repeats, std::min(elements, lanes)});
    for (std::int64_t r = 0; split && r < repeats; ++r) {
      for (std::int64_t i = 0; i <= full && outcome != Outcome::kRejected;
           ++i) {
        const std::int64_t some = i < full ? lanes : rest;
        if (some > 0) take({r, 1, some, 8 * i});
      }
    }
    return;
  }
  for (std::int64_t first = 0; first < full && outcome != Outcome::kRejected;
       first += kMostRepeats) {
    take({first, std::min(kMostRepeats, full - first), lanes});
  }
  if (rest != 0) take({full, 1, rest});
}

}  // namespace lanediff::kernel
