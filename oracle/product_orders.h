#pragma once

#include <cstdint>
#include <vector>

#include "isa/vocabulary.h"
#include "oracle/node.h"
#include "oracle/oracle.h"

/// TRP-ORDER: the four orders in which a row may be multiplied.
namespace lanediff::oracle {

/// Multiplies single elements of one row and traces what it does.
class Multiplier {
 public:
  Multiplier(isa::DType type, std::int64_t row, Oracle::State& state)
      : type_(type), row_(row), state_(state) {}

  isa::DType type() const { return type_; }
  /// The neutral element, 1.
  std::uint64_t One() const;
  /// One node of the row's type (TRP-SATURATE).
  std::uint64_t Multiply(int level, std::int64_t index, std::uint64_t left,
                         std::uint64_t right);
  /// One node in float, whatever the row's type.
  std::uint64_t MultiplyFloat(int level, std::int64_t index, std::uint64_t left,
                              std::uint64_t right);
  /// A float rounded once to half, and saturated.
  std::uint64_t NarrowToHalf(std::uint64_t bits) const;

 private:
  std::uint64_t Trace(int level, std::int64_t index, isa::DType type,
                      std::uint64_t left, std::uint64_t right,
                      const NodeResult& result);

  isa::DType type_;
  std::int64_t row_;
  Oracle::State& state_;
};

/// The product of `factors`, at least one, in `order`, as it is written.
std::uint64_t MultiplyInOrder(Multiplier& multiplier, isa::Order order,
                              const std::vector<std::uint64_t>& factors);

}  // namespace lanediff::oracle
