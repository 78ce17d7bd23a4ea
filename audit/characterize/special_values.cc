// What becomes of results that are too large or too small, of zeros,
// infinities and NaN.

#include <fmt/format.h>

#include <cmath>
#include <limits>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "audit/characterize/number.h"
#include "audit/characterize/probes.h"
#include "audit/characterize/tree.h"
#include "differential/testcase/element.h"
#include "isa/memory_map.h"

namespace lanediff::character {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr double kNan = std::numeric_limits<double>::quiet_NaN();

bool IsHalf(const Fold& fold) { return fold.dtype == isa::DType::kHalf; }

/// The largest number; of an integer type, too.
double Largest(isa::DType type) {
  if (IsFloating(type)) return LargestOf(type);
  return std::ldexp(1.0, static_cast<int>(8 * isa::SizeBytes(type)) - 1) - 1;
}

double Smallest(isa::DType type) {
  return IsFloating(type) ? -LargestOf(type) : -Largest(type) - 1;
}

/// Two operands whose result is too large, or too far below.
std::vector<double> TooLarge(const Fold& fold, bool below) {
  const double large = Largest(fold.dtype);
  const double low = Smallest(fold.dtype);
  switch (fold.combine) {
    case Combine::kProduct:
      return below ? std::vector{low, 2.0} : std::vector{large, 2.0};
    case Combine::kDifference:
      return below ? std::vector{low, large} : std::vector{large, low};
    default:
      return below ? std::vector{low, low} : std::vector{large, large};
  }
}

/// What three leaves come to of which the first two are too large together.
std::vector<double> TooLargeOfThree(const Fold& fold) {
  const int top = FormatOf(fold.dtype).max_exponent;
  if (fold.combine == Combine::kProduct) {
    const double factor = IsHalf(fold) ? 0x1p10 : 0x1p100;
    return {factor, factor, 1 / factor};
  }
  const double addend = std::ldexp(1.25, top);
  return {addend, addend, -addend};
}

/// Where results of three leaves are saturated, those of two being it; of
/// `sign`.
std::string WhereSaturated(Prober& prober, double sign) {
  const Fold& fold = prober.fold();
  const Triple t = FirstOfThree(prober).value_or(Triple{0, 1, 2});
  const auto values = TooLargeOfThree(fold);
  const bool product = fold.combine == Combine::kProduct;
  std::vector<double> leaves(3);
  leaves[t.i] = sign * values[0];
  leaves[t.j] = product ? values[1] : sign * values[1];
  leaves[t.k] = product ? values[2] : sign * values[2];
  const double large = LargestOf(fold.dtype);
  const double each = product ? large * values[2] : large + values[2];
  const double found = sign * prober.Value(leaves);
  if (found == RoundTo(fold.dtype, each, Rounding::kNearestEven)) {
    return "each node";
  }
  if (found == large || found == values[0]) return "at the end";
  return "other";
}

std::string WhereSaturated(Prober& prober) {
  std::string above = WhereSaturated(prober, 1);
  const std::string below = WhereSaturated(prober, -1);
  if (above == below) return above;
  return fmt::format("{} above, {} below", above, below);
}

/// What stands for a bound: none, infinity, the largest number, or wrapped.
std::string BoundWord(double found, double bound, bool floating) {
  if (found == bound) return "saturates";
  if (std::isinf(found) || std::isnan(found)) return "never";
  return floating ? "other" : "wraps";
}

/// 1 and NaN in an order.
std::vector<double> WithNan(bool first) {
  return first ? std::vector{kNan, 1.0} : std::vector{1.0, kNan};
}

std::string NanWord(double first, double second) {
  const auto both = [&](auto is) { return is(first) && is(second); };
  if (both([](double x) { return std::isnan(x); })) return "propagates";
  if (both([](double x) { return std::fabs(x) == 1; })) return "skipped";
  if (both([](double x) { return x == 0; })) return "becomes 0";
  if (std::isnan(first) && second == 1) return "first operand";
  if (first == 1 && std::isnan(second)) return "second operand";
  return "other";
}

struct SignedZero {
  std::vector<double> leaves;
  double ieee;
};

std::vector<SignedZero> ZerosFor(const Fold& fold) {
  switch (fold.combine) {
    case Combine::kProduct:
      return {{{-0.0, 1}, -0.0}, {{-1, 0.0}, -0.0}, {{-1, -0.0}, 0.0}};
    case Combine::kDifference:
      return {{{0.0, 0.0}, 0.0},
              {{-0.0, 0.0}, -0.0},
              {{0.0, -0.0}, 0.0},
              {{1, 1}, 0.0}};
    default:
      break;
  }
  std::vector<SignedZero> all = {{{-0.0, -0.0}, -0.0},
                                 {{0.0, -0.0}, 0.0},
                                 {{-0.0, 0.0}, 0.0},
                                 {{1, -1}, 0.0}};
  if (fold.reduces()) {
    all.push_back({{-0.0}, -0.0});
    all.push_back({{-0.0, -0.0, -0.0}, -0.0});
  }
  return all;
}

std::string LeavesText(const std::vector<double>& leaves) {
  std::string text;
  for (const double leaf : leaves) {
    text += (text.empty() ? "" : ", ") + NumberText(leaf);
  }
  return text;
}

/// Of two operands and of integers "saturates", "never" or "wraps"; of halves
/// and floats of which several are combined "each node", "at the end".
ProbeResult SaturationOf(Prober& prober) {
  const Fold& fold = prober.fold();
  const bool floating = IsFloating(fold.dtype);
  const double above = prober.Value(TooLarge(fold, false));
  const double below = prober.Value(TooLarge(fold, true));
  const std::string up = BoundWord(above, Largest(fold.dtype), floating);
  const std::string down = BoundWord(below, Smallest(fold.dtype), floating);
  const std::string values = "found " + LeavesText({above, below});
  if (prober.failed()) return prober.Finish("");
  if (up != down) {
    return prober.Finish(fmt::format("{} above, {} below", up, down), values);
  }
  if (up == "saturates" && fold.reduces()) {
    std::string where = WhereSaturated(prober);
    return prober.Finish(std::move(where));
  }
  return prober.Finish(up, up == "other" ? values : "");
}

/// Of an infinity that is alone: "saturates", "passes".
ProbeResult LoneInfinityOf(Prober& prober) {
  const double found = prober.Value({kInfinity});
  return prober.Finish(found == LargestOf(prober.fold().dtype) ? "saturates"
                       : std::isinf(found)                     ? "passes"
                                                               : "other",
                       "");
}

/// "kept", "flushed in", "flushed out", "flushed in and out".
ProbeResult SubnormalsOf(Prober& prober) {
  const Fold& fold = prober.fold();
  const double normal = std::ldexp(1.0, FormatOf(fold.dtype).min_exponent);
  const double subnormal = normal / 2;
  bool in = false;
  bool out = false;
  switch (fold.combine) {
    case Combine::kSum:
      in = prober.Value({normal, subnormal}) == normal;
      out = prober.Value({1.5 * normal, -normal}) == 0;
      break;
    case Combine::kDifference:
      in = prober.Value({normal, -subnormal}) == normal;
      out = prober.Value({1.5 * normal, normal}) == 0;
      break;
    case Combine::kProduct:
      in = prober.Value({subnormal, 4}) == 0;
      out = prober.Value({normal, 0.5}) == 0;
      break;
    case Combine::kMinimum:
      return prober.Finish(prober.Value({subnormal, 1}) == 0 ? "flushed"
                                                             : "kept");
    case Combine::kMaximum:
      return prober.Finish(prober.Value({subnormal, -1}) == 0 ? "flushed"
                                                              : "kept");
    case Combine::kOther:
      break;
  }
  return prober.Finish(in && out ? "flushed in and out"
                       : in      ? "flushed in"
                       : out     ? "flushed out"
                                 : "kept");
}

/// "ieee", or what differs.
ProbeResult ZeroSignOf(Prober& prober) {
  std::string differs;
  for (const SignedZero& zero : ZerosFor(prober.fold())) {
    const double found = prober.Value(zero.leaves);
    if (Same(found, zero.ieee)) continue;
    differs += fmt::format("{}({}) is {}", differs.empty() ? "" : "; ",
                           LeavesText(zero.leaves), NumberText(found));
  }
  return prober.Finish(differs.empty() ? "ieee" : differs);
}

/// "propagates", "skipped", "becomes 0", "first operand", "second operand".
ProbeResult NanOf(Prober& prober) {
  const double first = prober.Value(WithNan(true));
  const double second = prober.Value(WithNan(false));
  return prober.Finish(NanWord(first, second),
                       "found " + LeavesText({first, second}));
}

/// NaN at a node of several, saturation being on: "becomes 0 at each node", …
ProbeResult NanBetweenOf(Prober& prober) {
  const Triple t = FirstOfThree(prober).value_or(Triple{0, 1, 2});
  std::vector<double> leaves(3, 1);
  leaves[t.i] = kNan;
  const double found = prober.Value(leaves);
  return prober.Finish(found == 1          ? "becomes 0 at each node"
                       : found == 0        ? "becomes 0 at the end"
                       : std::isnan(found) ? "propagates"
                       : found == 2        ? "skipped"
                                           : "other");
}

/// inf - inf, or inf * 0: "nan", "0".
ProbeResult InvalidOf(Prober& prober) {
  const Combine combine = prober.fold().combine;
  const double other = combine == Combine::kProduct      ? 0.0
                       : combine == Combine::kDifference ? kInfinity
                                                         : -kInfinity;
  return prober.Finish(NumberText(prober.Value({kInfinity, other})));
}

/// Infinities that compete for a minimum or maximum: "kept", "saturate".
ProbeResult InfinitiesOf(Prober& prober) {
  const double above = prober.Value({kInfinity, kInfinity});
  const double below = prober.Value({-kInfinity, -kInfinity});
  const double large = LargestOf(prober.fold().dtype);
  const bool kept = above == kInfinity && below == -kInfinity;
  const bool saturate = above == large && below == -large;
  return prober.Finish(kept       ? "kept"
                       : saturate ? "saturate"
                                  : "other",
                       "found " + LeavesText({above, below}));
}

/// Which of +0 and -0 is the minimum, or the maximum.
ProbeResult TiesOf(Prober& prober) {
  const bool first = std::signbit(prober.Value({0.0, -0.0}));
  const bool second = std::signbit(prober.Value({-0.0, 0.0}));
  return prober.Finish(
      first == second ? (first ? "-0 in either order" : "+0 in either order")
      : second        ? "first operand"
                      : "second operand");
}

/// What a fold must be for a question; all of the bits of a row.
enum Is : unsigned {
  kComputes = 1,  ///< no minimum or maximum
  kCompares = 2,
  kReduces = 4,
  kFloats = 8,
  kOfHalf = 16,
  kNotFloat = 32,  ///< not the type float, which the saturation mode leaves
  kMultiplies = 64,
  kAdds = 128,
  kNoProduct = 256,
};

unsigned TraitsOf(const Fold& fold) {
  const bool compares =
      fold.combine == Combine::kMinimum || fold.combine == Combine::kMaximum;
  unsigned traits = compares ? kCompares : kComputes;
  const auto add = [&](bool is, Is trait) {
    if (is) traits |= trait;
  };
  add(fold.reduces(), kReduces);
  add(IsFloating(fold.dtype), kFloats);
  add(IsHalf(fold), kOfHalf);
  add(fold.dtype != isa::DType::kFloat, kNotFloat);
  add(fold.combine == Combine::kProduct, kMultiplies);
  add(fold.combine != Combine::kProduct, kNoProduct);
  add(fold.combine == Combine::kSum, kAdds);
  return traits;
}

struct Probe {
  std::string_view question;
  std::string_view about;
  unsigned of;
  ProbeResult (*probe)(Prober&);
  bool saturation = true;
};

/// In the order of the answers.
constexpr Probe kProbes[] = {
    {"accumulator", "", kComputes | kFloats | kReduces, AccumulatorOf},
    {"rounding", "", kComputes | kFloats, RoundingOf},
    {"saturation", "", kComputes, SaturationOf},
    {"saturation", "saturation off", kComputes | kNotFloat, SaturationOf,
     false},
    {"saturation", "one infinity alone", kComputes | kReduces | kOfHalf,
     LoneInfinityOf},
    {"zero-sign", "", kComputes | kFloats, ZeroSignOf},
    {"subnormals", "", kFloats, SubnormalsOf},
    {"nan", "", kFloats, NanOf},
    {"nan", "inf * 0", kFloats | kMultiplies, InvalidOf},
    {"nan", "inf - inf", kFloats | kComputes | kNoProduct, InvalidOf},
    {"nan", "saturation off", kOfHalf, NanOf, false},
    {"nan", "inf * 0, saturation off", kOfHalf | kMultiplies, InvalidOf, false},
    {"nan", "inf - inf, saturation off", kOfHalf | kComputes | kNoProduct,
     InvalidOf, false},
    {"nan", "between nodes", kOfHalf | kReduces | kAdds, NanBetweenOf},
    {"nan", "infinities", kFloats | kCompares, InfinitiesOf},
    {"min-ties", "", kFloats | kCompares, TiesOf},
};

}  // namespace

void ProbeArithmetic(ProbeRunner& runner, const Fold& fold) {
  if (fold.combine == Combine::kOther) return;
  Fold off = fold;
  off.saturation = false;
  Prober with(runner, fold);
  Prober without(runner, off);
  const unsigned traits = TraitsOf(fold);
  for (const Probe& probe : kProbes) {
    if ((probe.of & ~traits) != 0) continue;
    std::string about(probe.about);
    if (fold.order) {
      about = fmt::format("order {}{}{}", isa::Name(*fold.order),
                          about.empty() ? "" : ", ", about);
    }
    runner.Write({probe.question, fold.op, fold.dtype, std::move(about)},
                 probe.probe(probe.saturation ? with : without));
  }
}

}  // namespace lanediff::character
