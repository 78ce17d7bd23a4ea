#include <fmt/format.h>

#include <utility>

#include "isa/state.h"
#include "kernel/engine/inside.h"
#include "sanitizer/pipes.h"

/// --without: what a run is like where one place doesn't order, set or write.
namespace lanediff::kernel {

bool Engine::Inside::IsWithout(std::size_t site) const {
  if (settings.without.empty()) return false;
  const SiteRow& row = sites[site];
  return settings.without.contains(
      fmt::format("{}:{}:{}", row.site.file, row.site.line, row.op));
}

/// Of a flag: SetFlag at such a place doesn't set, and the WaitFlag that would
/// take it doesn't wait.
bool Engine::Inside::IsFlagWithout(const isa::Step& step, std::size_t site) {
  if (settings.without.empty()) return false;
  if (const auto* set = std::get_if<isa::SetFlag>(&step)) {
    if (!IsWithout(site)) return false;
    ++here->flags_without[{set->event, set->id}];
    across.CutOrder(block, isa::SourceOf(set->event),
                    isa::DestinationOf(set->event));
    return true;
  }
  if (const auto* wait = std::get_if<isa::WaitFlag>(&step)) {
    const auto found = here->flags_without.find({wait->event, wait->id});
    if (found == here->flags_without.end() || found->second == 0) return false;
    --found->second;
    return true;
  }
  if (!IsWithout(site)) return false;
  if (const auto* barrier = std::get_if<isa::PipeBarrier>(&step)) {
    across.CutOrder(block, barrier->pipe, barrier->pipe);
  } else if (std::holds_alternative<isa::ResetMask>(step)) {
    CutMask();
  } else if (std::holds_alternative<isa::SetMaskNorm>(step)) {
    CutMode();
  }
  return true;
}

/// Of a queue's tensor: the call at such a place moves it and orders nothing,
/// and neither does the call that gets it.
void Engine::Inside::GiveWithout(std::int64_t buffer, std::int64_t at,
                                 std::size_t site) {
  if (!IsWithout(site)) return;
  here->tensors_without.emplace(buffer, at);
  walk->DropImplied();
  gives_without = true;
}

void Engine::Inside::GetWithout(std::int64_t buffer,
                                std::optional<std::int64_t> at) {
  if (at && here->tensors_without.erase({buffer, *at}) > 0) {
    walk->DropImplied();
  }
}

/// What sets the register, or its mode, is taken away where it wasn't set so
/// before.
void Engine::Inside::CutMask() {
  if (walk->mask_is_unknown() ||
      walk->mask_register() != lint::MaskState::Words()) {
    across.CutMask(block);
  }
}

void Engine::Inside::CutMode() {
  if (walk->mode_is_unknown() || walk->counter_mode()) across.CutMode(block);
}

/// What the last step has to do with what was taken away.
void Engine::Inside::LookAcross(isa::StepResult::Status status,
                                std::size_t site) {
  if (std::exchange(gives_without, false)) {
    for (const machine::Implied& one : walk->machine().implied()) {
      if (one.kind == machine::Implied::Kind::kWait) continue;
      across.CutOrder(block, one.from, one.to);
    }
  }
  const bool exempt = std::exchange(exempt_next, false);
  const isa::Step& step = log.At(last_step)->step;
  const auto pipe = lint::PipeOf(step, facts.product);
  const auto* const resource = std::get_if<isa::Resource>(&step);
  if (resource != nullptr && resource->name == isa::ResourceName::kDestroy) {
    across.Order(block);
  }
  if (here == nullptr || status != isa::StepResult::Status::kExecuted || exempt)
    return;
  const Across::Operation operation = {
      step, pipe.value_or(isa::Pipe::kS),
      pipe ? std::span<const isa::Access>(walk->accesses())
           : std::span<const isa::Access>(),
      block, walk->machine().accumulates()};
  if (across.Conflicts(operation)) sites[site].conflicts_across = true;
  across.Executed(operation);
}

}  // namespace lanediff::kernel
