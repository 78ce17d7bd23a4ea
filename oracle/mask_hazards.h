#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "isa/step.h"
#include "isa/vocabulary.h"
#include "oracle/hazards.h"

namespace lanediff::oracle {

/// The STATE-* hazards, step by step. Tracks what steps set; the caller passes
/// the register's contents.
class MaskHazards {
 public:
  /// Lanes 64 to 127, lanes 0 to 63.
  using Register = std::pair<std::uint64_t, std::uint64_t>;

  MaskHazards(isa::Product product, bool start_unknown)
      : product_(product), start_unknown_(start_unknown) {}

  /// An executed step that finds `found` in the register.
  void Executed(const isa::Step& step, std::size_t number, Register found,
                std::vector<StepHazard>& hazards);
  /// A masked call in counter mode.
  void Unsupported(std::size_t number, std::vector<StepHazard>& hazards) const;
  /// A program that ends, in counter mode or not.
  void End(bool counter_mode, std::vector<StepHazard>& hazards) const;

 private:
  void Look(const isa::Step& step, std::size_t number, Register found,
            std::vector<StepHazard>& hazards) const;
  bool IsRequested(const isa::Step& step, Register found) const;

  isa::Product product_;
  bool start_unknown_;
  bool register_set_ = false;  ///< by anything, since the start
  bool mode_set_ = false;
  /// Of the last SetVectorMask or ResetMask.
  std::optional<Register> requested_;
  /// The last call that wrote the register since then.
  std::optional<std::size_t> caller_;
  std::optional<std::size_t> last_count_;  ///< the last SetMaskCount
};

}  // namespace lanediff::oracle
