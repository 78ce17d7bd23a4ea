// The emulator's own table of memories against that of isa/, whose test has the
// figures typed from the documents.

#include "emulator/address.h"

#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "isa/memory_map.h"

namespace lanediff::emulator {
namespace {

using isa::Memory;
using isa::Product;

TEST(Address, PositionsAndCapacitiesAreThoseOfIsa) {
  for (std::size_t p = 0; p < isa::kCount<Product>; ++p) {
    const auto product = static_cast<Product>(p);
    SCOPED_TRACE(isa::Name(product));
    for (std::size_t i = 0; i < isa::kCount<isa::Position>; ++i) {
      const auto position = static_cast<isa::Position>(i);
      EXPECT_EQ(MemoryOf(product, position), isa::MemoryAt(product, position))
          << isa::Name(position);
    }
    for (const Memory memory : {Memory::kUb, Memory::kL1, Memory::kL0c,
                                Memory::kBt, Memory::kFb}) {
      EXPECT_EQ(CapacityOf(product, memory),
                isa::CapacityBytes(product, memory))
          << isa::Name(memory);
    }
  }
}

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
