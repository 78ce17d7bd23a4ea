#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>
#include <set>

#include "audit/characterize/probes.h"
#include "audit/characterize/tree.h"

namespace lanediff::character {
namespace {

/// How many twos a product may have and stay in range.
std::size_t GroupOf(const Fold& fold) {
  return fold.dtype == isa::DType::kHalf ? 14 : 100;
}

/// Which leaves count at all.
struct Counted {
  enum class Kind : unsigned char { kCounted, kStrange, kNoAnswer };

  Kind kind = Kind::kNoAnswer;
  std::vector<std::size_t> there = {};  ///< each counts once
  std::vector<std::size_t> lost = {};
};

/// Checks whether each leaf counts once: all ones of a sum, twos of a product
/// in groups that stay in range; where something is missing, one leaf at a
/// time.
Counted CountLeaves(Prober& prober, std::size_t leaves) {
  const bool product = prober.fold().combine == Combine::kProduct;
  const double neutral = NeutralOf(prober.fold());
  Counted counted;
  // What the leaves of a range come to, the others being neutral.
  const auto probe = [&](std::size_t from, std::size_t to) {
    std::vector<double> all(leaves, neutral);
    for (std::size_t i = from; i < to; ++i) all[i] = product ? 2 : 1;
    return prober.Probe(all);
  };
  const auto once = [&](std::size_t count) {
    return product ? std::ldexp(1.0, static_cast<int>(count))
                   : static_cast<double>(count);
  };
  const std::size_t group = product ? GroupOf(prober.fold()) : leaves;
  for (std::size_t from = 0; from < leaves; from += group) {
    const std::size_t to = std::min(leaves, from + group);
    auto found = probe(from, to);
    if (!found) return counted;
    const bool all = *found == once(to - from);
    for (std::size_t i = from; i < to; ++i) {
      if (!all) found = probe(i, i + 1);
      if (!found) return counted;
      if (all || *found == once(1)) {
        counted.there.push_back(i);
      } else if (*found == neutral) {
        counted.lost.push_back(i);
      } else {
        counted.kind = Counted::Kind::kStrange;
        return counted;
      }
    }
  }
  counted.kind = Counted::Kind::kCounted;
  return counted;
}

using Kind = FoundOrder::Kind;

/// Arrangements of three leaves, each with another one apart.
std::array<Triple, 3> Arrangements(const Triple& t) {
  return {t, Triple{t.i, t.k, t.j}, Triple{t.j, t.k, t.i}};
}

/// Answers triples as a target with `tree` would.
class Predictor {
 public:
  explicit Predictor(const Tree& tree) : parent_(tree.nodes(), tree.nodes()) {
    std::vector<Tree::Node> walk = {tree.root()};
    for (std::size_t i = 0; i < walk.size(); ++i) {
      for (const Tree::Node child : tree.children(walk[i])) {
        parent_[child] = walk[i];
        walk.push_back(child);
      }
    }
  }

  Meeting Of(const Triple& t) const {
    std::set<Tree::Node> above;
    for (Tree::Node n = t.i; n < parent_.size(); n = parent_[n])
      above.insert(n);
    Tree::Node both = t.j;
    while (!above.contains(both)) both = parent_[both];
    for (Tree::Node n = t.k; n < parent_.size(); n = parent_[n]) {
      if (n == both) return Meeting::kNotFirst;
    }
    return Meeting::kFirst;
  }

 private:
  std::vector<Tree::Node> parent_;
};

class OrderFinder {
 public:
  OrderFinder(Prober& prober, std::size_t leaves)
      : prober_(prober), leaves_(leaves), before_(prober.probes()) {}

  FoundOrder Find() {
    const Counted counted = CountLeaves(prober_, leaves_);
    found_.cases.push_back(prober_.Shown());
    if (counted.kind == Counted::Kind::kNoAnswer) return NoAnswer();
    if (counted.kind == Counted::Kind::kStrange || counted.there.empty()) {
      return NotATree("leaves that are alone don't come out");
    }
    SummationTreeProbe probe(prober_, leaves_, counted.there);
    places_ = counted.there;
    for (const std::size_t leaf : places_) {
      const auto& lanes = prober_.fold().lanes;
      names_.push_back(lanes.empty() ? leaf : lanes[leaf]);
    }
    if (!counted.lost.empty()) {
      found_.note = fmt::format("of no effect: {}", LeavesText(counted.lost));
      return Reveal(probe);
    }
    return Recognise(probe) ? Done() : Reveal(probe);
  }

 private:
  FoundOrder Done() {
    found_.probes = prober_.probes() - before_;
    return std::move(found_);
  }
  FoundOrder NoAnswer() {
    found_.kind = Kind::kNoAnswer;
    found_.note = prober_.why();
    return Done();
  }
  FoundOrder NotATree(std::string note) {
    found_.kind = Kind::kNotATree;
    found_.note = std::move(note);
    found_.names.clear();
    return Done();
  }

  /// Whether the order is one with a name; fills in what was found.
  bool Recognise(SummationTreeProbe& probe) {
    std::vector<NamedTree> left = NamedTrees(prober_.fold(), leaves_);
    while (!left.empty()) {
      if (Verified(probe, left.front().seen)) break;
      if (!prober_.why().empty()) return false;
      RemoveContradicted(probe, left);
    }
    if (left.empty()) return false;
    const Tree seen = left.front().seen;
    std::erase_if(left, [&](const NamedTree& named) {
      return !SameTree(named.seen, seen);
    });
    Take(probe, seen);
    if (SameTree(left.front().tree, seen)) {
      TakeNames(left);
    } else if (IsFlat(seen)) {
      NameFlat(probe);
    } else {
      TakeWide(probe, std::move(left));
    }
    return true;
  }

  void TakeNames(const std::vector<NamedTree>& fitting) {
    found_.tree = fitting.front().tree.Text(names_);
    for (const NamedTree& named : fitting) {
      if (!named.name.empty() &&
          std::ranges::count(found_.names, named.name) == 0) {
        found_.names.push_back(named.name);
      }
    }
  }
  /// Of orders whose last nodes are computed in a wider type.
  void TakeWide(SummationTreeProbe& probe, std::vector<NamedTree> candidates) {
    const std::string seen = found_.tree;
    const DistinguishedTrees distinct =
        Distinguish(probe, std::move(candidates));
    if (distinct.left.empty()) return;
    TakeNames(distinct.left);
    if (distinct.decided) return;
    found_.tree = seen;
    AddNote("too few leaves to distinguish orders of that node");
  }

  /// Leaves out what the answers so far speak against: the first one at least.
  void RemoveContradicted(const SummationTreeProbe& probe,
                          std::vector<NamedTree>& left) {
    left.erase(left.begin());
    std::erase_if(left, [&](const NamedTree& named) {
      const Predictor predict(named.seen);
      return std::ranges::any_of(probe.known(), [&](const auto& answer) {
        const auto& [i, j, k] = answer.first;
        return predict.Of({i, j, k}) != answer.second;
      });
    });
  }

  /// Whether all that defines `tree` is so, and some more that follows.
  bool Verified(SummationTreeProbe& probe, const Tree& tree) {
    const Definition all = DefinitionOf(tree, choose_);
    for (const Triple& t : all.first) {
      if (probe.Query(t) != Meeting::kFirst) return false;
    }
    for (const Triple& t : all.apart) {
      for (const Triple& a : Arrangements(t)) {
        if (probe.Query(a) != Meeting::kNotFirst) return false;
      }
    }
    return AnswersFollow(probe, tree);
  }

  bool AnswersFollow(SummationTreeProbe& probe, const Tree& tree) {
    constexpr std::size_t kMost = 8;
    const std::size_t n = probe.leaves();
    if (n < 3) return CountsTheSameAgain();
    const Predictor predict(tree);
    for (std::size_t more = 0; more < std::min(kMost, n - 2); ++more) {
      const Triple t = AnyTriple(n);
      if (probe.Query(t) != predict.Of(t)) return false;
    }
    return probe.IsRepeatable(AnyTriple(n));
  }

  bool CountsTheSameAgain() {
    if (leaves_ < 2) return true;
    const Counted again = CountLeaves(prober_, leaves_);
    return again.kind == Counted::Kind::kCounted && again.there == places_;
  }

  Triple AnyTriple(std::size_t n) {
    const std::size_t i = choose_(n);
    const std::size_t j = (i + 1 + choose_(n - 1)) % n;
    std::size_t k = choose_(n);
    while (k == i || k == j) k = (k + 1) % n;
    return {i, j, k};
  }

  FoundOrder Reveal(SummationTreeProbe& probe) {
    if (!prober_.why().empty()) return NoAnswer();
    if (probe.leaves() < 3) return RevealFew(probe);
    if (IsExact(probe)) return Exact();
    std::optional<Tree> tree;
    if (!LooksFlat(probe, tree) && prober_.why().empty()) {
      tree = RevealByTriples(probe);
      if (tree && !Verified(probe, *tree)) tree.reset();
    }
    if (!prober_.why().empty()) return NoAnswer();
    if (!tree) return NotATree("answers contradict each other");
    Take(probe, *tree);
    if (IsFlat(*tree)) NameFlat(probe);
    return Done();
  }

  FoundOrder RevealFew(SummationTreeProbe& probe) {
    Tree tree(probe.leaves());
    if (probe.leaves() == 2) tree.set_root(tree.Join(0, 1));
    if (!CountsTheSameAgain() || probe.leaves() == leaves_) {
      return NotATree("answers contradict each other");
    }
    Take(probe, tree);
    return Done();
  }

  /// One node over all.
  static Tree Flat(std::size_t leaves) {
    Tree tree(leaves);
    std::vector<Tree::Node> all(leaves);
    std::iota(all.begin(), all.end(), Tree::Node{0});
    tree.set_root(tree.Join(std::move(all)));
    return tree;
  }
  static bool IsFlat(const Tree& tree) {
    return tree.leaves() > 2 && tree.nodes() == tree.leaves() + 1;
  }
  /// Whether nothing meets before anything else; `tree` is then one node.
  bool LooksFlat(SummationTreeProbe& probe, std::optional<Tree>& tree) {
    for (int more = 0; more < 4; ++more) {
      for (const Triple& t : Arrangements(AnyTriple(probe.leaves()))) {
        if (probe.Query(t) != Meeting::kNotFirst) return false;
      }
    }
    Tree flat = Flat(probe.leaves());
    if (!Verified(probe, flat)) return false;
    tree = std::move(flat);
    return true;
  }
  /// One node as far as the type's range goes: a wider one may show more.
  void NameFlat(SummationTreeProbe& probe) {
    if (prober_.fold().combine != Combine::kProduct) {
      AddNote("all at once");
      return;
    }
    AddNote("nothing leaves the range between nodes: the accumulator is wider");
    if (probe.leaves() != leaves_) return;
    std::vector<NamedTree> wide = NamedTrees(prober_.fold(), leaves_);
    for (NamedTree& named : wide) named.seen = Tree(0);
    TakeWide(probe, std::move(wide));
  }

  /// Whether M and -M always leave what is between them.
  bool IsExact(SummationTreeProbe& probe) {
    for (std::size_t more = 0; more < std::min<std::size_t>(4, leaves_ - 2);
         ++more) {
      for (const Triple& t : Arrangements(AnyTriple(probe.leaves()))) {
        if (probe.Query(t) != Meeting::kFirst) return false;
      }
    }
    return prober_.fold().combine == Combine::kSum;
  }
  FoundOrder Exact() {
    found_.kind = Kind::kTree;
    found_.tree = Flat(places_.size()).Text(names_);
    AddNote("sums are exact before they are rounded: no order can be seen");
    return Done();
  }

  void Take(SummationTreeProbe& probe, const Tree& tree) {
    found_.kind = Kind::kTree;
    found_.tree = tree.Text(names_);
    const std::vector<Case>& shown = probe.shown();
    found_.cases.insert(found_.cases.end(), shown.begin(), shown.end());
  }
  void AddNote(std::string_view note) {
    if (!found_.note.empty()) found_.note += "; ";
    found_.note += note;
  }

  Prober& prober_;
  std::size_t leaves_;
  std::uint64_t before_;
  Chooser choose_;
  std::vector<std::size_t> places_;  ///< of the leaves that count
  std::vector<std::size_t> names_;   ///< their lanes
  FoundOrder found_;
};

}  // namespace

std::string LeavesText(const std::vector<std::size_t>& leaves) {
  std::string text;
  for (std::size_t i = 0; i < leaves.size();) {
    std::size_t end = i + 1;
    while (end < leaves.size() && leaves[end] == leaves[end - 1] + 1) ++end;
    if (!text.empty()) text += ", ";
    text += end - i == 1 ? fmt::format("{}", leaves[i])
                         : fmt::format("{} to {}", leaves[i], leaves[end - 1]);
    i = end;
  }
  return text;
}

FoundOrder FindOrder(Prober& prober, std::size_t leaves) {
  return OrderFinder(prober, leaves).Find();
}

}  // namespace lanediff::character
