// Complete tables of routes and types, and places.
#include <fmt/format.h>

#include <algorithm>

#include "generators/boundary/data_copy.h"
#include "isa/memory_map.h"

namespace lanediff::make::sweep::data_copy {

/// The complete tables: every product, every two positions, every type, in both
/// forms.
void SweepRoutes(Emitter& out) {
  for (Product product : kEveryProduct) {
    for (Position src : kEveryPosition) {
      for (Position dst : kEveryPosition) {
        for (DType dtype : kEveryDType) {
          for (bool params : {true, false}) {
            out.Add([&] {
              return Sketch{
                  .what = fmt::format("routes: {} to {} of {} on {}{}",
                                      isa::Name(src), isa::Name(dst),
                                      isa::Name(dtype), isa::Name(product),
                                      params ? "" : ", count"),
                  .rule = src == Position::kVecin && dst == Position::kVecout
                              ? dc::kRouteExample
                          : dtype == DType::kBfloat16 ? dc::kDtype
                          : product == Product::kAtlas200_300_500 ||
                                  product == Product::kAtlasTraining
                              ? dc::kProduct
                              : dc::kRoute,
                  .c = MakeCase({.product = product,
                                 .dtype = dtype,
                                 .src = src,
                                 .dst = dst,
                                 .params = params}),
                  .data = Data::kBits};
            });
          }
        }
      }
    }
  }
}

/// Two types: every pair on the one route, the one pair on every route.
void SweepMixed(Emitter& out) {
  const auto add = [&](Product product, Position src, Position dst, DType from,
                       DType to, bool params) {
    out.Add([&]() -> std::optional<Sketch> {
      Case c = MakeCase({.product = product,
                         .src = src,
                         .dst = dst,
                         .params = params,
                         .blocks = {1, 2, 0, 0}});
      S(c).src.dtype = from;
      S(c).dst.dtype = to;
      if (!Place(c)) return std::nullopt;
      return Sketch{.what = fmt::format(
                        "types: {} at {} to {} at {} on {}{}", isa::Name(from),
                        isa::Name(src), isa::Name(to), isa::Name(dst),
                        isa::Name(product), params ? "" : ", count"),
                    .rule = dc::kMixed,
                    .c = std::move(c)};
    });
  };
  for (Product product : kEveryProduct) {
    for (bool params : {true, false}) {
      for (DType from : kEveryDType) {
        for (DType to : kEveryDType) {
          add(product, Position::kC1, Position::kC2, from, to, params);
          add(product, Position::kVecin, Position::kVeccalc, from, to, params);
        }
      }
      for (Position src : kEveryPosition) {
        for (Position dst : kEveryPosition) {
          add(product, src, dst, DType::kHalf, DType::kFloat, params);
        }
      }
    }
  }
}

/// Each byte of misplacement at each position and type, both ends.
void SweepPlaces(Emitter& out) {
  for (Product product : {Product::kAtlasA2, Product::kAtlasTraining}) {
    for (Position src : kEveryPosition) {
      for (Position dst : kEveryPosition) {
        for (DType dtype :
             {DType::kInt8, DType::kHalf, DType::kFloat, DType::kDouble}) {
          for (std::int64_t shift : {1, 2, 4, 8, 16, 32, 33, 64, 96, 128}) {
            for (bool of_dst : {true, false}) {
              out.Add([&]() -> std::optional<Sketch> {
                Case c = MakeCase({.product = product,
                                   .dtype = dtype,
                                   .src = src,
                                   .dst = dst,
                                   .blocks = {1, 1, 0, 0}});
                const std::size_t k = of_dst ? 0 : 1;
                if (!Place(c, k)) return std::nullopt;
                (of_dst ? S(c).dst : S(c).src).at += shift;
                auto& size =
                    c.memory[static_cast<std::size_t>(MemoryOf(c, k))]->size;
                size += shift;
                return Sketch{
                    .what = fmt::format("places: {} {:+} bytes, {} to {} of {}"
                                        " on {}",
                                        of_dst ? "dst" : "src", shift,
                                        isa::Name(src), isa::Name(dst),
                                        isa::Name(dtype), isa::Name(product)),
                    .rule = of_dst ? dc::kDstAlign : dc::kSrcAlign,
                    .c = std::move(c)};
              });
            }
          }
        }
      }
    }
  }
}

}  // namespace lanediff::make::sweep::data_copy
