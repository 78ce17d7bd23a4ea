// ---- Kernels that run on the host -------------------------------------------

#include <benchmark/benchmark.h>
#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "differential/compare/compare.h"
#include "differential/subprocess/spawn.h"
#include "differential/targets/emulators.h"
#include "differential/targets/find_target.h"
#include "differential/targets/target.h"
#include "differential/testcase/case.h"
#include "isa/step.h"
#include "oracle/node.h"
#include "sanitizer/lint.h"
#include "tools/bench/calls.h"
#include "tools/bench/data.h"
#include "tools/bench/works.h"

namespace lanediff::bench {
namespace {

using isa::DType;
using isa::Position;

constexpr std::int64_t kSrc1 = 1024;
constexpr std::int64_t kDst = 2048;

isa::Step Copy() {
  isa::DataCopy call;
  call.dtype = DType::kHalf;
  call.src = Window(Position::kVecin, 0, 256);
  call.dst = Window(Position::kVeccalc, kDst, 256);
  call.form = isa::DataCopy::kCount;
  call.count = 128;
  return call;
}

isa::Step Trans() {
  isa::VecTrans call;
  call.dtype = DType::kHalf;
  call.src = Window(Position::kUb, 0, 512);
  call.dst = Window(Position::kUb, kDst, 512);
  call.repeat_times = 1;
  return call;
}

isa::Step Minimum16() {
  isa::Min call;
  call.dtype = DType::kHalf;
  call.src0 = Window(Position::kVecin, 0, 32);
  call.src1 = Window(Position::kVecin, kSrc1, 32);
  call.dst = Window(Position::kVecout, kDst, 32);
  call.form = isa::Min::kCount;
  call.count = 16;
  return call;
}

isa::Step Sum16(std::int64_t repeat) {
  isa::RepeatReduceSum call;
  call.dtype = DType::kHalf;
  call.src = Window(Position::kVecin, 0, 32);
  call.dst = Window(Position::kVecout, kDst, 32);
  call.repeat = repeat;
  call.elems_in_one_repeat = 16;
  call.src_blk_stride = 1;
  call.dst_rep_stride = 1;
  call.src_rep_stride = 8;
  return call;
}

isa::Step StepOf(SmallCase which) {
  switch (which) {
    case SmallCase::kCopy:
      return Copy();
    case SmallCase::kTrans:
      return Trans();
    case SmallCase::kMin:
      return Minimum16();
    case SmallCase::kSum:
      return Sum16(1);
    case SmallCase::kIllegal:
      return Sum16(256);
  }
  std::unreachable();
}

std::vector<std::uint16_t> Halves() {
  std::vector<std::uint16_t> halves(1024);
  FillHalves(halves, Data::kFinite, 8);
  return halves;
}

Case CaseOf(SmallCase which, std::int64_t ub_bytes) {
  Case c;
  c.id = "bench/small";
  c.product = isa::Product::kAtlasInferenceAicore;
  Region region;
  region.at = 0;
  for (const std::uint16_t half : Halves()) {
    region.bytes.push_back(static_cast<std::uint8_t>(half));
    region.bytes.push_back(static_cast<std::uint8_t>(half >> 8));
  }
  c.memory[static_cast<std::size_t>(isa::Memory::kUb)] =
      MemoryImage{.fill = 0, .size = ub_bytes, .regions = {region}};
  c.program = {StepOf(which)};
  return c;
}

/// The oracle's nodes of the call, computed by themselves.
std::function<void()> NodesOf(SmallCase which) {
  const std::vector<std::uint16_t> halves = Halves();
  if (which == SmallCase::kMin) {
    return [=] {
      for (std::size_t i = 0; i < 16; ++i) {
        benchmark::DoNotOptimize(oracle::Minimum(DType::kHalf, halves[i],
                                                 halves[kSrc1 / 2 + i], true));
      }
    };
  }
  if (which == SmallCase::kSum) {
    return [=] {
      for (std::size_t i = 0; i < 15; ++i) {
        benchmark::DoNotOptimize(
            oracle::Add(DType::kHalf, halves[i], halves[i + 1], true));
      }
    };
  }
  return [] {};
}

constexpr std::int64_t kRepeats = 255;
constexpr std::int64_t kOperandBytes = kRepeats * 256;

/// Min of 255 repeats: the three operands fill UB but for 768 bytes.
isa::Step FullMin() {
  isa::Min call;
  call.dtype = isa::DType::kHalf;
  call.src0 = Window(Position::kVecin, 0, kOperandBytes);
  call.src1 = Window(Position::kVecin, kOperandBytes, kOperandBytes);
  call.dst = Window(Position::kVecout, 2 * kOperandBytes, kOperandBytes);
  call.form = isa::Min::kContiguous;
  call.mask = 128;
  call.repeat_times = kRepeats;
  call.repeat_params = {1, 1, 1, 8, 8, 8};
  return call;
}

/// The call and its barrier in turn, so that nothing is left to find.
std::shared_ptr<const Case> BarrieredCalls(std::size_t steps) {
  auto c = std::make_shared<Case>();
  c->id = "bench/lint";
  c->product = isa::Product::kAtlasA2;
  c->lint.sync = LintFacts::Sync{};
  c->memory[static_cast<std::size_t>(isa::Memory::kUb)] =
      MemoryImage{.fill = 0, .size = 3 * kOperandBytes, .regions = {}};
  for (std::size_t i = 0; i < steps; ++i) {
    c->program.push_back(
        i % 2 == 0 ? FullMin() : isa::Step(isa::PipeBarrier{isa::Pipe::kV}));
  }
  return c;
}

/// The program tools/bench/kernels/elementwise.cpp, sent a letter at a time,
/// so that neither its start nor its end is measured.
class Server {
 public:
  Server(const std::string& program, const std::string& call,
         const std::string& options) {
    int to[2];
    int from[2];
    const int nothing = open("/dev/null", O_WRONLY | O_CLOEXEC);
    if (pipe2(to, O_CLOEXEC) != 0 || pipe2(from, O_CLOEXEC) != 0) return;
    auto process = diff::Process::Start(
        {.words = {program, call},
         .environment = diff::EnvironmentWith({"LANEDIFF_OPTIONS=" + options}),
         .descriptors = {to[0], from[1], nothing}});
    if (process) process_.emplace(*std::move(process));
    close(nothing);
    close(to[0]);
    close(from[1]);
    to_ = to[1];
    from_ = from[0];
  }
  ~Server() {
    close(to_);
    close(from_);
    if (process_) process_->Wait();
  }
  Server(const Server&) = delete;
  Server& operator=(const Server&) = delete;

  /// Sends a command; whether the program replied that all was well.
  bool Send(char letter) const {
    char answer = 'n';
    return write(to_, &letter, 1) == 1 && read(from_, &answer, 1) == 1 &&
           answer == 'y';
  }

 private:
  std::optional<diff::Process> process_;
  int to_ = -1;
  int from_ = -1;
};

}  // namespace

Prepared SmallCaseCompared(const Setting& setting, SmallCase which,
                           std::int64_t ub_bytes) {
  const std::shared_ptr<const diff::Target> target =
      diff::EmulatorWith(setting.seams, "emulator", "under measurement");
  const auto oracle = diff::FindTarget("oracle");
  if (!oracle) return {.skipped = oracle.error()};
  Prepared prepared;
  prepared.work = [=, c = CaseOf(which, ub_bytes), &reference = **oracle] {
    benchmark::DoNotOptimize(diff::CompareCase(c, *target, reference));
  };
  prepared.yardstick = NodesOf(which);
  prepared.check = [=, c = CaseOf(which, ub_bytes), &reference = **oracle]() {
    const diff::Comparison result = diff::CompareCase(c, *target, reference);
    const std::uint64_t nodes = which == SmallCase::kMin   ? 16
                                : which == SmallCase::kSum ? 15
                                                           : 0;
    if (!result.findings.empty()) return result.findings.front().message;
    if (result.rejected != (which == SmallCase::kIllegal)) {
      return std::string("the case is not as legal as it is meant to be");
    }
    if (result.nodes != nodes) {
      return fmt::format("{} nodes instead of {}", result.nodes, nodes);
    }
    return std::string();
  };
  return prepared;
}

Prepared LintProgram(const Setting& setting, std::size_t steps,
                     std::size_t beside) {
  if (setting.quick) {
    steps = std::min<std::size_t>(steps, 200);
    beside = std::min<std::size_t>(beside, 100);
  }
  const auto c = BarrieredCalls(steps);
  Prepared prepared;
  prepared.work = [c] { benchmark::DoNotOptimize(lint::Lint(*c)); };
  if (beside > 0) {
    prepared.yardstick = [other = BarrieredCalls(beside)] {
      benchmark::DoNotOptimize(lint::Lint(*other));
    };
  }
  prepared.check = [c, steps] {
    const lint::Verdict verdict = lint::Lint(*c);
    if (!verdict.clean()) return std::string("the program is not clean");
    return verdict.operations == steps / 2
               ? ""
               : fmt::format("{} operations", verdict.operations);
  };
  return prepared;
}

Prepared KernelBesideLoop(const Setting& setting, const char* call,
                          const char* options) {
  const std::string program = setting.targets + "/bench_kernels";
  if (access(program.c_str(), X_OK) != 0) {
    return {.skipped = "no program " + program};
  }
  const auto server = std::make_shared<Server>(program, call, options);
  Prepared prepared;
  prepared.work = [=] { server->Send('k'); };
  prepared.yardstick = [=] { server->Send('l'); };
  prepared.check = [=]() -> std::string {
    const bool well =
        server->Send('k') && server->Send('l') && server->Send('c');
    return well ? "" : fmt::format("{} of a kernel is not the loop's", call);
  };
  return prepared;
}

}  // namespace lanediff::bench
