#include "diff/generate/program.h"

#include <algorithm>
#include <array>

#include "diff/generate/data_copy.h"
#include "diff/generate/min.h"
#include "diff/generate/mutate.h"
#include "diff/generate/repeat_reduce_sum.h"
#include "diff/generate/trowprod.h"
#include "diff/generate/vec_trans.h"

namespace lanediff::diff {
namespace {

constexpr std::size_t kMostSteps = 8;

/// One line for each instruction.
constexpr std::array kGenerators = {GenerateRepeatReduceSum, GenerateMin,
                                    GenerateDataCopy, GenerateTrowprod,
                                    GenerateVecTrans};

/// The larger size, and those regions of `from` that are free in `into`.
void JoinMemory(const MemoryImage& from, MemoryImage& into) {
  into.size = std::max(into.size, from.size);
  for (const Region& region : from.regions) {
    const bool free = std::ranges::none_of(into.regions, [&](const Region& r) {
      return r.at < region.end() && region.at < r.end();
    });
    if (free) into.regions.push_back(region);
  }
  std::ranges::sort(into.regions, {}, &Region::at);
}

void Join(const Case& from, Case& into) {
  for (std::size_t m = 0; m < into.memory.size(); ++m) {
    if (!from.memory[m]) continue;
    if (into.memory[m]) {
      JoinMemory(*from.memory[m], *into.memory[m]);
    } else {
      into.memory[m] = from.memory[m];
    }
  }
  into.program.insert(into.program.end(), from.program.begin(),
                      from.program.end());
}

}  // namespace

Case GenerateProgram(Random& random) {
  Case c = random.Pick(kGenerators)(random);
  c.id = "generated/program";
  // A part for another product would not run; such a part is left out.
  for (std::int64_t tries = random.Between(1, 8); tries > 0; --tries) {
    const Case part = random.Pick(kGenerators)(random);
    if (part.product != c.product) continue;
    if (c.program.size() + part.program.size() > kMostSteps) break;
    Join(part, c);
    if (random.Percent(50)) {
      c.program.emplace_back(isa::PipeBarrier{isa::Pipe::kAll});
    }
    if (c.program.size() >= kMostSteps) break;
  }
  if (c.program.size() > kMostSteps) c.program.resize(kMostSteps);
  FitMemories(c);
  return c;
}

}  // namespace lanediff::diff
