#include "generators/random/sync_steps.h"

#include <algorithm>
#include <cstdint>
#include <iterator>
#include <optional>
#include <utility>
#include <variant>

#include "oracle/pipe_tables.h"

namespace lanediff::make {

using isa::Event;
using isa::Pipe;

namespace {

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
    return static_cast<Event>(
        random.Between(0, static_cast<std::int64_t>(isa::kCount<Event>) - 1));
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
    return isa::PipeBarrier{static_cast<Pipe>(
        random.Between(0, static_cast<std::int64_t>(isa::kCount<Pipe>) - 1))};
  }
  if (random.Percent(50)) {
    return isa::SetFlag{AnyEvent(random), AnyId(random)};
  }
  return isa::WaitFlag{AnyEvent(random), AnyId(random)};
}

}  // namespace

std::vector<isa::Step> RightlySynchronized(Random& random, const Case& c,
                                           const SyncDraft& draft) {
  return Synchronizer(random, c, draft).Run();
}

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

bool IsSynchronizing(const isa::Step& step) {
  return std::visit(
      []<class S>(const S&) {
        return !isa::Intrinsic<S> && !std::is_same_v<S, isa::GetValue> &&
               !std::is_same_v<S, isa::SetValue>;
      },
      step);
}

namespace {

/// Another id, event or pipe.
void Change(Random& random, isa::Step& step) {
  if (auto* barrier = std::get_if<isa::PipeBarrier>(&step)) {
    barrier->pipe = static_cast<Pipe>(
        random.Between(0, static_cast<std::int64_t>(isa::kCount<Pipe>) - 1));
  }
  const bool id = random.Percent(50);
  const auto change = [&](auto& flag) {
    if (id) flag.id = AnyId(random);
    if (!id) flag.event = AnyEvent(random);
  };
  if (auto* set = std::get_if<isa::SetFlag>(&step)) change(*set);
  if (auto* wait = std::get_if<isa::WaitFlag>(&step)) change(*wait);
}

}  // namespace

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

}  // namespace lanediff::make
