#pragma once

#include <concepts>
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
  /// Of mutants of calls that have one.
  const isa::Signature* signature = isa::kLanewiseRows.data();
};

/// `text` for as long as the program runs: where the parts of a name are known
/// but not the name.
inline std::string_view Kept(std::string text) {
  static std::deque<std::string> all;
  return all.emplace_back(std::move(text));
}

/// Stands for calls of reductions where isa::Call stands for lane-wise ones.
struct Reduction {};
/// The type of calls of `Kind`.
template <class Kind>
using CallOf =
    std::conditional_t<std::same_as<Kind, Reduction>, isa::Call, Kind>;

/// The row of seams for `Kind`, of calls with a signature for that instruction.
template <class Kind>
auto& RowIn(auto& seams, const isa::Signature& signature) {
  if constexpr (std::same_as<Kind, Reduction>) {
    return emulator::ReductionIn(seams, signature);
  } else if constexpr (std::same_as<Kind, isa::Call>) {
    return emulator::LanewiseIn(seams, signature);
  } else {
    return emulator::RowIn(seams, Kind());
  }
}

/// The real emulator, labelled as a mutant.
inline Mutant Labelled(std::string_view slug, const Label& label) {
  return {.name = label.name,
          .slug = slug,
          .rule = label.rule,
          .defect = label.defect,
          .modelled_on = label.modelled_on,
          .seams = {}};
}

/// A plain row of seams for `Kind`, and the types of such a row and its plan.
/// All rows of a family have legality and plan in common.
template <class Kind>
const auto& PlainRow() {
  static const emulator::Seams plain;
  return RowIn<Kind>(plain, std::same_as<Kind, Reduction>
                                ? isa::kReductionRows.front()
                                : isa::kLanewiseRows.front());
}
template <class Kind>
using RowOf = std::remove_cvref_t<decltype(PlainRow<Kind>())>;
template <class Kind>
using PlanOf = decltype(PlainRow<Kind>().plan(
    std::declval<const CallOf<Kind>&>(), std::declval<emulator::State>()));

/// The real emulator with `seam` of the row of `Kind` replaced; no mutant
/// without a name.
template <class Kind, class Row, class Seam>
Mutant PlantedIn(Seam Row::* seam, std::type_identity_t<Seam> replacement,
                 const Label& label) {
  if (label.name.empty()) return {};
  std::string_view slug = label.signature->slug;
  if constexpr (requires { Kind::kSlug; }) slug = Kind::kSlug;
  Mutant mutant = Labelled(slug, label);
  RowIn<Kind>(mutant.seams, *label.signature).*seam = replacement;
  return mutant;
}

/// `change(first, ...)` with as many of the arguments as it takes.
template <class Change, class First>
void Apply(Change change, First& first, const auto& second, const auto& third) {
  if constexpr (std::invocable<Change, First&>) {
    change(first);
  } else if constexpr (std::invocable<Change, First&, decltype(second)>) {
    change(first, second);
  } else {
    change(first, second, third);
  }
}

/// The real plan, altered by `Change(plan, call, state)`.
template <class Kind, class Change>
Mutant Planned(const Label& label, Change) {
  return PlantedIn<Kind>(
      &RowOf<Kind>::plan,
      [](const CallOf<Kind>& call, const emulator::State& state) {
        PlanOf<Kind> plan = PlainRow<Kind>().plan(call, state);
        Apply(Change{}, plan, call, state);
        return plan;
      },
      label);
}

template <class Kind>
Mutant Written(const Label& label,
               decltype(RowOf<Kind>::write_back) write_back) {
  return PlantedIn<Kind>(&RowOf<Kind>::write_back, write_back, label);
}

template <class Kind>
Mutant Computed(const Label& label, decltype(RowOf<Kind>::vectors) vectors) {
  return PlantedIn<Kind>(&RowOf<Kind>::vectors, vectors, label);
}

/// The real vectors, in the place of kernel and write-back; the same for all
/// reductions.
template <class Kind>
emulator::Path RealVectors(const PlanOf<Kind>& plan, auto... memories) {
  const isa::Signature* signature = isa::kReductionRows.data();
  if constexpr (requires { plan.signature; }) signature = plan.signature;
  return RowIn<Kind>(emulator::FastestSeams(), *signature)
      .vectors(plan, memories...);
}

/// The real vectors of the plan that `Change(plan, ub)` makes of the real one.
template <class Kind, class Change>
Mutant ComputedFrom(const Label& label, Change) {
  return Computed<Kind>(
      label, [](const PlanOf<Kind>& plan, std::span<std::uint8_t> ub) {
        PlanOf<Kind> other = plan;
        Apply(Change{}, other, ub, ub);
        return RealVectors<Kind>(other, ub);
      });
}

/// The real emulator with the seam of a step that sets machine state replaced.
template <class Seam>
Mutant PlantedInState(Seam emulator::StateSeams::* seam, const Label& label,
                      std::type_identity_t<Seam> replacement) {
  Mutant mutant = Labelled(kProgramSlug, label);
  mutant.seams.state.*seam = replacement;
  return mutant;
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

// ---- The tables that `Mutants()` joins, by instruction and kind of seam -----

Table ProgramSteps();
Table FlagSteps();

/// Every call that has a row.
Table Reductions();
Table Lanewise();

Table DataCopyLegality();
Table DataCopyOverlaps();
Table DataCopyPlans();
Table DataCopyKernels();
Table DataCopyWriteBacks();
Table DataCopyVectorKernels();

Table TrowprodLegality();
Table TrowprodPlans();
Table TrowprodOrders();
Table TrowprodArithmetic();
Table TrowprodWriteBacks();
Table TrowprodVectorKernels();

Table VecTransLegality();
Table VecTransPlans();
Table VecTransKernels();
Table VecTransWriteBacks();
Table VecTransVectorKernels();

}  // namespace lanediff::mutants
