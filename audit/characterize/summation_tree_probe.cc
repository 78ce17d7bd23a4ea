#include "audit/characterize/summation_tree_probe.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "audit/characterize/number.h"

namespace lanediff::character {
namespace {

/// M, and what it swallows: as far apart as normal numbers of the type are,
/// half an accumulator's width at least.
struct Mask {
  double large;
  double unit;
};

Mask MaskOf(isa::DType type) {
  if (type == isa::DType::kHalf) return {0x1p15, 0x1p-14};
  return {0x1p100, 0x1p-100};
}

Meeting JudgeSum(const Mask& mask, double value) {
  if (value == mask.unit) return Meeting::kFirst;
  return std::isfinite(value) && std::fabs(value) < mask.large
             ? Meeting::kNotFirst
             : Meeting::kStrange;
}

/// A number whose square is beyond the type and whose inverse is normal.
double FactorOf(isa::DType type) {
  return type == isa::DType::kHalf ? 0x1p10 : 0x1p100;
}

/// What an overflow may leave: an infinity, NaN, the largest number on its
/// own or times the inverse; some saturate a little early.
Meeting JudgeProduct(isa::DType type, double value) {
  const double factor = FactorOf(type);
  if (value == factor) return Meeting::kNotFirst;
  if (!std::isfinite(value)) return Meeting::kFirst;
  const double bound = LargestOf(type);
  const auto near = [&](double expected) {
    return value > expected * 0.9 && value <= expected;
  };
  return near(bound) || near(bound / factor) ? Meeting::kFirst
                                             : Meeting::kStrange;
}

}  // namespace

double NeutralOf(const Fold& fold) {
  return fold.combine == Combine::kProduct ? 1 : 0;
}

std::vector<double> SummationTreeProbe::Spread(
    const std::vector<double>& values) const {
  std::vector<double> leaves(all_, NeutralOf(prober_.fold()));
  for (std::size_t i = 0; i < places_.size(); ++i) {
    leaves[places_[i]] = values[i];
  }
  return leaves;
}

Meeting SummationTreeProbe::RunProbe(const Triple& t) {
  const Fold& fold = prober_.fold();
  std::vector<double> leaves(places_.size(), NeutralOf(fold));
  const bool product = fold.combine == Combine::kProduct;
  const Mask mask = MaskOf(fold.dtype);
  const double factor = FactorOf(fold.dtype);
  leaves[t.i] = product ? factor : mask.large;
  leaves[t.j] = product ? factor : -mask.large;
  leaves[t.k] = product ? 1 / factor : mask.unit;
  const auto value = prober_.Probe(Spread(leaves));
  if (!value) return Meeting::kNoAnswer;
  const Meeting meeting =
      product ? JudgeProduct(fold.dtype, *value) : JudgeSum(mask, *value);
  Show(t, meeting);
  return meeting;
}

void SummationTreeProbe::Show(const Triple& t, Meeting meeting) {
  constexpr std::size_t kMost = 3;
  if (shown_.size() >= kMost) return;
  shown_.push_back(prober_.Shown());
  const auto& lanes = prober_.fold().lanes;
  const auto name = [&](std::size_t leaf) {
    return lanes.empty() ? places_[leaf] : lanes[places_[leaf]];
  };
  shown_.back().note += fmt::format(
      " Leaves {} and {} {} before either meets {}.", name(t.i), name(t.j),
      meeting == Meeting::kFirst ? "meet" : "do not meet", name(t.k));
}

Meeting SummationTreeProbe::Query(const Triple& t) {
  const auto key = std::tuple(std::min(t.i, t.j), std::max(t.i, t.j), t.k);
  const auto found = known_.find(key);
  if (found != known_.end()) return found->second;
  return known_[key] = RunProbe(t);
}

bool SummationTreeProbe::IsRepeatable(const Triple& t) {
  const Meeting before = Query(t);
  return RunProbe({t.j, t.i, t.k}) == before;
}

}  // namespace lanediff::character
