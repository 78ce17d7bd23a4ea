#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "isa/call.h"
#include "isa/numeric_events.h"
#include "isa/vocabulary.h"
#include "oracle/node.h"

/// What a lane-wise instruction or a reduction has to itself. A new one is a
/// line in oracle/call_operations.cc, and its node if oracle/node.h has none.
namespace lanediff::oracle {

/// A type, and the products that lack it.
struct TypeLimit {
  isa::DType type;
  std::span<const isa::Product> lacking = {};
};

struct Limits {
  std::span<const isa::Product> products;       ///< of the newest edition
  std::span<const isa::Product> products_2024;  ///< of edition 2024
  std::span<const TypeLimit> types;
};

/// Bits of what one lane is computed from: an element of each source if there
/// are any, then the scalar of a call that has one, 1 or 0 for its roundEn or
/// the number of its cmpMode, and the element of dst if that is read, or the
/// number of the lane if it counts.
using Inputs = std::span<const std::uint64_t>;

/// The node of one lane, or of the tree of a reduction: its result, its exact
/// value in decimal and what happened in it.
struct LaneNode {
  NodeResult (*compute)(isa::DType type, Inputs inputs, bool saturation);
  std::string (*exact)(isa::DType type, Inputs inputs);
  void (*count)(isa::DType type, Inputs inputs, const NodeResult& result,
                bool saturation, isa::NumericEvents& events);
};

/// A type of results, and one that they become in dst.
struct Becomes {
  isa::DType from;
  isa::DType to;
};

struct Operation {
  std::string_view op;    ///< of the instruction: "Min"
  std::string_view name;  ///< of its nodes: "min"
  Limits limits;
  LaneNode node;
  /// Whether its results can differ from the true ones.
  bool has_true_results;
  /// Whether src1 may depend on earlier iterations where a repeat stride is 0:
  /// the exception of *-OVERLAP-DEPENDENCY, and *-OVERLAP-SOURCES with it.
  bool src1_may_depend = false;
  /// Whether a bit of the result depends on those at its place alone.
  bool bit_by_bit = false;
  /// *-RANGE: whether the scalar is a number of bits.
  bool shifts = false;
  /// *-STRIDE-RANGE: of the strides between iterations.
  int repeat_stride_bits = 8;
  /// *-ROUTE: whether it goes from a position to another one. Then
  /// *-DST-BLK-STRIDE-ZERO is on several DataBlocks alone.
  bool local_routes = false;

  /// *-DTYPE of conversions without modes: what each type of the sources
  /// becomes.
  std::span<const Becomes> becomes = {};

  /// *-DTYPE.
  bool Supports(isa::DType type, isa::Product product) const;
  /// Whether elements of this type become those of `to`, which dst has.
  bool Gives(isa::DType type, isa::DType to) const;
  /// Whether it computes with elements of this type on any product.
  bool Computes(isa::DType type) const;
};

const Operation& OperationOf(const isa::Call& call);

}  // namespace lanediff::oracle
