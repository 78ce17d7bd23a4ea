#include "sanitizer/resources/machine.h"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>

#include "isa/fields.h"
#include "isa/memory_map.h"
#include "isa/step.h"
#include "sanitizer/resources/parts.h"

namespace lanediff::machine {
namespace {

namespace krn = isa::krn;
using isa::Product;
using Name = isa::ResourceName;

/// KRN-SYNCALL: of each workspace, for each block.
constexpr std::int64_t kWorkspaceBytes = 32;

/// Names of texts among an unaudited call's parameters, without the operand's.
constexpr std::string_view kBadContents = "contents of ";
constexpr std::string_view kOpenContents = "open contents of ";

/// Where the step's operand `name` starts.
struct StartFinder : isa::FieldVisitor<StartFinder> {
  explicit StartFinder(std::string_view n) : wanted(n) {}

  void Operand(std::string_view name, const isa::Operand& operand) {
    if (name == wanted) at = operand.at;
  }
  template <class T>
  void Part(std::string_view, const T&) {}
  void Part(std::string_view, const isa::CarriedOperands& operands) {
    for (const auto& one : operands) {
      Operand(isa::Name(one.name), one.operand);
    }
  }

  std::string_view wanted;
  std::optional<std::int64_t> at;
};

std::optional<std::int64_t> StartOf(const isa::Step& step,
                                    std::string_view operand) {
  StartFinder finder(operand);
  std::visit([&](const auto& s) { s.Fields(s, finder); }, step);
  return finder.at;
}

/// Copies of Ascend C; those of PTO have an argument for sums, TIK has no
/// such mode.
bool HasAtomicMode(const isa::Step& step) {
  const auto* const call = std::get_if<isa::Carried>(&step);
  return isa::IsOf(step, isa::Family::kCopy) ||
         (call != nullptr && call->pipe != isa::Pipe::kS &&
          call->name != "TSTORE" && call->name != "data_move");
}

bool WritesGm(std::span<const isa::Access> accesses) {
  return std::ranges::any_of(accesses, [](const isa::Access& access) {
    return access.write && access.memory == isa::Memory::kGm;
  });
}

}  // namespace

void Machine::Emit(isa::RuleId rule, std::size_t step, std::string what,
                   bool note, std::optional<std::size_t> earlier) {
  findings_.push_back({rule, step, std::move(what), note, earlier});
}

void Machine::Take(const isa::Step& step, std::size_t number,
                   std::span<const isa::Access> accesses,
                   const Registers& registers) {
  implied_.clear();
  accumulates_.clear();
  if (const auto* resource = std::get_if<isa::Resource>(&step)) {
    TakeResource(*resource, number);
    // These are of the block before.
    const bool begins =
        resource->name == Name::kLaunch || resource->name == Name::kBlock;
    if (!begins && !ended()) Follow(number, registers);
    return;
  }
  if (ended()) return;
  Follow(number, registers);
  Here().buffers.Look(number, accesses, findings_);
  if (const auto* carried = std::get_if<isa::Carried>(&step)) {
    if (auto text = BadOverlap(*carried, accesses)) {
      Emit(isa::carried::kOverlap, number, std::move(*text));
    }
    CheckContents(*carried, number);
  }
  if (auto conflict = Here().scratch.Take(step, number, accesses)) {
    Emit(isa::carried::kOverlap, number, std::move(conflict->what), false,
         conflict->select);
  }
  LookAtDeclared(step, number, accesses);
  LookAtMaskMode(step, number);
  LookAtFlag(step, number);
  if (HasAtomicMode(step) && Here().started && !Here().atomic &&
      WritesGm(accesses)) {
    Emit(krn::kAtomicUnknown, number,
         "copies to GM while nothing has set the atomic mode; a TPipe, "
         "InitSocState or SetAtomicNone is needed before");
  }
  accumulates_ = AccumulatesBy(step, accesses);
  LookAtGm(number, accesses);
}

/// KRN-CONTENTS: the recorder of the call found them (docs/case-format.md).
void Machine::CheckContents(const isa::Carried& call, std::size_t number) {
  for (const isa::Argument& one : call.parameters) {
    const auto* const text = std::get_if<std::string>(&one.value);
    const bool note = one.name.starts_with(kOpenContents);
    if (text == nullptr || (!note && !one.name.starts_with(kBadContents))) {
      continue;
    }
    const std::size_t length = (note ? kOpenContents : kBadContents).size();
    Emit(isa::carried::kContents, number,
         fmt::format("reads {} whose {}{}", one.name.substr(length), *text,
                     note ? "; the result is not determined" : ""),
         note);
  }
}

std::string Machine::AccumulatesBy(
    const isa::Step& step, std::span<const isa::Access> accesses) const {
  if (!WritesGm(accesses)) return "";
  const auto* const call = std::get_if<isa::Carried>(&step);
  if (call != nullptr && call->name == "TSTORE") {
    const bool adds = std::ranges::any_of(
        call->parameters, [](const isa::Argument& parameter) {
          const auto* const word = std::get_if<std::string>(&parameter.value);
          return word != nullptr && *word == "AtomicAdd";
        });
    return adds ? "add" : "";
  }
  const auto& mode = blocks_.at(block_).atomic;
  return HasAtomicMode(step) && mode && *mode != "none" ? *mode : "";
}

void Machine::Skip() {
  implied_.clear();
  about_next_.clear();
}

void Machine::Finish() {
  implied_.clear();
  EndLaunch();
}

void Machine::TakeResource(const isa::Resource& resource, std::size_t number) {
  switch (resource.name) {
    case Name::kLaunch:
      EndLaunch();
      launched_blocks_ =
          std::max<std::int64_t>(resource.Integer("blocks").value_or(0), 0);
      return;
    case Name::kBlock:
      Enter(resource.Integer("block").value_or(0));
      return;
    default:
      break;
  }
  if (ended()) return;
  switch (resource.name) {
    case Name::kTPipe:
    case Name::kInitSocState:
      Here().atomic = "none";
      LookAtMaskMode(resource, number);
      break;
    case Name::kSetAtomic:
      Here().atomic_by = number;
      Here().atomic = std::string(resource.Text("operation"));
      break;
    case Name::kSetDeqScale:
      Here().deq_scale = number;
      break;
    case Name::kMaskMode:
      Here().mask_mode = {std::string(resource.Text("mode")), number};
      break;
    case Name::kAllocEventID:
      AllocEvent(resource, number);
      break;
    case Name::kReleaseEventID:
      ReleaseEvent(resource, number);
      break;
    case Name::kSyncAll:
      SyncAll(resource, number);
      break;
    case Name::kDeclared:
    case Name::kUnknownExtent:
      about_next_.push_back(resource);
      break;
    case Name::kNoTensor:
      Emit(krn::kTensor, number,
           fmt::format("is {} of {}, a tensor that was never given memory; "
                       "Get, AllocTensor, DeQue or an address is needed before",
                       resource.Text("operand"), resource.Text("call")));
      break;
    default:
      break;
  }
  if (!Here().buffers.Take(resource, number, Here().events, implied_,
                           findings_)) {
    Here().last_step = number;
    Here().ended = true;
  }
}

// ---- Launch and blocks ------------------------------------------------------

void Machine::Enter(std::int64_t block) {
  about_next_.clear();
  block_ = block;
  Block& here = blocks_.try_emplace(block, product_).first->second;
  here.started = true;
}

void Machine::Follow(std::size_t number, const Registers& registers) {
  Block& here = Here();
  const Registers before = std::exchange(here.registers, registers);
  if (before.high != registers.high || before.low != registers.low) {
    here.mask_by = number;
  }
  if (before.counter != registers.counter) here.mode_by = number;
  here.last_step = number;
}

void Machine::EndBlock(Block& block) {
  if (!block.ended) block.buffers.Finish(block.last_step, findings_);
  if (!block.started || block.ended) return;
  const auto left = [&](std::size_t step, std::string_view what,
                        std::string_view undo = "") {
    Emit(krn::kMaskLeft, step,
         fmt::format("leaves {} to who comes next{}", what, undo), true);
  };
  const Registers& registers = block.registers;
  if (registers.counter) {
    left(block.mode_by, "counter mode", "; SetMaskNorm ends it");
  }
  if ((registers.high & registers.low) != ~std::uint64_t{0}) {
    left(block.mask_by,
         fmt::format("mask {:#x} {:#x}", registers.high, registers.low),
         ", not all ones; ResetMask sets them");
  }
  if (block.atomic.value_or("none") != "none") {
    left(block.atomic_by, "atomic " + *block.atomic, "; SetAtomicNone ends it");
  }
  if (block.deq_scale) left(*block.deq_scale, "a deq scale");
}

void Machine::EndLaunch() {
  for (auto& [number, block] : blocks_) EndBlock(block);
  CompareSyncAlls();
  blocks_.clear();
  block_ = 0;
  blocks_.try_emplace(block_, product_);
  gm_.Clear();
  launched_blocks_ = 0;
  about_next_.clear();
}

// ---- KRN-SYNCALL ------------------------------------------------------------

void Machine::SyncAll(const isa::Resource& resource, std::size_t number) {
  ++Here().sync_alls;
  Here().last_sync_all = number;
  // All pipes signal and wait (SyncAll · 模板参数: config); the soft form has
  // no choice.
  implied_.push_back({.kind = Implied::Kind::kBarrier, .to = isa::Pipe::kAll});
  const auto gm = resource.Integer("gmBytes");
  const auto ub = resource.Integer("ubBytes");
  if (!gm && !ub) return;
  Here().used_cores = resource.Integer("usedCores");
  const std::int64_t blocks =
      Here().used_cores.value_or(std::max<std::int64_t>(launched_blocks_, 1));
  const std::int64_t needed =
      std::clamp<std::int64_t>(blocks, 0, 1 << 20) * kWorkspaceBytes;
  const auto look = [&](std::optional<std::int64_t> bytes,
                        std::string_view memory) {
    if (!bytes || *bytes >= needed) return;
    Emit(krn::kSyncAll, number,
         fmt::format("has {} bytes of workspace in {}; {} for {} blocks are "
                     "needed",
                     *bytes, memory, needed, blocks));
  };
  look(gm, "GM");
  look(ub, "UB");
  if (resource.Integer("gmZero").value_or(1) == 0) {
    Emit(krn::kSyncAll, number,
         "has a workspace in GM that is not 0; 0 is needed at the first call");
  }
}

/// Of the blocks that have begun: a case may have fewer than the launch.
void Machine::CompareSyncAlls() {
  std::optional<std::int64_t> soft;
  for (const auto& [number, block] : blocks_) {
    if (block.used_cores) soft = block.used_cores;
  }
  const Block* most = nullptr;
  const Block* least = nullptr;
  std::int64_t most_number = 0;
  std::int64_t least_number = 0;
  for (const auto& [number, block] : blocks_) {
    if (!block.started || block.ended || (soft && number >= *soft)) continue;
    if (most == nullptr || block.sync_alls > most->sync_alls) {
      most = &block;
      most_number = number;
    }
    if (least == nullptr || block.sync_alls < least->sync_alls) {
      least = &block;
      least_number = number;
    }
  }
  if (most == nullptr || most->sync_alls == least->sync_alls) return;
  Emit(
      krn::kSyncAll, *most->last_sync_all,
      fmt::format("is call {} of block {}, and block {} calls it {} times; "
                  "all must equally often",
                  most->sync_alls, most_number, least_number, least->sync_alls),
      false, least->last_step);
}

// ---- KRN-EVENT --------------------------------------------------------------

std::optional<std::int64_t> Machine::FreeEventId(std::string_view word) const {
  const auto event = isa::Parse<isa::Event>(word);
  return event ? blocks_.at(block_).events.FreeOf(*event) : std::nullopt;
}

void Machine::AllocEvent(const isa::Resource& resource, std::size_t number) {
  const auto event = isa::Parse<isa::Event>(resource.Text("event"));
  if (!event) return;
  const auto taken = Here().events.Take(*event, number, false);
  if (!taken) {
    Emit(krn::kEvent, number,
         fmt::format("takes an id of {} while all {} are held; a "
                     "ReleaseEventID is needed first",
                     isa::Name(*event), Here().events.ids()));
  } else if (taken->set_by) {
    Emit(krn::kEvent, number,
         fmt::format("takes id {} of {} from the TPipe, whose flag is set and "
                     "not waited for; a WaitFlag is needed before",
                     taken->id, isa::Name(*event)),
         false, taken->set_by);
  }
}

void Machine::ReleaseEvent(const isa::Resource& resource, std::size_t number) {
  const auto event = isa::Parse<isa::Event>(resource.Text("event"));
  const std::int64_t id = resource.Integer("id").value_or(0);
  if (!event || Here().events.Release(*event, id)) return;
  Emit(krn::kEvent, number,
       fmt::format("gives back id {} of {}, which is not held; AllocEventID "
                   "hands one out",
                   id, isa::Name(*event)));
}

void Machine::LookAtFlag(const isa::Step& step, std::size_t number) {
  EventPool& events = Here().events;
  if (const auto* const wait = std::get_if<isa::WaitFlag>(&step)) {
    events.Wait(*wait);
  } else if (const auto* const set = std::get_if<isa::SetFlag>(&step)) {
    const auto holder = events.Set(*set, number);
    if (!holder) return;
    Emit(krn::kEvent, number,
         fmt::format("sets flag {} of {}, an id that a queue holds; an id of "
                     "AllocEventID or FetchEventID is needed",
                     set->id, isa::Name(set->event)),
         false, holder);
  }
}

/// KRN-MASK-MODE.
void Machine::LookAtMaskMode(const isa::Step& step, std::size_t number) {
  const isa::MaskUse use = isa::MaskUseOf(step, product_);
  const auto set = use.sets_register ? std::exchange(Here().mask_mode, {})
                                     : Here().mask_mode;
  if (!set || !use.reads_register) return;
  const auto& [word, setter] = *set;
  const bool counter = Here().registers.counter;
  if (counter == (word == "counter")) return;
  Emit(krn::kMaskMode, number,
       fmt::format("runs in {} mode with a mask that was set for {} mode; "
                   "SetMaskCount or SetMaskNorm is needed before",
                   counter ? "counter" : "normal", word),
       false, setter);
}

// ---- What a step touches ----------------------------------------------------

void Machine::LookAtDeclared(const isa::Step& step, std::size_t number,
                             std::span<const isa::Access> accesses) {
  for (const isa::Resource& fact : about_next_) {
    const std::string_view operand = fact.Text("operand");
    if (fact.name == Name::kUnknownExtent) {
      Emit(krn::kGmExtent, number,
           fmt::format("uses {} of unknown extent in GM: its bounds are not "
                       "checked",
                       operand),
           true);
      continue;
    }
    const auto at = StartOf(step, operand);
    if (!at) continue;
    std::int64_t end = *at;
    for (const isa::Access& access : accesses) {
      if (access.operand != operand) continue;
      end = std::max(end, access.at + access.bytes);
    }
    const std::int64_t declared = fact.Integer("bytes").value_or(0);
    if (end - *at <= declared) continue;
    Emit(krn::kDeclared, number,
         fmt::format("touches {} bytes of {}, which was declared with {}",
                     end - *at, operand, declared),
         fact.Integer("strict").value_or(0) == 0);
  }
  about_next_.clear();
}

void Machine::LookAtGm(std::size_t number,
                       std::span<const isa::Access> accesses) {
  if (!Here().started) return;
  for (const isa::Access& access : accesses) {
    if (access.memory != isa::Memory::kGm) continue;
    // What it adds to it reads as part of the one operation.
    if (accumulates() && !access.write) continue;
    const auto conflict =
        gm_.Take(access, {block_, Here().sync_alls, accumulates_, number});
    if (!conflict) continue;
    Emit(krn::kGmConflict, number,
         fmt::format("{} GM byte {} in block {}, which block {} {} with no "
                     "SyncAll between; a SyncAll, bytes apart or one atomic "
                     "operation is needed",
                     access.write ? "writes" : "reads", conflict->at, block_,
                     conflict->block, conflict->write ? "writes" : "reads"),
         false, conflict->step);
    findings_.back().gm_byte = conflict->at;
    return;  // one for each step
  }
}

}  // namespace lanediff::machine
