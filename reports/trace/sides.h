#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "differential/compare/check.h"
#include "differential/testcase/case.h"
#include "isa/vocabulary.h"

/// What was expected beside what came out.
namespace lanediff::view {

/// A source of an outcome: "expect", or a target.
struct Side {
  std::string name;
  std::string outcome;  ///< "rejected at step 0 for RRS-REPEAT", "executed"

  bool operator==(const Side&) const = default;
};

/// An element as each of the columns has it at the end of the program.
struct ElementRow {
  isa::Memory memory = isa::Memory::kUb;
  std::int64_t at = 0;  ///< first byte
  isa::DType dtype = isa::DType::kUint8;
  /// Who was to write it; empty where nothing was.
  std::string operand;
  std::int64_t iteration = 0;
  std::int64_t lane = 0;
  std::vector<std::uint64_t> bits;  ///< one for each column
  bool differs = false;  ///< from the first column; NaNs are all the same
};

struct Sides {
  std::vector<Side> sides;
  /// The sides with a memory, in the same order.
  std::vector<std::string> columns;
  /// Those that differ, in the order of memories and addresses; the first that
  /// were written where none differs.
  std::vector<ElementRow> rows;
  bool differ = false;
  bool maybe_more = false;         ///< not all that differ may be here
  std::int64_t written_bytes = 0;  ///< by all steps together
  /// Where the reference ends, and so not compared
  /// (differential/compare/unspecified.h).
  std::int64_t unspecified_bytes = 0;
};

/// How many rows a table may have.
struct RowLimits {
  std::size_t differing = 6;  ///< of one side
  std::size_t agreeing = 2;
};

/// What came out when `c` was examined: the reference and, where it was run,
/// the target, with what the case expects before them.
Sides CompareSides(const Case& c, const diff::Examination& examined,
                   const RowLimits& limits = {});

// What a program leaves as numbers, typed by who wrote them last.

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
