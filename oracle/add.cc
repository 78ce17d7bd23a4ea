#include "isa/add.h"

#include "oracle/count_events.h"
#include "oracle/elementwise_operation.h"
#include "oracle/node.h"

namespace lanediff::oracle {

template <>
const Operation& OperationOf<isa::AddTag>() {
  static constexpr Operation kAdd{.name = "add",
                                  .products = kElementwiseProducts,
                                  .products_2024 = kElementwiseProducts,
                                  .compute = Add,
                                  .exact = ExactAdd,
                                  .count = CountAdd,
                                  .has_true_results = true};
  return kAdd;
}

}  // namespace lanediff::oracle
