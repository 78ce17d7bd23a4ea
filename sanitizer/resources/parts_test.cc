// Parts of a machine by themselves: ids of events, what blocks touch in GM
// against a list of every byte, and the 8 KiB at the end of UB that Select
// takes.

#include "sanitizer/resources/parts.h"

#include <gtest/gtest.h>

#include <array>
#include <map>
#include <optional>
#include <random>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>

#include "isa/memory_map.h"

namespace lanediff::machine {
namespace {

using isa::Product;

TEST(EventPool, HasTheIdsOfTheProduct) {
  for (const auto& [product, ids] :
       {std::pair(Product::kAtlasA2, 8), std::pair(Product::kAtlasA3, 8),
        std::pair(Product::kAtlas200i500A2, 8),
        std::pair(Product::kAtlasInferenceAicore, 8),
        std::pair(Product::kAtlasTraining, 4),
        std::pair(Product::kAtlasInferenceVectorcore, 0),
        std::pair(Product::kAtlas200_300_500, 0)}) {
    EventPool pool(product);
    EXPECT_EQ(pool.ids(), ids) << isa::Name(product);
    for (int id = 0; id < ids; ++id) {
      const auto taken = pool.Take(isa::Event::kMte2V, 0, false);
      ASSERT_TRUE(taken) << isa::Name(product);
      EXPECT_EQ(taken->id, id);
    }
    EXPECT_FALSE(pool.Take(isa::Event::kMte2V, 0, false));
  }
}

TEST(EventPool, KeepsTheFirstSetFlagUntilItIsWaitedFor) {
  EventPool pool(isa::Product::kAtlasA2);
  EXPECT_FALSE(pool.Set({isa::Event::kMte2V, 0}, 7));
  EXPECT_FALSE(pool.Set({isa::Event::kMte2V, 0}, 9));
  EXPECT_EQ(pool.Take(isa::Event::kMte2V, 10, true)->set_by, 7U);
  EXPECT_EQ(pool.Set({isa::Event::kMte2V, 0}, 11), 10U) << "a queue's";
  EXPECT_TRUE(pool.Release(isa::Event::kMte2V, 0));
  EXPECT_FALSE(pool.Release(isa::Event::kMte2V, 0));
  pool.Wait({isa::Event::kMte2V, 0});
  EXPECT_EQ(pool.Take(isa::Event::kMte2V, 12, false)->set_by, std::nullopt);
}

struct Touch {
  std::int64_t at;
  std::int64_t bytes;
  bool write;
  GmConflicts::Toucher toucher;
};

/// Byte by byte: the first step that touched it, of each block, phase and way.
class Listing {
 public:
  std::optional<GmConflicts::Conflict> Take(const Touch& touch) {
    const auto& [block, phase, atomic, step] = touch.toucher;
    const std::string operation(touch.write && atomic != "none" ? atomic : "");
    std::optional<GmConflicts::Conflict> found;
    for (std::int64_t at = touch.at; at < touch.at + touch.bytes && !found;
         ++at) {
      for (const auto& [way, first] : bytes_[at]) {
        const auto& [its_phase, its_block, its_write, its_operation] = way;
        if (its_phase != phase || its_block == block) continue;
        if (!its_write && !touch.write) continue;
        if (!operation.empty() && its_operation == operation) continue;
        found = {at, its_block, first, its_write};
        break;
      }
    }
    for (std::int64_t at = touch.at; at < touch.at + touch.bytes; ++at) {
      bytes_[at].try_emplace({phase, block, touch.write, operation}, step);
    }
    return found;
  }

 private:
  using Way = std::tuple<std::int64_t, std::int64_t, bool, std::string>;
  std::map<std::int64_t, std::map<Way, std::size_t>> bytes_;
};

TEST(GmConflicts, AreThoseOfAListOfEveryByte) {
  std::mt19937_64 random(7);
  const auto below = [&](std::uint64_t limit) {
    return static_cast<std::int64_t>(random() % limit);
  };
  constexpr std::array<std::string_view, 4> kModes = {"none", "", "add", "max"};
  std::size_t conflicts = 0;
  for (int round = 0; round < 400; ++round) {
    GmConflicts conflicts_of_map;
    Listing listing;
    for (std::size_t step = 0; step < 24; ++step) {
      const Touch touch{
          .at = below(48),
          .bytes = 1 + below(16),
          .write = below(2) == 0,
          .toucher = {.block = below(3),
                      .phase = below(2),
                      .atomic = kModes[static_cast<std::size_t>(below(4))],
                      .step = step}};
      const auto expected = listing.Take(touch);
      const auto found = conflicts_of_map.Take(
          {"dst", touch.write, isa::Memory::kGm, touch.at, touch.bytes},
          touch.toucher);
      ASSERT_EQ(found.has_value(), expected.has_value())
          << round << " " << step;
      if (!found) continue;
      ++conflicts;
      EXPECT_EQ(found->at, expected->at);
      EXPECT_EQ(found->block, expected->block);
      EXPECT_EQ(found->step, expected->step);
      EXPECT_EQ(found->write, expected->write);
    }
  }
  EXPECT_GT(conflicts, 1000U);
}

TEST(GmConflicts, OfALaunchThatHasEndedAreForgotten) {
  GmConflicts conflicts;
  const isa::Access write{"dst", true, isa::Memory::kGm, 0, 32};
  EXPECT_FALSE(conflicts.Take(write, {.block = 0, .atomic = "", .step = 1}));
  EXPECT_TRUE(conflicts.Take(write, {.block = 1, .atomic = "", .step = 2}));
  conflicts.Clear();
  EXPECT_FALSE(conflicts.Take(write, {.block = 2, .atomic = "", .step = 3}));
}

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
