// Targets that differ in one answer are distinguished by it.

#include <gtest/gtest.h>

#include <cmath>
#include <map>
#include <random>

#include "audit/characterize/characterise.h"
#include "audit/characterize/probes.h"
#include "audit/characterize/testing.h"

namespace lanediff::character {
namespace {

using isa::DType;
using test::Arithmetic;
using test::FoldOf;
using test::Model;

constexpr std::string_view kSum = "RepeatReduceSum";
constexpr std::string_view kProduct = "TROWPROD";

/// Question and about, of one type.
using Texts = std::map<std::string, std::string>;

Texts AnswersOf(const diff::Target& target, std::string_view op, DType dtype) {
  const Character c = Characterise(
      target,
      {.instruction = std::string(op), .lengths = {3, 17}, .goes_on = {}});
  Texts texts;
  for (const Answer& a : c.answers) {
    if (a.dtype != isa::Name(dtype)) continue;
    std::string key = a.question;
    if (!a.about.empty()) key += ", " + a.about;
    if (a.length != 0) key += " " + std::to_string(a.length);
    texts[key] = a.answer;
  }
  return texts;
}

/// What a target answers otherwise than the emulator: "rounding: up\n".
std::string Differing(const diff::Target& target, std::string_view op,
                      DType dtype) {
  static std::map<std::pair<std::string_view, DType>, Texts> documented;
  Texts& as_documented = documented[{op, dtype}];
  if (as_documented.empty()) {
    as_documented = AnswersOf(**diff::FindTarget("emulator"), op, dtype);
  }
  std::string differing;
  for (const auto& [key, answer] : AnswersOf(target, op, dtype)) {
    const auto found = as_documented.find(key);
    if (found == as_documented.end() || found->second != answer) {
      differing += key + ": " + answer + "\n";
    }
  }
  return differing;
}

TEST(Answers, OfOurOwnTwoAreTheSame) {
  for (const auto op : {kSum, kProduct, std::string_view("Min")}) {
    for (const DType dtype : {DType::kHalf, DType::kFloat}) {
      EXPECT_EQ(Differing(**diff::FindTarget("oracle"), op, dtype), "") << op;
    }
  }
}

struct Planted {
  std::string mutant;
  std::string_view op;
  DType dtype;
  std::string_view differing;
};

// clang-format off
const Planted kPlanted[] = {
    {"rrs-left-fold", kSum, DType::kHalf,
     "order 17: left-fold\n"
     "order 3: left-fold\n"
     "order, lanes 0, 2 to 3, 9 to 10, 12, 21, 32, 63 9: left-fold\n"},
    {"rrs-split-halves-float", kSum, DType::kFloat,
     "order 17: halves\n"
     "order 3: halves\n"
     "order, lanes 0, 2 to 3, 9 to 10, 12, 21, 32, 63 9: halves\n"},
    {"rrs-gaps-closed", kSum, DType::kHalf,
     "order, lanes 0, 2 to 3, 9 to 10, 12, 21, 32, 63 9: other\n"},
    {"rrs-double-accumulator", kSum, DType::kFloat,
     "accumulator: double\n"
     "order 17: left-fold\n"
     "order 3: left-fold\n"
     "order, lanes 0, 2 to 3, 9 to 10, 12, 21, 32, 63 9: left-fold\n"},
    {"rrs-float-accumulator", kSum, DType::kHalf,
     "accumulator: float\n"
     "nan, between nodes: becomes 0 at the end\n"
     "saturation: at the end\n"},
    // Rounded toward zero, nothing becomes infinite.
    {"rrs-truncates", kSum, DType::kHalf,
     "rounding: toward-zero\n"
     "saturation, saturation off: each node\n"},
    {"rrs-rounds-half-up", kSum, DType::kHalf,
     "rounding: nearest-away\n"},
    {"rrs-subnormals-flushed-in", kSum, DType::kFloat,
     "subnormals: flushed in\n"},
    {"rrs-subnormals-flushed-out", kSum, DType::kFloat,
     "subnormals: flushed out\n"},
    {"rrs-saturates-at-end", kSum, DType::kHalf,
     "nan, between nodes: becomes 0 at the end\n"
     "saturation: at the end\n"},
    {"rrs-saturates-upward-only", kSum, DType::kHalf,
     "saturation: each node above, at the end below\n"},
    {"rrs-saturates-nan-late", kSum, DType::kHalf,
     "nan, between nodes: becomes 0 at the end\n"},
    {"rrs-infinities-cancel", kSum, DType::kHalf,
     "nan, inf - inf, saturation off: 0\n"},
    {"rrs-passed-through-not-saturated", kSum, DType::kHalf,
     "saturation, one infinity alone: passes\n"},
    {"rrs-nan-lanes-skipped", kSum, DType::kFloat,
     "nan: skipped\n"},
    {"rrs-missing-lanes-are-zero", kSum, DType::kFloat,
     "zero-sign: (-0, -0) is 0; (-0) is 0; (-0, -0, -0) is 0\n"},
    {"rrs-iterations-reversed", kSum, DType::kHalf,
     "iterations, one destination: the first one wins\n"},
    {"rrs-writes-whole-block", kSum, DType::kHalf,
     "iterations, other bytes: zeroed\n"},
    {"rrs-repeat-256-accepted", kSum, DType::kHalf,
     "illegal, RRS-REPEAT: executes\n"},
    {"trp-documented-as-left-fold", kProduct, DType::kFloat,
     "order 17: left-fold\n"
     "order 3: left-fold\n"
     "order, order documented 17: left-fold\n"
     "order, order documented 3: left-fold\n"},
    {"trp-double-accumulator", kProduct, DType::kFloat,
     "accumulator, order left-fold: double\n"},
    {"trp-block-lanes-chain-in-half", kProduct, DType::kHalf,
     "accumulator, order block-lanes: half\n"
     "saturation, order block-lanes: each node\n"},
    {"trp-saturates-at-end", kProduct, DType::kHalf,
     "saturation: at the end\n"
     "saturation, order documented: at the end\n"},
    {"trp-half-written-as-32-bits", kProduct, DType::kHalf,
     "iterations, other bytes: zeroed\n"},
    {"min-half-nan-dropped", "Min", DType::kHalf,
     "nan: skipped\n"
     "nan, saturation off: skipped\n"},
    {"min-float-nan-second-operand", "Min", DType::kFloat,
     "nan: second operand\n"},
    {"min-half-zero-sign-by-order", "Min", DType::kHalf,
     "min-ties: first operand\n"},
    {"min-float-zero-sign-by-order", "Min", DType::kFloat,
     "min-ties: second operand\n"},
    {"min-float-subnormals-flushed", "Min", DType::kFloat,
     "subnormals: flushed\n"},
    {"min-vectors-read-before-all-writes", "Min", DType::kFloat,
     "iterations: does not see them\n"},
};
// clang-format on

class PlantedAnswers : public testing::TestWithParam<Planted> {};

TEST_P(PlantedAnswers, DifferWhereTheDefectIsAndNowhereElse) {
  const Planted& planted = GetParam();
  EXPECT_EQ(Differing(**diff::FindTarget("mutant:" + planted.mutant),
                      planted.op, planted.dtype),
            planted.differing);
}

INSTANTIATE_TEST_SUITE_P(Mutants, PlantedAnswers, testing::ValuesIn(kPlanted),
                         [](const auto& param) {
                           std::string name = param.param.mutant;
                           std::ranges::replace(name, '-', '_');
                           return name;
                         });

TEST(Answers, RoundingsOfSumsAndProducts) {
  for (const auto op : {kSum, kProduct, std::string_view("Sub")}) {
    for (const DType dtype : {DType::kHalf, DType::kFloat}) {
      for (std::size_t r = 0; r < isa::kCount<Rounding>; ++r) {
        const Model model(
            op, dtype,
            {.accumulator = dtype, .rounding = static_cast<Rounding>(r)});
        ProbeRunner runner(model, nullptr);
        Prober prober(runner, FoldOf(op, dtype));
        EXPECT_EQ(RoundingOf(prober).answer,
                  isa::Name(static_cast<Rounding>(r)));
      }
    }
  }
}

std::string AccumulatorOfModel(std::string_view op, DType dtype, DType wide) {
  const Model model(op, dtype, {.accumulator = wide});
  ProbeRunner runner(model, nullptr);
  Prober prober(runner, FoldOf(op, dtype));
  return AccumulatorOf(prober).answer;
}

TEST(Answers, WidthsOfAccumulators) {
  EXPECT_EQ(AccumulatorOfModel(kSum, DType::kHalf, DType::kHalf), "half");
  EXPECT_EQ(AccumulatorOfModel(kSum, DType::kHalf, DType::kFloat), "float");
  EXPECT_EQ(AccumulatorOfModel(kSum, DType::kHalf, DType::kDouble), "exact");
  EXPECT_EQ(AccumulatorOfModel(kSum, DType::kFloat, DType::kFloat), "float");
  EXPECT_EQ(AccumulatorOfModel(kSum, DType::kFloat, DType::kDouble), "double");
  EXPECT_EQ(AccumulatorOfModel(kProduct, DType::kHalf, DType::kHalf), "half");
  EXPECT_EQ(AccumulatorOfModel(kProduct, DType::kHalf, DType::kFloat), "float");
  EXPECT_EQ(AccumulatorOfModel(kProduct, DType::kHalf, DType::kDouble),
            "double");
  EXPECT_EQ(AccumulatorOfModel(kProduct, DType::kFloat, DType::kFloat),
            "float");
  EXPECT_EQ(AccumulatorOfModel(kProduct, DType::kFloat, DType::kDouble),
            "double");
}

}  // namespace
}  // namespace lanediff::character
