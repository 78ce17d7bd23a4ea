#include "generators/random/sync.h"

#include <algorithm>
#include <cstddef>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "differential/testcase/fit_memories.h"
#include "generators/random/operands.h"
#include "generators/random/small_calls.h"
#include "generators/random/sync_steps.h"
#include "isa/memories.h"
#include "oracle/byte_hazards.h"
#include "oracle/operations.h"
#include "oracle/oracle.h"

namespace lanediff::make {
namespace {

using isa::Memory;
using isa::Product;
using Status = isa::StepResult::Status;

constexpr std::int64_t kMemoryBytes = 16 * 1024;

constexpr Weighted<Product> kProducts[] = {
    {Product::kAtlasA2, 50},
    {Product::kAtlasTraining, 15},
    {Product::kAtlasInferenceAicore, 10},
    {Product::kAtlas200i500A2, 10},
    {Product::kAtlasA3, 7},
    {Product::kAtlasInferenceVectorcore, 4},
    {Product::kAtlas200_300_500, 4}};
constexpr Weighted<Synchronized> kWays[] = {{Synchronized::kRight, 30},
                                            {Synchronized::kAlmost, 35},
                                            {Synchronized::kAnyhow, 35}};

void AddImage(Random& random, Memory memory, Case& c) {
  MemoryImage& image = c.memory[static_cast<std::size_t>(memory)].emplace();
  image.size = kMemoryBytes;
  image.fill = static_cast<std::uint8_t>(random.OneOf({0, 0x3c, 0x42}));
  image.initialised = random.Percent(60);
  std::int64_t at = 32 * random.Between(0, 8);
  while (at < kSmallBytes && (!image.initialised || random.Percent(30))) {
    Region region{.at = at, .dtype = {}, .bytes = {}};
    region.bytes.assign(static_cast<std::size_t>(random.Between(1, 40) * 16 -
                                                 (random.Percent(20) ? 3 : 0)),
                        static_cast<std::uint8_t>(random.Between(0, 0x7b)));
    at = region.end() + 16 * random.Between(1, 30);
    image.regions.push_back(std::move(region));
  }
}

decltype(oracle::HazardQuestion::written) WrittenBefore(const Case& c) {
  decltype(oracle::HazardQuestion::written) written;
  for (std::size_t m = 0; m < written.size(); ++m) {
    const auto size = SizeOf(c, static_cast<Memory>(m));
    written[m].assign(static_cast<std::size_t>(size),
                      c.memory[m] && c.memory[m]->initialised);
    if (!c.memory[m]) continue;
    for (const Region& region : c.memory[m]->regions) {
      std::fill_n(written[m].begin() + region.at, region.size(), true);
    }
  }
  return written;
}

/// Draws steps and looks at each before it is taken.
class Drawer {
 public:
  Drawer(Random& random, Synchronized way, Case& c)
      : random_(random), way_(way), case_(c), bytes_(kGreatest) {
    isa::Memories memories;
    for (std::size_t m = 0; m < c.memory.size(); ++m) {
      const auto memory = static_cast<Memory>(m);
      const std::int64_t size = c.memory[m] ? c.memory[m]->size : kGreatest;
      memories[memory] =
          std::span(bytes_).first(static_cast<std::size_t>(size));
    }
    judge_.emplace(c.profile(), memories);
    judge_->set_computing(false);
  }

  /// Takes one more step, unless no draw suits.
  void Draw() {
    for (int i = 0; i < 12; ++i) {
      isa::Step step = SmallCall(random_, case_.product);
      if (oracle::UsesRegister(step) && way_ != Synchronized::kAnyhow &&
          random_.Percent(75)) {
        Take(GenerateMask(random_));
      }
      if (Take(std::move(step))) return;
    }
  }

  bool Take(isa::Step step) {
    judge_->Execute(isa::PipeBarrier{isa::Pipe::kAll});
    const Status status = judge_->Execute(step).status;
    const int keep = status == Status::kExecuted      ? 100
                     : way_ != Synchronized::kAnyhow  ? 0
                     : status == Status::kUnsupported ? 12
                                                      : 2;
    if (!random_.Percent(keep)) return false;
    std::optional<SyncDraft::Operation> operation;
    const auto pipe = oracle::PipeOfStep(step, case_.product);
    if (status == Status::kExecuted && pipe) {
      operation = {draft.steps.size(), *pipe, judge_->accesses()};
      if (const auto tmp = oracle::ScratchAccess(step, case_.product)) {
        operation->accesses.push_back(*tmp);
      }
      if (way_ != Synchronized::kAnyhow && !case_.lint.propagate &&
          ReadsUnwritten(*operation)) {
        return false;
      }
    }
    if (operation) draft.operations.push_back(std::move(*operation));
    draft.steps.push_back(std::move(step));
    return true;
  }

  /// Normal mode, and a register that is known, where the product can.
  void Begin() {
    if (!case_.lint.start_unknown || way_ == Synchronized::kAnyhow) return;
    Take(isa::SetMaskNorm{});
    Take(random_.Percent(50) ? isa::Step(isa::ResetMask{})
                             : isa::Step(GenerateMask(random_)));
  }
  void End() {
    if (way_ != Synchronized::kAnyhow && judge_->counter_mode()) {
      Take(isa::SetMaskNorm{});
    }
  }

  SyncDraft draft;

 private:
  /// Capacities of memories that the case leaves out are less.
  static constexpr std::int64_t kGreatest = std::int64_t{1} << 20;

  bool ReadsUnwritten(const SyncDraft::Operation& next) {
    std::vector<oracle::Touching> all;
    for (const SyncDraft::Operation& o : draft.operations) {
      all.push_back({o.step, o.pipe, nullptr, o.accesses});
    }
    const auto marks = WrittenBefore(case_);
    const std::size_t known = oracle::FindUnwrittenReads(all, marks).size();
    all.push_back({next.step, next.pipe, nullptr, next.accesses});
    return oracle::FindUnwrittenReads(all, marks).size() > known;
  }

  Random& random_;
  Synchronized way_;
  Case& case_;
  std::vector<std::uint8_t> bytes_;
  std::optional<oracle::Oracle> judge_;
};

}  // namespace

Case SynchronizedProgram(Random& random, const SyncPlan& plan) {
  Case c;
  c.id = "generated/synchronized";
  c.product = plan.product.value_or(random.PickWeighted(kProducts));
  const Synchronized way = plan.way.value_or(random.PickWeighted(kWays));
  if (plan.automatic || random.Percent(93)) {
    c.lint.sync.emplace(plan.automatic.value_or(random.Percent(40)));
  }
  c.lint.start_unknown = random.Percent(25);
  c.lint.propagate = random.Percent(35);
  AddImage(random, Memory::kGm, c);
  AddImage(random, Memory::kUb, c);
  if (random.Percent(60)) AddImage(random, Memory::kL1, c);

  Drawer drawer(random, way, c);
  drawer.Begin();
  const std::int64_t operations = random.Between(2, plan.most_operations);
  for (std::int64_t i = 0; i < operations; ++i) drawer.Draw();
  drawer.End();
  if (way == Synchronized::kAnyhow) {
    c.program = AnyhowSynchronized(random, drawer.draft);
  } else {
    c.program = RightlySynchronized(random, c, drawer.draft);
  }
  if (way == Synchronized::kAlmost) SpoilSynchronization(random, c);
  MakeWellFormed(c);
  return c;
}

}  // namespace lanediff::make
