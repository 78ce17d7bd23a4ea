#pragma once

#include <concepts>

#include "emulator/mutants/plant.h"

/// Mutants that judge calls otherwise than the real emulator does.
namespace lanediff::mutants {

/// The real verdict.
template <class Call>
isa::RuleSet Real(const Call& call, const emulator::State& state) {
  if constexpr (std::same_as<Call, isa::Call>) {
    if (call.signature->family == isa::Family::kReduction) {
      return PlainRow<Reduction>().legality(call, state);
    }
  }
  return PlainRow<Call>().legality(call, state);
}

/// A mutant that judges by `legality`.
template <class Kind>
Mutant JudgedBy(const Label& label,
                isa::RuleSet (*legality)(const CallOf<Kind>&,
                                         const emulator::State&)) {
  return PlantedIn<Kind>(&RowOf<Kind>::legality, legality, label);
}

/// A mutant that judges the call that `Change(call)` makes of the real one.
template <class Kind, class Change>
Mutant MisreadBy(const Label& label, Change) {
  return JudgedBy<Kind>(
      label, [](const CallOf<Kind>& call, const emulator::State& state) {
        CallOf<Kind> other = call;
        Change{}(other);
        return Real(other, state);
      });
}

/// A mutant that takes `kProduct` for `kInstead`.
template <class Kind, isa::Product kProduct, isa::Product kInstead>
Mutant ConfusedOn(const Label& label) {
  return JudgedBy<Kind>(
      label, [](const CallOf<Kind>& call, const emulator::State& state) {
        return Real(call, Confused(state, kProduct, kInstead));
      });
}

/// A mutant for which `Change(broken, call, state)` adds what a call breaks
/// that is really legal.
template <class Kind, class Change>
Mutant StricterBy(const Label& label, Change) {
  return JudgedBy<Kind>(
      label, [](const CallOf<Kind>& call, const emulator::State& state) {
        isa::RuleSet broken = Real(call, state);
        if (broken.empty()) Apply(Change{}, broken, call, state);
        return broken;
      });
}

/// The same by `Change(broken, plan, state)`, with the real plan.
template <class Kind, class Change>
Mutant StricterOn(const Label& label, Change) {
  return StricterBy<Kind>(
      label, [](isa::RuleSet& broken, const CallOf<Kind>& call,
                const emulator::State& state) {
        Apply(Change{}, broken, PlainRow<Kind>().plan(call, state), state);
      });
}

/// A label of a mutant of one row, and ways to plant the defect. `Self` is what
/// the row's family makes of it.
template <class Self, class Kind>
struct RowLabel : Label {
  /// The same, or of no mutant.
  Self Where(bool condition) const {
    Self other = static_cast<const Self&>(*this);
    if (!condition) other.name = {};
    return other;
  }

  Mutant JudgedBy(auto legality) const {
    return mutants::JudgedBy<Kind>(*this, legality);
  }
  Mutant MisreadBy(auto change) const {
    return mutants::MisreadBy<Kind>(*this, change);
  }
  template <isa::Product kProduct, isa::Product kInstead>
  Mutant ConfusedOn() const {
    return mutants::ConfusedOn<Kind, kProduct, kInstead>(*this);
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
  Mutant StricterBy(auto change) const {
    return mutants::StricterBy<Kind>(*this, change);
  }
  Mutant Planned(auto change) const {
    return mutants::Planned<Kind>(*this, change);
  }
  Mutant Written(auto write_back) const {
    return mutants::Written<Kind>(*this, write_back);
  }
  Mutant Computed(auto vectors) const {
    return mutants::Computed<Kind>(*this, vectors);
  }
  Mutant ComputedFrom(auto change) const {
    return mutants::ComputedFrom<Kind>(*this, change);
  }
};

}  // namespace lanediff::mutants
