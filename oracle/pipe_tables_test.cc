#include "oracle/pipe_tables.h"

#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>
#include <set>
#include <string_view>

#include "isa/vocabulary.h"
#include "oracle/pipe_tables_testing.h"

/// Events, ids and barriers of every product.
namespace lanediff::oracle {
namespace {

using isa::Event;
using isa::Pipe;
using isa::Product;

template <class E, class Has>
std::set<std::string_view> WordsThat(Has has) {
  std::set<std::string_view> words;
  for (std::size_t i = 0; i < isa::kCount<E>; ++i) {
    if (has(static_cast<E>(i))) words.insert(isa::Name(static_cast<E>(i)));
  }
  return words;
}

TEST(PipeTables, EventsAndBarriersOfEveryProduct) {
  for (const test::PipesOfProduct& row : test::kPipesOfProducts) {
    SCOPED_TRACE(isa::Name(row.product));
    EXPECT_EQ(
        WordsThat<Event>([&](Event e) { return HasEvent(row.product, e); }),
        row.Events());
    EXPECT_EQ(
        WordsThat<Pipe>([&](Pipe p) { return HasBarrier(row.product, p); }),
        row.Barriers());
    EXPECT_EQ(GreatestFlagId(row.product).value_or(-1), row.greatest_id);
  }
}

TEST(PipeTables, ThereAreAsManyEventsAsTheDocumentsSay) {
  const auto count = [](Product product) {
    return WordsThat<Event>([&](Event e) { return HasEvent(product, e); })
        .size();
  };
  EXPECT_EQ(count(Product::kAtlasA2), 20U + 7U);
  EXPECT_EQ(count(Product::kAtlas200i500A2), 20U + 7U + 5U + 1U);
  EXPECT_EQ(count(Product::kAtlasTraining), 20U + 5U);
  EXPECT_EQ(count(Product::kAtlas200_300_500), 0U);
}

TEST(PipeTables, Ids6And7AreReservedWhereThereAreEight) {
  for (const test::PipesOfProduct& row : test::kPipesOfProducts) {
    for (const std::int64_t id :
         {INT64_MIN, INT64_C(-1), INT64_C(5), INT64_C(8)}) {
      EXPECT_FALSE(IsReservedFlagId(row.product, id));
    }
    EXPECT_EQ(IsReservedFlagId(row.product, 6), row.greatest_id == 7);
    EXPECT_EQ(IsReservedFlagId(row.product, 7), row.greatest_id == 7);
  }
}

}  // namespace
}  // namespace lanediff::oracle
