#pragma once

#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

#include "differential/testcase/case.h"
#include "fuzz/properties/support.h"
#include "isa/memory_map.h"
#include "isa/operand.h"
#include "isa/step.h"
#include "isa/units.h"
#include "isa/vocabulary.h"

/// Calls of Min and its family and what they leave, for their laws.
namespace lanediff::properties {

/// What is around a call whose operands lie apart.
struct Surroundings {
  isa::Product product = isa::Product::kAtlasA2;
  bool saturation = true;
  std::uint8_t fill = 0;
  isa::DType dtype = isa::DType::kHalf;
  std::vector<Region> sources = {};
  std::int64_t end = 0;  ///< of the last operand

  std::int64_t element_bytes() const { return isa::SizeBytes(dtype); }
  std::int64_t lanes() const { return isa::kIterationBytes / element_bytes(); }

  /// A window of `bytes` behind all others.
  isa::Operand Add(std::int64_t bytes);
  /// Fills the window with `elements` over and over; zeros if there are none.
  void Fill(const isa::Operand& window,
            const std::vector<std::uint64_t>& elements);
  /// What is written of `bits` if nothing is computed.
  std::uint64_t AsWritten(std::uint64_t bits) const;
};

/// `program` in the surroundings, with what the sources hold.
Case CaseOf(const Surroundings& s, std::vector<isa::Step> program);

/// A legal call with its surroundings.
template <isa::Elementwise Call>
struct ElementwiseSample : Surroundings {
  Call call;
};

/// The window without its first `bytes`.
isa::Operand Behind(isa::Operand window, std::int64_t bytes);

std::uint64_t ElementAt(isa::DType type, const Bytes& ub,
                        const isa::Operand& window, std::int64_t i);

/// How element `i` differs in two memories, if it does.
std::string ElementDifference(isa::DType type, std::int64_t i, std::uint64_t a,
                              std::uint64_t b);

/// How the elements of a window differ, if they do.
std::string WindowDifference(isa::DType type, const isa::Operand& window,
                             const Bytes& first, const Bytes& second);

/// Where two memories differ outside a window.
std::string OutsideDifference(const isa::Operand& window, Bytes first,
                              Bytes second);

/// The value with the other sign: of integers the two's complement.
std::uint64_t Negative(isa::DType type, std::uint64_t bits);

/// `elements`, each negative; an empty list stands for zeros, as in `Fill`.
std::vector<std::uint64_t> Negatives(isa::DType type,
                                     std::vector<std::uint64_t> elements);

/// `integer` as an element of any type.
std::uint64_t ElementOfInteger(isa::DType type, std::int64_t integer);

// ---- Calls ------------------------------------------------------------------

/// Bytes that all iterations of an operand with these strides span.
std::int64_t SpanBytes(std::int64_t repeat_times, std::int64_t rep_stride,
                       std::int64_t blk_stride);

/// The same call of another operation.
template <isa::Elementwise To, isa::Elementwise From>
To As(const From& call) {
  return {.dtype = call.dtype,
          .dst = call.dst,
          .src0 = call.src0,
          .src1 = call.src1,
          .form = call.form,
          .count = call.count,
          .mask = call.mask,
          .mask_words = call.mask_words,
          .repeat_times = call.repeat_times,
          .repeat_params = call.repeat_params,
          .is_set_mask = call.is_set_mask};
}

/// The same call of other operands.
template <isa::Elementwise Call>
Call Of(Call call, const isa::Operand& dst, const isa::Operand& src0,
        const isa::Operand& src1) {
  call.dst = dst;
  call.src0 = src0;
  call.src1 = src1;
  return call;
}

/// `call` with the lanes of a bitwise mask.
template <isa::Elementwise Call>
Call Bitwise(Call call, std::uint64_t low, std::uint64_t high) {
  call.form = Call::kBitwise;
  call.mask = 0;
  call.mask_words = {low, high};
  return call;
}

/// Iteration `r` of `call` as a call of its own.
template <isa::Elementwise Call>
Call Iteration(Call call, std::int64_t r) {
  using isa::kDataBlockBytes;
  const isa::BinaryRepeatParams& p = call.repeat_params;
  call.repeat_times = 1;
  call.dst = Behind(call.dst, r * p.dst_rep_stride * kDataBlockBytes);
  call.src0 = Behind(call.src0, r * p.src0_rep_stride * kDataBlockBytes);
  call.src1 = Behind(call.src1, r * p.src1_rep_stride * kDataBlockBytes);
  return call;
}

/// The count form of `s` as masked calls: whole iterations, then the tail.
template <isa::Elementwise Call>
std::vector<isa::Step> CountAsMasks(const ElementwiseSample<Call>& s) {
  const std::int64_t tail = s.call.count % s.lanes();
  Call whole = s.call;
  whole.form = Call::kContiguous;
  whole.count = 0;
  whole.mask = s.lanes();
  whole.repeat_times = s.call.count / s.lanes();
  whole.repeat_params = {.dst_blk_stride = 1,
                         .src0_blk_stride = 1,
                         .src1_blk_stride = 1,
                         .dst_rep_stride = 8,
                         .src0_rep_stride = 8,
                         .src1_rep_stride = 8};
  std::vector<isa::Step> program = {whole};
  if (tail > 0) {
    Call rest = Iteration(whole, whole.repeat_times);
    rest.mask = tail;
    program.emplace_back(rest);
  }
  return program;
}

}  // namespace lanediff::properties
