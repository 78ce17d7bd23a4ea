#include "differential/targets/external/plugin_session.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <span>
#include <utility>

#include "differential/memory/memory_set.h"
#include "differential/testcase/case.h"
#include "differential/testcase/json.h"
#include "isa/catalogue.h"

namespace lanediff::diff {
namespace {

using Kind = NoOutcome::Kind;
using Status = isa::StepResult::Status;

}  // namespace

PluginSession::PluginSession(std::shared_ptr<HostProcess> host,
                             isa::Profile profile, isa::Memories memories,
                             const Capabilities& can, Restarts& restarts)
    : host_(std::move(host)),
      profile_(profile),
      memories_(memories),
      can_(&can),
      restarts_(&restarts) {
  {
    const std::lock_guard lock(host_->lock());
    session_ = host_->TakeSession();
  }
  if (session_ == kHostSessions) {
    failure_ =
        Failure(Kind::kUnable, "more sessions at once than there may be");
  } else if (!Share()) {
    failure_ = Failure(
        Kind::kUnable,
        fmt::format("a memory of more than {} bytes can't be shared with a "
                    "plugin",
                    kMaxWholeBytes));
  }
}

PluginSession::~PluginSession() {
  if (host_ == nullptr) return;
  const std::lock_guard lock(host_->lock());
  if (host_->broken()) return;
  host_->EndSession(session_, open_);
}

bool PluginSession::Share() {
  const SharedArena& arena = *SharedArena::There();
  for (const isa::Memory m : kAllMemories) {
    const auto i = static_cast<std::size_t>(m);
    const std::span<std::uint8_t> bytes = memories_[m];
    if (bytes.empty()) continue;
    if (bytes.size() > static_cast<std::size_t>(kMaxWholeBytes)) return false;
    const std::uint8_t* place = bytes.data();
    if (!arena.Has(place) || arena.OffsetOf(place) % SharedArena::kPage != 0) {
      copies_[i].resize(bytes.size());
      place = copies_[i].data();
      if (!arena.Has(place)) return false;
    }
    shared_[i] = {arena.OffsetOf(place), bytes.size()};
  }
  return true;
}

/// Copies memories outside the arena to what the plugin sees, or back.
void PluginSession::Copy(bool back) {
  for (std::size_t i = 0; i < copies_.size(); ++i) {
    if (copies_[i].empty()) continue;
    const std::span<std::uint8_t> copy = copies_[i];
    const std::span<std::uint8_t> own = memories_[static_cast<isa::Memory>(i)];
    std::ranges::copy(back ? copy : own, (back ? own : copy).begin());
  }
}

std::expected<std::string, NoOutcome> PluginSession::ProbeUnknown() {
  constexpr int kNoOp = 9999;
  if (failure_) return std::unexpected(*failure_);
  const std::lock_guard lock(host_->lock());
  HostBlock& block = host_->block();
  ToPluginStep(isa::PipeBarrier{}, profile_.product, block.steps[0]);
  block.steps[0].op = kNoOp;
  Request(block.calls[0]);
  if (auto answered = Send(1, 1); !answered) {
    return std::unexpected(std::move(answered.error()));
  }
  open_ = true;
  if (block.calls[0].broken != 0) {
    return std::unexpected(host_->Broke("it broke off"));
  }
  constexpr std::string_view kWords[] = {"executed", "rejected", "unsupported",
                                         "error"};
  return std::string(kWords[std::min<std::uint32_t>(block.calls[0].status, 3)]);
}

void PluginSession::Request(HostCall& call) {
  Copy(false);
  call.session = session_;
  call.opens = !open_;
  if (!open_) {
    call.product = static_cast<std::int32_t>(profile_.product);
    call.edition = static_cast<std::int32_t>(profile_.edition);
    call.memory = shared_;
  }
}

std::expected<void, NoOutcome> PluginSession::Send(std::uint32_t calls,
                                                   std::uint32_t steps) {
  HostBlock& block = host_->block();
  block.command = HostCommand::kExecute;
  block.call_count = calls;
  block.step_count = steps;
  auto answered = host_->Call();
  if (answered) block.closes = 0;
  return answered;
}

/// As many as are sent at once; empty where the plugin can't take the first.
std::span<const isa::Step> PluginSession::FirstOf(
    std::span<const isa::Step> steps) const {
  const auto most = steps.first(std::min(kHostSteps, steps.size()));
  const auto takes = [this](const isa::Step& step) {
    return InPluginAbi(step, host_->self().plugin_flags);
  };
  return {most.begin(), std::ranges::find_if_not(most, takes)};
}

/// `ExecuteBoth`, or only here where there is no `other`.
std::size_t PluginSession::Hand(PluginSession* other,
                                std::span<const isa::Step> steps,
                                isa::StepResult& here, isa::StepResult& there) {
  HostBlock& block = host_->block();
  const auto goes_on = [](const PluginSession& session,
                          const isa::StepResult& result) {
    return !session.failure_ && result == isa::StepResult();
  };
  for (std::size_t last = 0;; ++last) {
    const auto sent = FirstOf(steps.subspan(last));
    if (sent.empty()) {
      here = there = Unsupported();
      return last;
    }
    Request(block.calls[0]);
    if (other != nullptr) other->Request(block.calls[1]);
    for (std::size_t i = 0; i < sent.size(); ++i) {
      ToPluginStep(sent[i], profile_.product, block.steps[i]);
    }
    block.step = 0;
    auto answered =
        Send(other != nullptr ? 2 : 1, static_cast<std::uint32_t>(sent.size()));
    last += std::min<std::size_t>(block.step, sent.size() - 1);
    if (!answered) {
      here = Fail(std::move(answered.error()));
      return last;
    }
    here = Take(block.calls[0]);
    if (other != nullptr) {
      other->open_ = true;
      if (!host_->broken() && !failure_) there = other->Take(block.calls[1]);
    }
    if (last + 1 == steps.size() || !goes_on(*this, here) ||
        (other != nullptr && !goes_on(*other, there))) {
      return last;
    }
  }
}

isa::StepResult PluginSession::Execute(const isa::Step& step) {
  if (failure_) return Unsupported();
  const std::lock_guard lock(host_->lock());
  if (!Ready()) return Unsupported();
  isa::StepResult result;
  Hand(nullptr, {&step, 1}, result, result);
  return result;
}

std::optional<std::size_t> PluginSession::ExecuteBoth(
    Session& other, std::span<const isa::Step> steps, isa::StepResult& here,
    isa::StepResult& there) {
  auto* const second = dynamic_cast<PluginSession*>(&other);
  if (second == nullptr || second->host_ != host_ || host_ == nullptr) {
    return std::nullopt;
  }
  const std::lock_guard lock(host_->lock());
  if (!Ready() || !second->Ready()) return std::nullopt;
  return Hand(second, steps, here, there);
}

/// False, with a failure, where no request can be sent.
bool PluginSession::Ready() {
  if (failure_) return false;
  if (!host_->broken()) return true;
  failure_ = Failure(Kind::kUnable, "the process of the plugin is no more");
  return false;
}

isa::StepResult PluginSession::Unsupported() {
  return {.status = Status::kUnsupported, .rules = {}, .notes = {}};
}

/// The answer of one call, after which the session is open.
isa::StepResult PluginSession::Take(const HostCall& call) {
  open_ = true;
  Copy(true);
  return Answer(call);
}

isa::StepResult PluginSession::Answer(const HostCall& block) {
  const auto lines = HostProcess::Lines(block);
  if (block.broken != 0) {
    std::string why(lines.empty() ? "?" : lines.front());
    if (block.broken != 2) return Fail(host_->Broke(std::move(why)));
    NoOutcome none = host_->Broke(
        fmt::format("it let a C++ exception escape: {}", Quote(why, 200)));
    none.kind = Kind::kCrash;
    return Fail(std::move(none));
  }
  isa::StepResult result;
  switch (block.status) {
    case LANEDIFF_EXECUTED:
      break;
    case LANEDIFF_REJECTED:
      result.status = Status::kRejected;
      break;
    case LANEDIFF_UNSUPPORTED:
      result.status = Status::kUnsupported;
      return result;
    case LANEDIFF_ERROR:
      return Fail(
          Failure(Kind::kCrash, fmt::format("it answered with an error: {}",
                                            block.error != 0 && !lines.empty()
                                                ? Quote(lines.back(), 300)
                                                : "without a word")));
    default:
      return Fail(host_->Broke(
          fmt::format("its status is {}; 0 to 3 are allowed", block.status)));
  }
  const std::size_t rules = std::min<std::size_t>(block.rules, lines.size());
  const std::size_t notes =
      std::min<std::size_t>(block.notes, lines.size() - rules);
  if (result.status == Status::kRejected &&
      can_->legality == Capabilities::Legality::kRules &&
      !ReadRules(lines, 0, rules, result.rules)) {
    return Fail(host_->Broke("it names a rule outside the catalogue"));
  }
  if (result.status == Status::kExecuted && can_->notes &&
      !ReadRules(lines, rules, notes, result.notes)) {
    return Fail(host_->Broke("it names a note outside the catalogue"));
  }
  return result;
}

bool PluginSession::ReadRules(const std::vector<std::string_view>& lines,
                              std::size_t first, std::size_t count,
                              isa::RuleSet& into) {
  for (std::size_t i = first; i < first + count; ++i) {
    const isa::Rule* const rule = isa::FindRule(lines[i]);
    if (rule == nullptr) return false;
    into.Add(rule->id);
  }
  return true;
}

isa::StepResult PluginSession::Fail(NoOutcome none) {
  if (IsFailure(none.kind)) restarts_->Count();
  failure_ = std::move(none);
  return Unsupported();
}

}  // namespace lanediff::diff
