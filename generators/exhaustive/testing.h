#pragma once

#include <cstdint>
#include <memory>
#include <stdexcept>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "differential/compare/testing.h"
#include "differential/memory/memory_set.h"
#include "differential/targets/emulators.h"
#include "differential/targets/target.h"
#include "differential/testcase/element.h"
#include "emulator/emulator.h"
#include "generators/exhaustive/calls.h"
#include "generators/exhaustive/space.h"

/// For the tests of this folder.
namespace lanediff::make::exhaust {

using diff::Emulator;
using diff::Oracle;

/// Adds up what came of a part.
struct SummingSink final : CallSink {
  using CallSink::CallSink;

  void Take(std::size_t, ComparedCalls&& compared) override {
    Tally& more = compared.tally;
    sum.calls += more.calls;
    sum.points += more.points;
    sum.unsupported += more.unsupported;
    sum.disagree += more.disagree;
    for (Disagreement& one : more.shown) {
      if (!kept.Add(one.finding.signature)) continue;
      sum.shown.push_back(std::move(one));
    }
  }

  Tally sum;
  diff::SignatureCounts kept;
};

inline Tally RunPart(const Space& space, const diff::Target& target,
                     const Part& part, std::size_t jobs = 1) {
  CallSource source(space, part, 0, jobs);
  SummingSink sink(space, target, Oracle(), jobs);
  const diff::RunEnd end =
      diff::Runner(source, target, Oracle(), sink).Run({.jobs = jobs});
  if (!end.failure.empty()) throw std::runtime_error(end.failure);
  return std::move(sink.sum);
}

/// On an emulator with other seams, which `change` makes.
template <class Change>
Tally RunChanged(std::string_view space, const Part& part, const Change& change,
                 std::size_t jobs = 1) {
  emulator::Seams seams;
  change(seams);
  return RunPart(*FindSpace(space),
                 *diff::EmulatorWith(seams, "seams", "for this test"), part,
                 jobs);
}

/// The pairs that the call of a case reads, taken from its memory by the
/// addresses that the case itself gives.
inline std::vector<std::uint64_t> PairsOf(const Case& c) {
  diff::MemorySet memory(c);
  const std::span ub = memory[isa::Memory::kUb];
  const auto load = [&](std::int64_t at) {
    return LoadElement(isa::DType::kUint16, ub.subspan(at, 2));
  };
  std::vector<std::uint64_t> pairs;
  const auto neighbours = [&](std::int64_t at) {
    pairs.push_back(load(at) << 16 | load(at + 2));
  };
  const auto& call = std::get<isa::Call>(c.program.back());
  if (call.Is(isa::Family::kTile)) {
    const isa::Tile& src = call.tiles[1];
    for (std::int64_t r = 0; r < src.valid_row; ++r) {
      neighbours(src.at + r * src.cols * 2);
    }
    return pairs;
  }
  for (std::int64_t r = 0; r < call[isa::Param::kRepeatTimes]; ++r) {
    if (call.Is(isa::Family::kReduction)) {
      neighbours(call.src(0).at + r * call.RepStride(1) * 32);
      continue;
    }
    for (std::int64_t i = 0; i < call[isa::Param::kMask]; ++i) {
      const std::int64_t offset = r * 256 + i * 2;
      pairs.push_back(load(call.src(0).at + offset) << 16 |
                      load(call.src(1).at + offset));
    }
  }
  return pairs;
}

}  // namespace lanediff::make::exhaust
