#pragma once

#include "isa/step.h"
#include "isa/vocabulary.h"

namespace lanediff::isa {

/// What a step has to do with the vector mask register and its mode.
struct MaskUse {
  bool reads_mode = false;
  bool reads_register = false;
  bool sets_mode = false;
  bool sets_register = false;

  bool operator==(const MaskUse&) const = default;
};

MaskUse MaskUseOf(const Step& step, Product product);

}  // namespace lanediff::isa
