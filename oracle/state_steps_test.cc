#include "oracle/state_steps.h"

#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <utility>

#include "isa/state.h"
#include "isa/step.h"
#include "isa/vocabulary.h"
#include "oracle/extended_testing.h"
#include "oracle/rules_testing.h"
#include "oracle/testing.h"

/// The rules of the steps that set machine state.
namespace lanediff::oracle {
namespace {

using isa::DType;
using isa::Product;
using test::Anywhere;
using test::Broken;
using test::Ids;
using test::Machine;
using test::Only;
using test::RunsExtended;
using test::SumCall;
using test::Texts;

using Word = std::uint64_t;

const Ids kNone;
const std::pair kAllOnes(~Word{0}, ~Word{0});

TEST(StateSteps, SaturationGoesOffOnA2AndA3Alone) {
  for (std::size_t p = 0; p < isa::kCount<Product>; ++p) {
    const auto product = static_cast<Product>(p);
    const bool can =
        product == Product::kAtlasA2 || product == Product::kAtlasA3;
    Machine m(product);
    EXPECT_EQ(Texts(m.Execute(isa::SetSaturation{.enabled = false}).rules),
              can ? kNone : Only(isa::state::kSaturationProduct));
    EXPECT_TRUE(m.Executes(isa::SetSaturation{.enabled = true}));
    EXPECT_TRUE(m.Executes(isa::PipeBarrier{}));
  }
}

TEST(StateSteps, RejectedSaturationStaysOn) {
  Machine m(Product::kAtlasTraining);
  m.Put(DType::kHalf, 1024, {0x7c00});
  EXPECT_FALSE(m.Executes(isa::SetSaturation{.enabled = false}));
  EXPECT_TRUE(m.Executes(SumCall(1)));
  EXPECT_EQ(m.Get(DType::kHalf, 0, 1).front(), 0x7bffU);
}

TEST(StateSteps, MaskStepsOnFourProducts) {
  for (std::size_t p = 0; p < isa::kCount<Product>; ++p) {
    const auto product = static_cast<Product>(p);
    const bool has = product == Product::kAtlasInferenceAicore ||
                     product == Product::kAtlasA2 ||
                     product == Product::kAtlasA3 ||
                     product == Product::kAtlas200i500A2;
    const Ids expected = has ? kNone : Only(isa::state::kMaskProduct);
    EXPECT_EQ(Broken(isa::SetMaskCount(), product), expected);
    EXPECT_EQ(Broken(isa::SetMaskNorm(), product), expected);
    EXPECT_EQ(Broken(isa::ResetMask(), product), expected);
    EXPECT_EQ(Anywhere(isa::SetMaskCount(), product), expected);
    EXPECT_EQ(Anywhere(isa::SetMaskNorm(), product), expected);
    EXPECT_EQ(Anywhere(isa::ResetMask(), product), expected);
  }
}

TEST(StateSteps, ResetMaskSetsAllOnesAndNoMode) {
  Machine m;
  EXPECT_EQ(m.oracle.mask_register(), kAllOnes);
  EXPECT_TRUE(m.Executes(isa::SetVectorMask{.high = 0x12, .low = 0x34}));
  EXPECT_EQ(m.oracle.mask_register(), std::pair(Word{0x12}, Word{0x34}));
  EXPECT_TRUE(m.Executes(isa::SetMaskCount()));
  EXPECT_EQ(m.oracle.mask_register(), std::pair(Word{0x12}, Word{0x34}));
  EXPECT_TRUE(m.Executes(isa::ResetMask()));
  EXPECT_EQ(m.oracle.mask_register(), kAllOnes);
  EXPECT_TRUE(m.oracle.counter_mode());
}

TEST(StateSteps, RejectedMaskStepsSetNothing) {
  Machine m(Product::kAtlasTraining);
  EXPECT_TRUE(m.Executes(isa::SetVectorMask{.high = 0, .low = 1}));
  EXPECT_FALSE(m.Executes(isa::SetMaskCount()));
  EXPECT_FALSE(m.Executes(isa::ResetMask()));
  EXPECT_FALSE(m.oracle.counter_mode());
  EXPECT_EQ(m.oracle.mask_register(), std::pair(Word{0}, Word{1}));
  // Run whatever they break, they act.
  EXPECT_TRUE(RunsExtended(m, isa::SetMaskCount()));
  EXPECT_TRUE(RunsExtended(m, isa::ResetMask()));
  EXPECT_TRUE(m.oracle.counter_mode());
  EXPECT_EQ(m.oracle.mask_register(), kAllOnes);
  EXPECT_FALSE(m.Executes(isa::SetMaskNorm()));
  EXPECT_TRUE(m.oracle.counter_mode());
  EXPECT_TRUE(RunsExtended(m, isa::SetMaskNorm()));
  EXPECT_FALSE(m.oracle.counter_mode());
}

TEST(StateSteps, FlagsAreNeverRejected) {
  for (std::size_t p = 0; p < isa::kCount<Product>; ++p) {
    const auto product = static_cast<Product>(p);
    const bool reserves = product != Product::kAtlasTraining &&
                          product != Product::kAtlasInferenceVectorcore &&
                          product != Product::kAtlas200_300_500;
    for (std::size_t e = 0; e < isa::kCount<isa::Event>; ++e) {
      const auto event = static_cast<isa::Event>(e);
      for (const std::int64_t id :
           {INT64_MIN, INT64_C(-1), INT64_C(0), INT64_C(5), INT64_C(6),
            INT64_C(7), INT64_C(8), INT64_MAX}) {
        const isa::SetFlag set{.event = event, .id = id};
        const isa::WaitFlag wait{.event = event, .id = id};
        const Ids notes = reserves && (id == 6 || id == 7)
                              ? Only(isa::sync::kFlagReserved)
                              : kNone;
        Machine m(product);
        const auto before = m.ub;
        // Wait of a clear flag, set, set of a set one, wait.
        for (const isa::Step& step :
             std::initializer_list<isa::Step>{wait, set, set, wait}) {
          EXPECT_TRUE(m.oracle.BrokenAnywhere(step).empty());
          const isa::StepResult result = m.Execute(step);
          EXPECT_EQ(result.status, isa::StepResult::Status::kExecuted);
          EXPECT_EQ(Texts(result.notes), notes);
          EXPECT_TRUE(m.oracle.accesses().empty());
          EXPECT_TRUE(RunsExtended(m, step));
        }
        EXPECT_EQ(m.ub, before);
      }
    }
  }
}

}  // namespace
}  // namespace lanediff::oracle
