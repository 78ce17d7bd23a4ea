#include <algorithm>
#include <cstddef>
#include <iterator>
#include <optional>
#include <span>
#include <utility>
#include <variant>
#include <vector>

#include "differential/testcase/case.h"
#include "generators/random/operands.h"
#include "generators/random/programs.h"
#include "generators/random/small_calls.h"
#include "isa/memories.h"
#include "oracle/byte_hazards.h"
#include "oracle/operations.h"
#include "oracle/oracle.h"
#include "oracle/pipe_tables.h"

namespace lanediff::make {
namespace {

using isa::Event;
using isa::Memory;
using isa::Pipe;
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

/// Steps to be synchronized, and the operations among them.
struct SyncDraft {
  struct Operation {
    std::size_t step = 0;  ///< in `steps`
    isa::Pipe pipe = isa::Pipe::kV;
    std::vector<isa::Access> accesses;
  };
  std::vector<isa::Step> steps;
  std::vector<Operation> operations;
};

bool Share(const isa::Access& a, const isa::Access& b) {
  return (a.write || b.write) && a.memory == b.memory &&
         a.at < b.at + b.bytes && b.at < a.at + a.bytes;
}

bool Share(const SyncDraft::Operation& a, const SyncDraft::Operation& b) {
  return std::ranges::any_of(a.accesses, [&](const isa::Access& x) {
    return std::ranges::any_of(
        b.accesses, [&](const isa::Access& y) { return Share(x, y); });
  });
}

std::optional<Event> EventBetween(isa::Product product, Pipe from, Pipe to) {
  for (std::size_t e = 0; e < isa::kCount<Event>; ++e) {
    const auto event = static_cast<Event>(e);
    if (SourceOf(event) == from && DestinationOf(event) == to &&
        oracle::HasEvent(product, event)) {
      return event;
    }
  }
  return std::nullopt;
}

/// What the compiler inserts for two operations.
bool CompilerOrders(Pipe a, Pipe b) {
  if (b == Pipe::kS) std::swap(a, b);
  if (a == Pipe::kV) return b == Pipe::kV;
  return a == Pipe::kS &&
         (b == Pipe::kV || b == Pipe::kMte2 || b == Pipe::kMte3);
}

/// Puts flags and barriers before and behind steps.
class Synchronizer {
 public:
  Synchronizer(Random& random, const Case& c, const SyncDraft& draft)
      : random_(random),
        product_(c.product),
        automatic_(c.lint.sync && c.lint.sync->automatic),
        draft_(draft),
        before_(draft.steps.size()),
        behind_(draft.steps.size()) {}

  std::vector<isa::Step> Run() {
    for (std::size_t b = 0; b < draft_.operations.size(); ++b) OrderBefore(b);
    std::vector<isa::Step> steps;
    for (std::size_t i = 0; i < draft_.steps.size(); ++i) {
      std::ranges::copy(before_[i], std::back_inserter(steps));
      steps.push_back(draft_.steps[i]);
      std::ranges::copy(behind_[i], std::back_inserter(steps));
    }
    return steps;
  }

 private:
  /// Of each pipe, orders the last operation that shares a byte with number b.
  void OrderBefore(std::size_t b) {
    for (std::size_t p = 0; p < isa::kCount<Pipe>; ++p) {
      for (std::size_t a = b; a-- > 0;) {
        if (draft_.operations[a].pipe != static_cast<Pipe>(p) ||
            !Share(draft_.operations[a], draft_.operations[b])) {
          continue;
        }
        Order(draft_.operations[a], draft_.operations[b]);
        break;
      }
    }
  }

  void Order(const SyncDraft::Operation& a, const SyncDraft::Operation& b) {
    if (a.pipe == Pipe::kS && b.pipe == Pipe::kS) return;
    if (automatic_ && CompilerOrders(a.pipe, b.pipe)) return;
    if (a.pipe == b.pipe) return PutBarrier(a.pipe, b);
    const auto event = EventBetween(product_, a.pipe, b.pipe);
    if (!event || random_.Percent(8)) return PutBarrier(Pipe::kAll, b);
    const bool far = random_.Percent(60);
    const Span span{*event, 0, far ? a.step : b.step - 1, b.step};
    const auto id = FreeId(span);
    if (!id) return PutBarrier(Pipe::kAll, b);
    taken_.push_back({*event, *id, span.from, span.to});
    (far ? behind_[a.step] : before_[b.step])
        .push_back(isa::SetFlag{*event, *id});
    before_[b.step].push_back(isa::WaitFlag{*event, *id});
  }

  void PutBarrier(Pipe pipe, const SyncDraft::Operation& b) {
    if (!oracle::HasBarrier(product_, pipe)) pipe = Pipe::kAll;
    if (!oracle::HasBarrier(product_, pipe)) return;
    before_[b.step].push_back(isa::PipeBarrier{pipe});
  }

  /// A flag from its setting to its waiting.
  struct Span {
    Event event;
    std::int64_t id;
    std::size_t from;
    std::size_t to;
  };

  std::optional<std::int64_t> FreeId(const Span& span) const {
    for (std::int64_t id = 0; id <= oracle::GreatestFlagId(product_); ++id) {
      const bool taken = std::ranges::any_of(taken_, [&](const Span& other) {
        return other.event == span.event && other.id == id &&
               other.from < span.to && span.from < other.to;
      });
      if (!taken) return id;
    }
    return std::nullopt;
  }

  Random& random_;
  isa::Product product_;
  bool automatic_;
  const SyncDraft& draft_;
  std::vector<std::vector<isa::Step>> before_, behind_;
  std::vector<Span> taken_;
};

Event AnyEvent(Random& random) {
  if (random.Percent(15)) {
    return random.AnyWord<Event>();
  }
  return random.OneOf({Event::kMte2V, Event::kVMte3, Event::kVMte2,
                       Event::kMte3V, Event::kMte3Mte2, Event::kMte2Mte3,
                       Event::kVS, Event::kSV, Event::kSMte3, Event::kMte2S});
}

std::int64_t AnyId(Random& random) {
  return random.OneOf<std::int64_t>({0, 0, 0, 0, 1, 1, 3, 4, 7, 8, -1});
}

isa::Step AnySynchronizing(Random& random) {
  if (random.Percent(25)) {
    return isa::PipeBarrier{random.AnyWord<Pipe>()};
  }
  if (random.Percent(50)) {
    return isa::SetFlag{AnyEvent(random), AnyId(random)};
  }
  return isa::WaitFlag{AnyEvent(random), AnyId(random)};
}

/// The steps, with what orders every two operations that share a byte, one of
/// them writing, as far as the product has it.
std::vector<isa::Step> RightlySynchronized(Random& random, const Case& c,
                                           const SyncDraft& draft) {
  return Synchronizer(random, c, draft).Run();
}

/// The steps, with flags and barriers at random between them, or none.
std::vector<isa::Step> AnyhowSynchronized(Random& random,
                                          const SyncDraft& draft) {
  const int percent = random.OneOf({0, 20, 50, 70});
  std::vector<isa::Step> steps;
  for (const isa::Step& step : draft.steps) {
    while (random.Percent(percent)) {
      steps.push_back(AnySynchronizing(random));
      const auto* set = std::get_if<isa::SetFlag>(&steps.back());
      if (set != nullptr && random.Percent(60)) {
        steps.push_back(isa::WaitFlag{set->event, set->id});
      }
    }
    steps.push_back(step);
  }
  return steps;
}

/// Whether the step is there for order or state alone: a flag, a barrier, a
/// mask or a mode.
bool IsSynchronizing(const isa::Step& step) {
  return !isa::IsCall(step) && !std::holds_alternative<isa::GetValue>(step) &&
         !std::holds_alternative<isa::SetValue>(step);
}

/// Another id, event or pipe.
void Change(Random& random, isa::Step& step) {
  if (auto* barrier = std::get_if<isa::PipeBarrier>(&step)) {
    barrier->pipe = random.AnyWord<Pipe>();
  }
  const bool id = random.Percent(50);
  const auto change = [&](auto& flag) {
    if (id) flag.id = AnyId(random);
    if (!id) flag.event = AnyEvent(random);
  };
  if (auto* set = std::get_if<isa::SetFlag>(&step)) change(*set);
  if (auto* wait = std::get_if<isa::WaitFlag>(&step)) change(*wait);
}

/// Deletes, changes, doubles or moves one such step, or takes away a region
/// that counts as written.
void SpoilSynchronization(Random& random, Case& c) {
  std::vector<std::ptrdiff_t> places;
  for (std::size_t i = 0; i < c.program.size(); ++i) {
    if (IsSynchronizing(c.program[i])) {
      places.push_back(static_cast<std::ptrdiff_t>(i));
    }
  }
  auto& ub = c.memory[static_cast<std::size_t>(isa::Memory::kUb)];
  if (ub && !ub->regions.empty() && random.Percent(10)) {
    ub->initialised = false;
    ub->regions.erase(ub->regions.begin());
    return;
  }
  if (places.empty()) return;
  const auto place = c.program.begin() + random.Pick(places);
  switch (random.Between(0, 7)) {
    case 0:
    case 1:
    case 2:
      c.program.erase(place);
      return;
    case 3: {
      const isa::Step step = *place;
      c.program.insert(place, step);
      return;
    }
    case 4:
      if (place + 1 != c.program.end()) std::iter_swap(place, place + 1);
      return;
    default:
      Change(random, *place);
  }
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
      std::ranges::copy(oracle::ScratchAccesses(step, case_.product),
                        std::back_inserter(operation->accesses));
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
