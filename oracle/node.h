#pragma once

#include <cstdint>
#include <string>

#include "isa/vocabulary.h"

/// Single nodes of half, float, int16 or int32. Floating types: the
/// exact value of one operation, rounded once to nearest even (ARITH-ROUND),
/// subnormals kept (ARITH-SUBNORMAL), signs of zero as in IEEE 754
/// (ARITH-ZERO-SIGN), NaN in gives NaN out (ARITH-NAN), and for half the
/// saturation mode (STATE-SATURATION). Integers: the exact value, and what the
/// mode makes of it where it does not fit the type (*-INTEGER-OVERFLOW).
namespace lanediff::oracle {

/// A node's result and how it came about.
struct NodeResult {
  std::uint64_t bits = 0;  ///< of the node's type, zero above its width
  bool rounded = false;    ///< a floating type lacks the exact value
  bool tie = false;        ///< it lay exactly between two neighbours
  bool saturated = false;  ///< kept at the type's end, or NaN made +0
  bool wrapped = false;    ///< an integer's low bits, the others cut off
  /// Correctly rounded, which no document requires.
  bool open = false;

  bool operator==(const NodeResult&) const = default;
};

/// `left + right`; inputs are bits of `type`. `saturation` is looked at for
/// half and integers.
NodeResult Add(isa::DType type, std::uint64_t left, std::uint64_t right,
               bool saturation);

/// `bits + number`, where `number` is the exact one of a lane and at least 0,
/// whatever `type` holds (CREATE-VEC-INDEX-VALUE).
NodeResult AddNumber(isa::DType type, std::uint64_t bits, std::uint64_t number,
                     bool saturation);

/// `left - right`, of a floating type `left + (-right)` (SUB-VALUE).
NodeResult Subtract(isa::DType type, std::uint64_t left, std::uint64_t right,
                    bool saturation);

/// `left * right`.
NodeResult Multiply(isa::DType type, std::uint64_t left, std::uint64_t right,
                    bool saturation);

/// The smaller value (MIN-VALUE): a NaN if either is one, −0 of two zeros with
/// different signs; for half what saturation makes of it.
NodeResult Minimum(isa::DType type, std::uint64_t left, std::uint64_t right,
                   bool saturation);

/// The larger value (MAX-VALUE), likewise; +0 of two zeros with different
/// signs.
NodeResult Maximum(isa::DType type, std::uint64_t left, std::uint64_t right,
                   bool saturation);

/// The magnitude (ABS-VALUE): +0 of −0, the canonical NaN of every NaN; for
/// half what saturation makes of it.
NodeResult Absolute(isa::DType type, std::uint64_t bits, bool saturation);

/// `left & right`, bit by bit, of an integer type of any width and sign
/// (AND-VALUE).
NodeResult And(isa::DType type, std::uint64_t left, std::uint64_t right,
               bool saturation);
/// `left | right` and `~bits`, likewise (OR-VALUE, NOT-VALUE).
NodeResult Or(isa::DType type, std::uint64_t left, std::uint64_t right,
              bool saturation);
NodeResult Not(isa::DType type, std::uint64_t bits, bool saturation);

/// The larger one of +0 and the value (RELU-VALUE), as of `Maximum`: +0 of −0
/// and of −inf, the canonical NaN of every NaN.
NodeResult Relu(isa::DType type, std::uint64_t bits, bool saturation);

/// `bits * slope`, as of `Multiply`, where the sign bit is set, of −0 too;
/// otherwise as of `Relu` (LEAKY-RELU-VALUE).
NodeResult LeakyRelu(isa::DType type, std::uint64_t bits, std::uint64_t slope,
                     bool saturation);

/// The result of `Add` or `Subtract`, rounded and saturated or wrapped, and
/// then +0 of −0 and of what is below (ADD-RELU-VALUE, SUB-RELU-VALUE). A sum
/// replaced by +0 is neither rounded nor saturated.
NodeResult AddRelu(isa::DType type, std::uint64_t left, std::uint64_t right,
                   bool saturation);
NodeResult SubRelu(isa::DType type, std::uint64_t left, std::uint64_t right,
                   bool saturation);

/// `bits` moved by `by` bits, of an integer type of 16 or 32 bits: to the left,
/// where the sign bit of signed types stays (SHIFT-LEFT-VALUE), or to the
/// right, where their sign fills up; with `round` the last bit that left them
/// is added (SHIFT-RIGHT-VALUE).
NodeResult ShiftLeft(isa::DType type, std::uint64_t bits, std::uint64_t by);
NodeResult ShiftRight(isa::DType type, std::uint64_t bits, std::uint64_t by,
                      bool round);

/// The sum of `term` and the product of the others, each as of `Multiply` and
/// `Add` (MUL-ADD-DST-VALUE); the flags are those of both. Integers may be
/// unsigned, too.
NodeResult MultiplyAdd(isa::DType type, std::uint64_t left, std::uint64_t right,
                       std::uint64_t term, bool saturation);
/// And then +0 of −0 and of what is below (MUL-ADD-RELU-VALUE).
NodeResult MultiplyAddRelu(isa::DType type, std::uint64_t left,
                           std::uint64_t right, std::uint64_t term,
                           bool saturation);

/// Whether `left` and `right` are in the relation `mode`, 1 or 0: of a NaN
/// none, not even unequal (COMPARE-VALUE). Integers may be unsigned, too.
NodeResult Compare(isa::DType type, isa::CmpMode mode, std::uint64_t left,
                   std::uint64_t right);
/// The function's value (EXP-VALUE …), correctly rounded, and `open` where
/// neither an operand nor the result is a special value.
NodeResult Exp(isa::DType type, std::uint64_t bits, bool saturation);
NodeResult Ln(isa::DType type, std::uint64_t bits, bool saturation);
NodeResult Sqrt(isa::DType type, std::uint64_t bits, bool saturation);
NodeResult Rsqrt(isa::DType type, std::uint64_t bits, bool saturation);
NodeResult Reciprocal(isa::DType type, std::uint64_t bits, bool saturation);
/// `left / right` (DIV-VALUE), likewise.
NodeResult Divide(isa::DType type, std::uint64_t left, std::uint64_t right,
                  bool saturation);

/// What an instruction writes for a value that met no arithmetic: for half in
/// saturation mode ±inf becomes ±65504 and NaN +0; otherwise `bits` themselves.
NodeResult Write(isa::DType type, std::uint64_t bits, bool saturation);

/// The value of `bits`, of type `from`, as a value of `to`: held in integers
/// and rounded once to nearest even (ARITH-ROUND); both types are half or
/// float. What is too large becomes infinity, a NaN the canonical one;
/// saturation mode is left to `Write`.
NodeResult Convert(isa::DType from, isa::DType to, std::uint64_t bits);

/// The exact value in decimal: no exponent, no rounding; "nan", "inf", "-inf".
std::string ExactAdd(isa::DType type, std::uint64_t left, std::uint64_t right);
std::string ExactAddNumber(isa::DType type, std::uint64_t bits,
                           std::uint64_t number);
std::string ExactSubtract(isa::DType type, std::uint64_t left,
                          std::uint64_t right);
std::string ExactMultiply(isa::DType type, std::uint64_t left,
                          std::uint64_t right);
std::string ExactMinimum(isa::DType type, std::uint64_t left,
                         std::uint64_t right);
std::string ExactMaximum(isa::DType type, std::uint64_t left,
                         std::uint64_t right);
std::string ExactAbsolute(isa::DType type, std::uint64_t bits);
std::string ExactRelu(isa::DType type, std::uint64_t bits);
std::string ExactLeakyRelu(isa::DType type, std::uint64_t bits,
                           std::uint64_t slope);
std::string ExactAddRelu(isa::DType type, std::uint64_t left,
                         std::uint64_t right);
std::string ExactSubRelu(isa::DType type, std::uint64_t left,
                         std::uint64_t right);
std::string ExactMultiplyAdd(isa::DType type, std::uint64_t left,
                             std::uint64_t right, std::uint64_t term);
std::string ExactMultiplyAddRelu(isa::DType type, std::uint64_t left,
                                 std::uint64_t right, std::uint64_t term);
/// Of functions 40 digits, "…" behind them where there are more.
std::string ExactExp(isa::DType type, std::uint64_t bits);
std::string ExactLn(isa::DType type, std::uint64_t bits);
std::string ExactSqrt(isa::DType type, std::uint64_t bits);
std::string ExactRsqrt(isa::DType type, std::uint64_t bits);
std::string ExactReciprocal(isa::DType type, std::uint64_t bits);
std::string ExactDivide(isa::DType type, std::uint64_t left,
                        std::uint64_t right);
/// The value of `bits` itself, of bfloat16, half, float or integers.
std::string ExactValue(isa::DType type, std::uint64_t bits);
/// Of int16 or uint16.
std::string ExactAnd(isa::DType type, std::uint64_t left, std::uint64_t right);
std::string ExactOr(isa::DType type, std::uint64_t left, std::uint64_t right);
std::string ExactNot(isa::DType type, std::uint64_t bits);

}  // namespace lanediff::oracle
