#include "isa/mul.h"

#include "oracle/count_events.h"
#include "oracle/elementwise_operation.h"
#include "oracle/node.h"

namespace lanediff::oracle {

template <>
const Operation& OperationOf<isa::MulTag>() {
  static constexpr Operation kMul{.name = "mul",
                                  .products = kElementwiseProducts,
                                  .products_2024 = kElementwiseProducts,
                                  .compute = Multiply,
                                  .exact = ExactMultiply,
                                  .count = CountMultiply,
                                  .has_true_results = true};
  return kMul;
}

}  // namespace lanediff::oracle
