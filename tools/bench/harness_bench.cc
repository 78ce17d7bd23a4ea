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
#include "tools/bench/board.h"
#include "tools/bench/calls.h"
#include "tools/bench/row.h"

namespace lanediff::bench {
namespace {

using isa::DType;
using isa::Position;

/// A case with one small call, and the oracle's nodes of it.
struct SmallCase {
  std::string_view name, what;
  isa::Step step;
  std::uint64_t nodes = 0;
  oracle::NodeResult (*node)(DType, std::uint64_t, std::uint64_t,
                             bool) = nullptr;
  bool illegal = false;
};

constexpr std::size_t kSrc1 = 1024;

std::vector<SmallCase> SmallCases() {
  const Place first = {.at = 0, .blocks = 1};
  const Place second = {.at = kSrc1 / 32, .blocks = 1};
  const Place result = {
      .at = 64, .blk_stride = 0, .rep_stride = 1, .blocks = 1};
  isa::Call min = isa::CallOf("Min");
  min.dst() = Window(Position::kVecout, result);
  min.src(0) = Window(Position::kVecin, first);
  min.src(1) = Window(Position::kVecin, second);
  min[isa::Param::kCount] = 16;
  const auto sum = [&](std::int64_t repeats) {
    isa::Call call =
        VectorCall("RepeatReduceSum", DType::kHalf, repeats, {result, first});
    call[isa::Param::kMask] = 16;
    return call;
  };
  return {{"data_copy", "DataCopy of 256 bytes",
           CopyCall(Window(Position::kVecin, 0, 256),
                    Window(Position::kVeccalc, 2048, 256), 256)},
          {"vec_trans", "vec_trans of 1 block", TransCall(1, 4, 0, 1)},
          {"min", "Min of 16 halves", min, 16, oracle::Minimum},
          {"repeat_reduce_sum", "RepeatReduceSum of 16 halves", sum(1), 15,
           oracle::Add},
          {"illegal", "illegal RepeatReduceSum", sum(256), 0, nullptr, true}};
}

/// CompareCase, emulator against oracle; beside the oracle's nodes by
/// themselves.
Prepared Compared(const Setting& setting, const SmallCase& small,
                  std::int64_t ub_bytes) {
  const std::shared_ptr<const diff::Target> target =
      diff::EmulatorWith(setting.seams, "emulator", "under measurement");
  const auto oracle = diff::FindTarget("oracle");
  if (!oracle) return {.skipped = oracle.error()};
  Case c;
  c.id = "bench/small";
  c.product = isa::Product::kAtlasInferenceAicore;
  Region region;
  region.bytes.resize(2048);
  Fill(region.bytes, DType::kHalf, Data::kFinite, 8);
  c.memory[static_cast<std::size_t>(isa::Memory::kUb)] =
      MemoryImage{.fill = 0, .size = ub_bytes, .regions = {region}};
  c.program = {small.step};
  Prepared prepared;
  prepared.work = [=, &reference = **oracle] {
    benchmark::DoNotOptimize(diff::CompareCase(c, *target, reference));
  };
  if (!small.illegal) {
    prepared.yardstick = [small, halves = Elements(DType::kHalf, 1024,
                                                   Data::kFinite, 8)] {
      const std::size_t other = small.node == oracle::Minimum ? kSrc1 / 2 : 1;
      for (std::size_t i = 0; i < small.nodes; ++i) {
        benchmark::DoNotOptimize(
            small.node(DType::kHalf, halves[i], halves[other + i], true));
      }
    };
  }
  prepared.check = [=, &reference = **oracle]() {
    const diff::Comparison result = diff::CompareCase(c, *target, reference);
    if (!result.findings.empty()) return result.findings.front().message;
    if (result.rejected != small.illegal) {
      return std::string("the case is not as legal as it is meant to be");
    }
    return result.nodes == small.nodes ? std::string()
                                       : fmt::format("{} nodes instead of {}",
                                                     result.nodes, small.nodes);
  };
  return prepared;
}

constexpr std::int64_t kRepeats = 255;

/// Half of `steps` calls of 255 repeats over all of UB but for 768 bytes, a
/// barrier behind each, so that nothing is left to find.
std::shared_ptr<const Case> BarrieredCalls(std::size_t steps) {
  auto c = std::make_shared<Case>();
  c->id = "bench/lint";
  c->product = isa::Product::kAtlasA2;
  c->lint.sync = LintFacts::Sync{};
  c->memory[static_cast<std::size_t>(isa::Memory::kUb)] =
      MemoryImage{.fill = 0, .size = 3 * kRepeats * 256, .regions = {}};
  const isa::Step call = VectorCallApart("Min", DType::kHalf, kRepeats, 1, 8);
  for (std::size_t i = 0; i < steps; ++i) {
    c->program.push_back(
        i % 2 == 0 ? call : isa::Step(isa::PipeBarrier{isa::Pipe::kV}));
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

/// Beside the same of `beside` steps, if there are any.
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

/// A kernel of 8 blocks over 2²⁰ elements, tiles of 4096 in double buffers, all
/// checks on, beside a plain loop over the same buffers. `call`: add or min.
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

}  // namespace

void AddHarnessRows(Rows& rows) {
  for (const SmallCase& small : SmallCases()) {
    for (const bool whole : {false, true}) {
      rows.push_back(
          {fmt::format("harness.{}{}", small.name, whole ? ".whole" : ""),
           fmt::format("one case compared: {}{}", small.what,
                       whole ? ", a whole UB of 256 KiB" : ""),
           small.illegal ? "" : "nodes of the oracle",
           small.illegal ? SecondsAtMost(3e-6) : BesideAtMost(3e-6),
           [small, whole](const Setting& s) {
             return Compared(s, small, whole ? 262144 : 4096);
           }});
    }
  }
  const auto program = [](std::size_t steps, std::size_t beside) {
    return [=](const Setting& s) { return LintProgram(s, steps, beside); };
  };
  rows.insert(rows.end(),
              {{"lint.64-steps",
                "lint of 64 steps, calls of 255 repeats over all of UB", "",
                SecondsAtMost(5e-3), program(64, 0)},
               {"lint.10000-steps", "the same of 10,000 steps", "",
                SecondsAtMost(2), program(10'000, 0)},
               {"lint.growth", "the same of 20,000 steps", "10,000 steps",
                RatioAtLeast(0.45), program(20'000, 10'000)}});
}

void AddKernelRows(Rows& rows) {
  const auto add = [&](const char* name, const char* what, double least,
                       const char* call, const char* values) {
    rows.push_back(
        {name, what, "a plain loop", RatioAtLeast(least),
         [=](const Setting& s) { return KernelBesideLoop(s, call, values); },
         "", Clock::kWall});
  };
  add("kernel.add.float",
      "a kernel that adds, 2^20 elements in 8 blocks, --values 1", 0.05, "add",
      "--values 1");
  add("kernel.min.float", "the same with Min", 0.05, "min", "--values 1");
  add("kernel.add.float.all", "the adding kernel, --values all", 0, "add",
      "--values all");
}

}  // namespace lanediff::bench
