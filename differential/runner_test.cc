#include "differential/runner.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <memory>
#include <mutex>
#include <stdexcept>
#include <vector>

#include "differential/compare/testing.h"

namespace lanediff::diff {
namespace {

using Numbers = std::vector<std::uint64_t>;

/// The numbers below `count` from `first` on, in parts of three.
class NumberSource final : public CaseSource<std::uint64_t> {
 public:
  explicit NumberSource(std::uint64_t count, std::uint64_t first = 0) {
    for (std::uint64_t i = first; i < count; ++i) numbers.push_back(i);
  }

  std::uint64_t size() const override { return numbers.size(); }
  std::size_t parts() const override { return (numbers.size() + 2) / 3; }
  void Produce(std::size_t part,
               const std::function<bool(std::uint64_t&&)>& take) override {
    const std::size_t end = std::min(numbers.size(), (part + 1) * 3);
    for (std::size_t i = part * 3; i < end; ++i) {
      if (numbers[i] == unreadable) throw std::runtime_error("unreadable");
      if (!take(std::uint64_t{numbers[i]})) return;
    }
  }
  void Announce(const std::uint64_t& number, const Target&,
                const Target&) const override {
    const std::lock_guard lock(mutex);
    announced.push_back(number);
  }
  std::string NameOf(std::size_t part) const override {
    return "part " + std::to_string(part);
  }

  Numbers numbers;
  std::uint64_t unreadable = ~std::uint64_t{0};
  mutable std::mutex mutex;
  mutable Numbers announced;
};

class NumberSink final : public Sink<std::uint64_t, Numbers> {
 public:
  Numbers Begin(std::size_t) override { return {}; }
  bool Wants(const std::uint64_t& number, Numbers&) override {
    return wants_all || number % 2 == 0;
  }
  bool Compare(std::uint64_t&& number, std::size_t worker,
               Numbers& result) override {
    if (number == thrown) throw std::runtime_error("thrown");
    EXPECT_LT(worker, 4u);
    result.push_back(number);
    found += number % 5 == 0;
    return number != last_of_part;
  }
  void Take(std::size_t part, Numbers&& result) override {
    EXPECT_EQ(part, parts++);
    taken.insert(taken.end(), result.begin(), result.end());
  }

  bool wants_all = true;
  std::uint64_t thrown = ~std::uint64_t{0};
  std::uint64_t last_of_part = ~std::uint64_t{0};
  std::size_t parts = 0;
  Numbers taken;
};

/// An emulator that looks ahead.
class Foreseeing final : public TargetAround {
 public:
  Foreseeing() : TargetAround(Emulator()) {}
  std::size_t foresight() const override { return 2; }
  std::unique_ptr<Session> Open(isa::Profile profile,
                                isa::Memories memories) const override {
    return inner_steps().Open(profile, memories);
  }
};

RunEnd RunAll(
    NumberSource& source, NumberSink& sink, std::size_t jobs = 1,
    const std::function<bool()>& stop = [] { return false; },
    const Target& target = Emulator()) {
  return Runner(source, target, Oracle(), sink)
      .Run({.jobs = jobs, .stop = stop});
}

TEST(Runner, TakesAllCasesInOrderWithAnyNumberOfJobs) {
  for (const std::size_t jobs : {1, 2, 4}) {
    NumberSource source(100);
    NumberSink sink;
    const RunEnd end = RunAll(source, sink, jobs);
    EXPECT_EQ(sink.taken, source.numbers) << jobs;
    EXPECT_EQ(sink.found, 20u);
    EXPECT_EQ(end.done, 100u);
    EXPECT_EQ(end.total, 100u);
    EXPECT_EQ(end.Unfinished(), "");
  }
}

TEST(Runner, RunsNothingOfAnEmptySource) {
  NumberSource source(0);
  NumberSink sink;
  EXPECT_EQ(RunAll(source, sink, 2).Unfinished(), "");
  EXPECT_EQ(sink.parts, 0u);
}

TEST(Runner, CountsCasesThatASinkDoesNotWant) {
  NumberSource source(10);
  NumberSink sink;
  sink.wants_all = false;
  EXPECT_EQ(RunAll(source, sink).done, 10u);
  EXPECT_EQ(sink.taken, (Numbers{0, 2, 4, 6, 8}));
}

TEST(Runner, AnInterruptedRunIsIncompleteForAReason) {
  for (const std::size_t jobs : {1, 4}) {
    NumberSource source(1000);
    NumberSink sink;
    const RunEnd end =
        RunAll(source, sink, jobs, [&] { return sink.found >= 2; });
    EXPECT_TRUE(end.stopped);
    EXPECT_LT(end.done, 1000u);
    EXPECT_EQ(sink.taken.size(), end.done) << "what was compared is reported";
    EXPECT_EQ(end.Unfinished(),
              fmt::format("interrupted after {} of 1000 cases", end.done));
  }
}

TEST(Runner, AnInterruptBehindTheLastCaseIsNoReason) {
  NumberSource source(7);
  NumberSink sink;
  EXPECT_EQ(RunAll(source, sink, 1, [&] { return sink.taken.size() == 7; })
                .Unfinished(),
            "");
}

TEST(Runner, GoesOnFromWhereAnEarlierRunWasInterrupted) {
  NumberSource source(40);
  NumberSink first;
  RunAll(source, first, 1, [&] { return first.found >= 3; });
  ASSERT_LT(first.taken.size(), 40u);
  NumberSource rest(40, first.taken.back() + 1);
  NumberSink second;
  EXPECT_EQ(RunAll(rest, second, 2).Unfinished(), "");
  Numbers all = first.taken;
  all.insert(all.end(), second.taken.begin(), second.taken.end());
  EXPECT_EQ(all, source.numbers);
}

TEST(Runner, AnExceptionOfACaseEndsTheRunAndIsTheReason) {
  NumberSource source(12);
  NumberSink sink;
  sink.thrown = 7;
  const RunEnd end = RunAll(source, sink);
  EXPECT_EQ(end.Unfinished(), "part 2: thrown after 7 of 12 cases");
  EXPECT_EQ(sink.taken, (Numbers{0, 1, 2, 3, 4, 5, 6}));

  NumberSource unreadable(12);
  unreadable.unreadable = 3;
  NumberSink other;
  EXPECT_EQ(RunAll(unreadable, other, 4).failure, "part 1: unreadable");
}

TEST(Runner, ASinkEndsOnePart) {
  NumberSource source(9);
  NumberSink sink;
  sink.last_of_part = 3;
  EXPECT_EQ(RunAll(source, sink).Unfinished(), "");
  EXPECT_EQ(sink.taken, (Numbers{0, 1, 2, 3, 6, 7, 8}));
}

TEST(Runner, AnnouncesCasesToATargetThatLooksAhead) {
  const Foreseeing target;
  NumberSource source(9);
  NumberSink sink;
  RunAll(source, sink, 1, [] { return false; }, target);
  EXPECT_EQ(source.announced, source.numbers);
  EXPECT_EQ(sink.taken, source.numbers);

  NumberSource quiet(9);
  NumberSink other;
  RunAll(quiet, other);
  EXPECT_EQ(quiet.announced, Numbers());
}

TEST(Runner, Watches) {
  for (const std::size_t jobs : {1, 2}) {
    NumberSource source(30);
    NumberSink sink;
    std::uint64_t total = 0;
    Runner(source, Emulator(), Oracle(), sink)
        .Run({.jobs = jobs,
              .watch = [&](std::uint64_t done, std::uint64_t all,
                           std::uint64_t) {
                EXPECT_LE(done, all);
                total = all;
              }});
    EXPECT_EQ(total, 30u) << jobs;
  }
}

}  // namespace
}  // namespace lanediff::diff
