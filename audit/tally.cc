#include "audit/tally.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <set>

#include "audit/corpus_cases.h"
#include "differential/testcase/record_join.h"
#include "isa/catalogue.h"
#include "isa/memory_map.h"

namespace lanediff::audit {
namespace {

/// Of each side, and of each bad showing.
constexpr std::size_t kKept = 2;
constexpr std::size_t kProblems = 20;

/// Type, form and places of the step that a case is about.
Tried TriedOf(const StepTraits& traits) {
  Tried tried{.dtype = traits.dtype.value_or(isa::DType::kUint8),
              .form = traits.form,
              .positions = {}};
  if (traits.reads_register) {
    tried.form += tried.form.empty() ? "mask register" : ", mask register";
  }
  for (isa::Position position : traits.positions) {
    if (!tried.positions.empty()) tried.positions += ", ";
    tried.positions += isa::Name(position);
  }
  return tried;
}

/// How far `point` is from an end of a range of `rule`; far if it has none.
std::uint64_t DistanceOf(const isa::Rule& rule,
                         const std::optional<make::FieldPoint>& point) {
  constexpr std::uint64_t kFar = 1000;
  std::uint64_t nearest = kFar;
  if (!point) return nearest;
  for (const isa::Range& range : rule.ranges) {
    if (range.field != point->field) continue;
    for (std::int64_t end : {range.low, range.high}) {
      const auto d = static_cast<std::uint64_t>(point->value) -
                     static_cast<std::uint64_t>(end);
      nearest = std::min({nearest, d, ~d + 1});
    }
  }
  return nearest;
}

/// The one of `sorted` with the key of `like`, which is put there if it is new.
template <class T>
T& SameIn(std::vector<T>& sorted, T like) {
  const auto at = std::ranges::lower_bound(sorted, like.Key(), {}, &T::Key);
  if (at != sorted.end() && at->Key() == like.Key()) return *at;
  return *sorted.insert(at, std::move(like));
}

/// Keeps `next()` if it is among the best `kKept` of those for which `alike` is
/// true; `rank` is that of `next()`.
template <class Rank>
void Keep(std::vector<Candidate>& kept, const Rank& rank, auto&& alike,
          auto&& next) {
  std::size_t better = 0;
  for (const Candidate& c : kept) better += alike(c) && c.Rank() < rank;
  if (better >= kKept) return;
  kept.push_back(next());
  std::ranges::sort(kept, {}, &Candidate::Rank);
  std::size_t seen = 0;
  std::erase_if(kept,
                [&](const Candidate& c) { return alike(c) && ++seen > kKept; });
}
template <class Rank>
void KeepTypical(CellTally& cell, Side side, const Rank& rank, auto&& next) {
  Keep(
      cell.typical, rank, [&](const Candidate& c) { return c.side == side; },
      next);
}
template <class Rank>
void KeepBad(CellTally& cell, Showing showing, const Rank& rank, auto&& next) {
  Keep(
      cell.bad, rank, [&](const Candidate& c) { return c.showing == showing; },
      next);
}

template <class Rank>
void KeepBest(std::vector<Candidate>& kept, const Rank& rank, auto&& next) {
  Keep(kept, rank, [](const Candidate&) { return true; }, next);
}

std::int64_t SizeOf(const Case& c) {
  std::int64_t bytes = 0;
  for (const auto& image : c.memory) bytes += image ? image->size : 0;
  return bytes >> 14;
}

bool RefusedIn(Showing showing) {
  return showing == Showing::kRefused ||
         showing == Showing::kRefusedOtherwise ||
         showing == Showing::kRefusedLegal;
}

void AddPoint(const isa::Rule& rule, const Tried& where,
              const make::FieldPoint& point, const Observation& o,
              CellTally& cell) {
  const int bits = static_cast<int>(8 * isa::SizeBytes(where.dtype));
  for (const isa::Range& range : rule.ranges) {
    if (range.field != point.field) continue;
    if (range.element_bits != 0 && range.element_bits != bits) continue;
    // Where another rule takes this one's place its range shows nothing.
    const bool inside = range.low <= point.value && point.value <= range.high;
    if (inside != (o.side == Side::kKeeps)) return;
    auto& sum = SameIn(cell.points, {{.field = std::string(range.field),
                                      .element_bits = range.element_bits,
                                      .value = point.value,
                                      .allowed = o.side == Side::kKeeps}});
    ++(RefusedIn(o.showing) ? sum.refused : sum.accepted);
    return;
  }
}

void AddNumeric(const CaseResult& result, Numeric& sum) {
  using isa::NumericEvent;
  sum.nodes += result.nodes;
  sum.rounded += result.events[NumericEvent::kRounded];
  sum.ties += result.events[NumericEvent::kTie];
  sum.saturated += result.events[NumericEvent::kSaturatedHigh] +
                   result.events[NumericEvent::kSaturatedLow] +
                   result.events[NumericEvent::kNanSaturated] +
                   result.events[NumericEvent::kIntegerSaturated];
  sum.largest_ulp = std::max(sum.largest_ulp, result.largest_ulp);
}

/// Whether the case shows one call alone. The programs of the sweep stay
/// programs, so that an audit of one instruction weighs no other.
bool IsOfOneStep(const AuditCase& c) {
  return isa::FindInstruction(c.slug) != nullptr ||
         (c.slug == kMeasuredSource && c.swept.c.program.size() == 1);
}

/// Whether a wrong result of the case may speak against `rule`.
bool IsDoubted(const CaseResult& result, isa::RuleId rule) {
  return result.failing &&
         (std::ranges::binary_search(result.failing->suspects, rule) ||
          std::ranges::binary_search(result.failing->cleared, rule));
}

}  // namespace

bool IsGood(Showing showing) {
  return showing == Showing::kRefused || showing == Showing::kAccepted ||
         showing == Showing::kAsDocumented;
}

bool Tally::Accepted(const isa::Rule& rule, isa::Product product) const {
  return std::ranges::any_of(accepted_, [&](const Key& key) {
    return key.first ==
               (rule.instruction == "common" ? "" : rule.instruction) &&
           (rule.topic == isa::Topic::kProduct || key.second == product);
  });
}

void Tally::Add(const AuditCase& c, const CaseResult& result) {
  ++cases;
  crashed += result.failed == Showing::kCrashed;
  hung += result.failed == Showing::kHung;
  if (result.failed) {
    failures[std::string(c.slug)].Add(
        {.crashed = result.failed == Showing::kCrashed,
         .hung = result.failed == Showing::kHung});
  }
  given_up += result.given_up;
  if (result.accepted) {
    accepted_.emplace("", c.swept.c.product);
    for (const isa::Step& step : c.swept.c.program) {
      if (const auto* const instruction = isa::InstructionOf(step)) {
        accepted_.emplace(instruction->op, c.swept.c.product);
      }
    }
  }
  unsupported += result.unsupported;
  steps += result.steps;
  compared_bytes += result.compared_bytes;
  nodes += result.nodes;
  malformed += !result.malformed.empty();
  skipped += result.given_up || !result.skipped.empty();
  for (const std::string* problem : {&result.malformed, &result.skipped}) {
    if (!problem->empty() && problems.size() < kProblems) {
      problems.push_back(*problem);
    }
  }
  for (isa::RuleId rule : result.missed) {
    ++cells_[{rule.text(), c.swept.c.product}].unsupported;
  }
  AddPasses(c, result);
  const std::int64_t size = SizeOf(c.swept.c);
  if (result.failing) AddFailure(c, result, size);
  std::set<isa::RuleId> met;
  for (const Observation& o : result.observations) {
    const isa::Rule& rule = *isa::FindRule(o.rule.text());
    const bool proved = rule.effect == isa::Effect::kSemantics &&
                        o.showing == Showing::kAsDocumented;
    if (proved && IsDoubted(result, o.rule)) continue;
    const Tried where = TriedOf(TraitsOf(c.swept.c.program[o.step]));
    CellTally& cell = cells_[{rule.id.text(), c.swept.c.product}];
    if (!proved) {
      cell.cases += met.insert(rule.id).second;
      ++(o.alone ? cell.alone
                 : cell.together)[static_cast<std::size_t>(o.showing)];
    }
    if (rule.effect == isa::Effect::kSemantics)
      AddNumeric(result, cell.numeric);
    const bool made_for = c.swept.rule == o.rule;
    if (made_for && c.swept.point && o.alone) {
      AddPoint(rule, where, *c.swept.point, o, cell);
    }
    if (o.alone) {
      Tried& tried = SameIn(cell.tried, where);
      ++(o.side == Side::kKeeps ? tried.keeps : tried.breaks);
    }
    const std::uint64_t distance =
        made_for ? DistanceOf(rule, c.swept.point)
                 : std::numeric_limits<std::uint64_t>::max();
    const std::string slug(c.slug);
    const auto rank = std::tie(distance, size, slug, c.number);
    const bool good = IsGood(o.showing);
    const auto candidate = [&] {
      return Candidate{.slug = slug,
                       .number = c.number,
                       .side = o.side,
                       .showing = o.showing,
                       .distance = distance,
                       .size = size,
                       .what = c.swept.what,
                       .message = good ? "" : result.message,
                       .signature = good ? "" : result.signature};
    };
    if (o.alone) KeepTypical(cell, o.side, rank, candidate);
    if (!good) KeepBad(cell, o.showing, rank, candidate);
  }
}

void Tally::LeaveOut(const AuditCase& c) {
  ++beyond;
  if (c.swept.rule) {
    ++cells_[{isa::FindRule(c.swept.rule->text())->id.text(),
              c.swept.c.product}]
          .beyond;
  }
}

/// A case is right for a rule if a right result rests on it and no wrong one.
void Tally::AddPasses(const AuditCase& c, const CaseResult& result) {
  const isa::Product product = c.swept.c.product;
  const bool of_one = IsOfOneStep(c);
  std::set<isa::RuleId> right;
  for (const PassingStep& step : result.passing) {
    for (isa::RuleId rule : step.rules) {
      if (!IsDoubted(result, rule)) right.insert(rule);
    }
    PassingRuns runs{
        .rules = step.rules,
        .conditions = of_one ? step.conditions : InProgram(step.conditions)};
    ++SameIn(passing_, {product, std::move(runs)}).runs.cases;
  }
  for (isa::RuleId rule : right) {
    CellTally& cell = cells_[{rule.text(), product}];
    ++cell.cases;
    ++cell.alone[static_cast<std::size_t>(Showing::kAsDocumented)];
  }
}

void Tally::AddFailure(const AuditCase& c, const CaseResult& result,
                       std::int64_t size) {
  const FailingStep& step = *result.failing;
  FailingRuns runs{.suspects = step.suspects,
                   .made_for = c.swept.rule,
                   .conditions = IsOfOneStep(c) ? step.conditions
                                                : InProgram(step.conditions),
                   .mismatch = step.mismatch};
  FailureTally& failure =
      SameIn(failing_, {.product = c.swept.c.product, .runs = std::move(runs)});
  ++failure.runs.cases;
  for (isa::RuleId rule : step.cleared) {
    ++SameIn(failure.cleared, {.rule = rule}).cases;
  }
  failure.largest_ulp = std::max(failure.largest_ulp, result.largest_ulp);
  const std::uint64_t distance =
      c.swept.rule
          ? DistanceOf(*isa::FindRule(c.swept.rule->text()), c.swept.point)
          : std::numeric_limits<std::uint64_t>::max();
  const std::string slug(c.slug);
  KeepBest(failure.best, std::tie(distance, size, slug, c.number), [&] {
    return Candidate{.slug = slug,
                     .number = c.number,
                     .side = Side::kApplies,
                     .showing = Showing::kDifferently,
                     .distance = distance,
                     .size = size,
                     .what = c.swept.what,
                     .message = result.message,
                     .signature = result.signature};
  });
}

void CellTally::Merge(const CellTally& more) {
  cases += more.cases;
  unsupported += more.unsupported;
  beyond += more.beyond;
  JoinInto(more.alone, alone);
  JoinInto(more.together, together);
  for (const Tried& one : more.tried) {
    Tried& sum = SameIn(tried, {one.dtype, one.form, one.positions});
    sum.breaks += one.breaks;
    sum.keeps += one.keeps;
  }
  for (const TalliedPoint& one : more.points) {
    TalliedPoint& sum =
        SameIn(points, {{one.field, one.element_bits, one.value, one.allowed}});
    sum.accepted += one.accepted;
    sum.refused += one.refused;
  }
  const std::uint64_t ulp =
      std::max(numeric.largest_ulp, more.numeric.largest_ulp);
  JoinInto(more.numeric, numeric);
  numeric.largest_ulp = ulp;
  for (const Candidate& c : more.typical) {
    KeepTypical(*this, c.side, c.Rank(), [&] { return c; });
  }
  for (const Candidate& c : more.bad) {
    KeepBad(*this, c.showing, c.Rank(), [&] { return c; });
  }
}

void Tally::Merge(const Tally& other) {
  JoinInto<TallyCounts>(other, *this);
  for (const FailureTally& more : other.failing_) {
    FailureTally like{.product = more.product, .runs = more.runs};
    like.runs.cases = 0;
    FailureTally& sum = SameIn(failing_, std::move(like));
    sum.runs.cases += more.runs.cases;
    for (const ClearedRule& one : more.cleared) {
      SameIn(sum.cleared, {.rule = one.rule}).cases += one.cases;
    }
    sum.largest_ulp = std::max(sum.largest_ulp, more.largest_ulp);
    for (const Candidate& c : more.best) {
      KeepBest(sum.best, c.Rank(), [&] { return c; });
    }
  }
  for (const PassTally& more : other.passing_) {
    PassTally like = more;
    like.runs.cases = 0;
    SameIn(passing_, std::move(like)).runs.cases += more.runs.cases;
  }
  accepted_.insert(other.accepted_.begin(), other.accepted_.end());
  for (const auto& [slug, more] : other.failures) failures[slug].Add(more);
  problems.insert(problems.end(), other.problems.begin(), other.problems.end());
  std::ranges::sort(problems);
  if (problems.size() > kProblems) problems.resize(kProblems);
  for (const auto& [key, more] : other.cells_) cells_[key].Merge(more);
}

}  // namespace lanediff::audit
