#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "differential/testcase/case.h"
#include "isa/vocabulary.h"

/// What a program leaves as numbers, typed by who wrote them last.
namespace lanediff::view {

/// Elements behind each other that are alike.
struct Value {
  std::uint64_t bits = 0;
  std::int64_t count = 1;
  /// The true value, in decimal, "nan", "inf" or "-inf": of what is computed,
  /// unrounded from the inputs of its step; of what is only chosen or moved,
  /// what the oracle leaves there.
  std::string exact = {};
  /// How far `bits` lie from it in ULP, signed; empty where one isn't finite.
  std::string ulp = {};

  bool operator==(const Value&) const = default;
};

/// Elements of one type behind each other that one step wrote last.
struct ValueRow {
  isa::Memory memory = isa::Memory::kUb;
  std::int64_t at = 0;
  isa::DType dtype = isa::DType::kUint8;
  /// Their writer; no operand where the documents have no write.
  std::size_t step = 0;
  std::string operand = {};
  std::int64_t elements = 0;
  std::vector<Value> values = {};
};

struct Values {
  std::vector<ValueRow> rows;  ///< by memory and address
  std::int64_t bytes = 0;      ///< of all rows
  /// Written, and what is there the documents leave open.
  std::int64_t unspecified_bytes = 0;
};

/// Every element that `c` writes by the documents, as `outcome`, which has a
/// memory, leaves it, and every other byte that it changes. Of an element that
/// was overwritten in part the rest is reported as bytes.
Values ValuesOf(const Case& c, const Outcome& outcome);

}  // namespace lanediff::view
