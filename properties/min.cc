#include "properties/min.h"

#include <fmt/format.h>

#include <algorithm>
#include <span>

#include "case/element.h"
#include "isa/state.h"

namespace lanediff::properties {
namespace {

constexpr std::int64_t kBlockBytes = 32;
/// Bytes before, between and behind the operands that belong to nobody.
constexpr std::int64_t kMarginBytes = 64;

}  // namespace

using isa::DType;
using isa::Min;
using isa::Operand;

Operand MinSample::Add(std::int64_t bytes) {
  const std::int64_t free = end + kMarginBytes + kBlockBytes - 1;
  const std::int64_t at = free / kBlockBytes * kBlockBytes;
  end = at + bytes;
  return {.position = isa::Position::kVeccalc,
          .at = at,
          .bytes = bytes,
          .dtype = {}};
}

void MinSample::Fill(const Operand& window,
                     const std::vector<std::uint64_t>& elements) {
  Region region{.at = window.at, .dtype = call.dtype, .bytes = {}};
  const std::size_t n = elements.size();
  const auto count = static_cast<std::size_t>(window.bytes / element_bytes());
  for (std::size_t i = 0; i < count; ++i) {
    AppendElement(call.dtype, n == 0 ? 0 : elements[i % n], region.bytes);
  }
  sources.push_back(std::move(region));
}

std::int64_t SpanBytes(const Min& call, std::int64_t rep_stride,
                       std::int64_t blk_stride) {
  return kBlockBytes *
         ((call.repeat_times - 1) * rep_stride + 7 * blk_stride + 1);
}

Case CaseOf(const MinSample& s, std::vector<isa::Step> program) {
  if (!s.saturation) {
    program.insert(program.begin(), isa::SetSaturation{.enabled = false});
  }
  std::vector<Region> regions = s.sources;
  std::ranges::sort(regions, {}, &Region::at);
  return UbCase(s.product, s.fill, s.end + kMarginBytes, std::move(regions),
                std::move(program));
}

Min Bitwise(Min call, std::uint64_t low, std::uint64_t high) {
  call.form = Min::kBitwise;
  call.mask = 0;
  call.mask_words = {low, high};
  return call;
}

Operand Behind(Operand window, std::int64_t bytes) {
  window.at += bytes;
  window.bytes -= bytes;
  return window;
}

Min Iteration(Min call, std::int64_t r) {
  const isa::BinaryRepeatParams& p = call.repeat_params;
  call.repeat_times = 1;
  call.dst = Behind(call.dst, r * p.dst_rep_stride * kBlockBytes);
  call.src0 = Behind(call.src0, r * p.src0_rep_stride * kBlockBytes);
  call.src1 = Behind(call.src1, r * p.src1_rep_stride * kBlockBytes);
  return call;
}

std::uint64_t AsWritten(const MinSample& s, std::uint64_t bits) {
  const DType type = s.call.dtype;
  if (type != DType::kHalf || !s.saturation) return bits;
  if (IsNan(type, bits)) return 0;
  return (bits & 0x7fff) == 0x7c00 ? (bits & 0x8000) | 0x7bff : bits;
}

std::uint64_t Ones(std::int64_t count) {
  if (count <= 0) return 0;
  return count >= 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << count) - 1;
}

std::vector<isa::Step> CountAsMasks(const MinSample& s) {
  const std::int64_t tail = s.call.count % s.lanes();
  Min whole = s.call;
  whole.form = Min::kContiguous;
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
    Min rest = Iteration(whole, whole.repeat_times);
    rest.mask = tail;
    program.emplace_back(rest);
  }
  return program;
}

std::uint64_t ElementAt(DType type, const Bytes& ub, const Operand& window,
                        std::int64_t i) {
  const std::int64_t at = window.at + i * isa::SizeBytes(type);
  return LoadElement(type, std::span(ub).subspan(static_cast<std::size_t>(at)));
}

std::string ElementDifference(DType type, std::int64_t i, std::uint64_t a,
                              std::uint64_t b) {
  if (SameElement(type, a, b)) return {};
  return fmt::format("element {} is {} and {}", i, DescribeElement(type, a),
                     DescribeElement(type, b));
}

std::string WindowDifference(const Min& call, const Bytes& first,
                             const Bytes& second) {
  const std::int64_t n = call.dst.bytes / isa::SizeBytes(call.dtype);
  for (std::int64_t i = 0; i < n; ++i) {
    std::string told = ElementDifference(
        call.dtype, i, ElementAt(call.dtype, first, call.dst, i),
        ElementAt(call.dtype, second, call.dst, i));
    if (!told.empty()) return told;
  }
  return {};
}

std::string OutsideDifference(const Min& call, Bytes first, Bytes second) {
  for (Bytes* bytes : {&first, &second}) {
    std::fill_n(bytes->begin() + call.dst.at, call.dst.bytes, std::uint8_t{0});
  }
  const auto [a, b] = std::ranges::mismatch(first, second);
  if (a == first.end()) return {};
  return fmt::format("byte {} outside dst is {} and {}", a - first.begin(), *a,
                     *b);
}

}  // namespace lanediff::properties
