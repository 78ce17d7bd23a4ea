#include "emulator/state_steps.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstring>
#include <span>
#include <vector>

#include "emulator/address.h"
#include "emulator/flags.h"

namespace lanediff::emulator {
namespace {

using isa::Product;
using isa::StepResult;

std::vector<FlagUp>::iterator FindFlag(std::vector<FlagUp>& flags,
                                       isa::Event event, std::int64_t id) {
  return std::ranges::find_if(flags, [&](const FlagUp& flag) {
    return flag.event == event && flag.id == id;
  });
}

/// SYNC-FLAG-RESERVED.
StepResult FlagNotes(Product product, std::int64_t id) {
  StepResult result;
  result.notes.AddIf(FlagsOf(product) == 8 && (id == 6 || id == 7),
                     isa::sync::kFlagReserved);
  return result;
}

bool HasMaskModes(Product product) {
  return product == Product::kAtlasInferenceAicore ||
         product == Product::kAtlasA2 || product == Product::kAtlasA3 ||
         product == Product::kAtlas200i500A2;
}

StepResult SetVectorMask(const isa::SetVectorMask& step, State& state) {
  state.mask_register = {.low = step.low, .high = step.high};
  return {};
}

StepResult SetSaturation(const isa::SetSaturation& step, State& state) {
  isa::RuleSet broken;
  broken.AddIf(!step.enabled && state.product != Product::kAtlasA2 &&
                   state.product != Product::kAtlasA3,
               isa::state::kSaturationProduct);
  if (broken.empty()) state.saturation = step.enabled;
  return StepResult::FromBroken(broken);
}

/// Forgets the copies that have ended before what their pipe is given next.
void ForgetEndedCopies(State& state) {
  std::erase_if(state.copies_under_way, [&](const CopyUnderWay& copy) {
    return state.clocks.IsBefore(copy.pipe, copy.step, copy.pipe);
  });
}

StepResult PipeBarrier(const isa::PipeBarrier& step, State& state) {
  state.clocks.Barrier(step.pipe, state.step);
  ForgetEndedCopies(state);
  return {};
}

StepResult SetFlag(const isa::SetFlag& step, State& state) {
  if (FlagExists(state.product, step.event, step.id) &&
      FindFlag(state.flags, step.event, step.id) == state.flags.end()) {
    state.flags.push_back({.event = step.event,
                           .id = step.id,
                           .carried = state.clocks.Carried(
                               isa::SourceOf(step.event), state.step)});
  }
  return FlagNotes(state.product, step.id);
}

StepResult WaitFlag(const isa::WaitFlag& step, State& state) {
  if (FlagExists(state.product, step.event, step.id)) {
    const auto up = FindFlag(state.flags, step.event, step.id);
    if (up != state.flags.end()) {
      state.clocks.Take(isa::DestinationOf(step.event), up->carried);
      state.flags.erase(up);
      ForgetEndedCopies(state);
    }
  }
  return FlagNotes(state.product, step.id);
}

/// STATE-MASK-PRODUCT; `change` is what the step does where it exists.
StepResult OfMaskState(State& state, void (*change)(State&)) {
  isa::RuleSet broken;
  broken.AddIf(!HasMaskModes(state.product), isa::state::kMaskProduct);
  if (broken.empty()) change(state);
  return StepResult::FromBroken(broken);
}

StepResult SetMaskCount(const isa::SetMaskCount&, State& state) {
  return OfMaskState(state, [](State& s) { s.counter_mode = true; });
}

StepResult SetMaskNorm(const isa::SetMaskNorm&, State& state) {
  return OfMaskState(state, [](State& s) { s.counter_mode = false; });
}

StepResult ResetMask(const isa::ResetMask&, State& state) {
  return OfMaskState(state,
                     [](State& s) { s.mask_register = LaneMask::First(128); });
}

// ---- Single elements --------------------------------------------------------

/// What a step that reads or writes one element breaks.
isa::RuleSet Broken(const isa::Operand& operand, std::int64_t index,
                    std::int64_t element, const State& state) {
  isa::RuleSet broken;
  broken.AddIf(state.product == isa::Product::kAtlas200_300_500,
               isa::scalar::kProduct);
  broken.AddIf(!IsVectorPosition(operand.position), isa::scalar::kPosition);
  broken.AddIf(operand.at % element != 0, isa::scalar::kAlign);
  broken.AddIf(!InRange(index, 0, 4294967295), isa::scalar::kIndex);
  if (!broken.empty()) return broken;
  const Wide begin = Wide{operand.at} + Wide{index} * element;
  broken.AddIf(OutOfBounds(operand, {begin, begin + element},
                           BytesOf(state, isa::Memory::kUb)),
               isa::scalar::kBounds);
  return broken;
}

StepResult GetValue(const isa::GetValue& step, State& state) {
  const isa::RuleSet broken =
      Broken(step.src, step.index, ElementBytes(step.dtype), state);
  if (broken.empty()) state.clocks.EndOfScalar(state.step);
  return StepResult::FromBroken(broken);
}

StepResult SetValue(const isa::SetValue& step, State& state) {
  const std::int64_t element = ElementBytes(step.dtype);
  const isa::RuleSet broken = Broken(step.dst, step.index, element, state);
  if (broken.empty()) {
    std::array<std::uint8_t, sizeof step.value> bytes;
    std::memcpy(bytes.data(), &step.value, bytes.size());
    StoreBytes(state.memories[isa::Memory::kUb],
               step.dst.at + step.index * element,
               std::span(bytes).first(static_cast<std::size_t>(element)));
    state.clocks.EndOfScalar(state.step);
  }
  return StepResult::FromBroken(broken);
}

// ---- STATE-UB-RESERVED ------------------------------------------------------

/// Bytes at UB's end that are not the kernel's, of which 256 never are.
constexpr std::int64_t kReservedBytes = 8192;

/// Whether operands and tiles of a step that was executed, whose windows
/// therefore lie in their memories, end behind `first`.
class ReservedCheck {
 public:
  explicit ReservedCheck(const State& s)
      : state_(s),
        first_(CapacityOf(s.product, isa::Memory::kUb) - kReservedBytes) {}

  bool Reaches(const isa::Call& call) const {
    for (const isa::Operand& operand : call.used_operands()) {
      if (EndsBehind(operand)) return true;
    }
    for (const isa::Tile& tile : call.used_tiles()) {
      if (EndsBehind(tile, ElementBytes(call.dtype))) return true;
    }
    return false;
  }
  bool Reaches(const isa::GetValue& step) const { return EndsBehind(step.src); }
  bool Reaches(const isa::SetValue& step) const { return EndsBehind(step.dst); }
  bool Reaches(const auto&) const { return false; }

 private:
  bool EndsBehind(const isa::Operand& operand) const {
    return operand.bytes > 0 && Lies(operand.position) &&
           End(operand.at, Unsigned(operand.bytes)) > first_;
  }
  bool EndsBehind(const isa::Tile& tile, std::int64_t element) const {
    return Lies(tile.position) &&
           End(tile.at, Unsigned(tile.rows) * Unsigned(tile.cols) *
                            Unsigned(element)) > first_;
  }
  /// Wraps for windows that no rule allows; defects execute such calls.
  static std::int64_t End(std::int64_t at, std::uint64_t bytes) {
    return static_cast<std::int64_t>(Unsigned(at) + bytes);
  }
  static std::uint64_t Unsigned(std::int64_t number) {
    return static_cast<std::uint64_t>(number);
  }
  bool Lies(isa::Position position) const {
    return MemoryOf(state_.product, position) == isa::Memory::kUb;
  }

  const State& state_;
  std::int64_t first_;
};

bool ReachesReserved(const isa::Step& step, const State& state) {
  if (state.edition == isa::Edition::k2024 ||
      (state.product != isa::Product::kAtlasA2 &&
       state.product != isa::Product::kAtlasA3)) {
    return false;
  }
  const ReservedCheck check(state);
  return std::visit([&](const auto& call) { return check.Reaches(call); },
                    step);
}

}  // namespace

constinit const StateSeams kStateSteps = {.set_vector_mask = SetVectorMask,
                                          .set_saturation = SetSaturation,
                                          .pipe_barrier = PipeBarrier,
                                          .set_flag = SetFlag,
                                          .wait_flag = WaitFlag,
                                          .set_mask_count = SetMaskCount,
                                          .set_mask_norm = SetMaskNorm,
                                          .reset_mask = ResetMask,
                                          .get_value = GetValue,
                                          .set_value = SetValue,
                                          .reaches_reserved = ReachesReserved};

}  // namespace lanediff::emulator
