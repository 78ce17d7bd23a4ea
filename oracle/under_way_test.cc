#include "oracle/under_way.h"

#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>
#include <iterator>
#include <vector>

#include "isa/state.h"
#include "isa/vocabulary.h"
#include "oracle/happens_before.h"
#include "oracle/testing.h"

/// Forgetting copies that have ended, and giving their numbers to others, makes
/// no difference.
namespace lanediff::oracle {
namespace {

using isa::Event;
using isa::Memory;
using isa::Pipe;

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
