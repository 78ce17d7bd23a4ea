#pragma once

#include <vector>

#include "reports/trace/selection.h"
#include "reports/trace/step_view.h"

namespace lanediff::view {

/// Chooses the DataBlocks in which the target's memory is not as expected.
void AddDifferingBlocks(const StepRun& run, BlockChooser& chooser);

/// Fills `view.blocks` with the `chosen` ones and counts those left out.
/// `view.operands` and `view.shown` must be complete.
void FillBlocks(const StepRun& run, const Portrait& portrait,
                const std::vector<Place>& chosen, StepView& view);

}  // namespace lanediff::view
