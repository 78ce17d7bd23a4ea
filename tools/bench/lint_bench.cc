#include <benchmark/benchmark.h>
#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>

#include "differential/testcase/case.h"
#include "isa/step.h"
#include "sanitizer/lint.h"
#include "tools/bench/calls.h"
#include "tools/bench/works.h"

namespace lanediff::bench {
namespace {

using isa::Position;

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
  c->lint.sync.emplace();
  c->memory[static_cast<std::size_t>(isa::Memory::kUb)] =
      MemoryImage{.fill = 0, .size = 3 * kOperandBytes, .regions = {}};
  for (std::size_t i = 0; i < steps; ++i) {
    c->program.push_back(
        i % 2 == 0 ? FullMin() : isa::Step(isa::PipeBarrier{isa::Pipe::kV}));
  }
  return c;
}

}  // namespace

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

}  // namespace lanediff::bench
