#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <memory>
#include <optional>
#include <span>
#include <utility>

#include "differential/compare/compare.h"
#include "differential/compare/memory_compare.h"
#include "differential/compare/rule_text.h"
#include "differential/compare/signature.h"
#include "differential/compare/unspecified.h"
#include "differential/memory/filled_memory.h"
#include "differential/memory/memory_set.h"
#include "isa/memory_map.h"
#include "oracle/oracle.h"

namespace lanediff::diff {
namespace {

using isa::StepResult;
using StepStatus = isa::StepResult::Status;

/// States what each step may read and write and what its arithmetic met: the
/// reference's own word where it has one, else an oracle that follows it.
class Surveyor {
 public:
  Surveyor(const Case& c, const Session& reference) : reference_(reference) {
    if (reference.accesses() == nullptr || reference.events() == nullptr ||
        reference.open_results() == nullptr) {
      memory_.emplace(c);
      oracle_.emplace(c.profile(), memory_->view());
    }
  }

  /// Call after the reference has executed `step`.
  void Survey(const isa::Step& step, const MemorySet& after) {
    if (!oracle_) return;
    oracle_->Execute(step);
    CopyAll(after, *memory_);
  }

  const std::vector<isa::Access>& accesses() const {
    return oracle_ ? oracle_->accesses() : *reference_.accesses();
  }
  const std::vector<isa::Access>& open_results() const {
    return oracle_ ? oracle_->open_results() : *reference_.open_results();
  }
  const isa::NumericEvents& events() const {
    return oracle_ ? oracle_->events() : *reference_.events();
  }

 private:
  const Session& reference_;
  std::optional<MemorySet> memory_;
  std::optional<oracle::Oracle> oracle_;
};

/// Which accesses keep their bytes where all others are inverted.
enum class Keep { kReads, kReadsAndWrites };

/// Copies the bytes of the accesses that are kept.
void CopyKept(const std::vector<isa::Access>& accesses, Keep keep,
              const MemorySet& from, MemorySet& to) {
  for (const isa::Access& access : accesses) {
    if (access.write && keep == Keep::kReads) continue;
    std::memcpy(to[access.memory].data() + access.at,
                from[access.memory].data() + access.at,
                static_cast<std::size_t>(access.bytes));
  }
}

/// One target on its way through a case, under both backgrounds.
struct Contender {
  const StepwiseTarget* target;
  std::string name;
  Capabilities can;
  std::unique_ptr<Session> plain;
  std::unique_ptr<Session> background;
  Comparison result = {};
  bool failed = false;
  std::size_t next = 0;  ///< first step that it was not given
  bool again = false;    ///< which step is at fault is unknown
};

/// One comparison under way. The targets take turns on the same two memories,
/// which are what the reference left, or its inverted background, whenever one
/// of them begins a step.
///
/// Five sets of memories go through the program side by side; only touched
/// chunks are copied. The targets' own memories are checked everywhere, as a
/// target may write where it likes.
class Comparer {
 public:
  /// `one_by_one`: each step alone, even where a target takes several at once.
  Comparer(const Case& c, std::span<const StepwiseTarget* const> targets,
           const StepwiseTarget& reference, const StepObserver& observer,
           bool one_by_one = false)
      : case_(c),
        observer_(observer),
        one_by_one_(one_by_one),
        reference_name_(reference.name()),
        reference_(reference.Open(c.profile(), after().view())),
        surveyor_(c, *reference_) {
    AddRegions(c, touched_);
    for (FilledMemory* memory : {&after_, &before_, &plain_}) {
      WriteRegions(c, memory->set());
    }
    for (FilledMemory* memory : {&background_, &inverted_after_}) {
      InvertTouched(touched_, after(), memory->set());
    }
    reference_->MakeSpaceFor(c.program.size());
    for (const StepwiseTarget* target : targets) {
      Contender& contender = contenders_.emplace_back(Contender{
          .target = target,
          .name = std::string(target->name()),
          .can = target->capabilities(),
          .plain = target->Open(c.profile(), plain().view()),
          .background = target->Open(c.profile(), background().view())});
      contender.plain->MakeSpaceFor(c.program.size());
      contender.background->MakeSpaceFor(c.program.size());
    }
  }

  /// Lists in `again` the targets that are to be compared once more, one by
  /// one.
  std::vector<Comparison> Run(std::vector<const StepwiseTarget*>& again) {
    bool goes_on = true;
    for (std::size_t i = 0; goes_on && i < case_.program.size(); ++i) {
      goes_on = Step(i);
    }
    std::vector<Comparison> results;
    for (Contender& contender : contenders_) {
      contender.result.nodes = reference_->node_count();
      again.push_back(contender.again ? contender.target : nullptr);
      results.push_back(std::move(contender.result));
    }
    // The memories are kept for the next case.
    for (FilledMemory* memory :
         {&after_, &before_, &plain_, &background_, &inverted_after_}) {
      memory->Restore(touched_);
    }
    return results;
  }

 private:
  /// False where the program ends.
  bool Step(std::size_t i) {
    const isa::Step& step = case_.program[i];
    const StepResult expected = reference_->Execute(step);
    if (expected.status == StepStatus::kUnsupported) {
      for (Contender& contender : contenders_) {
        contender.again |= !contender.failed && !contender.result.unsupported &&
                           contender.next < i;
        contender.result.unsupported = true;
        contender.result.unsupported_step = i;
      }
      after_.FindTouched(touched_);
      return false;
    }
    surveyor_.Survey(step, after());
    const auto& accesses = surveyor_.accesses();
    if (observer_) {
      observer_({i, step, expected, accesses, surveyor_.events(), after(),
                 reference_->node_count()});
    }
    scratch_ = ScratchOf(case_, step);
    open_ = OpenRunsOf(isa::OpName(step), surveyor_.open_results());
    NoteTouched(accesses);
    CopyKept(accesses, Keep::kReads, before(), background());
    InvertTouched(touched_now_, after(), inverted_after());
    CopyKept(accesses, Keep::kReadsAndWrites, after(), inverted_after());
    const bool another_step = expected.status == StepStatus::kExecuted &&
                              i + 1 < case_.program.size();
    // A step that has no part in the memories is handed over with the next.
    const bool waits = another_step && !one_by_one_ && accesses.empty() &&
                       scratch_.empty() && expected == StepResult() &&
                       reference_->accesses() != nullptr;
    for (Contender& contender : contenders_) {
      if (contender.result.unsupported || contender.failed) continue;
      if (waits && contender.plain->takes_several()) continue;
      Compare(i, expected, accesses, contender);
      const bool another = &contender != &contenders_.back();
      if (another) BeginAgain(accesses);
    }
    if (another_step) GoOn();
    return another_step;
  }

  /// Notes what the step touches, once the reference has taken it.
  void NoteTouched(const std::vector<isa::Access>& accesses) {
    touched_now_.Clear();
    for (const isa::Access& access : accesses) {
      touched_now_.Add(access.memory, access.at, access.bytes);
    }
    for (const ByteRange& range : scratch_) {
      touched_now_.Add(range.memory, range.at, range.bytes);
    }
    // A reference that lists what it accesses writes nowhere else.
    if (reference_->accesses() == nullptr) {
      touched_now_.Add(touched_);
      after_.FindTouched(touched_now_);
    }
    touched_.Add(touched_now_);
  }

  /// Makes the targets' memories what the step under way begins with. Outside
  /// of what it touches they are.
  void BeginAgain(const std::vector<isa::Access>& accesses) {
    CopyTouched(touched_now_, before(), plain());
    InvertTouched(touched_now_, before(), background());
    CopyKept(accesses, Keep::kReads, before(), background());
  }

  /// Makes the memories what the next step begins with.
  void GoOn() {
    CopyTouched(touched_now_, after(), before());
    CopyTouched(touched_now_, after(), plain());
    InvertTouched(touched_now_, after(), background());
    InvertTouched(touched_now_, after(), inverted_after());
  }

  void Compare(std::size_t i, const StepResult& expected,
               const std::vector<isa::Access>& accesses, Contender& contender) {
    const std::size_t begin = std::exchange(contender.next, i + 1);
    const auto steps = std::span(case_.program).subspan(begin, i + 1 - begin);
    Comparison& result = contender.result;
    StepResult first;
    std::optional<StepResult> second(std::in_place);
    const auto done = contender.plain->ExecuteBoth(*contender.background, steps,
                                                   first, *second);
    const std::size_t last = begin + done.value_or(0);
    result.steps += last - begin;
    for (std::size_t s = begin; s < last; ++s) Count({}, result);
    if (!done) second.reset();
    if (!done && begin == i) first = contender.plain->Execute(steps.back());
    if (Failed(last, *contender.plain, contender)) return;
    if (last < i) {
      if (Failed(last, *contender.background, contender)) return;
      contender.again = contender.failed = true;  // a step before is at fault
      TakeBack(true);
      return;
    }
    const StepResult actual = WithRulesOf(contender, first, expected);
    const bool executes_illegal = expected.status == StepStatus::kRejected &&
                                  actual.status == StepStatus::kExecuted;
    // Nothing is compared then, not even what the steps before wrote.
    contender.again |= begin < i && (executes_illegal ||
                                     actual.status == StepStatus::kUnsupported);
    if (actual.status == StepStatus::kUnsupported) {
      result.unsupported = true;
      result.unsupported_step = i;
      TakeBack(second.has_value());
      return;
    }
    ++result.steps;
    result.rejected = expected.status == StepStatus::kRejected;
    const std::size_t found = result.findings.size();
    Count(accesses, result);
    if (executes_illegal &&
        contender.can.legality == Capabilities::Legality::kNone) {
      result.tolerated.assign(expected.rules.begin(), expected.rules.end());
      TakeBack(second.has_value());
      return;
    }
    if (actual != expected) {
      if (auto finding = CompareAnswers(AnswerOf(expected), AnswerOf(actual))) {
        Report(i, std::move(*finding), contender);
      }
    }
    // What it did instead of refusing is reported once.
    if (executes_illegal) {
      TakeBack(second.has_value());
      return;
    }
    CompareBytes(i, accesses, actual, contender);
    CompareBackground(i, accesses, actual, result.findings.size() > found,
                      std::move(second), contender);
    contender.again |= begin < i && result.findings.size() > found;
  }

  /// Undoes what the target wrote, in `both` of its memories or in one.
  void TakeBack(bool both) {
    CopyAll(before(), plain());
    if (both) InvertAll(before(), background());
  }

  /// Whether `session` failed in the step, which ends the case for its target.
  bool Failed(std::size_t i, const Session& session, Contender& contender) {
    const NoOutcome* const failure = session.failure();
    if (failure == nullptr) return false;
    contender.failed = true;
    if (IsFailure(failure->kind)) {
      contender.result.findings.push_back(
          FailureFinding(case_, contender.name, reference_name_, i, *failure));
    } else {
      contender.result.unsupported = true;
      contender.result.unsupported_step = i;
      contender.result.given_up = failure->kind == NoOutcome::Kind::kGivenUp;
      contender.result.why = failure->why;
    }
    TakeBack(true);  // it may have written anywhere
    return true;
  }

  /// `result` with the rules and notes of `other` where the target states none.
  static StepResult WithRulesOf(const Contender& contender, StepResult result,
                                const StepResult& other) {
    if (contender.can.legality != Capabilities::Legality::kRules &&
        result.status == other.status) {
      result.rules = other.rules;
    }
    if (!contender.can.notes) result.notes = other.notes;
    return result;
  }

  void Count(const std::vector<isa::Access>& accesses, Comparison& result) {
    for (const isa::Access& access : accesses) {
      result.most_iterations =
          std::max(result.most_iterations, access.iteration + 1);
      if (!access.write) continue;
      result.written_elements += access.bytes / isa::SizeBytes(access.dtype);
    }
    for (isa::Memory memory : kAllMemories) {
      result.compared_bytes +=
          static_cast<std::int64_t>(after()[memory].size());
    }
  }

  /// Makes what the step leaves unspecified equal; returns how much that is.
  /// Who refuses to execute it leaves nothing so.
  std::int64_t PassOverScratch(const StepResult& actual, const MemorySet& from,
                               MemorySet& to) const {
    if (actual.status != StepStatus::kExecuted) return 0;
    CopyRanges(scratch_, from, to);
    return BytesIn(scratch_);
  }

  void CompareBytes(std::size_t i, const std::vector<isa::Access>& accesses,
                    const StepResult& actual, Contender& contender) {
    contender.result.compared_bytes -=
        PassOverScratch(actual, after(), plain());
    if (!open_.empty() && actual.status == StepStatus::kExecuted) {
      // Under the other background it must give the same, bit for bit.
      const auto ranges = RangesOf(open_);
      CopyRanges(ranges, plain(), inverted_after());
      Join(Settle(open_, after(), plain()), contender.result.open);
      contender.result.compared_bytes -= BytesIn(ranges);
    }
    if (AreEqual(after(), plain_)) return;
    auto difference =
        CompareMemory(after(), plain(), WritesOf(case_.program[i], accesses));
    CopyAll(before(), plain());
    if (!difference) return;
    Finding finding;
    finding.kind = FindingKind::kMemory;
    finding.message = Describe(*difference);
    NoteBefore(before(), *difference);
    finding.difference = std::move(difference);
    Report(i, std::move(finding), contender);
  }

  /// Runs the step once more where everything it may not read is inverted, if
  /// it hasn't `ran` so.
  void CompareBackground(std::size_t i,
                         const std::vector<isa::Access>& accesses,
                         const StepResult& plain, bool already_found,
                         std::optional<StepResult> ran, Contender& contender) {
    if (!ran) ran = contender.background->Execute(case_.program[i]);
    const StepResult actual = WithRulesOf(contender, *ran, plain);
    if (Failed(i, *contender.background, contender)) return;
    PassOverScratch(actual, inverted_after(), background());
    const bool equal = AreEqual(inverted_after(), background_);
    Finding finding;
    finding.kind = FindingKind::kReadsOutside;
    if (already_found) {  // reported once
    } else if (actual != plain) {
      finding.message =
          "bytes that the step may not read change its outcome, rules or notes";
    } else if (!equal) {
      if (auto difference =
              CompareMemory(inverted_after(), background(),
                            WritesOf(case_.program[i], accesses))) {
        DescribeBackground(accesses, std::move(*difference), finding);
      }
    }
    CopyRanges(RangesOf(open_), after(), inverted_after());
    if (!equal) InvertAll(before(), background());
    if (!finding.message.empty()) Report(i, std::move(finding), contender);
  }

  /// Fills in what `difference`, of the second background alone, shows.
  void DescribeBackground(const std::vector<isa::Access>& accesses,
                          ElementDifference difference,
                          Finding& finding) const {
    const std::uint64_t there = BitsAt(before_.set(), difference);
    difference.before = InvertedBefore(accesses, difference);
    const bool stray = difference.operand.empty();
    const bool missing = difference.actual == *difference.before &&
                         there == BitsAt(after_.set(), difference);
    if (stray || missing) finding.kind = FindingKind::kMemory;
    finding.message =
        (stray ? "writes outside its operands (seen where bytes that it may "
                 "not read are inverted): "
         : missing
             ? "an element is not written (seen where another value stood "
               "there before): "
             : "bytes that the step may not read change its result: ") +
        Describe(difference);
    finding.difference = std::move(difference);
  }

  /// What stood at the element in the second background before the step.
  std::uint64_t InvertedBefore(const std::vector<isa::Access>& accesses,
                               const ElementDifference& d) const {
    const auto is_kept = [&](std::int64_t at) {
      return std::ranges::any_of(accesses, [&](const isa::Access& access) {
        return !access.write && access.memory == d.memory && access.at <= at &&
               at - access.at < access.bytes;
      });
    };
    std::uint64_t bits = BitsAt(before_.set(), d);
    for (std::int64_t byte = 0; byte < isa::SizeBytes(d.dtype); ++byte) {
      if (!is_kept(d.at + byte)) bits ^= std::uint64_t{0xff} << (8 * byte);
    }
    return bits;
  }

  /// Inverts every byte, touched or not.
  void InvertAll(const MemorySet& from, MemorySet& to) {
    InvertTouched(ThereInEither(from, to), from, to);
  }

  /// `actual` has been filled as `expected` was, but for what was touched.
  bool AreEqual(const MemorySet& expected, const FilledMemory& actual) const {
    return SameTouched(touched_, expected, actual.set()) &&
           actual.IsCleanOutside(touched_);
  }

  void Report(std::size_t i, Finding finding, Contender& contender) {
    finding.side = contender.name;
    finding.reference = reference_name_;
    finding.step = i;
    finding.op = isa::OpName(case_.program[i]);
    finding.message =
        fmt::format("step {} {}: {}", i, finding.op, finding.message);
    finding.signature = SignatureOf(case_, finding).Text();
    contender.result.findings.push_back(std::move(finding));
  }

  const Case& case_;
  const StepObserver& observer_;
  bool one_by_one_;
  std::string reference_name_;
  MemorySet& after() { return after_.set(); }
  MemorySet& before() { return before_.set(); }
  MemorySet& plain() { return plain_.set(); }
  MemorySet& background() { return background_.set(); }
  MemorySet& inverted_after() { return inverted_after_.set(); }

  MemorySizes sizes_ = SizesOf(case_);
  Touched touched_{sizes_};      ///< regions, and all steps so far
  Touched touched_now_{sizes_};  ///< by the step under way
  FilledMemory after_{case_, sizes_,
                      Background::kFill};  ///< the reference's own
  FilledMemory before_{case_, sizes_, Background::kFill};
  FilledMemory plain_{case_, sizes_, Background::kFill};
  FilledMemory background_{case_, sizes_, Background::kInvertedFill};
  FilledMemory inverted_after_{case_, sizes_, Background::kInvertedFill};
  std::unique_ptr<Session> reference_;
  Surveyor surveyor_;
  std::vector<Contender> contenders_;
  std::vector<ByteRange> scratch_;  ///< of the step under way
  std::vector<OpenRun> open_;       ///< likewise
};

}  // namespace

std::vector<Comparison> CompareStepByStep(
    const Case& c, std::span<const StepwiseTarget* const> targets,
    const StepwiseTarget& reference, const StepObserver& observer) {
  std::vector<const StepwiseTarget*> again;
  auto results = Comparer(c, targets, reference, observer).Run(again);
  for (std::size_t i = 0; i < results.size(); ++i) {
    if (again[i] == nullptr) continue;
    std::vector<const StepwiseTarget*> none;
    const StepObserver unobserved;
    Comparison alone = std::move(
        Comparer(c, {&again[i], 1}, reference, unobserved, true).Run(none)[0]);
    // What doesn't happen twice was found all the same.
    if (!alone.findings.empty() || results[i].findings.empty()) {
      results[i] = std::move(alone);
    }
  }
  return results;
}

}  // namespace lanediff::diff
