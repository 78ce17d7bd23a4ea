#pragma once

#include <concepts>

#include "emulator/mutants/plant.h"

/// Mutants that judge calls otherwise than the real emulator does.
namespace lanediff::mutants {

/// Where the legality of `Call` stands among the seams, unless others have a
/// row like it.
template <class Call>
struct LegalitySeam;

template <>
struct LegalitySeam<isa::DataCopy> {
  static constexpr auto kRow = &emulator::Seams::data_copy;
  static constexpr auto kSeam = &emulator::DataCopySeams::legality;
};
template <>
struct LegalitySeam<isa::Trowprod> {
  static constexpr auto kRow = &emulator::Seams::trowprod;
  static constexpr auto kSeam = &emulator::TrowprodSeams::legality;
};
template <>
struct LegalitySeam<isa::VecTrans> {
  static constexpr auto kRow = &emulator::Seams::vec_trans;
  static constexpr auto kSeam = &emulator::VecTransSeams::legality;
};

/// The legality of `Call` among `seams`.
template <class Call>
auto& LegalityIn(auto& seams) {
  if constexpr (isa::Elementwise<Call>) {
    return emulator::RowOf<Call>(seams.elementwise).legality;
  } else if constexpr (std::same_as<Call, isa::RepeatReduceSum>) {
    return seams.repeat_reduce_sum.legality;
  } else if constexpr (std::same_as<Call, isa::WholeReduceSum>) {
    return seams.whole_reduce_sum.legality;
  } else {
    using Seam = LegalitySeam<Call>;
    return seams.*Seam::kRow.*Seam::kSeam;
  }
}

/// The real verdict.
template <class Call>
isa::RuleSet Real(const Call& call, const emulator::State& state) {
  static const emulator::Seams real;
  return LegalityIn<Call>(real)(call, state);
}

/// A mutant that judges by `legality`.
template <class Call>
Mutant JudgedBy(const Label& label,
                isa::RuleSet (*legality)(const Call&, const emulator::State&)) {
  Mutant mutant = Labelled(Call::kSlug, Named<Call>(label));
  LegalityIn<Call>(mutant.seams) = legality;
  return mutant;
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

}  // namespace lanediff::mutants
