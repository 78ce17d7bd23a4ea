#include "audit/tally.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <set>

#include "audit/given.h"
#include "isa/catalogue.h"
#include "isa/fields.h"
#include "isa/memory_map.h"

namespace lanediff::audit {
namespace {

/// Of each side, and of each bad showing.
constexpr std::size_t kKept = 2;
constexpr std::size_t kProblems = 20;

/// Type, form and places of the step that a case is about.
struct Describer : isa::FieldVisitor<Describer> {
  void Word(std::string_view name, const isa::DType& word) {
    if (name == "dtype") dtype = word;
  }
  template <class T>
  void Word(std::string_view, const T&) {}
  void Operand(std::string_view, const isa::Operand& o) { Place(o.position); }
  void Tile(std::string_view, const isa::Tile& t) { Place(t.position); }
  void Flag(std::string_view name, const bool& flag, bool = false) {
    if (name == "isSetMask") register_mask = !flag;
  }
  template <std::size_t N>
  void Form(const std::uint8_t& which, const std::array<isa::FormKey, N>& all) {
    form = all[which].key;
    if (all[which].shape == isa::FormShape::kWords) form += " of two words";
  }
  void Place(isa::Position position) {
    if (!positions.empty()) positions += ", ";
    positions += isa::Name(position);
  }
  std::string FormText() const {
    if (!register_mask) return form;
    return form.empty() ? "mask register" : form + ", mask register";
  }

  isa::DType dtype = isa::DType::kUint8;
  std::string form;
  std::string positions;
  bool register_mask = false;
};

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

void AddPoint(const isa::Rule& rule, const Describer& where,
              const make::FieldPoint& point, const Observation& o,
              CellTally& cell) {
  const int bits = static_cast<int>(8 * isa::SizeBytes(where.dtype));
  for (const isa::Range& range : rule.ranges) {
    if (range.field != point.field) continue;
    if (range.element_bits != 0 && range.element_bits != bits) continue;
    // Where another rule takes this one's place its range shows nothing.
    const bool inside = range.low <= point.value && point.value <= range.high;
    if (inside != (o.side == Side::kKeeps)) return;
    auto& sum = cell.points[{point.field, range.element_bits, point.value}];
    sum.field = range.field;
    sum.element_bits = range.element_bits;
    sum.value = point.value;
    sum.allowed = o.side == Side::kKeeps;
    ++(RefusedIn(o.showing) ? sum.refused : sum.accepted);
    return;
  }
}

void AddNumeric(const Exam& exam, Numeric& sum) {
  using isa::NumericEvent;
  sum.nodes += exam.nodes;
  sum.rounded += exam.events[NumericEvent::kRounded];
  sum.ties += exam.events[NumericEvent::kTie];
  sum.saturated += exam.events[NumericEvent::kSaturatedHigh] +
                   exam.events[NumericEvent::kSaturatedLow] +
                   exam.events[NumericEvent::kNanSaturated] +
                   exam.events[NumericEvent::kIntegerSaturated];
  sum.largest_ulp = std::max(sum.largest_ulp, exam.largest_ulp);
}

/// Whether the case shows one call alone. The programs of the sweep stay
/// programs, so that an audit of one instruction weighs no other.
bool IsOfOneStep(const AuditCase& c) {
  return isa::FindInstruction(c.slug) != nullptr ||
         (c.slug == kMeasuredSource && c.swept.c.program.size() == 1);
}

/// Whether a wrong result of the case may speak against `rule`.
bool IsDoubted(const Exam& exam, isa::RuleId rule) {
  return exam.doubt &&
         (std::ranges::binary_search(exam.doubt->suspects, rule) ||
          std::ranges::binary_search(exam.doubt->cleared, rule));
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

void Tally::Add(const AuditCase& c, const Exam& exam) {
  ++cases;
  crashed += exam.failed == Showing::kCrashed;
  hung += exam.failed == Showing::kHung;
  if (exam.failed) {
    failures[std::string(c.slug)].Add(
        {.crashed = exam.failed == Showing::kCrashed,
         .hung = exam.failed == Showing::kHung});
  }
  given_up += exam.given_up;
  if (exam.accepted) {
    accepted_.emplace("", c.swept.c.product);
    for (const isa::Step& step : c.swept.c.program) {
      if (const auto* const instruction = isa::InstructionOf(step)) {
        accepted_.emplace(instruction->op, c.swept.c.product);
      }
    }
  }
  unsupported += exam.unsupported;
  steps += exam.steps;
  compared_bytes += exam.compared_bytes;
  nodes += exam.nodes;
  malformed += !exam.malformed.empty();
  skipped += exam.given_up || !exam.skipped.empty();
  for (const std::string* problem : {&exam.malformed, &exam.skipped}) {
    if (!problem->empty() && problems.size() < kProblems) {
      problems.push_back(*problem);
    }
  }
  for (isa::RuleId rule : exam.missed) {
    ++cells_[{rule.text(), c.swept.c.product}].unsupported;
  }
  AddProofs(c, exam);
  const std::int64_t size = SizeOf(c.swept.c);
  if (exam.doubt) AddDoubt(c, exam, size);
  std::set<isa::RuleId> met;
  for (const Observation& o : exam.observations) {
    const isa::Rule& rule = *isa::FindRule(o.rule.text());
    const bool proved = rule.effect == isa::Effect::kSemantics &&
                        o.showing == Showing::kAsDocumented;
    if (proved && IsDoubted(exam, o.rule)) continue;
    Describer where;
    std::visit([&](const auto& s) { s.Fields(s, where); },
               c.swept.c.program[o.step]);
    CellTally& cell = cells_[{rule.id.text(), c.swept.c.product}];
    if (!proved) {
      cell.cases += met.insert(rule.id).second;
      ++(o.alone ? cell.alone
                 : cell.together)[static_cast<std::size_t>(o.showing)];
    }
    if (rule.effect == isa::Effect::kSemantics) AddNumeric(exam, cell.numeric);
    const bool made_for = c.swept.rule == o.rule;
    if (made_for && c.swept.point && o.alone) {
      AddPoint(rule, where, *c.swept.point, o, cell);
    }
    if (o.alone) {
      auto& tried =
          cell.tried[{where.dtype, where.FormText(), where.positions}];
      tried = {where.dtype, where.FormText(), where.positions,
               tried.breaks + (o.side != Side::kKeeps),
               tried.keeps + (o.side == Side::kKeeps)};
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
                       .message = good ? "" : exam.message,
                       .signature = good ? "" : exam.signature};
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
void Tally::AddProofs(const AuditCase& c, const Exam& exam) {
  const isa::Product product = c.swept.c.product;
  const bool of_one = IsOfOneStep(c);
  std::set<isa::RuleId> right;
  for (const Proof& proof : exam.proofs) {
    std::vector<std::string_view> rules;
    for (isa::RuleId rule : proof.rules) {
      rules.push_back(rule.text());
      if (!IsDoubted(exam, rule)) right.insert(rule);
    }
    ++proofs_[{product, of_one ? proof.conditions : InProgram(proof.conditions),
               std::move(rules)}];
  }
  for (isa::RuleId rule : right) {
    CellTally& cell = cells_[{rule.text(), product}];
    ++cell.cases;
    ++cell.alone[static_cast<std::size_t>(Showing::kAsDocumented)];
  }
}

void Tally::AddDoubt(const AuditCase& c, const Exam& exam, std::int64_t size) {
  std::vector<std::string_view> suspects;
  for (isa::RuleId rule : exam.doubt->suspects) suspects.push_back(rule.text());
  const std::string_view made_for =
      c.swept.rule ? c.swept.rule->text() : std::string_view();
  const bool of_one = IsOfOneStep(c);
  const Conditions conditions = exam.doubt->conditions;
  DoubtTally& doubt = doubts_[{c.swept.c.product, made_for, suspects,
                               of_one ? conditions : InProgram(conditions),
                               exam.doubt->mismatch}];
  ++doubt.cases;
  for (isa::RuleId rule : exam.doubt->cleared) ++doubt.cleared[rule.text()];
  doubt.largest_ulp = std::max(doubt.largest_ulp, exam.largest_ulp);
  const std::uint64_t distance =
      c.swept.rule ? DistanceOf(*isa::FindRule(made_for), c.swept.point)
                   : std::numeric_limits<std::uint64_t>::max();
  const std::string slug(c.slug);
  KeepBest(doubt.best, std::tie(distance, size, slug, c.number), [&] {
    return Candidate{.slug = slug,
                     .number = c.number,
                     .side = Side::kApplies,
                     .showing = Showing::kDifferently,
                     .distance = distance,
                     .size = size,
                     .what = c.swept.what,
                     .message = exam.message,
                     .signature = exam.signature};
  });
}

void Tally::Merge(const Tally& other) {
  for (const auto& [key, more] : other.doubts_) {
    DoubtTally& doubt = doubts_[key];
    doubt.cases += more.cases;
    for (const auto& [rule, count] : more.cleared) doubt.cleared[rule] += count;
    doubt.largest_ulp = std::max(doubt.largest_ulp, more.largest_ulp);
    for (const Candidate& c : more.best) {
      KeepBest(doubt.best, c.Rank(), [&] { return c; });
    }
  }
  for (const auto& [key, count] : other.proofs_) proofs_[key] += count;
  accepted_.insert(other.accepted_.begin(), other.accepted_.end());
  cases += other.cases;
  crashed += other.crashed;
  hung += other.hung;
  for (const auto& [slug, more] : other.failures) failures[slug].Add(more);
  given_up += other.given_up;
  unsupported += other.unsupported;
  steps += other.steps;
  compared_bytes += other.compared_bytes;
  nodes += other.nodes;
  malformed += other.malformed;
  skipped += other.skipped;
  beyond += other.beyond;
  problems.insert(problems.end(), other.problems.begin(), other.problems.end());
  std::ranges::sort(problems);
  if (problems.size() > kProblems) problems.resize(kProblems);
  for (const auto& [key, more] : other.cells_) {
    CellTally& cell = cells_[key];
    cell.cases += more.cases;
    cell.unsupported += more.unsupported;
    cell.beyond += more.beyond;
    for (std::size_t s = 0; s < cell.alone.size(); ++s) {
      cell.alone[s] += more.alone[s];
      cell.together[s] += more.together[s];
    }
    for (const auto& [where, tried] : more.tried) {
      auto& sum = cell.tried[where];
      sum = {tried.dtype, tried.form, tried.positions,
             sum.breaks + tried.breaks, sum.keeps + tried.keeps};
    }
    for (const auto& [place, point] : more.points) {
      auto& sum = cell.points[place];
      sum = {point.field,
             point.element_bits,
             point.value,
             point.allowed,
             sum.accepted + point.accepted,
             sum.refused + point.refused};
    }
    cell.numeric.nodes += more.numeric.nodes;
    cell.numeric.rounded += more.numeric.rounded;
    cell.numeric.ties += more.numeric.ties;
    cell.numeric.saturated += more.numeric.saturated;
    cell.numeric.largest_ulp =
        std::max(cell.numeric.largest_ulp, more.numeric.largest_ulp);
    for (const Candidate& c : more.typical) {
      KeepTypical(cell, c.side, c.Rank(), [&] { return c; });
    }
    for (const Candidate& c : more.bad) {
      KeepBad(cell, c.showing, c.Rank(), [&] { return c; });
    }
  }
}

}  // namespace lanediff::audit
