#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <unordered_map>
#include <utility>
#include <vector>

#include "differential/records/hazard.h"
#include "isa/state.h"
#include "isa/step.h"
#include "isa/vocabulary.h"

namespace lanediff::lint {

/// Where a step was called: equal numbers are one place; nothing where the
/// program has no places.
using SiteAt = std::function<std::optional<std::size_t>(std::size_t)>;

/// The 128 bits of the mask register: all lanes, unless they are given.
struct MaskWords : isa::SetVectorMask {
  MaskWords() : SetVectorMask{.high = ~0ULL, .low = ~0ULL} {}
  explicit MaskWords(const SetVectorMask& words) : SetVectorMask(words) {}
};

/// MASK-DRIFT of one block: each call site with the mask under which it ran
/// first.
class MaskDrift {
 public:
  /// What a masked call finds.
  struct Found {
    MaskWords mask;
    bool counter = false;
    bool reads_register = true;  ///< else the call sets the mask itself
    isa::DType dtype = isa::DType::kHalf;
    /// The steps that set register and mode; nothing: the start.
    std::optional<std::size_t> mask_by = std::nullopt;
    std::optional<std::size_t> mode_by = std::nullopt;
    bool mask_set = false;  ///< by SetVectorMask or ResetMask
  };

  explicit MaskDrift(SiteAt site_at) : site_at_(std::move(site_at)) {}

  /// The masked call `number` runs under `found`: whether its site ran under
  /// another mask before, which another place had set. That place is `cause`.
  /// No drift is a mask that SetVectorMask or ResetMask set in both executions
  /// and that the same call site read first since.
  std::optional<Hazard> Look(const isa::Step& step, std::size_t number,
                             const Found& found);
  /// The executed step sets register or mode, as `by` has it.
  void Set(const isa::Step& step, std::size_t number, Found& by) const;

 private:
  struct First {
    Found found;
    std::optional<std::size_t> read_by;  ///< as `read_by_`
    std::optional<std::size_t> mask_site;
    std::optional<std::size_t> mode_site;
  };

  /// Of the start a number that is no site's; nothing if it is unknown.
  std::optional<std::size_t> SiteOf(std::optional<std::size_t> setter) const;

  SiteAt site_at_;
  std::unordered_map<std::size_t, First> first_;
  /// The last call that read the register, or ran in a mode, and what it found.
  std::optional<std::size_t> last_site_;
  Found last_;
  /// The first call site that read the mask since it was set, and by which
  /// step; nothing: none has.
  std::optional<std::size_t> read_by_;
  std::optional<std::size_t> read_mask_by_;
};

/// What set mask register and mode, and which calls find them so (STATE-*,
/// MASK-DRIFT).
class MaskState {
 public:
  using Words = MaskWords;

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
