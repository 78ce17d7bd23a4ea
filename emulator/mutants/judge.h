#pragma once

#include "emulator/mutants/plant.h"

/// Mutants that judge calls otherwise than the real emulator does.
namespace lanediff::mutants {

/// The real verdict.
template <class Call>
isa::RuleSet Real(const Call& call, const emulator::State& state) {
  return PlainRow(call).legality(call, state);
}

/// A mutant that judges by `legality`.
template <class Call>
Mutant JudgedBy(const Label& label,
                isa::RuleSet (*legality)(const Call&, const emulator::State&)) {
  return PlantedIn<Call>(&RowOf<Call>::legality, legality, label);
}

/// A mutant that judges the call that `Change(call)` makes of the real one.
template <class Call, class Change>
Mutant MisreadBy(const Label& label, Change) {
  return JudgedBy<Call>(label,
                        [](const Call& call, const emulator::State& state) {
                          Call other = call;
                          Change{}(other);
                          return Real(other, state);
                        });
}

/// A mutant that takes `kProduct` for `kInstead`.
template <class Call, isa::Product kProduct, isa::Product kInstead>
Mutant ConfusedOn(const Label& label) {
  return JudgedBy<Call>(
      label, [](const Call& call, const emulator::State& state) {
        return Real(call, Confused(state, kProduct, kInstead));
      });
}

/// A mutant for which `Change(broken, call, state)` adds what a call breaks
/// that is really legal.
template <class Call, class Change>
Mutant StricterBy(const Label& label, Change) {
  return JudgedBy<Call>(label,
                        [](const Call& call, const emulator::State& state) {
                          isa::RuleSet broken = Real(call, state);
                          if (broken.empty())
                            Apply(Change{}, broken, call, state);
                          return broken;
                        });
}

/// The same by `Change(broken, plan, state)`, with the real plan.
template <class Call, class Change>
Mutant StricterOn(const Label& label, Change) {
  return StricterBy<Call>(label, [](isa::RuleSet& broken, const Call& call,
                                    const emulator::State& state) {
    Apply(Change{}, broken, PlainRow(call).plan(call, state), state);
  });
}

}  // namespace lanediff::mutants
