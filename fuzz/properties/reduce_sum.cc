#include "fuzz/properties/reduce_sum.h"

#include <fmt/format.h>

#include <algorithm>
#include <span>

#include "isa/state.h"

namespace lanediff::properties {

using isa::RepeatReduceSum;

void FillSource(ReduceSumSample& s,
                const std::vector<std::uint64_t>& elements) {
  s.source.assign(s.call.src.bytes / s.element_bytes(), 0);
  if (elements.empty()) return;
  for (std::size_t i = 0; i < s.source.size(); ++i) {
    s.source[i] = elements[i % elements.size()];
  }
}

Case CaseOf(const ReduceSumSample& s, std::vector<isa::Step> program) {
  Region source{.at = s.call.src.at, .dtype = s.call.dtype, .bytes = {}};
  for (std::uint64_t bits : s.source) {
    AppendElement(s.call.dtype, bits, source.bytes);
  }
  if (!s.saturation) {
    program.insert(program.begin(), isa::SetSaturation{.enabled = false});
  }
  const std::int64_t size = source.end() + kMarginBytes;
  return UbCase(s.product, s.fill, size, {std::move(source)},
                std::move(program));
}

template <>
RepeatReduceSum As<RepeatReduceSum>(const RepeatReduceSum& sum) {
  return sum;
}

template <>
isa::WholeReduceSum As<isa::WholeReduceSum>(const RepeatReduceSum& sum) {
  return {.dtype = sum.dtype,
          .dst = sum.dst,
          .src = sum.src,
          .form = isa::WholeReduceSum::kContiguous,
          .mask = sum.elems_in_one_repeat,
          .repeat_times = sum.repeat,
          .dst_rep_stride = sum.dst_rep_stride,
          .src_blk_stride = sum.src_blk_stride,
          .src_rep_stride = sum.src_rep_stride,
          .is_set_mask = sum.is_set_mask};
}

void Place(RepeatReduceSum& call, std::int64_t dst_at) {
  const std::int64_t last = call.repeat - 1;
  call.dst = {
      .position = isa::Position::kVecout,
      .at = dst_at,
      .bytes = isa::SizeBytes(call.dtype) * (last * call.dst_rep_stride + 1),
      .dtype = {}};
  const std::int64_t free = dst_at + call.dst.bytes + kMarginBytes;
  call.src = {
      .position = isa::Position::kVecin,
      .at = (free + kDataBlockBytes - 1) / kDataBlockBytes * kDataBlockBytes,
      .bytes = kDataBlockBytes *
               (last * call.src_rep_stride + 7 * call.src_blk_stride + 1),
      .dtype = {}};
}

std::string WrittenDifference(const RepeatReduceSum& call, const Bytes& first,
                              const Bytes& second, const Same& same) {
  for (std::int64_t r = 0; r < call.repeat; ++r) {
    const auto at = static_cast<std::size_t>(
        call.dst.at + r * call.dst_rep_stride * isa::SizeBytes(call.dtype));
    const auto load = [&](const Bytes& ub) {
      return LoadElement(call.dtype, std::span(ub).subspan(at));
    };
    const std::uint64_t a = load(first);
    const std::uint64_t b = load(second);
    if (same(call.dtype, a, b)) continue;
    return fmt::format("iteration {} gives {} and {}", r,
                       DescribeElement(call.dtype, a),
                       DescribeElement(call.dtype, b));
  }
  return {};
}

std::string OutsideDifference(const RepeatReduceSum& call, Bytes first,
                              Bytes second) {
  for (std::int64_t r = 0; r < call.repeat; ++r) {
    const std::int64_t bytes = isa::SizeBytes(call.dtype);
    const std::int64_t at = call.dst.at + r * call.dst_rep_stride * bytes;
    std::fill_n(first.begin() + at, bytes, std::uint8_t{0});
    std::fill_n(second.begin() + at, bytes, std::uint8_t{0});
  }
  const auto [a, b] = std::ranges::mismatch(first, second);
  if (a == first.end()) return {};
  return fmt::format("byte {}, which no iteration writes, is {} and {}",
                     a - first.begin(), *a, *b);
}

}  // namespace lanediff::properties
