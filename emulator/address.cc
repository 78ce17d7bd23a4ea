#include "emulator/address.h"

#include <algorithm>
#include <array>
#include <bit>
#include <limits>

namespace lanediff::emulator {
namespace {

using isa::Memory;

constexpr auto kProducts = isa::kCount<isa::Product>;
constexpr auto kPositions = isa::kCount<isa::Position>;

constexpr auto kUb = Memory::kUb;
constexpr auto kL1 = Memory::kL1;
constexpr auto kGm = Memory::kGm;
constexpr auto kL0c = Memory::kL0c;
constexpr auto kBt = Memory::kBt;
constexpr auto kFb = Memory::kFb;

// Rows: the products in the order of `isa::Product`. Columns: GM VECIN VECCALC
// VECOUT A1 B1 TSCM C1 C2 C2PIPE2GM CO2 UB.
constexpr std::array<std::array<Memory, kPositions>, kProducts> kMemoryOf = {{
    {kGm, kUb, kUb, kUb, kL1, kL1, kL1, kUb, kL0c, kFb, kUb, kUb},
    {kGm, kUb, kUb, kUb, kL1, kL1, kL1, kUb, kL0c, kFb, kUb, kUb},
    {kGm, kUb, kUb, kUb, kL1, kL1, kL1, kUb, kL0c, kFb, kGm, kUb},
    {kGm, kUb, kUb, kUb, kL1, kL1, kL1, kL1, kBt, kFb, kGm, kUb},
    {kGm, kUb, kUb, kUb, kL1, kL1, kL1, kL1, kBt, kFb, kGm, kUb},
    {kGm, kUb, kUb, kUb, kL1, kL1, kL1, kUb, kBt, kFb, kGm, kUb},
    {kGm, kUb, kUb, kUb, kL1, kL1, kL1, kUb, kL0c, kFb, kGm, kUb},
}};

constexpr std::int64_t kKiB = 1024;
constexpr std::int64_t kNoLimit = std::numeric_limits<std::int64_t>::max();

// Columns: GM UB L1 L0C BT FB.
constexpr std::array<std::array<std::int64_t, isa::kCount<Memory>>, kProducts>
    kCapacityOf = {{
        {kNoLimit, 256 * kKiB, 1024 * kKiB, 256 * kKiB, kKiB, 7 * kKiB},
        {kNoLimit, 256 * kKiB, 1024 * kKiB, 256 * kKiB, kKiB, 7 * kKiB},
        {kNoLimit, 256 * kKiB, 1024 * kKiB, 256 * kKiB, kKiB, 7 * kKiB},
        {kNoLimit, 192 * kKiB, 512 * kKiB, 128 * kKiB, kKiB, 7 * kKiB},
        {kNoLimit, 192 * kKiB, 512 * kKiB, 128 * kKiB, kKiB, 7 * kKiB},
        {kNoLimit, 256 * kKiB, 1024 * kKiB, 128 * kKiB, kKiB, 7 * kKiB},
        {kNoLimit, 256 * kKiB, 1024 * kKiB, 256 * kKiB, kKiB, 7 * kKiB},
    }};

}  // namespace

isa::Memory MemoryOf(isa::Product product, isa::Position position) {
  return kMemoryOf[static_cast<std::size_t>(product)]
                  [static_cast<std::size_t>(position)];
}

std::int64_t CapacityOf(isa::Product product, isa::Memory memory) {
  return kCapacityOf[static_cast<std::size_t>(product)]
                    [static_cast<std::size_t>(memory)];
}

std::size_t BytesOf(const State& state, isa::Memory memory) {
  const auto most = static_cast<std::size_t>(CapacityOf(state.product, memory));
  return std::min(state.memories[memory].size(), most);
}

Extent LanesExtent(const LaneMask& lanes, std::int64_t element_bytes,
                   std::int64_t block_stride) {
  if (block_stride == 0) {
    // The eight blocks are one, in which any of them may be the first or last
    // to take part.
    const auto lanes_per_block = static_cast<int>(kBlockBytes / element_bytes);
    std::uint64_t bits = 0;
    for (int block = 0; block < kBlocksPerIteration; ++block) {
      bits |= lanes.Slice(block * lanes_per_block, lanes_per_block);
    }
    return {Wide{std::countr_zero(bits)} * element_bytes,
            Wide{std::bit_width(bits)} * element_bytes};
  }
  const auto at = [&](int lane) {
    const std::int64_t bytes = lane * element_bytes;
    return Wide{bytes / kBlockBytes} * block_stride + bytes % kBlockBytes;
  };
  return {at(lanes.Lowest()), at(lanes.Highest()) + element_bytes};
}

}  // namespace lanediff::emulator
