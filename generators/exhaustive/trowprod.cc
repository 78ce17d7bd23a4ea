#include <optional>

#include "generators/exhaustive/parameter_space.h"

namespace lanediff::make::exhaust {
namespace {

using Call = isa::Trowprod;
using D = Draft<Call>;
using isa::DType;
using isa::Layout;
using isa::Order;
using isa::Tile;

constexpr std::int64_t kUbBytes = 4096;
constexpr std::int64_t kSrc = 1024;

Axis<Call> FromSrc(std::string_view field, Tile Call::* tile,
                   std::vector<std::int64_t> offsets) {
  return Numbers<Call>(field, std::move(offsets), [tile](D& d, std::int64_t v) {
    (d.call.*tile).at = d.call.src.at + v;
  });
}

Axis<Call> Orders(std::vector<std::optional<Order>> orders) {
  std::vector<std::pair<std::string, std::optional<Order>>> named;
  for (const auto& order : orders) {
    named.emplace_back(order ? isa::Name(*order) : "none", order);
  }
  return Named<Call>(
      "order", std::move(named),
      [](D& d, const std::optional<Order>& v) { d.call.order = v; });
}

Axis<Call> Types() {
  return Member("dtype", &Call::dtype,
                {DType::kHalf, DType::kFloat, DType::kInt16});
}

Axis<Call> Layouts(std::string_view field, Tile Call::* tile) {
  return Member(field, tile, &Tile::layout, {Layout::kNd, Layout::kDn});
}

/// The tiles' shapes and layouts, out of each other's way.
Grid<Call> Shapes() {
  return {
      "shapes",
      {Types(), Layouts("src.layout", &Call::src),
       Member("src.rows", &Call::src, &Tile::rows, {0, 1, 3}),
       Member("src.cols", &Call::src, &Tile::cols, {8, 16, 32}),
       Member("src.validRow", &Call::src, &Tile::valid_row, {-1, 0, 1, 3, 4}),
       Member("src.validCol", &Call::src, &Tile::valid_col,
              {-1, 0, 1, 2, 9, 17, 32, 33}),
       Layouts("dst.layout", &Call::dst),
       Member("dst.rows", &Call::dst, &Tile::rows, {2, 8, 16}),
       Member("dst.cols", &Call::dst, &Tile::cols, {1, 8, 16}),
       Numbers<Call>("dst.validRow-src.validRow", {0, 1},
                     [](D& d, std::int64_t v) {
                       d.call.dst.valid_row = d.call.src.valid_row + v;
                     }),
       Numbers<Call>(
           "tmp.rows-src.rows", {0, 1},
           [](D& d, std::int64_t v) { d.call.tmp.rows = d.call.src.rows + v; }),
       Orders({std::nullopt, Order::kBlockLanes, Order::kRegisterLanes,
               Order::kLeftFold}),
       FromSrc("dst.at-src.at", &Call::dst, {-1024}),
       FromSrc("tmp.at-src.at", &Call::tmp, {1024})}};
}

/// The tiles around each other. TRP-OVERLAP looks at whole tiles.
Grid<Call> Places() {
  return {"places",
          {Types(), Layouts("dst.layout", &Call::dst),
           Member("src.rows", &Call::src, &Tile::rows, {1, 2, 3}),
           Member("src.cols", &Call::src, &Tile::cols, {16, 32}),
           Numbers<Call>("src.cols-src.validCol", {0, 15},
                         [](D& d, std::int64_t v) {
                           Tile& src = d.call.src;
                           src.valid_col = src.cols - v;
                           src.valid_row = src.rows;
                           d.call.dst.valid_row = src.rows;
                           d.call.tmp.rows = src.rows;
                         }),
           Member("dst.rows", &Call::dst, &Tile::rows, {16, 32}),
           Member("dst.cols", &Call::dst, &Tile::cols, {1, 16}),
           Member("src.at", &Call::src, &Tile::at, {kSrc, kSrc + 16}),
           FromSrc("dst.at-src.at", &Call::dst,
                   {-1056, -1024, -576, -544, -512, -480, -96, -64, -32, -16,
                    0,     32,    64,   96,   128,  192,  224, 256, 352, 384}),
           FromSrc("tmp.at-src.at", &Call::tmp,
                   {-1056, -1024, -512, -224, -192, -96, -64, -32,
                    -16,   0,     32,   64,   96,   128, 160, 192,
                    256,   384,   2688, 2976, 3008, 3040})}};
}

/// What no axis has set follows from what one has.
void Finish(D& d) {
  const Tile& src = d.call.src;
  Tile& tmp = d.call.tmp;
  d.call.dst.valid_col = 1;
  tmp.cols = src.cols;
  tmp.valid_row = src.valid_row;
  tmp.valid_col = src.valid_col;
}

}  // namespace

std::unique_ptr<Space> ParametersOf(const isa::Trowprod&) {
  D start = OnUb<Call>(kUbBytes);
  start.call.src.at = kSrc;
  return std::make_unique<ParameterSpace<Call>>(
      Call::kSlug, std::move(start), std::vector{Shapes(), Places()}, Finish);
}

}  // namespace lanediff::make::exhaust
