// Functions whose values no format holds, by MPFR.

#include <mpfr.h>

#include <algorithm>
#include <cstdint>
#include <optional>
#include <string>

#include "oracle/exact_integer.h"
#include "oracle/format.h"
#include "oracle/node.h"
#include "oracle/rounder.h"

namespace lanediff::oracle {
namespace {

/// A number of MPFR.
class Real {
 public:
  explicit Real(mpfr_prec_t bits) { mpfr_init2(value_, bits); }
  ~Real() { mpfr_clear(value_); }
  Real(const Real&) = delete;
  Real& operator=(const Real&) = delete;
  /// A finite value, which 64 bits hold.
  explicit Real(const Decoded& d) : Real(64) {
    mpfr_set_ui_2exp(value_, d.significand, d.exponent, MPFR_RNDZ);
    if (d.negative) mpfr_neg(value_, value_, MPFR_RNDZ);
  }

  mpfr_ptr get() { return value_; }

 private:
  mpfr_t value_;
};

/// What a function makes of its operands, of one the same twice: cut off behind
/// the last bit of `result`. Whether anything was is returned.
using Function = int (*)(Real& result, Real& left, Real& right);

int OfExp(Real& r, Real& a, Real&) {
  return mpfr_exp(r.get(), a.get(), MPFR_RNDZ);
}
int OfLn(Real& r, Real& a, Real&) {
  return mpfr_log(r.get(), a.get(), MPFR_RNDZ);
}
int OfSqrt(Real& r, Real& a, Real&) {
  return mpfr_sqrt(r.get(), a.get(), MPFR_RNDZ);
}
int OfRsqrt(Real& r, Real& a, Real&) {
  return mpfr_rec_sqrt(r.get(), a.get(), MPFR_RNDZ);
}
int OfReciprocal(Real& r, Real& a, Real&) {
  return mpfr_ui_div(r.get(), 1, a.get(), MPFR_RNDZ);
}
int OfDivide(Real& r, Real& a, Real& b) {
  return mpfr_div(r.get(), a.get(), b.get(), MPFR_RNDZ);
}

bool IsZero(const Decoded& d) {
  return d.kind == Decoded::Kind::kFinite && d.significand == 0;
}
std::uint64_t One(Format format) {
  const int places = format.StoredFraction();
  return Encode(format, false, std::uint64_t{1} << places, -places);
}

/// Special values, which are exact: bits, or nothing.
using Special = std::optional<std::uint64_t>;

/// Of functions that have no negative operands.
Special OfPositive(Format format, const Decoded& d) {
  if (d.IsNan() || (d.negative && !IsZero(d))) return format.CanonicalNan();
  return std::nullopt;
}

Special SpecialExp(Format format, std::uint64_t bits) {
  const Decoded d = Decode(format, bits);
  if (d.IsNan()) return format.CanonicalNan();
  if (d.IsInfinite()) return d.negative ? 0 : format.Infinity(false);
  if (bits == format.Greatest(true)) return 0;
  if (IsZero(d)) return One(format);
  return std::nullopt;
}

Special SpecialLn(Format format, std::uint64_t bits) {
  const Decoded d = Decode(format, bits);
  if (const Special nan = OfPositive(format, d)) return nan;
  if (d.IsInfinite()) return format.Infinity(false);
  if (IsZero(d)) return format.Infinity(true);
  if (bits == One(format)) return 0;
  return std::nullopt;
}

Special SpecialSqrt(Format format, std::uint64_t bits) {
  const Decoded d = Decode(format, bits);
  if (const Special nan = OfPositive(format, d)) return nan;
  if (d.IsInfinite() || IsZero(d)) return bits;
  return std::nullopt;
}

Special SpecialRsqrt(Format format, std::uint64_t bits) {
  const Decoded d = Decode(format, bits);
  if (const Special nan = OfPositive(format, d)) return nan;
  if (d.IsInfinite()) return 0;
  if (IsZero(d)) return format.Infinity(d.negative);
  return std::nullopt;
}

Special SpecialReciprocal(Format format, std::uint64_t bits) {
  const Decoded d = Decode(format, bits);
  if (d.IsNan()) return format.CanonicalNan();
  if (d.IsInfinite()) return format.Sign(d.negative);
  if (IsZero(d)) return format.Infinity(d.negative);
  return std::nullopt;
}

Special SpecialQuotient(Format format, std::uint64_t left,
                        std::uint64_t right) {
  const Decoded a = Decode(format, left);
  const Decoded b = Decode(format, right);
  const bool negative = a.negative != b.negative;
  if (a.IsNan() || b.IsNan()) return format.CanonicalNan();
  if ((a.IsInfinite() && b.IsInfinite()) || (IsZero(a) && IsZero(b))) {
    return format.CanonicalNan();
  }
  if (a.IsInfinite() || IsZero(b)) return format.Infinity(negative);
  if (b.IsInfinite() || IsZero(a)) return format.Sign(negative);
  return std::nullopt;
}

/// Rounded once: a bit below those that are kept stands for what was cut off.
NodeResult RoundedValue(isa::DType type, Function function, Decoded left,
                        Decoded right, bool saturation) {
  constexpr mpfr_prec_t kKept = 60;
  constexpr mpfr_exp_t kFar = 5000;  // beyond every format
  Real a(left);
  Real b(right);
  Real r(kKept);
  const bool cut = function(r, a, b) != 0;
  const bool negative = mpfr_signbit(r.get()) != 0;
  NarrowInteger magnitude = 0;
  mpfr_exp_t exponent = -kFar;
  if (mpfr_zero_p(r.get()) == 0) {
    exponent = std::clamp(mpfr_get_exp(r.get()), -kFar, kFar);
    mpfr_abs(r.get(), r.get(), MPFR_RNDZ);
    mpfr_set_exp(r.get(), kKept);
    magnitude = mpfr_get_ui(r.get(), MPFR_RNDZ);
  }
  magnitude = magnitude * 2 + (cut ? 1 : 0);
  const Rounded rounded =
      RoundToNearestEven(FormatOf(type), negative, magnitude,
                         static_cast<int>(exponent) - kKept - 1);
  NodeResult result = Write(type, rounded.bits, saturation);
  result.rounded = rounded.rounded;
  result.tie = rounded.tie;
  // What is beyond twice the largest number has no finite neighbour.
  const bool beyond = Decode(FormatOf(type), rounded.bits).IsInfinite();
  const mpfr_exp_t largest = FormatOf(type).Bias();
  result.open = !beyond || exponent <= largest + 2;
  return result;
}

NodeResult ValueOf(isa::DType type, const Special& special, Function function,
                   std::uint64_t left, std::uint64_t right, bool saturation) {
  if (special) return Write(type, *special, saturation);
  const Format format = FormatOf(type);
  return RoundedValue(type, function, Decode(format, left),
                      Decode(format, right), saturation);
}

std::string TextOf(isa::DType type, const Special& special, Function function,
                   std::uint64_t left, std::uint64_t right) {
  if (special) return ExactValue(type, *special);
  constexpr int kDigits = 40;
  const Format format = FormatOf(type);
  Real a(Decode(format, left));
  Real b(Decode(format, right));
  Real r(160);
  bool cut = function(r, a, b) != 0;
  // Far away the order of magnitude is all that a reader sees.
  if (mpfr_zero_p(r.get()) != 0) return "0…";
  if (mpfr_get_exp(r.get()) > 2000) return "inf";
  if (mpfr_get_exp(r.get()) < -2000) return "0…";
  mpfr_exp_t point = 0;
  char* const raw =
      mpfr_get_str(nullptr, &point, 10, kDigits, r.get(), MPFR_RNDZ);
  std::string digits = raw;
  mpfr_free_str(raw);
  const std::string sign = digits.starts_with('-') ? "-" : "";
  digits.erase(0, sign.size());
  Real back(160);
  mpfr_set_str(back.get(),
               (sign + "0." + digits + "e" + std::to_string(point)).c_str(), 10,
               MPFR_RNDZ);
  cut = cut || mpfr_equal_p(back.get(), r.get()) == 0;
  if (point <= 0) {
    digits = "0." + std::string(static_cast<std::size_t>(-point), '0') + digits;
  } else if (point < static_cast<mpfr_exp_t>(digits.size())) {
    digits.insert(static_cast<std::size_t>(point), ".");
  } else {
    digits.append(static_cast<std::size_t>(point) - digits.size(), '0');
  }
  if (!cut && digits.find('.') != digits.npos) {
    digits.erase(digits.find_last_not_of('0') + 1);
    if (digits.ends_with('.')) digits.pop_back();
  }
  return sign + digits + (cut ? "…" : "");
}

}  // namespace

#define LANEDIFF_FUNCTION(name)                                               \
  NodeResult name(isa::DType type, std::uint64_t bits, bool saturation) {     \
    return ValueOf(type, Special##name(FormatOf(type), bits), Of##name, bits, \
                   bits, saturation);                                         \
  }                                                                           \
  std::string Exact##name(isa::DType type, std::uint64_t bits) {              \
    return TextOf(type, Special##name(FormatOf(type), bits), Of##name, bits,  \
                  bits);                                                      \
  }
LANEDIFF_FUNCTION(Exp)
LANEDIFF_FUNCTION(Ln)
LANEDIFF_FUNCTION(Sqrt)
LANEDIFF_FUNCTION(Rsqrt)
LANEDIFF_FUNCTION(Reciprocal)
#undef LANEDIFF_FUNCTION

NodeResult Divide(isa::DType type, std::uint64_t left, std::uint64_t right,
                  bool saturation) {
  return ValueOf(type, SpecialQuotient(FormatOf(type), left, right), OfDivide,
                 left, right, saturation);
}

std::string ExactDivide(isa::DType type, std::uint64_t left,
                        std::uint64_t right) {
  return TextOf(type, SpecialQuotient(FormatOf(type), left, right), OfDivide,
                left, right);
}

}  // namespace lanediff::oracle
