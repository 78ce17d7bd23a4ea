#include "sanitizer/fix.h"

#include <cstdint>
#include <optional>

#include "emulator/flags.h"
#include "sanitizer/pipes.h"

namespace lanediff::lint {
namespace {

std::vector<isa::Step> Barrier(isa::Product product, isa::Pipe pipe) {
  if (!HasBarrier(product, pipe)) return {};
  return {isa::PipeBarrier{pipe}};
}

}  // namespace

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
  const auto event = EventOf(earlier, later);
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
