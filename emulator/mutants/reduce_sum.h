#pragma once

#include <algorithm>
#include <cctype>
#include <cstdint>
#include <string>
#include <string_view>

#include "emulator/address.h"
#include "emulator/mutants/plant.h"
#include "emulator/reduce_sum.h"

/// What the mutants of sums are made with: each is planted once and made for
/// every row of isa::kReductionRows that can have it.
namespace lanediff::mutants::reductions {

using emulator::ElementBytes;
using emulator::LaneMask;
using emulator::State;
using isa::Call;
using isa::DType;
using isa::Param;
using isa::RuleSet;
using Plan = emulator::ReduceSumPlan;
using enum isa::CallRule;

/// A label of a mutant of one row, and ways to plant it in kernels.
struct SumLabel : RowLabel<SumLabel, emulator::ReduceSumSeams> {
  Mutant OfHalf(emulator::ReduceSumKernel kernel) const {
    return PlantedIn(&emulator::ReduceSumSeams::half_kernel, kernel, *this);
  }
  Mutant OfIndex(emulator::ReduceSumKernel index) const {
    return PlantedIn(&emulator::ReduceSumSeams::index, index, *this);
  }
  Mutant OfFloat(emulator::ReduceSumKernel kernel) const {
    return PlantedIn(&emulator::ReduceSumSeams::float_kernel, kernel, *this);
  }
};

/// The row that mutants are made for.
struct SumRow {
  const isa::Signature& signature;

  /// Its mask may be two words, as that of all but RepeatReduceSum.
  bool whole() const { return signature.Has(Param::kMaskWords); }
  /// Several results an iteration.
  bool groups() const { return signature.group != isa::Group::kIteration; }
  /// Values with the numbers of their lanes.
  bool orders() const { return signature.Has(Param::kReduceOrder); }
  /// More lanes in a result than a node has.
  bool trees() const { return signature.group != isa::Group::kPair; }
  emulator::Reduction reduction() const {
    return RealPlan<emulator::ReduceSumSeams>(isa::CallOf(signature), State())
        .reduction;
  }
  bool sums() const { return reduction() == emulator::Reduction::kSum; }
  /// What its results are by.
  isa::CallRule value() const { return sums() ? kTree : kValue; }
  /// "wrs-": how the names of its rules begin.
  std::string prefix() const {
    std::string text(signature.Rule(kProduct).text());
    text.resize(text.size() - std::string_view("PRODUCT").size());
    std::ranges::transform(text, text.begin(), [](char c) {
      return static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
    });
    return text;
  }

  SumLabel operator()(std::string_view name, isa::RuleId rule,
                      std::string_view defect,
                      std::string_view modelled_on = {}) const {
    const std::string full = prefix() + std::string(name);
    return {{{Kept(full), rule, defect, modelled_on, &signature}}};
  }
  SumLabel operator()(std::string_view name, isa::CallRule rule,
                      std::string_view defect,
                      std::string_view modelled_on = {}) const {
    return (*this)(name, signature.Rule(rule), defect, modelled_on);
  }
};

/// All results of an iteration of `c`.
inline std::int64_t ResultBytes(const Call& c) {
  return RealPlan<emulator::ReduceSumSeams>(c, State()).result_bytes();
}

/// How many lanes `c` names by their number; 0 where it doesn't.
inline std::int64_t FirstLanesOf(const Call& c) {
  return c.is_set_mask && c.Has(Param::kMask) ? c[Param::kMask] : 0;
}

Table Overlaps(const SumRow& row);
Table Legality(const SumRow& row);
Table Plans(const SumRow& row);
Table Kernels(const SumRow& row);
Table WriteBacks(const SumRow& row);
Table VectorKernels(const SumRow& row);

}  // namespace lanediff::mutants::reductions
