#include "kernel/across.h"

#include <gtest/gtest.h>

#include <vector>

namespace lanediff::kernel {
namespace {

using isa::Access;
using isa::Memory;
using isa::Pipe;

Access Read(std::int64_t at, Memory memory = Memory::kUb) {
  return {"src", false, memory, at, 32};
}

Access Write(std::int64_t at, Memory memory = Memory::kUb) {
  return {"dst", true, memory, at, 32};
}

/// Of block 0 unless it says otherwise.
struct Done {
  Pipe pipe;
  Access access;
  std::int64_t block = 0;
  bool atomic = false;

  bool Conflicts(const Across& across) const {
    return across.Conflicts({step, pipe, {&access, 1}, block, atomic});
  }
  void Into(Across& across) const {
    across.Executed({step, pipe, {&access, 1}, block, atomic});
  }

  isa::Step step = isa::DataCopy{};
};

TEST(Across, BytesOfThePipesOfACutConflict) {
  Across across;
  Done{Pipe::kV, Write(64)}.Into(across);
  EXPECT_FALSE((Done{Pipe::kMte3, Read(64)}.Conflicts(across))) << "no cut";
  across.CutOrder(0, Pipe::kV, Pipe::kMte3);
  EXPECT_TRUE((Done{Pipe::kMte3, Read(64)}.Conflicts(across)));
  EXPECT_TRUE((Done{Pipe::kMte3, Read(95)}.Conflicts(across)));
  EXPECT_FALSE((Done{Pipe::kMte3, Read(96)}.Conflicts(across)));
  EXPECT_FALSE((Done{Pipe::kMte2, Write(64)}.Conflicts(across)));
  EXPECT_FALSE((Done{Pipe::kMte3, Read(64), 1}.Conflicts(across)));
  EXPECT_FALSE((Done{Pipe::kMte3, Read(64, Memory::kL1)}.Conflicts(across)));
}

TEST(Across, TheEndOfATPipeOrdersAll) {
  Across across;
  Done{Pipe::kV, Write(64)}.Into(across);
  across.CutOrder(0, Pipe::kV, Pipe::kMte3);
  across.Order(0);
  EXPECT_FALSE((Done{Pipe::kMte3, Read(64)}.Conflicts(across)));
}

TEST(Across, TwoReadsDontConflict) {
  Across across;
  Done{Pipe::kV, Read(64)}.Into(across);
  across.CutOrder(0, Pipe::kAll, Pipe::kAll);
  EXPECT_FALSE((Done{Pipe::kMte2, Read(64)}.Conflicts(across)));
  EXPECT_TRUE((Done{Pipe::kMte2, Write(64)}.Conflicts(across)));
}

TEST(Across, WhatComesAfterTheCutIsNotBeforeIt) {
  Across across;
  across.CutOrder(0, Pipe::kV, Pipe::kMte3);
  Done{Pipe::kV, Write(64)}.Into(across);
  EXPECT_FALSE((Done{Pipe::kMte3, Read(64)}.Conflicts(across)));
}

TEST(Across, TheScalarUnitHasEndedAndHoldsUpAll) {
  Across across;
  Done{Pipe::kS, Write(64)}.Into(across);
  Done{Pipe::kV, Write(128)}.Into(across);
  across.CutOrder(0, Pipe::kAll, Pipe::kS);
  EXPECT_FALSE((Done{Pipe::kV, Read(64)}.Conflicts(across)));
  EXPECT_TRUE((Done{Pipe::kMte3, Read(128)}.Conflicts(across)));
}

TEST(Across, BlocksConflictInGlobalMemoryUnlessBothAccumulate) {
  Across across;
  Done{Pipe::kMte3, Write(0, Memory::kGm), 0, true}.Into(across);
  Done{Pipe::kMte3, Write(64, Memory::kUb), 0}.Into(across);
  const Done reads{Pipe::kMte2, Read(0, Memory::kGm), 1};
  EXPECT_FALSE(reads.Conflicts(across)) << "no cut";
  across.CutBlocks(1);
  EXPECT_TRUE(reads.Conflicts(across));
  EXPECT_FALSE(
      (Done{Pipe::kMte3, Write(0, Memory::kGm), 1, true}.Conflicts(across)));
  EXPECT_FALSE((Done{Pipe::kMte2, Read(64, Memory::kUb), 1}.Conflicts(across)));
  across.EndLaunch();
  EXPECT_FALSE(reads.Conflicts(across)) << "another launch";
}

TEST(Across, RegisterAndModeConflictWithTheirReadersUntilTheyAreSet) {
  Across across;
  across.CutMask(0);
  isa::RepeatReduceSum call;
  call.is_set_mask = false;
  const auto conflicts = [&](const isa::Step& step) {
    return across.Conflicts({step, Pipe::kV, {}, 0, false});
  };
  EXPECT_TRUE(conflicts(call));
  call.is_set_mask = true;
  EXPECT_FALSE(conflicts(call)) << "it has its own mask";
  across.CutMode(0);
  EXPECT_TRUE(conflicts(call));
  across.Executed({isa::SetMaskNorm{}, Pipe::kS, {}, 0, false});
  EXPECT_FALSE(conflicts(call));
  call.is_set_mask = false;
  EXPECT_TRUE(conflicts(call));
  across.Executed({isa::SetVectorMask{}, Pipe::kS, {}, 0, false});
  EXPECT_FALSE(conflicts(call));
}

}  // namespace
}  // namespace lanediff::kernel
