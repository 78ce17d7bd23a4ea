#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "differential/testcase/case.h"
#include "differential/testcase/element.h"
#include "fuzz/properties/support.h"
#include "isa/memory_map.h"
#include "isa/repeat_reduce_sum.h"
#include "isa/step.h"
#include "isa/units.h"
#include "isa/vocabulary.h"
#include "isa/whole_reduce_sum.h"

/// Calls of RepeatReduceSum and WholeReduceSum and what they leave, for their
/// laws.
namespace lanediff::properties {

using isa::kDataBlockBytes;
/// Bytes of no operand before, between and behind the operands.
inline constexpr std::int64_t kMarginBytes = 64;

/// A legal call of RepeatReduceSum with its surroundings; dst and src lie
/// apart. WholeReduceSum has other parameters for the same call, see `As`.
struct ReduceSumSample {
  isa::Product product = isa::Product::kAtlasA2;
  bool saturation = true;
  std::uint8_t fill = 0;
  isa::RepeatReduceSum call;
  /// Elements from src.at to the end of its window.
  std::vector<std::uint64_t> source;

  std::int64_t element_bytes() const { return isa::SizeBytes(call.dtype); }
  std::int64_t lanes() const { return isa::kIterationBytes / element_bytes(); }
  /// Where an iteration of contiguous lanes starts in `source`.
  std::int64_t StartOf(std::int64_t iteration) const {
    return iteration * call.src_rep_stride * kDataBlockBytes / element_bytes();
  }
};

/// A sum as a call of either: the same lanes, of a contiguous mask, the same
/// places.
template <class Call>
Call As(const isa::RepeatReduceSum& sum);
template <>
isa::RepeatReduceSum As<isa::RepeatReduceSum>(const isa::RepeatReduceSum& sum);
template <>
isa::WholeReduceSum As<isa::WholeReduceSum>(const isa::RepeatReduceSum& sum);

/// Puts dst at `dst_at` and src behind it, both in windows without slack.
void Place(isa::RepeatReduceSum& call, std::int64_t dst_at);

/// Fills the source window with `elements` over and over.
void FillSource(ReduceSumSample& s, const std::vector<std::uint64_t>& elements);

/// `program`, with the surroundings and the source of `s`.
Case CaseOf(const ReduceSumSample& s, std::vector<isa::Step> program);

/// Whether two elements count as the same.
using Same = std::function<bool(isa::DType, std::uint64_t, std::uint64_t)>;

/// How the elements that `call` writes differ, if they do.
std::string WrittenDifference(const isa::RepeatReduceSum& call,
                              const Bytes& first, const Bytes& second,
                              const Same& same = SameElement);

/// Where two memories differ outside the elements that `call` writes.
std::string OutsideDifference(const isa::RepeatReduceSum& call, Bytes first,
                              Bytes second);

}  // namespace lanediff::properties
