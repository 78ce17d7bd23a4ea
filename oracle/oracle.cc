#include "oracle/oracle.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <expected>
#include <memory>
#include <span>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "oracle/memory_map.h"
#include "oracle/operations.h"
#include "oracle/state.h"
#include "oracle/steps.h"

namespace lanediff::oracle {

Oracle::Oracle(isa::Profile profile, isa::Memories memories)
    : state_(std::make_unique<State>(profile)) {
  state_->memories = memories;
  // BOUNDS: a memory ends at the product's capacity, however much of it is
  // given.
  for (std::size_t m = 0; m < isa::kCount<isa::Memory>; ++m) {
    const auto memory = static_cast<isa::Memory>(m);
    std::span<std::uint8_t>& bytes = state_->memories[memory];
    const auto given = static_cast<std::int64_t>(bytes.size());
    const std::int64_t most =
        CapacityOf(profile.product, memory).value_or(given);
    bytes = bytes.first(static_cast<std::size_t>(std::min(given, most)));
  }
}

Oracle::~Oracle() = default;
Oracle::Oracle(Oracle&&) noexcept = default;
Oracle& Oracle::operator=(Oracle&&) noexcept = default;

namespace {

// ---- STATE-MASK-MODE: masked calls ------------------------------------------

/// Whether the mode is not the one in which the step's mask selects what takes
/// part. Looked at before the step's legality.
bool HasOtherMode(const isa::Step& step, const Oracle::State& state) {
  return state.counter_mode && IsMaskedCall(step);
}

isa::StepResult Unsupported() {
  isa::StepResult result;
  result.status = isa::StepResult::Status::kUnsupported;
  return result;
}

// One instruction of each of these families has its functions here.
static_assert(isa::kTransposeRows.size() == 1 &&
              isa::kBroadcastRows.size() == 1 && isa::kTileRows.size() == 1);
const CallFunctions& FunctionsOf(const isa::Call& call) {
  switch (call.signature->family) {
    case isa::Family::kLanewise:
    case isa::Family::kReduction:
      return kLaneCalls;
    case isa::Family::kCopy:
      return kCopyCalls;
    case isa::Family::kTranspose:
      return kTransposeCalls;
    case isa::Family::kBroadcast:
      return kBroadcastCalls;
    case isa::Family::kTile:
      break;
  }
  return kTileCalls;
}

}  // namespace

template <>
isa::StepResult Run(const isa::Call& call, Oracle::State& state) {
  return FunctionsOf(call).run(call, state);
}
template <>
isa::RuleSet BrokenAnywhere(const isa::Call& call, const Oracle::State& state) {
  return FunctionsOf(call).broken_anywhere(call, state);
}
template <>
Extended RunExtended(const isa::Call& call, Oracle::State& state) {
  return FunctionsOf(call).run_extended(call, state);
}

isa::StepResult Oracle::Execute(const isa::Step& step) {
  state_->ForgetLastStep();
  if (HasOtherMode(step, *state_)) return Unsupported();
  try {
    isa::StepResult result =
        std::visit([this](const auto& s) { return Run(s, *state_); }, step);
    if (result.status == isa::StepResult::Status::kExecuted) {
      result.notes.AddIf(UsesReservedUb(step, state_->product, state_->edition),
                         isa::state::kUbReserved);
    }
    return result;
  } catch (const std::exception&) {  // out of memory: nothing else throws
    state_->ForgetLastStep();
    return Unsupported();
  }
}

isa::RuleSet Oracle::BrokenAnywhere(const isa::Step& step) const {
  const State& state = *state_;
  if (HasOtherMode(step, state)) return {};
  try {
    return std::visit(
        [&](const auto& s) { return oracle::BrokenAnywhere(s, state); }, step);
  } catch (const std::exception&) {  // out of memory: `Execute` can't either
    return {};
  }
}

std::expected<void, std::string_view> Oracle::ExecuteExtended(
    const isa::Step& step) {
  state_->ForgetLastStep();
  if (HasOtherMode(step, *state_)) {
    return std::unexpected("a mask in counter mode");
  }
  try {
    return std::visit([this](const auto& s) { return RunExtended(s, *state_); },
                      step);
  } catch (const std::exception&) {
    state_->ForgetLastStep();
    return std::unexpected("more than this machine's memory");
  }
}

const std::vector<isa::Access>& Oracle::accesses() const {
  return state_->accesses;
}

std::pair<std::uint64_t, std::uint64_t> Oracle::mask_register() const {
  const LaneMask low_bits(~std::uint64_t{0});
  const LaneMask& mask = state_->mask_register;
  return {(mask >> 64).to_ullong(), (mask & low_bits).to_ullong()};
}

bool Oracle::counter_mode() const { return state_->counter_mode; }

void Oracle::set_computing(bool on) { state_->computing = on; }

void Oracle::set_tracing(bool on) { state_->tracing = on; }

const std::vector<Node>& Oracle::nodes() const { return state_->nodes; }

const std::vector<isa::Access>& Oracle::open_results() const {
  return state_->open_results;
}

const std::vector<TrueResult>& Oracle::true_results() const {
  return state_->true_results;
}

const isa::NumericEvents& Oracle::events() const { return state_->events; }

std::uint64_t Oracle::node_count() const { return state_->node_count; }

}  // namespace lanediff::oracle
