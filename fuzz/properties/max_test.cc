#include "isa/max.h"

#include "fuzz/properties/elementwise_laws.h"
#include "isa/min.h"

/// Laws of Max. No law defines the larger of two values.
namespace lanediff::properties {
namespace {

using isa::Max;

/// The values in the opposite order: of integers all bits are turned, which the
/// smallest one has no negative for.
std::uint64_t Mirrored(isa::DType type, std::uint64_t bits) {
  if (IsFloating(type)) return Negative(type, bits);
  return ~bits & Ones(8 * isa::SizeBytes(type));
}

/// Max(a, b) is the mirror image of Min of the mirror images. Where a NaN comes
/// in, saturation makes +0 of both.
Verdict IsMirroredMin() {
  auto s = Counted(DrawSurroundings<Max>());
  // Min is not on all of Max's products.
  if (s.product == isa::Product::kAtlasA3) s.product = isa::Product::kAtlasA2;
  FillSources(s, Values::kAny);
  Surroundings mirrored = s;
  for (Region& region : mirrored.sources) {
    const std::int64_t bytes = s.element_bytes();
    std::vector<std::uint8_t> turned;
    for (std::int64_t at = 0; at < region.size(); at += bytes) {
      const auto element =
          std::span(region.bytes).subspan(static_cast<std::size_t>(at));
      AppendElement(s.dtype, Mirrored(s.dtype, LoadElement(s.dtype, element)),
                    turned);
    }
    region.bytes = std::move(turned);
  }
  return Related(
      CaseOf(s, {s.call}), CaseOf(mirrored, {As<isa::Min>(s.call)}),
      [&](const Bytes& a, const Bytes& b) {
        for (std::int64_t i = 0; i < s.call.count; ++i) {
          if (IsNan(s.dtype, ElementAt(s.dtype, a, s.call.src0, i)) ||
              IsNan(s.dtype, ElementAt(s.dtype, a, s.call.src1, i))) {
            continue;
          }
          std::string difference = ElementDifference(
              s.dtype, i, ElementAt(s.dtype, a, s.call.dst, i),
              Mirrored(s.dtype, ElementAt(s.dtype, b, s.call.dst, i)));
          if (!difference.empty()) return difference;
        }
        return std::string();
      });
}

[[maybe_unused]] const bool kGiven =
    GiveLaws<Max>({{"Commutes", Commutes<Max>},
                   {"IsIdempotent", IsIdempotent<Max>},
                   {"Associates", Associates<Max>},
                   {"RunningMaximumHasNoOrder", RunningExtremeHasNoOrder<Max>},
                   {"IsMirroredMin", IsMirroredMin}});

}  // namespace
}  // namespace lanediff::properties
