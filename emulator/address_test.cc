#include "emulator/address.h"

#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace lanediff::emulator {
namespace {

using isa::Memory;
using isa::Product;

TEST(Address, WhatAProgramWasGivenCountsUpToTheCapacity) {
  State state = {.product = Product::kAtlasA2, .memories = {}};
  std::vector<std::uint8_t> bytes(196608 + 32);
  state.memories[Memory::kUb] = bytes;
  state.memories[Memory::kGm] = bytes;
  EXPECT_EQ(BytesOf(state, Memory::kUb), 196608u);
  EXPECT_EQ(BytesOf(state, Memory::kGm), bytes.size());
  state.memories[Memory::kUb] = std::span(bytes).first(64);
  EXPECT_EQ(BytesOf(state, Memory::kUb), 64u);
  EXPECT_EQ(BytesOf(state, Memory::kL1), 0u);
}

}  // namespace
}  // namespace lanediff::emulator
