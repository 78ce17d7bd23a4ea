#include <optional>

#include "generators/exhaustive/parameter_space.h"
#include "isa/memory_map.h"

namespace lanediff::make::exhaust {
namespace {

using Call = isa::DataCopy;
using D = Draft<Call>;
using isa::DType;
using isa::Pipe;
using isa::Position;
using isa::Product;

constexpr std::int64_t kMemoryBytes = 1024;
constexpr std::int64_t kSrc = 256;

using Route = std::pair<Position, Position>;

Axis<Call> Routes(const std::vector<Route>& routes) {
  std::vector<std::pair<std::string, Route>> named;
  for (const auto& [src, dst] : routes) {
    named.emplace_back(fmt::format("{}>{}", isa::Name(src), isa::Name(dst)),
                       Route{src, dst});
  }
  return Named<Call>("route", std::move(named), [](D& d, const Route& v) {
    d.call.src.position = v.first;
    d.call.dst.position = v.second;
  });
}

Axis<Call> AllRoutes() {
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

Axis<Call> Types() {
  return Member("dtype", &Call::dtype,
                {DType::kInt8, DType::kHalf, DType::kFloat, DType::kBfloat16});
}

Axis<Call> AllProducts() {
  return Products<Call>(
      {Product::kAtlasTraining, Product::kAtlasA2, Product::kAtlas200_300_500});
}

/// Its own type is float, or half where dtype is float.
Axis<Call> DstType() {
  return Named<Call>("dst.dtype",
                     std::vector<std::pair<std::string, bool>>{
                         {"same", false}, {"float-or-half", true}},
                     [](D& d, bool other) {
                       if (!other) return;
                       d.call.dst.dtype = d.call.dtype == DType::kFloat
                                              ? DType::kHalf
                                              : DType::kFloat;
                     });
}

Axis<Call> DstFromSrc(std::vector<std::int64_t> offsets) {
  return Numbers<Call>(
      "dst.at-src.at", std::move(offsets),
      [](D& d, std::int64_t v) { d.call.dst.at = d.call.src.at + v; });
}

/// One of the four parameters of the other form.
Axis<Call> Parameter(std::string_view field,
                     std::int64_t isa::DataCopyParams::* member,
                     std::vector<std::int64_t> values) {
  return Numbers<Call>(field, std::move(values),
                       [member](D& d, std::int64_t v) {
                         d.call.form = Call::kParams;
                         d.call.params.*member = v;
                       });
}

using Params = isa::DataCopyParams;

Grid<Call> Counts() {
  return {"count",
          {AllProducts(), Types(), DstType(), AllRoutes(),
           Member("count", &Call::count,
                  {-1, 0, 1, 7, 8, 9, 15, 16, 17, 31, 32, 33, 64,
                   std::int64_t{1} << 32}),
           Member("src.at", &Call::src, &isa::Operand::at, {kSrc, kSrc + 2}),
           DstFromSrc({-128, -64, -32, -2, 0, 2, 32, 64, 128})}};
}

Grid<Call> Blocks() {
  return {"params",
          {AllProducts(), Types(), DstType(), AllRoutes(),
           Parameter("blockCount", &Params::block_count, {0, 1, 2, 3, 4096}),
           Parameter("blockLen", &Params::block_len, {0, 1, 2, 65536}),
           Parameter("srcGap", &Params::src_gap, {-1, 0, 1, 2, 65536}),
           Parameter("dstGap", &Params::dst_gap, {-1, 0, 1, 2, 65536}),
           DstFromSrc({-64, -32, 0, 32, 64, 128, 256})}};
}

/// DC-BARRIER: what is compared is the second of two copies.
Grid<Call> Pairs() {
  return {
      "two copies",
      {Products<Call>({Product::kAtlasTraining, Product::kAtlasA2}),
       Routes({{Position::kGm, Position::kVecin},
               {Position::kGm, Position::kA1},
               {Position::kVecin, Position::kVeccalc},
               {Position::kVecout, Position::kGm},
               {Position::kA1, Position::kC2pipe2gm}}),
       Parameter("blockCount", &Params::block_count, {1, 2, 3}),
       Parameter("blockLen", &Params::block_len, {1, 2}),
       Parameter("dstGap", &Params::dst_gap, {0, 1, 2}), DstFromSrc({256, 512}),
       Numbers<Call>("second dst.at-dst.at",
                     {-192, -128, -96, -64, -32, 0, 32, 64, 96, 128, 192},
                     [](D& d, std::int64_t v) {
                       Call second = d.call;
                       second.dst.at += v;
                       d.after = {second};
                     }),
       Named<Call>("barrier",
                   std::vector<std::pair<std::string, std::optional<Pipe>>>{
                       {"none", std::nullopt},
                       {"V", Pipe::kV},
                       {"MTE1", Pipe::kMte1},
                       {"MTE2", Pipe::kMte2},
                       {"MTE3", Pipe::kMte3},
                       {"FIX", Pipe::kFix},
                       {"ALL", Pipe::kAll}},
                   [](D& d, const std::optional<Pipe>& v) {
                     if (v) {
                       d.after.insert(d.after.begin(), isa::PipeBarrier{*v});
                     }
                   })}};
}

/// Every memory that the call names is small and full of data.
void Finish(D& d) {
  const auto close = [&](isa::Operand& operand) {
    operand.bytes = kMemoryBytes - operand.at;
    const isa::Memory memory = isa::MemoryAt(d.c.product, operand.position);
    auto& image = d.c.memory[static_cast<std::size_t>(memory)];
    if (!image) image = PatternImage(kMemoryBytes);
  };
  close(d.call.src);
  close(d.call.dst);
  for (isa::Step& step : d.after) {
    if (auto* copy = std::get_if<Call>(&step)) {
      close(copy->src);
      close(copy->dst);
    }
  }
}

}  // namespace

std::unique_ptr<Space> ParametersOf(const isa::DataCopy&) {
  D start;
  start.call.src.at = kSrc;
  return std::make_unique<ParameterSpace<Call>>(
      Call::kSlug, std::move(start), std::vector{Counts(), Blocks(), Pairs()},
      Finish);
}

}  // namespace lanediff::make::exhaust
