#include "sanitizer/mask_state.h"

#include <fmt/format.h>

#include <limits>
#include <string_view>
#include <variant>

#include "isa/memory_map.h"
#include "isa/state.h"
#include "isa/step.h"

namespace lanediff::lint {
namespace {

using Found = MaskDrift::Found;

constexpr auto kStart = std::numeric_limits<std::size_t>::max();

/// Equal in the lanes of the type.
bool Same(const MaskWords& a, const MaskWords& b, isa::DType type) {
  return a.low == b.low && (isa::SizeBytes(type) >= 4 || a.high == b.high);
}

/// The register has the same lanes, or the same number of elements.
bool IsSameMask(const Found& a, const Found& b) {
  return b.counter ? a.mask.low == b.mask.low : Same(a.mask, b.mask, b.dtype);
}

isa::Step Setting(const Found& found, bool mode) {
  if (!mode) return isa::SetVectorMask(found.mask);
  if (found.counter) return isa::SetMaskCount{};
  return isa::SetMaskNorm{};
}

using isa::Product;
namespace state = isa::state;

/// What a masked call has of its mask.
struct Masked {
  bool is_masked = false;
  bool is_set_mask = true;
  isa::DType dtype = isa::DType::kHalf;
};

/// Whose lanes the mask counts: those of the widest operand.
isa::DType TypeOf(const isa::Carried& call) {
  isa::DType widest = isa::DType::kHalf;
  for (const isa::CarriedOperand& one : call.operands) {
    const auto type = one.operand.dtype;
    if (type && isa::SizeBytes(*type) > isa::SizeBytes(widest)) widest = *type;
  }
  return widest;
}

Masked Of(const isa::Step& step) {
  if (const auto* const call = std::get_if<isa::Carried>(&step)) {
    return {call->mask.masked, call->mask.is_set_mask, TypeOf(*call)};
  }
  const auto* const call = std::get_if<isa::Call>(&step);
  if (call == nullptr) return {};
  isa::DType widest = call->dtype;
  for (std::size_t i = 0; i < call->used_operands().size(); ++i) {
    if (call->signature->operands[i].is_packed) continue;
    const isa::DType type = call->TypeOf(i);
    if (isa::SizeBytes(type) > isa::SizeBytes(widest)) widest = type;
  }
  return {call->IsMasked(), call->is_set_mask, widest};
}

/// SetMaskNorm exists (STATE-MASK-PRODUCT).
bool HasModes(Product product) {
  return product == Product::kAtlasInferenceAicore ||
         product == Product::kAtlasA2 || product == Product::kAtlasA3 ||
         product == Product::kAtlas200i500A2;
}

}  // namespace

std::optional<std::size_t> MaskDrift::SiteOf(
    std::optional<std::size_t> setter) const {
  return setter ? site_at_(*setter) : kStart;
}

std::optional<Hazard> MaskDrift::Look(const isa::Step& step, std::size_t number,
                                      const Found& found) {
  const auto site = site_at_(number);
  if (!site) return std::nullopt;
  const auto mask_site = SiteOf(found.mask_by);
  const auto mode_site = SiteOf(found.mode_by);
  if (mode_site == site) return std::nullopt;  // part of a call in counter mode
  last_site_ = site;
  last_ = found;
  if (read_mask_by_ != found.mask_by) read_by_.reset();
  read_mask_by_ = found.mask_by;
  const std::optional<std::size_t> read_by = read_by_;
  if (found.reads_register && !read_by_) read_by_ = site;
  const auto [entry, is_new] =
      first_.try_emplace(*site, First{found, read_by, mask_site, mode_site});
  if (is_new) return std::nullopt;
  const First& first = entry->second;
  const bool mode = first.found.counter != found.counter;
  const auto& before = mode ? first.mode_site : first.mask_site;
  const auto& now = mode ? mode_site : mask_site;
  const auto& setter = mode ? found.mode_by : found.mask_by;
  if (!mode &&
      (!found.reads_register || IsSameMask(first.found, found) ||
       (first.found.mask_set && found.mask_set && first.read_by == read_by))) {
    return std::nullopt;
  }
  if (!before || !now || *before == *now || !setter) return std::nullopt;
  Hazard hazard = HazardAt(isa::state::kMaskDrift, number, isa::OpName(step),
                           {Setting(first.found, mode)});
  hazard.earlier = Place{.step = *setter, .op = {}};
  hazard.what =
      mode
          ? fmt::format("runs in {} mode", found.counter ? "counter" : "normal")
      : found.counter
          ? fmt::format("runs with a mask of {} elements", found.mask.low)
          : fmt::format("runs under mask {:#x} {:#x}", found.mask.high,
                        found.mask.low);
  const auto& by = mode ? first.found.mode_by : first.found.mask_by;
  const std::string_view noun = mode ? "mode" : "mask";
  hazard.cause = Hazard::Cause{
      .step = by.value_or(number),
      .text = by ? fmt::format("its first execution had the {} of step {}",
                               noun, *by)
                 : fmt::format("its first execution had the {} of the start",
                               noun)};
  return hazard;
}

void MaskDrift::Set(const isa::Step& step, std::size_t number,
                    Found& by) const {
  // A call in counter mode that is run as parts in normal mode sets back what
  // it found.
  const bool back = last_site_ && site_at_(number) == last_site_;
  if (const auto* mask = std::get_if<isa::SetVectorMask>(&step)) {
    const bool same = back && last_.reads_register && *mask == last_.mask;
    by.mask_by = same ? last_.mask_by : number;
    by.mask_set = !same || last_.mask_set;
  } else if (std::holds_alternative<isa::SetMaskCount>(step)) {
    by.mode_by = back && last_.counter ? last_.mode_by : number;
  } else if (std::holds_alternative<isa::SetMaskNorm>(step)) {
    by.mode_by = number;
  } else {
    by.mask_by = number;
    by.mask_set = true;
  }
}

bool IsMasked(const isa::Step& step) { return Of(step).is_masked; }

bool MaskState::IsModeUnknown() const {
  return unknown_ && !mode_set_ && HasModes(product_);
}

void MaskState::Look(const isa::Step& step, std::size_t number,
                     const Words& found, std::vector<Hazard>& hazards) {
  const Masked masked = Of(step);
  if (!masked.is_masked) return;
  const std::size_t before = hazards.size();
  const std::string_view op = isa::OpName(step);
  // An unaudited call does in counter mode what is recorded.
  if (counter_since_ && !std::holds_alternative<isa::Carried>(step)) {
    hazards.push_back(
        HazardAt(state::kMaskCounter, number, op, {isa::SetMaskNorm{}}));
    hazards.back().earlier =
        Place{.step = *counter_since_, .op = isa::SetMaskCount::kOp};
    return;
  }
  if (IsModeUnknown()) {
    hazards.push_back(
        HazardAt(state::kModeUnknown, number, op, {isa::SetMaskNorm{}}));
  }
  if (!masked.is_set_mask) {
    LookAtRegister(step, number, found, masked.dtype, hazards);
  }
  if (hazards.size() > before) return;
  auto drift = drift_.Look(step, number,
                           {.mask = found,
                            .counter = counter_since_.has_value(),
                            .reads_register = !masked.is_set_mask,
                            .dtype = masked.dtype,
                            .mask_by = set_.mask_by,
                            .mode_by = set_.mode_by,
                            .mask_set = set_.mask_set});
  if (drift) hazards.push_back(*std::move(drift));
}

void MaskState::LookAtRegister(const isa::Step& step, std::size_t number,
                               const Words& found, isa::DType dtype,
                               std::vector<Hazard>& hazards) const {
  const std::string_view op = isa::OpName(step);
  if (IsUnknown()) {
    hazards.push_back(HazardAt(state::kMaskUnknown, number, op,
                               {isa::SetVectorMask(Words())}));
    if (lost_by_) {
      hazards.back().what = "reads a mask register that is left unknown";
      hazards.back().earlier =
          Place{.step = lost_by_->step, .op = lost_by_->op};
    }
  }
  if (!left_by_) return;
  const bool requested_unknown = unknown_ && !requested_;
  const Words requested = requested_.value_or(Words());
  if (!requested_unknown && Same(found, requested, dtype)) return;
  hazards.push_back(HazardAt(state::kMaskLeftover, number, op,
                             {isa::SetVectorMask(requested)}));
  hazards.back().earlier = Place{.step = left_by_->step, .op = left_by_->op};
}

void MaskState::Executed(const isa::Step& step, std::size_t number) {
  const isa::MaskUse use = isa::MaskUseOf(step, product_);
  if (std::holds_alternative<isa::Resource>(step)) {
    if (use.sets_mode) Executed(isa::SetMaskNorm{}, number);
    if (!use.sets_register) return;
    Executed(isa::ResetMask{}, number);
    set_.mask_set = false;
    return;
  }
  if (const auto* call = std::get_if<isa::Carried>(&step)) {
    Executed(*call, number);
    return;
  }
  const auto* const set = std::get_if<isa::SetVectorMask>(&step);
  const bool counts = std::holds_alternative<isa::SetMaskCount>(step);
  if (use.sets_register) {
    lost_by_.reset();
    register_set_ = true;
  }
  if (use.sets_mode) {
    mode_set_ = true;
    counter_since_.reset();
    if (counts) counter_since_ = number;
  }
  if (set != nullptr || std::holds_alternative<isa::ResetMask>(step)) {
    requested_ = set == nullptr ? Words() : Words(*set);
    left_by_.reset();
    drift_.Set(step, number, set_);
  } else if (counts || std::holds_alternative<isa::SetMaskNorm>(step)) {
    drift_.Set(step, number, set_);
  } else if (use.sets_register) {
    left_by_ = Call{number, isa::OpName(step)};
    set_.mask_by = number;
    set_.mask_set = false;
    if (use.sets_mode) set_.mode_by = number;
  }
}

void MaskState::Executed(const isa::Carried& call, std::size_t number) {
  const isa::CarriedMask& mask = call.mask;
  if (mask.sets_normal) {
    mode_set_ = true;
    counter_since_.reset();
    set_.mode_by = number;
  }
  if (mask.leaves_unknown || mask.leaves) {
    set_.mask_by = number;
    set_.mask_set = false;
  }
  if (mask.leaves_unknown) {
    lost_by_ = Call{number, call.kOp};
    left_by_.reset();
  } else if (mask.leaves) {
    lost_by_.reset();
    register_set_ = true;
    left_by_ = Call{number, call.kOp};
  }
}

void MaskState::Finish(std::vector<Hazard>& hazards) const {
  if (!counter_since_) return;
  hazards.push_back(HazardAt(state::kCounterLeft, *counter_since_,
                             isa::SetMaskCount::kOp, {isa::SetMaskNorm{}}));
}

}  // namespace lanediff::lint
