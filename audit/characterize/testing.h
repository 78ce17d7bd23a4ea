#pragma once

#include <cmath>
#include <functional>
#include <random>
#include <string>
#include <string_view>
#include <vector>

#include "audit/characterize/fold.h"
#include "audit/characterize/number.h"
#include "audit/characterize/probe_runner.h"
#include "audit/characterize/tree.h"
#include "differential/targets/find_target.h"
#include "differential/targets/target.h"
#include "differential/testcase/element.h"
#include "isa/memory_map.h"

/// Targets whose every answer is known, to be characterised.
namespace lanediff::character::test {

/// The tree of `leaves` leaves that joins any two of those left.
inline Tree RandomTree(std::size_t leaves, unsigned seed) {
  std::minstd_rand random(seed);
  Tree tree(leaves);
  std::vector<Tree::Node> left(leaves);
  for (std::size_t i = 0; i < leaves; ++i) left[i] = i;
  const auto take = [&] {
    const std::size_t at = random() % left.size();
    const Tree::Node node = left[at];
    left.erase(left.begin() + static_cast<std::ptrdiff_t>(at));
    return node;
  };
  while (left.size() > 1) {
    const Tree::Node a = take();
    left.push_back(tree.Join(a, take()));
  }
  tree.set_root(left.front());
  return tree;
}

/// How a model computes; by default as documented, in IEEE arithmetic of the
/// type.
struct Arithmetic {
  std::function<Tree(std::size_t leaves)> tree = {};
  isa::DType accumulator = isa::DType::kFloat;
  Rounding rounding = Rounding::kNearestEven;
  /// What becomes of the result, after it is rounded.
  std::function<double(double)> last = [](double x) { return x; };
};

/// `count` elements of UB from byte `at` on.
inline std::vector<double> Elements(const Case& c, isa::DType dtype,
                                    std::int64_t at, std::int64_t count) {
  const auto ub = MemoryAfter(c, {}, isa::Memory::kUb);
  std::vector<double> all;
  for (std::int64_t i = 0; i < count; ++i) {
    const auto place = static_cast<std::size_t>(at + i * isa::SizeBytes(dtype));
    all.push_back(ElementToDouble(
        dtype, LoadElement(dtype, std::span(ub).subspan(place))));
  }
  return all;
}

/// What `call` combines in a probe.
inline std::vector<double> LeavesOf(const Case& c, const isa::Call& call) {
  if (call.Is(isa::Family::kTile)) {
    return Elements(c, call.dtype, call.tiles[1].at, call.tiles[1].valid_col);
  }
  if (call.Is(isa::Family::kReduction)) {
    return Elements(c, call.dtype, call.src(0).at, call[isa::Param::kMask]);
  }
  std::vector<double> leaves;
  for (std::size_t i = 0; i < call.signature->sources(); ++i) {
    leaves.push_back(Elements(c, call.dtype, call.src(i).at, 1)[0]);
  }
  return leaves;
}

/// Answers folds of one instruction by an `Arithmetic`, everything else as the
/// emulator does.
class Model final : public diff::Target {
 public:
  Model(std::string_view op, isa::DType dtype, Arithmetic arithmetic)
      : op_(op), dtype_(dtype), how_(std::move(arithmetic)) {}

  std::string_view name() const override { return "model"; }
  std::string_view description() const override { return "of a test"; }

  std::expected<Outcome, diff::NoOutcome> Run(const Case& c) const override {
    const auto* const call = std::get_if<isa::Call>(&c.program.back());
    if (call == nullptr || call->signature->op != op_ ||
        call->dtype != dtype_ || c.id != "characterise/probe") {
      return Real(c);
    }
    return Folded(LeavesOf(c, *call));
  }

 private:
  static std::expected<Outcome, diff::NoOutcome> Real(const Case& c) {
    return (*diff::FindTarget("emulator"))->Run(c);
  }

  double Node(double a, double b) const {
    double exact = op_ == "TROWPROD" || op_ == "Mul" ? a * b
                   : op_ == "Sub"                    ? a - b
                   : op_ == "Min"                    ? std::fmin(a, b)
                                                     : a + b;
    exact = RoundTo(how_.accumulator, exact, how_.rounding);
    return Bounded(how_.accumulator, exact);
  }
  static double Bounded(isa::DType type, double value) {
    if (std::isnan(value) || std::fabs(value) <= LargestOf(type)) return value;
    return value < 0 ? -INFINITY : INFINITY;
  }

  Outcome Folded(const std::vector<double>& leaves) const {
    Tree tree = how_.tree ? how_.tree(leaves.size()) : LeftFold(leaves.size());
    std::vector<double> values(tree.nodes());
    for (Tree::Node n = 0; n < tree.nodes(); ++n) {
      if (tree.is_leaf(n)) {
        values[n] = leaves[n];
        continue;
      }
      const auto& children = tree.children(n);
      values[n] = values[children[0]];
      for (std::size_t i = 1; i < children.size(); ++i) {
        values[n] = Node(values[n], values[children[i]]);
      }
    }
    const double rounded = RoundTo(dtype_, values[tree.root()], how_.rounding);
    std::vector<std::uint8_t> bytes;
    AppendElement(
        dtype_, ElementFromDouble(dtype_, how_.last(Bounded(dtype_, rounded))),
        bytes);
    Outcome outcome;
    outcome.memory.emplace();
    (*outcome.memory)[static_cast<std::size_t>(isa::Memory::kUb)].push_back(
        {.at = ResultPlace(), .dtype = {}, .bytes = bytes});
    return outcome;
  }
  static Tree LeftFold(std::size_t leaves) {
    Tree tree(leaves);
    Tree::Node all = 0;
    for (Tree::Node leaf = 1; leaf < leaves; ++leaf) all = tree.Join(all, leaf);
    tree.set_root(all);
    return tree;
  }

  std::string op_;
  isa::DType dtype_;
  Arithmetic how_;
};

inline Fold FoldOf(std::string_view op, isa::DType dtype) {
  for (Fold& fold : FoldsOf(op, {})) {
    if (fold.dtype == dtype) return fold;
  }
  return {};
}

}  // namespace lanediff::character::test
