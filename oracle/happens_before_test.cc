#include "oracle/happens_before.h"

#include <gtest/gtest.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "isa/state.h"
#include "isa/vocabulary.h"
#include "oracle/pipe_tables_testing.h"
#include "oracle/testing.h"
#include "oracle/under_way.h"

/// HappensBefore against a graph: a node for the start and the end of each
/// entry, SYNC-HB as edges pair by pair, and a walk from one end to a start.
namespace lanediff::oracle {
namespace {

using isa::Event;
using isa::Memory;
using isa::Pipe;

struct Entry {
  enum Kind { kOperation, kBarrier, kSet, kWait };
  Kind kind = kOperation;
  Pipe pipe = Pipe::kV;  ///< of an operation or a barrier
  Event event = Event::kMte2V;
  std::int64_t id = 0;
  bool is_entry = true;       ///< else it orders nothing
  std::size_t taken_set = 0;  ///< of a wait: the step that set its flag

  bool IsIn(Pipe queue) const {
    if (kind == kOperation) return pipe == queue;
    if (kind == kBarrier) return pipe == queue || pipe == Pipe::kAll;
    return queue == (kind == kSet ? SourceOf(event) : DestinationOf(event));
  }
  std::string Text() const {
    if (kind == kOperation) return std::string(isa::Name(pipe));
    if (kind == kBarrier) return "|" + std::string(isa::Name(pipe));
    return (kind == kSet ? "+" : "-") + std::string(isa::Name(event)) + " " +
           std::to_string(id);
  }
};
using Program = std::vector<Entry>;

constexpr Pipe kQueues[] = {Pipe::kV,   Pipe::kMte1, Pipe::kMte2, Pipe::kMte3,
                            Pipe::kFix, Pipe::kS,    Pipe::kM};

/// Which steps are entries, and which SetFlag a WaitFlag takes.
void Resolve(Program& program, const test::PipesOfProduct& product,
             bool every_barrier) {
  std::map<std::pair<Event, std::int64_t>, std::size_t> set;
  for (std::size_t i = 0; i < program.size(); ++i) {
    Entry& entry = program[i];
    if (entry.kind == Entry::kOperation) continue;
    if (entry.kind == Entry::kBarrier) {
      entry.is_entry =
          every_barrier || product.Barriers().contains(isa::Name(entry.pipe));
      continue;
    }
    const std::pair flag{entry.event, entry.id};
    const bool exists = product.Events().contains(isa::Name(entry.event)) &&
                        entry.id >= 0 && entry.id <= product.greatest_id;
    entry.is_entry =
        exists && set.contains(flag) == (entry.kind == Entry::kWait);
    if (!entry.is_entry) continue;
    if (entry.kind == Entry::kSet) {
      set[flag] = i;
    } else {
      entry.taken_set = set[flag];
      set.erase(flag);
    }
  }
}

/// Nodes 2i and 2i + 1 are the start and the end of step i.
class Graph {
 public:
  explicit Graph(const Program& program) : next_(2 * program.size()) {
    for (std::size_t i = 0; i < program.size(); ++i) {
      Edge(Start(i), End(i));
      for (std::size_t j = i + 1; j < program.size(); ++j) {
        AddEdges(program, i, j);
      }
    }
  }

  bool IsBefore(std::size_t a, std::size_t b) const {
    std::vector<bool> seen(next_.size());
    std::vector<std::size_t> open = {End(a)};
    while (!open.empty()) {
      const std::size_t node = open.back();
      open.pop_back();
      if (node == Start(b)) return true;
      if (seen[node]) continue;
      seen[node] = true;
      open.insert(open.end(), next_[node].begin(), next_[node].end());
    }
    return false;
  }

 private:
  static std::size_t Start(std::size_t step) { return 2 * step; }
  static std::size_t End(std::size_t step) { return 2 * step + 1; }
  void Edge(std::size_t from, std::size_t to) { next_[from].push_back(to); }

  /// Step `j` comes after step `i`.
  void AddEdges(const Program& program, std::size_t i, std::size_t j) {
    const Entry& a = program[i];
    const Entry& b = program[j];
    if (!a.is_entry || !b.is_entry) return;
    const bool operation = a.kind == Entry::kOperation;
    const bool share_queue = [&] {
      for (Pipe queue : kQueues) {
        if (a.IsIn(queue) && b.IsIn(queue)) return true;
      }
      return false;
    }();
    // (1)
    if (operation && b.kind == Entry::kOperation && a.pipe == Pipe::kS &&
        b.pipe == Pipe::kS) {
      Edge(End(i), Start(j));
    }
    // (2)
    if (operation && b.kind == Entry::kBarrier && share_queue) {
      Edge(End(i), Start(j));
    }
    if (a.kind == Entry::kBarrier && share_queue) Edge(End(i), Start(j));
    // (3)
    if (operation && b.kind == Entry::kSet && share_queue) {
      Edge(End(i), Start(j));
    }
    // (4)
    if (b.kind == Entry::kWait && b.taken_set == i) Edge(End(i), Start(j));
    if (a.kind == Entry::kWait && share_queue) Edge(End(i), Start(j));
    // (5)
    if (a.kind == Entry::kWait && DestinationOf(a.event) == Pipe::kS) {
      Edge(End(a.taken_set), Start(j));
    }
  }

  std::vector<std::vector<std::size_t>> next_;
};

/// A few events, of which each begins where the one before ends.
std::array<Event, 3> AnyEvents(test::Words& words) {
  std::array<Event, 3> events;
  for (std::size_t i = 0; i < events.size(); ++i) {
    do {
      events[i] = static_cast<Event>(words.Next() % isa::kCount<Event>);
    } while (i > 0 && SourceOf(events[i]) != DestinationOf(events[i - 1]));
  }
  return events;
}

/// A flag's wait often comes soon after it, and ids are few, so that chains are
/// long; some flags and barriers are not the product's.
Program AnyProgram(test::Words& words) {
  Program program(4 + words.Next() % 20);
  std::vector<Entry> waits;
  const std::array usual = AnyEvents(words);
  for (Entry& entry : program) {
    const std::uint64_t dice = words.Next();
    const Event event = usual[dice / 64 % 3];
    entry.event = event;
    entry.id = dice / 256 % 16 == 0 ? 4 + static_cast<std::int64_t>(dice % 5)
                                    : static_cast<std::int64_t>(dice % 4 == 0);
    switch (dice / 8192 % 8) {
      case 0:
        entry.kind = Entry::kBarrier;
        entry.pipe = static_cast<Pipe>(words.Next() % isa::kCount<Pipe>);
        break;
      case 1:
      case 2:
        entry.kind = Entry::kSet;
        waits.push_back(entry);
        break;
      case 3:
      case 4:
        entry.kind = Entry::kWait;
        if (!waits.empty()) {
          entry.event = waits.back().event;
          entry.id = waits.back().id;
          waits.pop_back();
        }
        break;
      default:  // of a pipe that the events name, mostly
        entry.pipe = dice % 3 == 0 ? SourceOf(event) : DestinationOf(event);
        if (dice % 7 == 0) entry.pipe = kQueues[words.Next() % 7];
    }
  }
  return program;
}

std::string TextOf(const Program& program) {
  std::string text;
  for (const Entry& entry : program) text += entry.Text() + "; ";
  return text;
}

/// Goes through the program with the sets and queries the graph for every pair.
/// Returns the number of ordered pairs; stops at the first that differs.
int Compare(const Program& program, const test::PipesOfProduct& product,
            bool every_barrier) {
  const Graph graph(program);
  HappensBefore order(product.product);
  int ordered = 0;
  for (std::size_t j = 0; j < program.size(); ++j) {
    const Entry& entry = program[j];
    if (entry.kind == Entry::kBarrier) {
      if (entry.is_entry) order.Barrier(entry.pipe);
    } else if (entry.kind == Entry::kSet) {
      const auto broken = order.SetFlag({.event = entry.event, .id = entry.id},
                                        static_cast<std::int64_t>(j));
      EXPECT_EQ(!broken, entry.is_entry) << TextOf(program) << "at " << j;
    } else if (entry.kind == Entry::kWait) {
      const auto broken =
          order.WaitFlag({.event = entry.event, .id = entry.id});
      EXPECT_EQ(!broken, entry.is_entry) << TextOf(program) << "at " << j;
    } else {
      for (std::size_t i = 0; i < j; ++i) {
        if (program[i].kind != Entry::kOperation) continue;
        const bool is_before = graph.IsBefore(i, j);
        ordered += is_before;
        EXPECT_EQ(order.IsBefore(i, entry.pipe), is_before)
            << isa::Name(product.product) << (every_barrier ? " every" : "")
            << ": " << TextOf(program) << "of " << i << " and " << j;
      }
      order.Operation(j, entry.pipe);
    }
    if (testing::Test::HasFailure()) break;
  }
  return ordered;
}

TEST(HappensBeforeGraph, AgreesOnEveryPairOfSmallPrograms) {
  test::Words words;
  const int programs = test::kSlowBuild ? 200 : 3000;
  int ordered = 0;
  for (int i = 0; i < programs && !HasFailure(); ++i) {
    const Program drawn = AnyProgram(words);
    for (const test::PipesOfProduct& product : test::kPipesOfProducts) {
      for (const bool every_barrier : {false, true}) {
        Program program = drawn;
        Resolve(program, product, every_barrier);
        ordered += Compare(program, product, every_barrier);
      }
    }
  }
  EXPECT_GT(ordered, 10 * programs);  // they do have order
}

/// SYNC-FLAG-*, of which the first that is broken counts, and who set a flag.
TEST(HappensBefore, NamesTheFlagRuleThatIsBrokenAndWhoSetAFlag) {
  namespace sync = isa::sync;
  HappensBefore order(isa::Product::kAtlasA2);
  const auto set = [&](Event event, std::int64_t id, std::int64_t step = 0) {
    return order.SetFlag({.event = event, .id = id}, step);
  };
  const auto wait = [&](Event event, std::int64_t id) {
    return order.WaitFlag({.event = event, .id = id});
  };
  for (const std::int64_t id : {INT64_C(0), INT64_C(8), INT64_MIN}) {
    EXPECT_EQ(set(Event::kMV, id), sync::kFlagPipe);
    EXPECT_EQ(wait(Event::kMV, id), sync::kFlagPipe);
  }
  for (const std::int64_t id : {INT64_C(-1), INT64_C(8), INT64_MAX}) {
    EXPECT_EQ(set(Event::kVS, id), sync::kFlagId);
    EXPECT_EQ(wait(Event::kVS, id), sync::kFlagId);
  }
  EXPECT_EQ(wait(Event::kMte2V, 0), sync::kFlagUnset);
  EXPECT_EQ(set(Event::kMte2V, 0, 2), std::nullopt);
  EXPECT_EQ(set(Event::kMte2V, 0, 3), sync::kFlagTwice);
  EXPECT_EQ(order.SetterOf(Event::kMte2V, 0), 2);
  EXPECT_EQ(order.SetterOf(Event::kMte2V, 1), std::nullopt);
  EXPECT_EQ(wait(Event::kMte2V, 0), std::nullopt);
  EXPECT_EQ(order.SetterOf(Event::kMte2V, 0), std::nullopt);
}

TEST(HappensBefore, ForgottenNumbersAreFree) {
  HappensBefore order(isa::Product::kAtlasA2);
  order.Operation(0, Pipe::kMte2);
  EXPECT_EQ(order.SetFlag({.event = Event::kMte2V, .id = 0}, 1), std::nullopt);
  order.Barrier(Pipe::kAll);
  order.Forget(0);
  order.Operation(0, Pipe::kMte2);
  EXPECT_FALSE(order.IsBefore(0, Pipe::kMte2));
  EXPECT_EQ(order.WaitFlag({.event = Event::kMte2V, .id = 0}), std::nullopt);
  EXPECT_FALSE(order.IsBefore(0, Pipe::kV));
}

// ---- Copies under way -------------------------------------------------------

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
