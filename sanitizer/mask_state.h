#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "differential/records/hazard.h"
#include "isa/step.h"
#include "sanitizer/mask_drift.h"

namespace lanediff::lint {

/// What set mask register and mode, and which calls find them so (STATE-*,
/// MASK-DRIFT).
class MaskState {
 public:
  /// The 128 bits of the register.
  struct Words {
    std::uint64_t high = ~std::uint64_t{0};
    std::uint64_t low = ~std::uint64_t{0};
    bool operator==(const Words&) const = default;
  };

  MaskState(isa::Product product, bool start_unknown, SiteAt site_at)
      : product_(product),
        unknown_(start_unknown),
        drift_(std::move(site_at)) {}

  /// A masked call that runs, or that counter mode keeps from running; before
  /// it does. `found` is the register.
  void Look(const isa::Step& step, std::size_t number, const Words& found,
            std::vector<Hazard>& hazards);

  /// Whether the register holds an unknown mask.
  bool IsUnknown() const { return lost_by_ || (unknown_ && !register_set_); }

  /// Nor which mode it has, where the product has modes.
  bool IsModeUnknown() const;

  /// The step was executed.
  void Executed(const isa::Step& step, std::size_t number);

  /// The same of a call that a kernel made.
  void Executed(const isa::Carried& call, std::size_t number);

  /// STATE-COUNTER-LEFT, when the program has come to its end.
  void Finish(std::vector<Hazard>& hazards) const;

 private:
  void LookAtRegister(const isa::Step& step, std::size_t number,
                      const Words& found, isa::DType dtype,
                      std::vector<Hazard>& hazards) const;

  isa::Product product_;
  bool unknown_;
  bool register_set_ = false;
  bool mode_set_ = false;
  /// The mask that was requested last; nothing: the start's.
  std::optional<Words> requested_;
  /// The last call that left a mask since.
  struct Call {
    std::size_t step;
    std::string_view op;
  };
  std::optional<Call> left_by_;
  std::optional<Call> lost_by_;  ///< left the register unknown
  /// The SetMaskCount that the mode is of.
  std::optional<std::size_t> counter_since_;
  MaskDrift drift_;
  /// Which steps set register and mode.
  MaskDrift::Found set_;
};

/// Whether the step is a call whose lanes a mask chooses.
bool IsMasked(const isa::Step& step);

}  // namespace lanediff::lint
