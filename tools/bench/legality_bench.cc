// Rows of what decides whether a call is legal.

#include <benchmark/benchmark.h>
#include <fmt/format.h>

#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <variant>

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
  std::string_view what;
  isa::Step step;
  bool illegal = false;
  isa::Product product = isa::Product::kAtlasInferenceAicore;
};

const Judged& CallNamed(std::string_view name) {
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
  static const std::map<std::string_view, Judged> calls = {
      {"min.repeat-1", {"Min, repeat 1, apart", apart(1)}},
      {"min.repeat-8", {"Min, repeat 8", apart(8)}},
      {"min.repeat-255", {"Min, repeat 255, apart", apart(255)}},
      {"min.strided",
       {"Min, repeat 255, strides 2 and 9, apart", apart(255, 2, 9)}},
      {"min.interleaved",
       {"Min, repeat 255, interleaved",
        min({2, 3, 24}, {0, 3, 24}, {1, 3, 24})}},
      // Sources in even blocks, dst in odd ones.
      {"min.coprime",
       {"Min, repeat 255, interleaved at different strides",
        min({1, 6, 30}, {0, 2, 14}, {2, 4, 26})}},
      {"min.illegal",
       {"Min, repeat 255, operands run into each other",
        min({1, 1, 21}, {0, 1, 13}, {2, 1, 8}), true}},
      {"repeat_reduce_sum.repeat-1",
       {"RepeatReduceSum, repeat 1, apart", SumCallApart(DType::kHalf, 1)}},
      {"repeat_reduce_sum.repeat-8",
       {"RepeatReduceSum, repeat 8", SumCallApart(DType::kHalf, 8)}},
      {"repeat_reduce_sum.repeat-255",
       {"RepeatReduceSum, repeat 255, apart", SumCallApart(DType::kHalf, 255)}},
      {"repeat_reduce_sum.strided",
       {"RepeatReduceSum, repeat 255, strides 2 and 9, apart",
        SumCallApart(DType::kHalf, 255, 2, 9)}},
      {"repeat_reduce_sum.interleaved",
       {"RepeatReduceSum, repeat 255, interleaved",
        sum({1, 0, 256}, {0, 2, 16})}},
      {"repeat_reduce_sum.coprime",
       {"RepeatReduceSum, repeat 255, interleaved at different strides",
        sum({1, 0, 352}, {0, 2, 14})}},
      {"data_copy.count",
       {"DataCopy, count, apart",
        CopyCall(Window(Position::kVecin, 0, 65536),
                 Window(Position::kVeccalc, Place{4096}), 65536)}},
      {"data_copy.blocks",
       {"DataCopy, 2,047 blocks with gaps, apart",
        copy(2047, half, 4096, 1, 1)}},
      {"data_copy.interleaved",
       {"DataCopy, 4,095 blocks, interleaved", copy(4095, {0}, 1, 1, 1)}},
      {"data_copy.coprime",
       {"DataCopy, 1,365 blocks, interleaved at different strides",
        copy(1365, {0}, 1, 3, 5)}},
      {"vec_trans.repeat-8", {"vec_trans, 8 blocks", TransCall(8, 8, 1, 8)}},
      {"vec_trans.repeat-255",
       {"vec_trans, 255 blocks, apart", TransCall(255, 255, 1, 255)}},
      {"vec_trans.interleaved",
       {"vec_trans, 255 blocks, interleaved", TransCall(255, 1, 2)}},
      {"trowprod",
       {"TROWPROD 128x128, apart",
        ProductCall(DType::kFloat, 128, 128, isa::Order::kDocumented), false,
        isa::Product::kAtlasA2}},
  };
  return calls.at(name);
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

void Add(Rows& rows, std::string_view name, double most,
         Prepared (*prepare)(const Setting&, const Judged&),
         std::string_view side) {
  const Judged& call = CallNamed(name);
  rows.push_back(
      {fmt::format("{}legality.{}", side.empty() ? "" : "oracle.", name),
       fmt::format("{}legality of {}", side, call.what), "",
       SecondsAtMost(most),
       [prepare, &call](const Setting& s) { return prepare(s, call); }});
}

}  // namespace

void AddLegalityRows(Rows& rows) {
  for (const char* const name :
       {"min.repeat-1", "min.repeat-255", "min.strided",
        "repeat_reduce_sum.repeat-1", "repeat_reduce_sum.repeat-255",
        "repeat_reduce_sum.strided", "data_copy.count", "data_copy.blocks",
        "vec_trans.repeat-8", "vec_trans.repeat-255", "trowprod"}) {
    Add(rows, name, 150e-9, EmulatorLegality, "");
  }
  for (const char* const name :
       {"min.interleaved", "min.coprime", "min.illegal",
        "repeat_reduce_sum.interleaved", "repeat_reduce_sum.coprime",
        "data_copy.interleaved", "data_copy.coprime",
        "vec_trans.interleaved"}) {
    Add(rows, name, 20e-6, EmulatorLegality, "");
  }
}

void AddOracleLegalityRows(Rows& rows) {
  constexpr std::pair<const char*, double> kMost[] = {
      {"min.repeat-8", 20e-6},
      {"repeat_reduce_sum.repeat-8", 20e-6},
      {"data_copy.count", 20e-6},
      {"vec_trans.repeat-8", 20e-6},
      {"trowprod", 0},
      {"min.repeat-255", 0},
      {"min.interleaved", 0.7e-3},
      {"min.coprime", 0.7e-3},
      {"repeat_reduce_sum.interleaved", 0.7e-3},
      {"repeat_reduce_sum.coprime", 0.7e-3},
      {"vec_trans.interleaved", 0.7e-3},
      {"data_copy.interleaved", 0}};
  for (const auto& [name, most] : kMost) {
    Add(rows, name, most, OracleLegality, "oracle: ");
  }
}

}  // namespace lanediff::bench
