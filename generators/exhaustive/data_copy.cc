#include <fmt/format.h>

#include <optional>

#include "generators/exhaustive/parameter_space.h"
#include "isa/fields.h"

namespace lanediff::make::exhaust {
namespace {

using isa::DType;
using isa::Param;
using isa::Pipe;
using isa::Position;
using isa::Product;

constexpr std::int64_t kMemoryBytes = 1024;
constexpr std::int64_t kSrc = 256;

using Route = std::pair<Position, Position>;

Axis Routes(const std::vector<Route>& routes) {
  std::vector<std::pair<std::string, Route>> named;
  for (const auto& [src, dst] : routes) {
    named.emplace_back(fmt::format("{}>{}", isa::Name(src), isa::Name(dst)),
                       Route{src, dst});
  }
  return Named("route", std::move(named), [](Draft& d, const Route& v) {
    d.call.src(0).position = v.first;
    d.call.dst().position = v.second;
  });
}

Axis AllRoutes() {
  return Routes({{Position::kGm, Position::kVecin},
                 {Position::kGm, Position::kA1},
                 {Position::kVecin, Position::kVeccalc},
                 {Position::kVecin, Position::kVecout},
                 {Position::kVecout, Position::kGm},
                 {Position::kVecin, Position::kGm},
                 {Position::kVecin, Position::kTscm},
                 {Position::kA1, Position::kC2pipe2gm},
                 {Position::kC1, Position::kC2},
                 {Position::kA1, Position::kC2}});
}

Axis OwnTypes() {
  return Types({DType::kInt8, DType::kHalf, DType::kFloat, DType::kBfloat16});
}

Axis AllProducts() {
  return Products(
      {Product::kAtlasTraining, Product::kAtlasA2, Product::kAtlas200_300_500});
}

/// Its own type is float, or half where dtype is float.
Axis DstType() {
  return Named("dst.dtype",
               std::vector<std::pair<std::string, bool>>{
                   {"same", false}, {"float-or-half", true}},
               [](Draft& d, bool other) {
                 if (!other) return;
                 d.call.dst().dtype = d.call.dtype == DType::kFloat
                                          ? DType::kHalf
                                          : DType::kFloat;
               });
}

/// One of the four parameters of the other form.
Axis Block(const isa::Signature& row, Param param,
           std::vector<std::int64_t> values) {
  return Numbers(isa::NameOf(row, param), std::move(values),
                 [=, &row](Draft& d, std::int64_t v) {
                   d.call.form = row.FormWith(param);
                   d.call[param] = v;
                 });
}

Grid Counts(const isa::Signature& row) {
  return {"count",
          {AllProducts(), OwnTypes(), DstType(), AllRoutes(),
           Numbers("count",
                   {-1, 0, 1, 7, 8, 9, 15, 16, 17, 31, 32, 33, 64,
                    std::int64_t{1} << 32},
                   [](Draft& d, std::int64_t v) { d.call[Param::kCount] = v; }),
           SrcAt({kSrc, kSrc + 2}),
           FromSrc(row, 0, {-128, -64, -32, -2, 0, 2, 32, 64, 128})}};
}

Grid Blocks(const isa::Signature& row) {
  return {"params",
          {AllProducts(), OwnTypes(), DstType(), AllRoutes(),
           Block(row, Param::kBlockCount, {0, 1, 2, 3, 4096}),
           Block(row, Param::kBlockLen, {0, 1, 2, 65536}),
           Block(row, Param::kSrcGap, {-1, 0, 1, 2, 65536}),
           Block(row, Param::kDstGap, {-1, 0, 1, 2, 65536}),
           FromSrc(row, 0, {-64, -32, 0, 32, 64, 128, 256})}};
}

Axis Second(std::vector<std::int64_t> places) {
  return Numbers("second dst.at-dst.at", std::move(places),
                 [](Draft& d, std::int64_t v) {
                   isa::Call second = d.call;
                   second.dst().at += v;
                   d.after = {second};
                 });
}

Axis Barriers() {
  return Named("barrier",
               std::vector<std::pair<std::string, std::optional<Pipe>>>{
                   {"none", std::nullopt},
                   {"V", Pipe::kV},
                   {"MTE1", Pipe::kMte1},
                   {"MTE2", Pipe::kMte2},
                   {"MTE3", Pipe::kMte3},
                   {"FIX", Pipe::kFix},
                   {"ALL", Pipe::kAll}},
               [](Draft& d, const std::optional<Pipe>& v) {
                 if (v) {
                   d.after.insert(d.after.begin(), isa::PipeBarrier{*v});
                 }
               });
}

/// DC-BARRIER: what is compared is the second of two copies.
Grid Pairs(const isa::Signature& row) {
  return {"two copies",
          {Products({Product::kAtlasTraining, Product::kAtlasA2}),
           Routes({{Position::kGm, Position::kVecin},
                   {Position::kGm, Position::kA1},
                   {Position::kVecin, Position::kVeccalc},
                   {Position::kVecout, Position::kGm},
                   {Position::kA1, Position::kC2pipe2gm}}),
           Block(row, Param::kBlockCount, {1, 2, 3}),
           Block(row, Param::kBlockLen, {1, 2}),
           Block(row, Param::kDstGap, {0, 1, 2}), FromSrc(row, 0, {256, 512}),
           Second({-192, -128, -96, -64, -32, 0, 32, 64, 96, 128, 192}),
           Barriers()}};
}

// ---- Of a copy that pads ----------------------------------------------------

using Integers = std::vector<std::int64_t>;

/// With padParams, which is form 0, or without them.
Axis Forms(Integers forms) {
  return Numbers("form", std::move(forms), [](Draft& d, std::int64_t v) {
    d.call.form = static_cast<std::uint8_t>(v);
  });
}

Grid PadBlocks(const isa::Signature& row) {
  Grid grid{"blocks",
            {AllProducts(), OwnTypes(), DstType(), AllRoutes(), Forms({0, 1})}};
  const Integers gaps = {-1, 0, 1, std::int64_t{1} << 32};
  AddIntegers(grid, row,
              {{Param::kBlockCount, {0, 1, 2, 4096}},
               {Param::kBlockLen, {-8, 0, 1, 8, 32, 40, 2097152}},
               {Param::kSrcGap, gaps},
               {Param::kDstGap, gaps}});
  grid.axes.push_back(FromSrc(row, 0, {0, 257}));
  return grid;
}

Grid Paddings(const isa::Signature& row) {
  Grid grid{
      "padding",
      {Products({Product::kAtlasA2, Product::kAtlas200i500A2}),
       Types({DType::kInt8, DType::kHalf, DType::kFloat, DType::kUint64}),
       Routes({{Position::kGm, Position::kVecin}}), SrcAt({kSrc, kSrc + 1}),
       Numbers("isPad", {0, 1},
               [](Draft& d, std::int64_t v) { d.call.is_pad = v != 0; }),
       Numbers("paddingValue", {0, 90}, [](Draft& d, std::int64_t v) {
         d.call.scalar = static_cast<std::uint64_t>(v);
       })}};
  const Integers paddings = {-1, 0, 1, 2, 4, 5, 8, 16, 17, 32, 33};
  AddIntegers(grid, row,
              {{Param::kBlockCount, {1, 2}},
               {Param::kBlockLen, {0, 8, 24, 32, 40}},
               {Param::kDstGap, {0, 1}},
               {Param::kLeftPadding, paddings},
               {Param::kRightPadding, paddings}});
  return grid;
}

/// DCP-BARRIER, with `left` and `right` elements of padding.
Grid PadPairs(const isa::Signature& row, const Route& route, std::uint8_t form,
              const Integers& left, const Integers& right, Integers shifts) {
  Grid grid{form == 0 ? "two into UB" : "two out of UB",
            {Products({Product::kAtlasA2, Product::kAtlas200i500A2}),
             Routes({route}), Forms({form})}};
  AddIntegers(grid, row,
              {{Param::kBlockCount, {0, 1, 2, 3}},
               {Param::kBlockLen, {0, 8, 32, 40}},
               {Param::kDstGap, {0, 1, 2, 32}},
               {Param::kLeftPadding, left},
               {Param::kRightPadding, right}});
  grid.axes.push_back(Second(std::move(shifts)));
  grid.axes.push_back(Barriers());
  return grid;
}

}  // namespace

std::unique_ptr<Space> CopyParameters(const isa::Signature& row) {
  isa::Call start = isa::CallOf(row);
  start.src(0).at = start.dst().at = kSrc;
  if (row.Has(Param::kIsPad)) {
    return ParameterSpaceOf(
        start, kMemoryBytes,
        {PadBlocks(row), Paddings(row),
         PadPairs(row, {Position::kGm, Position::kVecin}, 0, {0, 1, 16},
                  {0, 12}, {-128, -96, -64, -32, 0, 32, 64, 96, 128, 160}),
         PadPairs(row, {Position::kVecout, Position::kGm}, 1, {0}, {0},
                  {-41, -40, -33, -32, -8, -7, 0, 7, 8, 9, 39, 40, 41, 72})});
  }
  return ParameterSpaceOf(start, kMemoryBytes,
                          {Counts(row), Blocks(row), Pairs(row)});
}

}  // namespace lanediff::make::exhaust
