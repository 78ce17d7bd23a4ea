#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <string_view>
#include <utility>

#include "isa/carried.h"
#include "isa/catalogue.h"
#include "isa/memory_map.h"
#include "isa/state.h"
#include "kernel/carried/carried.h"
#include "kernel/carried/parameters.h"
#include "kernel/engine/audited.h"
#include "kernel/engine/inside.h"

/// Calls of intrinsics.
namespace lanediff::kernel {
namespace {

using isa::ResourceName;
using Status = isa::StepResult::Status;

/// Rules on the word of a position; a run requires the memories alone.
bool IsOfPosition(isa::RuleId rule) {
  return isa::IsRuleOf(isa::Family::kCopy, isa::CallRule::kRoute, rule) ||
         isa::IsRuleOf(isa::Family::kLanewise, isa::CallRule::kRoute, rule) ||
         rule.text().ends_with("-POSITION");
}

/// Whether it describes the step that comes next.
bool IsAbout(const isa::Step& step) {
  const auto* const resource = std::get_if<isa::Resource>(&step);
  return resource != nullptr &&
         (resource->name == ResourceName::kUnknownExtent ||
          resource->name == ResourceName::kDeclared);
}

/// By how much addresses of GM in this process lie above those of cases, less
/// `kGmBase`.
std::int64_t GmDistance(const std::vector<Placed>& operands) {
  for (const Placed& one : operands) {
    if (one.memory != isa::Memory::kGm) continue;
    return reinterpret_cast<std::int64_t>(one.host) - kGmBase - one.operand.at;
  }
  return 0;
}

/// The call without its addresses: what two calls of a loop have in common.
isa::Call ParametersOf(isa::Call call) {
  ForEachOperand(call, [](auto& operand) {
    operand.at = 0;
    if constexpr (requires { operand.bytes; }) operand.bytes = 0;
  });
  return call;
}

/// PTO: a tile of the call was placed without TASSIGN.
bool IsAutoPlaced(const lanediff_call& call) {
  const auto* const automatic = ParametersIn(call).Find("auto");
  return automatic != nullptr && automatic->value != 0;
}

/// "GM to VECIN" of a copy, else where its operands are.
std::string RouteOf(const isa::Call& call) {
  if (!isa::HasRule(*call.signature, isa::CallRule::kRoute)) {
    return std::string(isa::Name(isa::Position::kVeccalc));
  }
  return fmt::format("{} to {}", isa::Name(call.src(0).position),
                     isa::Name(call.dst().position));
}

/// "0x…", the first bit lowest.
std::string HexOf(const std::vector<bool>& bits) {
  std::string hex((bits.size() + 3) / 4, '0');
  for (std::size_t digit = 0; digit < hex.size(); ++digit) {
    unsigned value = 0;
    for (std::size_t i = 0; i < 4 && digit * 4 + i < bits.size(); ++i) {
      value |= (bits[digit * 4 + i] ? 1U : 0U) << i;
    }
    hex[hex.size() - 1 - digit] = "0123456789abcdef"[value];
  }
  return "0x" + hex;
}

/// Beyond its window at most one DataBlock of a touch is reported: a wrong
/// count makes its length arbitrary.
std::int64_t BytesOfTouch(const Touch& touch, const CarriedOperand& operand) {
  constexpr std::int64_t kBeyond = 32;
  const std::int64_t end = std::max(operand.at + operand.window, touch.at);
  return std::min(touch.bytes, end - touch.at + kBeyond);
}

/// The call as cases have it; of what it writes the places alone.
isa::Carried StepOf(const CarriedCall& call, const CarriedPlan& plan) {
  isa::Carried step;
  step.name = call.call->name;
  step.pipe = plan.pipe;
  step.parameters = plan.parameters;
  step.mask = plan.mask;
  // As docs/case-format.md has them.
  for (const CarriedPlan::Contents& one : plan.contents) {
    step.parameters.push_back(
        {(one.open ? "open contents of " : "contents of ") +
             std::string(isa::Name(one.operand)),
         one.text});
  }
  for (std::size_t i = 0; i < call.operands.size(); ++i) {
    const CarriedOperand& one = call.operands[i];
    isa::CarriedOperand operand{
        .name = one.name,
        .operand = {one.position, one.at, one.window, TypeOf(one.dtype)}};
    if (i < plan.align.size()) operand.align = plan.align[i];
    step.operands.push_back(operand);
  }
  for (const Touch& touch : plan.reads) {
    step.reads.push_back({call.operands[touch.operand].memory, touch.at,
                          BytesOfTouch(touch, call.operands[touch.operand]),
                          touch.iteration, call.operands[touch.operand].name});
  }
  for (const Touch& touch : plan.writes) {
    step.writes.push_back(
        {.memory = call.operands[touch.operand].memory,
         .at = touch.at,
         .bytes = {},
         .iteration = touch.iteration,
         .count = BytesOfTouch(touch, call.operands[touch.operand]),
         .operand = call.operands[touch.operand].name});
  }
  return step;
}

}  // namespace

Next Engine::Inside::Refuse(const char* name, std::string why,
                            lanediff_site site) {
  ++counts.refused;
  Refusal refusal;
  refusal.name = name;
  refusal.why = std::move(why);
  refusal.site = sites[sites.Of(site, Kept(name))].site;
  refusal.block = block;
  sink.Refused(refusal);
  return Next::kEndBlock;
}

VectorState Engine::Inside::StateNow() const {
  VectorState state = here->state;
  const auto mask = walk->mask_register();
  state.mask_low = mask.low;
  state.mask_high = mask.high;
  state.counter = walk->counter_mode();
  return state;
}

/// KRN-TENSOR, and the description of the operands before the call. False if
/// there is no call to make; what it may have written is no finding then.
bool Engine::Inside::Prepare(std::string_view call,
                             const std::vector<Placed>& operands,
                             std::size_t site) {
  bool whole = true;
  for (const Placed& one : operands) {
    if (one.given) continue;
    Take(isa::Resource{ResourceName::kNoTensor,
                       {Arg("call", call), Arg("operand", one.name)}},
         site);
    whole = false;
  }
  if (!whole) {
    rejected_by = {std::string(isa::krn::kTensor.text()), sites[site].site};
    CountWritten(operands);
    return false;
  }
  DescribeOperands(operands, site);
  return true;
}

/// What a call may have written that was not made counts as written, and what
/// nothing had written of it is unknown. No value there is certified.
void Engine::Inside::CountWritten(const std::vector<Placed>& operands) {
  const std::int32_t source = SourceOf(rejected_by);
  for (const Placed& one : operands) {
    if (!one.given || one.unknown || !one.name.starts_with("dst")) continue;
    const isa::Operand& dst = one.operand;
    const isa::Interval bytes{dst.at, dst.at + dst.bytes};
    for (const auto& left : walk->unwritten().In(one.memory, bytes)) {
      walk->unknown().Leave(one.memory, left.bytes, source);
    }
    walk->unwritten().Write(one.memory, bytes);
    DoubtfulOf(one.memory).Insert(bytes);
  }
}

/// What the step that comes next has no field for.
void Engine::Inside::DescribeOperands(const std::vector<Placed>& operands,
                                      std::size_t site) {
  for (const Placed& one : operands) {
    if (one.unknown) {
      Take(isa::Resource{ResourceName::kUnknownExtent,
                         {Arg("operand", one.name)}},
           site);
    }
    if (one.declared >= 0 && one.declared < one.operand.bytes) {
      isa::Arguments declared = {Arg("operand", one.name),
                                 Arg("bytes", one.declared)};
      if (settings.strict) declared.push_back(Arg("strict", 1));
      Take(isa::Resource{ResourceName::kDeclared, std::move(declared)}, site);
    }
  }
}

Next Engine::Inside::Execute(const lanediff_call& call) {
  if (walk->machine().ended()) return Next::kEndBlock;
  const bool audited = IsAudited(call, facts.product);
  if (!audited && !IsCarried(call.name)) {
    return Refuse(call.name, "it is not known here", call.site);
  }
  const std::size_t site = sites.Of(call.site, Kept(call.name));
  if (IsWithout(site)) return After();
  sites.CountExecution(site);
  std::vector<Placed> operands;
  for (std::uint32_t i = 0; i < call.operand_count; ++i) {
    operands.push_back(Place(call.operands[i], facts.product, gm, here->local));
  }
  if (!Prepare(call.name, operands, site)) {
    if (!audited) MarkSkipped(call, here->state);
    return After();
  }
  if (IsAutoPlaced(call)) {
    ++counts.sync_auto;
    walk->ExemptNext();
    exempt_next = true;
  }
  if (audited) {
    sites[site].audited = true;
    auto step = AuditedStep(call, operands, facts.product);
    return step ? ExecuteAudited(call, *std::move(step), operands, site)
                : Refuse(call.name, step.error(), call.site);
  }
  return ExecuteCarried(call, operands, site);
}

// ---- With rules -------------------------------------------------------------

Next Engine::Inside::ExecuteAudited(const lanediff_call& call, isa::Call step,
                                    std::vector<Placed>& operands,
                                    std::size_t site) {
  const auto dtype = static_cast<std::uint8_t>(step.dtype);
  if (step.Is(isa::Family::kCopy) && here->state.atomic != "none" &&
      isa::MemoryAt(facts.product, step.dst().position) == isa::Memory::kGm &&
      !carried::CanAccumulate(here->state, dtype)) {
    return Refuse(call.name, carried::RefusedAtomic(here->state, dtype),
                  call.site);
  }
  if (step.Has(isa::Param::kOrder)) step.order = settings.trowprod_order;
  // DataCopyPad · 功能说明: SetPadValue's value where isPad is false.
  const auto& pad = here->state.pad_value;
  if (pad && pad->second == dtype && step.Has(isa::Param::kIsPad) &&
      !step.is_pad &&
      (step[isa::Param::kLeftPadding] != 0 ||
       step[isa::Param::kRightPadding] != 0)) {
    // The page limits the struct's field alone (DCP-PADDING-VALUE).
    if (isa::SizeBytes(step.dtype) == 8 && pad->first != 0) {
      return Refuse(call.name,
                    fmt::format("SetPadValue of {} other than 0",
                                carried::DTypeName(dtype)),
                    call.site);
    }
    step.is_pad = true;
    step.scalar = pad->first;
  }
  // Its parts would each count from the scalar on.
  if (step.signature->NumbersLanes() && step.IsMasked() &&
      walk->counter_mode()) {
    return Refuse(call.name, "it numbers lanes in counter mode", call.site);
  }
  outcome = Outcome::kNoValue;
  if (step.IsMasked() && walk->counter_mode()) {
    ExecuteInCounterMode(step, operands, site);
  } else {
    TakeAudited(step, operands, site);
  }
  CountAudited(site);
  return After();
}

/// Each audited call is in one of the counters.
void Engine::Inside::CountAudited(std::size_t site) {
  ++counts.audited;
  ++counts.legality;
  switch (outcome) {
    case Outcome::kNoValue:
      ++counts.without_value;
      break;
    case Outcome::kCompared:
      ++counts.values;
      ++sites[site].values;
      break;
    case Outcome::kWithin:
      ++counts.values_within;
      ++sites[site].values;
      break;
    case Outcome::kOpen:
      ++counts.values_open;
      ++sites[site].values;
      break;
    case Outcome::kSkipped:
      ++counts.values_skipped;
      ++sites[site].values_skipped;
      break;
    case Outcome::kRejected:
      ++counts.rejected;
      break;
  }
}

/// Judges and runs the call. False if it was rejected.
bool Engine::Inside::TakeAudited(const isa::Call& requested,
                                 const std::vector<Placed>& operands,
                                 std::size_t site) {
  isa::Call step = requested;
  const bool worded = std::ranges::all_of(operands, &Placed::worded);
  if (!worded) step = WithLegalPositions(step, facts.product);
  if (worded) walk->DeferRejected();
  isa::StepResult result = Take(step, site, false);
  bool deferred = worded && result.status == Status::kRejected;
  const bool of_position =
      worded && std::ranges::any_of(result.rules, IsOfPosition);
  if (of_position) {
    const isa::Call legal = WithLegalPositions(step, facts.product);
    if (legal != step) {
      // The machine has dropped the description together with the step.
      for (std::size_t i = last_step; i-- > 0;) {
        Logged* const logged = log.At(i);
        if (logged == nullptr || !IsAbout(logged->step)) break;
        logged->withdrawn = true;
      }
      DescribeOperands(operands, site);
      deferred = false;
      const isa::StepResult retried = Take(legal, site, false);
      if (std::ranges::none_of(retried.rules, IsOfPosition)) {
        ReportNote(isa::krn::kPosition, last_step,
                   "has positions whose words are no documented route; between "
                   "the same memories there is one, such as " +
                       RouteOf(legal));
        result = retried;
        step = legal;
      }
    }
  }
  if (deferred) walk->CountRejected(step);
  if (result.status == Status::kRejected) {
    for (isa::RuleId rule : result.rules) ReportReject(rule, last_step);
    ++sites[site].rejected;
    outcome = Outcome::kRejected;
    const auto natural = walk->judge().Natural(step);
    MarkDoubtful(natural, true);
    rejected_by = {std::string((*result.rules.begin()).text()),
                   sites[site].site};
    LeaveUnknown(natural);
    // Which bytes is not known.
    if (natural.empty()) CountWritten(operands);
    return false;
  }
  sites[site].first_writer = sites[site].first_writer || walk->wrote_first();
  if (result.status == Status::kExecuted) Run(step, operands, site);
  return true;
}

bool Engine::Inside::ComparesValues(const isa::Call& call, std::size_t site) {
  if (!settings.values) return true;
  auto& sets = compared[site];
  const isa::Call parameters = ParametersOf(call);
  auto set = std::ranges::find(sets, parameters,
                               &std::pair<isa::Call, std::uint64_t>::first);
  if (set == sets.end()) {
    sets.emplace_back(parameters, 0);
    set = sets.end() - 1;
  }
  if (set->second >= *settings.values) return false;
  ++set->second;
  return true;
}

void Engine::Inside::Run(const isa::Call& call,
                         const std::vector<Placed>& operands,
                         std::size_t site) {
  const std::size_t number = last_step;
  const auto& accesses = walk->accesses();
  const bool accumulates =
      here->state.atomic != "none" && call.Is(isa::Family::kCopy) &&
      std::ranges::any_of(accesses, [](const isa::Access& access) {
        return access.write && access.memory == isa::Memory::kGm;
      });
  // A sum keeps the doubts of what was there.
  const bool doubtful = ReadsDoubtful(accesses) ||
                        (call.signature->LeavesOpen() &&
                         !diff::TheUlpBounds().contains(call.signature->op));
  if (doubtful || !accumulates) MarkDoubtful(accesses, doubtful);
  if (accumulates) {
    Accumulate(call, operands);
    return;
  }
  const std::int64_t distance = GmDistance(operands);
  const isa::Call here_call = distance == 0 ? call : MovedInGm(call, distance);
  const auto mask = walk->mask_before();
  const Registers registers{
      .high = mask.high, .low = mask.low, .saturation = here->state.saturation};
  if (!ComparesValues(call, site)) {
    here->executor.Execute(here_call, registers);
    outcome = std::max(outcome, Outcome::kSkipped);
    return;
  }
  outcome = std::max(outcome, Outcome::kCompared);
  const auto compared_now = here->executor.ExecuteAndCompare(
      here_call, registers, MovedInGm(accesses, distance));
  if (compared_now.difference) ReportValue(number, compared_now, distance);
  if (compared_now.open.elements == 0) return;
  outcome = std::max(
      outcome, compared_now.open.allowed ? Outcome::kWithin : Outcome::kOpen);
  counts.most_ulp = std::max(counts.most_ulp, compared_now.open.most_ulp);
}

/// A copy to GM in an atomic mode.
void Engine::Inside::Accumulate(const isa::Call& call,
                                const std::vector<Placed>& operands) {
  const std::int64_t distance = GmDistance(operands) + kGmBase;
  const auto& accesses = walk->accesses();
  for (std::size_t i = 0; i + 1 < accesses.size(); ++i) {
    const isa::Access& read = accesses[i];
    const isa::Access& write = accesses[i + 1];
    if (read.write || !write.write) continue;
    carried::Accumulate(here->state, static_cast<std::uint8_t>(call.dtype),
                        reinterpret_cast<std::uint8_t*>(write.at + distance),
                        here->local.BytesOf(read.memory) + read.at,
                        write.bytes);
  }
}

// ---- Without rules ----------------------------------------------------------

Next Engine::Inside::ExecuteCarried(const lanediff_call& call,
                                    const std::vector<Placed>& operands,
                                    std::size_t site) {
  CarriedCall carried;
  carried.call = &call;
  carried.product = facts.product;
  carried.state = StateNow();
  for (const Placed& one : operands) {
    const auto name = isa::Parse<isa::OperandName>(one.name);
    if (!name) {
      return Refuse(call.name, fmt::format("its operand {}", one.name),
                    call.site);
    }
    carried.operands.push_back({*name, one.dtype, one.operand.position,
                                one.memory, one.operand.at, one.operand.bytes,
                                one.host, one.readable});
    if (one.readable <= 0 || !LooksAtContents(call.name)) continue;
    const std::int64_t at = one.operand.at;
    const isa::Interval readable{at, at + one.readable};
    for (const auto& [bytes, origin, left_by, bits] :
         walk->unwritten().In(one.memory, readable)) {
      carried.operands.back().unwritten.emplace_back(bytes.begin - at,
                                                     bytes.end - at);
    }
  }
  const auto unlisted = UnlistedBy(carried);
  const auto plan = PlanOf(carried);
  if (!plan && !unlisted) return Refuse(call.name, plan.error(), call.site);
  ++counts.carried;
  isa::Carried step = StepOf(carried, plan ? *plan : CarriedPlan{});
  if (unlisted) step.parameters.push_back(*unlisted);
  // Which lanes are chosen matters where some of them are unwritten.
  const bool of_unwritten =
      plan && !plan->chosen.empty() &&
      std::ranges::any_of(step.reads, [&](const isa::CarriedRead& read) {
        return !walk->unwritten()
                    .In(read.memory,
                        isa::Interval{read.at, read.at + read.bytes})
                    .empty();
      });
  if (of_unwritten) {
    step.parameters.push_back({"chosenLanes", HexOf(plan->chosen)});
  }
  const isa::StepResult result = Take(std::move(step), site);
  if (result.status != Status::kExecuted) {
    MarkDoubtful(walk->judge().Natural(log.At(last_step)->step), true);
    if (!plan || plan->cut) CountWritten(operands);
    MarkSkipped(call, here->state);
    return After();
  }
  const auto& accesses = walk->accesses();
  sites[site].first_writer = sites[site].first_writer || walk->wrote_first();
  MarkDoubtful(accesses, plan->approximate || ReadsDoubtful(accesses));
  if (plan->approximate) {
    ++counts.approximate;
    sites[site].approximate = true;
  }
  returned = Compute(carried, here->state);
  const bool is_register = plan->pipe == isa::Pipe::kS && plan->reads.empty() &&
                           plan->writes.empty();
  if (plan->approximate && is_register) NoteUncertified(site);
  return After();
}

// ---- Recorded elsewhere -----------------------------------------------------

/// What the call wrote when it ran.
void Engine::Inside::Write(const isa::Carried& call, std::uint8_t* gm_bytes) {
  for (const isa::CarriedWrite& write : call.writes) {
    std::uint8_t* const memory = write.memory == isa::Memory::kGm
                                     ? gm_bytes
                                     : here->local.BytesOf(write.memory);
    std::ranges::copy(write.bytes, memory + write.at);
  }
}

Next Engine::Inside::TakeRecorded(const isa::Step& step, lanediff_site where,
                                  std::uint8_t* gm_bytes) {
  if (walk->machine().ended()) return Next::kEndBlock;
  for (isa::Memory memory : {isa::Memory::kUb, isa::Memory::kL1}) {
    here->local.HandOut(memory, here->local.CapacityOf(memory));
  }
  const auto* const carried = std::get_if<isa::Carried>(&step);
  const auto* const resource = std::get_if<isa::Resource>(&step);
  const std::size_t site =
      sites.Of(where, carried != nullptr    ? Kept(carried->name)
                      : resource != nullptr ? isa::Name(resource->name)
                                            : isa::OpName(step));
  sites.CountExecution(site);
  if (const auto* const call = std::get_if<isa::Call>(&step)) {
    sites[site].audited = true;
    if (!settings.sync) ++counts.sync_auto;
    Placed gm_start;
    gm_start.memory = isa::Memory::kGm;
    gm_start.host = gm_bytes;
    outcome = Outcome::kNoValue;
    TakeAudited(*call, {gm_start}, site);
    CountAudited(site);
    return After();
  }
  const isa::StepResult result = Take(step, site);
  if (result.status != Status::kExecuted) return After();
  if (const auto* set = std::get_if<isa::SetValue>(&step)) {
    const std::int64_t size = isa::SizeBytes(set->dtype);
    std::uint8_t* const at =
        here->local.BytesOf(isa::MemoryAt(facts.product, set->dst.position)) +
        set->dst.at + set->index * size;
    std::memcpy(at, &set->value, static_cast<std::size_t>(size));
  }
  if (carried == nullptr) return After();
  ++counts.carried;
  if (!settings.sync) ++counts.sync_auto;
  const auto& accesses = walk->accesses();
  const bool approximate =
      isa::Find(carried->parameters, "approximate") != nullptr;
  MarkDoubtful(accesses, approximate || ReadsDoubtful(accesses));
  if (approximate) {
    ++counts.approximate;
    sites[site].approximate = true;
  }
  Write(*carried, gm_bytes);
  return After();
}

}  // namespace lanediff::kernel
