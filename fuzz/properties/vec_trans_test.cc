#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "fuzz/properties/law.h"
#include "fuzz/properties/support.h"
#include "generators/random.h"
#include "isa/units.h"

/// Laws of vec_trans. No law defines the place of an element.
namespace lanediff::properties {
namespace {

using isa::DType;
using isa::kMatrixBytes;
using isa::Param;

DType DrawType(const char* name) {
  return *rc::gen::element(DType::kHalf, DType::kInt16, DType::kUint16)
              .as(name);
}

/// A legal call, strides from `least_stride` on, that of dst at most
/// `most_dst_stride`.
Sample DrawTranspose(std::int64_t least_stride,
                     std::int64_t most_dst_stride = 3) {
  Sample s;
  s.product =
      *rc::gen::element(isa::Product::kAtlasA2, isa::Product::kAtlasTraining,
                        isa::Product::kAtlas200_300_500)
           .as("product");
  s.fill = DrawFill();
  s.call = isa::CallOf("vec_trans");
  s.call.dtype = DrawType("dtype");
  const auto repeat = Draw<std::int64_t>("repeat_times", 1, 6);
  s.call[Param::kRepeatTimes] = repeat;
  s.call.RepStride(0) = Draw("dst_rep_stride", least_stride, most_dst_stride);
  s.call.RepStride(1) = Draw<std::int64_t>("src_rep_stride", least_stride, 3);
  make::Random random(DrawWord("seed"));
  for (std::size_t i = 0; i < 2; ++i) {
    s.call.operands[i] =
        s.Add(kMatrixBytes * ((repeat - 1) * s.call.RepStride(i) + 1),
              isa::Position::kUb);
  }
  s.Fill(s.call.src(0), {});
  for (std::uint64_t& bits : s.source()) bits = random.Bits() & 0xffff;
  return s;
}

/// The matrix of iteration `r` in operand `i`.
Bytes Matrix(const Sample& s, const Bytes& ub, std::size_t i, std::int64_t r) {
  const auto first = ub.begin() + s.call.operands[i].at +
                     r * s.call.RepStride(i) * kMatrixBytes;
  return {first, first + kMatrixBytes};
}

// ---- Laws -------------------------------------------------------------------

Verdict TwiceRestores() {
  const Sample s = DrawTranspose(1);
  isa::Call back = s.call;
  std::swap(back.dst(), back.src(0));
  std::swap(back.RepStride(0), back.RepStride(1));
  const Case c = CaseOf(s, {s.call, back});
  const Bytes before = UbBefore(c);
  return Related(c, c, [&](const Bytes& a, const Bytes&) {
    const auto from_src = [&](const Bytes& ub) {
      return Bytes(ub.begin() + s.call.src(0).at, ub.end());
    };
    return Difference(from_src(before), from_src(a));
  });
}

Sample InPlace(Sample s) {
  s.call.dst() = s.call.src(0);
  s.call.RepStride(0) = s.call.RepStride(1);
  return s;
}

Verdict InPlaceIsApart() {
  const Sample s = DrawTranspose(1);
  return SameWritten(CaseOf(s), CaseOf(InPlace(s)));
}

Verdict RepeatIsSingles() {
  const Sample s = DrawTranspose(0);
  return RepeatIsSingleRepeats(DrawFlag("in place") ? InPlace(s) : s);
}

Verdict ElementsArePermuted() {
  const Sample s = DrawTranspose(1);
  const Case c = CaseOf(s);
  return Related(c, c, [&](const Bytes& a, const Bytes&) {
    const auto elements = [](const Bytes& matrix) {
      std::vector<std::pair<std::uint8_t, std::uint8_t>> pairs;
      for (std::size_t i = 0; i < matrix.size(); i += 2) {
        pairs.emplace_back(matrix[i], matrix[i + 1]);
      }
      return pairs;
    };
    for (std::int64_t r = 0; r < s.call[Param::kRepeatTimes]; ++r) {
      auto from = elements(Matrix(s, a, 1, r));
      auto to = elements(Matrix(s, a, 0, r));
      for (std::size_t i = 0; i < 16; ++i) {
        if (from[17 * i] == to[17 * i]) continue;
        return fmt::format("iteration {} moves element {} of the diagonal", r,
                           i);
      }
      std::ranges::sort(from);
      std::ranges::sort(to);
      if (from != to) return fmt::format("iteration {} changes elements", r);
    }
    return std::string();
  });
}

Verdict StrideZeroKeepsLast() {
  const Sample s = DrawTranspose(0, /*most_dst_stride=*/0);
  return SameMemory(s, {Iteration(s.call, s.call[Param::kRepeatTimes] - 1)});
}

Verdict TypeDoesntMatter() {
  const Sample s = DrawTranspose(0);
  isa::Call other = s.call;
  other.dtype = DrawType("other dtype");
  return SameMemory(s, {other});
}

[[maybe_unused]] const bool kGiven =
    GiveLaws("vec_trans", {{"TwiceRestores", TwiceRestores},
                           {"InPlaceIsApart", InPlaceIsApart},
                           {"RepeatIsSingles", RepeatIsSingles},
                           {"ElementsArePermuted", ElementsArePermuted},
                           {"StrideZeroKeepsLast", StrideZeroKeepsLast},
                           {"TypeDoesntMatter", TypeDoesntMatter}});

}  // namespace
}  // namespace lanediff::properties
