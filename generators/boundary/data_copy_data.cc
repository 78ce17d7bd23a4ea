// Values, and combinations of parameter classes.
#include <fmt/format.h>

#include <algorithm>

#include "generators/boundary/data_copy.h"
#include "generators/boundary/pairwise.h"
#include "isa/memory_map.h"

namespace lanediff::make::sweep::data_copy {
namespace {

std::optional<Sketch> Combine(const std::vector<std::size_t>& row) {
  static constexpr Position kPositions[] = {
      Position::kGm,        Position::kVecin, Position::kVeccalc,
      Position::kVecout,    Position::kA1,    Position::kB1,
      Position::kC1,        Position::kC2,    Position::kTscm,
      Position::kC2pipe2gm, Position::kCo2};
  static constexpr std::int64_t kCounts[] = {0, 1, 15, 16, 17, 300};
  static constexpr std::int64_t kBlockCounts[] = {1, 2, 7};
  static constexpr std::int64_t kLengths[] = {1, 2, 4};
  static constexpr std::int64_t kGaps[] = {0, 1, 3};
  Case c = MakeCase({.product = kEveryProduct[row[0]],
                     .dtype = kEveryDType[row[1]],
                     .src = kPositions[row[2]],
                     .dst = kPositions[row[3]],
                     .params = row[4] == 0,
                     .count = kCounts[row[5]],
                     .blocks = {kBlockCounts[row[6]], kLengths[row[7]],
                                kGaps[row[8]], kGaps[row[9]]}});
  const bool same = MemoryOf(c, 0) == MemoryOf(c, 1);
  if (row[10] == 1 && same) S(c).dst.at = S(c).src.at;
  if (row[10] == 2 && same) S(c).dst.at = S(c).src.at + 32;
  if (row[10] == 3) Prepend(c, c.program.back());
  auto& image = c.memory[static_cast<std::size_t>(MemoryOf(c, 0))];
  if (image) image->size = std::max(image->size, S(c).dst.at + S(c).dst.bytes);
  return Sketch{.what = fmt::format("pairwise: classes {}", RowText(row)),
                .rule = std::nullopt,
                .c = std::move(c),
                .data = static_cast<Data>(row[11])};
}

}  // namespace

/// Every half there is, widened, and every special value of each type moved.
void SweepBits(Emitter& out) {
  for (std::uint64_t first = 0; first < 65536; first += 256) {
    out.Add([&] {
      Case c = MakeWidening({1, 8, 0, 0});
      std::vector<std::uint64_t> values;
      for (std::uint64_t i = 0; i < 256; ++i) values.push_back(first + i);
      PutElements(c, isa::Memory::kL1, DType::kHalf, S(c).src.at, values);
      return Sketch{.what = fmt::format("widening: halves from {:#06x}", first),
                    .rule = dc::kBits,
                    .c = std::move(c)};
    });
  }
  for (DType dtype : kEveryDType) {
    out.Add([&] {
      return Sketch{
          .what = fmt::format("bits: specials of {}", isa::Name(dtype)),
          .rule = dc::kBits,
          .c = MakeCase({.dtype = dtype, .blocks = {3, 60, 1, 2}}),
          .data = Data::kSpecial};
    });
  }
}

void SweepClasses(Emitter& out) {
  SweepRows(out, {7, 12, 11, 11, 2, 6, 3, 3, 3, 3, 4, 8}, 24, Combine);
}

}  // namespace lanediff::make::sweep::data_copy
