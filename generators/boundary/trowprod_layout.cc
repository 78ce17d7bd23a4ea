// Layouts of the tiles and overlap.
#include <fmt/format.h>

#include <algorithm>

#include "generators/boundary/trowprod.h"
#include "isa/memory_map.h"

namespace lanediff::make::sweep::trowprod {

/// Layouts of the three tiles with each number of columns of dst.
void SweepLayouts(Emitter& out) {
  for (DType dtype : {DType::kFloat, DType::kHalf}) {
    for (int layouts = 0; layouts < 8; ++layouts) {
      for (std::int64_t cols : {0, 1, 2, 7, 8, 16}) {
        for (std::int64_t rows : {1, 2, 8, 16, 17}) {
          out.Add([&]() -> std::optional<Sketch> {
            Case c = MakeCase(
                {.dtype = dtype, .rows = 16, .columns = 8, .spare_columns = 8});
            Trowprod& s = S(c);
            const auto layout = [&](int bit) {
              return (layouts >> bit & 1) != 0 ? Layout::kDn : Layout::kNd;
            };
            s.dst.layout = layout(0);
            s.src.layout = layout(1);
            s.tmp.layout = layout(2);
            s.dst.cols = cols;
            s.dst.rows = rows;
            s.dst.valid_row = s.src.valid_row =
                std::min<std::int64_t>(rows, 16);
            if (!Place(c)) return std::nullopt;
            return Sketch{
                .what = fmt::format("layouts: {} {} {}, dst {} by {} "
                                    "of {}",
                                    isa::Name(layout(0)), isa::Name(layout(1)),
                                    isa::Name(layout(2)), rows, cols,
                                    isa::Name(dtype)),
                .rule = (layouts & 6) != 0   ? trp::kSrcLayout
                        : (layouts & 1) != 0 ? trp::kDstLayout
                                             : trp::kDstNdDeprecated,
                .c = std::move(c)};
          });
        }
      }
    }
  }
}

/// Rows whose number needs more than 8 bits.
void SweepManyRows(Emitter& out) {
  for (DType dtype : {DType::kFloat, DType::kHalf}) {
    for (Order order : kEveryOrder) {
      for (Layout layout : {Layout::kDn, Layout::kNd}) {
        for (std::int64_t rows : {255, 256, 257, 272}) {
          out.Add([&] {
            return Sketch{
                .what = fmt::format("many rows: {} of {} in order {}", rows,
                                    isa::Name(dtype), isa::Name(order)),
                .rule = trp::kAddress,
                .c = MakeCase({.dtype = dtype,
                               .rows = rows,
                               .columns = 3,
                               .dst_layout = layout,
                               .order = order}),
                .data = Data::kNearOne};
          });
        }
      }
    }
  }
}

/// Each tile moved over each other one, by DataBlocks.
void SweepOverlap(Emitter& out) {
  for (int mover = 0; mover < 3; ++mover) {
    for (int other = 0; other < 3; ++other) {
      for (std::int64_t block = -12; block <= 12; ++block) {
        for (Layout layout : {Layout::kDn, Layout::kNd}) {
          out.Add([&]() -> std::optional<Sketch> {
            if (mover == other) return std::nullopt;
            Case c = MakeCase({.rows = 8, .columns = 9, .dst_layout = layout});
            std::array<isa::Tile*, 3> tiles = {&S(c).dst, &S(c).src, &S(c).tmp};
            tiles[static_cast<std::size_t>(other)]->at = 4096;
            tiles[static_cast<std::size_t>(mover)]->at = 4096 + block * 32;
            tiles[static_cast<std::size_t>(3 - mover - other)]->at = 1024;
            Ub(c)->size = 8192;
            return Sketch{
                .what = fmt::format("tile {} against tile {}: {:+} "
                                    "DataBlocks, dst {}",
                                    mover, other, block, isa::Name(layout)),
                .rule = trp::kOverlap,
                .c = std::move(c)};
          });
        }
      }
    }
  }
}

}  // namespace lanediff::make::sweep::trowprod
