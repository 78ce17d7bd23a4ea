#include <algorithm>
#include <array>
#include <utility>

#include "isa/memory_map.h"
#include "isa/state.h"
#include "isa/units.h"
#include "kernel/engine/inside.h"

/// Calls with rules in counter mode: judged and run as calls of normal mode.
namespace lanediff::kernel {
namespace {

constexpr std::int64_t kMostRepeats = 255;
constexpr std::int64_t kMostElements = std::int64_t{1} << 31;

/// `repeats` iterations of `lanes` lanes from iteration `first` on.
struct Part {
  std::int64_t first = 0;
  std::int64_t repeats = 0;
  std::int64_t lanes = 0;
};

void Narrow(isa::Operand& operand, std::int64_t bytes) {
  operand.at += bytes;
  operand.bytes -= bytes;
}

template <class Call>
isa::Step PartOf(Call call, const Part& part) {
  constexpr std::int64_t kBlock = isa::kDataBlockBytes;
  call.is_set_mask = true;
  if constexpr (std::same_as<Call, isa::Call>) {
    call.form = isa::kMaskForm;
    call[isa::Param::kMask] = part.lanes;
    call[isa::Param::kRepeatTimes] = part.repeats;
    for (std::size_t i = 0; i < call.used_operands().size(); ++i) {
      Narrow(call.operands[i], part.first * call.RepStride(i) * kBlock);
    }
  } else {
    const std::int64_t size = isa::SizeBytes(call.dtype);
    Narrow(call.dst, part.first * call.dst_rep_stride * size);
    Narrow(call.src, part.first * call.src_rep_stride * kBlock);
    if constexpr (std::same_as<Call, isa::WholeReduceSum>) {
      call.form = Call::kContiguous;
      call.mask = part.lanes;
      call.repeat_times = part.repeats;
    } else {
      call.elems_in_one_repeat = part.lanes;
      call.repeat = part.repeats;
    }
  }
  return call;
}

isa::Step PartOf(const isa::Step& step, const Part& part) {
  return std::visit(
      [&]<class S>(const S& s) -> isa::Step {
        if constexpr (std::same_as<S, isa::Call> ||
                      std::same_as<S, isa::WholeReduceSum> ||
                      std::same_as<S, isa::RepeatReduceSum>) {
          return PartOf<S>(s, part);
        } else {
          return s;
        }
      },
      step);
}

std::int64_t LanesOf(const isa::Step& step) {
  return std::visit(
      []<class S>(const S& s) -> std::int64_t {
        if constexpr (requires { s.dtype; }) {
          return isa::kIterationBytes / isa::SizeBytes(s.dtype);
        } else {
          return 1;
        }
      },
      step);
}

}  // namespace

void Engine::Inside::ExecuteInCounterMode(const lanediff_call& call,
                                          const isa::Step& step,
                                          const std::vector<Placed>& operands,
                                          std::size_t site) {
  const auto mask = walk->mask_register();
  const bool own = call.is_set_mask != 0;
  const auto of_call =
      std::holds_alternative<isa::RepeatReduceSum>(step)
          ? std::get<isa::RepeatReduceSum>(step).elems_in_one_repeat
          : static_cast<std::int64_t>(call.mask[0]);
  const auto elements = own ? of_call : static_cast<std::int64_t>(mask.low);
  if (elements < 0 || elements >= kMostElements) {
    isa::Carried refused;
    refused.name = call.name;
    refused.parameters = {
        {"mask", elements, isa::ParameterRange{0, kMostElements - 1}}};
    Take(refused, site);
    outcome = Outcome::kRejected;
    return;
  }
  const auto mode = walk->machine().mask_mode();
  // It runs in counter mode, and may read the register; its parts don't.
  isa::Carried reader;
  reader.name = call.name;
  reader.mask = {.masked = true, .is_set_mask = own};
  Take(reader, site);
  Take(isa::SetMaskNorm{}, site);
  TakeParts(step, operands, site, elements);
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
void Engine::Inside::TakeParts(const isa::Step& step,
                               const std::vector<Placed>& operands,
                               std::size_t site, std::int64_t elements) {
  const std::int64_t lanes = LanesOf(step);
  const std::int64_t full = elements / lanes;
  std::array<isa::IntervalSet, isa::kCount<isa::Memory>> written;
  const auto take = [&](const Part& part) {
    if (outcome == Outcome::kRejected) return;
    if (!TakeAudited(PartOf(step, part), operands, site)) {
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
      hazard.later = {.step = last_step, .op = isa::OpName(step)};
      hazard.what = "reads in counter mode what an earlier iteration wrote";
      Report(hazard);
    }
    for (const isa::Access& one : accesses) {
      if (!one.write) continue;
      written[static_cast<std::size_t>(one.memory)].Insert(BytesOf(one));
    }
  };
  for (std::int64_t first = 0; first < full && outcome != Outcome::kRejected;
       first += kMostRepeats) {
    take({first, std::min(kMostRepeats, full - first), lanes});
  }
  if (elements % lanes != 0) take({full, 1, elements % lanes});
}

}  // namespace lanediff::kernel
