#pragma once

#include <vector>

#include "generators/boundary/calls.h"
#include "generators/boundary/modules.h"

/// Calls of TROWPROD, shared by the files that sweep it.
namespace lanediff::make::sweep::trowprod {

using isa::DType;
using isa::Layout;
using isa::Order;
using isa::Product;
using isa::Trowprod;
namespace trp = isa::trp;

inline constexpr auto kEveryOrder = EveryValue<Order>();

/// What a generator may vary; the rest is as small as can be.
struct Shape {
  Product product = Product::kAtlasA2;
  DType dtype = DType::kFloat;
  std::int64_t rows = 2;     ///< valid rows
  std::int64_t columns = 5;  ///< valid columns
  Layout dst_layout = Layout::kDn;
  std::optional<Order> order = std::nullopt;
  std::int64_t spare_columns = 0;  ///< behind the valid ones, at least
};

/// The call under test.
inline Trowprod& S(Case& c) { return Subject<Trowprod>(c); }

/// A legal call of this shape, placed; without memories where it is too large.
Case MakeCase(const Shape& shape);

Kit MakeKit();
/// Every type, layout of dst and order.
std::vector<EveryBase> EveryBases();
/// All cases of the instruction, in the order of their numbers.
void SweepAll(Emitter& out);

// Layouts of the tiles and overlap.
void SweepLayouts(Emitter& out);
void SweepManyRows(Emitter& out);
void SweepOverlap(Emitter& out);

// Orders, values, and combinations of parameter classes.
void SweepColumns(Emitter& out);
void SweepSingleColumns(Emitter& out);
void SweepValues(Emitter& out);
void SweepClasses(Emitter& out);

}  // namespace lanediff::make::sweep::trowprod
