#include <algorithm>
#include <array>
#include <cstdint>
#include <span>

#include "emulator/address.h"
#include "emulator/blocks.h"
#include "emulator/data_copy.h"

namespace lanediff::emulator {
namespace {

using isa::Call;
using isa::CallRule;
using isa::DType;
using isa::Param;
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
void AddBrokenByProduct(const Call& c, Product product, BrokenRules& broken) {
  const isa::Operand& dst = c.dst();
  const isa::Operand& src = c.src(0);
  const DType from = TypeOf(src, c);
  const DType to = TypeOf(dst, c);
  if (from != to) {
    const bool has =
        product == Product::kAtlasA2 || product == Product::kAtlasA3;
    broken.AddIf(!has, CallRule::kProduct);
    broken.AddIf(
        has && (c.Has(Param::kCount) || src.position != Position::kC1 ||
                dst.position != Position::kC2 || from != DType::kHalf ||
                to != DType::kFloat),
        CallRule::kMixed);
  } else if (product == Product::kAtlas200_300_500) {
    broken.AddIf(true, CallRule::kProduct);
  } else if (!HasRoute(product, src.position,
                       IsExampleRoute(c) ? Position::kVeccalc : dst.position)) {
    broken.AddIf(true, CallRule::kRoute);
  } else {
    broken.AddIf(from == DType::kBfloat16 && !HasBfloat16(product),
                 CallRule::kDtype);
  }
}

std::int64_t DstAlignment(const Call& call) {
  switch (call.dst().position) {
    case Position::kC2:
      return 64;
    case Position::kC2pipe2gm:
      return 128;
    case Position::kGm:
      return ElementBytes(TypeOf(call.dst(), call));
    default:
      return kBlockBytes;
  }
}

std::int64_t SrcAlignment(const Call& call) {
  return call.src(0).position == Position::kGm
             ? ElementBytes(TypeOf(call.src(0), call))
             : kBlockBytes;
}

void AddBrokenParameters(const Call& c, const State& state,
                         BrokenRules& broken) {
  AddBrokenByProduct(c, state.product, broken);
  broken.AddIf(c.dst().at % DstAlignment(c) != 0, CallRule::kDstAlign);
  broken.AddIf(c.src(0).at % SrcAlignment(c) != 0, CallRule::kSrcAlign);
  if (c.Has(Param::kCount)) {
    broken.AddIf(!InRange(c[Param::kCount], 0, 4294967295), CallRule::kCount);
    return;
  }
  const std::int64_t least = state.edition == isa::Edition::k2024 ? 1 : 0;
  broken.AddIf(!InRange(c[Param::kBlockCount], least, 4095),
               CallRule::kBlockCount);
  broken.AddIf(!InRange(c[Param::kBlockLen], least, 65535),
               CallRule::kBlockLen);
  broken.AddIf(!InRange(c[Param::kSrcGap], 0, 65535) ||
                   !InRange(c[Param::kDstGap], 0, 65535),
               CallRule::kGap);
}

/// The same of a copy that pads, which without padParams is out of UB.
void AddBrokenPaddedParameters(const Call& c, Product product,
                               BrokenRules& broken) {
  const bool is_into_ub = c.Has(Param::kIsPad);
  const isa::Operand& ub = is_into_ub ? c.dst() : c.src(0);
  const isa::Operand& gm = is_into_ub ? c.src(0) : c.dst();
  const std::int64_t element = ElementBytes(c.dtype);
  const bool is_200i = product == Product::kAtlas200i500A2;
  broken.AddIf(
      !is_200i && product != Product::kAtlasA2 && product != Product::kAtlasA3,
      CallRule::kProduct);
  broken.AddIf(is_200i && element == 8, CallRule::kDtype);
  broken.AddIf(!TypeIs(c.dst(), c.dtype) || !TypeIs(c.src(0), c.dtype),
               CallRule::kDtypeMatch);
  broken.AddIf(
      gm.position != Position::kGm ||
          (ub.position != Position::kVecin && ub.position != Position::kVecout),
      CallRule::kRoute);
  broken.AddIf(ub.at % kBlockBytes != 0,
               is_into_ub ? CallRule::kDstAlign : CallRule::kSrcAlign);
  broken.AddIf(!InRange(c[Param::kBlockCount], 0, 4095), CallRule::kBlockCount);
  broken.AddIf(!InRange(c[Param::kBlockLen], 0, 2097151) ||
                   c[Param::kBlockLen] % element != 0,
               CallRule::kBlockLen);
  broken.AddIf(!InRange(c[Param::kSrcGap], 0, 4294967295) ||
                   !InRange(c[Param::kDstGap], 0, 4294967295),
               CallRule::kGap);
  if (!is_into_ub) return;
  const std::int64_t most = kBlockBytes / element;
  broken.AddIf(!InRange(c[Param::kLeftPadding], 0, most) ||
                   !InRange(c[Param::kRightPadding], 0, most),
               CallRule::kPadding);
  broken.AddIf(element == 8 && c.scalar != 0, CallRule::kPaddingValue);
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

std::int64_t NamedBytes(const Call& call) {
  return call[Param::kCount] * ElementBytes(TypeOf(call.src(0), call));
}

RuleSet DataCopyLegality(const Call& call, const State& state) {
  RuleSet rules;
  BrokenRules broken = {.call = call, .rules = rules};
  if (call.signature->Has(Param::kIsPad)) {
    AddBrokenPaddedParameters(call, state.product, broken);
  } else {
    AddBrokenParameters(call, state, broken);
  }
  if (!rules.empty()) return rules;

  const DataCopyPlan plan = PlanDataCopy(call, state);
  broken.AddIf(OutOfBounds(call.src(0), ExtentOf(plan.src),
                           BytesOf(state, plan.src_memory)) ||
                   OutOfBounds(call.dst(), ExtentOf(plan.dst),
                               BytesOf(state, plan.dst_memory)),
               CallRule::kBounds);
  if (!rules.empty()) return rules;

  broken.AddIf(plan.src_memory == plan.dst_memory && Meet(plan.src, plan.dst) &&
                   !Coincide(plan.src, plan.dst),
               CallRule::kOverlap);
  broken.AddIf(NeedsBarrier(plan, state), CallRule::kBarrier);
  return rules;
}

}  // namespace lanediff::emulator
