#include <gtest/gtest.h>

#include <random>

#include "audit/characterize/probes.h"
#include "audit/characterize/testing.h"

namespace lanediff::character {
namespace {

using isa::DType;
using test::Arithmetic;
using test::FoldOf;
using test::Model;

constexpr std::string_view kSum = "RepeatReduceSum";
constexpr std::string_view kProduct = "TROWPROD";

FoundOrder OrderOf(const diff::Target& target, const Fold& fold,
                   std::size_t leaves) {
  ProbeRunner runner(target, nullptr);
  Prober prober(runner, fold);
  return FindOrder(prober, leaves);
}

const diff::Target& Named(std::string_view name) {
  return **diff::FindTarget(name);
}

std::uint64_t Most(std::size_t leaves) {
  return leaves <= 64 ? std::max<std::uint64_t>(leaves * leaves, 1)
                      : leaves * 8 * std::bit_width(leaves);
}

void ExpectRandomTrees(std::string_view op, DType dtype, Rounding rounding,
                       unsigned seed, int count) {
  for (int i = 0; i < count; ++i, ++seed) {
    const std::size_t most = FoldOf(op, dtype).most();
    const std::size_t n =
        2 + seed * 7919u % (std::min<std::size_t>(most, 128) - 1);
    const Tree tree = test::RandomTree(n, seed);
    const Model model(op, dtype,
                      {.tree = [&](std::size_t) { return tree; },
                       .accumulator = dtype,
                       .rounding = rounding});
    const FoundOrder found = OrderOf(model, FoldOf(op, dtype), n);
    ASSERT_EQ(found.kind, FoundOrder::Kind::kTree) << n << found.note;
    ASSERT_EQ(found.tree, tree.Text()) << n;
    ASSERT_LE(found.probes, Most(n)) << n;
  }
}

TEST(Order, RandomTreesOfSumsComeOutAsTheyAre) {
  ExpectRandomTrees(kSum, DType::kHalf, Rounding::kNearestEven, 1, 100);
  ExpectRandomTrees(kSum, DType::kFloat, Rounding::kNearestEven, 101, 100);
}

TEST(Order, RandomTreesOfSumsThatAreRoundedOtherwise) {
  for (const Rounding rounding : {Rounding::kTowardZero, Rounding::kUp,
                                  Rounding::kDown, Rounding::kToOdd}) {
    ExpectRandomTrees(kSum, DType::kHalf, rounding, 1, 20);
    ExpectRandomTrees(kSum, DType::kFloat, rounding, 31, 20);
  }
}

TEST(Order, RandomTreesOfProductsComeOutAsTheyAre) {
  ExpectRandomTrees(kProduct, DType::kHalf, Rounding::kNearestEven, 201, 100);
  ExpectRandomTrees(kProduct, DType::kFloat, Rounding::kTowardZero, 301, 100);
}

TEST(Order, RandomTreesOfHalvesAddedInFloat) {
  for (unsigned seed = 1; seed < 30; ++seed) {
    const std::size_t n = 3 + seed * 4;
    const Tree tree = test::RandomTree(n, seed);
    const Model model(kSum, DType::kHalf,
                      {.tree = [&](std::size_t) { return tree; }});
    const FoundOrder found = OrderOf(model, FoldOf(kSum, DType::kHalf), n);
    ASSERT_EQ(found.tree, tree.Text()) << n << found.note;
    ASSERT_LE(found.probes, Most(n)) << n;
  }
}

TEST(Order, SumsOfOurOwnAreOfNeighbours) {
  for (const char* target : {"oracle", "emulator"}) {
    for (const auto op : {kSum, std::string_view("WholeReduceSum")}) {
      for (const DType dtype : {DType::kHalf, DType::kFloat}) {
        for (const std::size_t n : {1, 2, 3, 5, 17, 64, 127, 128}) {
          const Fold fold = FoldOf(op, dtype);
          if (!fold.takes(n)) continue;
          const FoundOrder found = OrderOf(Named(target), fold, n);
          ASSERT_EQ(found.kind, FoundOrder::Kind::kTree) << op << n;
          EXPECT_EQ(found.names.at(0), "neighbours") << op << n << found.tree;
          EXPECT_LE(found.probes, std::min<std::uint64_t>(Most(n), 2 * n + 12));
        }
      }
    }
  }
}

/// All steps that matter: registers of 64 and 128 lanes, blocks of 8 and 16.
constexpr std::size_t kColumns[] = {
    1,   2,   3,   5,   8,   9,   16,  17,  33,  63,  64,   65,  127,
    128, 129, 192, 256, 320, 384, 448, 512, 640, 768, 1000, 1024};

void ExpectOrders(const char* target, DType dtype,
                  std::span<const std::size_t> columns) {
  for (const auto order : {isa::Order::kDocumented, isa::Order::kBlockLanes,
                           isa::Order::kRegisterLanes, isa::Order::kLeftFold}) {
    Fold fold = FoldOf(kProduct, dtype);
    fold.order = order;
    for (const std::size_t n : columns) {
      const FoundOrder found = OrderOf(Named(target), fold, n);
      ASSERT_FALSE(found.names.empty())
          << isa::Name(order) << n << found.note << found.tree.substr(0, 200);
      EXPECT_EQ(found.names[0], isa::Name(order)) << n;
      EXPECT_LE(found.probes, n <= 64 ? Most(n) : 2 * n + 40) << n;
    }
  }
}

TEST(Order, ProductsOfTheEmulatorHaveTheOrderThatIsAskedFor) {
  ExpectOrders("emulator", DType::kHalf, kColumns);
  ExpectOrders("emulator", DType::kFloat, kColumns);
}

TEST(Order, ProductsOfTheOracleHaveTheOrderThatIsAskedFor) {
  constexpr std::size_t kSome[] = {2, 3, 17, 64, 129, 192, 384, 1024};
  ExpectOrders("oracle", DType::kHalf, kSome);
  ExpectOrders("oracle", DType::kFloat, kSome);
}

}  // namespace
}  // namespace lanediff::character
