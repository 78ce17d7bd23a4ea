// Rows of what decides whether a call is legal.

#include <benchmark/benchmark.h>
#include <fmt/format.h>

#include <memory>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "emulator/state.h"
#include "isa/rule.h"
#include "oracle/oracle.h"
#include "tools/bench/board.h"
#include "tools/bench/calls.h"

namespace lanediff::bench {
namespace {

using isa::DType;
using isa::Position;

/// A call whose legality is decided. Apart: the operands' windows don't meet.
/// Interleaved: blocks of one lie in the gaps of the others, at equal strides.
/// Coprime: the same at different strides.
struct Judged {
  std::string_view name, what;
  isa::Step step;
  double emulator = kNoRow;  ///< most seconds of each side
  double oracle = kNoRow;
  bool illegal = false;
  isa::Product product = isa::Product::kAtlasInferenceAicore;

  static constexpr double kNoRow = -1;
};

/// In the order of the table.
const std::vector<Judged>& Calls() {
  const auto min = [](Place dst, Place src0, Place src1) {
    return VectorCall("Min", DType::kHalf, 255, {dst, src0, src1});
  };
  const auto apart = [](std::int64_t repeats, std::int64_t blk_stride = 1,
                        std::int64_t rep_stride = 8) {
    return VectorCallApart("Min", DType::kHalf, repeats, blk_stride,
                           rep_stride);
  };
  const auto sum = [](Place dst, Place src) {
    return VectorCall("RepeatReduceSum", DType::kHalf, 255, {dst, src});
  };
  const auto copy = [](std::int64_t blocks, Place src, std::int64_t dst,
                       std::int64_t src_gap, std::int64_t dst_gap) {
    return CopyCall(Window(Position::kVecin, src),
                    Window(Position::kVeccalc, Place{dst}), blocks, src_gap,
                    dst_gap);
  };
  const Place half = {.at = 0, .blocks = 4096};
  constexpr double kNoRow = Judged::kNoRow;
  constexpr double kApart = 150e-9;
  constexpr double kSome = 20e-6;
  constexpr double kAll = 0.7e-3;
  static const std::vector<Judged> calls = {
      {"min.repeat-1", "Min, repeat 1, apart", apart(1), kApart},
      {"min.repeat-8", "Min, repeat 8", apart(8), kNoRow, kSome},
      {"min.repeat-255", "Min, repeat 255, apart", apart(255), kApart, 0},
      {"min.strided", "Min, repeat 255, strides 2 and 9, apart",
       apart(255, 2, 9), kApart},
      {"repeat_reduce_sum.repeat-1", "RepeatReduceSum, repeat 1, apart",
       SumCallApart(DType::kHalf, 1), kApart},
      {"repeat_reduce_sum.repeat-8", "RepeatReduceSum, repeat 8",
       SumCallApart(DType::kHalf, 8), kNoRow, kSome},
      {"repeat_reduce_sum.repeat-255", "RepeatReduceSum, repeat 255, apart",
       SumCallApart(DType::kHalf, 255), kApart},
      {"repeat_reduce_sum.strided",
       "RepeatReduceSum, repeat 255, strides 2 and 9, apart",
       SumCallApart(DType::kHalf, 255, 2, 9), kApart},
      {"data_copy.count", "DataCopy, count, apart",
       CopyCall(Window(Position::kVecin, 0, 65536),
                Window(Position::kVeccalc, Place{4096}), 65536),
       kApart, kSome},
      {"data_copy.blocks", "DataCopy, 2,047 blocks with gaps, apart",
       copy(2047, half, 4096, 1, 1), kApart},
      {"vec_trans.repeat-8", "vec_trans, 8 blocks", TransCall(8, 8, 1, 8),
       kApart, kSome},
      {"vec_trans.repeat-255", "vec_trans, 255 blocks, apart",
       TransCall(255, 255, 1, 255), kApart},
      {"trowprod", "TROWPROD 128x128, apart",
       ProductCall(DType::kFloat, 128, 128, isa::Order::kDocumented), kApart, 0,
       false, isa::Product::kAtlasA2},
      {"min.interleaved", "Min, repeat 255, interleaved",
       min({2, 3, 24}, {0, 3, 24}, {1, 3, 24}), kSome, kAll},
      // Sources in even blocks, dst in odd ones.
      {"min.coprime", "Min, repeat 255, interleaved at different strides",
       min({1, 6, 30}, {0, 2, 14}, {2, 4, 26}), kSome, kAll},
      {"min.illegal", "Min, repeat 255, operands run into each other",
       min({1, 1, 21}, {0, 1, 13}, {2, 1, 8}), kSome, kNoRow, true},
      {"repeat_reduce_sum.interleaved",
       "RepeatReduceSum, repeat 255, interleaved", sum({1, 0, 256}, {0, 2, 16}),
       kSome, kAll},
      {"repeat_reduce_sum.coprime",
       "RepeatReduceSum, repeat 255, interleaved at different strides",
       sum({1, 0, 352}, {0, 2, 14}), kSome, kAll},
      {"data_copy.interleaved", "DataCopy, 4,095 blocks, interleaved",
       copy(4095, {0}, 1, 1, 1), kSome, 0},
      {"data_copy.coprime",
       "DataCopy, 1,365 blocks, interleaved at different strides",
       copy(1365, {0}, 1, 3, 5), kSome},
      {"vec_trans.interleaved", "vec_trans, 255 blocks, interleaved",
       TransCall(255, 1, 2), kSome, kAll},
  };
  return calls;
}

/// What the emulator's row of seams for the step's call finds.
isa::RuleSet BySeams(const Board& board, const emulator::State& state,
                     const isa::Step& step) {
  const auto& call = std::get<isa::Call>(step);
  return emulator::VisitRow(
      board.seams(), *call.signature,
      [&](const auto& row) { return row.legality(call, state); });
}

/// Whether `rules` is what the call breaks; only the illegal one breaks any.
std::string Verdict(const Judged& call, const isa::RuleSet& rules,
                    const isa::RuleSet& right) {
  if (rules != right) return "its rules are not those of the other side";
  return rules.empty() != call.illegal
             ? ""
             : "the call is not as legal as it is meant to be";
}

Prepared EmulatorLegality(const Setting& setting, const Judged& call) {
  auto board = std::make_shared<Board>(call.product, setting.seams);
  auto state = std::make_shared<emulator::State>(
      emulator::State{.product = call.product, .memories = board->memories()});
  return {.work =
              [=, &call] {
                benchmark::DoNotOptimize(BySeams(*board, *state, call.step));
              },
          .check =
              [=, &call] {
                oracle::Oracle oracle(board->product(), board->memories());
                return Verdict(call, BySeams(*board, *state, call.step),
                               oracle.Execute(call.step).rules);
              }};
}

/// Every reject rule, judged by listing.
Prepared OracleLegality(const Setting& setting, const Judged& call) {
  auto board = std::make_shared<Board>(call.product, setting.seams);
  auto oracle =
      std::make_shared<oracle::Oracle>(call.product, board->memories());
  return {.work =
              [=, &call] {
                benchmark::DoNotOptimize(oracle->BrokenAnywhere(call.step));
              },
          .check =
              [=, &call] {
                return Verdict(call, oracle->BrokenAnywhere(call.step),
                               board->emulator().Execute(call.step).rules);
              }};
}

}  // namespace

void AddLegalityRows(Rows& rows) {
  for (const Judged& call : Calls()) {
    if (call.emulator == Judged::kNoRow) continue;
    rows.push_back({fmt::format("legality.{}", call.name),
                    fmt::format("legality of {}", call.what), "",
                    SecondsAtMost(call.emulator), [&call](const Setting& s) {
                      return EmulatorLegality(s, call);
                    }});
  }
}

void AddOracleLegalityRows(Rows& rows) {
  for (const Judged& call : Calls()) {
    if (call.oracle == Judged::kNoRow) continue;
    rows.push_back({fmt::format("oracle.legality.{}", call.name),
                    fmt::format("oracle: legality of {}", call.what), "",
                    SecondsAtMost(call.oracle), [&call](const Setting& s) {
                      return OracleLegality(s, call);
                    }});
  }
}

}  // namespace lanediff::bench
