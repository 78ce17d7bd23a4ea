#include <algorithm>
#include <array>
#include <cstdint>
#include <span>

#include "emulator/address.h"
#include "emulator/blocks.h"
#include "emulator/data_copy.h"

namespace lanediff::emulator {
namespace {

namespace rule = isa::dc;
using isa::DataCopy;
using isa::DType;
using isa::Position;
using isa::Product;
using isa::RuleSet;

// ---- Routes -----------------------------------------------------------------

/// A set of positions.
class Positions {
 public:
  template <class... P>
  explicit constexpr Positions(P... positions)
      : bits_((0u | ... | (1u << static_cast<unsigned>(positions)))) {}

  constexpr bool Contain(Position position) const {
    return (bits_ >> static_cast<unsigned>(position) & 1u) != 0;
  }

 private:
  unsigned bits_;
};

/// From each of some positions to each of some others.
struct Route {
  Positions from;
  Positions to;
};

constexpr auto kGm = Positions(Position::kGm);
constexpr auto kVecin = Positions(Position::kVecin);
constexpr auto kVeccalc = Positions(Position::kVeccalc);
constexpr auto kVecout = Positions(Position::kVecout);
constexpr auto kQueues =
    Positions(Position::kVecin, Position::kVeccalc, Position::kVecout);

constexpr std::array kTrainingRoutes = {
    Route{kGm, Positions(Position::kVecin, Position::kA1, Position::kB1)},
    Route{kVecin, kVeccalc}, Route{kVeccalc, kVecout}, Route{kVecout, kGm}};

constexpr std::array kAicoreRoutes = {
    Route{kGm, Positions(Position::kVecin, Position::kA1, Position::kB1)},
    Route{kVecin, kVeccalc}, Route{kVeccalc, kVecout},
    Route{kQueues, Positions(Position::kA1, Position::kB1)},
    Route{Positions(Position::kVecout, Position::kCo2), kGm}};

constexpr std::array kVectorOnlyRoutes = {Route{kGm, kVecin},
                                          Route{kVecout, kGm}};

constexpr std::array kA2Routes = {
    Route{kGm, Positions(Position::kVecin, Position::kA1, Position::kB1,
                         Position::kC1)},
    Route{kVecin, kVeccalc},
    Route{kVeccalc, kVecout},
    Route{kQueues, Positions(Position::kTscm)},
    Route{Positions(Position::kA1, Position::kB1, Position::kC1),
          Positions(Position::kC2pipe2gm)},
    Route{Positions(Position::kC1), Positions(Position::kC2)},
    Route{Positions(Position::kVecout, Position::kA1, Position::kB1), kGm}};

std::span<const Route> RoutesOf(Product product) {
  switch (product) {
    case Product::kAtlasTraining:
      return kTrainingRoutes;
    case Product::kAtlasInferenceAicore:
      return kAicoreRoutes;
    case Product::kAtlasA2:
    case Product::kAtlasA3:
      return kA2Routes;
    case Product::kAtlasInferenceVectorcore:
    case Product::kAtlas200i500A2:
      return kVectorOnlyRoutes;
    case Product::kAtlas200_300_500:
      return {};
  }
  return {};
}

bool HasRoute(Product product, Position from, Position to) {
  return std::ranges::any_of(RoutesOf(product), [&](const Route& route) {
    return route.from.Contain(from) && route.to.Contain(to);
  });
}

/// bfloat16 is in the tables of these products only; every other type is in all
/// of them.
bool HasBfloat16(Product product) {
  return product == Product::kAtlasA2 || product == Product::kAtlasA3 ||
         product == Product::kAtlas200i500A2;
}

// ---- Stage 1 ----------------------------------------------------------------

/// DC-PRODUCT and the rules that depend on the product.
RuleSet BrokenByProduct(const DataCopy& c, Product product) {
  const DType from = TypeOf(c.src, c);
  const DType to = TypeOf(c.dst, c);
  RuleSet broken;
  if (from != to) {
    if (product != Product::kAtlasA2 && product != Product::kAtlasA3) {
      broken.Add(rule::kProduct);
      return broken;
    }
    broken.AddIf(c.form != DataCopy::kParams ||
                     c.src.position != Position::kC1 ||
                     c.dst.position != Position::kC2 || from != DType::kHalf ||
                     to != DType::kFloat,
                 rule::kMixed);
    return broken;
  }
  if (product == Product::kAtlas200_300_500) {
    broken.Add(rule::kProduct);
  } else if (!HasRoute(
                 product, c.src.position,
                 IsExampleRoute(c) ? Position::kVeccalc : c.dst.position)) {
    broken.Add(rule::kRoute);
  } else {
    broken.AddIf(from == DType::kBfloat16 && !HasBfloat16(product),
                 rule::kDtype);
  }
  return broken;
}

std::int64_t DstAlignment(const DataCopy& call) {
  switch (call.dst.position) {
    case Position::kC2:
      return 64;
    case Position::kC2pipe2gm:
      return 128;
    case Position::kGm:
      return ElementBytes(TypeOf(call.dst, call));
    default:
      return kBlockBytes;
  }
}

std::int64_t SrcAlignment(const DataCopy& call) {
  return call.src.position == Position::kGm
             ? ElementBytes(TypeOf(call.src, call))
             : kBlockBytes;
}

RuleSet BrokenParameters(const DataCopy& c, const State& state) {
  RuleSet broken = BrokenByProduct(c, state.product);
  broken.AddIf(c.dst.at % DstAlignment(c) != 0, rule::kDstAlign);
  broken.AddIf(c.src.at % SrcAlignment(c) != 0, rule::kSrcAlign);
  if (c.form == DataCopy::kCount) {
    broken.AddIf(!InRange(c.count, 0, 4294967295), rule::kCount);
    return broken;
  }
  const std::int64_t least = state.edition == isa::Edition::k2024 ? 1 : 0;
  broken.AddIf(!InRange(c.params.block_count, least, 4095), rule::kBlockCount);
  broken.AddIf(!InRange(c.params.block_len, least, 65535), rule::kBlockLen);
  broken.AddIf(!InRange(c.params.src_gap, 0, 65535) ||
                   !InRange(c.params.dst_gap, 0, 65535),
               rule::kGap);
  return broken;
}

// ---- Stages 2 and 3 ---------------------------------------------------------

/// Whether block i is at the same bytes on both sides, for every i.
bool Coincide(const Blocks& a, const Blocks& b) {
  return a.begin == b.begin && a.bytes == b.bytes &&
         (a.count == 1 || a.stride == b.stride);
}

bool NeedsBarrier(const DataCopyPlan& plan, const State& state) {
  return std::ranges::any_of(
      state.copies_under_way, [&](const CopyUnderWay& earlier) {
        return earlier.pipe == plan.pipe && earlier.memory == plan.dst_memory &&
               Meet(earlier.destination, plan.dst);
      });
}

}  // namespace

std::int64_t NamedBytes(const DataCopy& call) {
  return call.count * ElementBytes(TypeOf(call.src, call));
}

RuleSet DataCopyLegality(const DataCopy& call, const State& state) {
  RuleSet broken = BrokenParameters(call, state);
  if (!broken.empty()) return broken;

  const DataCopyPlan plan = PlanDataCopy(call, state);
  broken.AddIf(OutOfBounds(call.src, ExtentOf(plan.src),
                           BytesOf(state, plan.src_memory)) ||
                   OutOfBounds(call.dst, ExtentOf(plan.dst),
                               BytesOf(state, plan.dst_memory)),
               rule::kBounds);
  if (!broken.empty()) return broken;

  broken.AddIf(plan.src_memory == plan.dst_memory && Meet(plan.src, plan.dst) &&
                   !Coincide(plan.src, plan.dst),
               rule::kOverlap);
  broken.AddIf(NeedsBarrier(plan, state), rule::kBarrier);
  return broken;
}

}  // namespace lanediff::emulator
