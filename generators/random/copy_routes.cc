#include "generators/random/copy_routes.h"

#include <iterator>
#include <span>

#include "isa/memory_map.h"

namespace lanediff::make {
namespace {

using isa::Product;
using enum isa::Position;

// The first `kInside` routes lie within the Unified Buffer, the last one or
// more lead to GM.
constexpr std::size_t kInsideRoutes = 3;
constexpr CopyRoute kTraining[] = {
    {kVecin, kVeccalc}, {kVeccalc, kVecout}, {kVecin, kVecout},
    {kGm, kVecin},      {kGm, kA1},          {kGm, kB1},
    {kGm, kVecin},      {kGm, kVecin},       {kVecout, kGm}};
constexpr CopyRoute kInference[] = {
    {kVecin, kVeccalc}, {kVeccalc, kVecout}, {kVecin, kVecout}, {kGm, kVecin},
    {kGm, kA1},         {kGm, kB1},          {kVecin, kA1},     {kVecout, kB1},
    {kCo2, kGm},        {kVecout, kGm}};
constexpr CopyRoute kA2[] = {
    {kVecin, kVeccalc}, {kVeccalc, kVecout}, {kVecin, kVecout},
    {kGm, kVecin},      {kGm, kA1},          {kGm, kB1},
    {kGm, kC1},         {kVecin, kTscm},     {kVeccalc, kTscm},
    {kVecout, kTscm},   {kA1, kC2pipe2gm},   {kB1, kC2pipe2gm},
    {kC1, kC2pipe2gm},  {kC1, kC2},          {kC1, kC2},
    {kA1, kGm},         {kB1, kGm},          {kVecout, kGm},
    {kVecout, kGm}};
constexpr CopyRoute kGmOnly[] = {{kGm, kVecin}, {kVecout, kGm}};

std::span<const CopyRoute> RoutesOf(Product product) {
  switch (product) {
    case Product::kAtlasTraining:
      return kTraining;
    case Product::kAtlasInferenceAicore:
      return kInference;
    case Product::kAtlasA2:
    case Product::kAtlasA3:
      return kA2;
    default:
      return kGmOnly;
  }
}

}  // namespace

bool HasInsideRoute(Product product) {
  return RoutesOf(product).size() > std::size(kGmOnly);
}

CopyRoute PickRoute(Random& random, Product product, RouteKind kind) {
  const std::span<const CopyRoute> routes = RoutesOf(product);
  if (kind == RouteKind::kToGm) return routes.back();
  return random.Pick(kind == RouteKind::kInside ? routes.first(kInsideRoutes)
                                                : routes);
}

}  // namespace lanediff::make
