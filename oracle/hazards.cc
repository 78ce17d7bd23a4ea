#include "oracle/hazards.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <set>
#include <span>
#include <tuple>
#include <utility>
#include <variant>
#include <vector>

#include "isa/memories.h"
#include "isa/state.h"
#include "oracle/byte_hazards.h"
#include "oracle/happens_before.h"
#include "oracle/mask_hazards.h"
#include "oracle/operations.h"
#include "oracle/oracle.h"
#include "oracle/pipe_tables.h"

namespace lanediff::oracle {

using isa::Pipe;
using isa::StepResult;

namespace {

/// SYNC-AUTO: whether the compiler orders two operations of these pipes.
bool IsOrderedByCompiler(Pipe a, Pipe b) {
  const auto is_with_s = [](Pipe p) {
    return p == Pipe::kV || p == Pipe::kMte2 || p == Pipe::kMte3;
  };
  return (a == Pipe::kV && b == Pipe::kV) || (a == Pipe::kS && is_with_s(b)) ||
         (b == Pipe::kS && is_with_s(a));
}

/// Goes through a program, step by step.
class Walk {
 public:
  explicit Walk(const HazardQuestion& question)
      : question_(question),
        oracle_({question.product, question.edition}, MemoriesOf(question)),
        order_(question.product),
        masks_(question.product, question.start_unknown) {
    oracle_.set_computing(false);
  }

  /// Returns whether the program is small enough.
  bool Run() {
    for (std::size_t i = 0; i < question_.program.size(); ++i) {
      Take(question_.program[i], i);
      if (touched_bytes_ > question_.most_bytes) return false;
      if (answer_.unsupported) break;
    }
    if (!answer_.unsupported) {
      End(answer_.rejected.empty() ? answer_.steps : answer_.at_end);
    }
    return true;
  }

  HazardAnswer Finish() {
    for (const Touching& t : touching_) {
      answer_.operations.push_back({t.step, t.pipe});
    }
    answer_.sharing = FindSharing(touching_);
    if (question_.automatic) {
      answer_.bytes = FindRaces(touching_, answer_.before);
    }
    const auto unwritten =
        question_.propagate ? FindUnwrittenLeaving(touching_, question_.written)
                            : FindUnwrittenReads(touching_, question_.written);
    answer_.bytes.insert(answer_.bytes.end(), unwritten.begin(),
                         unwritten.end());
    return std::move(answer_);
  }

 private:
  /// Nothing is computed, so that all may have the same bytes.
  isa::Memories MemoriesOf(const HazardQuestion& question) {
    for (const auto& marks : question.written) {
      bytes_.resize(std::max(bytes_.size(), marks.size()));
    }
    isa::Memories memories;
    for (std::size_t m = 0; m < question.written.size(); ++m) {
      memories[static_cast<isa::Memory>(m)] =
          std::span(bytes_).first(question.written[m].size());
    }
    return memories;
  }

  void Take(const isa::Step& step, std::size_t number) {
    const auto found = oracle_.mask_register();
    // *-BARRIER is left out where races are looked for.
    if (question_.automatic) oracle_.Execute(isa::PipeBarrier{Pipe::kAll});
    const StepResult result = oracle_.Execute(step);
    if (result.status == StepResult::Status::kUnsupported) {
      // Nothing ends a program twice: behind a rejected step all is looked at.
      if (answer_.rejected.empty()) answer_.unsupported = number;
      masks_.Unsupported(number, answer_.steps);
    } else if (result.status == StepResult::Status::kRejected) {
      answer_.rejected.push_back({number, result.rules});
    } else {
      masks_.Executed(step, number, found, answer_.steps);
      LookAtQueues(step, number);
    }
  }

  void LookAtQueues(const isa::Step& step, std::size_t number) {
    if (const auto* set = std::get_if<isa::SetFlag>(&step)) {
      const auto setter = order_.SetterOf(set->event, set->id);
      const auto now = static_cast<std::int64_t>(number);
      const auto broken = order_.SetFlag(*set, now);
      if (broken == isa::sync::kFlagTwice) {
        AddHazard(*broken, number, static_cast<std::size_t>(*setter),
                  isa::WaitFlag{set->event, set->id});
      } else if (broken) {
        answer_.steps.push_back({*broken, std::nullopt, number, {}});
      } else {
        raised_.emplace(set->event, set->id);
      }
    } else if (const auto* wait = std::get_if<isa::WaitFlag>(&step)) {
      const auto broken = order_.WaitFlag(*wait);
      if (broken == isa::sync::kFlagUnset) {
        AddHazard(*broken, number, std::nullopt,
                  isa::SetFlag{wait->event, wait->id});
      } else if (broken) {
        answer_.steps.push_back({*broken, std::nullopt, number, {}});
      }
    } else if (const auto* barrier = std::get_if<isa::PipeBarrier>(&step)) {
      if (HasBarrier(question_.product, barrier->pipe)) {
        order_.Barrier(barrier->pipe);
      } else {
        answer_.steps.push_back(
            {isa::sync::kBarrierPipe, std::nullopt, number, {}});
      }
    } else if (const auto pipe = PipeOfStep(step, question_.product)) {
      AddOperation(step, number, *pipe);
    }
  }

  void AddHazard(isa::RuleId rule, std::size_t later,
                 std::optional<std::size_t> earlier, isa::Step fix) {
    answer_.steps.push_back({rule, earlier, later, {std::move(fix)}});
  }

  void AddOperation(const isa::Step& step, std::size_t number, Pipe pipe) {
    Touching touching{number, pipe, &step, oracle_.accesses()};
    for (const isa::Access& left : ScratchAccesses(step, question_.product)) {
      touching.accesses.push_back(left);
    }
    for (const isa::Access& access : touching.accesses) {
      touched_bytes_ += access.bytes;
    }
    const std::size_t b = touching_.size();
    for (std::size_t a = 0; a < b; ++a) {
      const bool auto_orders = !question_.automatic ||
                               (*question_.automatic &&
                                IsOrderedByCompiler(touching_[a].pipe, pipe));
      answer_.before[a].push_back(auto_orders ||
                                  order_.IsBefore(touching_[a].step, pipe));
    }
    answer_.before.emplace_back(b + 1, false);
    order_.Operation(number, pipe);
    touching_.push_back(std::move(touching));
  }

  void End(std::vector<StepHazard>& open) {
    masks_.End(oracle_.counter_mode(), open);
    for (const auto& [event, id] : raised_) {
      if (const auto setter = order_.SetterOf(event, id)) {
        open.push_back({isa::sync::kFlagUnwaited,
                        std::nullopt,
                        static_cast<std::size_t>(*setter),
                        {isa::WaitFlag{event, id}}});
      }
    }
  }

  const HazardQuestion& question_;
  std::vector<std::uint8_t> bytes_;
  Oracle oracle_;
  HappensBefore order_;
  MaskHazards masks_;
  std::vector<Touching> touching_;
  std::set<std::pair<isa::Event, std::int64_t>> raised_;
  std::int64_t touched_bytes_ = 0;
  HazardAnswer answer_;
};

/// The event of two pipes, if the product has one.
std::optional<isa::Event> EventBetween(isa::Product product, Pipe from,
                                       Pipe to) {
  for (std::size_t e = 0; e < isa::kCount<isa::Event>; ++e) {
    const auto event = static_cast<isa::Event>(e);
    if (SourceOf(event) == from && DestinationOf(event) == to &&
        HasEvent(product, event)) {
      return event;
    }
  }
  return std::nullopt;
}

/// Whether two accesses outside of tmp, one of them a write, share a byte.
bool HasSharedByte(const isa::Carried& call) {
  for (const isa::CarriedWrite& write : call.writes) {
    if (write.operand == isa::OperandName::kTmp) continue;
    for (const isa::CarriedRead& read : call.reads) {
      if (read.operand == isa::OperandName::kTmp) continue;
      if (read.memory == write.memory && read.at < write.at + write.size() &&
          write.at < read.at + read.bytes) {
        return true;
      }
    }
  }
  return false;
}

/// What the step needs that this model does not have; "" where it has all.
std::string_view BeyondTheModel(const isa::Step& step) {
  if (const auto* const call = std::get_if<isa::Carried>(&step)) {
    return HasSharedByte(*call) ? "operands of an unaudited call that overlap"
                                : "";
  }
  const auto* const resource = std::get_if<isa::Resource>(&step);
  if (resource == nullptr) return "";
  using enum isa::ResourceName;
  switch (resource->name) {
    case kInitSocState:
    case kSetDeqScale:
      return "";
    case kSetAtomic:
      return resource->Text("operation") == "none"
                 ? ""
                 : "an atomic mode, in which copies read what they write";
    case kLaunch:
    case kBlock:
    case kSyncAll:
      return "launches and blocks";
    case kAllocEventID:
    case kReleaseEventID:
      return "ids of events that are allocated";
    default:
      return "queues, buffers and tensors";
  }
}

bool HasFlagStep(const std::vector<isa::Step>& program, isa::Event event,
                 std::int64_t id) {
  return std::ranges::any_of(program, [&](const isa::Step& step) {
    const auto* set = std::get_if<isa::SetFlag>(&step);
    const auto* wait = std::get_if<isa::WaitFlag>(&step);
    return (set != nullptr && set->event == event && set->id == id) ||
           (wait != nullptr && wait->event == event && wait->id == id);
  });
}

}  // namespace

std::expected<HazardAnswer, std::string_view> FindHazards(
    const HazardQuestion& question) {
  if (question.program.size() > kMostHazardSteps) {
    return std::unexpected("more than 1000 steps");
  }
  for (const isa::Step& step : question.program) {
    const std::string_view beyond = BeyondTheModel(step);
    if (!beyond.empty()) return std::unexpected(beyond);
  }
  Walk walk(question);
  if (!walk.Run())
    return std::unexpected("accesses to more bytes than it looks at, 4 MiB");
  return walk.Finish();
}

std::vector<isa::Step> MissingCall(isa::Product product,
                                   const std::vector<isa::Step>& program,
                                   Pipe earlier, Pipe later) {
  if (earlier == later && HasBarrier(product, earlier)) {
    return {isa::PipeBarrier{earlier}};
  }
  const auto event = EventBetween(product, earlier, later);
  const auto greatest = GreatestFlagId(product);
  if (event && greatest) {
    for (std::int64_t id = 0; id <= *greatest; ++id) {
      if (!HasFlagStep(program, *event, id)) {
        return {isa::SetFlag{*event, id}, isa::WaitFlag{*event, id}};
      }
    }
  }
  if (HasBarrier(product, Pipe::kAll)) return {isa::PipeBarrier{Pipe::kAll}};
  return {};
}

}  // namespace lanediff::oracle
