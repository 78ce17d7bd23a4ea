#include <benchmark/benchmark.h>
#include <fmt/format.h>

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "differential/compare/compare.h"
#include "differential/targets/emulators.h"
#include "differential/targets/find_target.h"
#include "differential/targets/target.h"
#include "differential/testcase/case.h"
#include "isa/step.h"
#include "oracle/node.h"
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

/// The halves that the calls read, at the start of UB.
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

}  // namespace lanediff::bench
