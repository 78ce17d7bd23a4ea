#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cstring>
#include <string_view>
#include <utility>

#include "isa/catalogue.h"
#include "isa/memory_map.h"
#include "isa/state.h"
#include "kernel/engine/inside.h"
#include "sanitizer/slots.h"
#include "sanitizer/witness.h"

/// Findings in words, and their cases.
namespace lanediff::kernel {
namespace {

/// At how many bytes a message shows the end of a range.
std::string RangeText(isa::Memory memory, std::int64_t at, std::int64_t bytes) {
  return fmt::format("{} [{},{})", isa::Name(memory), at, at + bytes);
}

/// All bytes of a hazard: "UB [0,512)", "288 bytes of UB [0,512)".
std::string WholeText(const lint::HazardBytes& bytes) {
  const std::int64_t end = std::max(bytes.end, bytes.at + bytes.bytes);
  const std::string range = RangeText(bytes.memory, bytes.at, end - bytes.at);
  return bytes.total < end - bytes.at
             ? fmt::format("{} bytes of {}", bytes.total, range)
             : range;
}

std::string Shortly(const Site& site, const Site& beside) {
  return site.file == beside.file && !site.after ? fmt::format(":{}", site.line)
                                                 : PlaceText(site);
}

/// Whether a call is PTO's, which has flags and barriers of other names and no
/// queues.
bool IsOfPto(std::string_view op) {
  return op.starts_with("T") && std::ranges::none_of(op, [](char letter) {
           return letter >= 'a' && letter <= 'z';
         });
}

/// "MTE2_V 3" of a flag's step; empty of every other step.
std::string FlagText(const isa::Step& step) {
  return std::visit(
      []<class S>(const S& s) {
        if constexpr (requires { s.event; }) {
          return fmt::format("{} {}", isa::Name(s.event), s.id);
        } else {
          return std::string();
        }
      },
      step);
}

/// "SetFlag/WaitFlag MTE2_V, or EnQue/DeQue, between add.cpp:21 and :24".
std::string MissingText(const lint::Hazard& hazard, const Finding& finding) {
  if (hazard.fix.empty()) return "";
  std::string call;
  const bool pto = IsOfPto(finding.later.op);
  if (const auto* set = std::get_if<isa::SetFlag>(&hazard.fix[0])) {
    // A flag that nothing set needs no second wait.
    const auto event = isa::Name(set->event);
    call = !hazard.bytes ? fmt::format("SetFlag {}", FlagText(hazard.fix[0]))
           : pto         ? fmt::format("set_flag/wait_flag {}", event)
                 : fmt::format("SetFlag/WaitFlag {}, or EnQue/DeQue,", event);
  } else if (const auto* barrier =
                 std::get_if<isa::PipeBarrier>(&hazard.fix[0])) {
    call = fmt::format(
        fmt::runtime(pto ? "pipe_barrier(PIPE_{})" : "PipeBarrier<PIPE_{}>"),
        isa::Name(barrier->pipe));
  } else {
    const std::string flag = FlagText(hazard.fix[0]);
    call = fmt::format("{}{}{}", isa::OpName(hazard.fix[0]),
                       flag.empty() ? "" : " ", flag);
  }
  if (!finding.earlier || !hazard.bytes) {
    return fmt::format("{} {} {}", call,
                       lint::IsMissingBehind(hazard.rule) ? "behind" : "before",
                       PlaceText(finding.later.site));
  }
  return fmt::format("{} between {} and {}", call,
                     PlaceText(finding.earlier->site),
                     Shortly(finding.later.site, finding.earlier->site));
}

std::string OnPipe(const std::optional<isa::Pipe>& pipe) {
  return pipe ? fmt::format(" on {}", isa::Name(*pipe)) : std::string();
}

/// `bytes`: those of the hazard, as text. `step`: the later one, if it is still
/// known. `before`: the place of the hazard's cause.
std::string HazardMessage(const lint::Hazard& hazard, const Finding& finding,
                          const std::string& bytes, const isa::Step* step,
                          const std::string& before) {
  const std::string& op = finding.later.op;
  const auto earlier = [&] {
    return fmt::format("{} {}", finding.earlier->op,
                       PlaceText(finding.earlier->site));
  };
  if (hazard.rule == isa::state::kMaskDrift) {
    return fmt::format("{} {} that {} set; before, it ran under that of {}", op,
                       hazard.what, earlier(), before);
  }
  if (!hazard.what.empty()) {
    return fmt::format("{} {}{}", op, hazard.what,
                       finding.earlier && hazard.rule != isa::krn::kSyncAll
                           ? " (" + earlier() + ")"
                           : "");
  }
  if (!hazard.bytes) {
    const std::string flag = step != nullptr ? FlagText(*step) : "";
    std::string text = fmt::format("{}{}{} {}", op, flag.empty() ? "" : " ",
                                   flag, lint::MessageOf(hazard.rule));
    if (hazard.ids > 0) {
      text += fmt::format("; ids 0 to {} are allowed", hazard.ids - 1);
    }
    if (finding.earlier) text += fmt::format(" (by {})", earlier());
    return text;
  }
  if (hazard.rule == isa::sync::kInitStale) {
    return fmt::format(
        "{} reads {}{}, {} of a queue's buffer has not written: {} left it "
        "there{}",
        op, bytes, OnPipe(finding.later.pipe),
        before.empty() ? "which this use" : "computed from bytes that this use",
        earlier(), before.empty() ? "" : ", and " + before + " reads it first");
  }
  const bool reads = hazard.rule == isa::sync::kRaw;
  const bool read = hazard.rule == isa::sync::kWar;
  return fmt::format("{} {} {}{}, unordered with {}, which {} it{}", op,
                     reads ? "reads" : "writes", bytes,
                     OnPipe(finding.later.pipe), earlier(),
                     read ? "reads" : "writes", OnPipe(finding.earlier->pipe));
}

/// The byte at which the operand starts, of a rule on its field "dst.at" or
/// "dst.bytes".
std::optional<Bytes> StartOf(const isa::Step& step, std::string_view operand,
                             std::string_view field, isa::Product product) {
  if (operand.empty() ||
      !(field.ends_with(".at") || field.ends_with(".bytes"))) {
    return std::nullopt;
  }
  if (const auto* const call = std::get_if<isa::Carried>(&step)) {
    for (const isa::CarriedOperand& one : call->operands) {
      if (isa::Name(one.name) != operand) continue;
      return Bytes{isa::MemoryAt(product, one.operand.position), one.operand.at,
                   1};
    }
    return std::nullopt;
  }
  const auto at = lint::IntegerOf(step, std::string(operand) + ".at");
  const auto position = lint::ValueOf(step, std::string(operand) + ".position");
  const auto* const word =
      position ? std::get_if<isa::Position>(&*position) : nullptr;
  if (!at || word == nullptr) return std::nullopt;
  return Bytes{isa::MemoryAt(product, *word), *at, 1};
}

}  // namespace

Site Engine::Inside::SiteOf(std::size_t step) const {
  const Logged* const logged = log.At(step);
  return logged == nullptr ? Site() : sites[logged->site].site;
}

std::string Engine::Inside::OpAt(std::size_t step) const {
  const Logged* const logged = log.At(step);
  return logged == nullptr ? std::string("a call") : sites[logged->site].op;
}

/// The bytes are those that the last step handed out.
void Engine::Inside::NameBuffer(isa::Memory memory, std::int64_t at,
                                std::int64_t bytes) {
  here->buffers[{memory, at}] = {SiteOf(last_step), at + bytes};
}

std::optional<Buffer> Engine::Inside::BufferOf(const Bytes& bytes) const {
  if (here == nullptr) return std::nullopt;
  const auto behind = here->buffers.upper_bound({bytes.memory, bytes.at});
  if (behind == here->buffers.begin()) return std::nullopt;
  const auto& [place, named] = *std::prev(behind);
  if (place.first != bytes.memory || named.second <= bytes.at) {
    return std::nullopt;
  }
  return Buffer{named.first, place.second};
}

Access Engine::Inside::AccessAt(std::size_t step) const {
  Access access;
  access.site = SiteOf(step);
  access.op = OpAt(step);
  return access;
}

std::string Engine::Inside::CallText(std::size_t step) const {
  if (log.At(step) == nullptr) return "an earlier call";
  return fmt::format("{} {}", OpAt(step), PlaceText(SiteOf(step)));
}

std::string Engine::Inside::BytesText(const lint::HazardBytes& bytes,
                                      const lint::Place& place) const {
  std::string text = WholeText(bytes);
  if (bytes.memory == isa::Memory::kGm) {
    text += ArgumentText(bytes.at, std::max(bytes.end, bytes.at + bytes.bytes),
                         place.step, place.operand);
  }
  return text;
}

/// INIT-READ: which bytes are missing, who made what is read of them, and who
/// wrote the rest.
std::string Engine::Inside::InitMessage(const lint::Hazard& hazard,
                                        const Finding& finding) const {
  const lint::HazardBytes& bytes = *hazard.bytes;
  const lint::Hazard::Origin origin =
      hazard.origin.value_or(lint::Hazard::Origin());
  const std::string on = OnPipe(finding.later.pipe);
  const bool in_part = bytes.total < origin.read;
  const auto names = [&](const auto& writers) {
    constexpr std::size_t kMost = 3;
    std::vector<std::string> calls;
    for (const auto& [step, count] : writers) {
      std::string call = CallText(step);
      if (std::ranges::find(calls, call) != calls.end()) continue;
      if (calls.size() == kMost) {
        calls.emplace_back("others");
        break;
      }
      calls.push_back(std::move(call));
    }
    return fmt::format("{}", fmt::join(calls, ", "));
  };
  lint::HazardBytes shown = bytes;
  if (in_part) shown.total = bytes.end - bytes.at;  // how many stands before
  const std::string range = BytesText(shown, hazard.later);
  const std::string what =
      in_part
          ? fmt::format("{} reads {} bytes{}, {} of which, {},",
                        finding.later.op, origin.read, on, bytes.total, range)
          : fmt::format("{} reads {}{}, which", finding.later.op, range, on);
  const lint::HazardBytes& missing = origin.first.value_or(bytes);
  const std::string cut =
      CutText(CutOf(missing.memory, missing.at, missing.end));
  if (!hazard.earlier) {
    std::string text = origin.left_by
                           ? fmt::format("{} {} left unspecified", what,
                                         CallText(origin.left_by->step))
                           : fmt::format("{} nothing has written", what);
    if (in_part && !origin.writers.empty()) {
      text += fmt::format("; {} wrote the rest", names(origin.writers));
    }
    return text + cut;
  }
  const std::string first = CallText(hazard.earlier->step);
  const std::string makers = names(origin.writers);
  std::string text = what;
  text += makers.empty() ? std::string(" come of ")
                         : fmt::format(" {} made of ", makers);
  text += origin.first ? BytesText(*origin.first, *hazard.earlier)
                       : std::string("bytes");
  text += origin.left_by ? fmt::format(" that {} left unspecified",
                                       CallText(origin.left_by->step))
                         : std::string(" that nothing had written");
  if (makers != first) text += fmt::format(" and {} read first", first);
  if (!origin.first_writers.empty()) {
    text += fmt::format("; {} wrote the rest that it read",
                        names(origin.first_writers));
  }
  return text + cut;
}

/// Reports it and, where it is new, makes its case.
void Engine::Inside::File(Finding finding, Shown shown) {
  const Logged* const logged = log.At(shown.later);
  finding.launch = std::max<std::int64_t>(launch, 0);
  if (finding.bytes) finding.buffer = BufferOf(*finding.bytes);
  if (logged != nullptr) {
    finding.block = logged->block;
    finding.execution = logged->execution;
  }
  const Site site = finding.later.site;
  const auto index = findings.Found(std::move(finding));
  if (!index) return;
  auto c = CaseOf(shown, facts, log, sites);
  if (!c) {
    findings.SetCase(*index, "", c.error());
    return;
  }
  const int number = ++cases_at[CaseStem(site)];
  const auto path = SaveCase(std::move(*c), settings.out, site, number);
  findings.SetCase(*index, path.value_or(""), path ? "" : path.error());
}

void Engine::Inside::Report(const lint::Hazard& hazard) {
  Finding finding;
  finding.rule = hazard.rule.text();
  finding.group = GroupOf(hazard.rule);
  finding.later = AccessAt(hazard.later.step);
  finding.later.pipe = hazard.later.pipe;
  Shown shown{.rule = hazard.rule, .later = hazard.later.step};
  if (hazard.earlier) {
    Access earlier = AccessAt(hazard.earlier->step);
    earlier.pipe = hazard.earlier->pipe;
    shown.earlier = hazard.earlier->step;
    // A step that begins a block has no place; a race reports both sides.
    if (hazard.bytes || !earlier.site.file.empty()) {
      finding.earlier = std::move(earlier);
    }
  }
  if (finding.group == Group::kInitcheck) {
    shown.operand = hazard.later.operand;
    shown.bytes = hazard.bytes;
    if (hazard.rule == isa::sync::kInitRead) shown.unwritten_gm = unwritten_gm;
  }
  if (hazard.bytes) {
    finding.bytes = Bytes{
        hazard.bytes->memory, hazard.bytes->at,
        std::max(hazard.bytes->end - hazard.bytes->at, hazard.bytes->bytes)};
    finding.later.operand = hazard.later.operand;
    finding.later.iteration = hazard.later.iteration;
    if (finding.earlier && !hazard.earlier->operand.empty()) {
      finding.earlier->operand = hazard.earlier->operand;
      finding.earlier->iteration = hazard.earlier->iteration;
    }
  }
  const Logged* const logged = log.At(hazard.later.step);
  std::string before;
  if (hazard.cause) {
    const std::size_t step = hazard.cause->step;
    before = step == hazard.later.step
                 ? "the start"
                 : fmt::format("{} {}", OpAt(step), PlaceText(SiteOf(step)));
  }
  const bool of_init = hazard.rule == isa::sync::kInitRead && hazard.bytes;
  finding.message =
      of_init ? InitMessage(hazard, finding)
              : HazardMessage(
                    hazard, finding,
                    hazard.bytes ? BytesText(*hazard.bytes, hazard.later) : "",
                    logged == nullptr ? nullptr : &logged->step, before);
  if (hazard.gm_byte) {
    finding.message += ArgumentText(*hazard.gm_byte, *hazard.gm_byte + 1,
                                    hazard.later.step, hazard.later.operand);
  }
  finding.missing = MissingText(hazard, finding);
  finding.follows_from = CauseOf(hazard);
  NoteFault(hazard, finding);
  File(std::move(finding), std::move(shown));
}

void Engine::Inside::ReportNote(isa::RuleId rule, std::size_t step,
                                std::string message) {
  // TIK, of which order is not checked, states a mask in each call.
  if (rule == isa::krn::kMaskLeft && !settings.sync) return;
  // KRN-DECLARED is then reported as a hazard.
  const bool strict = settings.strict && rule == isa::krn::kPosition;
  if (!message.empty()) {
    message = fmt::format("{} {}", OpAt(step), message);
  } else if (const isa::Rule* const known = isa::FindRule(rule.text())) {
    message = known->StatementIn(settings.edition);
  }
  if (!strict) {
    findings.Noted(
        {std::string(rule.text()), SiteOf(step), std::move(message), 1},
        rule == isa::krn::kMaskLeft);
    return;
  }
  Finding finding;
  finding.rule = rule.text();
  finding.group = GroupOf(rule);
  finding.later = AccessAt(step);
  finding.message = std::move(message);
  File(std::move(finding), {.rule = rule, .later = step});
}

/// What a legality or value case needs: the register and the saturation, and
/// what the windows hold.
Shown Engine::Inside::Alone(isa::RuleId rule, std::size_t step) {
  Shown shown{.rule = rule, .later = step};
  shown.alone = true;
  const auto mask = walk->mask_register();
  if (mask != lint::MaskState::Words()) {
    shown.state.push_back(
        isa::SetVectorMask{.high = mask.high, .low = mask.low});
  }
  if (!here->state.saturation) {
    shown.state.push_back(isa::SetSaturation{false});
  }
  return shown;
}

void Engine::Inside::ReportReject(isa::RuleId rule, std::size_t step) {
  Finding finding;
  finding.rule = rule.text();
  finding.group = GroupOf(rule);
  finding.later = AccessAt(step);
  const isa::Step& called = log.At(step)->step;
  Case c;
  c.product = facts.product;
  c.edition = facts.edition;
  c.memory = facts.memory;
  c.program = {called};
  const std::vector<std::size_t> none;
  isa::RuleSet rules;
  rules.AddIf(true, rule);
  const auto witnesses = lint::WitnessesOf({c, 0, walk->judge(), none}, rules);
  std::vector<std::string> texts;
  for (const lint::Witness& witness : witnesses) {
    const auto bytes =
        witness.bytes
            ? std::optional(Bytes{witness.bytes->memory, witness.bytes->at,
                                  witness.bytes->bytes})
            : StartOf(called, witness.operand, witness.field, facts.product);
    texts.push_back(witness.text());
    if (!bytes) continue;
    if (bytes->memory == isa::Memory::kGm) {
      texts.back() += ArgumentText(bytes->at, bytes->at + bytes->bytes, step,
                                   witness.operand);
    }
    if (finding.bytes) continue;
    finding.bytes = bytes;
    finding.later.operand = witness.operand;
    finding.later.iteration = witness.iteration;
    finding.later.lanes = witness.lanes;
  }
  if (texts.empty()) {
    const isa::Rule* const known = isa::FindRule(rule.text());
    if (known != nullptr) {
      texts.emplace_back(known->StatementIn(settings.edition));
    }
  }
  finding.message = fmt::format("{} is skipped: {}", finding.later.op,
                                fmt::join(texts, "; "));
  finding.follows_from = CauseOfReject(rule, step, finding);
  Shown shown = Alone(rule, step);
  File(std::move(finding), std::move(shown));
}

void Engine::Inside::ReportValue(std::size_t step,
                                 const Executor::Compared& values,
                                 std::int64_t gm_moved) {
  constexpr isa::RuleId kValue{kValueRule};
  Finding finding;
  finding.rule = kValue.text();
  finding.group = Group::kValuecheck;
  finding.later = AccessAt(step);
  finding.message = fmt::format(
      "{}: lanediff's emulator and oracle differ, a defect of lanediff and not "
      "of the kernel: {}",
      finding.later.op, *values.difference);
  Shown shown = Alone(kValue, step);
  for (std::size_t m = 0; m < values.before.size(); ++m) {
    if (values.before[m].empty()) continue;
    const auto memory = static_cast<isa::Memory>(m);
    shown.memory[m].emplace();
    shown.memory[m]->size = isa::CapacityBytes(facts.product, memory);
    shown.memory[m]->regions = values.before[m];
    if (memory != isa::Memory::kGm) continue;
    for (Region& region : shown.memory[m]->regions) region.at -= gm_moved;
  }
  File(std::move(finding), std::move(shown));
}

void Engine::Inside::ReportHidden(const lint::Walk::Hidden& one) {
  const Site earlier = SiteOf(one.earlier);
  const Site later = SiteOf(one.later);
  const std::string rule(one.rule.text());
  if (findings.IsKnown(rule, later, earlier)) return;
  if (!hidden.emplace(rule, earlier, later).second) return;
  counts.hidden_by_auto_sync = hidden.size();
  sink.Hid({.rule = rule,
            .later = later,
            .later_op = OpAt(one.later),
            .earlier = earlier,
            .earlier_op = OpAt(one.earlier)});
}

}  // namespace lanediff::kernel
