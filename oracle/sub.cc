#include "isa/sub.h"

#include "oracle/count_events.h"
#include "oracle/elementwise_operation.h"
#include "oracle/node.h"

namespace lanediff::oracle {

template <>
const Operation& OperationOf<isa::SubTag>() {
  static constexpr Operation kSub{.name = "sub",
                                  .products = kElementwiseProducts,
                                  .products_2024 = kElementwiseProducts,
                                  .compute = Subtract,
                                  .exact = ExactSubtract,
                                  .count = CountSubtract,
                                  .has_true_results = true};
  return kSub;
}

}  // namespace lanediff::oracle
