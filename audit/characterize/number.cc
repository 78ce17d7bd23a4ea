#include "audit/characterize/number.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "audit/characterize/probes.h"
#include "audit/characterize/tree.h"

namespace lanediff::character {
namespace {

using isa::DType;

/// Weight of the last bit that a type keeps of `value`, as an exponent.
int LastBit(const Format& format, double value) {
  const int exponent = value == 0 ? format.min_exponent : std::ilogb(value);
  return std::max(exponent, format.min_exponent) - (format.precision - 1);
}

/// `units` as a whole number.
double Whole(double units, Rounding rounding) {
  const double low = std::floor(units);
  const double rest = units - low;
  if (rest == 0) return units;
  const double high = low + 1;
  const bool low_even = std::fmod(low, 2) == 0;
  const bool negative = units < 0;
  const auto nearest = [&](double tie) {
    return rest < 0.5 ? low : rest > 0.5 ? high : tie;
  };
  switch (rounding) {
    case Rounding::kNearestEven:
      return nearest(low_even ? low : high);
    case Rounding::kNearestAway:
      return nearest(negative ? low : high);
    case Rounding::kNearestToZero:
      return nearest(negative ? high : low);
    case Rounding::kNearestUp:
      return nearest(high);
    case Rounding::kNearestDown:
      return nearest(low);
    case Rounding::kTowardZero:
      return negative ? high : low;
    case Rounding::kAwayFromZero:
      return negative ? low : high;
    case Rounding::kUp:
      return high;
    case Rounding::kDown:
      return low;
    case Rounding::kToOdd:
      return low_even ? high : low;
  }
  return units;
}

using Pair = std::pair<double, double>;

double Exact(Combine combine, const Pair& pair) {
  switch (combine) {
    case Combine::kProduct:
      return pair.first * pair.second;
    case Combine::kDifference:
      return pair.first - pair.second;
    default:
      return pair.first + pair.second;
  }
}

/// Ties above even and odd numbers, and what lies around them, of both signs.
std::vector<Pair> PairsFor(const Fold& fold) {
  const int precision = FormatOf(fold.dtype).precision;
  const double base = std::ldexp(1.0, precision);
  const double step = std::ldexp(1.0, 1 - precision);
  const double sign = fold.combine == Combine::kDifference ? -1 : 1;
  std::vector<Pair> pairs = {
      {base, sign}, {base + 2, sign}, {base, 0.5 * sign}, {base, 1.5 * sign}};
  if (fold.combine == Combine::kProduct) {
    pairs = {{1 + step, 1.5},
             {1 + 3 * step, 1.5},
             {1 + step, 1.25},
             {1 + step, 1.75}};
  }
  const std::size_t positive = pairs.size();
  for (std::size_t i = 0; i < positive; ++i) {
    const auto [x, y] = pairs[i];
    pairs.push_back(fold.combine == Combine::kProduct ? Pair(-x, y)
                                                      : Pair(-x, -y));
  }
  return pairs;
}

/// The width of what bits between nodes survive, by name.
std::string WidthText(int precision) {
  for (const isa::DType type : {isa::DType::kBfloat16, isa::DType::kHalf,
                                isa::DType::kFloat, isa::DType::kDouble}) {
    if (FormatOf(type).precision == precision) {
      return std::string(isa::Name(type));
    }
  }
  return fmt::format("{} bits", precision);
}

/// The exponent of the largest number of a sum, and how far below it numbers
/// are requested.
std::pair<int, int> SumRange(isa::DType type) {
  if (type == isa::DType::kHalf) return {15, 39};
  return {100, 200};
}

/// Of a sum: how far below a number another one may be that is not lost
/// between nodes, M + x - M.
ProbeResult SumAccumulator(Prober& prober) {
  const Triple t = FirstOfThree(prober).value_or(Triple{0, 1, 2});
  const auto [top, most] = SumRange(prober.fold().dtype);
  const auto kept = [&](int below) {
    std::vector<double> leaves(3);
    leaves[t.i] = std::ldexp(1.0, top);
    leaves[t.j] = std::ldexp(1.0, top - below);
    leaves[t.k] = -leaves[t.i];
    return prober.Value(leaves) == leaves[t.j];
  };
  int low = 0;
  int high = most + 1;
  while (high - low > 1) {
    const int middle = (low + high) / 2;
    (kept(middle) ? low : high) = middle;
  }
  const int precision = low + 1;
  if (low == 0) return prober.Finish("other", "nothing is left between nodes");
  if (low == most) {
    return prober.Finish("exact", fmt::format("at least {} bits", precision));
  }
  return prober.Finish(
      WidthText(precision),
      fmt::format("{} bits are kept between nodes", precision));
}

/// Values of whose three factors a narrow and a wide accumulator make
/// different products.
std::vector<double> DistinguishingFactors(isa::DType type, int which) {
  const double step = std::ldexp(1.0, 1 - FormatOf(type).precision);
  for (int a = 1;; ++a) {
    for (int b = 1; b <= a; ++b) {
      const double x = 1 + a * step;
      const double y = 1 + b * std::sqrt(step) / 2;
      const double y_even = std::round(y / step) * step;
      const double once =
          RoundTo(type, x * y_even * 1.5, Rounding::kNearestEven);
      const double twice =
          RoundTo(type, RoundTo(type, x * y_even, Rounding::kNearestEven) * 1.5,
                  Rounding::kNearestEven);
      if (once != twice && which-- == 0) return {x, y_even, 1.5};
    }
  }
}

/// Of a product in the type's own range: whether its nodes are rounded to the
/// type, too.
ProbeResult NarrowProduct(Prober& prober, const Triple& t) {
  const isa::DType type = prober.fold().dtype;
  int once = 0;
  constexpr int kTimes = 3;
  for (int which = 0; which < kTimes; ++which) {
    const auto factors = DistinguishingFactors(type, which);
    std::vector<double> leaves(3);
    leaves[t.i] = factors[0];
    leaves[t.j] = factors[1];
    leaves[t.k] = factors[2];
    const double exact = factors[0] * factors[1] * factors[2];
    once +=
        prober.Value(leaves) == RoundTo(type, exact, Rounding::kNearestEven);
  }
  const std::string own(isa::Name(type));
  if (once < kTimes) return prober.Finish(own);
  return prober.Finish("wider than " + own,
                       "nodes are not rounded, but overflow as " + own);
}

/// Whether twice as many powers of two as there are cancel, wherever they are
/// met: none leaves the accumulator's range.
bool Cancels(Prober& prober, int leaves, int exponent) {
  // Groups of so many leaves are large and small in turn.
  for (const int group : {leaves / 2, 1, 2, 4, 8, 32}) {
    std::vector<double> factors;
    int sum = 0;
    for (int i = 0; i < leaves; ++i) {
      const int e = i / group % 2 == 0 ? exponent : -exponent;
      sum += e;
      factors.push_back(std::ldexp(1.0, e));
    }
    if (sum == 0 && prober.Value(factors) != 1) return false;
  }
  return true;
}

/// Of a product that does not leave the range of its type between nodes.
ProbeResult WideProduct(Prober& prober) {
  const bool half = prober.fold().dtype == isa::DType::kHalf;
  if (half && !Cancels(prober, 64, 10)) return prober.Finish("float");
  if (half ? !Cancels(prober, 256, 10) : !Cancels(prober, 64, 60)) {
    return prober.Finish("double");
  }
  return prober.Finish("wider than double");
}

}  // namespace

Format FormatOf(DType type) {
  switch (type) {
    case DType::kHalf:
      return {11, -14, 15};
    case DType::kBfloat16:
      return {8, -126, 127};
    case DType::kFloat:
      return {24, -126, 127};
    default:
      return {53, -1022, 1023};
  }
}

double LargestOf(DType type) {
  const Format format = FormatOf(type);
  return std::ldexp(2 - std::ldexp(1.0, 1 - format.precision),
                    format.max_exponent);
}

double RoundTo(DType type, double exact, Rounding rounding) {
  if (exact == 0 || !std::isfinite(exact)) return exact;
  const int last = LastBit(FormatOf(type), exact);
  return std::ldexp(Whole(std::ldexp(exact, -last), rounding), last);
}

bool Same(double a, double b) {
  if (std::isnan(a) || std::isnan(b)) return std::isnan(a) && std::isnan(b);
  return a == b && std::signbit(a) == std::signbit(b);
}

std::string NumberText(double value) {
  if (std::isnan(value)) return "nan";
  return fmt::format("{}", value);
}

std::optional<Triple> FirstOfThree(Prober& prober) {
  SummationTreeProbe probe(prober, 3, {0, 1, 2});
  for (const Triple t : {Triple{0, 1, 2}, Triple{0, 2, 1}, Triple{1, 2, 0}}) {
    if (probe.Query(t) == Meeting::kFirst) return t;
  }
  return std::nullopt;
}

ProbeResult RoundingOf(Prober& prober) {
  const Fold& fold = prober.fold();
  std::vector<bool> fits(isa::kCount<Rounding>, true);
  std::string note;
  for (const Pair& pair : PairsFor(fold)) {
    const double found = prober.Value({pair.first, pair.second});
    const double exact = Exact(fold.combine, pair);
    for (std::size_t r = 0; r < fits.size(); ++r) {
      const auto rounding = static_cast<Rounding>(r);
      fits[r] = fits[r] && found == RoundTo(fold.dtype, exact, rounding);
    }
    if (note.empty() && std::ranges::count(fits, true) == 0) {
      note = fmt::format("{} becomes {}", exact, NumberText(found));
    }
  }
  for (std::size_t r = 0; r < fits.size(); ++r) {
    if (fits[r]) {
      return prober.Finish(std::string(isa::Name(static_cast<Rounding>(r))));
    }
  }
  return prober.Finish("other", note);
}

ProbeResult AccumulatorOf(Prober& prober) {
  if (prober.fold().combine != Combine::kProduct) return SumAccumulator(prober);
  const auto first = FirstOfThree(prober);
  if (first) return NarrowProduct(prober, *first);
  const std::string& why = prober.why();
  return why.empty() ? WideProduct(prober) : prober.Finish(why);
}

}  // namespace lanediff::character
