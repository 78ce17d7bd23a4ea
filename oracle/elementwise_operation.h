#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "isa/numeric_events.h"
#include "isa/vocabulary.h"
#include "oracle/node.h"

/// What an element-wise call has to itself. A new one is an `OperationOf` in
/// oracle/elementwise_operations.cc, and its node if oracle/node.h has none.
namespace lanediff::oracle {

struct Operation {
  std::string_view name;                        ///< of its nodes: "min"
  std::span<const isa::Product> products;       ///< of the newest edition
  std::span<const isa::Product> products_2024;  ///< of edition 2024
  /// The node of one pair of elements: its result, its exact value in decimal
  /// and what happened in it.
  NodeResult (*compute)(isa::DType type, std::uint64_t left,
                        std::uint64_t right, bool saturation);
  std::string (*exact)(isa::DType type, std::uint64_t left,
                       std::uint64_t right);
  void (*count)(isa::DType type, std::uint64_t left, std::uint64_t right,
                const NodeResult& result, isa::NumericEvents& events);
  /// Whether its results can differ from the true ones.
  bool has_true_results;
};

/// The operation of `isa::ElementwiseCall<Tag>`.
template <class Tag>
const Operation& OperationOf();

}  // namespace lanediff::oracle
