#include "differential/memory/filled_memory.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

namespace lanediff::diff {
namespace {

using isa::Memory;

/// A case with two memories, one of which ends within a chunk.
Case TwoMemories() {
  Case c;
  c.memory[Memory::kGm] = {.fill = 0, .size = 1000, .regions = {}};
  c.memory[Memory::kUb] = {.fill = 0xa5, .size = 65536, .regions = {}};
  return c;
}

/// First and last bytes of the memory, of chunks, and of 64 chunks.
constexpr std::int64_t kPlaces[] = {0,     1,     255,   256,   257,  16383,
                                    16384, 16639, 16640, 32768, 65535};

bool AllBytesAre(const MemorySet& set, Memory memory, std::uint8_t value) {
  return std::ranges::all_of(set[memory],
                             [&](std::uint8_t byte) { return byte == value; });
}

TEST(Touched, RunsCoverEveryByteOnce) {
  const Case c = TwoMemories();
  for (const std::int64_t at : kPlaces) {
    Touched touched(SizesOf(c));
    touched.Add(Memory::kUb, at, 1);
    touched.Add(Memory::kGm, 900, 100);
    std::size_t next = 0;
    std::size_t bytes = 0;
    touched.ForEachRun([&](const Touched::Run& run, bool is_touched) {
      if (run.at == 0) next = 0;
      EXPECT_EQ(run.at, next);
      next = run.at + run.bytes;
      bytes += run.bytes;
      const auto first = static_cast<std::int64_t>(run.at);
      const auto end = static_cast<std::int64_t>(next);
      if (run.memory == Memory::kUb && first <= at && at < end) {
        EXPECT_TRUE(is_touched);
      }
    });
    EXPECT_EQ(bytes, 1000u + 65536u);
  }
}

TEST(FilledMemory, EveryByteOutsideIsLookedAt) {
  const Case c = TwoMemories();
  FilledMemory memory(c, SizesOf(c), Background::kFill);
  for (const std::int64_t at : kPlaces) {
    Touched elsewhere(SizesOf(c));
    elsewhere.Add(Memory::kUb, at < 512 ? 1024 : 0, 512);
    EXPECT_TRUE(memory.IsCleanOutside(elsewhere));
    auto& byte = memory.set()[Memory::kUb][static_cast<std::size_t>(at)];
    byte = 0;
    EXPECT_FALSE(memory.IsCleanOutside(elsewhere)) << at;
    Touched found = elsewhere;
    memory.FindTouched(found);
    EXPECT_TRUE(memory.IsCleanOutside(found)) << at;
    byte = 0xa5;
  }
}

TEST(FilledMemory, IsCleanAgainWhenRestored) {
  const Case c = TwoMemories();
  for (const std::int64_t at : kPlaces) {
    for (const Background background :
         {Background::kFill, Background::kInvertedFill}) {
      FilledMemory memory(c, SizesOf(c), background);
      const bool inverted = background == Background::kInvertedFill;
      EXPECT_TRUE(
          AllBytesAre(memory.set(), Memory::kUb, inverted ? 0x5a : 0xa5));
      EXPECT_TRUE(AllBytesAre(memory.set(), Memory::kGm, inverted ? 0xff : 0));
      Touched touched(SizesOf(c));
      touched.Add(Memory::kUb, at, 1);
      memory.set()[Memory::kUb][static_cast<std::size_t>(at)] = 1;
      memory.Restore(touched);
    }
  }
}

TEST(FilledMemory, AnotherFillIsNotMistaken) {
  Case c = TwoMemories();
  for (int fill = 0; fill < 60; ++fill) {
    c.memory[Memory::kUb]->fill = static_cast<std::uint8_t>(fill);
    FilledMemory memory(c, SizesOf(c), Background::kFill);
    EXPECT_TRUE(AllBytesAre(memory.set(), Memory::kUb,
                            static_cast<std::uint8_t>(fill)));
    memory.Restore(Touched(SizesOf(c)));
  }
}

/// Those of one size class serve each other.
TEST(FilledMemory, AnotherSizeIsNotMistaken) {
  Case c = TwoMemories();
  auto& ub = *c.memory[Memory::kUb];
  for (int i = 0; i < 200; ++i) {
    ub.size = 4097 + i * 997 % 4096;
    ub.fill = static_cast<std::uint8_t>(i % 3);
    FilledMemory memory(c, SizesOf(c), Background::kFill);
    ASSERT_EQ(memory.set()[Memory::kUb].size(),
              static_cast<std::size_t>(ub.size));
    ASSERT_TRUE(AllBytesAre(memory.set(), Memory::kUb, ub.fill)) << i;
    Touched touched(SizesOf(c));
    touched.Add(Memory::kUb, ub.size - 1, 1);
    memory.set()[Memory::kUb].back() = 77;
    memory.Restore(touched);
  }
}

TEST(FilledMemory, DirtyMemoriesAreNotKeptAsClean) {
  const Case c = TwoMemories();
  {
    FilledMemory memory(c, SizesOf(c), Background::kFill);
    std::ranges::fill(memory.set()[Memory::kUb], std::uint8_t{7});
  }
  const FilledMemory memory(c, SizesOf(c), Background::kFill);
  EXPECT_TRUE(AllBytesAre(memory.set(), Memory::kUb, 0xa5));
}

}  // namespace
}  // namespace lanediff::diff
