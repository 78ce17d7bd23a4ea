#include "audit/child.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <limits>
#include <new>
#include <stdexcept>
#include <string>
#include <thread>

#include "audit/testing.h"
#include "differential/memory/memory_set.h"

namespace lanediff::audit {
namespace {

using Bytes = std::string;

Apart RunHere(const Child::Work& work) { return RunApart(work, 60); }

TEST(Child, HandsBackBytes) {
  const Bytes some("\1\0\xff", 3);
  EXPECT_EQ(RunHere([&](Beacon&) { return some; }).bytes, some);
  const Apart nothing = RunHere([](Beacon&) { return Bytes{}; });
  EXPECT_EQ(nothing.end, Child::End::kDone);
  EXPECT_EQ(nothing.bytes, Bytes{});
}

TEST(Child, HandsBackMuch) {
  Bytes large(3'000'001, 0);
  for (std::size_t i = 0; i < large.size(); ++i) {
    large[i] = static_cast<char>(i * 2654435761u >> 13);
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
              return Bytes(std::numeric_limits<std::ptrdiff_t>::max() - 1, 0);
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
                  return Bytes("7");
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

constexpr std::int64_t kSize = 4099;  // no whole pages, nothing aligned

Case OneCase() {
  Case c;
  c.memory[static_cast<std::size_t>(isa::Memory::kUb)] =
      MemoryImage{.fill = 0x5a, .size = kSize, .regions = {}};
  c.program = {isa::SetSaturation{}};
  return c;
}

/// What touching the byte at `at` of UB gives: the byte, or nothing.
std::optional<Bytes> Touch(std::ptrdiff_t at, bool write) {
  const test::HandMade toucher([=](const isa::Step&, diff::Session&,
                                   isa::Memories memories) {
    volatile std::uint8_t* const byte = memories[isa::Memory::kUb].data() + at;
    const std::uint8_t old = *byte;
    if (write) *byte = static_cast<std::uint8_t>(old + 1);
    return isa::StepResult{};
  });
  const GuardedTarget guarded(toucher);
  Apart apart = RunApart(
      [&](Beacon&) {
        const Case c = OneCase();
        diff::MemorySet memory(c);
        guarded.Open(c.profile(), memory.view())->Execute(c.program[0]);
        const std::span ub = memory[isa::Memory::kUb];
        return Bytes(ub.begin(), ub.end());
      },
      60);
  if (apart.end != Child::End::kDone) return std::nullopt;
  return std::move(apart.bytes);
}

TEST(Guarded, LetsAllOfAMemoryBeReadAndWritten) {
  for (std::ptrdiff_t at : {std::ptrdiff_t{0}, std::ptrdiff_t{kSize - 1}}) {
    const auto read = Touch(at, false);
    ASSERT_TRUE(read) << at;
    EXPECT_EQ(*read, Bytes(kSize, 0x5a));
    const auto written = Touch(at, true);
    ASSERT_TRUE(written) << at;
    Bytes expected(kSize, 0x5a);
    expected[static_cast<std::size_t>(at)] = 0x5b;
    EXPECT_EQ(*written, expected);
  }
}

TEST(Guarded, AccessBehindAMemoryEndsTheProcess) {
  EXPECT_FALSE(Touch(kSize, false));
  EXPECT_FALSE(Touch(kSize, true));
  EXPECT_FALSE(Touch(kSize + 4000, false));
}

TEST(Guarded, PassesOnWhatTheCallerChangesBetweenSteps) {
  const test::HandMade doubler(
      [](const isa::Step&, diff::Session&, isa::Memories memories) {
        auto& byte = memories[isa::Memory::kUb][7];
        byte = static_cast<std::uint8_t>(2 * byte);
        return isa::StepResult{};
      });
  const GuardedTarget guarded(doubler);
  EXPECT_EQ(guarded.name(), doubler.name());
  EXPECT_EQ(guarded.stepwise(), &guarded);
  const test::RecordedHere recorded("emulator");
  EXPECT_EQ(GuardedTarget(recorded).stepwise(), nullptr);
  const Case c = OneCase();
  diff::MemorySet memory(c);
  const auto session = guarded.Open(c.profile(), memory.view());
  memory[isa::Memory::kUb][7] = 3;
  session->Execute(c.program[0]);
  EXPECT_EQ(memory[isa::Memory::kUb][7], 6);
  memory[isa::Memory::kUb][7] = 5;
  session->Execute(c.program[0]);
  EXPECT_EQ(memory[isa::Memory::kUb][7], 10);
}

}  // namespace
}  // namespace lanediff::audit
