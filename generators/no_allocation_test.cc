// The emulator's execution path never allocates memory.

#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>
#include <vector>

#include "differential/memory/memory_set.h"
#include "differential/testcase/testing.h"
#include "emulator/emulator.h"
#include "generators/random/generate.h"
#include "generators/testing/counted_allocation.h"

namespace lanediff::make {
namespace {

/// Allocations while the emulator with `seams` executes the steps of `c`; space
/// for `steps` of them is made before.
std::size_t AllocationsIn(
    const Case& c, std::size_t steps,
    const emulator::Seams& seams = emulator::FastestSeams()) {
  diff::MemorySet memory(c);
  emulator::Emulator emulator(c.product, memory.view(), seams);
  emulator.MakeSpaceFor(steps);
  std::size_t count = 0;
  for (const isa::Step& step : c.program) {
    const std::size_t before = Allocations();
    const isa::StepResult result = emulator.Execute(step);
    count += Allocations() - before;
    if (result.status != isa::StepResult::Status::kExecuted) break;
  }
  return count;
}

/// `copies` blocks from GM to places of the Unified Buffer that are `apart`
/// bytes apart, by each copy in turn, and no barrier.
Case Copies(std::int64_t copies, std::int64_t apart) {
  Case c;
  c.memory[static_cast<std::size_t>(isa::Memory::kGm)] = {
      .fill = 0x5a, .size = 4096, .regions = {}};
  for (std::int64_t i = 0; i < copies; ++i) {
    const auto& rows = isa::kCopyRows;
    const auto& row = rows[static_cast<std::size_t>(i) % rows.size()];
    isa::Call copy = isa::CallOf(row);
    copy.src(0) = {isa::Position::kGm, 0, 4096, {}};
    copy.dst() = {isa::Position::kVecin, i * apart, 32, {}};
    copy.SetBlocks(1, row.Has(isa::Param::kIsPad) ? 32 : 1);
    c.program.emplace_back(copy);
  }
  return c;
}

/// Every emulator that runs here.
std::vector<emulator::Seams> EachEmulator() {
  std::vector<emulator::Seams> all = {emulator::Seams{}};
  for (const emulator::VectorTarget target : emulator::RunnableTargets()) {
    all.push_back(emulator::SeamsOf(target));
  }
  return all;
}

TEST(NoAllocation, InTheWholeCorpus) {
  const std::vector<emulator::Seams> emulators = EachEmulator();
  for (const Case& c : Corpus()) {
    for (const emulator::Seams& seams : emulators) {
      EXPECT_EQ(AllocationsIn(c, c.program.size(), seams), 0u) << c.id;
    }
  }
}

TEST(NoAllocation, InGeneratedCases) {
  const std::vector<emulator::Seams> emulators = EachEmulator();
  for (const Generator& generator : Generators()) {
    Random random(1);
    for (int i = 0; i < 3000; ++i) {
      const Case c = Generate(generator.slug, random).c;
      for (const emulator::Seams& seams : emulators) {
        ASSERT_EQ(AllocationsIn(c, c.program.size(), seams), 0u)
            << generator.slug << " case " << i;
      }
    }
  }
}

TEST(NoAllocation, WithManyCopiesUnderWay) {
  EXPECT_EQ(AllocationsIn(Copies(3000, 32), 3000), 0u);
  EXPECT_EQ(AllocationsIn(Copies(3000, 0), 3000), 0u);
}

TEST(NoAllocation, IsSeenWhereNoSpaceWasMade) {
  EXPECT_GT(AllocationsIn(Copies(3000, 32), 0), 0u);
}

}  // namespace
}  // namespace lanediff::make
