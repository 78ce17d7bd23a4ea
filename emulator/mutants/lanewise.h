#pragma once

#include <algorithm>
#include <array>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <type_traits>

#include "emulator/address.h"
#include "emulator/lanewise.h"
#include "emulator/lanewise_limits.h"
#include "emulator/mutants/plant.h"

/// What the mutants of lane-wise calls are made with: each is planted once and
/// made for every row of isa::kLanewiseRows that can have it.
namespace lanediff::mutants::lanewise {

using emulator::ElementBytes;
using emulator::LaneMask;
using emulator::State;
using emulator::VectorOperand;
using isa::Call;
using isa::DType;
using isa::Param;
using isa::RuleSet;
using Plan = emulator::LanewisePlan;
using Result = emulator::LanewiseResult;
using Ub = std::span<std::uint8_t>;
using enum isa::CallRule;

/// Elements as kernels compute with them: halves and floats are bits.
using H = std::uint16_t;
using F = std::uint32_t;
using Int16 = std::int16_t;
using Int32 = std::int32_t;

template <class T>
inline constexpr DType kTypeOf = std::same_as<T, H>       ? DType::kHalf
                                 : std::same_as<T, F>     ? DType::kFloat
                                 : std::same_as<T, Int16> ? DType::kInt16
                                                          : DType::kInt32;

/// The plain seams of an instruction.
inline const emulator::LanewiseSeams& PlainSeams(const isa::Signature& row) {
  return emulator::kLanewise[isa::PlaceOf(row)];
}

/// The place of dst among the elements of a lane.
inline std::size_t DstPlace(const isa::Signature& row) {
  return row.sources() + (row.Has(Param::kScalar) ? 1 : 0);
}

/// What a kernel computes one lane from.
template <class T>
struct Lane {
  const Plan& plan;
  /// Of each source, then the scalar, then of dst where that is read.
  std::array<T, Call::kMostOperands> elements;
  std::int64_t number = 0;  ///< of the lane, from the first iteration on

  T operator[](std::size_t i) const { return elements[i]; }
  /// What the real instruction gives.
  T Real() const { return Real(plan.saturation); }
  T Real(bool saturation) const {
    Plan one = plan;
    one.dtype = kTypeOf<T>;
    one.saturation = saturation;
    constexpr auto kLanes = static_cast<std::int64_t>(256 / sizeof(T));
    const std::int64_t r = number / kLanes;
    one.iterations = r + 1;
    one.last_lanes = LaneMask::First(number % kLanes + 1);
    std::array<std::uint8_t, sizeof(elements)> ub;
    const std::size_t sources = plan.signature->sources();
    for (std::size_t i = 0; i < sources; ++i) {
      one.src(i) = {.at = static_cast<std::int64_t>(i * sizeof(T))};
      emulator::Store(std::span<std::uint8_t>(ub), one.src(i).at, elements[i]);
    }
    one.scalar = static_cast<std::make_unsigned_t<T>>(elements[sources]);
    if (plan.signature->ReadsDst()) {
      one.dst() = {.at = 3 * sizeof(T)};
      emulator::Store(std::span<std::uint8_t>(ub), one.dst().at,
                      elements[DstPlace(*plan.signature)]);
    }
    Result result;
    PlainSeams(*plan.signature).KernelOf(kTypeOf<T>)(one, r, ub, result);
    return emulator::Load<T>(result, number % kLanes * sizeof(T));
  }
  /// The lane with its elements converted.
  template <class U>
  Lane<U> As(auto convert) const {
    Lane<U> other{plan, {}, number};
    std::ranges::transform(elements, other.elements.begin(), convert);
    return other;
  }
};

/// A label of a mutant of one row, and a way to plant it in kernels.
struct LaneLabel : RowLabel<LaneLabel, emulator::LanewiseSeams> {
  /// A kernel that puts `Value(lane)` into each lane of elements of type T, if
  /// the instruction has the type.
  template <class T, class Value>
  Mutant Of(Value) const {
    emulator::LanewiseSeams seams = PlainSeams(*signature);
    auto& kernel = seams.KernelOf(kTypeOf<T>);
    if (kernel == nullptr) return {};
    kernel = [](const Plan& plan, std::int64_t r,
                std::span<const std::uint8_t> ub, Result& result) {
      constexpr int kPerBlock = 32 / sizeof(T);
      const std::size_t sources = plan.signature->sources();
      for (int n = 0; n < kPerBlock * 8; ++n) {
        if (plan.LanesOf(r).Slice(n, 1) == 0) continue;
        const int block = n / kPerBlock;
        const auto byte = n % kPerBlock * static_cast<int>(sizeof(T));
        Lane<T> lane{plan, {}};
        if (plan.signature->NumbersLanes()) lane.number = r * kPerBlock * 8 + n;
        for (std::size_t i = 0; i < sources; ++i) {
          lane.elements[i] =
              emulator::Load<T>(ub, plan.src(i).BlockAt(r, block) + byte);
        }
        lane.elements[sources] = static_cast<T>(plan.scalar);
        if (plan.signature->ReadsDst()) {
          lane.elements[DstPlace(*plan.signature)] =
              emulator::Load<T>(ub, plan.dst().BlockAt(r, block) + byte);
        }
        emulator::Store(std::span<std::uint8_t>(result), block * 32 + byte,
                        static_cast<T>(Value{}(lane)));
      }
    };
    return PlantedIn(&emulator::LanewiseSeams::kernels, seams.kernels, *this);
  }
};

/// The row that mutants are made for.
struct LaneRow {
  const isa::Signature& signature;
  std::string_view value;  ///< what emulator/lanewise.inc states it computes

  bool two_sources() const { return signature.sources() == 2; }
  bool has_count() const { return signature.Has(Param::kCount); }
  bool has_source() const { return signature.sources() != 0; }
  bool reads_dst() const { return signature.ReadsDst(); }
  /// Whether src1 may be what earlier iterations wrote.
  bool rereads() const {
    return !emulator::kLanewiseLimits[isa::PlaceOf(signature)].in_place.empty();
  }
  /// Whether some product has the type.
  bool Has(DType type) const {
    return emulator::kLanewiseLimits[isa::PlaceOf(signature)].OnAny().Has(type);
  }
  /// How many elements a lane is computed from.
  std::size_t elements() const {
    return DstPlace(signature) + (reads_dst() ? 1 : 0);
  }
  bool GivesOneOfTwo() const { return value.starts_with("OneOfTwo<"); }
  bool GivesResultOfTwo() const { return value.starts_with("ResultOfTwo<"); }
  bool GivesMagnitude() const { return value == "Magnitude"; }
  /// Bits that no mode and no type changes.
  bool GivesBits() const {
    return value.starts_with("BitsOfTwo<") || value == "Complement" ||
           value == "Copy" || Shifts() || Packs() || Selects();
  }
  bool Counts() const { return value == "Counted"; }
  bool Packs() const { return value == "Compared"; }
  bool by_register() const { return signature.Has(Param::kIsSetMask); }
  bool Selects() const { return value == "Selected"; }
  bool Shifts() const { return value.ends_with("Shifted"); }
  bool GivesTwoResults() const { return value.find("OnProduct") != value.npos; }
  bool GivesPositive() const {
    return value.starts_with("AgainstZero<") || GivesRectified() ||
           value == "PositiveOnProduct";
  }
  bool GivesRectified() const { return value.starts_with("Rectified<"); }
  bool Converts() const { return signature.Converts(); }
  /// Whether some result depends on saturation mode: int8 saturates in either.
  bool Saturates() const { return !GivesBits() && signature.op != "MulCast"; }
  bool HasModes() const { return signature.Has(Param::kRoundMode); }
  /// Results that no document determines to the last bit.
  bool GivesNearly() const { return value.starts_with("Nearly<"); }
  /// Of these `Function`; "Nearly<Root>".
  bool IsNearly(std::string_view function) const {
    return GivesNearly() && value.substr(7, value.size() - 8) == function;
  }

  /// "src0" in name and defect is the first source, whatever the row calls it.
  LaneLabel operator()(std::string_view name, isa::RuleId rule,
                       std::string_view defect,
                       std::string_view modelled_on = {}) const;
  LaneLabel operator()(std::string_view name, isa::CallRule rule,
                       std::string_view defect,
                       std::string_view modelled_on = {}) const {
    return (*this)(name, signature.Rule(rule), defect, modelled_on);
  }
};

Table Legality(const LaneRow& row);
Table Overlaps(const LaneRow& row);
Table Plans(const LaneRow& row);
Table Kernels(const LaneRow& row);
Table ResultKernels(const LaneRow& row);
Table WriteBacks(const LaneRow& row);

}  // namespace lanediff::mutants::lanewise
