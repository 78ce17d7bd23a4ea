#pragma once

#include <span>
#include <string_view>
#include <vector>

#include "reports/disagreement.h"

/// The entries, in a file for each instruction, and the files they speak of.
namespace lanediff::audit {

std::vector<Disagreement> CommonDisagreements();
std::vector<Disagreement> RepeatReduceSumDisagreements();
std::vector<Disagreement> MinDisagreements();
std::vector<Disagreement> DataCopyDisagreements();
std::vector<Disagreement> TrowprodDisagreements();
std::vector<Disagreement> VecTransDisagreements();
std::vector<Disagreement> WholeReduceSumDisagreements();
/// Of Max, Add, Sub and Mul; Min has its own page.
std::vector<Disagreement> ElementwiseDisagreements();

struct EmbeddedText {
  std::string_view file;  ///< relative to the top of the sources
  std::string_view text;
};

/// The case files of `corpus/disagreements/` and `audit/ambiguities/readings/`,
/// compiled in, so that an audit needs nothing but the program.
std::span<const EmbeddedText> EmbeddedTexts();

}  // namespace lanediff::audit
