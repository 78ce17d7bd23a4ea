#include "audit/characterize/arithmetic.h"

#include <string_view>
#include <utility>

namespace lanediff::character {
namespace {

bool Floats(isa::DType type) {
  return type == isa::DType::kHalf || type == isa::DType::kFloat;
}

bool Compares(const Fold& fold) {
  return fold.combine == Combine::kMinimum || fold.combine == Combine::kMaximum;
}

/// Probes one fold, in both modes where there are two.
class ArithmeticProbes {
 public:
  ArithmeticProbes(ProbeRunner& runner, const Fold& fold,
                   ProfileBuilder& profile)
      : fold_(fold),
        on_(runner, fold),
        off_(runner, Off(fold)),
        notes_(profile) {}

  void ProbeAll() {
    const bool floats = Floats(fold_.dtype);
    if (!Compares(fold_)) ProbeComputing(floats);
    if (!floats) return;
    Write("subnormals", "", SubnormalsOf(on_));
    ProbeNan();
    if (Compares(fold_)) {
      Write("nan", "infinities", InfinitiesOf(on_));
      Write("min-ties", "", TiesOf(on_));
    }
  }

 private:
  static Fold Off(Fold fold) {
    fold.saturation = false;
    return fold;
  }

  void ProbeComputing(bool floats) {
    if (floats) {
      if (fold_.reduces()) Write("accumulator", "", AccumulatorOf(on_));
      Write("rounding", "", RoundingOf(on_));
    }
    Write("saturation", "", SaturationOf(on_));
    // The mode does not govern float.
    if (fold_.dtype != isa::DType::kFloat) {
      Write("saturation", "saturation off", SaturationOf(off_));
    }
    if (fold_.reduces() && fold_.dtype == isa::DType::kHalf) {
      Write("saturation", "one infinity alone", LoneInfinityOf(on_));
    }
    if (floats) Write("zero-sign", "", ZeroSignOf(on_));
  }

  void ProbeNan() {
    Write("nan", "", NanOf(on_));
    if (!Compares(fold_)) Write("nan", InvalidName(), InvalidOf(on_));
    if (fold_.dtype != isa::DType::kHalf) return;
    Write("nan", "saturation off", NanOf(off_));
    if (!Compares(fold_)) {
      Write("nan", InvalidName() + ", saturation off", InvalidOf(off_));
    }
    if (fold_.reduces() && fold_.combine == Combine::kSum) {
      Write("nan", "between nodes", NanBetweenOf(on_));
    }
  }
  std::string InvalidName() const {
    return fold_.combine == Combine::kProduct ? "inf * 0" : "inf - inf";
  }

  void Write(std::string_view question, std::string about, ProbeResult result) {
    if (fold_.order) {
      const std::string order = "order " + std::string(isa::Name(*fold_.order));
      about = about.empty() ? order : order + ", " + about;
    }
    notes_.Write({question, fold_.op, fold_.dtype, std::move(about)},
                 std::move(result));
  }

  const Fold& fold_;
  Prober on_;
  Prober off_;
  ProfileBuilder& notes_;
};

}  // namespace

void ProbeArithmetic(ProbeRunner& runner, const Fold& fold,
                     ProfileBuilder& profile) {
  ArithmeticProbes(runner, fold, profile).ProbeAll();
}

}  // namespace lanediff::character
