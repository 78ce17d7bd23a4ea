// Sums: seams of write-back.

#include <array>

#include "emulator/address.h"
#include "emulator/mutants/reduce_sum.h"

namespace lanediff::mutants {
namespace {

using isa::DType;
using Plan = emulator::ReduceSumPlan;
using Ub = std::span<std::uint8_t>;

template <class Call>
Mutant Written(const Label& label, emulator::ReduceSumWriteBack write_back) {
  return PlantedIn<Call>(&emulator::ReduceSumSeams<Call>::write_back,
                         write_back, label);
}

void WriteReal(const Plan& plan, std::int64_t r, std::uint32_t bits, Ub ub) {
  emulator::WriteSum(plan, r, bits, ub);
}

template <class Call>
Table WriteBacks() {
  using rule = ReduceSumRules<Call>;
  return {
      Written<Call>(
          {"passed-through-not-saturated", isa::state::kSaturation,
           "writes an infinity that met no arithmetic as it is"},
          [](const Plan& p, std::int64_t r, std::uint32_t bits, Ub ub) {
            Plan plain = p;
            plain.saturation = false;
            WriteReal(plain, r, bits, ub);
          }),
      Written<Call>(
          {"writes-whole-block", rule::kAddress,
           "clears the rest of the DataBlock behind the element",
           "a store of the whole register"},
          [](const Plan& p, std::int64_t r, std::uint32_t bits, Ub ub) {
            const std::int64_t at = p.dst + r * p.dst_repeat_stride;
            const std::int64_t rest = 32 - at % 32;
            std::array<std::uint8_t, 32> zeros{};
            emulator::StoreBytes(
                ub, at, std::span(zeros).first(static_cast<std::size_t>(rest)));
            WriteReal(p, r, bits, ub);
          }),
      Written<Call>(
          {"half-written-as-32-bits", rule::kAddress,
           "writes four bytes for a half"},
          [](const Plan& p, std::int64_t r, std::uint32_t bits, Ub ub) {
            WriteReal(p, r, bits, ub);
            const std::int64_t at = p.dst + r * p.dst_repeat_stride;
            if (p.dtype == DType::kHalf) {
              emulator::Store(ub, at + 2, std::uint16_t{0});
            }
          }),
      Written<Call>(
          {"byte-before-written", rule::kAddress,
           "changes the byte before the element"},
          [](const Plan& p, std::int64_t r, std::uint32_t bits, Ub ub) {
            const std::int64_t at = p.dst + r * p.dst_repeat_stride;
            const auto old = emulator::Load<std::uint8_t>(ub, at - 1);
            emulator::Store(ub, at - 1, static_cast<std::uint8_t>(~old));
            WriteReal(p, r, bits, ub);
          }),
      Written<Call>(
          {"nan-keeps-dst", isa::arith::kNan,
           "leaves what dst held where the sum is NaN",
           "a blend on an ordered comparison"},
          [](const Plan& p, std::int64_t r, std::uint32_t bits, Ub ub) {
            const bool half = p.dtype == DType::kHalf;
            const std::uint32_t infinity = half ? 0x7c00u : 0x7f800000u;
            const std::uint32_t magnitude = half ? 0x7fffu : 0x7fffffffu;
            if ((bits & magnitude) <= infinity) WriteReal(p, r, bits, ub);
          }),
  };
}

}  // namespace

Table ReduceSumWriteBacks() {
  return OfBothReduceSums([]<class Call>() { return WriteBacks<Call>(); });
}

}  // namespace lanediff::mutants
