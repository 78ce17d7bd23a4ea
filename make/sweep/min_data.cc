// Values, and combinations of parameter classes.
#include <fmt/format.h>

#include <algorithm>

#include "isa/memory_map.h"
#include "make/sweep/min.h"
#include "make/sweep/pairwise.h"

namespace lanediff::make::sweep::minimum {
namespace {

std::optional<Sketch> Combine(const std::vector<std::size_t>& row) {
  static constexpr Product kProducts[] = {
      Product::kAtlasA2, Product::kAtlas200i500A2,
      Product::kAtlasInferenceAicore, Product::kAtlasTraining,
      Product::kAtlasInferenceVectorcore};
  static constexpr DType kTypes[] = {DType::kHalf, DType::kFloat, DType::kInt16,
                                     DType::kInt32, DType::kUint16};
  static constexpr Position kPositions[] = {
      Position::kVecin, Position::kVeccalc, Position::kVecout};
  static constexpr std::int64_t kMasks[] = {1, 15, 16, 17, 63, 64, 127, 128};
  static constexpr std::int64_t kRepeats[] = {0, 1, 2, 3, 17, 40};
  static constexpr std::int64_t kBlk[] = {1, 0, 2, 9};
  static constexpr std::int64_t kRep[] = {8, 0, 1, 7, 9};
  const DType dtype = kTypes[row[1]];
  const std::int64_t mask =
      std::min(kMasks[row[7]], 256 / isa::SizeBytes(dtype));
  const isa::SetVectorMask lanes = FirstLanes(mask);
  const bool set_mask = row[3] < 2;
  Case c = MakeCase(
      {.product = kProducts[row[0]],
       .dtype = dtype,
       .form = static_cast<std::uint8_t>(row[2]),
       .count = kMasks[row[7]] * (kRepeats[row[8]] + 1),
       .mask = mask,
       .words = {lanes.low & ~std::uint64_t{row[15] * 2}, lanes.high},
       .repeat = kRepeats[row[8]],
       .strides = {std::max<std::int64_t>(1, kBlk[row[9]]), kBlk[row[10]],
                   kBlk[row[11]], kRep[row[12]], kRep[row[13]], kRep[row[14]]},
       .set_mask = set_mask});
  if (!Ub(c)) return std::nullopt;
  S(c).dst.position = kPositions[row[4]];
  S(c).src0.position = kPositions[row[5]];
  S(c).src1.position = kPositions[row[6]];
  if (row[16] == 1) S(c).dst.at = S(c).src0.at;
  if (row[16] == 2) S(c).dst.at = S(c).src1.at;
  if (row[16] == 3) S(c).src1.at = S(c).src0.at;
  for (const auto* o : {&S(c).dst, &S(c).src0, &S(c).src1}) {
    Ub(c)->size = std::max(Ub(c)->size, o->at + o->bytes);
  }
  if (!set_mask) Prepend(c, lanes);
  if (c.product == Product::kAtlasA2) {
    Prepend(c, isa::SetSaturation{.enabled = row[15] == 0});
  }
  return Sketch{.what = fmt::format("pairwise: classes {}", RowText(row)),
                .rule = std::nullopt,
                .c = std::move(c),
                .data = static_cast<Data>(row[17])};
}

}  // namespace

/// Every pair of special values, both ways round, in both modes.
void SweepValues(Emitter& out) {
  for (DType dtype :
       {DType::kHalf, DType::kFloat, DType::kInt16, DType::kInt32}) {
    const auto& values = SpecialValues(dtype);
    for (std::size_t a = 0; a < values.size(); ++a) {
      for (bool saturate : {true, false}) {
        for (bool swap : {true, false}) {
          for (std::uint8_t form : {Min::kCount, Min::kContiguous}) {
            out.Add([&]() -> std::optional<Sketch> {
              const auto n = static_cast<std::int64_t>(values.size());
              Case c = MakeCase({.dtype = dtype,
                                 .form = form,
                                 .count = n,
                                 .mask = n,
                                 .repeat = 1});
              const std::vector<std::uint64_t> same(values.size(), values[a]);
              PutElements(c, isa::Memory::kUb, dtype, S(c).src0.at,
                          swap ? values : same);
              PutElements(c, isa::Memory::kUb, dtype, S(c).src1.at,
                          swap ? same : values);
              Prepend(c, isa::SetSaturation{.enabled = saturate});
              return Sketch{
                  .what = fmt::format("values: {} value {} {} every value{}{}",
                                      isa::Name(dtype), a,
                                      swap ? "behind" : "before",
                                      saturate ? ", saturating" : "",
                                      form == Min::kCount ? ", count" : ""),
                  .rule = saturate ? min::kValue : isa::arith::kZeroSign,
                  .c = std::move(c)};
            });
          }
        }
      }
    }
  }
}

void SweepClasses(Emitter& out) {
  SweepRows(out, {5, 5, 3, 3, 3, 3, 3, 8, 6, 4, 4, 4, 5, 5, 5, 2, 4, 8}, 24,
            Combine);
}

}  // namespace lanediff::make::sweep::minimum
