// What blocks touch in GM, against a list of every byte.

#include "sanitizer/resources/gm_conflicts.h"

#include <gtest/gtest.h>

#include <array>
#include <map>
#include <random>
#include <tuple>

namespace lanediff::machine {
namespace {

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

}  // namespace
}  // namespace lanediff::machine
