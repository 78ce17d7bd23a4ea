#include "sanitizer/second_call.h"

#include <algorithm>
#include <optional>
#include <string>
#include <utility>

#include "sanitizer/judge.h"
#include "sanitizer/slots.h"

namespace lanediff::lint {
namespace {

constexpr std::size_t kMostCalls = 16;

/// The field that counts iterations, and from what to what it was lowered.
struct Lowered {
  std::string field;
  std::int64_t from = 0;
  std::int64_t to = 0;
};

std::optional<Lowered> LoweredBy(const Repair& repair) {
  for (const Repair::Change& change : repair.changes) {
    const bool repeats =
        change.field == "repeat" || change.field == "repeatTimes" ||
        change.field == "repeat_times" || change.field == "blockCount";
    const auto* const from = std::get_if<std::int64_t>(&change.from);
    const auto* const to = std::get_if<std::int64_t>(&change.to);
    if (repeats && *to > 0 && *from > *to) {
      return Lowered{change.field, *from, *to};
    }
  }
  return std::nullopt;
}

using Accesses = std::vector<isa::Access>;

/// The accesses of `count` iterations from `first` on, which counts as 0.
Accesses Part(const Accesses& all, std::int64_t first, std::int64_t count) {
  Accesses part;
  for (isa::Access access : all) {
    access.iteration -= first;
    if (access.iteration >= 0 && access.iteration < count) {
      part.push_back(access);
    }
  }
  return part;
}

/// Where iteration `number` begins in the operand.
std::optional<std::int64_t> Begin(const Accesses& all,
                                  const std::string& operand,
                                  std::int64_t number) {
  std::optional<std::int64_t> begin;
  for (const isa::Access& access : all) {
    if (access.operand != operand || access.iteration != number) continue;
    begin = std::min(begin.value_or(access.at), access.at);
  }
  return begin;
}

/// `step` with its windows begun where iteration `first` of `all` does.
std::optional<isa::Step> From(const isa::Step& step, const Accesses& all,
                              std::int64_t first) {
  isa::Step moved = step;
  for (const std::string& operand : OperandsOf(step)) {
    const auto head = Begin(all, operand, 0);
    const auto begin = Begin(all, operand, first);
    const auto at = IntegerOf(step, operand + ".at");
    const auto bytes = IntegerOf(step, operand + ".bytes");
    if (!head || !begin || !at || !bytes) return std::nullopt;
    const std::int64_t distance = *begin - *head;
    if (distance >= *bytes) return std::nullopt;
    moved = With(moved, operand + ".at", *at + distance);
    moved = With(moved, operand + ".bytes", *bytes - distance);
  }
  return moved;
}

}  // namespace

SecondCalls SecondCallsOf(const Case& c, std::size_t number,
                          const Repair& repair) {
  const auto lowered = LoweredBy(repair);
  if (!lowered) return {};
  const auto& [field, from, to] = *lowered;
  SecondCalls calls{.iterations = from - to, .steps = {}};
  if (static_cast<std::uint64_t>(from - to) >
      static_cast<std::uint64_t>(to) * kMostCalls) {
    return calls;
  }
  Judge judge(c);
  for (std::size_t i = 0; i < number; ++i) judge.Take(c.program[i]);
  const Accesses all = judge.Natural(With(repair.step, field, from));
  std::vector<isa::Step> steps;
  for (std::int64_t done = to; done < from; done += to) {
    const std::int64_t count = std::min(to, from - done);
    const auto next = From(With(repair.step, field, count), all, done);
    if (!next || judge.Natural(*next) != Part(all, done, count)) return calls;
    steps.push_back(*next);
  }
  calls.steps = std::move(steps);
  return calls;
}

}  // namespace lanediff::lint
