// Generated programs of kernels: emulator and oracle replay them alike, right
// ones are clean, and what queues order is what flags in their place order.

#include <gtest/gtest.h>

#include <algorithm>
#include <deque>
#include <map>
#include <optional>
#include <set>
#include <tuple>
#include <utility>
#include <vector>

#include "differential/memory/memory_set.h"
#include "differential/testcase/case_writer.h"
#include "emulator/emulator.h"
#include "generators/random/programs.h"
#include "isa/state.h"
#include "oracle/oracle.h"
#include "sanitizer/compare.h"
#include "sanitizer/lint.h"

namespace lanediff::lint {
namespace {

using Name = isa::ResourceName;

TEST(KernelPrograms, AreReplayedAlike) {
  make::Random random(3);
  std::set<isa::RuleId> broken;
  std::size_t written = 0;
  for (int i = 0; i < 600 && !HasFailure(); ++i) {
    const Case c = make::KernelProgram(random, i % 4 == 0);
    diff::MemorySet mine(c);
    diff::MemorySet exact(c);
    emulator::Emulator emulator(c.product, mine.view());
    oracle::Oracle oracle(c.product, exact.view());
    for (const isa::Step& step : c.program) {
      const isa::StepResult result = emulator.Execute(step);
      EXPECT_EQ(result, oracle.Execute(step)) << WriteCase(c);
      for (isa::RuleId rule : result.rules) broken.insert(rule);
    }
    EXPECT_TRUE(mine == exact) << WriteCase(c);
    written += mine == diff::MemorySet(c) ? 0 : 1;
  }
  EXPECT_GT(written, 500U);
  EXPECT_GE(broken.size(), 2U) << "KRN-BOUNDS and KRN-ALIGN";
}

TEST(KernelPrograms, ThatAreRightAreClean) {
  make::Random random(4);
  for (int i = 0; i < 200 && !HasFailure(); ++i) {
    const Case c = make::KernelProgram(random, true);
    const Verdict verdict = Lint(c);
    EXPECT_FALSE(verdict.rejected) << WriteCase(c);
    for (const Hazard& hazard : verdict.hazards) {
      EXPECT_TRUE(hazard.rule.text().starts_with("STATE-"))
          << hazard.rule.text() << WriteCase(c);
    }
  }
}

TEST(KernelPrograms, ThatAreSpoiledBreakRulesOfQueuesAndOrder) {
  make::Random random(5);
  std::set<std::string_view> rules;
  for (int i = 0; i < 600; ++i) {
    for (const Hazard& hazard :
         Lint(make::KernelProgram(random, false)).hazards) {
      rules.insert(hazard.rule.text());
    }
  }
  for (const char* rule : {"SYNC-RAW", "SYNC-WAR", "SYNC-WAW", "INIT-READ",
                           "KRN-QUEUE", "KRN-FREED", "KRN-TPIPE"}) {
    EXPECT_TRUE(rules.contains(rule)) << rule;
  }
}

/// Queues, as their pages describe each call: AllocTensor takes the next
/// free block in turn, EnQue sets a flag from the pipe that fills to the one
/// that empties, DeQue waits for it, FreeTensor sets one back, and the next
/// AllocTensor of the block waits for that.
class Translation {
 public:
  /// The step in whose place it stands; nothing where a rule is broken.
  std::optional<isa::Step> Of(const isa::Step& step) {
    const auto* const resource = std::get_if<isa::Resource>(&step);
    if (resource == nullptr) return step;
    const isa::Step nothing = isa::SetSaturation{true};
    switch (resource->name) {
      case Name::kInitBuffer:
        Init(*resource);
        return nothing;
      case Name::kDestroy:
        return isa::PipeBarrier{isa::Pipe::kAll};
      case Name::kLaunch:
      case Name::kBlock:
      case Name::kTPipe:
      case Name::kSetDeqScale:
        return nothing;
      case Name::kAllocTensor:
      case Name::kEnQue:
      case Name::kDeQue:
      case Name::kFreeTensor:
        break;
      default:
        return std::nullopt;
    }
    const auto queue = queues_.find(*resource->Integer("buffer"));
    if (queue == queues_.end()) return std::nullopt;
    return OfQueue(*resource, queue->second);
  }

 private:
  struct Tensor {
    std::int64_t at;
    std::int64_t id;
    enum { kIdle, kOut, kQueued } is = kIdle;
    bool freed = false;
  };
  struct Queue {
    isa::Event there;
    isa::Event back;
    std::vector<Tensor> tensors;
    std::size_t depth = 0;
    std::size_t next = 0;
    std::deque<std::size_t> queued;
  };

  void Init(const isa::Resource& resource) {
    const std::int64_t num = *resource.Integer("num");
    const std::int64_t len = *resource.Integer("len");
    const bool in = resource.Text("src") == "VECIN";
    if (const auto depth = resource.Integer("depth")) {
      Queue& queue = queues_[*resource.Integer("buffer")];
      queue.depth = static_cast<std::size_t>(*depth);
      queue.there = in ? isa::Event::kMte2V : isa::Event::kVMte3;
      queue.back = in ? isa::Event::kVMte2 : isa::Event::kMte3V;
      for (std::int64_t i = 0; i < num; ++i) {
        queue.tensors.push_back({.at = end_ + i * len, .id = i});
      }
    }
    end_ += num * len;
  }

  static std::optional<isa::Step> OfQueue(const isa::Resource& resource,
                                          Queue& queue) {
    const isa::Step nothing = isa::SetSaturation{true};
    auto& tensors = queue.tensors;
    if (resource.name == Name::kAllocTensor) {
      for (std::size_t i = 0; i < tensors.size(); ++i) {
        Tensor& one = tensors[(queue.next + i) % tensors.size()];
        if (one.is != Tensor::kIdle) continue;
        queue.next = (queue.next + i + 1) % tensors.size();
        one.is = Tensor::kOut;
        const bool waits = std::exchange(one.freed, false);
        return waits ? isa::Step(isa::WaitFlag{queue.back, one.id}) : nothing;
      }
      return std::nullopt;
    }
    if (resource.name == Name::kDeQue) {
      if (queue.queued.empty()) return std::nullopt;
      Tensor& one = tensors[queue.queued.front()];
      queue.queued.pop_front();
      one.is = Tensor::kOut;
      return isa::WaitFlag{queue.there, one.id};
    }
    const auto one =
        std::ranges::find(tensors, *resource.Integer("at"), &Tensor::at);
    if (one == tensors.end() || one->is != Tensor::kOut) return std::nullopt;
    if (resource.name == Name::kEnQue) {
      if (queue.queued.size() >= queue.depth) return std::nullopt;
      one->is = Tensor::kQueued;
      queue.queued.push_back(static_cast<std::size_t>(one - tensors.begin()));
      return isa::SetFlag{queue.there, one->id};
    }
    one->is = Tensor::kIdle;
    one->freed = true;
    return isa::SetFlag{queue.back, one->id};
  }

  std::map<std::int64_t, Queue> queues_;
  std::int64_t end_ = 0;
};

/// Steps next to each other exchanged, barriers left out.
void Disorder(make::Random& random, Case& c) {
  const auto size = static_cast<std::int64_t>(c.program.size());
  for (std::int64_t n = random.Between(1, 4); n > 0; --n) {
    const auto at = static_cast<std::size_t>(random.Between(5, size - 2));
    if (random.Percent(50)) {
      std::swap(c.program[at], c.program[at + 1]);
    } else if (std::holds_alternative<isa::PipeBarrier>(c.program[at])) {
      c.program[at] = isa::SetSaturation{true};
    }
  }
}

using Race =
    std::tuple<std::string_view, std::size_t, std::size_t, std::int64_t>;
std::set<Race> RacesOf(const Verdict& verdict) {
  std::set<Race> races;
  for (const Hazard& hazard : verdict.hazards) {
    // Flags have no buffers whose contents end with a use.
    if (!hazard.bytes || hazard.rule == isa::sync::kInitStale) continue;
    races.emplace(hazard.rule.text(), hazard.earlier ? hazard.earlier->step : 0,
                  hazard.later.step, hazard.bytes->total);
  }
  return races;
}

TEST(KernelPrograms, QueuesOrderWhatFlagsInTheirPlaceWould) {
  make::Random random(6);
  std::size_t compared = 0;
  std::size_t races = 0;
  for (int i = 0; i < 3000 && compared < 400 && !HasFailure(); ++i) {
    Case c = make::KernelProgram(random, true);
    Disorder(random, c);
    Case flags = c;
    Translation translation;
    bool whole = true;
    std::size_t blocks = 0;
    for (isa::Step& step : flags.program) {
      const auto* const resource = std::get_if<isa::Resource>(&step);
      blocks += resource != nullptr && resource->name == Name::kBlock ? 1 : 0;
      auto translated = translation.Of(step);
      whole = whole && translated;
      if (translated) step = *std::move(translated);
    }
    if (!whole || blocks != 1) continue;
    const auto answer = oracle::FindHazards(QuestionOf(flags));
    ASSERT_TRUE(answer) << answer.error();
    ++compared;
    const auto found = RacesOf(Lint(c));
    EXPECT_EQ(found, RacesOf(LiteralVerdict(flags, *answer))) << WriteCase(c);
    races += found.size();
  }
  EXPECT_GE(compared, 300U);
  EXPECT_GT(races, 100U);
}

}  // namespace
}  // namespace lanediff::lint
