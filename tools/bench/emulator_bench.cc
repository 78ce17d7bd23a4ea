// Rows of the emulator's calls beside yardsticks.

#include <fmt/format.h>

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>

#include "generators/random.h"
#include "isa/intervals.h"
#include "tools/bench/board.h"
#include "tools/bench/calls.h"
#include "tools/bench/yardsticks.h"

namespace lanediff::bench {
namespace {

using isa::DType;
using isa::Order;
using isa::Position;
using isa::Product;

constexpr std::int64_t kRepeats = 255;
constexpr std::int64_t kBytes = kRepeats * 256;

std::shared_ptr<Board> NewBoard(const Setting& setting, Product product) {
  return std::make_shared<Board>(product, setting.seams);
}

// ---- Element-wise calls -----------------------------------------------------

struct Operation {
  std::string_view name;
  Op op;
};

constexpr Operation kOperations[] = {{"Min", Op::kMin},
                                     {"Max", Op::kMax},
                                     {"Add", Op::kAdd},
                                     {"Sub", Op::kSub},
                                     {"Mul", Op::kMul}};

/// 255 repeats, contiguous with full mask.
isa::Call Full(const Operation& operation, DType type) {
  return VectorCallApart(operation.name, type, kRepeats, 1, 8);
}

/// 255 repeats with a random bitwise mask, block stride 2 and repeat stride 9.
isa::Call Sparse(const Operation& operation, DType type) {
  isa::Call call = VectorCallApart(operation.name, type, kRepeats, 2, 9);
  make::Random words(7);
  call.form = isa::kBitsForm;
  call[isa::Param::kMask] = 0;
  call.mask_words = {words.Bits(), words.Bits()};
  if (isa::SizeBytes(type) == 4) call.mask_words[1] = 0;
  return call;
}

constexpr std::pair<DType, Lanes> kTypes[] = {{DType::kInt16, Lanes::kInt16},
                                              {DType::kInt32, Lanes::kInt32},
                                              {DType::kHalf, Lanes::kHalf},
                                              {DType::kFloat, Lanes::kFloat}};

Prepared Contiguous(const Setting& setting, const Operation& operation,
                    DType type, Lanes lanes, Data data) {
  if (!HasAvx2()) return {.skipped = "this processor has no AVX2 and F16C"};
  auto board = NewBoard(setting, Product::kAtlasInferenceAicore);
  Fill(board->Ub(0, 2 * kBytes), type, data, 1);
  return OnEmulator(board, {Full(operation, type)}, [=, op = operation.op] {
    LanewiseAvx2(op, lanes, board->Ub(2 * kBytes), board->Ub(0),
                 board->Ub(kBytes), kBytes);
  });
}

/// Beside the contiguous call with full mask.
Prepared Masked(const Setting& setting, const Operation& operation, DType type,
                Data data) {
  auto board = NewBoard(setting, Product::kAtlasInferenceAicore);
  Fill(board->Ub(0, 2 * 32 * BlocksOf(kRepeats, 2, 9)), type, data, 1);
  return OnEmulator(board, {Sparse(operation, type)},
                    Executes(board, {Full(operation, type)}), false);
}

void AddOperation(Rows& rows, const Operation& operation) {
  const bool picks = operation.op == Op::kMin || operation.op == Op::kMax;
  const bool is_min = operation.op == Op::kMin;
  // Of sums and products the yardstick does numbers that stay small.
  const Data data = picks ? Data::kFinite : Data::kNearOne;
  const auto add = [&](DType type, std::string_view end, std::string what,
                       std::string yardstick, double least, auto prepare) {
    rows.push_back(
        {fmt::format("{}.{}{}", isa::FindSignature(operation.name)->slug,
                     isa::Name(type), end),
         std::move(what), std::move(yardstick), RatioAtLeast(least),
         std::move(prepare)});
  };
  for (const auto& [type, lanes] : kTypes) {
    const bool integers = type == DType::kInt16 || type == DType::kInt32;
    add(type, "",
        fmt::format("{} {}, full mask, 255 repeats", operation.name,
                    isa::Name(type)),
        picks ? "AVX2 loop" : "AVX2 loop, numbers only",
        picks && integers ? 0.8 : 0.5,
        [operation, type, lanes, data](const Setting& s) {
          return Contiguous(s, operation, type, lanes, data);
        });
  }
  for (const auto& [type, lanes] : kTypes) {
    if (!is_min || (type != DType::kHalf && type != DType::kFloat)) continue;
    add(type, ".specials",
        fmt::format("the same {}, NaN, inf, zeros and subnormals",
                    isa::Name(type)),
        "AVX2 loop", 0.5, [operation, type, lanes](const Setting& s) {
          return Contiguous(s, operation, type, lanes, Data::kSpecials);
        });
  }
  for (const auto& [type, lanes] : kTypes) {
    if (!is_min && type != DType::kHalf) continue;
    add(type, ".masked",
        fmt::format("{} {}, random bitwise mask, strides 2 and 9",
                    operation.name, isa::Name(type)),
        "contiguous, full mask", 0.4,
        [operation, type, data](const Setting& s) {
          return Masked(s, operation, type, data);
        });
  }
}

// ---- Sums -------------------------------------------------------------------

using Tree = void (*)(std::uint16_t*, const std::uint16_t*, std::size_t);

std::shared_ptr<Board> BoardOfSums(const Setting& setting, DType type,
                                   Data data) {
  auto board = NewBoard(setting, Product::kAtlasA2);
  Fill(board->Ub(0, kBytes), type, data, 2);
  return board;
}

Prepared SumBesideTree(const Setting& setting, Data data, Tree tree) {
  if (tree == ReduceSumHalfAvx2 && !HasAvx2()) {
    return {.skipped = "this processor has no AVX2 and F16C"};
  }
  auto board = BoardOfSums(setting, DType::kHalf, data);
  return OnEmulator(board, {SumCallApart(DType::kHalf, kRepeats)}, [=] {
    tree(board->Ub<std::uint16_t>(kBytes), board->Ub<std::uint16_t>(0),
         kRepeats);
  });
}

/// 64 floats a repeat; the yardstick is the half call, as many bytes.
Prepared SumOfFloats(const Setting& setting) {
  return OnEmulator(BoardOfSums(setting, DType::kFloat, Data::kFinite),
                    {SumCallApart(DType::kFloat, kRepeats)},
                    Executes(BoardOfSums(setting, DType::kHalf, Data::kFinite),
                             {SumCallApart(DType::kHalf, kRepeats)}),
                    false);
}

/// Of the lanes that a random mask names; the yardstick is RepeatReduceSum of
/// all.
Prepared SumOfMaskedLanes(const Setting& setting) {
  auto board = BoardOfSums(setting, DType::kHalf, Data::kFinite);
  const isa::Call all = SumCallApart(DType::kHalf, kRepeats);
  make::Random words(8);
  isa::Call call = all;
  call.signature = isa::FindSignature("WholeReduceSum");
  call.form = call.signature->FormWith(isa::Param::kMaskWords);
  call[isa::Param::kMask] = 0;
  call.mask_words = {words.Bits(), words.Bits()};
  return OnEmulator(board, {call}, Executes(board, {all}), false);
}

void AddSums(Rows& rows) {
  const std::string half = "RepeatReduceSum half, 128 lanes, 255 repeats";
  const auto beside = [](Data data, Tree tree) {
    return [=](const Setting& s) { return SumBesideTree(s, data, tree); };
  };
  rows.insert(
      rows.end(),
      {{"repeat_reduce_sum.half.avx2", half, "AVX2/F16C tree", RatioAtLeast(1),
        beside(Data::kFinite, ReduceSumHalfAvx2)},
       {"repeat_reduce_sum.half.avx2.specials",
        "the same, NaN, inf, zeros and subnormals", "AVX2/F16C tree",
        RatioAtLeast(1), beside(Data::kSpecials, ReduceSumHalfAvx2)},
       {"repeat_reduce_sum.half.scalar", half, "scalar tree", RatioAtLeast(30),
        beside(Data::kFinite, ReduceSumHalfScalar)},
       {"repeat_reduce_sum.float",
        "RepeatReduceSum float, 64 lanes, 255 repeats", "the half call",
        RatioAtLeast(1.5), SumOfFloats},
       {"whole_reduce_sum.half.masked",
        "WholeReduceSum half, random bitwise mask, 255 repeats",
        "RepeatReduceSum, 128 lanes", RatioAtLeast(0), SumOfMaskedLanes}});
}

// ---- Products ---------------------------------------------------------------

/// A whole tile; beside the plain left fold of the same data.
Prepared RowProducts(const Setting& setting, DType type, std::int64_t rows,
                     std::int64_t cols, Order order, Data data) {
  auto board = NewBoard(setting, Product::kAtlasA2);
  const auto r = static_cast<std::size_t>(rows);
  const auto c = static_cast<std::size_t>(cols);
  Fill(board->Ub(0, rows * cols * isa::SizeBytes(type)), type, data, 4);
  const auto fold = [=] {
    if (type == DType::kHalf) {
      LeftFoldHalfScalar(board->Ub<std::uint16_t>(kProducts),
                         board->Ub<std::uint16_t>(0), r, c);
    } else {
      LeftFoldFloatScalar(board->Ub<float>(kProducts), board->Ub<float>(0), r,
                          c);
    }
  };
  // Only the left fold itself gives the yardstick's bits.
  return OnEmulator(board, {ProductCall(type, rows, cols, order)}, fold,
                    order == Order::kLeftFold);
}

void AddProducts(Rows& rows) {
  const auto add = [&](DType type, std::int64_t height, std::int64_t width,
                       Order order, double least, Data data = Data::kNearOne) {
    const bool specials = data == Data::kSpecials;
    rows.push_back(
        {fmt::format("trowprod.{}.{}x{}.{}{}", isa::Name(type), height, width,
                     isa::Name(order), specials ? ".specials" : ""),
         fmt::format("TROWPROD {} {}x{}, {}{}", isa::Name(type), height, width,
                     isa::Name(order), specials ? ", NaN, inf, zeros …" : ""),
         "scalar left fold", RatioAtLeast(least), [=](const Setting& s) {
           return RowProducts(s, type, height, width, order, data);
         }});
  };
  for (const std::int64_t side : {16, 64}) {
    for (const Order order : {Order::kDocumented, Order::kLeftFold}) {
      add(DType::kHalf, side, side, order, 3);
    }
  }
  constexpr std::pair<std::int64_t, std::int64_t> kSizes[] = {
      {64, 128}, {128, 128}, {64, 256}};
  for (const DType type : {DType::kHalf, DType::kFloat}) {
    for (const auto& [height, width] : kSizes) {
      for (const Order order : {Order::kDocumented, Order::kBlockLanes,
                                Order::kRegisterLanes, Order::kLeftFold}) {
        add(type, height, width, order, order == Order::kLeftFold ? 3 : 8);
      }
    }
  }
  add(DType::kHalf, 64, 128, Order::kDocumented, 8, Data::kSpecials);
  for (const auto& [height, most] : {std::pair(64, 1e-6), {128, 3.8e-6}}) {
    rows.push_back(
        {fmt::format("trowprod.float.{}x128.time", height),
         fmt::format("TROWPROD float {}x128, documented: a fifth of the CPU "
                     "model",
                     height),
         "", SecondsAtMost(most), [height](const Setting& s) {
           Prepared prepared = RowProducts(s, DType::kFloat, height, 128,
                                           Order::kDocumented, Data::kNearOne);
           prepared.yardstick = {};
           return prepared;
         }});
  }
}

// ---- What moves data, beside memcpy of as many bytes ------------------------

/// The count form, and a PipeBarrier, without which the second copy would be
/// illegal.
Prepared CopyContiguous(const Setting& setting, Position from) {
  constexpr std::int64_t kCopied = 65536;
  auto board = NewBoard(setting, Product::kAtlasInferenceAicore);
  const bool gm = from == Position::kGm;
  const std::int64_t to = gm ? 0 : kCopied;
  const auto* src =
      gm ? board->memories()[isa::Memory::kGm].data() : board->Ub(0);
  return OnEmulator(
      board,
      {CopyCall(Window(from, 0, kCopied),
                Window(gm ? Position::kVecin : Position::kVeccalc, to, kCopied),
                kCopied),
       isa::PipeBarrier{}},
      [=] { CopyBytes(board->Ub(to), src, kCopied); });
}

/// At most 4,095 blocks of 32 bytes from GM to UB, gaps in DataBlocks.
Prepared CopyBlocks(const Setting& setting, std::int64_t blocks,
                    std::int64_t src_gap, std::int64_t dst_gap) {
  auto board = NewBoard(setting, Product::kAtlasInferenceAicore);
  const auto window = [=](Position position, std::int64_t gap) {
    return Window(position, 0, 32 * (blocks * (1 + gap) - gap));
  };
  return OnEmulator(
      board,
      {CopyCall(window(Position::kGm, src_gap),
                window(Position::kVecin, dst_gap), blocks, src_gap, dst_gap),
       isa::PipeBarrier{}},
      [=] {
        CopyBytes(board->Ub(0), board->memories()[isa::Memory::kGm].data(),
                  static_cast<std::size_t>(32 * blocks));
      },
      false);
}

/// Rows of `bytes` bytes in GM, of whole DataBlocks in UB, with `right` floats
/// of padding; `in`: into UB.
Prepared CopyRows(const Setting& setting, std::int64_t rows, std::int64_t bytes,
                  std::int64_t right, bool in) {
  auto board = NewBoard(setting, Product::kAtlasA2);
  const auto gm = Window(Position::kGm, 0, rows * bytes);
  const auto ub = Window(Position::kVecin, 0, rows * isa::RoundUp(bytes));
  auto* const outside = board->memories()[isa::Memory::kGm].data();
  return OnEmulator(
      board,
      {in ? PadCall(gm, ub, rows, bytes, right)
          : PadCall(ub, gm, rows, bytes, 0),
       isa::PipeBarrier{}},
      [=] {
        CopyBytes(in ? board->Ub(0) : outside, in ? outside : board->Ub(0),
                  static_cast<std::size_t>(rows * bytes));
      },
      false);
}

Prepared Transpose(const Setting& setting) {
  constexpr std::int64_t kTransposed = kRepeats * 512;
  auto board = NewBoard(setting, Product::kAtlasInferenceAicore);
  return OnEmulator(
      board, {TransCall(kRepeats, kRepeats, 1, kRepeats)},
      [=] { CopyBytes(board->Ub(kTransposed), board->Ub(0), kTransposed); },
      false);
}

void AddCopies(Rows& rows) {
  for (const auto& [word, name, from] :
       {std::tuple("ub", "UB", Position::kVecin),
        {"gm", "GM", Position::kGm}}) {
    rows.push_back({fmt::format("data_copy.contiguous.{}", word),
                    fmt::format("DataCopy 64 KiB, {} to UB", name), "memcpy",
                    RatioAtLeast(0.9), [from](const Setting& s) {
                      return CopyContiguous(s, from);
                    }});
  }
  struct Gaps {
    const char* word;
    std::int64_t blocks, src, dst;
  };
  for (const auto& [word, blocks, src, dst] : {Gaps{"src", 4095, 1, 0},
                                               {"dst", 4095, 0, 1},
                                               {"both", 4095, 1, 1},
                                               {"both.half", 2047, 1, 1}}) {
    rows.push_back({fmt::format("data_copy.gaps.{}", word),
                    fmt::format("DataCopy {} blocks of 32 bytes, gaps in {:.4}",
                                blocks, word),
                    "memcpy", RatioAtLeast(0.5), [=](const Setting& s) {
                      return CopyBlocks(s, blocks, src, dst);
                    }});
  }
  const auto add = [&](const char* word, const char* what, std::int64_t count,
                       std::int64_t bytes, std::int64_t right, bool in) {
    rows.push_back({fmt::format("data_copy_pad.{}", word),
                    fmt::format("DataCopyPad {}", what), "memcpy",
                    RatioAtLeast(0.5), [=](const Setting& s) {
                      return CopyRows(s, count, bytes, right, in);
                    }});
  };
  add("contiguous", "64 KiB, GM to UB", 1, 65536, 0, true);
  add("padded", "700 rows of 59 floats to UB, 5 of padding", 700, 236, 5, true);
  add("out", "700 rows of 59 floats out of UB", 700, 236, 0, false);
}

}  // namespace

void AddEmulatorRows(Rows& rows) {
  AddCopies(rows);
  for (const Operation& operation : kOperations) AddOperation(rows, operation);
  AddSums(rows);
  AddProducts(rows);
  rows.push_back({"vec_trans", "vec_trans 255 blocks", "memcpy",
                  RatioAtLeast(0.5), Transpose});
}

}  // namespace lanediff::bench
