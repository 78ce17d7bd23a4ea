#include "audit/guarded.h"

#include <gtest/gtest.h>

#include "audit/child.h"
#include "audit/testing.h"
#include "differential/memory/memory_set.h"

namespace lanediff::audit {
namespace {

constexpr std::int64_t kSize = 4099;  // no whole pages, nothing aligned

Case OneCase() {
  Case c;
  c.memory[static_cast<std::size_t>(isa::Memory::kUb)] =
      MemoryImage{.fill = 0x5a, .size = kSize, .regions = {}};
  c.program = {isa::SetSaturation{}};
  return c;
}

/// What touching the byte at `at` of UB gives: the byte, or nothing.
std::optional<std::vector<std::uint8_t>> Touch(std::ptrdiff_t at, bool write) {
  const test::HandMade toucher([=](const isa::Step&, diff::Session&,
                                   isa::Memories memories) {
    volatile std::uint8_t* const byte = memories[isa::Memory::kUb].data() + at;
    const std::uint8_t old = *byte;
    if (write) *byte = static_cast<std::uint8_t>(old + 1);
    return isa::StepResult{};
  });
  const GuardedTarget guarded(toucher);
  Apart apart = RunApart(
      [&](Beacon&) {
        const Case c = OneCase();
        diff::MemorySet memory(c);
        guarded.Open(c.profile(), memory.view())->Execute(c.program[0]);
        const std::span ub = memory[isa::Memory::kUb];
        return std::vector<std::uint8_t>(ub.begin(), ub.end());
      },
      60);
  if (apart.end != Child::End::kDone) return std::nullopt;
  return std::move(apart.bytes);
}

TEST(Guarded, LetsAllOfAMemoryBeReadAndWritten) {
  for (std::ptrdiff_t at : {std::ptrdiff_t{0}, std::ptrdiff_t{kSize - 1}}) {
    const auto read = Touch(at, false);
    ASSERT_TRUE(read) << at;
    EXPECT_EQ(*read, std::vector<std::uint8_t>(kSize, 0x5a));
    const auto written = Touch(at, true);
    ASSERT_TRUE(written) << at;
    std::vector<std::uint8_t> expected(kSize, 0x5a);
    expected[static_cast<std::size_t>(at)] = 0x5b;
    EXPECT_EQ(*written, expected);
  }
}

TEST(Guarded, AccessBehindAMemoryEndsTheProcess) {
  EXPECT_FALSE(Touch(kSize, false));
  EXPECT_FALSE(Touch(kSize, true));
  EXPECT_FALSE(Touch(kSize + 4000, false));
}

TEST(Guarded, PassesOnWhatTheCallerChangesBetweenSteps) {
  const test::HandMade doubler(
      [](const isa::Step&, diff::Session&, isa::Memories memories) {
        auto& byte = memories[isa::Memory::kUb][7];
        byte = static_cast<std::uint8_t>(2 * byte);
        return isa::StepResult{};
      });
  const GuardedTarget guarded(doubler);
  EXPECT_EQ(guarded.name(), doubler.name());
  EXPECT_EQ(guarded.stepwise(), &guarded);
  const test::RecordedHere recorded("emulator");
  EXPECT_EQ(GuardedTarget(recorded).stepwise(), nullptr);
  const Case c = OneCase();
  diff::MemorySet memory(c);
  const auto session = guarded.Open(c.profile(), memory.view());
  memory[isa::Memory::kUb][7] = 3;
  session->Execute(c.program[0]);
  EXPECT_EQ(memory[isa::Memory::kUb][7], 6);
  memory[isa::Memory::kUb][7] = 5;
  session->Execute(c.program[0]);
  EXPECT_EQ(memory[isa::Memory::kUb][7], 10);
}

}  // namespace
}  // namespace lanediff::audit
