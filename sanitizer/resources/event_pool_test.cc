// Ids of events: how many there are, who holds them, whose flag is set.

#include "sanitizer/resources/event_pool.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <string>
#include <string_view>
#include <vector>

#include "sanitizer/resources/program_testing.h"

namespace lanediff::machine {
namespace {

using test::Found;

using Rules = std::vector<std::string>;

/// TPipe 0 and a queue 1 of two blocks of 256 bytes.
const std::string kQueue =
    "TPipe tpipe=0; InitBuffer tpipe=0 buffer=1 src=VECIN depth=2 num=2 "
    "len=256;";

TEST(EventPool, HasTheIdsOfTheProduct) {
  using isa::Product;
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

TEST(Event, IdsAreHeldOnce) {
  std::string eight;
  for (int i = 0; i < 8; ++i) eight += "AllocEventID event=V_MTE3;";
  EXPECT_EQ(Found(eight), Rules());
  EXPECT_EQ(Found(eight + "AllocEventID event=V_MTE3"), Rules{"8 KRN-EVENT"});
  EXPECT_EQ(Found(eight + "AllocEventID event=MTE2_V"), Rules());
  EXPECT_EQ(Found(eight + "ReleaseEventID event=V_MTE3 id=3;"
                          "AllocEventID event=V_MTE3"),
            Rules());
  EXPECT_EQ(Found("ReleaseEventID event=V_MTE3 id=0"), Rules{"0 KRN-EVENT"});
}

TEST(Event, QueuesTakeIdsOfTheSamePool) {
  const std::string queued =
      kQueue + "AllocTensor buffer=1; EnQue buffer=1 at=0;";
  const std::string back = "DeQue buffer=1; FreeTensor buffer=1 at=0;";
  const auto flag = [](std::string_view name) {
    return fmt::format("SetFlag {0}; WaitFlag {0};", name);
  };
  EXPECT_EQ(Found(queued + flag("MTE2_V 0") + back), Rules{"4 KRN-EVENT"});
  EXPECT_EQ(Found(queued + flag("MTE2_V 1") + back), Rules());
  EXPECT_EQ(Found(queued + back + flag("MTE2_V 0")), Rules());
  EXPECT_EQ(Found(queued + back + flag("V_MTE2 0")), Rules{"6 KRN-EVENT"});
  EXPECT_EQ(
      Found(queued + back + "AllocTensor buffer=1; AllocTensor buffer=1;" +
            flag("V_MTE2 0") +
            "FreeTensor buffer=1 at=256; FreeTensor buffer=1 at=0"),
      Rules());
  EXPECT_EQ(Found(queued + back + "Reset tpipe=0;" + flag("V_MTE2 0")),
            Rules());
}

TEST(Event, AnIdOfAllocEventIDIsForSetFlag) {
  EXPECT_EQ(Found("AllocEventID event=MTE2_V; SetFlag MTE2_V 0; "
                  "WaitFlag MTE2_V 0; ReleaseEventID event=MTE2_V id=0"),
            Rules());
}

TEST(Event, AnIdIsNotTakenWhileItsFlagIsSet) {
  EXPECT_EQ(Found(kQueue + "AllocTensor buffer=1; SetFlag MTE2_V 0; EnQue "
                           "buffer=1 at=0; WaitFlag MTE2_V 0; DeQue buffer=1; "
                           "FreeTensor buffer=1 at=0"),
            Rules{"4 KRN-EVENT"});
  EXPECT_EQ(Found("SetFlag MTE2_V 0; AllocEventID event=MTE2_V; "
                  "WaitFlag MTE2_V 0"),
            Rules{"1 KRN-EVENT"});
  EXPECT_EQ(Found("SetFlag MTE2_V 1; AllocEventID event=MTE2_V; "
                  "WaitFlag MTE2_V 1"),
            Rules());
}

}  // namespace
}  // namespace lanediff::machine
