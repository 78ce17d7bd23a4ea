#include "oracle/mask_hazards.h"

#include <cstdint>
#include <variant>
#include <vector>

#include "isa/state.h"
#include "oracle/operations.h"
#include "oracle/steps.h"

namespace lanediff::oracle {

namespace {

constexpr std::uint64_t kOnes = ~std::uint64_t{0};

bool BitOf(MaskHazards::Register mask, std::int64_t lane) {
  return lane < 64 ? (mask.second >> lane & 1) != 0
                   : (mask.first >> (lane - 64) & 1) != 0;
}

isa::Step SetMask(MaskHazards::Register mask) {
  return isa::SetVectorMask{.high = mask.first, .low = mask.second};
}

}  // namespace

/// In the type's lanes, whether the register is what was requested.
bool MaskHazards::IsRequested(const isa::Step& step, Register found) const {
  if (!requested_ && start_unknown_) return false;
  const Register wanted = requested_.value_or(Register{kOnes, kOnes});
  for (std::int64_t lane = 0; lane < LanesOfType(step); ++lane) {
    if (lane < 128 && BitOf(found, lane) != BitOf(wanted, lane)) return false;
  }
  return true;
}

void MaskHazards::Look(const isa::Step& step, std::size_t number,
                       Register found, std::vector<StepHazard>& hazards) const {
  const Register ones{kOnes, kOnes};
  if (UsesRegister(step) && start_unknown_ && !register_set_) {
    hazards.push_back(
        {isa::state::kMaskUnknown, std::nullopt, number, {SetMask(ones)}});
  }
  if (start_unknown_ && !mode_set_ && HasMaskSteps(product_)) {
    hazards.push_back(
        {isa::state::kModeUnknown, std::nullopt, number, {isa::SetMaskNorm{}}});
  }
  if (UsesRegister(step) && caller_ && !IsRequested(step, found)) {
    hazards.push_back({isa::state::kMaskLeftover,
                       caller_,
                       number,
                       {SetMask(requested_.value_or(ones))}});
  }
}

void MaskHazards::Executed(const isa::Step& step, std::size_t number,
                           Register found, std::vector<StepHazard>& hazards) {
  if (IsMaskedCall(step)) Look(step, number, found, hazards);
  if (const auto* set = std::get_if<isa::SetVectorMask>(&step)) {
    requested_ = Register{set->high, set->low};
    caller_.reset();
    register_set_ = true;
  }
  if (std::holds_alternative<isa::ResetMask>(step)) {
    requested_ = Register{kOnes, kOnes};
    caller_.reset();
    register_set_ = true;
  }
  if ((IsMaskedCall(step) && !UsesRegister(step)) || IsCallByCount(step) ||
      LeavesMaskOnly(step)) {
    caller_ = number;
    register_set_ = true;
  }
  if (std::holds_alternative<isa::SetMaskCount>(step)) last_count_ = number;
  if (std::holds_alternative<isa::SetMaskCount>(step) ||
      std::holds_alternative<isa::SetMaskNorm>(step) || IsCallByCount(step)) {
    mode_set_ = true;
  }
}

void MaskHazards::Unsupported(std::size_t number,
                              std::vector<StepHazard>& hazards) const {
  hazards.push_back(
      {isa::state::kMaskCounter, last_count_, number, {isa::SetMaskNorm{}}});
}

void MaskHazards::End(bool counter_mode,
                      std::vector<StepHazard>& hazards) const {
  if (!counter_mode) return;
  hazards.push_back({isa::state::kCounterLeft,
                     std::nullopt,
                     *last_count_,
                     {isa::SetMaskNorm{}}});
}

}  // namespace lanediff::oracle
