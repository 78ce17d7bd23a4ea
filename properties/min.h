#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "case/case.h"
#include "isa/memory_map.h"
#include "isa/min.h"
#include "isa/operand.h"
#include "isa/step.h"
#include "isa/vocabulary.h"
#include "properties/support.h"

/// Calls of Min and what they leave, for its laws.
namespace lanediff::properties {

/// A legal call with its surroundings; the operands lie apart.
struct MinSample {
  isa::Product product = isa::Product::kAtlasA2;
  bool saturation = true;
  std::uint8_t fill = 0;
  isa::Min call;
  std::vector<Region> sources;
  std::int64_t end = 0;  ///< of the last operand

  std::int64_t element_bytes() const { return isa::SizeBytes(call.dtype); }
  std::int64_t lanes() const { return 256 / element_bytes(); }

  /// A window of `bytes` behind all others.
  isa::Operand Add(std::int64_t bytes);
  /// Fills the window with `elements` over and over; zeros if there are none.
  void Fill(const isa::Operand& window,
            const std::vector<std::uint64_t>& elements);
};

/// `program`, with the surroundings and the sources of `s`.
Case CaseOf(const MinSample& s, std::vector<isa::Step> program);

/// Bytes that all iterations of an operand with these strides span.
std::int64_t SpanBytes(const isa::Min& call, std::int64_t rep_stride,
                       std::int64_t blk_stride);

/// `call` with the lanes of a bitwise mask.
isa::Min Bitwise(isa::Min call, std::uint64_t low, std::uint64_t high);

/// The window without its first `bytes`.
isa::Operand Behind(isa::Operand window, std::int64_t bytes);

/// Iteration `r` of `call` as a call of its own.
isa::Min Iteration(isa::Min call, std::int64_t r);

/// What is written of `bits` if nothing is computed.
std::uint64_t AsWritten(const MinSample& s, std::uint64_t bits);

/// A word whose first `count` bits are set; none if it is negative.
std::uint64_t Ones(std::int64_t count);

/// The count form of `s` as masked calls: whole iterations, then the tail.
std::vector<isa::Step> CountAsMasks(const MinSample& s);

std::uint64_t ElementAt(isa::DType type, const Bytes& ub,
                        const isa::Operand& window, std::int64_t i);

/// How element `i` differs in two memories, if it does.
std::string ElementDifference(isa::DType type, std::int64_t i, std::uint64_t a,
                              std::uint64_t b);

/// How the elements of the dst window differ, if they do.
std::string WindowDifference(const isa::Min& call, const Bytes& first,
                             const Bytes& second);

/// Where two memories differ outside the dst window.
std::string OutsideDifference(const isa::Min& call, Bytes first, Bytes second);

}  // namespace lanediff::properties
