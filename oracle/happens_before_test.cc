#include "oracle/happens_before.h"

#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>
#include <iterator>
#include <optional>
#include <vector>

#include "isa/state.h"
#include "isa/vocabulary.h"
#include "oracle/testing.h"
#include "oracle/under_way.h"

/// SYNC-HB sentence by sentence, and what copies need of it.
/// happens_before_graph_test.cc holds it against a graph.
namespace lanediff::oracle {
namespace {

namespace sync = isa::sync;
using isa::Event;
using isa::Memory;
using isa::Pipe;

constexpr std::optional<isa::RuleId> kEntry = std::nullopt;

/// Steps as they come; an operation is known by its number.
struct Order : HappensBefore {
  explicit Order(Product product = Product::kAtlasA2)
      : HappensBefore(product) {}

  std::size_t Operation(Pipe pipe) {
    HappensBefore::Operation(next, pipe);
    return next++;
  }
  auto Set(Event event, std::int64_t id = 0) {
    return SetFlag({.event = event, .id = id},
                   static_cast<std::int64_t>(next++));
  }
  auto Wait(Event event, std::int64_t id = 0) {
    ++next;
    return WaitFlag({.event = event, .id = id});
  }
  void Pass(Event event) {
    EXPECT_EQ(Set(event), kEntry);
    EXPECT_EQ(Wait(event), kEntry);
  }

  std::size_t next = 0;
};

TEST(HappensBefore, WithoutSynchronizationOnlySIsInOrder) {
  Order order;
  const std::size_t v = order.Operation(Pipe::kV);
  const std::size_t s = order.Operation(Pipe::kS);
  for (std::size_t p = 0; p < isa::kCount<Pipe>; ++p) {
    const auto pipe = static_cast<Pipe>(p);
    EXPECT_FALSE(order.IsBefore(v, pipe));
    EXPECT_EQ(order.IsBefore(s, pipe), pipe == Pipe::kS);
  }
}

TEST(HappensBefore, BarrierOrdersItsOwnQueueAlone) {
  Order order;
  const std::size_t v = order.Operation(Pipe::kV);
  const std::size_t copy = order.Operation(Pipe::kMte2);
  order.Barrier(Pipe::kV);
  EXPECT_TRUE(order.IsBefore(v, Pipe::kV));
  EXPECT_FALSE(order.IsBefore(v, Pipe::kMte2));
  EXPECT_FALSE(order.IsBefore(copy, Pipe::kV));
  EXPECT_FALSE(order.IsBefore(copy, Pipe::kMte2));
  const std::size_t later = order.Operation(Pipe::kV);
  EXPECT_FALSE(order.IsBefore(later, Pipe::kV));
}

TEST(HappensBefore, BarrierOfAllOrdersEverything) {
  Order order;
  const std::size_t v = order.Operation(Pipe::kV);
  const std::size_t s = order.Operation(Pipe::kS);
  order.Barrier(Pipe::kAll);
  for (std::size_t p = 0; p < isa::kCount<Pipe>; ++p) {
    EXPECT_TRUE(order.IsBefore(v, static_cast<Pipe>(p)));
    EXPECT_TRUE(order.IsBefore(s, static_cast<Pipe>(p)));
  }
}

TEST(HappensBefore, FlagCarriesWhatWasThereWhenItWasSet) {
  Order order;
  const std::size_t first = order.Operation(Pipe::kMte2);
  EXPECT_EQ(order.Set(Event::kMte2V), kEntry);
  const std::size_t second = order.Operation(Pipe::kMte2);
  EXPECT_FALSE(order.IsBefore(first, Pipe::kV));  // no pipe has waited
  EXPECT_EQ(order.Wait(Event::kMte2V), kEntry);
  EXPECT_TRUE(order.IsBefore(first, Pipe::kV));
  EXPECT_FALSE(order.IsBefore(second, Pipe::kV));
  EXPECT_FALSE(order.IsBefore(first, Pipe::kMte2));  // it holds nothing up
  EXPECT_FALSE(order.IsBefore(first, Pipe::kMte3));
}

TEST(HappensBefore, ChainsGoThroughQueues) {
  Order order;
  const std::size_t copy = order.Operation(Pipe::kMte2);
  order.Pass(Event::kMte2V);
  order.Pass(Event::kVMte3);
  EXPECT_TRUE(order.IsBefore(copy, Pipe::kMte3));
  // The other way round the second flag was set too early.
  Order reversed;
  const std::size_t lost = reversed.Operation(Pipe::kMte2);
  reversed.Pass(Event::kVMte3);
  reversed.Pass(Event::kMte2V);
  EXPECT_FALSE(reversed.IsBefore(lost, Pipe::kMte3));
}

TEST(HappensBefore, WaitingOnSOrdersEveryQueue) {
  Order order;
  const std::size_t v = order.Operation(Pipe::kV);
  const std::size_t copy = order.Operation(Pipe::kMte2);
  order.Pass(Event::kVS);
  EXPECT_TRUE(order.IsBefore(v, Pipe::kMte3));
  EXPECT_TRUE(order.IsBefore(v, Pipe::kV));
  EXPECT_FALSE(order.IsBefore(copy, Pipe::kMte3));
  // An operation of S needs a flag all the same.
  const std::size_t s = order.Operation(Pipe::kS);
  EXPECT_FALSE(order.IsBefore(s, Pipe::kMte3));
  order.Pass(Event::kSMte3);
  EXPECT_TRUE(order.IsBefore(s, Pipe::kMte3));
}

TEST(HappensBefore, StepsThatBreakFlagRulesOrderNothing) {
  Order order;
  const std::size_t first = order.Operation(Pipe::kMte2);
  EXPECT_EQ(order.Wait(Event::kMte2V), sync::kFlagUnset);
  EXPECT_EQ(order.Set(Event::kMte2V), kEntry);  // step 2
  const std::size_t second = order.Operation(Pipe::kMte2);
  EXPECT_EQ(order.Set(Event::kMte2V), sync::kFlagTwice);
  EXPECT_EQ(order.SetterOf(Event::kMte2V, 0), 2);
  EXPECT_EQ(order.SetterOf(Event::kMte2V, 1), std::nullopt);
  EXPECT_EQ(order.Wait(Event::kMte2V), kEntry);
  EXPECT_TRUE(order.IsBefore(first, Pipe::kV));
  EXPECT_FALSE(order.IsBefore(second, Pipe::kV));  // it keeps what it had
  EXPECT_EQ(order.SetterOf(Event::kMte2V, 0), std::nullopt);
  EXPECT_EQ(order.Wait(Event::kMte2V), sync::kFlagUnset);
}

TEST(HappensBefore, EventIsLookedAtBeforeId) {
  Order order;
  for (const std::int64_t id : {INT64_C(0), INT64_C(8), INT64_MIN}) {
    EXPECT_EQ(order.Set(Event::kMV, id), sync::kFlagPipe);
    EXPECT_EQ(order.Wait(Event::kMV, id), sync::kFlagPipe);
  }
  for (const std::int64_t id : {INT64_C(-1), INT64_C(8), INT64_MAX}) {
    EXPECT_EQ(order.Set(Event::kVS, id), sync::kFlagId);
    EXPECT_EQ(order.Wait(Event::kVS, id), sync::kFlagId);
  }
  Order training(Product::kAtlasTraining);
  EXPECT_EQ(training.Set(Event::kVS, 4), sync::kFlagId);
  EXPECT_EQ(training.Set(Event::kVS, 3), kEntry);
}

TEST(HappensBefore, FlagsDifferByEventAndId) {
  Order order;
  EXPECT_EQ(order.Set(Event::kMte2V, 7), kEntry);
  EXPECT_EQ(order.Wait(Event::kMte2V, 0), sync::kFlagUnset);
  EXPECT_EQ(order.Wait(Event::kVMte2, 7), sync::kFlagUnset);
  EXPECT_EQ(order.Wait(Event::kMte2V, 7), kEntry);
}

TEST(HappensBefore, ForgottenNumbersAreFree) {
  Order order;
  const std::size_t copy = order.Operation(Pipe::kMte2);
  EXPECT_EQ(order.Set(Event::kMte2V), kEntry);
  order.Barrier(Pipe::kAll);
  order.Forget(copy);
  order.HappensBefore::Operation(copy, Pipe::kMte2);
  EXPECT_FALSE(order.IsBefore(copy, Pipe::kMte2));
  EXPECT_EQ(order.Wait(Event::kMte2V), kEntry);
  EXPECT_FALSE(order.IsBefore(copy, Pipe::kV));
}

struct Copy {
  Pipe pipe;
  Memory memory;
  std::vector<ByteRun> written;
};

/// Keeps every copy there was.
struct Elephant {
  HappensBefore order{isa::Product::kAtlasA2};
  std::vector<Copy> copies;

  void Add(const Copy& copy) {
    order.Operation(copies.size(), copy.pipe);
    copies.push_back(copy);
  }
  bool Meets(const Copy& later) const {
    for (std::size_t i = 0; i < copies.size(); ++i) {
      const Copy& copy = copies[i];
      if (copy.pipe == later.pipe && copy.memory == later.memory &&
          ShareBytes(copy.written, later.written) &&
          !order.IsBefore(i, later.pipe)) {
        return true;
      }
    }
    return false;
  }
};

/// Events that lead from and to the pipes of copies, directly and through S.
constexpr Event kEvents[] = {Event::kMte2V,    Event::kVMte2, Event::kVMte3,
                             Event::kMte3Mte2, Event::kMte2S, Event::kVS};
constexpr Pipe kPipes[] = {Pipe::kV, Pipe::kMte2, Pipe::kMte3};
constexpr Pipe kBarriers[] = {Pipe::kV, Pipe::kMte2, Pipe::kMte3, Pipe::kAll};

TEST(CopiesUnderWay, ForgetsWhatCanNotBeMet) {
  test::Words words;
  std::size_t met = 0;
  std::size_t not_met = 0;
  for (int program = 0; program < 300 && !HasFailure(); ++program) {
    CopiesUnderWay copies(isa::Product::kAtlasA2);
    Elephant elephant;
    for (int step = 0; step < 60; ++step) {
      const std::uint64_t dice = words.Next();
      const Event event = kEvents[dice / 16 % std::size(kEvents)];
      const auto id = static_cast<std::int64_t>(dice / 128 % 2);
      if (dice % 16 == 0) {
        const Pipe pipe = kBarriers[dice / 16 % std::size(kBarriers)];
        copies.Barrier(pipe);
        elephant.order.Barrier(pipe);
      } else if (dice % 16 < 5) {
        copies.SetFlag({.event = event, .id = id});
        elephant.order.SetFlag({.event = event, .id = id}, 0);
      } else if (dice % 16 < 9) {
        copies.WaitFlag({.event = event, .id = id});
        elephant.order.WaitFlag({.event = event, .id = id});
      } else {
        const Copy copy{kPipes[dice / 16 % std::size(kPipes)],
                        dice / 64 % 4 == 0 ? Memory::kL1 : Memory::kUb,
                        {{static_cast<Address>(dice / 256 % 4 * 32), 32}}};
        const bool meets = elephant.Meets(copy);
        ASSERT_EQ(copies.Meets(copy.pipe, copy.memory, copy.written), meets)
            << "program " << program << " step " << step;
        ++(meets ? met : not_met);
        copies.Add(copy.pipe, copy.memory, copy.written);
        elephant.Add(copy);
      }
    }
  }
  EXPECT_GT(met, 500U);
  EXPECT_GT(not_met, 500U);
}

}  // namespace
}  // namespace lanediff::oracle
