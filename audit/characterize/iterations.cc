#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "audit/characterize/number.h"
#include "audit/characterize/probes.h"
#include "differential/testcase/element.h"
#include "isa/memory_map.h"
#include "isa/step.h"
#include "isa/units.h"

namespace lanediff::character {
namespace {

constexpr auto kUb = static_cast<std::size_t>(isa::Memory::kUb);
/// DataBlocks from an operand's iteration to the next.
constexpr std::int64_t kApart = 8;

/// A program of one call, for one value.
struct Question {
  Case c;
  std::int64_t place;  ///< of the value, in UB
};

ProbeResult ProbeQuestion(ProbeRunner& runner, const Fold& fold,
                          Question question,
                          std::string (*word)(const Fold&, double)) {
  const Reply reply = runner.Run(question.c);
  ProbeResult result{
      .answer = WhyNoAnswer(reply), .note = reply.why, .probes = 1};
  if (reply.executed()) {
    const auto ub = MemoryAfter(question.c, reply.outcome, isa::Memory::kUb);
    const double found = ElementToDouble(
        fold.dtype,
        LoadElement(fold.dtype, std::span(ub).subspan(
                                    static_cast<std::size_t>(question.place))));
    result.answer = word(fold, found);
    question.c.note = fmt::format("Found: {}.", NumberText(found));
  }
  result.cases.push_back(std::move(question.c));
  return result;
}

Region ElementAt(const Fold& fold, std::int64_t at, double value) {
  Region region{.at = at, .dtype = fold.dtype, .bytes = {}};
  AppendElement(fold.dtype, ElementFromDouble(fold.dtype, value), region.bytes);
  return region;
}

/// The values of src0 iteration by iteration, what the destination holds
/// before, and what it holds after if each iteration sees the one before it,
/// or if none does.
struct Running {
  double before, first, second, seen, unseen;
};

Running RunningOf(const Fold& fold) {
  switch (fold.combine) {
    case Combine::kMinimum:
      return {10, 3, 7, 3, 7};
    case Combine::kMaximum:
      return {1, 7, 3, 7, 3};
    case Combine::kProduct:
      return {1, 2, 4, 8, 4};
    case Combine::kDifference:
      return {3, 2, 8, 9, 5};
    case Combine::kSum:
      break;
  }
  return {1, 2, 4, 7, 5};
}

/// Two iterations that both read src1 where dst is.
Question RunningCall(const Fold& fold) {
  Question question{CaseOf(fold, std::vector<double>{0, 0}), 0};
  MemoryImage& ub = *question.c.memory[kUb];
  const Running values = RunningOf(fold);
  std::visit(
      [&]<class S>(S& call) {
        if constexpr (isa::Elementwise<S>) {
          const std::int64_t src = call.src0.at;
          call.repeat_times = 2;
          call.src1 = call.dst;
          call.src0.bytes = (kApart + 1) * isa::kDataBlockBytes;
          call.repeat_params = {1, 1, 1, 0, kApart, 0};
          question.place = call.dst.at;
          ub.size = src + call.src0.bytes;
          ub.regions = {ElementAt(fold, call.dst.at, values.before),
                        ElementAt(fold, src, values.first),
                        ElementAt(fold, src + kApart * isa::kDataBlockBytes,
                                  values.second)};
        }
      },
      question.c.program.back());
  return question;
}

std::string SeenWord(const Fold& fold, double found) {
  const Running values = RunningOf(fold);
  return found == values.seen     ? "sees earlier writes"
         : found == values.unseen ? "does not see them"
                                  : "other";
}

/// Two iterations, of 3 and of 5, into one place.
Question OneDestination(const Fold& fold) {
  Question question{CaseOf(fold, std::vector<double>(fold.least(), 0.0)), 0};
  MemoryImage& ub = *question.c.memory[kUb];
  const auto values = [&](std::int64_t src) {
    ub.regions = {ElementAt(fold, src, 3),
                  ElementAt(fold, src + kApart * isa::kDataBlockBytes, 5)};
  };
  std::visit(
      [&]<class S>(S& call) {
        if constexpr (isa::Elementwise<S>) {
          call.repeat_times = 2;
          call.repeat_params = {1, 1, 1, 0, kApart, 0};
          call.src0.bytes = (kApart + 1) * isa::kDataBlockBytes;
          call.src1.at = call.src0.at + call.src0.bytes;
          ub.size = call.src1.at + call.src1.bytes;
          values(call.src0.at);
          const bool product = fold.combine == Combine::kProduct;
          const double other = fold.combine == Combine::kMinimum ? 9
                               : product                         ? 1
                                                                 : 0;
          ub.regions.push_back(ElementAt(fold, call.src1.at, other));
          question.place = call.dst.at;
        } else if constexpr (requires {
                               call.dst_rep_stride;
                               call.src;
                             }) {
          if constexpr (requires { call.repeat; }) call.repeat = 2;
          if constexpr (requires { call.repeat_times; }) call.repeat_times = 2;
          call.dst_rep_stride = 0;
          call.src.bytes *= 2;
          ub.size = call.src.at + call.src.bytes;
          values(call.src.at);
          question.place = call.dst.at;
        }
      },
      question.c.program.back());
  return question;
}

std::string WinnerWord(const Fold&, double found) {
  return found == 5   ? "the last one wins"
         : found == 3 ? "the first one wins"
                      : "other";
}

/// The bytes that a call is to write or may: its result, and scratch.
struct Free {
  std::int64_t at;
  std::int64_t bytes;
};

std::vector<Free> FreeBytes(const Fold& fold, const Case& c) {
  std::vector<Free> free = {{ResultPlace(), isa::SizeBytes(fold.dtype)}};
  if (const auto* call = std::get_if<isa::Trowprod>(&c.program.back())) {
    free.push_back({call->tmp.at, call->tmp.rows * call->tmp.cols *
                                      isa::SizeBytes(fold.dtype)});
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

void ProbeTmp(const Fold& fold, const Case& c, const Reply& reply,
              Character& profile) {
  const auto free = FreeBytes(fold, c);
  if (free.size() < 2) return;
  bool listed = false;
  for (const Region& region : (*reply.outcome.memory)[kUb]) {
    listed = listed || (region.at < free[1].at + free[1].bytes &&
                        region.end() > free[1].at);
  }
  WriteAnswer(profile, {"iterations", fold.op, fold.dtype, "tmp"},
              {.answer = listed ? "changed" : "not reported",
               .note = listed ? "" : "outcomes need not list it",
               .cases = {c},
               .probes = 0});
}

}  // namespace

void ProbeIterations(ProbeRunner& runner, const Fold& fold,
                     Character& profile) {
  if (fold.reduces()) return;
  if (fold.dtype == isa::DType::kInt16) return;  // such calls are rejected
  WriteAnswer(profile, {"iterations", fold.op, fold.dtype},
              ProbeQuestion(runner, fold, RunningCall(fold), SeenWord));
}

void ProbeOneDestination(ProbeRunner& runner, const Fold& fold,
                         Character& profile) {
  if (fold.op == isa::Trowprod::kOp) return;  // has no iterations
  WriteAnswer(profile, {"iterations", fold.op, fold.dtype, "one destination"},
              ProbeQuestion(runner, fold, OneDestination(fold), WinnerWord));
}

void ProbeOtherBytes(ProbeRunner& runner, const Fold& fold,
                     Character& profile) {
  Case c = CaseOf(fold, std::vector<double>(fold.reduces() ? 3 : 2, 1.0));
  c.memory[kUb]->fill = 0xa5;
  const Reply reply = runner.Run(c);
  ProbeResult result{
      .answer = WhyNoAnswer(reply), .note = reply.why, .probes = 1};
  if (reply.executed()) {
    result.answer = OtherBytesWord(
        MemoryAfter(c, {}, isa::Memory::kUb),
        MemoryAfter(c, reply.outcome, isa::Memory::kUb), FreeBytes(fold, c));
    ProbeTmp(fold, c, reply, profile);
  }
  result.cases.push_back(std::move(c));
  WriteAnswer(profile, {"iterations", fold.op, fold.dtype, "other bytes"},
              std::move(result));
}

}  // namespace lanediff::character
