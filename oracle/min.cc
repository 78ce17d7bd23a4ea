#include "isa/min.h"

#include <array>

#include "isa/vocabulary.h"
#include "oracle/count_events.h"
#include "oracle/elementwise_operation.h"
#include "oracle/node.h"

namespace lanediff::oracle {

template <>
const Operation& OperationOf<isa::MinTag>() {
  using enum isa::Product;
  static constexpr std::array kProducts = {
      kAtlasTraining, kAtlasInferenceAicore, kAtlasA2, kAtlas200i500A2};
  static constexpr Operation kMin{.name = "min",
                                  .products = kProducts,
                                  .compute = Minimum,
                                  .exact = ExactMinimum,
                                  .count = CountExtremum,
                                  .has_true_results = false};
  return kMin;
}

}  // namespace lanediff::oracle
