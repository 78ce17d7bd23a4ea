#include "sanitizer/order.h"

#include <algorithm>
#include <cstdint>
#include <optional>
#include <string_view>

#include "emulator/flags.h"
#include "isa/memory_map.h"
#include "isa/state.h"
#include "sanitizer/resources/parts.h"

namespace lanediff::lint {
namespace {

using isa::Memory;
using isa::Pipe;

Pipe PipeOfCall(const isa::Call& call, isa::Product product) {
  if (!call.Is(isa::Family::kCopy)) return Pipe::kV;
  const Memory src = isa::MemoryAt(product, call.src(0).position);
  const Memory dst = isa::MemoryAt(product, call.dst().position);
  if (src == Memory::kGm) return Pipe::kMte2;
  if (dst == Memory::kGm) return Pipe::kMte3;
  if (src == Memory::kUb) return dst == Memory::kUb ? Pipe::kV : Pipe::kMte3;
  return dst == Memory::kBt ? Pipe::kMte1 : Pipe::kFix;
}

std::vector<isa::Step> Barrier(isa::Product product, isa::Pipe pipe) {
  if (!HasBarrier(product, pipe)) return {};
  return {isa::PipeBarrier{pipe}};
}

}  // namespace

namespace sync = isa::sync;

std::optional<Pipe> PipeOf(const isa::Step& step, isa::Product product) {
  if (const auto* const call = std::get_if<isa::Call>(&step)) {
    return PipeOfCall(*call, product);
  }
  if (const auto* const call = std::get_if<isa::Carried>(&step)) {
    return call->pipe;
  }
  const bool scalar = std::holds_alternative<isa::GetValue>(step) ||
                      std::holds_alternative<isa::SetValue>(step);
  return scalar ? std::optional(Pipe::kS) : std::nullopt;
}

bool HasBarrier(isa::Product product, Pipe pipe) {
  using isa::Product;
  switch (product) {
    case Product::kAtlasA2:
    case Product::kAtlasA3:
    case Product::kAtlas200i500A2:
      return pipe != Pipe::kS;
    case Product::kAtlasInferenceAicore:
    case Product::kAtlasTraining:
      return pipe != Pipe::kS && pipe != Pipe::kFix;
    case Product::kAtlasInferenceVectorcore:
    case Product::kAtlas200_300_500:
      return false;
  }
  return false;
}

bool OrderedByCompiler(Pipe a, Pipe b) {
  const auto is_other = [](Pipe pipe) {
    return pipe == Pipe::kV || pipe == Pipe::kMte2 || pipe == Pipe::kMte3;
  };
  return (a == Pipe::kV && b == Pipe::kV) || (a == Pipe::kS && is_other(b)) ||
         (b == Pipe::kS && is_other(a));
}

void Order::Take(const isa::Step& step, std::size_t number,
                 std::vector<Hazard>& hazards) {
  if (const auto* flag = std::get_if<isa::SetFlag>(&step)) {
    Set(*flag, number, hazards);
  } else if (const auto* wait = std::get_if<isa::WaitFlag>(&step)) {
    Wait(*wait, number, hazards);
  } else if (const auto* barrier = std::get_if<isa::PipeBarrier>(&step)) {
    Barrier(*barrier, number, hazards);
  }
}

template <class Flag>
bool Order::IsLegal(const Flag& flag, std::size_t number,
                    std::vector<Hazard>& hazards) const {
  if (!emulator::EventExists(product_, flag.event)) {
    hazards.push_back(HazardAt(sync::kFlagPipe, number, Flag::kOp, {}));
    return false;
  }
  if (!emulator::FlagExists(product_, flag.event, flag.id)) {
    hazards.push_back(HazardAt(sync::kFlagId, number, Flag::kOp, {}));
    hazards.back().ids = emulator::FlagsOf(product_);
    return false;
  }
  return true;
}

void Order::Set(const isa::SetFlag& flag, std::size_t number,
                std::vector<Hazard>& hazards) {
  if (!IsLegal(flag, number, hazards)) return;
  const auto up = Find(flag.event, flag.id);
  if (up != up_.end()) {
    hazards.push_back(HazardAt(sync::kFlagTwice, number, isa::SetFlag::kOp,
                               {isa::WaitFlag{flag.event, flag.id}}));
    hazards.back().earlier = Place{.step = up->step, .op = isa::SetFlag::kOp};
    return;
  }
  up_.push_back({flag.event, flag.id, number,
                 clocks_.Carried(isa::SourceOf(flag.event),
                                 static_cast<std::uint32_t>(number))});
}

void Order::Wait(const isa::WaitFlag& flag, std::size_t number,
                 std::vector<Hazard>& hazards) {
  if (!IsLegal(flag, number, hazards)) return;
  const auto up = Find(flag.event, flag.id);
  if (up == up_.end()) {
    hazards.push_back(HazardAt(sync::kFlagUnset, number, isa::WaitFlag::kOp,
                               {isa::SetFlag{flag.event, flag.id}}));
    return;
  }
  clocks_.Take(isa::DestinationOf(flag.event), up->carried);
  up_.erase(up);
}

void Order::Barrier(const isa::PipeBarrier& barrier, std::size_t number,
                    std::vector<Hazard>& hazards) {
  if (!HasBarrier(product_, barrier.pipe)) {
    hazards.push_back(
        HazardAt(sync::kBarrierPipe, number, isa::PipeBarrier::kOp, {}));
    return;
  }
  clocks_.Barrier(barrier.pipe, static_cast<std::uint32_t>(number));
}

void Order::Imply(const machine::Implied& implied, std::size_t number) {
  using enum machine::Implied::Kind;
  const auto step = static_cast<std::uint32_t>(number);
  switch (implied.kind) {
    case kSet:
      implied_[implied.token] = clocks_.Carried(implied.from, step);
      return;
    case kWait:
      if (const auto up = implied_.find(implied.token); up != implied_.end()) {
        clocks_.Take(implied.to, up->second);
        implied_.erase(up);
      }
      return;
    case kBarrier:
      clocks_.Barrier(implied.to, step);
      return;
  }
}

std::vector<Order::FlagUp>::iterator Order::Find(isa::Event event,
                                                 std::int64_t id) {
  return std::ranges::find_if(up_, [&](const FlagUp& flag) {
    return flag.event == event && flag.id == id;
  });
}

bool Order::IsBefore(isa::Pipe earlier, std::int32_t number,
                     isa::Pipe later) const {
  return clocks_.IsBefore(earlier, static_cast<std::uint32_t>(number), later) ||
         (automatic_ && OrderedByCompiler(earlier, later));
}

void Order::Finish(std::vector<Hazard>& hazards) const {
  for (const FlagUp& flag : up_) {
    hazards.push_back(HazardAt(sync::kFlagUnwaited, flag.step,
                               isa::SetFlag::kOp,
                               {isa::WaitFlag{flag.event, flag.id}}));
  }
}

Fixes::Fixes(const Case& c) : product_(c.product) {
  for (const isa::Step& step : c.program) {
    if (const auto* set = std::get_if<isa::SetFlag>(&step)) {
      used_[set->event].insert(set->id);
    } else if (const auto* wait = std::get_if<isa::WaitFlag>(&step)) {
      used_[wait->event].insert(wait->id);
    }
  }
}

std::vector<isa::Step> Fixes::Between(isa::Pipe earlier,
                                      isa::Pipe later) const {
  if (earlier == later) return Barrier(product_, earlier);
  const auto event = machine::EventPool::Between(earlier, later);
  if (event && emulator::EventExists(product_, *event)) {
    const auto used = used_.find(*event);
    for (std::int64_t id = 0; emulator::FlagExists(product_, *event, id);
         ++id) {
      if (used != used_.end() && used->second.contains(id)) continue;
      return {isa::SetFlag{*event, id}, isa::WaitFlag{*event, id}};
    }
  }
  return Barrier(product_, isa::Pipe::kAll);
}

}  // namespace lanediff::lint
