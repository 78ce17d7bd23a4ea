// Where the lanes of each iteration are, against a list of every byte.

#include <algorithm>
#include <array>
#include <random>
#include <utility>
#include <vector>

#include "kernel/carried/call_testing.h"

namespace lanediff::kernel {
namespace {

constexpr std::int64_t kMemoryBytes = 65536;

struct Strides {
  std::int64_t at = 0;  ///< of the operand
  std::int64_t block = 1;
  std::int64_t repeat = 8;
};
/// Whether a lane takes part, by iteration.
using Lanes = std::vector<std::vector<bool>>;
/// Iteration and byte, ascending.
using Bytes = std::vector<std::pair<std::int64_t, std::int64_t>>;

std::int64_t PlaceOf(const Strides& strides, std::int64_t size, std::int64_t r,
                     std::int64_t lane) {
  const std::int64_t in_block = 32 / size;
  return strides.at +
         32 * (r * strides.repeat + lane / in_block * strides.block) +
         lane % in_block * size;
}

Bytes BytesOf(const Lanes& lanes, const Strides& strides, std::int64_t size) {
  Bytes bytes;
  for (std::size_t r = 0; r < lanes.size(); ++r) {
    for (std::size_t k = 0; k < lanes[r].size(); ++k) {
      if (!lanes[r][k]) continue;
      const auto number = static_cast<std::int64_t>(r);
      const std::int64_t at =
          PlaceOf(strides, size, number, static_cast<std::int64_t>(k));
      for (std::int64_t i = 0; i < size; ++i)
        bytes.emplace_back(number, at + i);
    }
  }
  return bytes;
}

Bytes BytesOf(const std::vector<Touch>& touches) {
  Bytes bytes;
  for (const Touch& touch : touches) {
    for (std::int64_t i = 0; i < touch.bytes; ++i) {
      bytes.emplace_back(touch.iteration, touch.at + i);
    }
  }
  return bytes;
}

Bytes Unique(Bytes bytes) {
  std::ranges::sort(bytes);
  bytes.erase(std::unique(bytes.begin(), bytes.end()), bytes.end());
  return bytes;
}

/// A call that copies, under a mask of any form, and which lanes take part.
class RandomCall {
 public:
  explicit RandomCall(std::mt19937_64& random) : random_(random) {
    const std::uint8_t dtype = Below(2) == 0 ? LANEDIFF_INT16 : LANEDIFF_INT32;
    size = dtype == LANEDIFF_INT16 ? 2 : 4;
    src = {32 * Below(4), Below(4), Below(12)};
    dst = {kMemoryBytes / 2 + 32 * Below(4), 1 + Below(3), 8 * (1 + Below(4))};
    call.Operand(kDst, dtype, dst.at).Operand(kSrc, dtype, src.at);
    call.Scalar(dtype, 0).Numbers(
        {"dstBlkStride", "srcBlkStride", "dstRepStride", "srcRepStride"},
        {dst.block, src.block, dst.repeat, src.repeat});
    Choose();
  }

  Call call{"Subs"};
  std::int64_t size = 2;
  Strides src;
  Strides dst;
  Lanes lanes;
  isa::CarriedMask mask{.masked = true};

 private:
  std::int64_t Below(std::uint64_t limit) {
    return static_cast<std::int64_t>(random_() % limit);
  }

  void Choose() {
    const std::int64_t width = 256 / size;
    const std::int64_t repeat = Below(4);
    const auto first = [&](std::int64_t count) {
      std::vector<bool> row(static_cast<std::size_t>(width));
      std::fill_n(row.begin(), count, true);
      return row;
    };
    // The last lane is at the end of a word.
    std::array<std::uint64_t, 2> words = {random_() & random_(),
                                          random_() | random_()};
    if (Below(2) == 0) words[1] |= std::uint64_t{1} << 63;
    if (size == 4) words[1] = 0;
    std::vector<bool> chosen;
    for (std::int64_t k = 0; k < width; ++k) {
      chosen.push_back(
          (words[static_cast<std::size_t>(k / 64)] >> (k % 64) & 1) != 0);
    }
    const std::int64_t count = Below(4 * static_cast<std::uint64_t>(width));
    switch (Below(5)) {
      case 0: {
        const std::int64_t n = 1 + count % width;
        call.Mask(static_cast<std::uint64_t>(n), repeat);
        const auto ones = [](std::int64_t bits) {
          return bits <= 0 ? 0
                           : ~0ULL >> (64 - std::min<std::int64_t>(bits, 64));
        };
        mask.leaves = {ones(n), ones(n - 64)};
        lanes.assign(static_cast<std::size_t>(repeat), first(n));
        return;
      }
      case 1:
        call.MaskBits(words[0], words[1], repeat);
        mask.leaves = words;
        lanes.assign(static_cast<std::size_t>(repeat), chosen);
        return;
      case 2:
        call.Mask(1, repeat).NoSetMask();
        mask.is_set_mask = false;
        call.call.state.mask_low = words[0];
        call.call.state.mask_high = words[1];
        lanes.assign(static_cast<std::size_t>(repeat), chosen);
        return;
      case 3:
        call.Mask(1, repeat).NoSetMask().Counter(
            static_cast<std::uint64_t>(count));
        mask.is_set_mask = false;
        break;
      default:
        mask.leaves = {static_cast<std::uint64_t>(count), 0};
        call.Mask(static_cast<std::uint64_t>(count), repeat).Counter(1);
    }
    for (std::int64_t left = count; left > 0; left -= width) {
      lanes.push_back(first(std::min(left, width)));
    }
  }

  std::mt19937_64& random_;
};

TEST(LanesAtRandom, AreThoseOfAListOfEveryByte) {
  std::mt19937_64 random(27);
  std::size_t cuts = 0;
  for (int round = 0; round < 400 && !::testing::Test::HasFailure(); ++round) {
    SCOPED_TRACE(round);
    RandomCall one(random);
    const Bytes reads = BytesOf(one.lanes, one.src, one.size);
    const Bytes writes = BytesOf(one.lanes, one.dst, one.size);
    const auto plan = one.call.Plan();
    ASSERT_TRUE(plan) << plan.error();
    EXPECT_FALSE(plan->cut);
    EXPECT_EQ(plan->mask, one.mask);
    EXPECT_EQ(one.call.OutOfRange(), "");
    EXPECT_EQ(Unique(BytesOf(plan->reads)), Unique(reads));
    EXPECT_EQ(BytesOf(plan->writes), writes) << "each once, in order";
    std::vector<std::uint8_t> memory(kMemoryBytes);
    for (std::uint8_t& byte : memory) {
      byte = static_cast<std::uint8_t>(random());
    }
    one.call.Put(0, memory);
    EXPECT_EQ(one.call.Run(), 0U);
    std::vector<std::uint8_t> expected = memory;
    for (std::size_t i = 0; i < reads.size(); ++i) {
      expected[static_cast<std::size_t>(writes[i].second)] =
          memory[static_cast<std::size_t>(reads[i].second)];
    }
    EXPECT_EQ(one.call.Get<std::uint8_t>(0, kMemoryBytes), expected);

    // The same in a smaller window: what leaves it ends the list.
    CarriedOperand& src = one.call.call.operands[1];
    src.window = 32 * static_cast<std::int64_t>(random() % 40);
    const bool leaves = std::ranges::any_of(reads, [&](const auto& byte) {
      return byte.second >= src.at + src.window;
    });
    cuts += leaves ? 1 : 0;
    const auto cut = one.call.Plan();
    EXPECT_TRUE(leaves || !cut->cut);
    const Bytes listed = Unique(BytesOf(cut->reads));
    EXPECT_TRUE(std::ranges::includes(Unique(reads), listed));
    EXPECT_EQ(std::ranges::any_of(listed,
                                  [&](const auto& byte) {
                                    return byte.second >= src.at + src.window;
                                  }),
              leaves);
  }
  EXPECT_GT(cuts, 50U);
}

}  // namespace
}  // namespace lanediff::kernel
