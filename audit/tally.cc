#include "audit/tally.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <set>
#include <tuple>

#include "audit/stream.h"
#include "differential/testcase/record_join.h"
#include "differential/testcase/record_json.h"
#include "isa/catalogue.h"
#include "isa/memory_map.h"
#include "reports/printable.h"

namespace lanediff::audit {
namespace {

/// Of each side, and of each bad showing.
constexpr std::ptrdiff_t kKept = 2;
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

/// Adds each of `more` to the one with the same key.
template <class T>
void MergeInto(const std::vector<T>& more, std::vector<T>& sorted) {
  for (const T& one : more) {
    const auto at = std::ranges::lower_bound(sorted, one.Key(), {}, &T::Key);
    if (at != sorted.end() && at->Key() == one.Key()) {
      at->Add(one);
    } else {
      sorted.insert(at, one);
    }
  }
}

/// Keeps `next` if it is among the best `kKept` of those with its `word`.
template <class Word>
void Keep(const Candidate& next, Word Candidate::* word,
          std::vector<Candidate>& kept) {
  const auto is_alike = [&](const Candidate& c) {
    return c.*word == next.*word;
  };
  const auto better = std::ranges::count_if(kept, [&](const Candidate& c) {
    return is_alike(c) && c.Rank() < next.Rank();
  });
  if (better >= kKept) return;
  kept.push_back(next);
  std::ranges::sort(kept, {}, &Candidate::Rank);
  std::ptrdiff_t seen = 0;
  std::erase_if(
      kept, [&](const Candidate& c) { return is_alike(c) && ++seen > kKept; });
}

std::int64_t SizeOf(const Case& c) {
  std::int64_t bytes = 0;
  for (const auto& image : c.memory) bytes += image ? image->size : 0;
  return bytes >> 14;
}

/// Whether it is as documented.
bool IsGood(Showing showing) {
  return showing == Showing::kRefused || showing == Showing::kAccepted ||
         showing == Showing::kAsDocumented;
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

/// `for_rule`: of the rule that the case was made for.
Candidate CandidateOf(const AuditCase& c, const CaseResult& result, Side side,
                      Showing showing, bool for_rule) {
  const bool good = IsGood(showing);
  return {.slug = std::string(c.slug),
          .number = c.number,
          .side = side,
          .showing = showing,
          .distance = for_rule
                          ? DistanceOf(*isa::FindRule(c.rule->text()), c.point)
                          : std::numeric_limits<std::uint64_t>::max(),
          .size = SizeOf(c.c),
          .what = c.what,
          .message = good ? "" : result.message,
          .signature = good ? "" : result.signature};
}

/// Whether the case shows one call alone. The programs of the sweep stay
/// programs, so that an audit of one instruction weighs no other.
bool IsOfOneStep(const AuditCase& c) {
  return isa::FindInstruction(c.slug) != nullptr ||
         (c.slug == kMeasuredSource && c.c.program.size() == 1);
}

/// Whether a wrong result of the case may speak against `rule`.
bool IsDoubted(const CaseResult& result, isa::RuleId rule) {
  return result.failing &&
         (std::ranges::binary_search(result.failing->suspects, rule) ||
          std::ranges::binary_search(result.failing->cleared, rule));
}

}  // namespace

std::string NotPlain(const std::string& text) {
  if (reports::InOneLine(text) == text) return "";
  return fmt::format("found \"{}\"; plain text is allowed", Quote(text));
}

std::string NoSource(const std::string& text) {
  const auto modules = make::SweepModules();
  if (text == kGivenSource || text == kMeasuredSource ||
      std::ranges::find(modules, text) != modules.end()) {
    return "";
  }
  return fmt::format("found \"{}\"; a source of cases is allowed", Quote(text));
}

std::optional<CaseError> CellTally::Fault() const {
  const auto is_plain = [](const Tried& one) {
    return NotPlain(one.form).empty() && NotPlain(one.positions).empty();
  };
  const auto is_named = [](const Point& point) {
    return NotPlain(point.field).empty();
  };
  if (std::ranges::all_of(tried, is_plain) &&
      std::ranges::all_of(points, is_named)) {
    return {};
  }
  return CaseError{"", "a form, place or field is no plain text"};
}

void CellTally::Add(const CellTally& more) {
  cases += more.cases;
  unsupported += more.unsupported;
  beyond += more.beyond;
  JoinInto(more.alone, alone);
  JoinInto(more.together, together);
  MergeInto(more.tried, tried);
  MergeInto(more.points, points);
  const std::uint64_t ulp =
      std::max(numeric.largest_ulp, more.numeric.largest_ulp);
  JoinInto(more.numeric, numeric);
  numeric.largest_ulp = ulp;
  for (const Candidate& c : more.typical) Keep(c, &Candidate::side, typical);
  for (const Candidate& c : more.bad) Keep(c, &Candidate::showing, bad);
}

std::optional<CaseError> FailingRuns::Fault() const {
  if (!suspects.empty() && std::ranges::is_sorted(suspects)) return {};
  return CaseError{"/suspects", "rules in ascending order are allowed"};
}

void FailingRuns::Add(const FailingRuns& more) {
  cases += more.cases;
  largest_ulp = std::max(largest_ulp, more.largest_ulp);
  MergeInto(more.cleared, cleared);
  for (const Candidate& c : more.best) Keep(c, &Candidate::showing, best);
}

CellTally& Tally::CellOf(isa::RuleId rule, isa::Product product) {
  return SameIn(cells, {.rule = rule, .product = product});
}

const CellTally* Tally::FindCell(isa::RuleId rule, isa::Product product) const {
  const std::tuple<const isa::RuleId&, const isa::Product&> key(rule, product);
  const auto at = std::ranges::lower_bound(cells, key, {}, &CellTally::Key);
  return at != cells.end() && at->Key() == key ? &*at : nullptr;
}

bool Tally::Accepted(const isa::Rule& rule, isa::Product product) const {
  return std::ranges::any_of(accepted, [&](const AcceptedCalls& calls) {
    return calls.instruction ==
               (rule.instruction == "common" ? "" : rule.instruction) &&
           (rule.topic == isa::Topic::kProduct || calls.product == product);
  });
}

void Tally::Add(const AuditCase& c, const CaseResult& result) {
  ++cases;
  crashed += result.failed == Showing::kCrashed;
  hung += result.failed == Showing::kHung;
  if (result.failed) {
    SameIn(failures, {{}, std::string(c.slug)})
        .Add({.crashed = result.failed == Showing::kCrashed,
              .hung = result.failed == Showing::kHung});
  }
  given_up += result.given_up;
  if (result.accepted) {
    accepted.insert({"", c.c.product});
    for (const isa::Step& step : c.c.program) {
      if (const auto* const instruction = isa::InstructionOf(step)) {
        accepted.insert({std::string(instruction->op), c.c.product});
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
    ++CellOf(rule, c.c.product).unsupported;
  }
  AddPasses(c, result);
  if (result.failing) AddFailure(c, result);
  std::set<isa::RuleId> met;
  for (const Observation& o : result.observations) {
    const isa::Rule& rule = *isa::FindRule(o.rule.text());
    const bool proved = rule.effect == isa::Effect::kSemantics &&
                        o.showing == Showing::kAsDocumented;
    if (proved && IsDoubted(result, o.rule)) continue;
    const Tried where = TriedOf(TraitsOf(c.c.program[o.step]));
    CellTally& cell = CellOf(rule.id, c.c.product);
    if (!proved) {
      cell.cases += met.insert(rule.id).second;
      ++(o.alone ? cell.alone
                 : cell.together)[static_cast<std::size_t>(o.showing)];
    }
    if (rule.effect == isa::Effect::kSemantics)
      AddNumeric(result, cell.numeric);
    const bool made_for = c.rule == o.rule;
    if (made_for && c.point && o.alone) {
      AddPoint(rule, where, *c.point, o, cell);
    }
    if (o.alone) {
      Tried& tried = SameIn(cell.tried, where);
      ++(o.side == Side::kKeeps ? tried.keeps : tried.breaks);
    }
    const Candidate candidate =
        CandidateOf(c, result, o.side, o.showing, made_for);
    if (o.alone) Keep(candidate, &Candidate::side, cell.typical);
    if (!IsGood(o.showing)) Keep(candidate, &Candidate::showing, cell.bad);
  }
}

void Tally::LeaveOut(const AuditCase& c) {
  ++beyond;
  if (c.rule) {
    ++CellOf(isa::FindRule(c.rule->text())->id, c.c.product).beyond;
  }
}

/// A case is right for a rule if a right result rests on it and no wrong one.
void Tally::AddPasses(const AuditCase& c, const CaseResult& result) {
  const isa::Product product = c.c.product;
  const bool of_one = IsOfOneStep(c);
  std::set<isa::RuleId> right;
  for (const PassingStep& step : result.passing) {
    for (isa::RuleId rule : step.rules) {
      if (!IsDoubted(result, rule)) right.insert(rule);
    }
    ++SameIn(passing, {.product = product,
                       .rules = step.rules,
                       .conditions = of_one ? step.conditions
                                            : InProgram(step.conditions)})
          .cases;
  }
  for (isa::RuleId rule : right) {
    CellTally& cell = CellOf(rule, product);
    ++cell.cases;
    ++cell.alone[static_cast<std::size_t>(Showing::kAsDocumented)];
  }
}

void Tally::AddFailure(const AuditCase& c, const CaseResult& result) {
  const FailingStep& step = *result.failing;
  FailingRuns& runs = SameIn(
      failing, {.product = c.c.product,
                .suspects = step.suspects,
                .made_for = c.rule,
                .conditions = IsOfOneStep(c) ? step.conditions
                                             : InProgram(step.conditions),
                .mismatch = step.mismatch});
  ++runs.cases;
  for (isa::RuleId rule : step.cleared) {
    ++SameIn(runs.cleared, {.rule = rule}).cases;
  }
  runs.largest_ulp = std::max(runs.largest_ulp, result.largest_ulp);
  Keep(CandidateOf(c, result, Side::kApplies, Showing::kDifferently,
                   c.rule.has_value()),
       &Candidate::showing, runs.best);
}

void Tally::Merge(const Tally& other) {
  JoinInto<TallyCounts>(other, *this);
  MergeInto(other.cells, cells);
  MergeInto(other.failing, failing);
  MergeInto(other.passing, passing);
  MergeInto(other.failures, failures);
  accepted.insert(other.accepted.begin(), other.accepted.end());
  problems.insert(problems.end(), other.problems.begin(), other.problems.end());
  std::ranges::sort(problems);
  if (problems.size() > kProblems) problems.resize(kProblems);
}

std::string Tally::Serialized() const { return RecordText(*this); }

std::expected<Tally, CaseError> Tally::Parse(std::string_view text) {
  return ReadDocument<Tally>(text);
}

}  // namespace lanediff::audit
