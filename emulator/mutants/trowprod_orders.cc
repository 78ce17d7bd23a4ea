// TROWPROD: kernels that multiply in another order or lose columns.

#include <algorithm>
#include <array>
#include <utility>

#include "emulator/mutants/modules.h"
#include "emulator/mutants/trowprod_columns.h"

namespace lanediff::mutants {
namespace {

namespace rule = isa::trp;
using namespace trowprod;

template <class Bits>
using Register = std::array<Bits, kLanes<Bits>>;

template <class Bits>
void MultiplyInto(Register<Bits>& into, const Register<Bits>& factor,
                  bool saturation) {
  for (std::size_t e = 0; e < into.size(); ++e) {
    into[e] = Multiply(into[e], factor[e], saturation);
  }
}

/// The columns as registers of 256 bytes, the last one filled up with ones.
template <class Bits>
std::vector<Register<Bits>> RegistersOf(const Columns<Bits>& columns) {
  std::vector<Register<Bits>> all;
  for (std::size_t j = 0; j < columns.size(); ++j) {
    if (j % kLanes<Bits> == 0) all.emplace_back().fill(kOne<Bits>);
    all.back()[j % kLanes<Bits>] = columns[j];
  }
  return all;
}

/// Steps 1 to 3 of the documented order.
template <class Bits>
std::vector<Register<Bits>> TmpOf(const Columns<Bits>& columns,
                                  bool saturation) {
  const std::vector<Register<Bits>> repeats = RegistersOf(columns);
  const std::size_t full = columns.size() / kLanes<Bits>;
  std::vector<Register<Bits>> tmp;
  for (std::size_t k = 0; k + 1 < full; k += 2) {
    tmp.push_back(repeats[k]);
    MultiplyInto(tmp.back(), repeats[k + 1], saturation);
  }
  if (tmp.empty()) tmp.emplace_back().fill(kOne<Bits>);
  for (std::size_t k = full / 2 * 2; k < repeats.size(); ++k) {
    MultiplyInto(tmp[0], repeats[k], saturation);
  }
  return tmp;
}

/// Lane e by lane e + w, w halved.
template <class Bits>
F FoldHalves(Register<Bits> lanes, bool saturation) {
  for (std::size_t w = lanes.size() / 2; w >= 1; w /= 2) {
    for (std::size_t e = 0; e < w; ++e) {
      lanes[e] = Multiply(lanes[e], lanes[e + w], saturation);
    }
  }
  return lanes[0];
}

/// Lane 2e by lane 2e + 1.
template <class Bits>
F FoldNeighbours(Register<Bits> lanes, bool saturation) {
  for (std::size_t w = lanes.size() / 2; w >= 1; w /= 2) {
    for (std::size_t e = 0; e < w; ++e) {
      lanes[e] = Multiply(lanes[2 * e], lanes[2 * e + 1], saturation);
    }
  }
  return lanes[0];
}

/// Halves the number of repeats of tmp and forgets an odd one.
template <class Bits>
F PairsDropped(const Plan& plan, std::int64_t row, Ub ub) {
  auto tmp = TmpOf(ColumnsOf<Bits>(plan, row, ub), plan.saturation);
  while (tmp.size() > 1) {
    const std::size_t half = tmp.size() / 2;
    for (std::size_t k = 0; k < half; ++k) {
      tmp[k] = tmp[2 * k];
      MultiplyInto(tmp[k], tmp[2 * k + 1], plan.saturation);
    }
    tmp.resize(half);
  }
  return FoldHalves(tmp[0], plan.saturation);
}

/// The documented order, but for a left-to-right chain over tmp.
F TmpFromTheLeft(const Plan& plan, std::int64_t row, Ub ub) {
  auto tmp = TmpOf(ColumnsOf<F>(plan, row, ub), plan.saturation);
  for (std::size_t k = 1; k < tmp.size(); ++k) {
    MultiplyInto(tmp[0], tmp[k], plan.saturation);
  }
  return FoldHalves(tmp[0], plan.saturation);
}

/// The documented order, but for neighbours in step 5.
F NeighboursAtEnd(const Plan& plan, std::int64_t row, Ub ub) {
  auto tmp = TmpOf(ColumnsOf<F>(plan, row, ub), plan.saturation);
  while (tmp.size() > 1) {
    std::vector<Register<F>> next;
    for (std::size_t k = 0; k < tmp.size(); k += 2) {
      next.push_back(tmp[k]);
      if (k + 1 < tmp.size()) {
        MultiplyInto(next.back(), tmp[k + 1], plan.saturation);
      }
    }
    tmp = std::move(next);
  }
  return FoldNeighbours(tmp[0], plan.saturation);
}

/// The columns of full repeats an odd one of which is left out, if there are
/// more than one, and the tail.
template <class Bits>
Columns<Bits> WithoutOddRepeat(Columns<Bits> columns) {
  const std::size_t full = columns.size() / kLanes<Bits>;
  if (full < 3 || full % 2 == 0) return columns;
  const auto odd =
      columns.begin() + static_cast<std::ptrdiff_t>((full - 1) * kLanes<Bits>);
  std::fill(odd, odd + kLanes<Bits>, kOne<Bits>);
  return columns;
}

Table Orders() {
  return {
      OfFloat({"trp-documented-as-register-lanes", rule::kOrder,
               "multiplies in the order of the next generation's code"},
              Order::kDocumented, RealFloat(Order::kRegisterLanes)),
      OfFloat({"trp-documented-as-left-fold", rule::kOrder,
               "multiplies from left to right where the document pairs",
               "the vendor's CPU model"},
              Order::kDocumented, RealFloat(Order::kLeftFold)),
      OfHalf({"trp-documented-as-block-lanes", rule::kOrder,
              "multiplies halves in block lanes where the document pairs",
              "what the shipped code does"},
             Order::kDocumented, RealHalf(Order::kBlockLanes)),
      OfFloat({"trp-block-lanes-as-register-lanes", rule::kOrder,
               "gives block-lanes a whole register of accumulators"},
              Order::kBlockLanes, RealFloat(Order::kRegisterLanes)),
      OfFloat({"trp-register-lanes-as-documented", rule::kOrder,
               "multiplies pairs of repeats in register-lanes"},
              Order::kRegisterLanes, RealFloat(Order::kDocumented)),
      OfHalf({"trp-left-fold-as-register-lanes", rule::kOrder,
              "multiplies halves lane by lane in left-fold"},
             Order::kLeftFold, RealHalf(Order::kRegisterLanes)),
      OfFloat({"trp-left-fold-from-the-right", rule::kOrder,
               "multiplies from right to left in left-fold"},
              Order::kLeftFold,
              [](const Plan& p, std::int64_t row, Ub ub) -> F {
                auto columns = ColumnsOf<F>(p, row, ub);
                std::ranges::reverse(columns);
                return RealOn(columns, Order::kLeftFold, p.saturation);
              }),
      OfHalf({"trp-block-lanes-chain-in-half", rule::kOrder,
              "rounds the last chain of block-lanes to half at every step"},
             Order::kBlockLanes,
             [](const Plan& p, std::int64_t row, Ub ub) -> F {
               std::array<H, 16> lanes;
               lanes.fill(kOne<H>);
               const auto columns = ColumnsOf<H>(p, row, ub);
               for (std::size_t j = 0; j < columns.size(); ++j) {
                 lanes[j % 16] =
                     Multiply(lanes[j % 16], columns[j], p.saturation);
               }
               return RealOn<H>({lanes.begin(), lanes.end()}, Order::kLeftFold,
                                p.saturation);
             }),
      OfFloat({"trp-tmp-from-the-left", rule::kOrder,
               "multiplies the repeats of tmp in a chain, not as a tree"},
              Order::kDocumented, TmpFromTheLeft),
      OfFloat({"trp-neighbours-at-end", rule::kOrder,
               "folds the last register by neighbours, not by halves"},
              Order::kDocumented, NeighboursAtEnd),
  };
}

Table Lost() {
  return {
      OfFloat({"trp-pairs-dropped-float", rule::kOrder,
               "drops pairs of repeats unless their number is a power of two",
               "a product loop that halves the number of repeat pairs and "
               "forgets the odd one"},
              Order::kDocumented, PairsDropped<F>),
      OfHalf({"trp-pairs-dropped-half", rule::kOrder,
              "drops pairs of repeats unless their number is a power of two",
              "a product loop that halves the number of repeat pairs and "
              "forgets the odd one"},
             Order::kDocumented, PairsDropped<H>),
      OfFloat({"trp-odd-repeat-dropped", rule::kOrder,
               "drops an odd last repeat", "a loop over pairs without a rest"},
              Order::kDocumented,
              [](const Plan& p, std::int64_t row, Ub ub) -> F {
                return RealOn(WithoutOddRepeat(ColumnsOf<F>(p, row, ub)),
                              Order::kDocumented, p.saturation);
              }),
      OfFloat({"trp-tail-dropped", rule::kOrder,
               "drops the columns behind the last full repeat",
               "a loop over registers without a tail"},
              Order::kDocumented,
              [](const Plan& p, std::int64_t row, Ub ub) -> F {
                Plan full = p;
                full.cols = p.cols / 64 * 64;
                return RealFloat(Order::kDocumented)(full, row, ub);
              }),
      OfHalf({"trp-tail-reads-whole-register", rule::kAddress,
              "multiplies what is behind the last column into the tail",
              "a tail without a mask"},
             Order::kDocumented,
             [](const Plan& p, std::int64_t row, Ub ub) -> F {
               Plan more = p;
               more.cols = (p.cols + 127) / 128 * 128;
               return RealHalf(Order::kDocumented)(more, row, ub);
             }),
      OfFloat({"trp-tail-into-last-lanes", rule::kOrder,
               "multiplies the tail into the last lanes, not the first"},
              Order::kDocumented,
              [](const Plan& p, std::int64_t row, Ub ub) -> F {
                auto columns = ColumnsOf<F>(p, row, ub);
                const std::size_t tail = columns.size() % 64;
                if (tail != 0) {
                  columns.insert(columns.end() - std::ptrdiff_t(tail),
                                 64 - tail, kOne<F>);
                }
                auto tmp = TmpOf(Columns<F>(columns.begin(),
                                            columns.end() - (tail ? 64 : 0)),
                                 p.saturation);
                if (tail != 0) {
                  MultiplyInto(tmp[0], RegistersOf(columns).back(),
                               p.saturation);
                }
                while (tmp.size() > 1) {
                  const std::size_t half = (tmp.size() + 1) / 2;
                  for (std::size_t k = 0; k < half; ++k) {
                    tmp[k] = tmp[2 * k];
                    if (2 * k + 1 < tmp.size()) {
                      MultiplyInto(tmp[k], tmp[2 * k + 1], p.saturation);
                    }
                  }
                  tmp.resize(half);
                }
                return FoldHalves(tmp[0], p.saturation);
              }),
      OfHalf({"trp-first-row-only", rule::kAddress,
              "gives every row the product of the first"},
             Order::kDocumented,
             [](const Plan& p, std::int64_t, Ub ub) -> F {
               return RealHalf(Order::kDocumented)(p, 0, ub);
             }),
  };
}

}  // namespace

Table TrowprodOrders() { return Joined(Orders(), Lost()); }

}  // namespace lanediff::mutants
