#include "audit/characterize/characterise.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cstddef>
#include <initializer_list>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "audit/characterize/fold.h"
#include "audit/characterize/probe_runner.h"
#include "audit/characterize/probes.h"
#include "audit/conditions.h"
#include "differential/testcase/case_reader.h"
#include "differential/testcase/element.h"
#include "isa/catalogue.h"
#include "isa/step.h"

namespace lanediff::character {
namespace {

using Kind = FoundOrder::Kind;

struct ProbedLength {
  std::size_t length;
  FoundOrder found;
};

bool HasName(const FoundOrder& found, std::string_view name) {
  return std::ranges::count(found.names, name) != 0;
}

/// The likeliest name that fits wherever there is one; empty where none does.
std::string_view CommonName(const std::vector<ProbedLength>& all) {
  const FoundOrder* longest = nullptr;
  for (const ProbedLength& probed : all) {
    if (!probed.found.names.empty()) longest = &probed.found;
  }
  if (longest == nullptr) return {};
  for (const std::string_view name : longest->names) {
    if (std::ranges::all_of(all, [&](const ProbedLength& probed) {
          return probed.found.names.empty() || HasName(probed.found, name);
        })) {
      return name;
    }
  }
  return {};
}

std::string AnswerOf(const FoundOrder& found, std::string_view common) {
  switch (found.kind) {
    case Kind::kNoAnswer:
      return found.note;
    case Kind::kNotATree:
      return "not a fixed tree";
    case Kind::kTree:
      break;
  }
  if (found.names.empty()) return "other";
  return std::string(HasName(found, common) ? common : found.names.front());
}

void Write(ProbeRunner& runner, const Fold& fold, ProbedLength probed,
           std::string_view common) {
  FoundOrder& found = probed.found;
  found.answer = AnswerOf(found, common);
  std::erase(found.names, std::string_view(found.answer));
  if (found.kind == Kind::kNoAnswer) found.note.clear();
  if (!found.names.empty()) {
    found.note += fmt::format("{}as well: {}", found.note.empty() ? "" : "; ",
                              fmt::join(found.names, ", "));
  }
  std::string about;
  if (fold.order) about = fmt::format("order {}", isa::Name(*fold.order));
  if (!fold.lanes.empty()) about = "lanes " + LeavesText(fold.lanes);
  Answer& written = runner.Write(
      {"order", fold.op, fold.dtype, std::move(about), probed.length}, found);
  written.tree = std::move(found.tree);
}

void ProbeAll(ProbeRunner& runner, const Fold& fold,
              const std::vector<std::size_t>& lengths) {
  Prober prober(runner, fold);
  std::vector<ProbedLength> all;
  for (const std::size_t length : lengths) {
    if (!fold.takes(length)) continue;
    all.push_back({length, FindOrder(prober, length)});
    if (all.back().found.kind == Kind::kNoAnswer) break;
  }
  const std::string_view common = CommonName(all);
  for (ProbedLength& probed : all) {
    Write(runner, fold, std::move(probed), common);
  }
}

/// The lengths probed by default: of a sum lanes, of a product columns.
std::vector<std::size_t> DefaultLengths(const Fold& fold) {
  if (fold.combine == Combine::kProduct) {
    // Both sides of a block, a register and pairs of registers, and numbers of
    // pairs that are no power of two.
    return {1,   2,   3,   5,   17,  64,  65,  128, 129,
            192, 256, 320, 384, 448, 512, 640, 768, 1024};
  }
  return {2, 3, 5, 17, 64, 127, 128};
}

/// Probes in which order `fold` combines each of `lengths`, and a sum lanes
/// that lie apart, and writes the answers. An order with several names gets the
/// one that fits at all lengths.
void ProbeOrders(ProbeRunner& runner, const Fold& fold,
                 const std::vector<std::size_t>& lengths) {
  ProbeAll(runner, fold, lengths);
  if (fold.combine != Combine::kSum) return;
  Fold apart = fold;
  apart.lanes = {0, 2, 3, 9, 10, 12, 21, 32, 63};
  ProbeAll(runner, apart, {apart.lanes.size()});
}

/// Whether it answers at all; its failure is written once.
bool Answers(ProbeRunner& runner, const Fold& fold) {
  Prober prober(runner, fold);
  prober.Value(std::vector<double>(fold.reduces() ? 2 : fold.most(), 1.0));
  if (!prober.failed()) return true;
  const bool compares =
      fold.combine == Combine::kMinimum || fold.combine == Combine::kMaximum;
  runner.Write({fold.reduces()                    ? "order"
                : compares                        ? "nan"
                : fold.combine == Combine::kOther ? "iterations"
                                                  : "rounding",
                fold.op, fold.dtype},
               prober.Finish(""));
  return false;
}

/// The orders of TROWPROD that can be requested.
void ProbeRequestedOrders(ProbeRunner& runner, Fold fold,
                          const std::vector<std::size_t>& lengths) {
  const auto& claimed = runner.capabilities().orders;
  for (std::size_t o = 0; o < isa::kCount<isa::Order>; ++o) {
    fold.order = static_cast<isa::Order>(o);
    if (claimed && std::ranges::count(*claimed, *fold.order) == 0) continue;
    Prober prober(runner, fold);
    if (!prober.Probe({1, 1})) continue;
    ProbeOrders(runner, fold, lengths);
    ProbeArithmetic(runner, fold);
  }
}

/// Whether the target has it.
bool ProbeFold(ProbeRunner& runner, const Fold& fold, const Options& options) {
  if (!Answers(runner, fold)) return false;
  const auto lengths =
      options.lengths.empty() ? DefaultLengths(fold) : options.lengths;
  if (fold.reduces()) ProbeOrders(runner, fold, lengths);
  ProbeArithmetic(runner, fold);
  ProbeIterations(runner, fold);
  ProbeOneDestination(runner, fold);
  ProbeOtherBytes(runner, fold);
  ProbeMaskAfter(runner, fold);
  if (fold.family() == isa::Family::kTile) {
    ProbeRequestedOrders(runner, fold, lengths);
  }
  return true;
}

using audit::Conditions;
using audit::Measurement;
using Words = std::initializer_list<std::string_view>;

bool IsOneOf(std::string_view answer, Words words) {
  return std::ranges::find(words, answer) != words.end();
}

/// How an answer reads that is as the documents have it.
struct Documented {
  std::string_view rule;  ///< empty: none is measured by it
  std::string_view answer;
  Words others;                ///< answers that contradict it
  Conditions conditions = 0;   ///< of the calls, besides instruction and type
  bool of_any_call = false;    ///< not only of this instruction and type
  bool speaks_for_it = false;  ///< a documented answer clears the rule
};

std::string_view OrderRuleOf(std::string_view op) {
  const isa::Signature* const row = isa::FindSignature(op);
  if (row == nullptr) return {};
  switch (row->family) {
    case isa::Family::kReduction:
      return row->Rule(isa::CallRule::kTree).text();
    case isa::Family::kTile:
      return row->Rule(isa::CallRule::kOrder).text();
    default:
      return {};
  }
}

Documented OfOrder(const Answer& a) {
  static const Words names = {
      "documented",     "neighbours", "halves",
      "left-fold",      "right-fold", "block-lanes",
      "register-lanes", "other",      "not a fixed tree"};
  // Orders of TROWPROD that a call names have cases of their own, and of
  // integers, which are not rounded, no result shows an order.
  const auto dtype = isa::Parse<isa::DType>(a.dtype);
  if (a.about.starts_with("order ") || !dtype || !IsFloating(*dtype)) return {};
  return {.rule = OrderRuleOf(a.instruction),
          .answer = a.instruction == "TROWPROD" ? "documented" : "neighbours",
          .others = names,
          .conditions = a.about.starts_with("lanes ") ? audit::WithMaskGaps()
                                                      : Conditions{0}};
}

Documented OfMaskAfter(const Answer& a) {
  static const Words words = {"its own mask", "kept", "all ones", "empty"};
  const isa::Instruction* const instruction =
      isa::FindInstruction(a.instruction);
  if (instruction == nullptr || !instruction->masked) return {};
  return {.rule = isa::state::kMaskRegister.text(),
          .answer = a.about == "count" ? "all ones" : "its own mask",
          .others = words,
          .conditions = audit::WithMaskRegister(),
          .of_any_call = true};
}

Documented DocumentedOf(const Answer& a) {
  if (a.question == "order") return OfOrder(a);
  if (a.question == "mask-after") return OfMaskAfter(a);
  if (!a.about.empty()) return {};
  if (a.question == "rounding") {
    static const Words ways = {"nearest-away", "nearest-toward-zero",
                               "nearest-up",   "nearest-down",
                               "toward-zero",  "away-from-zero",
                               "up",           "down",
                               "to-odd",       "other"};
    return {.rule = isa::arith::kRound.text(),
            .answer = "nearest-even",
            .others = ways,
            .speaks_for_it = true};
  }
  if (a.question == "subnormals") {
    static const Words ways = {"flushed in", "flushed out",
                               "flushed in and out"};
    return {.rule = isa::arith::kSubnormal.text(),
            .answer = "kept",
            .others = ways};
  }
  return {};
}

std::string TextOf(const Answer& a, std::string_view documented) {
  return fmt::format("{} of {} {}{}{}: {}; documented: {}", a.question, a.dtype,
                     a.instruction, a.about.empty() ? "" : ", ", a.about,
                     a.answer, documented);
}

std::vector<Case> CasesOf(const Answer& a) {
  std::vector<Case> cases;
  for (const JsonText& document : a.cases) {
    if (auto c = ReadCase(document.text)) cases.push_back(*std::move(c));
  }
  return cases;
}

}  // namespace

Character Characterise(const diff::Target& target, const Options& options) {
  ProbeRunner runner(target, options.goes_on, options.edition);
  std::set<std::string_view> without;  // instructions that it has not
  for (const std::string_view op : FoldOps()) {
    if (!options.instruction.empty() && op != options.instruction) continue;
    bool any = false;
    for (const Fold& fold :
         FoldsOf(op, runner.capabilities(), options.edition)) {
      any = ProbeFold(runner, fold, options) || any;
    }
    if (!any) without.insert(op);
  }
  if (!runner.capabilities().legal_only) {
    ProbeIllegal(runner, options.instruction, without);
  }
  return runner.Take();
}

std::vector<Measurement> MeasurementsOf(const Character& character) {
  std::vector<Measurement> all;
  for (const Answer& a : character.answers) {
    const Documented documented = DocumentedOf(a);
    const bool follows = a.answer == documented.answer;
    if (documented.rule.empty() ||
        (follows ? !documented.speaks_for_it
                 : !IsOneOf(a.answer, documented.others))) {
      continue;
    }
    Measurement one{.rule = documented.rule,
                    .conditions = documented.conditions,
                    .follows = follows,
                    .text = TextOf(a, documented.answer)};
    if (!documented.of_any_call) {
      one.conditions |= audit::OfOp(a.instruction);
      if (const auto dtype = isa::Parse<isa::DType>(a.dtype)) {
        one.conditions |= audit::OfType(*dtype);
      }
    }
    if (!follows) one.cases = CasesOf(a);
    const bool known = std::ranges::any_of(all, [&](const Measurement& other) {
      return other.rule == one.rule && other.conditions == one.conditions;
    });
    if (!known) all.push_back(std::move(one));
  }
  return all;
}

}  // namespace lanediff::character
