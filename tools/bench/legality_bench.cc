#include <benchmark/benchmark.h>

#include <memory>
#include <string>
#include <utility>
#include <variant>

#include "emulator/state.h"
#include "isa/rule.h"
#include "isa/step.h"
#include "oracle/oracle.h"
#include "tools/bench/board.h"
#include "tools/bench/judged_calls.h"
#include "tools/bench/works.h"

namespace lanediff::bench {
namespace {

using emulator::Seams;

/// The seam of each type of step, judging it.
struct Judge {
  const Seams& seams;
  const emulator::State& state;

  isa::RuleSet operator()(const isa::RepeatReduceSum& call) const {
    return seams.repeat_reduce_sum.legality(call, state);
  }
  isa::RuleSet operator()(const isa::WholeReduceSum& call) const {
    return seams.whole_reduce_sum.legality(call, state);
  }
  template <isa::Elementwise Call>
  isa::RuleSet operator()(const Call& call) const {
    return emulator::RowOf<Call>(seams.elementwise).legality(call, state);
  }
  isa::RuleSet operator()(const isa::DataCopy& call) const {
    return seams.data_copy.legality(call, state);
  }
  isa::RuleSet operator()(const isa::Trowprod& call) const {
    return seams.trowprod.legality(call, state);
  }
  isa::RuleSet operator()(const isa::VecTrans& call) const {
    return seams.vec_trans.legality(call, state);
  }
  isa::RuleSet operator()(const isa::StateStep auto&) const { return {}; }
};

/// Whether `rules` is what the call breaks; only the illegal one breaks any.
std::string Verdict(Judged which, const isa::RuleSet& rules,
                    const isa::RuleSet& right) {
  if (rules != right) return "its rules are not those of the other side";
  if (rules.empty() == (which == Judged::kMinIllegal)) {
    return "the call is not as legal as it is meant to be";
  }
  return "";
}

}  // namespace

Prepared EmulatorLegality(const Setting& setting, Judged which) {
  const JudgedCall call = CallOf(which);
  auto board = std::make_shared<Board>(call.product, setting.seams);
  auto state = std::make_shared<emulator::State>(
      emulator::State{.product = call.product, .memories = board->memories()});
  Prepared prepared;
  prepared.work = [=, step = call.step] {
    benchmark::DoNotOptimize(std::visit(Judge{board->seams(), *state}, step));
  };
  prepared.check = [=, step = call.step] {
    oracle::Oracle oracle(board->product(), board->memories());
    return Verdict(which, std::visit(Judge{board->seams(), *state}, step),
                   oracle.Execute(step).rules);
  };
  return prepared;
}

Prepared OracleLegality(const Setting& setting, Judged which) {
  const JudgedCall call = CallOf(which);
  auto board = std::make_shared<Board>(call.product, setting.seams);
  auto oracle =
      std::make_shared<oracle::Oracle>(call.product, board->memories());
  Prepared prepared;
  prepared.work = [=, step = call.step] {
    benchmark::DoNotOptimize(oracle->BrokenAnywhere(step));
  };
  prepared.check = [=, step = call.step] {
    return Verdict(which, oracle->BrokenAnywhere(step),
                   board->emulator().Execute(step).rules);
  };
  return prepared;
}

}  // namespace lanediff::bench
