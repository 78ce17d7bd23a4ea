#pragma once

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <limits>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "emulator/address.h"
#include "emulator/mutants/mutant.h"
#include "emulator/state.h"
#include "isa/call.h"
#include "isa/operand.h"
#include "isa/rule.h"
#include "isa/vocabulary.h"

/// What the tables of mutants are made with. Most mutants call the real seam,
/// about the call itself or about a changed one, and alter its answer.
namespace lanediff::mutants {

using Table = std::vector<Mutant>;

/// All of `first`, then all of each of `more`.
template <class... Tables>
Table Joined(Table first, const Tables&... more) {
  (first.insert(first.end(), more.begin(), more.end()), ...);
  return first;
}

/// What a mutant states of itself; the meaning is that of `Mutant`.
struct Label {
  std::string_view name;
  isa::RuleId rule;
  std::string_view defect;
  std::string_view modelled_on = {};
  /// Null of steps that set machine state.
  const isa::Signature* signature = nullptr;
};

/// `text` for as long as the program runs: where the parts of a name are known
/// but not the name.
inline std::string_view Kept(std::string text) {
  static std::deque<std::string> all;
  return all.emplace_back(std::move(text));
}

/// The rows of seams of one family, by their type.
template <class Row>
auto& RowsIn(auto& seams) {
  if constexpr (std::same_as<Row, emulator::LanewiseSeams>) {
    return seams.lanewise;
  } else if constexpr (std::same_as<Row, emulator::ReduceSumSeams>) {
    return seams.reductions;
  } else if constexpr (std::same_as<Row, emulator::DataCopySeams>) {
    return seams.copies;
  } else if constexpr (std::same_as<Row, emulator::VecTransSeams>) {
    return seams.transposes;
  } else if constexpr (std::same_as<Row, emulator::BrcbSeams>) {
    return seams.broadcasts;
  } else {
    static_assert(std::same_as<Row, emulator::TrowprodSeams>);
    return seams.tiles;
  }
}

/// The real emulator, labelled as a mutant.
inline Mutant Labelled(const Label& label) {
  return {
      .name = label.name,
      .slug = label.signature == nullptr ? kProgramSlug : label.signature->slug,
      .rule = label.rule,
      .defect = label.defect,
      .modelled_on = label.modelled_on,
      .seams = {}};
}

/// The real emulator with `seam` of the instruction's row replaced; no mutant
/// without a name.
template <class Row, class Seam>
Mutant PlantedIn(Seam Row::* seam, std::type_identity_t<Seam> replacement,
                 const Label& label) {
  if (label.name.empty()) return {};
  Mutant mutant = Labelled(label);
  RowsIn<Row>(mutant.seams)[isa::PlaceOf(*label.signature)].*seam = replacement;
  return mutant;
}

/// The real emulator with the seam of a step that sets machine state replaced.
template <class Seam>
Mutant PlantedInState(Seam emulator::StateSeams::* seam, const Label& label,
                      std::type_identity_t<Seam> replacement) {
  Mutant mutant = Labelled(label);
  mutant.seams.state.*seam = replacement;
  return mutant;
}

/// The real verdict.
inline isa::RuleSet Real(const isa::Call& call, const emulator::State& state) {
  return emulator::VisitRow(
      emulator::FastestSeams(), *call.signature,
      [&](const auto& row) { return row.legality(call, state); });
}

/// What a row of seams makes of a call.
template <class Row>
using PlanOf = std::invoke_result_t<decltype(Row::plan), const isa::Call&,
                                    const emulator::State&>;

/// The real plan; all rows of a family have it in common.
template <class Row>
PlanOf<Row> RealPlan(const isa::Call& call, const emulator::State& state) {
  return RowsIn<Row>(emulator::FastestSeams()).front().plan(call, state);
}

/// The real vectors, in the place of kernel and write-back; in all families but
/// one the same for all rows.
template <class Row>
emulator::Path RealVectors(const PlanOf<Row>& plan, auto... memories) {
  std::size_t place = 0;
  if constexpr (requires { plan.signature; }) {
    place = isa::PlaceOf(*plan.signature);
  }
  return RowsIn<Row>(emulator::FastestSeams())[place].vectors(plan,
                                                              memories...);
}

/// `change(first, ...)` with as many of the arguments as it takes.
template <class Change, class First>
auto Apply(Change change, First& first, const auto& second, const auto& third) {
  if constexpr (std::invocable<Change, First&>) {
    return change(first);
  } else if constexpr (std::invocable<Change, First&, decltype(second)>) {
    return change(first, second);
  } else {
    return change(first, second, third);
  }
}

inline isa::RuleSet Without(const isa::RuleSet& rules, isa::RuleId left_out) {
  isa::RuleSet rest;
  for (const isa::RuleId id : rules) rest.AddIf(id != left_out, id);
  return rest;
}

/// `rules` with `other` in the place of `rule`, if that is among them.
inline isa::RuleSet Instead(const isa::RuleSet& rules, isa::RuleId rule,
                            isa::RuleId other) {
  isa::RuleSet all = Without(rules, rule);
  all.AddIf(rules.Contains(rule), other);
  return all;
}

/// `rules` without `rule`, unless it is also `confirmed`.
inline isa::RuleSet Weakened(const isa::RuleSet& rules, isa::RuleId rule,
                             bool confirmed) {
  return confirmed ? rules : Without(rules, rule);
}

/// The first of `rules` alone.
inline isa::RuleSet FirstOnly(const isa::RuleSet& rules) {
  isa::RuleSet first;
  if (!rules.empty()) first.Add(*rules.begin());
  return first;
}

/// `operand` without its first `bytes`.
inline isa::Operand Advanced(isa::Operand operand, std::int64_t bytes) {
  operand.at += bytes;
  operand.bytes -= bytes;
  return operand;
}

/// `operand` with a window that is `bytes` longer, as far as that fits.
inline isa::Operand Longer(isa::Operand operand, std::int64_t bytes) {
  constexpr auto kMost = std::numeric_limits<std::int64_t>::max();
  operand.bytes = operand.bytes > kMost - bytes ? kMost : operand.bytes + bytes;
  return operand;
}

/// `operand` one step of 16 bytes further down where it is aligned to 16 only,
/// so that the real rule lets it pass.
inline isa::Operand AlignedTo16(isa::Operand operand) {
  if (operand.at % emulator::kBlockBytes == 16) {
    operand.at -= 16;
    return Longer(operand, 16);
  }
  return operand;
}

/// `state` on `instead` where it is on `product`.
inline emulator::State Confused(emulator::State state, isa::Product product,
                                isa::Product instead) {
  if (state.product == product) state.product = instead;
  return state;
}

/// `state` under the newest edition of the documents.
inline emulator::State Newest(emulator::State state) {
  state.edition = isa::kNewestEdition;
  return state;
}

/// Both words of `lanes` with their highest bit first.
inline emulator::LaneMask BitsReversed(const emulator::LaneMask& lanes) {
  emulator::LaneMask reversed;
  for (int bit = 0; bit < 64; ++bit) {
    reversed.low |= (lanes.low >> bit & 1) << (63 - bit);
    reversed.high |= (lanes.high >> bit & 1) << (63 - bit);
  }
  return reversed;
}

/// Whether two ranges have no byte in common, but no byte between them either.
inline bool Touch(const emulator::Extent& a, const emulator::Extent& b) {
  return !a.empty() && !b.empty() && (a.end == b.begin || b.end == a.begin);
}

// ---- Mutants of calls -------------------------------------------------------

/// A label of a mutant of one instruction, whose row of seams is a `Row`, and
/// ways to plant the defect. `Self` is what the row's family makes of it.
template <class Self, class Row>
struct RowLabel : Label {
  /// The same, or of no mutant.
  Self Where(bool condition) const {
    Self other = static_cast<const Self&>(*this);
    if (!condition) other.name = {};
    return other;
  }

  Mutant JudgedBy(decltype(Row::legality) legality) const {
    return PlantedIn(&Row::legality, legality, *this);
  }
  /// Judges the call that `Change(call)` makes of the real one.
  template <class Change>
  Mutant MisreadBy(Change) const {
    return JudgedBy([](const isa::Call& call, const emulator::State& state) {
      isa::Call other = call;
      Change{}(other);
      return Real(other, state);
    });
  }
  /// Takes `kProduct` for `kInstead`.
  template <isa::Product kProduct, isa::Product kInstead>
  Mutant ConfusedOn() const {
    return JudgedBy([](const isa::Call& call, const emulator::State& state) {
      return Real(call, Confused(state, kProduct, kInstead));
    });
  }
  /// Reports `kRule` only where a call with `Change` breaks it, too.
  template <isa::CallRule kRule, class Change>
  Mutant WeakenedBy(Change) const {
    return JudgedBy([](const isa::Call& call, const emulator::State& state) {
      isa::Call other = call;
      Change{}(other);
      return Weakened(Real(call, state), call.Rule(kRule),
                      Real(other, state).Contains(call.Rule(kRule)));
    });
  }
  template <isa::CallRule kRule>
  Mutant Without() const {
    return JudgedBy([](const isa::Call& call, const emulator::State& state) {
      return mutants::Without(Real(call, state), call.Rule(kRule));
    });
  }
  /// Reports `kInstead` for `kRule`.
  template <isa::CallRule kRule, isa::CallRule kInstead>
  Mutant Instead() const {
    return JudgedBy([](const isa::Call& call, const emulator::State& state) {
      return mutants::Instead(Real(call, state), call.Rule(kRule),
                              call.Rule(kInstead));
    });
  }
  /// `Change(broken, call, state)` adds what a call breaks that is really
  /// legal.
  template <class Change>
  Mutant StricterBy(Change) const {
    return JudgedBy([](const isa::Call& call, const emulator::State& state) {
      isa::RuleSet broken = Real(call, state);
      if (broken.empty()) Apply(Change{}, broken, call, state);
      return broken;
    });
  }
  /// A legal call breaks `kRule` where `Holds(plan, state)`, of the real plan.
  template <isa::CallRule kRule, class Holds>
  Mutant StricterOn(Holds) const {
    return StricterBy([](isa::RuleSet& broken, const isa::Call& call,
                         const emulator::State& state) {
      const PlanOf<Row> plan = RealPlan<Row>(call, state);
      broken.AddIf(Apply(Holds{}, plan, state, state), call.Rule(kRule));
    });
  }

  /// The real plan, altered by `Change(plan, call, state)`.
  template <class Change>
  Mutant Planned(Change) const {
    return PlantedIn(
        &Row::plan,
        [](const isa::Call& call, const emulator::State& state) {
          PlanOf<Row> plan = RealPlan<Row>(call, state);
          Apply(Change{}, plan, call, state);
          return plan;
        },
        *this);
  }
  Mutant Written(decltype(Row::write_back) write_back) const {
    return PlantedIn(&Row::write_back, write_back, *this);
  }
  Mutant Computed(decltype(Row::vectors) vectors) const {
    return PlantedIn(&Row::vectors, vectors, *this);
  }
  /// The real vectors of the plan that `Change(plan, ub)` makes of the real
  /// one.
  template <class Change>
  Mutant ComputedFrom(Change) const {
    return Computed([](const PlanOf<Row>& plan, std::span<std::uint8_t> ub) {
      PlanOf<Row> other = plan;
      Apply(Change{}, other, ub, ub);
      return RealVectors<Row>(other, ub);
    });
  }
};

/// An instruction of a family with only one row of seams for all, and a label
/// of one of its mutants.
template <class Row>
struct OnlyRow {
  struct RowsLabel : RowLabel<RowsLabel, Row> {};

  const isa::Signature& signature;

  RowsLabel operator()(std::string_view name, isa::RuleId rule,
                       std::string_view defect,
                       std::string_view modelled_on = {}) const {
    return {{{name, rule, defect, modelled_on, &signature}}};
  }
  RowsLabel operator()(std::string_view name, isa::CallRule rule,
                       std::string_view defect,
                       std::string_view modelled_on = {}) const {
    return (*this)(name, signature.Rule(rule), defect, modelled_on);
  }
};
inline constexpr OnlyRow<emulator::DataCopySeams> kCopyRow{
    isa::kCopyRows.front()};
inline constexpr OnlyRow<emulator::DataCopySeams> kPadRow{
    isa::kCopyRows.back()};
inline constexpr OnlyRow<emulator::VecTransSeams> kTransposeRow{
    isa::kTransposeRows.front()};
inline constexpr OnlyRow<emulator::BrcbSeams> kBroadcastRow{
    isa::kBroadcastRows.front()};
inline constexpr OnlyRow<emulator::TrowprodSeams> kTileRow{
    isa::kTileRows.front()};

// ---- The tables that `Mutants()` joins, by instruction and kind of seam -----

Table ProgramSteps();
Table FlagSteps();

Table Reductions();
Table Lanewise();

Table DataCopyLegality();
Table DataCopyOverlaps();
Table DataCopyPlans();
Table DataCopyKernels();
Table DataCopyWriteBacks();
Table DataCopyVectorKernels();
Table PaddedCopies();

Table TrowprodLegality();
Table TrowprodPlans();
Table TrowprodOrders();
Table TrowprodArithmetic();
Table TrowprodWriteBacks();
Table TrowprodVectorKernels();

Table Broadcasts();

Table VecTransLegality();
Table VecTransPlans();
Table VecTransKernels();
Table VecTransWriteBacks();
Table VecTransVectorKernels();

}  // namespace lanediff::mutants
