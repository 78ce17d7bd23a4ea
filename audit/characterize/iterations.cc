#include <fmt/format.h>

#include <algorithm>
#include <initializer_list>
#include <optional>
#include <string_view>
#include <utility>

#include "audit/characterize/number.h"
#include "audit/characterize/probes.h"
#include "differential/compare/unspecified.h"
#include "differential/targets/find_target.h"
#include "differential/testcase/element.h"
#include "generators/lanewise.h"
#include "isa/memory_map.h"
#include "isa/step.h"
#include "isa/units.h"

namespace lanediff::character {
namespace {

constexpr auto kUb = static_cast<std::size_t>(isa::Memory::kUb);
/// DataBlocks from an operand's iteration to the next.
constexpr std::int64_t kApart = 8;

/// What the documents make of `c`, a case of `fold`; nothing if they refuse it.
std::optional<double> Documented(const Fold& fold, const Case& c) {
  const auto outcome = diff::TheOracle().Run(c);
  if (!outcome || outcome->rejected()) return std::nullopt;
  return ResultOf(fold, MemoryAfter(c, *outcome, isa::Memory::kUb));
}

/// Runs `c` for its result: a word for each that there may be.
using WordOf = std::pair<std::optional<double>, std::string_view>;
ProbeResult ProbeCase(ProbeRunner& runner, const Fold& fold, Case c,
                      std::initializer_list<WordOf> words) {
  const Reply reply = runner.Run(c);
  ProbeResult result = ResultOf(reply);
  if (reply.executed()) {
    const double found =
        ResultOf(fold, MemoryAfter(c, reply.outcome, isa::Memory::kUb));
    const auto word = std::ranges::find(words, found, &WordOf::first);
    result.answer = word == words.end() ? "other" : word->second;
    c.note = fmt::format("Found: {}.", NumberText(found));
  }
  result.cases.push_back(std::move(c));
  return result;
}

Region ElementAt(const Fold& fold, std::int64_t at, double value) {
  Region region{.at = at, .dtype = fold.dtype, .bytes = {}};
  AppendElement(fold.dtype, ElementFromDouble(fold.dtype, value), region.bytes);
  return region;
}

/// The values of the first source iteration by iteration, and what the
/// destination holds before: the result shows whether an iteration sees the one
/// before it.
struct Running {
  double before, first, second;
};

Running RunningOf(const Fold& fold) {
  switch (fold.combine) {
    case Combine::kMinimum:
      return {10, 3, 7};
    case Combine::kMaximum:
      return {1, 7, 3};
    case Combine::kDifference:
      return {3, 2, 8};
    default:
      return {1, 2, 4};
  }
}

/// Makes two iterations of a call, of which the first source alone moves on.
void Repeat(isa::Call& call) {
  call[isa::Param::kRepeatTimes] = 2;
  for (std::size_t i = 0; i < call.used_operands().size(); ++i) {
    call.RepStride(i) = i == 1 ? kApart : 0;
  }
  call.src(0).bytes += kApart * isa::kDataBlockBytes;
}

/// Two iterations that both read the last source where dst is.
Case RunningCall(const Fold& fold) {
  Case c = CaseOf(fold, std::vector<double>(fold.least(), 0.0));
  auto& call = std::get<isa::Call>(c.program.back());
  Repeat(call);
  call.src(call.signature->sources() - 1) = call.dst();
  const Running values = RunningOf(fold);
  const std::int64_t src = call.src(0).at;
  MemoryImage& ub = *c.memory[kUb];
  ub.size = src + call.src(0).bytes;
  ub.regions = {
      ElementAt(fold, call.dst().at, values.before),
      ElementAt(fold, src, values.first),
      ElementAt(fold, src + kApart * isa::kDataBlockBytes, values.second)};
  return c;
}

/// Leaves of which the first is `value`, and the others leave it as it is.
std::vector<double> Alone(const Fold& fold, double value) {
  const double other = fold.combine == Combine::kMinimum   ? 9
                       : fold.combine == Combine::kProduct ? 1
                                                           : 0;
  std::vector<double> leaves(fold.least(), other);
  leaves[0] = value;
  return leaves;
}

/// Two iterations, of 3 and of 5, into one place.
Case OneDestination(const Fold& fold) {
  const std::vector<double> leaves = Alone(fold, 3);
  Case c = CaseOf(fold, leaves);
  auto& call = std::get<isa::Call>(c.program.back());
  Repeat(call);
  const std::int64_t src = call.src(0).at;
  MemoryImage& ub = *c.memory[kUb];
  ub.size = src + call.src(0).bytes;
  ub.regions = {ElementAt(fold, src, 3),
                ElementAt(fold, src + kApart * isa::kDataBlockBytes, 5)};
  for (std::size_t i = 1; i < call.signature->sources(); ++i) {
    call.src(i).at = ub.size;
    ub.size += call.src(i).bytes;
    ub.regions.push_back(ElementAt(fold, call.src(i).at, leaves[i]));
  }
  return c;
}

/// The bytes that a call is to write or may: its result, and scratch.
struct Free {
  std::int64_t at;
  std::int64_t bytes;
};

std::vector<Free> FreeBytes(const Fold& fold, const Case& c) {
  std::vector<Free> free = {{ResultPlace(), isa::SizeBytes(fold.dtype)}};
  for (const auto& scratch : diff::ScratchOf(c, c.program.back())) {
    free.push_back({scratch.at, scratch.bytes});
  }
  return free;
}

/// What became of bytes that held `fill`, those in `free` aside.
std::string OtherBytesWord(const std::vector<std::uint8_t>& before,
                           const std::vector<std::uint8_t>& after,
                           const std::vector<Free>& free) {
  bool kept = true;
  bool zeroed = true;
  for (std::size_t i = 0; i < after.size(); ++i) {
    const auto at = static_cast<std::int64_t>(i);
    const bool is_free = std::ranges::any_of(
        free, [&](const Free& f) { return f.at <= at && at < f.at + f.bytes; });
    if (is_free || before[i] == after[i]) continue;
    kept = false;
    zeroed = zeroed && after[i] == 0;
  }
  return kept ? "kept" : zeroed ? "zeroed" : "other";
}

void ProbeTmp(ProbeRunner& runner, const Fold& fold, const Case& c,
              const Reply& reply) {
  const auto free = FreeBytes(fold, c);
  if (free.size() < 2) return;
  bool listed = false;
  for (const Region& region : (*reply.outcome.memory)[kUb]) {
    listed = listed || (region.at < free[1].at + free[1].bytes &&
                        region.end() > free[1].at);
  }
  runner.Write({"iterations", fold.op, fold.dtype, "tmp"},
               {.answer = listed ? "changed" : "not reported",
                .note = listed ? "" : "outcomes need not list it",
                .cases = {c},
                .probes = 0});
}

}  // namespace

void ProbeIterations(ProbeRunner& runner, const Fold& fold) {
  if (fold.reduces() || isa::FindSignature(fold.op)->sources() < 2) return;
  Case c = RunningCall(fold);
  const auto seen = Documented(fold, c);
  if (!seen) return;  // such calls are rejected
  const Running values = RunningOf(fold);
  const std::vector<double> unseen = {values.second, values.before};
  runner.Write({"iterations", fold.op, fold.dtype},
               ProbeCase(runner, fold, std::move(c),
                         {{seen, "sees earlier writes"},
                          {Documented(fold, CaseOf(fold, unseen)),
                           "does not see them"}}));
}

void ProbeOneDestination(ProbeRunner& runner, const Fold& fold) {
  if (fold.family() == isa::Family::kTile) return;  // has no iterations
  if (!fold.has_source()) return;  // all of them write the same
  // Such calls are rejected.
  if (!fold.reduces() && isa::FindSignature(fold.op)->ReadsDst()) return;
  const auto last = Documented(fold, CaseOf(fold, Alone(fold, 5)));
  const auto first = Documented(fold, CaseOf(fold, Alone(fold, 3)));
  if (last == first) return;  // of both the same comes out
  runner.Write(
      {"iterations", fold.op, fold.dtype, "one destination"},
      ProbeCase(runner, fold, OneDestination(fold),
                {{last, "the last one wins"}, {first, "the first one wins"}}));
}

void ProbeOtherBytes(ProbeRunner& runner, const Fold& fold) {
  Case c =
      CaseOf(fold, std::vector<double>(fold.reduces() ? 3 : fold.most(), 1.0));
  c.memory[kUb]->fill = 0xa5;
  const Reply reply = runner.Run(c);
  ProbeResult result = ResultOf(reply);
  if (reply.executed()) {
    result.answer = OtherBytesWord(
        MemoryAfter(c, {}, isa::Memory::kUb),
        MemoryAfter(c, reply.outcome, isa::Memory::kUb), FreeBytes(fold, c));
    ProbeTmp(runner, fold, c, reply);
  }
  result.cases.push_back(std::move(c));
  runner.Write({"iterations", fold.op, fold.dtype, "other bytes"},
               std::move(result));
}

}  // namespace lanediff::character
