// Orders, values, and combinations of parameter classes.
#include <fmt/format.h>

#include <algorithm>

#include "differential/testcase/element.h"
#include "generators/boundary/pairwise.h"
#include "generators/boundary/trowprod.h"
#include "isa/memory_map.h"

namespace lanediff::make::sweep::trowprod {
namespace {

constexpr DType kEveryFactor[] = {DType::kFloat, DType::kHalf, DType::kInt32,
                                  DType::kInt16};

std::uint64_t TwoOf(DType type) {
  if (!IsFloating(type)) return 2;
  return OneOf(type) + (type == DType::kHalf ? 0x400 : 0x800000);
}

/// Columns at and around every edge of blocks, repeats and powers of two.
std::vector<std::int64_t> InterestingColumns() {
  std::vector<std::int64_t> columns;
  for (std::int64_t n = 1; n <= 40; ++n) columns.push_back(n);
  for (std::int64_t n = 64; n <= 1024; n += 64) {
    for (std::int64_t d : {-1, 0, 1, 17}) {
      if (n + d <= 1024) columns.push_back(n + d);
    }
  }
  return columns;
}

std::optional<Sketch> Combine(const std::vector<std::size_t>& row) {
  static constexpr Product kProducts[] = {Product::kAtlasA2, Product::kAtlasA3,
                                          Product::kAtlas200i500A2};
  static constexpr DType kTypes[] = {DType::kFloat, DType::kHalf, DType::kInt32,
                                     DType::kInt16};
  static constexpr std::int64_t kRows[] = {1, 2, 15, 16, 17};
  static constexpr std::int64_t kColumns[] = {1,  2,   15,  16,  63,
                                              64, 127, 128, 129, 300};
  std::optional<Order> order;
  if (row[5] < kEveryOrder.size()) order = kEveryOrder[row[5]];
  Case c = MakeCase({.product = kProducts[row[0]],
                     .dtype = kTypes[row[1]],
                     .rows = kRows[row[2]],
                     .columns = kColumns[row[3]],
                     .dst_layout = row[4] == 0 ? Layout::kDn : Layout::kNd,
                     .order = order,
                     .spare_columns = static_cast<std::int64_t>(row[6]) * 16});
  S(c).tmp.valid_col = static_cast<std::int64_t>(row[7]);
  if (row[8] == 1) S(c).dst.at = S(c).src.at + 32;
  if (c.product != Product::kAtlas200i500A2) {
    Prepend(c, isa::SetSaturation{.enabled = row[9] == 0});
  }
  return Sketch{.what = fmt::format("pairwise: classes {}", RowText(row)),
                .rule = std::nullopt,
                .c = std::move(c),
                .data = static_cast<Data>(row[10])};
}

}  // namespace

void SweepColumns(Emitter& out) {
  static constexpr Data kKinds[] = {Data::kNearOne, Data::kSpecial,
                                    Data::kSubnormals, Data::kTies};
  for (DType dtype : {DType::kFloat, DType::kHalf}) {
    for (Order order : kEveryOrder) {
      for (std::int64_t columns : InterestingColumns()) {
        for (Data data : kKinds) {
          for (bool saturate : {true, false}) {
            // Only half has a mode.
            if (dtype == DType::kFloat && !saturate) continue;
            out.Add([&] {
              Case c = MakeCase({.dtype = dtype,
                                 .rows = 1,
                                 .columns = columns,
                                 .order = order,
                                 .spare_columns = columns % 3});
              Prepend(c, isa::SetSaturation{.enabled = saturate});
              return Sketch{.what = fmt::format(
                                "columns: {} of {} in order {}, {}{}", columns,
                                isa::Name(dtype), isa::Name(order),
                                DataName(data), saturate ? ", saturating" : ""),
                            .rule = trp::kOrder,
                            .c = std::move(c),
                            .data = data};
            });
          }
        }
      }
    }
  }
}

/// One column of a row of ones is another number: every column counts once.
void SweepSingleColumns(Emitter& out) {
  for (DType dtype : kEveryFactor) {
    const std::uint64_t two = TwoOf(dtype);
    for (std::int64_t columns :
         {3, 64, 128, 130, 192, 256, 320, 384, 448, 512, 640, 768, 1024}) {
      for (std::int64_t first = 0; first < columns; first += 16) {
        out.Add([&] {
          const std::int64_t rows = std::min<std::int64_t>(16, columns - first);
          Case c = MakeCase({.dtype = dtype, .rows = rows, .columns = columns});
          std::vector<std::uint64_t> values;
          for (std::int64_t r = 0; r < rows; ++r) {
            for (std::int64_t j = 0; j < S(c).src.cols; ++j) {
              // Columns behind the valid ones would show as well.
              const bool odd = j == first + r || j >= columns;
              values.push_back(odd ? two : OneOf(dtype));
            }
          }
          PutElements(c, isa::Memory::kUb, dtype, S(c).src.at, values);
          return Sketch{.what = fmt::format("single columns: from {} of {} {}",
                                            first, columns, isa::Name(dtype)),
                        .rule = trp::kAddress,
                        .c = std::move(c)};
        });
      }
    }
  }
}

/// Every pair of special values in two columns, `distance` apart.
void SweepValues(Emitter& out) {
  for (DType dtype : kEveryFactor) {
    const auto& values = SpecialValues(dtype);
    for (std::size_t a = 0; a < values.size(); ++a) {
      for (Order order : kEveryOrder) {
        for (std::int64_t distance : {1, 4, 16, 64, 128}) {
          for (bool saturate : {true, false}) {
            out.Add([&] {
              const auto n = static_cast<std::int64_t>(values.size());
              Case c = MakeCase({.dtype = dtype,
                                 .rows = n,
                                 .columns = distance + 1,
                                 .order = order});
              for (std::int64_t b = 0; b < n; ++b) {
                std::vector<std::uint64_t> row(
                    static_cast<std::size_t>(S(c).src.cols), OneOf(dtype));
                row[0] = values[a];
                row[static_cast<std::size_t>(distance)] =
                    values[static_cast<std::size_t>(b)];
                PutElements(
                    c, isa::Memory::kUb, dtype,
                    S(c).src.at + b * S(c).src.cols * isa::SizeBytes(dtype),
                    row);
              }
              Prepend(c, isa::SetSaturation{.enabled = saturate});
              return Sketch{
                  .what = fmt::format(
                      "values: {} value {} with every value {} columns on in "
                      "order {}{}",
                      isa::Name(dtype), a, distance, isa::Name(order),
                      saturate ? ", saturating" : ""),
                  .rule = IsFloating(dtype) ? trp::kSaturate
                                            : trp::kIntegerOverflow,
                  .c = std::move(c)};
            });
          }
        }
      }
    }
  }
}

void SweepClasses(Emitter& out) {
  SweepRows(out, {3, 4, 5, 10, 2, 5, 3, 2, 4, 2, 8}, 24, Combine);
}

}  // namespace lanediff::make::sweep::trowprod
