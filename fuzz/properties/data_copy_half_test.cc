#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <span>

#include "differential/memory/memory_set.h"
#include "differential/targets/target_kind.h"
#include "differential/testcase/element.h"
#include "fuzz/properties/law.h"
#include "fuzz/properties/support.h"
#include "isa/data_copy.h"

/// DataCopy from half to float, for every half there is.
namespace lanediff::properties {
namespace {

using isa::DataCopy;
using isa::DType;
using isa::Position;
using isa::Product;

/// The bits of the float that is the value of a half; of a NaN, those with its
/// sign and its payload at the top.
std::uint32_t Widened(std::uint32_t half) {
  const std::uint32_t sign = (half >> 15) << 31;
  const int exponent = static_cast<int>(half >> 10 & 31);
  const std::uint32_t fraction = half & 0x3ff;
  if (exponent == 31) return sign | 0x7f800000 | fraction << 13;
  const std::uint32_t significand = exponent == 0 ? fraction : fraction | 0x400;
  const float value =
      std::ldexp(static_cast<float>(significand), std::max(exponent, 1) - 25);
  return sign | std::bit_cast<std::uint32_t>(value);
}

/// Copies the 256 halves from `first` on, as much as the BiasTable holds.
Case WideningCase(Product product, std::uint32_t first) {
  DataCopy call;
  call.dtype = DType::kHalf;
  call.dst = {.position = Position::kC2,
              .at = 0,
              .bytes = 1024,
              .dtype = DType::kFloat};
  call.src = {.position = Position::kC1, .at = 0, .bytes = 512, .dtype = {}};
  call.form = DataCopy::kParams;
  call.params = {.block_count = 1, .block_len = 8, .src_gap = 0, .dst_gap = 0};
  Region source{.at = 0, .dtype = DType::kHalf, .bytes = {}};
  for (std::uint32_t i = 0; i < 256; ++i) {
    AppendElement(DType::kHalf, first + i, source.bytes);
  }
  Case c;
  c.id = "properties/unsaved";
  c.product = product;
  c.edition = EditionUnderTest();
  c.memory[static_cast<std::size_t>(isa::Memory::kL1)] =
      MemoryImage{.fill = 0, .size = 512, .regions = {std::move(source)}};
  c.program = {call};
  return c;
}

/// All halves on one target; the first that is widened wrongly is reported.
Verdict EveryHalfWidens(Product product, const diff::StepwiseTarget& target) {
  for (std::uint32_t first = 0; first < 0x10000; first += 256) {
    Case c = WideningCase(product, first);
    diff::MemorySet memory(c);
    const auto result =
        target.Open(c.profile(), memory.view())->Execute(c.program[0]);
    if (result.status != isa::StepResult::Status::kExecuted) {
      return {.broken = "the copy is not executed", .witness = c};
    }
    const std::span<const std::uint8_t> table = memory[isa::Memory::kBt];
    for (std::uint32_t i = 0; i < 256; ++i) {
      const auto bits = LoadElement(DType::kFloat, table.subspan(4 * i));
      if (bits == Widened(first + i)) continue;
      return {.broken =
                  fmt::format("{} widens half {:#06x} to {}", target.name(),
                              first + i, DescribeElement(DType::kFloat, bits)),
              .witness = c};
    }
  }
  return {};
}

TEST(DataCopyLaws, EveryHalfWidensExactly) {
  for (Product product : {Product::kAtlasA2, Product::kAtlasA3}) {
    for (const diff::Target* target : diff::ListedTargets()) {
      const Verdict verdict = EveryHalfWidens(product, diff::StepsOf(*target));
      EXPECT_EQ(verdict.broken, "")
          << SaveWitness(DataCopy::kSlug, "every-half-widens-exactly", verdict);
    }
  }
}

}  // namespace
}  // namespace lanediff::properties
