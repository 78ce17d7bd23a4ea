#pragma once

#include "mutants/plant.h"

/// Mutants that judge calls otherwise than the real emulator does.
namespace lanediff::mutants {

/// Where the legality of `Call` stands among the seams.
template <class Call>
struct LegalitySeam;

template <>
struct LegalitySeam<isa::RepeatReduceSum> {
  static constexpr auto kRow = &emulator::Seams::repeat_reduce_sum;
  static constexpr auto kSeam = &emulator::RepeatReduceSumSeams::legality;
};
template <>
struct LegalitySeam<isa::Min> {
  static constexpr auto kRow = &emulator::Seams::min;
  static constexpr auto kSeam = &emulator::MinSeams::legality;
};
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

/// The real verdict.
template <class Call>
isa::RuleSet Real(const Call& call, const emulator::State& state) {
  using Seam = LegalitySeam<Call>;
  static const emulator::Seams real;
  return (real.*Seam::kRow.*Seam::kSeam)(call, state);
}

/// A mutant that judges by `legality`.
template <class Call>
Mutant JudgedBy(const Label& label,
                isa::RuleSet (*legality)(const Call&, const emulator::State&)) {
  using Seam = LegalitySeam<Call>;
  return Plant(Call::kRoom, Seam::kRow, Seam::kSeam, legality, label);
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
