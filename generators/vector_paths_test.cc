// Which way through its iterations the emulator takes, and that every way
// leaves what the plain one does.

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "differential/memory/memory_set.h"
#include "emulator/emulator.h"
#include "generators/lanewise.h"
#include "generators/random.h"
#include "generators/random/generate.h"
#include "isa/memory_map.h"

namespace lanediff::make {
namespace {

using emulator::Emulator;
using emulator::Path;
using emulator::PathCounts;
using emulator::VectorTarget;
using isa::Param;

/// What a program leaves.
struct After {
  diff::MemorySet memory;
  PathCounts paths;
  std::vector<isa::StepResult> results;
};

After RunOn(const Case& c, const emulator::Seams& seams) {
  After after = {.memory = diff::MemorySet(c), .paths = {}, .results = {}};
  Emulator emulator(c.product, after.memory.view(), seams);
  for (const isa::Step& step : c.program) {
    after.results.push_back(emulator.Execute(step));
    if (after.results.back().status != isa::StepResult::Status::kExecuted) {
      break;
    }
  }
  after.paths = emulator.paths();
  return after;
}

class VectorPaths : public testing::TestWithParam<VectorTarget> {
 protected:
  const emulator::Seams seams = emulator::SeamsOf(GetParam());

  void ExpectPath(isa::Product product, const isa::Step& step,
                  Path expected) const;
};

INSTANTIATE_TEST_SUITE_P(Targets, VectorPaths,
                         testing::ValuesIn(emulator::RunnableTargets().begin(),
                                           emulator::RunnableTargets().end()),
                         [](const auto& target) {
                           return std::string(emulator::NameOf(target.param));
                         });

// ---- The same result --------------------------------------------------------

/// The lanes of two NaNs may differ in nothing: both are the emulator's.
TEST_P(VectorPaths, LeaveWhatThePlainOneLeaves) {
  for (const Generator& generator : Generators()) {
    Random random(0x5eed);
    std::uint64_t vectors = 0;
    for (int i = 0; i < 5000; ++i) {
      const Case c = Generate(generator.slug, random).c;
      const After plain = RunOn(c, {});
      const After after = RunOn(c, seams);
      SCOPED_TRACE(std::string(generator.slug) + " case " + std::to_string(i));
      ASSERT_EQ(after.results, plain.results);
      ASSERT_EQ(after.memory, plain.memory);
      for (Path path : {Path::kContiguous, Path::kStrided, Path::kMasked}) {
        EXPECT_EQ(plain.paths[path], 0);
        vectors += after.paths[path];
      }
    }
    EXPECT_GT(vectors, 500) << generator.slug;
  }
}

// ---- The way that is taken --------------------------------------------------

/// The only way that the call, which must be legal, takes on `product`; it
/// leaves what the plain one does, of any bytes.
void VectorPaths::ExpectPath(isa::Product product, const isa::Step& step,
                             Path expected) const {
  Case c;
  c.product = product;
  auto& ub = c.memory[static_cast<std::size_t>(isa::Memory::kUb)].emplace();
  ub.size = isa::CapacityBytes(product, isa::Memory::kUb);
  ub.regions.emplace_back();
  Random random(2);
  for (std::int64_t i = 0; i < ub.size; ++i) {
    ub.regions[0].bytes.push_back(static_cast<std::uint8_t>(random.Bits()));
  }
  c.memory[static_cast<std::size_t>(isa::Memory::kGm)] = ub;
  c.program = {step};
  const After after = RunOn(c, seams);
  ASSERT_EQ(after.results.front().status, isa::StepResult::Status::kExecuted);
  PathCounts counts;
  counts.Count(expected);
  EXPECT_EQ(after.paths, counts);
  EXPECT_EQ(after.memory, RunOn(c, {}).memory);
}

constexpr isa::Product kLanewiseProduct = isa::Product::kAtlas200i500A2;
constexpr std::int64_t kQuarter = 262144 / 4;  // of its Unified Buffer

isa::Operand Window(std::int64_t at, std::int64_t bytes) {
  return {.position = isa::Position::kVeccalc,
          .at = at,
          .bytes = bytes,
          .dtype = {}};
}

/// Full mask, without gaps, operands apart.
isa::Call WholeCall(const isa::Signature& signature, isa::DType dtype) {
  isa::Call call = isa::CallOf(signature.op);
  call.dtype = dtype;
  call.form = signature.FormWith(Param::kMask);
  call[Param::kMask] = 256 / isa::SizeBytes(dtype);
  call[Param::kRepeatTimes] = 220;
  for (std::size_t i = 0; i < signature.operands.size(); ++i) {
    call.operands[i] =
        Window(static_cast<std::int64_t>(i) * kQuarter, kQuarter);
  }
  call.dst().position = isa::Position::kVecout;
  SetDenseStrides(call);
  return call;
}

TEST_P(VectorPaths, OfLanewiseCalls) {
  for (const isa::Signature& signature : isa::kLanewiseRows) {
    if (signature.Converts()) continue;  // below
    if (signature.PacksBits()) continue;             // likewise
    const std::size_t last = signature.sources();
    for (const isa::DType dtype : TypesOf(signature.op)) {
      // Where there is no such type, another product has it.
      const bool has =
          isa::FindInstruction(signature.op)->Has(kLanewiseProduct, dtype);
      const auto expect = [&](const isa::Call& call, Path path) {
        ExpectPath(has ? kLanewiseProduct : isa::Product::kAtlasA2, call, path);
      };
      SCOPED_TRACE(fmt::format("{} {}", signature.op, isa::Name(dtype)));
      const isa::Call whole = WholeCall(signature, dtype);
      isa::Call call = whole;
      expect(call, Path::kContiguous);
      if (last > 0) {
        call.dst().at = call.src(0).at;  // in place
        expect(call, Path::kContiguous);
        call.dst().at = kQuarter - 256;  // over what was read before
        expect(call, Path::kContiguous);
      }

      // The running minimum, sum, ...
      const bool may_run =
          isa::FindRule(call.Rule(isa::CallRule::kOverlapSources).text());
      if (may_run && dtype != isa::DType::kInt16) {
        call = whole;
        call.src(1) = call.dst();
        call.RepStride(0) = call.RepStride(2) = 0;
        expect(call, Path::kStrided);
      }

      call = whole;
      call.BlkStride(last) = 2;
      call.RepStride(last) = 9;
      expect(call, Path::kStrided);
      call[Param::kMask] -= 1;
      expect(call, Path::kMasked);
      call.form = signature.FormWith(Param::kMaskWords);
      call[Param::kMask] = 0;
      call.mask_words = {0x123456789abcdef1, 0};
      expect(call, Path::kMasked);
      if (last == 0) continue;
      call.dst().at = call.src(0).at;
      call.BlkStride(0) = call.BlkStride(1);
      call.RepStride(0) = call.RepStride(1);
      expect(call, Path::kMasked);
    }
  }
}

/// Every pair of types in every mode.
TEST_P(VectorPaths, OfConversions) {
  constexpr isa::Product kProduct = isa::Product::kAtlas200i500A2;
  for (const Conversion& conversion : ConversionsOf("Cast", kProduct)) {
    SCOPED_TRACE(fmt::format("{} to {} {}", isa::Name(conversion.from),
                             isa::Name(conversion.to),
                             isa::Name(conversion.mode)));
    isa::Call call = isa::CallOf("Cast");
    call.dst() = Window(2 * kQuarter, kQuarter);
    call.src(0) = Window(0, kQuarter);
    SetConversion(call, conversion);
    const auto expect = [&](Path path) { ExpectPath(kProduct, call, path); };
    const std::int64_t lanes = LanesOf(call);
    call[Param::kCount] = 70 * lanes + 3;
    expect(Path::kContiguous);
    const auto dst = call.dst();
    const bool widens =
        isa::SizeBytes(call.TypeOf(0)) > isa::SizeBytes(call.TypeOf(1));
    if (!widens) {
      call.dst().at = 0;  // in place
      expect(Path::kContiguous);
      call.dst() = dst;
    }
    call[Param::kCount] = lanes - 1;
    expect(Path::kMasked);
    call[Param::kCount] = 0;
    call.form = isa::kMaskForm;
    call[Param::kMask] = lanes;
    call[Param::kRepeatTimes] = 30;
    for (std::size_t i = 0; i < 2; ++i) {
      call.BlkStride(i) = 1;
      call.RepStride(i) = lanes * isa::SizeBytes(call.TypeOf(i)) / 32;
    }
    expect(Path::kContiguous);
    if (!widens) {
      call.dst().at = 0;
      expect(Path::kContiguous);
      call.dst() = dst;
    }
    call.BlkStride(1) = 2;
    call.RepStride(1) = 17;
    expect(Path::kStrided);
    call[Param::kMask] -= 5;
    expect(Path::kMasked);
    call.BlkStride(0) = 3;
    expect(Path::kMasked);
  }
}

/// Full mask, without gaps, operands apart.
isa::Call WholeSum(std::string_view op, isa::DType dtype) {
  isa::Call call = isa::CallOf(op);
  call.dtype = dtype;
  call.src(0) = Window(0, 65536);
  call.dst() = Window(65536, 65536);
  call[Param::kMask] = 256 / isa::SizeBytes(dtype);
  call[Param::kRepeatTimes] = 200;
  call[Param::kDstRepStride] = 1;
  call[Param::kSrc0BlkStride] = 1;
  call[Param::kSrc0RepStride] = 8;
  return call;
}

TEST_P(VectorPaths, OfWholeReduceSum) {
  isa::Call call = WholeSum("WholeReduceSum", isa::DType::kHalf);
  const auto expect = [&](Path path) {
    ExpectPath(isa::Product::kAtlasA3, call, path);
  };
  expect(Path::kContiguous);
  call[Param::kDstRepStride] = 3;
  expect(Path::kStrided);
  call.form = call.signature->FormWith(Param::kMaskWords);
  call[Param::kMask] = 0;
  call.mask_words = {0x123456789abcdef1, 5};
  expect(Path::kMasked);
  call.mask_words = {0, 8};
  expect(Path::kMasked);
}

TEST_P(VectorPaths, OfRepeatReduceSum) {
  for (const isa::DType dtype : {isa::DType::kHalf, isa::DType::kFloat}) {
    isa::Call call = WholeSum("RepeatReduceSum", dtype);
    const std::int64_t lanes = call[Param::kMask];
    const auto expect = [&](Path path) {
      ExpectPath(isa::Product::kAtlasA2, call, path);
    };
    expect(Path::kContiguous);
    call[Param::kMask] = lanes / 2 + 13;
    expect(Path::kMasked);
    call[Param::kMask] = lanes;
    call[Param::kSrc0RepStride] = 9;
    expect(Path::kStrided);
    call[Param::kSrc0RepStride] = 8;
    call.dst() = call.src(0);  // over the lanes that were read, batch by batch
    call[Param::kDstRepStride] = lanes;
    expect(Path::kStrided);
  }
}

TEST_P(VectorPaths, OfTrowprod) {
  const auto tile = [](std::int64_t at, std::int64_t rows, std::int64_t cols) {
    return isa::Tile{.position = isa::Position::kUb,
                     .at = at,
                     .rows = rows,
                     .cols = cols,
                     .valid_row = rows,
                     .valid_col = cols,
                     .layout = isa::Layout::kNd,
                     .dtype = {}};
  };
  for (const isa::DType dtype : {isa::DType::kHalf, isa::DType::kFloat}) {
    for (std::size_t order = 0; order < isa::kCount<isa::Order>; ++order) {
      isa::Call call = isa::CallOf("TROWPROD");
      auto& [dst, src, tmp] = call.tiles;
      call.dtype = dtype;
      call.order = static_cast<isa::Order>(order);
      // Seven pairs of repeats and a tail; rows for every number of groups.
      for (const auto& [rows, cols] :
           {std::pair(16, 1808), {16, 1793}, {67, 48}, {67, 37}, {1, 16}}) {
        src = tile(0, rows, (cols + 15) / 16 * 16);
        src.valid_col = cols;
        dst = tile(131072, (rows + 15) / 16 * 16, 1);
        dst.valid_row = rows;
        dst.layout = isa::Layout::kDn;
        tmp = tile(139264, 1, 16);
        ExpectPath(isa::Product::kAtlasA2, call,
                   cols % 16 == 0 ? Path::kContiguous : Path::kStrided);
        dst = tile(131072, rows, 16);
        ExpectPath(isa::Product::kAtlasA2, call, Path::kStrided);
      }
    }
  }
}

TEST_P(VectorPaths, OfVecTrans) {
  const auto expect = [&](std::int64_t repeat, std::int64_t dst_stride,
                          std::int64_t src_stride, bool in_place, Path path) {
    isa::Call call = isa::CallOf("vec_trans");
    call[Param::kRepeatTimes] = repeat;
    call[Param::kDstRepStride] = dst_stride;
    call[Param::kSrc0RepStride] = src_stride;
    call.src(0) = Window(131072, 131072);
    call.dst() = in_place ? call.src(0) : Window(0, 131072);
    call.dst().position = call.src(0).position = isa::Position::kUb;
    ExpectPath(isa::Product::kAtlas200i500A2, call, path);
  };
  expect(200, 1, 1, false, Path::kContiguous);
  expect(200, 1, 1, true, Path::kContiguous);
  expect(50, 3, 3, true, Path::kStrided);
  expect(200, 0, 1, false, Path::kStrided);
}

TEST_P(VectorPaths, OfBrcb) {
  const auto expect = [&](isa::DType dtype, std::int64_t repeat,
                          std::int64_t blk_stride, std::int64_t rep_stride,
                          Path path) {
    isa::Call call = isa::CallOf("Brcb");
    call.dtype = dtype;
    call[Param::kRepeatTimes] = repeat;
    call.BlkStride(0) = blk_stride;
    call.RepStride(0) = rep_stride;
    call.src(0) = Window(131072, 8192);
    call.dst() = Window(0, 131072);
    ExpectPath(isa::Product::kAtlasA2, call, path);
  };
  for (const isa::DType dtype : {isa::DType::kHalf, isa::DType::kFloat}) {
    expect(dtype, 255, 1, 8, Path::kContiguous);
    expect(dtype, 255, 2, 16, Path::kStrided);
    expect(dtype, 255, 1, 0, Path::kStrided);
  }
}

/// Number, length and gaps of the blocks.
using Blocks = std::array<std::int64_t, 4>;

isa::Call DataCopyCall(const Blocks& blocks) {
  isa::Call call = isa::CallOf("DataCopy");
  call.dtype = isa::DType::kInt16;
  call.form = call.signature->FormWith(Param::kBlockCount);
  std::ranges::copy(blocks, &call[Param::kBlockCount]);
  call.src(0) = Window(0, 131072);
  call.src(0).position = isa::Position::kVecin;
  call.dst() = Window(131072, 131072);
  return call;
}

TEST_P(VectorPaths, OfDataCopy) {
  const auto expect = [&](const Blocks& blocks, Path path) {
    ExpectPath(isa::Product::kAtlasTraining, DataCopyCall(blocks), path);
  };
  expect({1, 4096, 0, 0}, Path::kContiguous);
  expect({4095, 1, 0, 0}, Path::kContiguous);
  expect({2047, 1, 1, 0}, Path::kStrided);
  expect({100, 9, 0, 3}, Path::kStrided);
  isa::Call in_place = DataCopyCall({100, 9, 3, 3});
  in_place.dst() = in_place.src(0);
  in_place.dst().position = isa::Position::kVeccalc;
  ExpectPath(isa::Product::kAtlasTraining, in_place, Path::kStrided);
  isa::Call widening = DataCopyCall({4, 1, 1, 1});
  widening.dtype = isa::DType::kHalf;
  widening.src(0) = {
      .position = isa::Position::kC1, .at = 0, .bytes = 4096, .dtype = {}};
  widening.dst() = {.position = isa::Position::kC2,
                    .at = 0,
                    .bytes = 512 * 2,
                    .dtype = isa::DType::kFloat};
  ExpectPath(isa::Product::kAtlasA2, widening, Path::kStrided);
}

TEST_P(VectorPaths, OfDataCopyPad) {
  const auto expect = [&](const Blocks& blocks, std::int64_t left,
                          std::int64_t right, Path in, Path out) {
    isa::Call call = isa::CallOf("DataCopyPad");
    std::ranges::copy(blocks, &call[Param::kBlockCount]);
    call.src(0) = call.dst() = Window(32, 131072);
    call.src(0).position = isa::Position::kVecout;
    call.dst().position = isa::Position::kGm;
    call.dst().at = 3;
    call.form = 1;
    ExpectPath(isa::Product::kAtlasA2, call, out);
    std::swap(call.src(0), call.dst());
    call.form = 0;
    call[Param::kLeftPadding] = left;
    call[Param::kRightPadding] = right;
    call.scalar = 0x3c01;
    for (const bool is_pad : {false, true}) {
      call.is_pad = is_pad;
      ExpectPath(isa::Product::kAtlasA2, call, in);
    }
  };
  expect({1, 65536, 0, 0}, 0, 0, Path::kContiguous, Path::kContiguous);
  expect({1000, 64, 0, 0}, 0, 0, Path::kContiguous, Path::kContiguous);
  expect({400, 64, 7, 1}, 0, 0, Path::kStrided, Path::kStrided);
  expect({1000, 64, 0, 0}, 16, 3, Path::kStrided, Path::kContiguous);
  expect({1000, 38, 0, 0}, 0, 0, Path::kStrided, Path::kStrided);
  expect({2000, 2, 0, 0}, 1, 4, Path::kStrided, Path::kStrided);
}

/// Lanes of a block that ends behind the memory are left to the plain way.
TEST_P(VectorPaths, ABlockBeyondTheMemoryIsForThePlainOne) {
  isa::Call call = WholeCall(*isa::FindSignature("Min"), isa::DType::kHalf);
  call[Param::kRepeatTimes] = 1;
  call[Param::kMask] = 120;
  call.dst() = Window(512, 240);
  call.src(0) = Window(0, 240);
  call.src(1) = Window(256, 240);
  isa::Call sum = WholeSum("RepeatReduceSum", isa::DType::kFloat);
  sum[Param::kRepeatTimes] = 1;
  sum[Param::kMask] = 3;
  sum.dst() = Window(0, 4);
  sum.src(0) = Window(64, 12);
  const std::pair<isa::Step, std::int64_t> rows[] = {{call, 512 + 240},
                                                     {sum, 64 + 12}};
  for (const auto& [step, bytes] : rows) {
    Case c;
    c.product = kLanewiseProduct;
    c.memory[static_cast<std::size_t>(isa::Memory::kUb)] = {
        .fill = 7, .size = bytes, .regions = {}};
    c.program = {step};
    EXPECT_EQ(RunOn(c, seams).paths[Path::kPlain], 1);
  }
}

}  // namespace
}  // namespace lanediff::make
