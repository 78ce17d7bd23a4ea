#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "fuzz/properties/law.h"
#include "fuzz/properties/support.h"
#include "generators/lanewise.h"
#include "generators/random.h"
#include "isa/units.h"

/// Laws of vec_trans. No law defines the place of an element.
namespace lanediff::properties {
namespace {

using isa::DType;
using isa::Param;
using make::RepStride;

using isa::kMatrixBytes;

// ---- Calls ------------------------------------------------------------------

/// A legal call with its surroundings.
struct Sample {
  isa::Product product = isa::Product::kAtlasA2;
  std::uint8_t fill = 0;
  isa::Call call = isa::CallOf("vec_trans");
  std::uint64_t seed = 0;  ///< of the bytes of src
};

std::int64_t WindowBytes(std::int64_t repeat, std::int64_t stride) {
  return kMatrixBytes * ((repeat - 1) * stride + 1);
}

/// Puts dst and src behind it, both in windows without slack.
void Place(isa::Call& call) {
  std::int64_t end = 0;
  for (std::size_t i = 0; i < 2; ++i) {
    const std::int64_t bytes =
        WindowBytes(call[Param::kRepeatTimes], call.RepStride(i));
    call.operands[i] = At(isa::Position::kUb, end + kMarginBytes, bytes);
    end += kMarginBytes + bytes;
  }
}

DType DrawType(const char* name) {
  return *rc::gen::element(DType::kHalf, DType::kInt16, DType::kUint16)
              .as(name);
}

Sample DrawSample(std::int64_t least_stride) {
  Sample s;
  s.product =
      *rc::gen::element(isa::Product::kAtlasA2, isa::Product::kAtlasTraining,
                        isa::Product::kAtlas200_300_500)
           .as("product");
  s.fill = DrawFill();
  s.call.dtype = DrawType("dtype");
  s.call[Param::kRepeatTimes] = Draw<std::int64_t>("repeat_times", 1, 6);
  s.call.RepStride(0) = Draw<std::int64_t>("dst_rep_stride", least_stride, 3);
  s.call.RepStride(1) = Draw<std::int64_t>("src_rep_stride", least_stride, 3);
  s.seed = DrawWord("seed");
  Place(s.call);
  return s;
}

Case CaseOf(const Sample& s, std::vector<isa::Step> program) {
  const isa::Operand& src = s.call.src(0);
  Region source{.at = src.at, .dtype = {}, .bytes = {}};
  make::Random random(s.seed);
  for (std::int64_t i = 0; i < src.bytes; ++i) {
    source.bytes.push_back(static_cast<std::uint8_t>(random.Bits()));
  }
  const std::int64_t size = source.end() + kMarginBytes;
  return UbCase(s.product, s.fill, size, {std::move(source)},
                std::move(program));
}

/// The matrix of iteration `r` in the operand at `at`.
Bytes Matrix(const Bytes& ub, std::int64_t at, std::int64_t r,
             std::int64_t stride) {
  const auto first = ub.begin() + at + r * stride * kMatrixBytes;
  return {first, first + kMatrixBytes};
}
Bytes DstMatrix(const Sample& s, const Bytes& ub, std::int64_t r) {
  return Matrix(ub, s.call.dst().at, r, s.call.RepStride(0));
}
Bytes SrcMatrix(const Sample& s, const Bytes& ub, std::int64_t r) {
  return Matrix(ub, s.call.src(0).at, r, s.call.RepStride(1));
}

/// Both programs leave the same memory.
Verdict SameMemory(const Case& first, const Case& second) {
  return Related(first, second, [](const Bytes& a, const Bytes& b) {
    return Difference(a, b);
  });
}

// ---- Laws -------------------------------------------------------------------

Verdict TwiceRestores() {
  const Sample s = DrawSample(1);
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

Verdict InPlaceIsApart() {
  const Sample s = DrawSample(1);
  isa::Call in_place = s.call;
  in_place.dst() = in_place.src(0);
  in_place.RepStride(0) = in_place.RepStride(1);
  const std::int64_t repeat = s.call[Param::kRepeatTimes];
  return Related(CaseOf(s, {s.call}), CaseOf(s, {in_place}),
                 [&](const Bytes& a, const Bytes& b) {
                   for (std::int64_t r = 0; r < repeat; ++r) {
                     const std::string broken =
                         Difference(DstMatrix(s, a, r), SrcMatrix(s, b, r));
                     if (!broken.empty()) return broken;
                   }
                   return std::string();
                 });
}

Verdict RepeatIsSingles() {
  Sample s = DrawSample(0);
  if (DrawFlag("in place")) {
    s.call.dst() = s.call.src(0);
    s.call.RepStride(0) = s.call.RepStride(1);
  }
  std::vector<isa::Step> singles;
  for (std::int64_t r = 0; r < s.call[Param::kRepeatTimes]; ++r) {
    isa::Call single = s.call;
    single[Param::kRepeatTimes] = 1;
    single.dst().at += r * s.call.RepStride(0) * kMatrixBytes;
    single.src(0).at += r * s.call.RepStride(1) * kMatrixBytes;
    single.dst().bytes = single.src(0).bytes = kMatrixBytes;
    singles.emplace_back(single);
  }
  return SameMemory(CaseOf(s, {s.call}), CaseOf(s, singles));
}

Verdict ElementsArePermuted() {
  const Sample s = DrawSample(1);
  const Case c = CaseOf(s, {s.call});
  return Related(c, c, [&](const Bytes& a, const Bytes&) {
    const auto elements = [](const Bytes& matrix) {
      std::vector<std::pair<std::uint8_t, std::uint8_t>> pairs;
      for (std::size_t i = 0; i < matrix.size(); i += 2) {
        pairs.emplace_back(matrix[i], matrix[i + 1]);
      }
      return pairs;
    };
    for (std::int64_t r = 0; r < s.call[Param::kRepeatTimes]; ++r) {
      auto from = elements(SrcMatrix(s, a, r));
      auto to = elements(DstMatrix(s, a, r));
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
  Sample s = DrawSample(0);
  s.call.RepStride(0) = 0;
  Place(s.call);
  isa::Call last = s.call;
  last[Param::kRepeatTimes] = 1;
  last.src(0).at +=
      (s.call[Param::kRepeatTimes] - 1) * last.RepStride(1) * kMatrixBytes;
  last.src(0).bytes = kMatrixBytes;
  return SameMemory(CaseOf(s, {s.call}), CaseOf(s, {last}));
}

Verdict TypeDoesntMatter() {
  const Sample s = DrawSample(0);
  isa::Call other = s.call;
  other.dtype = DrawType("other dtype");
  return SameMemory(CaseOf(s, {s.call}), CaseOf(s, {other}));
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
