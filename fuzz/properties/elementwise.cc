#include "fuzz/properties/elementwise.h"

#include <fmt/format.h>

#include <span>

#include "differential/testcase/element.h"
#include "isa/state.h"
#include "isa/units.h"

namespace lanediff::properties {
namespace {

using isa::kDataBlockBytes;
/// Bytes of no operand before, between and behind the operands.
constexpr std::int64_t kMarginBytes = 64;

}  // namespace

using isa::DType;
using isa::Operand;

Operand Surroundings::Add(std::int64_t bytes) {
  const std::int64_t free = end + kMarginBytes + kDataBlockBytes - 1;
  const std::int64_t at = free / kDataBlockBytes * kDataBlockBytes;
  end = at + bytes;
  return {.position = isa::Position::kVeccalc,
          .at = at,
          .bytes = bytes,
          .dtype = {}};
}

void Surroundings::Fill(const Operand& window,
                        const std::vector<std::uint64_t>& elements) {
  Region region{.at = window.at, .dtype = dtype, .bytes = {}};
  const std::size_t n = elements.size();
  const auto count = static_cast<std::size_t>(window.bytes / element_bytes());
  for (std::size_t i = 0; i < count; ++i) {
    AppendElement(dtype, n == 0 ? 0 : elements[i % n], region.bytes);
  }
  sources.push_back(std::move(region));
}

std::uint64_t Surroundings::AsWritten(std::uint64_t bits) const {
  if (dtype != DType::kHalf || !saturation) return bits;
  if (IsNan(dtype, bits)) return 0;
  return (bits & 0x7fff) == 0x7c00 ? (bits & 0x8000) | 0x7bff : bits;
}

Case CaseOf(const Surroundings& s, std::vector<isa::Step> program) {
  if (!s.saturation) {
    program.insert(program.begin(), isa::SetSaturation{.enabled = false});
  }
  std::vector<Region> regions = s.sources;
  std::ranges::sort(regions, {}, &Region::at);
  return UbCase(s.product, s.fill, s.end + kMarginBytes, std::move(regions),
                std::move(program));
}

std::int64_t SpanBytes(std::int64_t repeat_times, std::int64_t rep_stride,
                       std::int64_t blk_stride) {
  return kDataBlockBytes *
         ((repeat_times - 1) * rep_stride + 7 * blk_stride + 1);
}

Operand Behind(Operand window, std::int64_t bytes) {
  window.at += bytes;
  window.bytes -= bytes;
  return window;
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

std::string WindowDifference(DType type, const Operand& window,
                             const Bytes& first, const Bytes& second) {
  const std::int64_t n = window.bytes / isa::SizeBytes(type);
  for (std::int64_t i = 0; i < n; ++i) {
    std::string difference =
        ElementDifference(type, i, ElementAt(type, first, window, i),
                          ElementAt(type, second, window, i));
    if (!difference.empty()) return difference;
  }
  return {};
}

std::string OutsideDifference(const Operand& window, Bytes first,
                              Bytes second) {
  for (Bytes* bytes : {&first, &second}) {
    std::fill_n(bytes->begin() + window.at, window.bytes, std::uint8_t{0});
  }
  const auto [a, b] = std::ranges::mismatch(first, second);
  if (a == first.end()) return {};
  return fmt::format("byte {} outside dst is {} and {}", a - first.begin(), *a,
                     *b);
}

std::uint64_t Negative(DType type, std::uint64_t bits) {
  if (IsFloating(type)) return bits ^ Compose(type, true, 0, 0);
  return (0 - bits) & Ones(8 * isa::SizeBytes(type));
}

std::vector<std::uint64_t> Negatives(DType type,
                                     std::vector<std::uint64_t> elements) {
  if (elements.empty()) elements.push_back(0);
  for (std::uint64_t& bits : elements) bits = Negative(type, bits);
  return elements;
}

std::uint64_t ElementOfInteger(DType type, std::int64_t integer) {
  if (IsFloating(type)) return ScaledInteger(type, integer, 0);
  return static_cast<std::uint64_t>(integer) & Ones(8 * isa::SizeBytes(type));
}

}  // namespace lanediff::properties
