#include "oracle/memory_map.h"

#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>
#include <set>
#include <string_view>
#include <vector>

#include "isa/state.h"
#include "isa/vocabulary.h"
#include "oracle/calls_testing.h"
#include "oracle/hazards.h"
#include "oracle/pipe_tables.h"
#include "oracle/pipe_tables_testing.h"
#include "oracle/testing.h"

/// The tables of products: events, ids, barriers, and which call orders two
/// pipes. generators/extended_test.cc has that of memories.
namespace lanediff::oracle {
namespace {

using isa::Event;
using isa::Pipe;

TEST(MemoryMap, CapacitiesOfUbAndL1) {
  for (const Product product : test::All<Product>()) {
    const bool small =
        product == Product::kAtlasA2 || product == Product::kAtlasA3;
    EXPECT_EQ(CapacityOf(product, isa::Memory::kUb), small ? 196608 : 262144);
    EXPECT_EQ(CapacityOf(product, isa::Memory::kL1), small ? 524288 : 1048576);
  }
}

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

// ---- Hazards, of which sanitizer/compare has the rest
// -------------------------

TEST(Hazards, MissingCallIsOfTheProduct) {
  const std::vector<isa::Step> program = {isa::WaitFlag{Event::kMte2V, 0},
                                          isa::SetFlag{Event::kMte2V, 2}};
  const auto between = [&](isa::Product product, Pipe a, Pipe b) {
    return MissingCall(product, program, a, b);
  };
  const auto a2 = isa::Product::kAtlasA2;
  EXPECT_EQ(between(a2, Pipe::kMte2, Pipe::kV),
            (std::vector<isa::Step>{isa::SetFlag{Event::kMte2V, 1},
                                    isa::WaitFlag{Event::kMte2V, 1}}));
  EXPECT_EQ(between(a2, Pipe::kV, Pipe::kV),
            std::vector<isa::Step>{isa::PipeBarrier{Pipe::kV}});
  EXPECT_EQ(between(a2, Pipe::kMte1, Pipe::kV),  // no such event
            std::vector<isa::Step>{isa::PipeBarrier{Pipe::kAll}});
  EXPECT_TRUE(
      between(isa::Product::kAtlasInferenceVectorcore, Pipe::kV, Pipe::kV)
          .empty());
}

TEST(Hazards, LargeProgramsAreDeclined) {
  HazardQuestion question;
  question.written[0].assign(65536, true);
  question.written[1].assign(8192, true);
  question.program.assign(kMostHazardSteps + 1, isa::PipeBarrier{});
  EXPECT_FALSE(FindHazards(question));
  isa::Call call = test::CountCall("Min", 2048);
  call.src(0) = call.src(1) = call.dst();
  question.program.assign(600, call);
  EXPECT_FALSE(FindHazards(question));
}

}  // namespace
}  // namespace lanediff::oracle
