#include <optional>

#include "generators/exhaustive/parameter_space.h"

namespace lanediff::make::exhaust {
namespace {

using isa::DType;
using isa::Layout;
using isa::Order;
using isa::Tile;

constexpr std::int64_t kUbBytes = 4096;
constexpr std::int64_t kSrcAt = 1024;
/// The numbers of the tiles.
constexpr std::size_t kDst = 0;
constexpr std::size_t kSrc = 1;
constexpr std::size_t kTmp = 2;

/// A member of tile `i`.
Axis Member(std::string_view field, std::size_t i, std::int64_t Tile::* member,
            std::vector<std::int64_t> values) {
  return Numbers(field, std::move(values), [=](Draft& d, std::int64_t v) {
    d.call.tiles[i].*member = v;
  });
}

/// A member of tile `i`, from the same one of src on.
Axis FromSrc(std::string_view field, std::size_t i, std::int64_t Tile::* member,
             std::vector<std::int64_t> offsets) {
  return Numbers(field, std::move(offsets), [=](Draft& d, std::int64_t v) {
    d.call.tiles[i].*member = d.call.tiles[kSrc].*member + v;
  });
}

Axis Orders(std::vector<std::optional<Order>> orders) {
  std::vector<std::pair<std::string, std::optional<Order>>> named;
  for (const auto& order : orders) {
    named.emplace_back(order ? isa::Name(*order) : "none", order);
  }
  return Named(
      "order", std::move(named),
      [](Draft& d, const std::optional<Order>& v) { d.call.order = v; });
}

Axis OwnTypes() { return Types({DType::kHalf, DType::kFloat, DType::kInt16}); }

Axis Layouts(std::string_view field, std::size_t i) {
  return Words(field, std::vector{Layout::kNd, Layout::kDn},
               [i](Draft& d, Layout v) { d.call.tiles[i].layout = v; });
}

/// The tiles' shapes and layouts, out of each other's way.
Grid Shapes() {
  return {"shapes",
          {OwnTypes(), Layouts("src.layout", kSrc),
           Member("src.rows", kSrc, &Tile::rows, {0, 1, 3}),
           Member("src.cols", kSrc, &Tile::cols, {8, 16, 32}),
           Member("src.validRow", kSrc, &Tile::valid_row, {-1, 0, 1, 3, 4}),
           Member("src.validCol", kSrc, &Tile::valid_col,
                  {-1, 0, 1, 2, 9, 17, 32, 33}),
           Layouts("dst.layout", kDst),
           Member("dst.rows", kDst, &Tile::rows, {2, 8, 16}),
           Member("dst.cols", kDst, &Tile::cols, {1, 8, 16}),
           FromSrc("dst.validRow-src.validRow", kDst, &Tile::valid_row, {0, 1}),
           FromSrc("tmp.rows-src.rows", kTmp, &Tile::rows, {0, 1}),
           Orders({std::nullopt, Order::kBlockLanes, Order::kRegisterLanes,
                   Order::kLeftFold}),
           FromSrc("dst.at-src.at", kDst, &Tile::at, {-1024}),
           FromSrc("tmp.at-src.at", kTmp, &Tile::at, {1024})}};
}

/// The tiles around each other. TRP-OVERLAP looks at whole tiles.
Grid Places() {
  return {"places",
          {OwnTypes(), Layouts("dst.layout", kDst),
           Member("src.rows", kSrc, &Tile::rows, {1, 2, 3}),
           Member("src.cols", kSrc, &Tile::cols, {16, 32}),
           Numbers("src.cols-src.validCol", {0, 15},
                   [](Draft& d, std::int64_t v) {
                     auto& [dst, src, tmp] = d.call.tiles;
                     src.valid_col = src.cols - v;
                     src.valid_row = dst.valid_row = tmp.rows = src.rows;
                   }),
           Member("dst.rows", kDst, &Tile::rows, {16, 32}),
           Member("dst.cols", kDst, &Tile::cols, {1, 16}),
           Member("src.at", kSrc, &Tile::at, {kSrcAt, kSrcAt + 16}),
           FromSrc("dst.at-src.at", kDst, &Tile::at,
                   {-1056, -1024, -576, -544, -512, -480, -96, -64, -32, -16,
                    0,     32,    64,   96,   128,  192,  224, 256, 352, 384}),
           FromSrc("tmp.at-src.at", kTmp, &Tile::at,
                   {-1056, -1024, -512, -224, -192, -96, -64, -32,
                    -16,   0,     32,   64,   96,   128, 160, 192,
                    256,   384,   2688, 2976, 3008, 3040})}};
}

/// What no axis has set follows from what one has.
void FinishTiles(isa::Call& call) {
  auto& [dst, src, tmp] = call.tiles;
  dst.valid_col = 1;
  tmp.cols = src.cols;
  tmp.valid_row = src.valid_row;
  tmp.valid_col = src.valid_col;
}

}  // namespace

std::unique_ptr<Space> TileParameters(const isa::Signature& row) {
  isa::Call start = isa::CallOf(row);
  start.tiles[kSrc].at = kSrcAt;
  return ParameterSpaceOf(start, kUbBytes, {Shapes(), Places()}, FinishTiles);
}

}  // namespace lanediff::make::exhaust
