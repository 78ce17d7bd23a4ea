#pragma once

#include <fmt/format.h>

#include "generators/boundary/pairwise.h"
#include "generators/boundary/reduce_sum.h"

/// See `ReduceSumModule`: values, and combinations of parameter classes.
namespace lanediff::make::sweep {

/// Classes of parameters; every pair of them meets.
struct ReduceSumClasses {
  std::vector<Product> product = {
      Product::kAtlasA2, Product::kAtlasInferenceAicore,
      Product::kAtlasTraining, Product::kAtlasA2, Product::kAtlasA3};
  std::vector<DType> dtype = {DType::kHalf, DType::kFloat, DType::kHalf,
                              DType::kFloat, DType::kInt16};
  std::vector<Position> dst = {Position::kVecin, Position::kVeccalc,
                               Position::kVecout};
  std::vector<Position> src = dst;
  std::vector<std::int64_t> repeat = {0, 1, 2, 3, 17, 64};
  std::vector<std::int64_t> elems = {1, 2, 15, 16, 17, 63, 64, 127, 128};
  std::vector<bool> set_mask = {true, true, false};
  std::vector<std::int64_t> src_blk = {0, 1, 2, 9};
  std::vector<std::int64_t> dst_rep = {0, 1, 2, 16, 128};
  std::vector<std::int64_t> src_rep = {0, 1, 7, 8, 9, 32};
  std::vector<std::int64_t> dst_blk = {0, -1, 2147483647, -2147483648};
  /// Layout: apart, in place, dst before, behind and inside src.
  std::vector<std::int64_t> layout = {0, 0, 1, 2, 3, 4};
  std::vector<bool> saturate = {true, false};
  std::vector<std::size_t> data = {0, 1, 2, 3, 4, 5, 6, 7};
};

template <ReduceSum Call>
void LayReduceSum(Case& c, std::int64_t layout) {
  auto& s = Subject<Call>(c);
  const std::int64_t bytes = isa::SizeBytes(s.dtype);
  auto& image = *Ub(c);
  image.size = (image.size + 127) / 128 * 128 + 512;
  switch (layout) {
    case 1:
      s.dst.at = s.src.at;
      break;
    case 2:
      s.dst.at = s.src.at - bytes;
      break;
    case 3:
      s.dst.at = s.src.at + s.src.bytes;
      break;
    case 4:
      s.dst.at = s.src.at + s.src.bytes / 2 / bytes * bytes;
      break;
    default:
      return;
  }
  image.size = std::max(image.size, s.dst.at + s.dst.bytes);
}

template <ReduceSum Call>
std::optional<Sketch> ReduceSumModule<Call>::Combine(
    const std::vector<std::size_t>& row) {
  const ReduceSumClasses k;
  const DType dtype = k.dtype[row[1]];
  const std::int64_t lanes = isa::kIterationBytes / isa::SizeBytes(dtype);
  const ReduceSumShape shape = {.product = k.product[row[0]],
                                .dtype = dtype,
                                .repeat = k.repeat[row[4]],
                                .elems = std::min(k.elems[row[5]], lanes),
                                .src_blk = k.src_blk[row[7]],
                                .dst_rep = k.dst_rep[row[8]],
                                .src_rep = k.src_rep[row[9]],
                                .set_mask = k.set_mask[row[6]]};
  Case c = MakeCase(shape);
  if constexpr (kHasMaskWords<Call>) {
    // One of the two classes with a mask of their own has words, with holes of
    // as many kinds as there are strides that the other call ignores.
    if (row[6] == 1) {
      const isa::SetVectorMask mask = FirstLanes(shape.elems);
      const std::uint64_t holes = row[10] * 0x1111111111111110;
      c = MakeCase(shape, {mask.low & ~holes, mask.high & ~holes});
    }
  }
  if (!Ub(c)) return std::nullopt;
  S(c).dst.position = k.dst[row[2]];
  S(c).src.position = k.src[row[3]];
  if constexpr (!kHasMaskWords<Call>) {
    S(c).dst_blk_stride = k.dst_blk[row[10]];
  }
  LayReduceSum<Call>(c, k.layout[row[11]]);
  if (!S(c).is_set_mask) {
    Prepend(c, FirstLanes(k.elems[row[5]]));
  }
  if (c.product == Product::kAtlasA2 || c.product == Product::kAtlasA3) {
    Prepend(c, isa::SetSaturation{.enabled = k.saturate[row[12]]});
  }
  return Sketch{.what = fmt::format("pairwise: classes {}", RowText(row)),
                .rule = std::nullopt,
                .c = std::move(c),
                .data = static_cast<Data>(k.data[row[13]])};
}

/// Every pair of special values meets in a node of every depth: lane 0 and lane
/// 2^depth alone take part, or among neutral lanes.
template <ReduceSum Call>
void ReduceSumModule<Call>::SweepNodes(Emitter& out) {
  for (DType dtype : {DType::kHalf, DType::kFloat}) {
    const auto& values = SpecialValues(dtype);
    const std::int64_t lanes = 256 / isa::SizeBytes(dtype);
    for (std::int64_t distance = 1; distance < lanes; distance *= 2) {
      for (std::size_t a = 0; a < values.size(); ++a) {
        for (bool saturate : {true, false}) {
          for (bool neighbours : {false, true}) {
            out.Add([&]() -> std::optional<Sketch> {
              const auto n = static_cast<std::int64_t>(values.size());
              Case c = MakeCase({.dtype = dtype,
                                 .repeat = n,
                                 .elems = lanes,
                                 .set_mask = neighbours});
              for (std::int64_t b = 0; b < n; ++b) {
                std::vector<std::uint64_t> row(
                    static_cast<std::size_t>(lanes),
                    neighbours ? MinusZeroOf(dtype) : OneOf(dtype));
                row[0] = values[a];
                row[static_cast<std::size_t>(distance)] =
                    values[static_cast<std::size_t>(b)];
                PutElements(c, isa::Memory::kUb, dtype, S(c).src.at + 256 * b,
                            row);
              }
              isa::SetVectorMask mask = OneLane(distance);
              mask.low |= 1;
              Prepend(c, mask);
              Prepend(c, isa::SetSaturation{.enabled = saturate});
              return Sketch{
                  .what = fmt::format(
                      "nodes: {} value {} with every value {} lanes on{}{}",
                      isa::Name(dtype), a, distance,
                      saturate ? ", saturating" : "",
                      neighbours ? ", among minus zeros" : ""),
                  .rule = dtype == DType::kHalf && saturate ? kRule<"-SATURATE">
                                                            : isa::arith::kNan,
                  .c = std::move(c)};
            });
          }
        }
      }
    }
  }
}

/// Whole trees over each kind of data, every number of lanes.
template <ReduceSum Call>
void ReduceSumModule<Call>::SweepTrees(Emitter& out) {
  for (DType dtype : {DType::kHalf, DType::kFloat}) {
    for (std::int64_t elems = 1; elems <= 256 / isa::SizeBytes(dtype);
         ++elems) {
      for (std::size_t data = 0; data < kDataCount; ++data) {
        for (bool saturate : {true, false}) {
          out.Add([&]() -> std::optional<Sketch> {
            Case c = MakeCase({.dtype = dtype, .repeat = 2, .elems = elems});
            Prepend(c, isa::SetSaturation{.enabled = saturate});
            const Data kind = static_cast<Data>(data);
            return Sketch{
                .what = fmt::format("trees: {} lanes of {}, {}{}", elems,
                                    isa::Name(dtype), DataName(kind),
                                    saturate ? ", saturating" : ""),
                .rule = kind == Data::kTies         ? isa::arith::kRound
                        : kind == Data::kSubnormals ? isa::arith::kSubnormal
                                                    : kRule<"-TREE">,
                .c = std::move(c),
                .data = kind};
          });
        }
      }
    }
  }
}

template <ReduceSum Call>
void ReduceSumModule<Call>::SweepClasses(Emitter& out) {
  const ReduceSumClasses k;
  const std::vector<std::size_t> sizes = {
      k.product.size(),  k.dtype.size(),   k.dst.size(),      k.src.size(),
      k.repeat.size(),   k.elems.size(),   k.set_mask.size(), k.src_blk.size(),
      k.dst_rep.size(),  k.src_rep.size(), k.dst_blk.size(),  k.layout.size(),
      k.saturate.size(), k.data.size()};
  SweepRows(out, sizes, 24, Combine);
}

}  // namespace lanediff::make::sweep
