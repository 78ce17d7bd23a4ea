#include "isa/min.h"

#include <array>

#include "isa/vocabulary.h"
#include "oracle/count_events.h"
#include "oracle/elementwise_operation.h"
#include "oracle/node.h"

namespace lanediff::oracle {

template <>
const Operation& OperationOf<isa::MinTag>() {
  // Its page of 2024 has no row for atlas-a3, that of 2026 does.
  using enum isa::Product;
  static constexpr std::array kProducts2024 = {
      kAtlasTraining, kAtlasInferenceAicore, kAtlasA2, kAtlas200i500A2};
  static constexpr Operation kMin{.name = "min",
                                  .products = kElementwiseProducts,
                                  .products_2024 = kProducts2024,
                                  .compute = Minimum,
                                  .exact = ExactMinimum,
                                  .count = CountExtremum,
                                  .has_true_results = false};
  return kMin;
}

}  // namespace lanediff::oracle
