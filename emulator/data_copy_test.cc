// Copies that pad, of blocks of several chunks, and the bytes that they keep.

#include "emulator/data_copy.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <cstring>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "emulator/address.h"
#include "emulator/emulator.h"
#include "isa/call.h"

namespace lanediff::emulator {
namespace {

using isa::DType;
using isa::Param;
using isa::Position;
using Bytes = std::vector<std::uint8_t>;

constexpr std::int64_t kInUb = 64;
constexpr std::int64_t kInGm = 7;
/// Of a block: two chunks, and a tail that ends within a DataBlock.
constexpr std::int64_t kLength = 2 * 4096 + 40;
constexpr std::int64_t kGmStep = kLength + 3;

std::int64_t WholeBlocks(std::int64_t bytes) {
  return (bytes + kBlockBytes - 1) / kBlockBytes * kBlockBytes;
}

struct Board {
  Bytes ub;
  Bytes gm;

  Board() {
    std::mt19937 random(1);
    for (Bytes* memory : {&ub, &gm}) {
      memory->resize(20000);
      for (auto& byte : *memory) byte = static_cast<std::uint8_t>(random());
    }
  }

  bool operator==(const Board&) const = default;
};

/// Two blocks with gaps of 3 bytes in GM and of a DataBlock in UB.
isa::Call CallOf(DType dtype, bool is_into_ub) {
  isa::Call c = isa::CallOf("DataCopyPad");
  c.SetBlocks(2, kLength, is_into_ub ? 3 : 1, is_into_ub ? 1 : 3);
  c.form = is_into_ub ? 0 : 1;
  c.dtype = dtype;
  (is_into_ub ? c.dst() : c.src(0)) = {
      .position = Position::kVecin, .at = kInUb, .bytes = 19000, .dtype = {}};
  (is_into_ub ? c.src(0) : c.dst()) = {
      .position = Position::kGm, .at = kInGm, .bytes = 19000, .dtype = {}};
  return c;
}

/// With the plain seams, and with those of every target that runs here.
void Expect(const isa::Call& call, const Board& expected) {
  std::vector<std::pair<std::string, Seams>> all = {{"plain", Seams{}}};
  for (const VectorTarget target : RunnableTargets()) {
    all.emplace_back(NameOf(target), SeamsOf(target));
  }
  for (const auto& [name, seams] : all) {
    SCOPED_TRACE(name);
    Board board;
    isa::Memories memories;
    memories[isa::Memory::kUb] = board.ub;
    memories[isa::Memory::kGm] = board.gm;
    Emulator emulator(isa::Product::kAtlasA2, memories, seams);
    EXPECT_TRUE(emulator.Execute(call).rules.empty());
    EXPECT_TRUE(board == expected);
  }
}

TEST(PaddedCopy, IntoUbInChunks) {
  for (const DType dtype :
       {DType::kInt8, DType::kHalf, DType::kFloat, DType::kDouble}) {
    const std::int64_t size = ElementBytes(dtype);
    for (const std::int64_t padding : {0, 1, 3}) {
      for (const bool is_pad : {false, true}) {
        SCOPED_TRACE(testing::Message() << size << " " << padding << is_pad);
        isa::Call call = CallOf(dtype, /*is_into_ub=*/true);
        call[Param::kLeftPadding] = call[Param::kRightPadding] = padding;
        call.is_pad = is_pad;
        if (size < 8) call.scalar = 0x87654321 >> (32 - 8 * size);
        const std::int64_t left = padding * size;
        const std::int64_t width = WholeBlocks(2 * left + kLength);
        Board expected;
        for (std::int64_t block = 0; block < 2; ++block) {
          std::uint8_t* const dst =
              &expected.ub[kInUb + block * (width + kBlockBytes)];
          const std::uint8_t* const src = &expected.gm[kInGm + block * kGmStep];
          for (std::int64_t at = 0; at < width; at += size) {
            if (padding == 0) {
              std::memcpy(dst + at, src, size);
            } else if (is_pad) {
              std::memcpy(dst + at, &call.scalar, size);
            }
          }
          std::memcpy(dst + left, src, kLength);
        }
        Expect(call, expected);
      }
    }
  }
}

TEST(PaddedCopy, OutOfUbInChunks) {
  Board expected;
  for (std::int64_t block = 0; block < 2; ++block) {
    const std::int64_t step = WholeBlocks(kLength) + kBlockBytes;
    std::memcpy(&expected.gm[kInGm + block * kGmStep],
                &expected.ub[kInUb + block * step], kLength);
  }
  Expect(CallOf(DType::kHalf, /*is_into_ub=*/false), expected);
}

}  // namespace
}  // namespace lanediff::emulator
