#pragma once

#include <gtest/gtest.h>

#include <string_view>

#include "isa/step.h"
#include "isa/vocabulary.h"
#include "oracle/rules_testing.h"
#include "oracle/testing.h"

/// For tests of calls that break rules.
namespace lanediff::oracle::test {

/// Every rule that `step` breaks by itself on a new machine.
inline Ids Anywhere(const isa::Step& step,
                    isa::Product product = isa::Product::kAtlasA2) {
  const Machine m(product);
  const auto before = m.ub;
  const Ids broken = Texts(m.oracle.BrokenAnywhere(step));
  EXPECT_EQ(m.ub, before);
  return broken;
}

/// Runs `step` on a `Machine` or a `Board`.
template <class M>
testing::AssertionResult RunsExtended(M& m, const isa::Step& step) {
  const auto done = m.oracle.ExecuteExtended(step);
  if (done) return testing::AssertionSuccess();
  return testing::AssertionFailure() << "refused: " << done.error();
}

/// Whether `step` is refused for `reason` without an effect on memory.
inline testing::AssertionResult ChangesNothing(Machine& m,
                                               const isa::Step& step,
                                               std::string_view reason) {
  const auto before = m.ub;
  const auto done = m.oracle.ExecuteExtended(step);
  if (done) return testing::AssertionFailure() << "it ran";
  if (m.ub != before) return testing::AssertionFailure() << "memory changed";
  if (!m.oracle.accesses().empty()) {
    return testing::AssertionFailure() << "accesses are listed";
  }
  if (done.error() != reason) {
    return testing::AssertionFailure() << "refused: " << done.error();
  }
  return testing::AssertionSuccess();
}

}  // namespace lanediff::oracle::test
