#include "kernel/engine/engine.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <iterator>
#include <string_view>
#include <utility>

#include "isa/state.h"
#include "kernel/carried/parameters.h"
#include "kernel/engine/inside.h"

namespace lanediff::kernel {
namespace {

using isa::ResourceName;

/// Bits [low, high] of the control register.
std::uint64_t BitsOf(std::int64_t low, std::int64_t high) {
  if (low < 0 || high > 63 || low > high) return 0;
  const std::int64_t width = high - low + 1;
  const std::uint64_t ones =
      width == 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << width) - 1;
  return ones << low;
}
constexpr std::int64_t kSaturationBit = 48;

}  // namespace

Engine::Engine(const Settings& settings, Gm& gm, Sink& sink,
               const emulator::Seams* seams)
    : inside_(std::make_unique<Inside>(
          settings, gm, sink,
          seams == nullptr ? emulator::FastestSeams() : *seams)) {}
Engine::~Engine() = default;

// ---- Launches ---------------------------------------------------------------

void Engine::BeginLaunch(const std::string& kernel, std::int64_t blocks,
                         lanediff_site site) {
  Inside& in = *inside_;
  in.kernel = kernel.empty() ? "the kernel" : kernel;
  in.launched_at = site;
  in.cut_short = false;
  in.refused_before = in.counts.refused;
  in.cuts.clear();
  in.faults.clear();
  in.ended_by.clear();
  ++in.counts.launches;
  ++in.launch;
  in.log.Clear();
  in.LeaveBlocks();
  in.here = nullptr;
  in.block = 0;
  in.sites.BeginLaunch();
  in.findings.BeginLaunch();
  in.gm.Look();
  in.walk = std::make_unique<lint::Walk>(
      in.facts,
      [&in](std::size_t number) -> const isa::Step* {
        const Logged* const logged = in.log.At(number);
        return logged == nullptr ? nullptr : &logged->step;
      },
      [&in](std::size_t number) -> std::optional<std::size_t> {
        const Logged* const logged = in.log.At(number);
        if (logged == nullptr) return std::nullopt;
        const Site& called = in.sites[logged->site].site;
        if (called.file.empty() || called.after) return std::nullopt;
        return logged->site;
      },
      true);
  in.unwritten_gm = in.gm.unwritten();
  for (const isa::Interval& bytes : in.unwritten_gm) {
    in.walk->unwritten().Forget(isa::Memory::kGm, bytes);
  }
  in.TakeResource(ResourceName::kLaunch, {Arg("blocks", blocks)}, site);
}

void Engine::EnterBlock(std::int64_t block) {
  Inside& in = *inside_;
  in.block = block;
  in.sites.EnterBlock(block);
  const bool is_new = !in.blocks.contains(block);
  if (is_new) in.AddBlock(block);
  in.here = &in.blocks.at(block);
  if (is_new) {
    ++in.counts.blocks;
    in.here->state.saturation = in.settings.saturation;
  }
  in.TakeResource(ResourceName::kBlock, {Arg("block", block)}, {nullptr, 0});
  if (is_new && !in.settings.saturation) {
    in.Take(isa::SetSaturation{false}, in.sites.Of({nullptr, 0}, "start"));
  }
}

void Engine::SetPoison(std::uint8_t byte) { inside_->poison = byte; }

void Engine::ReportPoison(const std::string& kernel, std::int64_t at,
                          std::int64_t bytes, lanediff_site site) {
  Inside& in = *inside_;
  Finding finding;
  finding.rule = isa::sync::kInitRead.text();
  finding.group = Group::kInitcheck;
  finding.later.site =
      in.sites[in.sites.Of(site, isa::Name(ResourceName::kLaunch))].site;
  finding.later.op = kernel;
  finding.bytes = Bytes{isa::Memory::kGm, at, bytes};
  finding.launch = in.launch;
  finding.message = fmt::format(
      "{} leaves GM [{},{}) that depends on bytes which nothing has written: "
      "it differs where these do",
      kernel, at, at + bytes);
  finding.no_case = "two runs show it, no steps";
  in.findings.Found(std::move(finding));
}

void Engine::EndLaunch() {
  Inside& in = *inside_;
  if (!in.walk) return;
  lint::Verdict verdict = in.walk->Finish();
  in.followed += static_cast<std::uint64_t>(verdict.bytes);
  in.counts.bytes_followed = in.followed;
  for (const lint::Hazard& hazard : verdict.hazards) in.Report(hazard);
  in.DrainWalk();
  in.KeepUnwritten();
  in.ReportOutputs();
  in.ReportUnknown();
  in.gm.ClearArguments();
  if (in.settings.digest) {
    in.counts.gm_digest = in.counts.gm_digest * 31 + in.gm.Digest();
  }
  in.walk.reset();
  in.LeaveBlocks();
  in.here = nullptr;
  in.log.Clear();
  in.across.EndLaunch();
}

// ---- Calls of intrinsics, state ---------------------------------------------

Next Engine::Execute(const lanediff_call& call, std::uint64_t& returned) {
  inside_->returned = 0;
  const Next next = inside_->Execute(call);
  returned = inside_->returned;
  return next;
}

Next Engine::Take(const isa::Step& step, lanediff_site site) {
  return inside_->TakeRecorded(step, site, gm_bytes_);
}

void Engine::SetGm(std::span<std::uint8_t> bytes) {
  gm_bytes_ = bytes.data();
  inside_->doubtful_gm.Clear();
  auto& image =
      inside_->facts.memory[static_cast<std::size_t>(isa::Memory::kGm)];
  image->size = static_cast<std::int64_t>(bytes.size());
}

void Engine::Load(isa::Memory memory, std::span<const std::uint8_t> bytes) {
  LocalMemory& local = inside_->here->local;
  local.HandOut(memory, static_cast<std::int64_t>(bytes.size()));
  std::ranges::copy(bytes, local.BytesOf(memory));
}

std::span<const std::uint8_t> Engine::Used(isa::Memory memory) const {
  return inside_->here->local.Used(memory);
}

void Engine::Remember(isa::Memory memory, std::int64_t begin,
                      std::int64_t end) {
  inside_->walk->unwritten().Write(memory, {begin, end});
}
void Engine::Forget(isa::Memory memory, std::int64_t begin, std::int64_t end) {
  inside_->walk->unwritten().Forget(memory, {begin, end});
}

Next Engine::Refuse(const char* name, const char* why, lanediff_site site) {
  return inside_->Refuse(name, why, site);
}

Next Engine::State(const char* name_text, const lanediff_parameter* all,
                   std::uint32_t count, lanediff_site site) {
  Inside& in = *inside_;
  const std::string_view name = in.Kept(name_text);
  const GivenParameters given{{all, count}};
  const std::size_t number = in.sites.Of(site, name);
  const auto take = [&](isa::Step step) {
    in.sites.CountExecution(number);
    if (!in.IsFlagWithout(step, number)) in.Take(std::move(step), number);
    return in.After();
  };
  const auto unknown = [&](std::string_view what) {
    return in.Refuse(name_text, std::string(what), site);
  };
  if (in.walk->machine().ended()) return Next::kEndBlock;
  if (name == isa::SetVectorMask::kOp) {
    const auto with_mode = [&](Next next) {
      if (next != Next::kGoOn || given.Word("mode").empty()) return next;
      in.Take(isa::Resource{ResourceName::kMaskMode,
                            {Arg("mode", given.Word("mode") == "COUNTER"
                                             ? "counter"
                                             : "normal")}},
              number);
      return in.After();
    };
    if (given.Find("len") == nullptr) {
      return with_mode(take(isa::SetVectorMask{
          .high = static_cast<std::uint64_t>(given.Number("high")),
          .low = static_cast<std::uint64_t>(given.Number("low"))}));
    }
    const std::int64_t len = given.Number("len");
    if (in.walk->counter_mode() || given.Word("mode") == "COUNTER") {
      return with_mode(take(isa::SetVectorMask{
          .high = 0, .low = static_cast<std::uint64_t>(len)}));
    }
    const auto ones = [](std::int64_t n) {
      return n <= 0 ? 0 : ~std::uint64_t{0} >> (n < 64 ? 64 - n : 0);
    };
    return with_mode(
        take(isa::SetVectorMask{.high = ones(len - 64), .low = ones(len)}));
  }
  if (name == isa::SetMaskNorm::kOp) return take(isa::SetMaskNorm{});
  if (name == isa::SetMaskCount::kOp) return take(isa::SetMaskCount{});
  if (name == isa::ResetMask::kOp) return take(isa::ResetMask{});
  if (name == isa::PipeBarrier::kOp) {
    const auto pipe = isa::Parse<isa::Pipe>(given.Word("pipe"));
    if (!pipe) return unknown("its pipe");
    return take(isa::PipeBarrier{*pipe});
  }
  if (name == isa::SetFlag::kOp || name == isa::WaitFlag::kOp) {
    const auto event = isa::Parse<isa::Event>(given.Word("event"));
    if (!event) return unknown("its event");
    if (name == isa::SetFlag::kOp) {
      return take(isa::SetFlag{*event, given.Number("id")});
    }
    return take(isa::WaitFlag{*event, given.Number("id")});
  }
  if (name == "SetAtomic") {
    const std::string_view operation = given.Word("operation");
    if (!operation.empty()) in.here->state.atomic = in.Kept(operation);
    if (const auto* dtype = given.Find("dtype")) {
      in.here->state.atomic_dtype = static_cast<std::uint8_t>(dtype->value);
    }
    // SetAtomicType: the operation stays what it is.
    if (operation.empty()) {
      in.sites.CountExecution(number);
      return in.After();
    }
    return in.TakeResource(ResourceName::kSetAtomic,
                           {Arg("operation", operation)}, site);
  }
  if (name == "SetDeqScale") {
    if (in.facts.product == isa::Product::kAtlasTraining ||
        in.facts.product == isa::Product::kAtlas200i500A2) {
      return unknown(fmt::format("page SetDeqScale does not list {}",
                                 isa::Name(in.facts.product)));
    }
    const auto scale = static_cast<std::uint64_t>(given.Number("scale"));
    in.here->state.deq_scale = scale;
    return in.TakeResource(ResourceName::kSetDeqScale,
                           {Arg("scale", fmt::format("{:#x}", scale))}, site);
  }
  if (name == "SetPadValue") {
    if (!carried::IsA2(in.facts.product)) {
      return unknown("page SetPadValue(ISASI) lists atlas-a2 and atlas-a3");
    }
    in.here->state.pad_value = {
        static_cast<std::uint64_t>(given.Number("paddingValue")),
        static_cast<std::uint8_t>(given.Number("dtype"))};
    return in.After();
  }
  if (name == "SetCtrlSpr" || name == "ResetCtrlSpr") {
    const std::int64_t low = given.Number("low");
    const std::uint64_t bits = BitsOf(low, given.Number("high"));
    if (bits == 0) return unknown("its bits");
    const auto value = static_cast<std::uint64_t>(given.Number("value"));
    in.here->ctrl = (in.here->ctrl & ~bits) | ((value << low) & bits);
    const bool saturation = (in.here->ctrl >> kSaturationBit & 1) == 0;
    if (saturation == in.here->state.saturation) return Next::kGoOn;
    in.here->state.saturation = saturation;
    return take(isa::SetSaturation{saturation});
  }
  if (name == isa::SetSaturation::kOp) {
    in.here->state.saturation = given.Number("enabled") != 0;
    return take(isa::SetSaturation{in.here->state.saturation});
  }
  if (name == "InitSocState") {
    if (in.IsWithout(number)) {
      in.CutMask();
      in.CutMode();
      return in.After();
    }
    in.here->state.atomic = "none";
    return in.TakeResource(ResourceName::kInitSocState, {}, site);
  }
  return unknown("it is not known here");
}

std::int64_t Engine::GetCtrl(std::int32_t low, std::int32_t high) const {
  const std::uint64_t bits = BitsOf(low, high);
  return bits == 0 || inside_->here == nullptr
             ? 0
             : static_cast<std::int64_t>((inside_->here->ctrl & bits) >> low);
}

Next Engine::SyncAll(const lanediff_tensor& gm, const lanediff_tensor& ub,
                     std::int64_t used_cores, lanediff_site site) {
  Inside& in = *inside_;
  isa::Arguments arguments;
  const auto place = [&](const lanediff_tensor& tensor) {
    return Place({"workspace", tensor, LANEDIFF_INT32}, in.facts.product, in.gm,
                 in.here->local);
  };
  const bool soft = gm.given != 0 || ub.given != 0;
  if (soft) {
    if (used_cores > 0) arguments.push_back(Arg("usedCores", used_cores));
    const Placed placed = place(gm);
    const std::int64_t bytes =
        placed.given ? std::min(placed.operand.bytes,
                                placed.declared >= 0 ? placed.declared
                                                     : placed.operand.bytes)
                     : 0;
    arguments.push_back(Arg("gmBytes", bytes));
    const Placed local = place(ub);
    arguments.push_back(Arg("ubBytes", local.given ? local.operand.bytes : 0));
    const bool zero = placed.given && !placed.unknown &&
                      std::all_of(placed.host, placed.host + bytes,
                                  [](std::uint8_t byte) { return byte == 0; });
    if (in.block == 0) arguments.push_back(Arg("gmZero", zero ? 1 : 0));
  }
  if (in.IsWithout(in.sites.Of(site, isa::Name(ResourceName::kSyncAll)))) {
    in.across.CutBlocks(in.block);
    return in.After();
  }
  return in.TakeResource(ResourceName::kSyncAll, std::move(arguments), site);
}

// ---- Elements and addresses -------------------------------------------------

namespace {

/// One element of a tensor in GM, by the scalar unit.
isa::Carried ScalarOfGm(const Placed& placed, bool write, std::int64_t index) {
  const std::int64_t size = SizeOfType(placed.dtype);
  isa::Carried step;
  step.name = write ? isa::SetValue::kOp : isa::GetValue::kOp;
  step.pipe = isa::Pipe::kS;
  isa::Operand operand = placed.operand;
  operand.dtype = TypeOf(placed.dtype);
  step.operands = {
      {write ? isa::OperandName::kDst : isa::OperandName::kSrc, operand}};
  const std::int64_t at = operand.at + index * size;
  if (write) {
    step.writes = {{.memory = isa::Memory::kGm,
                    .at = at,
                    .bytes = {},
                    .iteration = 0,
                    .count = size,
                    .operand = isa::OperandName::kDst}};
  } else {
    step.reads = {{isa::Memory::kGm, at, size, 0, isa::OperandName::kSrc}};
  }
  return step;
}

}  // namespace

Next Engine::Inside::ExecuteScalar(const lanediff_operand& operand, bool write,
                                   std::int64_t index, std::uint64_t& value,
                                   lanediff_site at) {
  if (walk->machine().ended()) return Next::kEndBlock;
  const std::string_view op = write ? isa::SetValue::kOp : isa::GetValue::kOp;
  const std::size_t number = sites.Of(at, op);
  sites.CountExecution(number);
  const Placed placed = Place(operand, facts.product, gm, here->local);
  if (!Prepare(op, {placed}, number)) return After();
  const auto type = TypeOf(operand.dtype);
  if (!type) return Refuse(op.data(), "of this type", at);
  isa::Operand in_step = placed.operand;
  if (!placed.worded) in_step.position = isa::Position::kVeccalc;
  isa::Step step;
  if (placed.memory == isa::Memory::kGm) {
    ++counts.gm_cache;
    step = ScalarOfGm(placed, write, index);
  } else {
    ++counts.carried;
    if (write) {
      step = isa::SetValue{
          .dtype = *type, .dst = in_step, .index = index, .value = value};
    } else {
      step = isa::GetValue{.dtype = *type, .src = in_step, .index = index};
    }
  }
  const isa::StepResult result = Take(std::move(step), number);
  if (result.status != isa::StepResult::Status::kExecuted) return After();
  const std::int64_t size = SizeOfType(operand.dtype);
  std::uint8_t* const byte = placed.host + index * size;
  if (write) {
    std::memcpy(byte, &value, static_cast<std::size_t>(size));
    MarkDoubtful(walk->accesses(), false);
    return After();
  }
  std::memcpy(&value, byte, static_cast<std::size_t>(size));
  if (ReadsDoubtful(walk->accesses())) NoteUncertified(number);
  return After();
}

Next Engine::GetValue(const lanediff_operand& src, std::int64_t index,
                      lanediff_site site, std::uint64_t& value) {
  value = 0;
  return inside_->ExecuteScalar(src, false, index, value, site);
}

Next Engine::SetValue(const lanediff_operand& dst, std::int64_t index,
                      std::uint64_t value, lanediff_site site) {
  return inside_->ExecuteScalar(dst, true, index, value, site);
}

void* Engine::Address(const lanediff_tensor& tensor, lanediff_site) {
  Inside& in = *inside_;
  ++in.counts.raw_pointers;
  if (tensor.given == 0) return nullptr;
  std::uint8_t* const host = Place({"tensor", tensor, LANEDIFF_UINT8},
                                   in.facts.product, in.gm, in.here->local)
                                 .host;
  auto& pointer = in.here->raw_pointers[reinterpret_cast<std::uint64_t>(host)];
  pointer.tensor = tensor;
  ++pointer.unused;
  return host;
}

lanediff_tensor Engine::TensorAt(std::uint64_t address) {
  Inside& in = *inside_;
  LocalMemory& local = in.here->local;
  const auto ub =
      reinterpret_cast<std::uint64_t>(local.BytesOf(isa::Memory::kUb));
  const auto capacity =
      static_cast<std::uint64_t>(local.CapacityOf(isa::Memory::kUb));
  if (address < ub || address - ub >= capacity) return {};
  const auto found = in.here->raw_pointers.find(address);
  if (found != in.here->raw_pointers.end()) {
    Inside::RawPointer& pointer = found->second;
    if (pointer.unused > 0) {
      --pointer.unused;
      --in.counts.raw_pointers;
    }
    return pointer.tensor;
  }
  // An address that the kernel has computed.
  const std::int64_t left =
      local.EndOf(isa::Memory::kUb) - static_cast<std::int64_t>(address - ub);
  return {.at = address - ub,
          .window = std::max<std::int64_t>(left, 0),
          .declared = -1,
          .position = LANEDIFF_NO_POSITION,
          .given = 1};
}

// ---- What it came to --------------------------------------------------------

const Counts& Engine::counts() const {
  Inside& in = *inside_;
  if (in.walk) {
    in.counts.bytes_followed =
        in.followed + static_cast<std::uint64_t>(in.walk->bytes());
  }
  return in.counts;
}

std::array<std::uint64_t, isa::kCount<Group>> Engine::last_launch() const {
  return inside_->findings.of_launch();
}
std::uint64_t Engine::last_launch_notes() const {
  return inside_->findings.notes_of_launch();
}
std::vector<SiteRow> Engine::sites() const {
  std::vector<SiteRow> rows;
  std::ranges::copy_if(
      inside_->sites.rows(), std::back_inserter(rows),
      [](const SiteRow& row) { return !row.site.file.empty(); });
  return rows;
}

}  // namespace lanediff::kernel
