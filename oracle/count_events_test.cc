#include "oracle/count_events.h"

#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>
#include <string>

#include "isa/vocabulary.h"
#include "oracle/calls_testing.h"
#include "oracle/testing.h"

namespace lanediff::oracle {
namespace {

/// The events that happened, "rounded ×2" if twice.
std::string Happened(const isa::NumericEvents& events) {
  std::string text;
  for (std::size_t i = 0; i < events.counts.size(); ++i) {
    if (events.counts[i] == 0) continue;
    text.append(text.empty() ? "" : " ")
        .append(isa::Name(static_cast<isa::NumericEvent>(i)));
    if (events.counts[i] > 1) text += " ×" + std::to_string(events.counts[i]);
  }
  return text;
}

constexpr std::uint64_t kOne = 0x3c00;
constexpr std::uint64_t kMinusOne = 0xbc00;
constexpr std::uint64_t kGreatest = 0x7bff;
constexpr std::uint64_t kLowest = 0xfbff;
constexpr std::uint64_t kInf = 0x7c00;
constexpr std::uint64_t kMinusInf = 0xfc00;
constexpr std::uint64_t kNanBits = 0x7e01;
constexpr std::uint64_t kMinusZeroBits = 0x8000;

/// The node of an operation, and what counts its events.
struct Of {
  decltype(&Add) compute;
  decltype(&CountAdd) count;

  std::string operator()(std::uint64_t left, std::uint64_t right,
                         bool saturation, DType type) const {
    isa::NumericEvents events;
    count(type, left, right, compute(type, left, right, saturation), events);
    return Happened(events);
  }
};
constexpr Of kAdd{Add, CountAdd};
constexpr Of kSubtract{Subtract, CountSubtract};
constexpr Of kMultiply{Multiply, CountMultiply};
constexpr Of kMinimum{Minimum, CountExtremum};
constexpr Of kMaximum{Maximum, CountExtremum};
constexpr Of kLeaky{LeakyRelu, CountLeakyRelu};
constexpr Of kAddRelu{AddRelu, CountAdd};
constexpr Of kSubRelu{SubRelu, CountSubtract};

TEST(Events, OfNodes) {
  struct Row {
    const Of& of;
    std::uint64_t left, right;
    bool saturation;
    const char* events;
    DType type = DType::kHalf;
  };
  const Row rows[] = {
      {kAdd, kOne, kOne, true, ""},
      {kAdd, kOne, 0x0001, true, "rounded"},
      {kAdd, kOne, 0x1000, true, "rounded tie"},
      {kAdd, kGreatest, kGreatest, true, "rounded saturated-high"},
      {kAdd, kLowest, kLowest, true, "rounded saturated-low"},
      {kAdd, kLowest, kLowest, false, "rounded overflowed"},
      {kAdd, kInf, kOne, true, "saturated-high infinity-input"},
      {kAdd, kInf, kOne, false, "infinity-input"},
      {kAdd, kInf, kMinusInf, true, "nan-saturated infinity-input"},
      {kAdd, kInf, kMinusInf, false, "nan-made infinity-input"},
      {kAdd, kNanBits, kOne, true, "nan-saturated nan-swallowed"},
      {kAdd, kNanBits, kOne, false, ""},
      {kAdd, 0x0001, 0x0001, true, "subnormal"},
      {kAdd, kMinusZeroBits, kMinusZeroBits, true, "minus-zero"},
      {kAdd, kOne, kMinusOne, true, "cancellation"},
      {kAdd, kMinusZeroBits, 0, true, "minus-zero-against-plus-zero"},
      // As the sum with the other operand's negative.
      {kSubtract, kOne, kMinusOne, true, ""},
      {kSubtract, kOne, kOne, true, "cancellation"},
      {kSubtract, kOne, 0x9000, true, "rounded tie"},
      {kSubtract, kGreatest, kLowest, true, "rounded saturated-high"},
      {kSubtract, kLowest, kGreatest, false, "rounded overflowed"},
      {kSubtract, kInf, kInf, true, "nan-saturated infinity-input"},
      {kSubtract, kNanBits, kOne, true, "nan-saturated nan-swallowed"},
      {kSubtract, kMinusZeroBits, 0, true, "minus-zero"},
      {kSubtract, 0, 0, true, "minus-zero-against-plus-zero"},
      {kMultiply, kOne, kMinusOne, true, ""},
      {kMultiply, kMinusZeroBits, 0, true, "minus-zero"},
      {kMultiply, kInf, 0, false, "nan-made infinity-input"},
      {kMultiply, kGreatest, kLowest, true, "rounded saturated-low"},
      {kMultiply, 0x0003, 0x3800, true, "rounded tie subnormal"},
      {kMinimum, kOne, kMinusOne, true, ""},
      {kMinimum, 0, kMinusZeroBits, true,
       "minus-zero minus-zero-against-plus-zero"},
      {kMinimum, kMinusInf, kOne, true, "saturated-low infinity-input"},
      {kMinimum, kNanBits, kOne, true, "nan-saturated nan-swallowed"},
      {kMaximum, kOne, kMinusOne, true, ""},
      {kMaximum, kMinusZeroBits, 0, true, "minus-zero-against-plus-zero"},
      {kMaximum, kInf, kOne, true, "saturated-high infinity-input"},
      {kMaximum, 0x0001, kMinusOne, true, "subnormal"},
      {kMaximum, kNanBits, kOne, true, "nan-saturated nan-swallowed"},
      // The slope takes part only below zero and of −0.
      {kLeaky, kOne, kNanBits, true, ""},
      {kLeaky, 0, kInf, false, ""},
      {kLeaky, 0x0001, kMinusInf, true, "subnormal"},
      {kLeaky, kInf, kNanBits, true, "saturated-high infinity-input"},
      {kLeaky, kMinusOne, kNanBits, true, "nan-saturated nan-swallowed"},
      {kLeaky, kMinusZeroBits, kInf, false, "nan-made infinity-input"},
      {kLeaky, kMinusZeroBits, kOne, true, "minus-zero"},
      {kLeaky, kLowest, kGreatest, true, "rounded saturated-low"},
      {kLeaky, 0x8003, 0x3800, true, "rounded tie subnormal"},
      // A sum that becomes +0 counts with its inputs alone.
      {kAddRelu, kOne, 0x0001, true, "rounded"},
      {kAddRelu, kMinusOne, 0x8001, true, ""},
      {kAddRelu, kOne, 0xc000, true, ""},
      {kAddRelu, kOne, kMinusOne, true, "cancellation"},
      {kAddRelu, kGreatest, kGreatest, true, "rounded saturated-high"},
      {kAddRelu, kLowest, kLowest, true, ""},
      {kAddRelu, kLowest, kLowest, false, ""},
      {kAddRelu, kMinusInf, kOne, true, "infinity-input"},
      {kAddRelu, kInf, kMinusInf, false, "nan-made infinity-input"},
      {kAddRelu, kNanBits, kOne, true, "nan-saturated nan-swallowed"},
      {kAddRelu, kMinusZeroBits, kMinusZeroBits, true, ""},
      {kAddRelu, kMinusZeroBits, 0, true, "minus-zero-against-plus-zero"},
      {kSubRelu, kOne, kOne, true, "cancellation"},
      {kSubRelu, kOne, 0x4000, true, ""},
      {kSubRelu, kGreatest, kLowest, false, "rounded overflowed"},
      {kAddRelu, 0x7fff, 1, true, "integer-saturated", DType::kInt16},
      {kAddRelu, 0x7fff, 1, false, "integer-wrapped", DType::kInt16},
      {kAddRelu, 0x8000, 0xffff, true, "", DType::kInt16},
      {kSubRelu, 0x8000, 1, false, "integer-wrapped", DType::kInt16},
      // Of integers nothing but what leaves the type.
      {kAdd, 0x7fff, 1, true, "integer-saturated", DType::kInt16},
      {kAdd, 0x7fff, 1, false, "integer-wrapped", DType::kInt16},
      {kAdd, 0x7ffe, 1, true, "", DType::kInt16},
      {kAdd, 1, 0xffff, true, "", DType::kInt16},
      {kSubtract, 0, 0x8000, true, "integer-saturated", DType::kInt16},
      {kSubtract, 0, 0x8000, false, "integer-wrapped", DType::kInt16},
      {kSubtract, 0, 0x8001, true, "", DType::kInt16},
      {kMultiply, 0x100, 0x100, true, "integer-saturated", DType::kInt16},
      {kMultiply, 0x100, 0x100, false, "integer-wrapped", DType::kInt16},
      {kMultiply, 0x8000, 0, true, "", DType::kInt16},
      {kMinimum, 0, 0x8000, true, "", DType::kInt16},  // like -0
  };
  for (const Row& row : rows) {
    EXPECT_EQ(row.of(row.left, row.right, row.saturation, row.type), row.events)
        << &row - rows << std::hex << " " << row.left << " " << row.right;
  }
}

TEST(Events, OfAbsolute) {
  struct Row {
    std::uint64_t bits;
    bool saturation;
    const char* events;
    DType type = DType::kHalf;
  };
  const Row rows[] = {
      {kMinusOne, true, ""},
      {kMinusZeroBits, true, ""},
      {0x8001, true, "subnormal"},
      {kMinusInf, true, "saturated-high infinity-input"},
      {kMinusInf, false, "infinity-input"},
      {kNanBits, true, "nan-saturated nan-swallowed"},
      {kNanBits, false, ""},
      {0x7fc00000, true, "", DType::kFloat},
      {0x8000, true, "integer-saturated", DType::kInt16},
      {0x8000, false, "integer-wrapped", DType::kInt16},
      {0x8001, true, "", DType::kInt16},
  };
  for (const Row& row : rows) {
    isa::NumericEvents events;
    CountAbsolute(row.type, row.bits,
                  Absolute(row.type, row.bits, row.saturation), events);
    EXPECT_EQ(Happened(events), row.events) << &row - rows;
  }
}

TEST(Events, OfRelu) {
  struct Row {
    std::uint64_t bits;
    bool saturation;
    const char* events;
    DType type = DType::kHalf;
  };
  const Row rows[] = {
      {kOne, true, ""},
      {kMinusOne, true, ""},
      {0, true, ""},
      {kMinusZeroBits, true, "minus-zero-against-plus-zero"},
      {0x0001, true, "subnormal"},
      {0x8001, true, ""},
      {kInf, true, "saturated-high infinity-input"},
      {kInf, false, "infinity-input"},
      {kMinusInf, true, "infinity-input"},
      {kNanBits, true, "nan-saturated nan-swallowed"},
      {kNanBits, false, ""},
      {0x7fc00000, true, "", DType::kFloat},
      {0x80000000, true, "", DType::kInt32},
  };
  for (const Row& row : rows) {
    isa::NumericEvents events;
    CountRelu(row.type, row.bits, Relu(row.type, row.bits, row.saturation),
              events);
    EXPECT_EQ(Happened(events), row.events) << &row - rows;
  }
}

/// Each of the two nodes by itself, whatever Relu leaves of the sum.
TEST(Events, OfMultiplyAdd) {
  struct Row {
    std::uint64_t left, right, term;
    bool saturation;
    std::string events;
  };
  const Row rows[] = {
      {kGreatest, kGreatest, kLowest, true,
       "rounded saturated-high cancellation"},
      {0, kInf, kOne, true, "nan-saturated infinity-input"},
      {0, kInf, kOne, false, "nan-made infinity-input"},
      {kLowest, kGreatest, kOne, true, "rounded ×2 saturated-low"},
  };
  for (const Row& row : rows) {
    for (const auto node : {MultiplyAdd, MultiplyAddRelu}) {
      isa::NumericEvents events;
      CountMultiplyAdd(
          DType::kHalf, row.left, row.right, row.term,
          node(DType::kHalf, row.left, row.right, row.term, row.saturation),
          row.saturation, events);
      EXPECT_EQ(Happened(events), row.events) << &row - rows;
    }
  }
}

TEST(Events, OfWrite) {
  isa::NumericEvents events;
  CountWrite(DType::kHalf, kInf, DType::kHalf, Write(DType::kHalf, kInf, true),
             events);
  EXPECT_EQ(Happened(events), "saturated-high infinity-input");
}

TEST(OracleEvents, AreThoseOfTheLastStep) {
  Machine machine;
  machine.Put(DType::kHalf, 1024, {kOne, kMinusOne, kGreatest, kGreatest});
  ASSERT_TRUE(machine.Executes(test::SumCall(4)));
  // 1 - 1, 65504 + 65504, and the sum of the two.
  EXPECT_EQ(Happened(machine.oracle.events()),
            "rounded saturated-high cancellation");

  ASSERT_TRUE(machine.Executes(test::SumCall(2)));
  EXPECT_EQ(Happened(machine.oracle.events()), "cancellation");

  ASSERT_FALSE(machine.Executes(test::SumCall(129)));
  EXPECT_EQ(Happened(machine.oracle.events()), "");
}

}  // namespace
}  // namespace lanediff::oracle
