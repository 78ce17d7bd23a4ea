#include "audit/stream.h"

#include <gtest/gtest.h>

#include <map>
#include <set>

#include "audit/testing.h"
#include "differential/testcase/case_reader.h"
#include "differential/testcase/case_writer.h"
#include "isa/memory_map.h"

namespace lanediff::audit {
namespace {

constexpr std::uint64_t kSample = 211;

std::vector<isa::Product> AllProducts() {
  std::vector<isa::Product> all;
  for (std::size_t p = 0; p < isa::kCount<isa::Product>; ++p) {
    all.push_back(static_cast<isa::Product>(p));
  }
  return all;
}

class Stream : public testing::TestWithParam<std::string_view> {
 protected:
  static std::vector<AuditCase> Sample() {
    std::vector<AuditCase> all;
    ForEachAuditCase(
        GetParam(), [](std::uint64_t n) { return n % kSample == 5; },
        AllProducts(),
        [&](AuditCase&& c) {
          all.push_back(std::move(c));
          return true;
        });
    return all;
  }
};

TEST_P(Stream, IdsAreUniqueAndSayWhatCaseItIs) {
  std::set<std::string> ids;
  for (const AuditCase& c : Sample()) {
    EXPECT_TRUE(ids.insert(c.c.id).second) << c.c.id;
    EXPECT_EQ(c.c.id, "audit/" + std::string(GetParam()) + "/" +
                          std::to_string(c.number) + "/" +
                          std::string(isa::Name(c.c.product)));
    EXPECT_EQ(c.slug, GetParam());
  }
  EXPECT_GT(ids.size(), 10u);
}

TEST_P(Stream, MovedCasesFitTheirProductAndAreCases) {
  std::size_t moved = 0;
  for (const AuditCase& c : Sample()) {
    const Case& made = c.c;
    for (std::size_t m = 0; m < made.memory.size(); ++m) {
      if (!made.memory[m]) continue;
      const auto memory = static_cast<isa::Memory>(m);
      const auto capacity = isa::CapacityBytes(made.product, memory);
      if (capacity > 0) {
        EXPECT_LE(made.memory[m]->size, capacity) << made.id;
      }
      for (const Region& region : made.memory[m]->regions) {
        EXPECT_LE(region.end(), made.memory[m]->size) << made.id;
      }
    }
    if (!c.moved || ++moved % 7 != 0) continue;
    const auto read = ReadCase(WriteCase(made));
    ASSERT_TRUE(read) << made.id << ": " << read.error().message;
    EXPECT_EQ(read->program, made.program);
    EXPECT_EQ(read->product, made.product);
  }
  EXPECT_GT(moved, 7u);
}

TEST_P(Stream, MovesOnlyToProductsThatHaveTheIntrinsic) {
  std::map<std::uint64_t, std::set<isa::Product>> tried;
  for (const AuditCase& c : Sample()) {
    tried[c.number].insert(c.c.product);
    if (c.moved) {
      EXPECT_TRUE(IsSupported(c.c, c.c.product)) << c.c.id;
    }
    if (c.moved) continue;
    // Its own product is tried whatever it has; so are all that support it.
    for (isa::Product product : AllProducts()) {
      if (IsSupported(c.c, product)) tried[c.number].insert(product);
    }
  }
  std::map<std::uint64_t, std::size_t> seen;
  for (const AuditCase& c : Sample()) ++seen[c.number];
  for (const auto& [number, products] : tried) {
    EXPECT_EQ(seen[number], products.size()) << number;
  }
}

TEST_P(Stream, IsTheSameAtEachCallAndForEachSelection) {
  const auto once = Sample();
  const auto again = Sample();
  ASSERT_EQ(once.size(), again.size());
  for (std::size_t i = 0; i < once.size(); ++i) {
    EXPECT_EQ(once[i].c, again[i].c);
    EXPECT_EQ(once[i].what, again[i].what);
    EXPECT_EQ(once[i].rule, again[i].rule);
  }
  const AuditCase& some = once[once.size() / 2];
  const auto alone =
      test::CasesIn(GetParam(), some.number, some.number + 1, some.c.product);
  ASSERT_EQ(alone.size(), 1u);
  EXPECT_EQ(alone[0].c, some.c);
}

TEST_P(Stream, EndsWhereItsTakerWantsNoMore) {
  std::size_t taken = 0;
  ForEachAuditCase(
      GetParam(), [](std::uint64_t) { return true; }, AllProducts(),
      [&](AuditCase&&) { return ++taken < 3; });
  EXPECT_EQ(taken, 3u);
}

INSTANTIATE_TEST_SUITE_P(Modules, Stream,
                         testing::ValuesIn(make::SweepModules()),
                         [](const auto& slug) {
                           return std::string(slug.param);
                         });

TEST(IsSupported, KnowsWhichProductsHaveWhat) {
  Case c;
  const auto on = [&](isa::Step step, isa::Product product) {
    c.program = {std::move(step)};
    return IsSupported(c, product);
  };
  using enum isa::Product;
  EXPECT_TRUE(on(isa::CallOf("TROWPROD"), kAtlasA2));
  EXPECT_FALSE(on(isa::CallOf("TROWPROD"), kAtlas200i500A2));
  EXPECT_TRUE(on(isa::CallOf("Min"), kAtlas200i500A2));
  EXPECT_FALSE(on(isa::CallOf("vec_trans"), kAtlasA3));
  EXPECT_TRUE(on(isa::SetSaturation{}, kAtlasA3));
}

}  // namespace
}  // namespace lanediff::audit
