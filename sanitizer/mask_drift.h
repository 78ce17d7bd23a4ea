#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <unordered_map>
#include <utility>

#include "differential/records/hazard.h"
#include "isa/step.h"
#include "isa/vocabulary.h"

namespace lanediff::lint {

/// Where a step was called: equal numbers are one place; nothing where the
/// program has no places.
using SiteAt = std::function<std::optional<std::size_t>(std::size_t)>;

/// MASK-DRIFT of one block: each call site with the mask under which it ran
/// first.
class MaskDrift {
 public:
  /// What a masked call finds.
  struct Found {
    std::uint64_t high = 0;
    std::uint64_t low = 0;
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

}  // namespace lanediff::lint
