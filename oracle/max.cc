#include "isa/max.h"

#include "oracle/count_events.h"
#include "oracle/elementwise_operation.h"
#include "oracle/node.h"

namespace lanediff::oracle {

template <>
const Operation& OperationOf<isa::MaxTag>() {
  static constexpr Operation kMax{.name = "max",
                                  .products = kElementwiseProducts,
                                  .products_2024 = kElementwiseProducts,
                                  .compute = Maximum,
                                  .exact = ExactMaximum,
                                  .count = CountExtremum,
                                  .has_true_results = false};
  return kMax;
}

}  // namespace lanediff::oracle
