// The 8 KiB at the end of UB that Select of a scalar or of tensors takes.

#include "sanitizer/resources/select_scratch.h"

#include <gtest/gtest.h>

#include <string>

#include "isa/memory_map.h"

namespace lanediff::machine {
namespace {

using isa::Product;

isa::Step Call(std::string name, std::string mode) {
  isa::Carried call;
  call.name = std::move(name);
  call.parameters = {{"count", 64}, {"selMode", std::move(mode)}};
  return call;
}
const isa::Step kSelect = Call("Select", "VSEL_TENSOR_SCALAR_MODE");
const isa::Step kOther = Call("Adds", "");

isa::Access Read(std::int64_t at, std::int64_t bytes,
                 isa::Memory memory = isa::Memory::kUb) {
  return {"src", false, memory, at, bytes};
}
isa::Access Write(std::int64_t at, std::int64_t bytes) {
  return {"dst", true, isa::Memory::kUb, at, bytes};
}

/// Follows steps, numbered from 0, of one block.
class Block {
 public:
  explicit Block(Product product = Product::kAtlasA2) : scratch_(product) {}

  /// What is found and the Select that it names; "" if all is well.
  std::string Take(const isa::Step& step, const isa::Access& access) {
    const auto found = scratch_.Take(step, number_++, {&access, 1});
    if (!found) return "";
    return found->what.substr(0, found->what.find(',')) +
           (found->select ? " " + std::to_string(*found->select) : "");
  }

 private:
  SelectScratch scratch_;
  std::size_t number_ = 0;
};

constexpr std::int64_t kBegin = 196608 - 8192;

TEST(SelectScratch, LiesBehindTheOperandsOfSelect) {
  EXPECT_EQ(Block().Take(kSelect, Write(kBegin - 32, 32)), "");
  EXPECT_EQ(Block().Take(kSelect, Write(kBegin - 32, 33)),
            "has dst at UB byte 188416");
  EXPECT_EQ(Block().Take(kSelect, Read(kBegin + 32, 32)),
            "has src at UB byte 188448");
  EXPECT_EQ(Block().Take(kSelect, Read(196607, 1)),
            "has src at UB byte 196607");
  EXPECT_EQ(Block().Take(kSelect, Read(kBegin, 32, isa::Memory::kL1)), "");
  EXPECT_EQ(Block().Take(kOther, Write(kBegin, 32)), "");
}

TEST(SelectScratch, IsTakenInTwoModes) {
  const isa::Access end = Write(kBegin, 32);
  EXPECT_NE(Block().Take(Call("Select", "VSEL_TENSOR_TENSOR_MODE"), end), "");
  EXPECT_EQ(Block().Take(Call("Select", "VSEL_CMPMASK_SPR"), end), "");
  EXPECT_EQ(Block().Take(Call("Adds", "VSEL_TENSOR_SCALAR_MODE"), end), "");
}

TEST(SelectScratch, LosesWhatWasWrittenThereBefore) {
  Block block;
  const isa::Access below = Read(0, 32);
  EXPECT_EQ(block.Take(kOther, Write(kBegin + 32, 32)), "");
  EXPECT_EQ(block.Take(kOther, Read(kBegin + 32, 32)), "") << "no Select yet";
  EXPECT_EQ(block.Take(kSelect, below), "");
  EXPECT_EQ(block.Take(kOther, Read(kBegin, 32)), "") << "never written";
  EXPECT_EQ(block.Take(kOther, Read(kBegin + 64, 32)), "") << "never written";
  EXPECT_EQ(block.Take(kOther, Read(kBegin, 33)), "reads UB byte 188448 2");
  EXPECT_EQ(block.Take(kOther, Read(kBegin + 63, 1)), "reads UB byte 188479 2");
  EXPECT_EQ(block.Take(kOther, Write(kBegin + 32, 16)), "");
  EXPECT_EQ(block.Take(kOther, Read(kBegin + 32, 16)), "") << "written again";
  EXPECT_EQ(block.Take(kOther, Read(kBegin + 32, 17)),
            "reads UB byte 188464 2");
  EXPECT_EQ(block.Take(kSelect, below), "");
  EXPECT_EQ(block.Take(kOther, Read(kBegin + 32, 1)),
            "reads UB byte 188448 10");
}

TEST(SelectScratch, IsOfSomeProducts) {
  for (const auto& [product, has] :
       {std::pair(Product::kAtlasA2, true), std::pair(Product::kAtlasA3, true),
        std::pair(Product::kAtlasInferenceAicore, true),
        std::pair(Product::kAtlas200i500A2, false),
        std::pair(Product::kAtlasTraining, false)}) {
    const std::int64_t end = isa::CapacityBytes(product, isa::Memory::kUb);
    EXPECT_EQ(Block(product).Take(kSelect, Write(end - 32, 32)) != "", has)
        << isa::Name(product);
  }
}

}  // namespace
}  // namespace lanediff::machine
