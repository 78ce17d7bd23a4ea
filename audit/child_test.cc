#include "audit/child.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <limits>
#include <new>
#include <stdexcept>
#include <string>
#include <thread>

#include "audit/testing.h"

namespace lanediff::audit {
namespace {

using Bytes = std::vector<std::uint8_t>;

Apart RunHere(const Child::Work& work) { return RunApart(work, 60); }

TEST(Child, HandsBackBytes) {
  EXPECT_EQ(RunHere([](Beacon&) { return Bytes{1, 0, 255}; }).bytes,
            (Bytes{1, 0, 255}));
  const Apart nothing = RunHere([](Beacon&) { return Bytes{}; });
  EXPECT_EQ(nothing.end, Child::End::kDone);
  EXPECT_EQ(nothing.bytes, Bytes{});
}

TEST(Child, HandsBackMuch) {
  Bytes large(3'000'001);
  for (std::size_t i = 0; i < large.size(); ++i) {
    large[i] = static_cast<std::uint8_t>(i * 2654435761u >> 13);
  }
  const Apart back = RunHere([&](Beacon&) { return large; });
  ASSERT_EQ(back.end, Child::End::kDone);
  EXPECT_TRUE(back.bytes == large);
}

TEST(Child, EndsWhenItIsNotToGoOn) {
  int calls = 0;
  const Apart apart = RunApart(
      [](Beacon&) -> Bytes {
        for (;;) pause();
      },
      60, [&] { return ++calls < 3; });
  EXPECT_EQ(apart.end, Child::End::kRunning);
  EXPECT_EQ(calls, 3);
  EXPECT_TRUE(apart.bytes.empty());
}

TEST(Child, ChangesNothingInItsParent) {
  int here = 1;
  EXPECT_EQ(RunHere([&](Beacon&) {
              here = 2;
              return Bytes{};
            }).end,
            Child::End::kDone);
  EXPECT_EQ(here, 1);
}

TEST(Child, ProcessThatDiesOrThrowsReturnsNothing) {
  const Child::Work works[] = {
      [](Beacon&) -> Bytes { test::EndProcess(); },
      [](Beacon&) -> Bytes { _exit(3); },
      [](Beacon&) -> Bytes { throw std::runtime_error("no"); },
      [](Beacon&) -> Bytes { throw 7; }};
  for (const Child::Work& work : works) {
    const Apart apart = RunHere(work);
    EXPECT_EQ(apart.end, Child::End::kCrashed);
    EXPECT_TRUE(apart.bytes.empty());
  }
}

TEST(Child, TooLittleMemoryIsNoCrash) {
  EXPECT_EQ(RunHere([](Beacon&) -> Bytes { throw std::bad_alloc(); }).end,
            Child::End::kNoMemory);
  EXPECT_EQ(RunHere([](Beacon&) {
              return Bytes(std::numeric_limits<std::ptrdiff_t>::max());
            }).end,
            Child::End::kNoMemory);
}

TEST(Child, ProcessThatEndsWithoutAnAnswerHasNone) {
  EXPECT_EQ(RunHere([](Beacon&) -> Bytes { _exit(0); }).end,
            Child::End::kGarbled);
}

TEST(Child, AnswerThatWasWrittenOverIsNone) {
  const Apart apart = RunHere([](Beacon& beacon) -> Bytes {
    beacon.answer_size = 3;
    beacon.answer_hash = 7;
    _exit(0);
  });
  EXPECT_EQ(apart.end, Child::End::kGarbled);
  EXPECT_TRUE(apart.bytes.empty());
  EXPECT_EQ(RunHere([](Beacon& beacon) -> Bytes {
              beacon.answer_size = ~std::uint64_t{0};
              _exit(0);
            }).end,
            Child::End::kGarbled);
}

TEST(Child, ProcessThatStandsStillIsEnded) {
  const auto end_of = [](const Child::Work& work, double seconds) {
    Child child(work);
    Child::End end = Child::End::kRunning;
    while (end == Child::End::kRunning) end = child.Poll(10, seconds);
    return end;
  };
  const auto sleep = [](double seconds) {
    std::this_thread::sleep_for(std::chrono::duration<double>(seconds));
  };
  EXPECT_EQ(end_of(
                [&](Beacon&) {
                  sleep(600);
                  return Bytes{};
                },
                0.2),
            Child::End::kHung);
  // Whose beacon goes on may take longer in all.
  EXPECT_EQ(end_of(
                [&](Beacon& beacon) {
                  for (int i = 0; i < 33; ++i) {
                    sleep(0.1);
                    ++beacon.beats;
                  }
                  return Bytes{7};
                },
                3),
            Child::End::kDone);
}

TEST(Child, TellsWhereItStood) {
  Child child([](Beacon& beacon) -> Bytes {
    beacon.number = 0x123456789a;
    beacon.product = 3;
    ++beacon.beats;
    test::EndProcess();
  });
  Child::End end = Child::End::kRunning;
  while (end == Child::End::kRunning) end = child.Poll(10, 60);
  EXPECT_EQ(end, Child::End::kCrashed);
  EXPECT_EQ(child.beacon().number, 0x123456789au);
  EXPECT_EQ(child.beacon().product, 3u);
}

}  // namespace
}  // namespace lanediff::audit
