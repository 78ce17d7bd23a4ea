#pragma once

#include <gtest/gtest.h>

#include <array>
#include <bit>
#include <cstdint>
#include <cstring>
#include <deque>
#include <initializer_list>
#include <limits>
#include <string>
#include <vector>

#include "kernel/carried/carried.h"

/// Makes unaudited calls on memories of a few KiB and prints their accesses.
namespace lanediff::kernel::test {

class Call {
 public:
  explicit Call(const char* name);
  // Operands lead into its memories, which a copy would have again.
  Call(const Call&) = delete;
  Call(Call&&) = default;

  /// An operand from `at` on; its window reaches to the memory's end.
  Call& Operand(isa::OperandName name, std::uint8_t dtype, std::int64_t at,
                isa::Memory memory = isa::Memory::kUb);
  Call& Number(const std::string& name, std::int64_t value);
  Call& Numbers(const std::vector<const char*>& names,
                const std::vector<std::int64_t>& values);
  /// Of dst and the sources, the blocks' first, as the documents have them:
  /// four of one source, six of two, three of a reduction.
  Call& Strides(const std::vector<std::int64_t>& strides);
  Call& Word(const std::string& name, const char* text);
  Call& Form(std::uint8_t form, std::uint64_t low = 0, std::uint64_t high = 0);
  Call& Count(std::int64_t count);
  /// A number of lanes, or bits; and repeatTime.
  Call& Mask(std::uint64_t lanes, std::int64_t repeat);
  Call& MaskBits(std::uint64_t low, std::uint64_t high, std::int64_t repeat);
  Call& NoSetMask();
  Call& Scalar(std::uint8_t dtype, std::uint64_t bits);
  Call& Counter(std::uint64_t elements);
  Call& Saturation(bool on);
  Call& On(isa::Product product);

  template <class T>
  Call& Put(std::int64_t at, const std::vector<T>& values,
            isa::Memory memory = isa::Memory::kUb) {
    std::memcpy(BytesOf(memory) + at, values.data(), values.size() * sizeof(T));
    return *this;
  }
  template <class T>
  std::vector<T> Get(std::int64_t at, std::int64_t count,
                     isa::Memory memory = isa::Memory::kUb) {
    std::vector<T> values(count);
    std::memcpy(values.data(), BytesOf(memory) + at, count * sizeof(T));
    return values;
  }
  template <class T>
  T Get(std::int64_t at) {
    return Get<T>(at, 1)[0];
  }

  /// The call without its operands.
  const lanediff_call& Raw();
  std::expected<CarriedPlan, std::string> Plan();
  /// "0 src 0+64 dst=128+64; 1 …": iteration, what it reads, what it writes.
  std::string Touched();
  /// Why it is refused, or "".
  std::string Refused();
  /// Names of parameters outside of their range.
  std::string OutOfRange();
  /// Plans and computes; the number that `Compute` returns.
  std::uint64_t Run();

  CarriedCall call;

 private:
  std::uint8_t* BytesOf(isa::Memory memory) {
    return memory == isa::Memory::kGm ? gm_.data() : ub_.data();
  }

  lanediff_call raw_{};
  std::deque<std::string> names_;
  std::deque<lanediff_parameter> parameters_;
  std::vector<lanediff_parameter> flat_;
  std::vector<std::uint8_t> ub_;
  std::vector<std::uint8_t> gm_;
};

/// A mask of all lanes.
inline constexpr std::array<std::uint64_t, 2> kAllLanes = {~std::uint64_t{0},
                                                           ~std::uint64_t{0}};

/// A call with operands at places of their own: dst at 8192, dst1 at 12288, src
/// and src0 at 0, src1 and offset at 4096, tmp and mask at 16384. They are of
/// `dtype`; offsets of 32 bits, a mask of bytes.
Call Of(const char* name, std::uint8_t dtype,
        const std::vector<isa::OperandName>& operands);
/// Of dst and src; and of dst, src0 and src1.
Call Unary(const char* name, std::uint8_t dtype);
Call Binary(const char* name, std::uint8_t dtype);

/// Halves of numbers, by the compiler's own conversion.
std::vector<std::uint16_t> Halves(std::initializer_list<double> values);
std::uint16_t HalfOf(double value);
double OfHalf(std::uint16_t bits);

}  // namespace lanediff::kernel::test

// Names that these tests share.
namespace lanediff::kernel {

using isa::OperandName;
using test::Binary;
using test::Call;
using test::HalfOf;
using test::Halves;
using test::Of;
using test::Unary;
using enum isa::OperandName;
using Floats = std::vector<float>;

constexpr float kInf = std::numeric_limits<float>::infinity();
constexpr float kNan = std::numeric_limits<float>::quiet_NaN();

inline std::uint64_t FloatBits(float value) {
  return std::bit_cast<std::uint32_t>(value);
}

}  // namespace lanediff::kernel
