#include "diff/audit/child.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <stdexcept>
#include <thread>

#include "diff/audit/testing.h"

namespace lanediff::diff::audit {
namespace {

using Bytes = std::vector<std::uint8_t>;

TEST(Child, HandsBackBytes) {
  EXPECT_EQ(RunApart([](Beacon&) { return Bytes{1, 0, 255}; }, 60),
            (Bytes{1, 0, 255}));
  EXPECT_EQ(RunApart([](Beacon&) { return Bytes{}; }, 60), Bytes{});
}

TEST(Child, HandsBackMoreThanAPipeHolds) {
  Bytes large(3'000'001);
  for (std::size_t i = 0; i < large.size(); ++i) {
    large[i] = static_cast<std::uint8_t>(i * 2654435761u >> 13);
  }
  const auto back = RunApart([&](Beacon&) { return large; }, 60);
  ASSERT_TRUE(back);
  EXPECT_TRUE(*back == large);
}

TEST(Child, ChangesNothingInItsParent) {
  int here = 1;
  EXPECT_TRUE(RunApart(
      [&](Beacon&) {
        here = 2;
        return Bytes{};
      },
      60));
  EXPECT_EQ(here, 1);
}

TEST(Child, WhoDiesOrThrowsGivesNothing) {
  EXPECT_FALSE(RunApart([](Beacon&) -> Bytes { test::EndProcess(); }, 60));
  EXPECT_FALSE(RunApart([](Beacon&) -> Bytes { _exit(3); }, 60));
  EXPECT_FALSE(
      RunApart([](Beacon&) -> Bytes { throw std::runtime_error("no"); }, 60));
}

TEST(Child, WhoStandsStillIsEnded) {
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
                  for (int i = 0; i < 15; ++i) {
                    sleep(0.1);
                    ++beacon.beats;
                  }
                  return Bytes{7};
                },
                1.2),
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
}  // namespace lanediff::diff::audit
