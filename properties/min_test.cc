#include "isa/min.h"

#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

#include "case/element.h"
#include "isa/state.h"
#include "make/generate/generate.h"
#include "properties/law.h"
#include "properties/min.h"
#include "properties/support.h"

/// Laws of Min. None of them says which of two values is the smaller one.
namespace lanediff::properties {
namespace {

using isa::DType;
using isa::Min;
using isa::Product;

// ---- Calls ------------------------------------------------------------------

rc::Gen<std::uint64_t> AnIntegerElement(DType type) {
  const bool narrow = type == DType::kInt16;
  const std::int64_t most = narrow ? 0x7fff : 0x7fffffff;
  const std::uint64_t bits = narrow ? 0xffff : 0xffffffff;
  const std::int64_t top = DrawFlag("small integers") ? 3 : most;
  return rc::gen::map(
      rc::gen::inRange<std::int64_t>(-top - 1, top + 1),
      [bits](std::int64_t n) { return static_cast<std::uint64_t>(n) & bits; });
}

/// Zeros of both signs, infinities, NaNs and ordinary numbers, often equal.
rc::Gen<std::uint64_t> ASpecialElement(DType type, Values values) {
  std::vector<std::uint64_t> special;
  const auto top = static_cast<std::uint64_t>(FormatOf(type).top_exponent);
  for (bool negative : {false, true}) {
    special.push_back(Compose(type, negative, 0, 0));
    special.push_back(Compose(type, negative, 0, 1));
    special.push_back(Compose(type, negative, top / 2, 0));
    if (values == Values::kFinite) continue;
    special.push_back(Compose(type, negative, top, 0));
    special.push_back(Compose(type, negative, top, 1));
  }
  return rc::gen::elementOf(special);
}

rc::Gen<std::uint64_t> ElementOf(DType type, Values values) {
  if (!IsFloating(type)) return AnIntegerElement(type);
  if (Draw("special", 0, 3) == 0) return ASpecialElement(type, values);
  return AnElement(type, values);
}

Values AnyValues(const MinSample&) { return Values::kAny; }

/// NaNs that saturation makes zeros depend on the order of arithmetic.
Values OrderlessValues(const MinSample& s) {
  return s.call.dtype == DType::kHalf && s.saturation ? Values::kFinite
                                                      : Values::kAny;
}

MinSample DrawSurroundings(bool with_int16 = true) {
  MinSample s;
  s.product = *rc::gen::element(Product::kAtlasA2, Product::kAtlasTraining,
                                Product::kAtlasInferenceAicore,
                                Product::kAtlas200i500A2)
                   .as("product");
  s.saturation = s.product != Product::kAtlasA2 || DrawFlag("saturation");
  s.fill = static_cast<std::uint8_t>(Draw("fill", 0, 255));
  s.call.dtype =
      with_int16 && s.product != Product::kAtlasTraining
          ? *rc::gen::element(DType::kHalf, DType::kFloat, DType::kInt32,
                              DType::kInt16)
                 .as("dtype")
          : *rc::gen::element(DType::kHalf, DType::kFloat, DType::kInt32)
                 .as("dtype");
  return s;
}

void FillSources(MinSample& s, Values values) {
  const auto element = ElementOf(s.call.dtype, values);
  s.Fill(s.call.src0, DrawElements(element));
  s.Fill(s.call.src1, DrawElements(element));
}

/// Whether what the iterations write may overlap.
enum class DstIterations { kAny, kApart };

/// A call of the contiguous form.
MinSample DrawMasked(DstIterations iterations = DstIterations::kAny) {
  MinSample s = DrawSurroundings();
  Min& call = s.call;
  call.form = Min::kContiguous;
  call.repeat_times = Draw<std::int64_t>("repeatTimes", 1, 6);
  // All lanes in one case of five.
  call.mask =
      std::min(Draw("mask", std::int64_t{1}, s.lanes() * 5 / 4), s.lanes());
  isa::BinaryRepeatParams& p = call.repeat_params;
  p.dst_blk_stride = Draw<std::int64_t>("dstBlkStride", 1, 3);
  p.src0_blk_stride = Draw<std::int64_t>("src0BlkStride", 0, 3);
  p.src1_blk_stride = Draw<std::int64_t>("src1BlkStride", 0, 3);
  const std::int64_t apart = 8 * p.dst_blk_stride;
  p.dst_rep_stride =
      Draw("dstRepStride", iterations == DstIterations::kApart ? apart : 0,
           apart + 4);
  p.src0_rep_stride = Draw<std::int64_t>("src0RepStride", 0, 12);
  p.src1_rep_stride = Draw<std::int64_t>("src1RepStride", 0, 12);
  call.dst = s.Add(SpanBytes(call, p.dst_rep_stride, p.dst_blk_stride));
  call.src0 = s.Add(SpanBytes(call, p.src0_rep_stride, p.src0_blk_stride));
  call.src1 = s.Add(SpanBytes(call, p.src1_rep_stride, p.src1_blk_stride));
  FillSources(s, Values::kAny);
  return s;
}

/// A call of the count form.
MinSample DrawCounted(Values (*values)(const MinSample&) = AnyValues) {
  MinSample s = DrawSurroundings();
  s.call.form = Min::kCount;
  s.call.count = Draw<std::int64_t>("count", 1, 600);
  const std::int64_t bytes = s.call.count * s.element_bytes();
  s.call.dst = s.Add(bytes);
  s.call.src0 = s.Add(bytes);
  s.call.src1 = s.Add(bytes);
  FillSources(s, values(s));
  return s;
}

// ---- Verdicts ---------------------------------------------------------------

/// Both programs leave the same memory; the first one is the call of `s`.
Verdict SameMemory(const MinSample& s, std::vector<isa::Step> second) {
  return Related(CaseOf(s, {s.call}), CaseOf(s, std::move(second)),
                 [&](const Bytes& a, const Bytes& b) {
                   const std::string told = WindowDifference(s.call, a, b);
                   return told.empty() ? OutsideDifference(s.call, a, b) : told;
                 });
}

void Check(std::string_view name, Verdict (*law)()) {
  CheckLaw(Min::kRoom, name, law);
}

// ---- Laws -------------------------------------------------------------------

Verdict Commutes() {
  const MinSample s = DrawMasked();
  Min exchanged = s.call;
  isa::BinaryRepeatParams& p = exchanged.repeat_params;
  std::swap(exchanged.src0, exchanged.src1);
  std::swap(p.src0_blk_stride, p.src1_blk_stride);
  std::swap(p.src0_rep_stride, p.src1_rep_stride);
  return SameMemory(s, {exchanged});
}

Verdict IsIdempotent() {
  const MinSample s = DrawCounted();
  Min twice = s.call;
  twice.src1 = twice.src0;
  return Related(CaseOf(s, {twice}), CaseOf(s, {}),
                 [&](const Bytes& a, const Bytes& b) {
                   for (std::int64_t i = 0; i < s.call.count; ++i) {
                     const DType type = s.call.dtype;
                     std::string told = ElementDifference(
                         type, i, ElementAt(type, a, s.call.dst, i),
                         AsWritten(s, ElementAt(type, b, s.call.src0, i)));
                     if (!told.empty()) return told;
                   }
                   return std::string();
                 });
}

Verdict Associates() {
  MinSample s = DrawCounted(OrderlessValues);
  const isa::Operand third = s.Add(s.call.dst.bytes);
  const isa::Operand inner = s.Add(s.call.dst.bytes);
  s.Fill(third, DrawElements(ElementOf(s.call.dtype, OrderlessValues(s))));
  Min left = s.call;
  left.dst = inner;
  Min left_outer = s.call;
  left_outer.src0 = inner;
  left_outer.src1 = third;
  Min right = left;
  right.src0 = s.call.src1;
  right.src1 = third;
  Min right_outer = s.call;
  right_outer.src1 = inner;
  return Related(CaseOf(s, {left, left_outer}), CaseOf(s, {right, right_outer}),
                 [&](const Bytes& a, const Bytes& b) {
                   return WindowDifference(s.call, a, b);
                 });
}

Verdict BitwiseMaskIsContiguous() {
  const MinSample s = DrawMasked();
  const std::int64_t n = s.call.mask;
  return SameMemory(s, {Bitwise(s.call, Ones(n), Ones(n - 64))});
}

Verdict ComplementaryMasksAreWhole() {
  MinSample s = DrawMasked(DstIterations::kApart);
  s.call.mask = s.lanes();
  const std::uint64_t low = DrawWord("low");
  const std::uint64_t high = s.lanes() > 64 ? DrawWord("high") : 0;
  RC_PRE(low != 0U);
  RC_PRE(~low != 0U);
  return SameMemory(s, {Bitwise(s.call, low, high),
                        Bitwise(s.call, ~low, s.lanes() > 64 ? ~high : 0)});
}

Verdict RepeatIsSingleRepeats() {
  const MinSample s = DrawMasked();
  std::vector<isa::Step> singles;
  for (std::int64_t r = 0; r < s.call.repeat_times; ++r) {
    singles.emplace_back(Iteration(s.call, r));
  }
  return SameMemory(s, std::move(singles));
}

Verdict RunningMinimumHasNoOrder() {
  MinSample s = DrawSurroundings(/*with_int16=*/false);
  Min& call = s.call;
  call.form = Min::kContiguous;
  call.repeat_times = Draw<std::int64_t>("repeatTimes", 1, 8);
  call.mask = Draw("mask", std::int64_t{1}, s.lanes());
  isa::BinaryRepeatParams& p = call.repeat_params;
  p.dst_blk_stride = Draw<std::int64_t>("dstBlkStride", 1, 3);
  p.src1_blk_stride = p.dst_blk_stride;
  p.src0_blk_stride = Draw<std::int64_t>("src0BlkStride", 0, 3);
  p.src0_rep_stride = Draw<std::int64_t>("src0RepStride", 0, 12);
  call.dst = s.Add(SpanBytes(call, 0, p.dst_blk_stride));
  call.src1 = call.dst;
  call.src0 = s.Add(SpanBytes(call, p.src0_rep_stride, p.src0_blk_stride));
  FillSources(s, OrderlessValues(s));
  std::vector<isa::Step> backwards;
  for (std::int64_t r = call.repeat_times - 1; r >= 0; --r) {
    backwards.emplace_back(Iteration(call, r));
  }
  return SameMemory(s, std::move(backwards));
}

Verdict CountIsMasks() {
  const MinSample s = DrawCounted();
  return SameMemory(s, CountAsMasks(s));
}

Verdict RegisterMaskIsBitwiseMask() {
  MinSample s = DrawMasked();
  const std::uint64_t low = DrawWord("low");
  const std::uint64_t high = DrawWord("high");
  RC_PRE(low != 0U);
  s.call = Bitwise(s.call, low, s.lanes() > 64 ? high : 0);
  Min placeholder = Bitwise(s.call, 0, 0);
  placeholder.is_set_mask = false;
  return SameMemory(
      s, {isa::SetVectorMask{.high = high, .low = low}, placeholder});
}

Verdict EmulatorAgreesWithOracle() {
  make::Random random(DrawWord("seed"));
  return Agreed(make::Generate("min", random).c);
}

TEST(MinLaws, Commutes) { Check("commutes", Commutes); }
TEST(MinLaws, IsIdempotent) { Check("is-idempotent", IsIdempotent); }
TEST(MinLaws, Associates) { Check("associates", Associates); }
TEST(MinLaws, BitwiseMaskIsContiguous) {
  Check("bitwise-mask-is-contiguous", BitwiseMaskIsContiguous);
}
TEST(MinLaws, ComplementaryMasksAreWhole) {
  Check("complementary-masks-are-whole", ComplementaryMasksAreWhole);
}
TEST(MinLaws, RepeatIsSingleRepeats) {
  Check("repeat-is-single-repeats", RepeatIsSingleRepeats);
}
TEST(MinLaws, RunningMinimumHasNoOrder) {
  Check("running-minimum-has-no-order", RunningMinimumHasNoOrder);
}
TEST(MinLaws, CountIsMasks) { Check("count-is-masks", CountIsMasks); }
TEST(MinLaws, RegisterMaskIsBitwiseMask) {
  Check("register-mask-is-bitwise-mask", RegisterMaskIsBitwiseMask);
}
TEST(MinLaws, EmulatorAgreesWithOracle) {
  Check("emulator-agrees-with-oracle", EmulatorAgreesWithOracle);
}

}  // namespace
}  // namespace lanediff::properties
