// Sums: kernels that add in another order.

#include <vector>

#include "emulator/mutants/reduce_sum_tree.h"

namespace lanediff::mutants {
namespace {

using namespace reduce_sum;

/// Lane i with lane i + n/2.
template <class T, class Add>
std::optional<T> Halves(Leaves<T> leaves, Add add) {
  for (std::size_t width = leaves.size() / 2; width >= 1; width /= 2) {
    for (std::size_t i = 0; i < width; ++i) {
      leaves[i] = Node(leaves[i], leaves[i + width], add);
    }
  }
  return leaves[0];
}

/// From the first lane to the last.
template <class T, class Add>
std::optional<T> Left(const Leaves<T>& leaves, Add add) {
  std::optional<T> sum;
  for (const auto& leaf : leaves) sum = Node(sum, leaf, add);
  return sum;
}

template <class Call>
Table Orders() {
  using rule = ReduceSumRules<Call>;
  return {
      OfHalf<Call>({"left-fold", rule::kTree, "adds halves from left to right",
                    "a plain loop over the lanes"},
                   [](const Plan& p, std::int64_t r, Ub ub) -> F {
                     return Left(LeavesOf<H>(p, r, ub),
                                 [&](H a, H b) {
                                   return AddHalf(a, b, p.saturation);
                                 })
                         .value_or(0);
                   }),
      OfFloat<Call>(
          {"left-fold-float", rule::kTree, "adds floats from left to right",
           "a plain loop over the lanes"},
          [](const Plan& p, std::int64_t r, Ub ub) -> F {
            return Left(LeavesOf<F>(p, r, ub), AddFloat).value_or(0);
          }),
      OfHalf<Call>({"split-halves", rule::kTree,
                    "adds lane i to lane i + n/2, half by half",
                    "the usual reduction of a vector register"},
                   [](const Plan& p, std::int64_t r, Ub ub) -> F {
                     return Halves(LeavesOf<H>(p, r, ub),
                                   [&](H a, H b) {
                                     return AddHalf(a, b, p.saturation);
                                   })
                         .value_or(0);
                   }),
      OfFloat<Call>(
          {"split-halves-float", rule::kTree,
           "adds lane i to lane i + n/2, float by float",
           "the usual reduction of a vector register"},
          [](const Plan& p, std::int64_t r, Ub ub) -> F {
            return Halves(LeavesOf<F>(p, r, ub), AddFloat).value_or(0);
          }),
      OfHalf<Call>({"gaps-closed", rule::kTree,
                    "moves participating lanes together before it pairs them",
                    "a compressing load before the tree"},
                   [](const Plan& p, std::int64_t r, Ub ub) -> F {
                     Leaves<H> leaves = LeavesOf<H>(p, r, ub);
                     const std::size_t lanes = leaves.size();
                     std::erase(leaves, std::nullopt);
                     leaves.resize(lanes);
                     return Tree(leaves,
                                 [&](H a, H b) {
                                   return AddHalf(a, b, p.saturation);
                                 })
                         .value_or(0);
                   }),
  };
}

}  // namespace

Table ReduceSumOrders() {
  return OfBothReduceSums([]<class Call>() { return Orders<Call>(); });
}

}  // namespace lanediff::mutants
