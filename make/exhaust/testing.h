#pragma once

#include <cstdint>
#include <memory>
#include <string_view>
#include <vector>

#include "case/element.h"
#include "diff/memory/memory_set.h"
#include "diff/target.h"
#include "diff/targets/emulators.h"
#include "diff/targets/find_target.h"
#include "emulator/emulator.h"
#include "make/exhaust/crew.h"
#include "make/exhaust/space.h"

/// For the tests of this folder.
namespace lanediff::make::exhaust {

inline const diff::Target& Emulator() { return **diff::FindTarget("emulator"); }
inline const diff::Target& Oracle() { return **diff::FindTarget("oracle"); }

inline std::unique_ptr<diff::Target> SeamTarget(const emulator::Seams& seams) {
  return diff::EmulatorWith(seams, "seams", "for this test");
}

inline Tally RunPart(const Space& space, const diff::Target& target,
                     const Part& part, std::size_t jobs = 1) {
  return Crew(space, target, Oracle(), jobs).Run(part, 0, part.size());
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
  const isa::Step& step = c.program.back();
  if (const auto* sum = std::get_if<isa::RepeatReduceSum>(&step)) {
    for (std::int64_t r = 0; r < sum->repeat; ++r) {
      const std::int64_t at = sum->src.at + r * sum->src_rep_stride * 32;
      pairs.push_back(load(at) << 16 | load(at + 2));
    }
  } else if (const auto* product = std::get_if<isa::Trowprod>(&step)) {
    for (std::int64_t r = 0; r < product->src.valid_row; ++r) {
      const std::int64_t at = product->src.at + r * product->src.cols * 2;
      pairs.push_back(load(at) << 16 | load(at + 2));
    }
  } else {
    const auto& min = std::get<isa::Min>(step);
    for (std::int64_t r = 0; r < min.repeat_times; ++r) {
      for (std::int64_t lane = 0; lane < min.mask; ++lane) {
        const std::int64_t offset = r * 256 + lane * 2;
        pairs.push_back(load(min.src0.at + offset) << 16 |
                        load(min.src1.at + offset));
      }
    }
  }
  return pairs;
}

}  // namespace lanediff::make::exhaust
