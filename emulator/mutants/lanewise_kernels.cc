// Lane-wise calls: kernels that are wrong in special values, and those that
// compare in another way.

#include "emulator/mutants/floats.h"
#include "emulator/mutants/lanewise.h"

namespace lanediff::mutants::lanewise {
namespace {

using emulator::FloatToHalf;
using emulator::HalfToFloat;

Table Halves(const LaneRow& row) {
  return {
      row("half-not-saturated", isa::state::kSaturation,
          "leaves infinities and NaN as they are")
          .Of<H>([](const Lane<H>& v) { return v.Real(false); }),
      row("half-saturates-upward-only", isa::state::kSaturation,
          "leaves -inf as it is", "a clamp with one bound")
          .Where(!row.GivesMagnitude() && !row.GivesPositive() &&
                 !row.IsNearly("Exponential") && !row.IsNearly("Root"))
          .Of<H>([](const Lane<H>& v) {
            const H value = v.Real(false);
            return value == 0xfc00u ? value : v.Real();
          }),
      row("half-nan-becomes-bound", isa::state::kSaturation,
          "makes NaN 65504 in saturation mode")
          .Of<H>([](const Lane<H>& v) {
            return v.plan.saturation && IsNan(v.Real(false))
                       ? emulator::kHalfMax
                       : v.Real();
          }),
      row("half-subnormals-flushed", isa::arith::kSubnormal,
          "makes subnormal halves zero",
          "halves widened by hardware with DAZ set")
          .Where(!row.IsNearly("Exponential") && !row.IsNearly("Root"))
          .Of<H>([](const Lane<H>& v) { return v.As<H>(FlushedHalf).Real(); }),
      row("half-nan-dropped", isa::arith::kNan,
          "gives the number where the other operand is NaN",
          "fminf() and minimumNumber")
          .Where(row.elements() == 2)
          .Of<H>([](const Lane<H>& v) {
            if (IsNan(v[0])) return Saturated(v[1], v.plan.saturation);
            return IsNan(v[1]) ? Saturated(v[0], v.plan.saturation) : v.Real();
          }),
  };
}

Table Floats(const LaneRow& row) {
  return {
      row("float-nan-dropped", isa::arith::kNan,
          "gives the number where the other operand is NaN",
          "fminf() and minimumNumber")
          .Where(row.elements() == 2)
          .Of<F>([](const Lane<F>& v) {
            if (IsNan(v[0])) return v[1];
            return IsNan(v[1]) ? v[0] : v.Real();
          }),
      row("float-nan-second-operand", isa::arith::kNan,
          "gives the second operand where either is NaN",
          "the MINPS instruction")
          .Where(row.elements() == 2)
          .Of<F>([](const Lane<F>& v) {
            return IsNan(v[0]) || IsNan(v[1]) ? v[1] : v.Real();
          }),
      row("float-subnormals-flushed", isa::arith::kSubnormal,
          "makes subnormal floats zero", "FTZ and DAZ mode")
          .Where(!row.IsNearly("Exponential") && !row.IsNearly("Root"))
          .Of<F>([](const Lane<F>& v) { return v.As<F>(FlushedFloat).Real(); }),
      row("float-saturated", isa::state::kSaturation,
          "makes an infinite float the largest finite one",
          "saturation mode applied to every type")
          .Of<F>([](const Lane<F>& v) {
            const F value = v.Real();
            const bool infinite = (value & 0x7fffffffu) == 0x7f800000u;
            return v.plan.saturation && infinite ? value - 1 : value;
          }),
  };
}

/// The element that a minimum or maximum gives where `first_less` is their
/// order.
template <class T>
T Chosen(const Lane<T>& v, bool first_less) {
  const bool is_minimum = Lane<T>{v.plan, {0, 1}}.Real() == 0;
  return v[first_less == is_minimum ? 0 : 1];
}

/// Minima and maxima of floating values, otherwise.
Table Comparisons(const LaneRow& row) {
  return {
      row("half-compared-as-integers", kValue,
          "compares halves as signed integers: negative ones the wrong way "
          "round")
          .Of<H>([](const Lane<H>& v) {
            if (IsNan(v[0]) || IsNan(v[1])) return v.Real();
            const bool less =
                static_cast<Int16>(v[0]) < static_cast<Int16>(v[1]);
            return Saturated(Chosen(v, less), v.plan.saturation);
          }),
      row("half-zero-sign-by-order", isa::arith::kZeroSign,
          "gives the first operand of +0 and -0", "a < b ? a : b")
          .Of<H>([](const Lane<H>& v) {
            return ((v[0] | v[1]) & 0x7fffu) == 0 ? v[0] : v.Real();
          }),
      row("float-zero-sign-by-order", isa::arith::kZeroSign,
          "gives the second operand of +0 and -0", "the MINPS instruction")
          .Of<F>([](const Lane<F>& v) {
            return ((v[0] | v[1]) & 0x7fffffffu) == 0 ? v[1] : v.Real();
          }),
      row("float-through-half", isa::arith::kRound,
          "compares floats rounded to half", "a comparison on the 16-bit path")
          .Of<F>([](const Lane<F>& v) {
            const float x = HalfToFloat(FloatToHalf(FloatOf(v[0])));
            const float y = HalfToFloat(FloatToHalf(FloatOf(v[1])));
            if (IsNan(v[0]) || IsNan(v[1]) || x == 0 || y == 0) return v.Real();
            return Chosen(v, !(y < x));
          }),
  };
}

/// Minima and maxima of integers, otherwise.
Table Integers(const LaneRow& row) {
  return {
      row("int16-unsigned", kValue, "compares int16 without sign")
          .Of<Int16>([](const Lane<Int16>& v) {
            return Chosen(v, static_cast<H>(v[0]) < static_cast<H>(v[1]));
          }),
      row("int16-by-difference", kValue,
          "compares int16 by the sign of a difference of 16 bits",
          "a - b < 0, which wraps")
          .Of<Int16>([](const Lane<Int16>& v) {
            return Chosen(v, static_cast<Int16>(v[0] - v[1]) < 0);
          }),
      row("int32-through-float", kValue,
          "compares int32 as floats, which lose the last bits",
          "a vector unit without an integer comparison")
          .Of<Int32>([](const Lane<Int32>& v) {
            return Chosen(
                v, !(static_cast<float>(v[1]) < static_cast<float>(v[0])));
          }),
      row("int32-by-difference", kValue,
          "compares int32 by the sign of a difference of 32 bits",
          "a - b < 0, which wraps")
          .Of<Int32>([](const Lane<Int32>& v) {
            const F difference = static_cast<F>(v[0]) - static_cast<F>(v[1]);
            return Chosen(v, (difference >> 31) != 0);
          }),
      row("int32-max-for-min", kValue, "gives the larger of two int32")
          .Where(row.value == "OneOfTwo<Smaller>")
          .Of<Int32>([](const Lane<Int32>& v) { return std::max(v[0], v[1]); }),
      row("int32-min-for-max", kValue, "gives the smaller of two int32")
          .Where(row.value == "OneOfTwo<Larger>")
          .Of<Int32>([](const Lane<Int32>& v) { return std::min(v[0], v[1]); }),
  };
}

}  // namespace

Table Kernels(const LaneRow& row) {
  if (row.GivesBits() || row.Converts()) return {};
  Table all = Joined(Halves(row), Floats(row));
  return row.GivesOneOfTwo() ? Joined(all, Comparisons(row), Integers(row))
                             : all;
}

}  // namespace lanediff::mutants::lanewise
