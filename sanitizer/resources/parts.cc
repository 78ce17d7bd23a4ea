#include "sanitizer/resources/parts.h"

#include <fmt/format.h>

#include <limits>
#include <variant>

#include "emulator/flags.h"
#include "isa/memory_map.h"

namespace lanediff::machine {
namespace {

constexpr std::int64_t kLeast = std::numeric_limits<std::int64_t>::min();

bool HasScratch(isa::Product product) {
  return product == isa::Product::kAtlasA2 ||
         product == isa::Product::kAtlasA3 ||
         product == isa::Product::kAtlasInferenceAicore;
}

/// Modes 1 and 2.
bool TakesScratch(const isa::Step& step) {
  if (const auto* const audited = std::get_if<isa::Call>(&step)) {
    return audited->Has(isa::Param::kSelMode) &&
           audited->sel_mode != isa::SelMode::kSameBits;
  }
  const auto* const call = std::get_if<isa::Carried>(&step);
  return call != nullptr && call->name == "Select" &&
         isa::TextOf(call->parameters, "selMode").starts_with("VSEL_TENSOR_");
}

}  // namespace

EventPool::EventPool(isa::Product product) : ids_(emulator::FlagsOf(product)) {}

std::optional<isa::Event> EventPool::Between(isa::Pipe from, isa::Pipe to) {
  for (std::size_t e = 0; e < isa::kCount<isa::Event>; ++e) {
    const auto event = static_cast<isa::Event>(e);
    if (isa::SourceOf(event) == from && isa::DestinationOf(event) == to) {
      return event;
    }
  }
  return std::nullopt;
}

std::optional<std::int64_t> EventPool::FreeOf(isa::Event event) const {
  for (std::int64_t id = 0; id < ids_; ++id) {
    if (!held_.contains({event, id})) return id;
  }
  return std::nullopt;
}

std::optional<EventPool::Taken> EventPool::Take(isa::Event event,
                                                std::size_t number,
                                                bool for_queue) {
  const auto id = FreeOf(event);
  if (!id) return std::nullopt;
  held_[{event, *id}] = {number, for_queue};
  Taken taken{.id = *id, .set_by = std::nullopt};
  if (const auto set = set_.find({event, *id}); set != set_.end()) {
    taken.set_by = set->second;
  }
  return taken;
}

bool EventPool::Release(isa::Event event, std::int64_t id) {
  return held_.erase({event, id}) > 0;
}

std::optional<std::size_t> EventPool::Set(const isa::SetFlag& flag,
                                          std::size_t number) {
  const Key key{flag.event, flag.id};
  const auto held = held_.find(key);
  if (held != held_.end() && held->second.is_queue) return held->second.step;
  set_.try_emplace(key, number);
  return std::nullopt;
}

std::optional<GmConflicts::Conflict> GmConflicts::Take(
    const isa::Access& access, const Toucher& toucher) {
  const isa::Interval bytes = BytesOf(access);
  const bool atomic =
      access.write && !toucher.atomic.empty() && toucher.atomic != "none";
  const Way way{toucher.phase, toucher.block, access.write,
                std::string(atomic ? toucher.atomic : "")};
  std::optional<Conflict> found;
  for (auto it =
           touched_.lower_bound(Way{.phase = toucher.phase, .block = kLeast});
       it != touched_.end() && it->first.phase == toucher.phase; ++it) {
    const auto& [other, steps] = *it;
    if (other.block == way.block || !(other.write || way.write)) continue;
    if (atomic && other.atomic == way.atomic) continue;
    const auto first = steps.FirstIn(bytes);
    if (!first || (found && found->at <= first->first.begin)) continue;
    found = {first->first.begin, other.block, first->second, other.write};
  }
  touched_[way].SetMissing(bytes, toucher.step);
  return found;
}

std::optional<SelectScratch::Conflict> SelectScratch::Take(
    const isa::Step& step, std::size_t number,
    std::span<const isa::Access> accesses) {
  if (!HasScratch(product_)) return std::nullopt;
  const std::int64_t end = isa::CapacityBytes(product_, isa::Memory::kUb);
  const isa::Interval scratch{end - kBytes, end};
  // A call of no element is none.
  const bool selects = !accesses.empty() && TakesScratch(step);
  std::optional<Conflict> conflict;
  for (const isa::Access& access : accesses) {
    const isa::Interval bytes = Common(BytesOf(access), scratch);
    if (access.memory != isa::Memory::kUb || bytes.empty()) continue;
    if (selects && !conflict) {
      conflict = {
          fmt::format("has {} at UB byte {}, in the last {} bytes, "
                      "which it takes for itself; operands must lie "
                      "below {}",
                      access.operand, bytes.begin, kBytes, scratch.begin),
          std::nullopt};
    }
    if (access.write) {
      written_.Insert(bytes);
      lost_.Erase(bytes);
    } else if (!conflict && lost_.Intersects(bytes)) {
      conflict = {
          fmt::format("reads UB byte {}, which Select has "
                      "overwritten: it takes the last {} bytes for "
                      "itself; what is kept must lie below {}",
                      lost_.In(bytes).front().begin, kBytes, scratch.begin),
          select_};
    }
  }
  if (selects) {
    lost_ = written_;
    select_ = number;
  }
  return conflict;
}

}  // namespace lanediff::machine
