#include "oracle/state_steps.h"

#include <gtest/gtest.h>

#include <cstddef>

#include "isa/state.h"
#include "isa/vocabulary.h"
#include "oracle/rules_testing.h"
#include "oracle/testing.h"

/// The rules of the steps that set machine state.
namespace lanediff::oracle {
namespace {

using isa::DType;
using isa::Product;
using test::Ids;
using test::Machine;
using test::Only;
using test::SumCall;
using test::Texts;

const Ids kNone;

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

}  // namespace
}  // namespace lanediff::oracle
