// Fill: which bytes it takes. Atomic modes: what copies leave.

#include <algorithm>
#include <bit>
#include <cstring>
#include <limits>
#include <vector>

#include "kernel/carried/call_testing.h"

namespace lanediff::kernel {
namespace {

using Bytes = std::vector<std::uint8_t>;
using isa::Memory;

TEST(Fill, WritesElementsOfGm) {
  Call call("InitGlobalMemory");
  call.Operand(kDst, LANEDIFF_HALF, 6, Memory::kGm).Number("size", 3);
  call.Scalar(LANEDIFF_HALF, 0x3c00);
  EXPECT_EQ(call.Touched(), "0 dst=6+6");
  EXPECT_EQ(call.Plan()->pipe, isa::Pipe::kMte3);
  call.Run();
  EXPECT_EQ(call.Get<std::uint16_t>(4, 5, Memory::kGm),
            (std::vector<std::uint16_t>{
                call.Get<std::uint16_t>(4, 1, Memory::kGm)[0], 0x3c00, 0x3c00,
                0x3c00, call.Get<std::uint16_t>(12, 1, Memory::kGm)[0]}));
  EXPECT_NE(call.Get<std::uint16_t>(12, 1, Memory::kGm)[0], 0x3c00);
  call.call.state.atomic = "add";
  EXPECT_EQ(call.Refused(), "InitGlobalMemory in an atomic mode");
  Call negative("Fill");
  negative.Operand(kDst, LANEDIFF_FLOAT, 0, Memory::kGm).Number("size", -1);
  negative.Scalar(LANEDIFF_FLOAT, 0);
  EXPECT_EQ(negative.OutOfRange(), "size");
}

// ---- Copies to GM in an atomic mode: every element once, no byte beyond -----

VectorState Mode(std::string_view operation, bool saturation = true) {
  VectorState state;
  state.atomic = operation;
  state.saturation = saturation;
  return state;
}

/// `src` into `dst`, whose bytes behind `bytes` must stay.
template <class T>
std::vector<T> Into(const VectorState& state, std::uint8_t dtype,
                    const std::vector<T>& dst, const std::vector<T>& src,
                    std::int64_t bytes) {
  constexpr std::size_t kGuard = 8192;
  const std::size_t size = dst.size() * sizeof(T);
  Bytes to(size + kGuard, 0xee);
  std::memcpy(to.data(), dst.data(), size);
  Bytes from(src.size() * sizeof(T) + kGuard, 0x11);
  std::memcpy(from.data(), src.data(), src.size() * sizeof(T));
  carried::Accumulate(state, dtype, to.data(), from.data(), bytes);
  EXPECT_TRUE(std::all_of(to.begin() + static_cast<std::ptrdiff_t>(size),
                          to.end(), [](auto byte) { return byte == 0xee; }))
      << "beyond " << bytes << " bytes";
  std::vector<T> out(dst.size());
  std::memcpy(out.data(), to.data(), size);
  return out;
}

TEST(Atomic, SumsOfEveryLengthEndWithTheirBytes) {
  for (const std::size_t count :
       {1UL, 16UL, 1023UL, 1024UL, 1025UL, 2047UL, 2048UL, 2049UL, 5000UL}) {
    std::vector<std::int32_t> dst(count), src(count), expected(count);
    for (std::size_t i = 0; i < count; ++i) {
      dst[i] = static_cast<std::int32_t>(i * i);
      src[i] = static_cast<std::int32_t>(7 * i + 1);
      expected[i] = dst[i] + src[i];
    }
    const auto bytes = static_cast<std::int64_t>(4 * count);
    EXPECT_EQ(Into(Mode("add"), LANEDIFF_INT32, dst, src, bytes), expected)
        << count;
  }
}

TEST(Atomic, ARestThatIsNoElementStays) {
  const std::vector<std::int32_t> dst = {1, 2, 3}, src = {10, 20, 30};
  const auto sum = [&](std::int64_t bytes) {
    return Into(Mode("add"), LANEDIFF_INT32, dst, src, bytes);
  };
  EXPECT_EQ(sum(3), dst);
  EXPECT_EQ(sum(4), (std::vector<std::int32_t>{11, 2, 3}));
  EXPECT_EQ(sum(11), (std::vector<std::int32_t>{11, 22, 3}));
  EXPECT_EQ(sum(0), dst);
}

/// One element by another.
template <class T>
T One(const VectorState& state, std::uint8_t dtype, T dst, T src) {
  return Into<T>(state, dtype, {dst}, {src}, sizeof(T))[0];
}

TEST(Atomic, OperationsAndTypes) {
  const auto add = Mode("add");
  const auto max = Mode("max");
  const auto min = Mode("min");
  EXPECT_EQ(One<float>(add, LANEDIFF_FLOAT, 1.5f, -4), -2.5f);
  EXPECT_EQ(One<float>(max, LANEDIFF_FLOAT, 1.5f, -4), 1.5f);
  EXPECT_EQ(One<float>(min, LANEDIFF_FLOAT, 1.5f, -4), -4);
  EXPECT_EQ(One<std::uint16_t>(add, LANEDIFF_HALF, HalfOf(3), HalfOf(0.5)),
            HalfOf(3.5));
  EXPECT_EQ(One<std::uint16_t>(max, LANEDIFF_HALF, HalfOf(-3), HalfOf(0.5)),
            HalfOf(0.5));
  EXPECT_EQ(One<std::uint16_t>(min, LANEDIFF_HALF, HalfOf(-3), HalfOf(0.5)),
            HalfOf(-3));
  EXPECT_EQ(One<std::uint16_t>(add, LANEDIFF_BFLOAT16, 0x3f80, 0x4000), 0x4040);
  EXPECT_EQ(One<std::uint16_t>(max, LANEDIFF_BFLOAT16, 0x3f80, 0x4000), 0x4000);
  EXPECT_EQ(One<std::uint16_t>(min, LANEDIFF_BFLOAT16, 0x3f80, 0x4000), 0x3f80);
  EXPECT_EQ(One<std::int8_t>(add, LANEDIFF_INT8, -100, 90), -10);
  EXPECT_EQ(One<std::int8_t>(max, LANEDIFF_INT8, -100, 90), 90);
  EXPECT_EQ(One<std::int8_t>(min, LANEDIFF_INT8, -100, 90), -100);
  EXPECT_EQ(One<std::int16_t>(min, LANEDIFF_INT16, -1000, 999), -1000);
  EXPECT_EQ(One<std::int32_t>(max, LANEDIFF_INT32, -1000000, 999), 999);
}

TEST(Atomic, SumsSaturateAsTheVectorUnitDoes) {
  for (const bool on : {true, false}) {
    const auto add = Mode("add", on);
    EXPECT_EQ(One<std::int8_t>(add, LANEDIFF_INT8, 100, 100), on ? 127 : -56);
    EXPECT_EQ(One<std::int16_t>(add, LANEDIFF_INT16, -30000, -30000),
              on ? -32768 : 5536);
    EXPECT_EQ(One<std::int32_t>(add, LANEDIFF_INT32, INT32_MAX, 1),
              on ? INT32_MAX : INT32_MIN);
    EXPECT_EQ(One<std::uint16_t>(add, LANEDIFF_HALF, 0x7bff, 0x7bff),
              on ? 0x7bff : 0x7c00);
    EXPECT_EQ(One<std::uint16_t>(add, LANEDIFF_BFLOAT16, 0x7f7f, 0x7f7f),
              on ? 0x7f7f : 0x7f80);
    EXPECT_EQ(One<std::uint16_t>(add, LANEDIFF_BFLOAT16, 0xff7f, 0xff7f),
              on ? 0xff7f : 0xff80);
    EXPECT_EQ(One<std::uint16_t>(add, LANEDIFF_BFLOAT16, 0x7fc1, 0),
              on ? 0 : 0x7fc0);
    EXPECT_EQ(std::bit_cast<std::uint32_t>(One<float>(
                  add, LANEDIFF_FLOAT, std::numeric_limits<float>::max(),
                  std::numeric_limits<float>::max())),
              0x7f800000U);
  }
}

TEST(Atomic, SumsOfBfloat16RoundTiesToEven) {
  const auto add = Mode("add");
  // 1, 1 + 2⁻⁷ and 1 + 2⁻⁶, to which 2⁻⁸ adds half a step.
  EXPECT_EQ(One<std::uint16_t>(add, LANEDIFF_BFLOAT16, 0x3f80, 0x3b80), 0x3f80);
  EXPECT_EQ(One<std::uint16_t>(add, LANEDIFF_BFLOAT16, 0x3f81, 0x3b80), 0x3f82);
  EXPECT_EQ(One<std::uint16_t>(add, LANEDIFF_BFLOAT16, 0x3f82, 0x3b80), 0x3f82);
  EXPECT_EQ(One<std::uint16_t>(add, LANEDIFF_BFLOAT16, 0x3f80, 0x3b81), 0x3f81);
  EXPECT_EQ(One<std::uint16_t>(add, LANEDIFF_BFLOAT16, 0x3f81, 0x3b7f), 0x3f81);
  EXPECT_EQ(One<std::uint16_t>(add, LANEDIFF_BFLOAT16, 0xbf81, 0xbb80), 0xbf82);
}

TEST(Atomic, SetAtomicTypeGoesBeforeTheCopysType) {
  VectorState state = Mode("add");
  state.atomic_dtype = LANEDIFF_INT16;
  const std::vector<std::uint16_t> dst = {1, 0x7fff}, src = {2, 3};
  EXPECT_EQ(Into(state, LANEDIFF_HALF, dst, src, 4),
            (std::vector<std::uint16_t>{3, 0x7fff}));
}

}  // namespace
}  // namespace lanediff::kernel
