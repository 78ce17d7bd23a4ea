#include "kernel/engine/across.h"

#include <gtest/gtest.h>

#include <array>
#include <cstdint>
#include <vector>

namespace lanediff::kernel {
namespace {

using isa::Access;
using isa::Memory;
using isa::Pipe;
using isa::Product;

Access Read(std::int64_t at, Memory memory = Memory::kUb) {
  return {"src", false, memory, at, 32};
}

Access Write(std::int64_t at, Memory memory = Memory::kUb) {
  return {"dst", true, memory, at, 32};
}

/// Of block 0 by default.
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

  isa::Step step = isa::CallOf("DataCopy");
};

TEST(Across, BytesOfThePipesOfACutConflict) {
  Across across(Product::kAtlasA2);
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
  Across across(Product::kAtlasA2);
  Done{Pipe::kV, Write(64)}.Into(across);
  across.CutOrder(0, Pipe::kV, Pipe::kMte3);
  across.Order(0);
  EXPECT_FALSE((Done{Pipe::kMte3, Read(64)}.Conflicts(across)));
}

TEST(Across, TwoReadsDontConflict) {
  Across across(Product::kAtlasA2);
  Done{Pipe::kV, Read(64)}.Into(across);
  across.CutOrder(0, Pipe::kAll, Pipe::kAll);
  EXPECT_FALSE((Done{Pipe::kMte2, Read(64)}.Conflicts(across)));
  EXPECT_TRUE((Done{Pipe::kMte2, Write(64)}.Conflicts(across)));
}

TEST(Across, WhatComesAfterTheCutIsNotBeforeIt) {
  Across across(Product::kAtlasA2);
  across.CutOrder(0, Pipe::kV, Pipe::kMte3);
  Done{Pipe::kV, Write(64)}.Into(across);
  EXPECT_FALSE((Done{Pipe::kMte3, Read(64)}.Conflicts(across)));
}

TEST(Across, TheScalarUnitHasEndedAndHoldsUpAll) {
  Across across(Product::kAtlasA2);
  Done{Pipe::kS, Write(64)}.Into(across);
  Done{Pipe::kV, Write(128)}.Into(across);
  across.CutOrder(0, Pipe::kAll, Pipe::kS);
  EXPECT_FALSE((Done{Pipe::kV, Read(64)}.Conflicts(across)));
  EXPECT_TRUE((Done{Pipe::kMte3, Read(128)}.Conflicts(across)));
}

TEST(Across, BlocksConflictInGlobalMemoryUnlessBothAccumulate) {
  Across across(Product::kAtlasA2);
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
  Across across(Product::kAtlasA2);
  across.CutMask(0);
  isa::Call call = isa::CallOf("RepeatReduceSum");
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

// ---- What sets register and mode --------------------------------------------

struct Setter {
  const char* what;
  isa::Step step;
  bool sets_mode;
  bool sets_register;
  Product product = Product::kAtlasA2;
};

isa::Step Adding(std::uint8_t form, bool is_set_mask, std::int64_t count) {
  isa::Call step = isa::CallOf("Add");
  step.form = form;
  step.is_set_mask = is_set_mask;
  step[isa::Param::kCount] = count;
  return step;
}
isa::Step Leaving(isa::CarriedMask mask) {
  isa::Carried step;
  step.mask = mask;
  return step;
}
isa::Step Summing(bool is_set_mask) {
  isa::Call step = isa::CallOf("WholeReduceSum");
  step.is_set_mask = is_set_mask;
  return step;
}

std::vector<Setter> Setters() {
  const isa::Resource tpipe{isa::ResourceName::kTPipe, {}};
  const isa::Resource soc{isa::ResourceName::kInitSocState, {}};
  constexpr std::array<std::uint64_t, 2> kOnes = {~0ULL, ~0ULL};
  std::vector<Setter> all = {
      {"SetVectorMask", isa::SetVectorMask{}, false, true},
      {"ResetMask", isa::ResetMask{}, false, true},
      {"SetMaskNorm", isa::SetMaskNorm{}, true, false},
      {"SetMaskCount", isa::SetMaskCount{}, true, false},
      {"TPipe", tpipe, true, true},
      {"TPipe on A3", tpipe, true, true, Product::kAtlasA3},
      {"TPipe, inference", tpipe, true, false, Product::kAtlasInferenceAicore},
      {"TPipe, training", tpipe, true, false, Product::kAtlasTraining},
      {"InitSocState", soc, true, true},
      {"InitSocState, 200I", soc, true, false, Product::kAtlas200i500A2},
      {"count form", Adding(isa::kCountForm, true, 8), true, true},
      {"count form, no element", Adding(isa::kCountForm, true, 0), false,
       false},
      {"mask", Adding(isa::kMaskForm, true, 0), false, true},
      {"bits", Adding(isa::kBitsForm, true, 0), false, true},
      {"mask of the register", Adding(isa::kMaskForm, false, 0), false, false},
      {"reduction", Summing(true), false, true},
      {"reduction under the register", Summing(false), false, false},
      {"DataCopy", isa::CallOf("DataCopy"), false, false},
      {"SetSaturation", isa::SetSaturation{}, false, false},
      {"PipeBarrier", isa::PipeBarrier{}, false, false},
      {"own mask", Leaving({.masked = true, .leaves = kOnes}), false, true},
      {"register", Leaving({.masked = true, .is_set_mask = false}), false,
       false},
      {"count form, unaudited", Leaving({.leaves = kOnes, .sets_normal = true}),
       true, true},
      {"Brcb", isa::CallOf("Brcb"), false, true},
      {"Gatherb", Leaving({.leaves = kOnes}), false, true},
      {"ReduceMax", Leaving({.leaves_unknown = true}), false, true},
      {"GatherMask", Leaving({.leaves_unknown = true, .sets_normal = true}),
       true, true},
      {"GatherMask in counter mode", Leaving({.sets_normal = true}), true,
       false},
      {"copy, unaudited", Leaving({}), false, false},
  };
  for (std::size_t i = 0; i < isa::kCount<isa::ResourceName>; ++i) {
    const auto name = static_cast<isa::ResourceName>(i);
    if (name == tpipe.name || name == soc.name) continue;
    all.push_back(
        {isa::Name(name).data(), isa::Resource{name, {}}, false, false});
  }
  return all;
}

TEST(Across, EachStepSetsRegisterAndModeAsDocumented) {
  for (const Setter& setter : Setters()) {
    Across across(setter.product);
    across.CutMask(0);
    across.CutMode(0);
    across.Executed({setter.step, Pipe::kV, {}, 0, false});
    const auto reads = [&](const isa::Step& step) {
      return across.Conflicts({step, Pipe::kV, {}, 0, false});
    };
    // The first reads the mode alone; the second then the register, too.
    EXPECT_EQ(reads(Summing(true)), !setter.sets_mode) << setter.what;
    across.Executed({isa::SetMaskNorm{}, Pipe::kS, {}, 0, false});
    EXPECT_EQ(reads(Summing(false)), !setter.sets_register) << setter.what;
  }
}

}  // namespace
}  // namespace lanediff::kernel
