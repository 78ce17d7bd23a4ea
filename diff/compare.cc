#include "diff/compare.h"

#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <optional>
#include <span>

#include "diff/answers.h"
#include "diff/memory_compare.h"
#include "diff/memory_set.h"
#include "diff/scratch.h"
#include "diff/signature.h"
#include "isa/memory_map.h"

namespace lanediff::diff {
namespace {

using isa::StepResult;
using Status = isa::StepResult::Status;

/// Copies every byte; both sets were made for the same case.
void CopyBytes(const MemorySet& from, MemorySet& to) {
  for (isa::Memory memory : kAllMemories) {
    CopyAll(from[memory], to[memory]);
  }
}

/// `to` is as long as `from`. Not looked at by the sanitizers, which would make
/// it a quarter of a fuzz program's time.
__attribute__((no_sanitize("address", "undefined"))) void Invert(
    const std::vector<std::uint8_t>& from, std::vector<std::uint8_t>& to) {
  const std::uint8_t* const source = from.data();
  std::uint8_t* const destination = to.data();
  const std::size_t size = from.size();
  for (std::size_t i = 0; i < size; ++i) {
    destination[i] = static_cast<std::uint8_t>(~source[i]);
  }
}

/// Says what each step may read and write and what its arithmetic met: the
/// reference's own word where it has one, else an oracle that follows it.
class Surveyor {
 public:
  Surveyor(const Case& c, const Session& reference) : reference_(reference) {
    if (reference.accesses() == nullptr || reference.events() == nullptr) {
      memory_.emplace(c);
      oracle_.emplace(c.product, memory_->view());
    }
  }

  /// Call after the reference has executed `step`.
  void Survey(const isa::Step& step, const MemorySet& after) {
    if (!oracle_) return;
    oracle_->Execute(step);
    CopyBytes(after, *memory_);
  }

  const std::vector<oracle::Access>& accesses() const {
    return oracle_ ? oracle_->accesses() : *reference_.accesses();
  }
  const oracle::NumericEvents& events() const {
    return oracle_ ? oracle_->events() : *reference_.events();
  }

 private:
  const Session& reference_;
  std::optional<MemorySet> memory_;
  std::optional<oracle::Oracle> oracle_;
};

/// Which accesses keep their bytes where all others are inverted.
enum class Keep { kReads, kReadsAndWrites };

/// `plain` with all bytes inverted but those that are kept.
void InvertOutside(const MemorySet& plain,
                   const std::vector<oracle::Access>& accesses, Keep keep,
                   MemorySet& inverted) {
  for (isa::Memory memory : kAllMemories) {
    Invert(plain[memory], inverted[memory]);
  }
  for (const oracle::Access& access : accesses) {
    if (access.write && keep == Keep::kReads) continue;
    const auto& from = plain[access.memory];
    std::copy_n(from.begin() + access.at, access.bytes,
                inverted[access.memory].begin() + access.at);
  }
}

/// One target on its way through a case, under both backgrounds.
struct Contender {
  std::string name;
  std::unique_ptr<Session> plain;
  std::unique_ptr<Session> background;
  Comparison result;
};

/// One comparison under way. The targets take turns on the same two memories,
/// which are what the reference left, or its inverted background, whenever one
/// of them begins a step.
class Comparer {
 public:
  Comparer(const Case& c, std::span<const Target* const> targets,
           const Target& reference, const StepObserver& observer)
      : case_(c),
        observer_(observer),
        reference_name_(reference.name()),
        reference_(reference.Open(c.product, after_.view())),
        surveyor_(c, *reference_) {
    for (const Target* target : targets) {
      contenders_.push_back(
          {.name = std::string(target->name()),
           .plain = target->Open(c.product, plain_.view()),
           .background = target->Open(c.product, background_.view()),
           .result = {}});
    }
  }

  std::vector<Comparison> Run() {
    bool goes_on = true;
    for (std::size_t i = 0; goes_on && i < case_.program.size(); ++i) {
      goes_on = Step(i);
    }
    std::vector<Comparison> results;
    for (Contender& contender : contenders_) {
      contender.result.nodes = reference_->node_count();
      results.push_back(std::move(contender.result));
    }
    return results;
  }

 private:
  /// False where the program ends.
  bool Step(std::size_t i) {
    const isa::Step& step = case_.program[i];
    CopyBytes(after_, before_);
    const StepResult expected = reference_->Execute(step);
    if (expected.status == Status::kUnsupported) {
      for (Contender& contender : contenders_) {
        contender.result.unsupported = true;
      }
      return false;
    }
    surveyor_.Survey(step, after_);
    const auto& accesses = surveyor_.accesses();
    if (observer_) {
      observer_({i, step, expected, accesses, surveyor_.events()});
    }
    scratch_ = ScratchOf(case_, step);
    // The second background needs the step's reads before the step is run.
    InvertOutside(before_, accesses, Keep::kReads, inverted_before_);
    InvertOutside(after_, accesses, Keep::kReadsAndWrites, inverted_after_);
    for (Contender& contender : contenders_) {
      if (!contender.result.unsupported) {
        Compare(i, expected, accesses, contender);
      }
    }
    return expected.status == Status::kExecuted;
  }

  void Compare(std::size_t i, const StepResult& expected,
               const std::vector<oracle::Access>& accesses,
               Contender& contender) {
    CopyBytes(before_, plain_);
    const StepResult actual = contender.plain->Execute(case_.program[i]);
    Comparison& result = contender.result;
    if (actual.status == Status::kUnsupported) {
      result.unsupported = true;
      return;
    }
    ++result.steps;
    result.rejected = expected.status == Status::kRejected;
    const std::size_t found = result.findings.size();
    Count(accesses, result);
    if (actual != expected) {
      if (auto finding = CompareAnswers(AnswerOf(expected), AnswerOf(actual))) {
        Report(i, std::move(*finding), contender);
      }
    }
    CompareBytes(i, accesses, contender);
    CompareBackground(i, accesses, actual, result.findings.size() > found,
                      contender);
  }

  void Count(const std::vector<oracle::Access>& accesses, Comparison& result) {
    for (const oracle::Access& access : accesses) {
      result.most_iterations =
          std::max(result.most_iterations, access.iteration + 1);
      if (!access.write) continue;
      result.written_elements += access.bytes / isa::SizeBytes(access.dtype);
    }
    for (isa::Memory memory : kAllMemories) {
      result.compared_bytes += static_cast<std::int64_t>(after_[memory].size());
    }
  }

  void CompareBytes(std::size_t i, const std::vector<oracle::Access>& accesses,
                    Contender& contender) {
    CopyRanges(scratch_, after_, plain_);
    if (auto difference = Difference(after_, plain_, accesses)) {
      Finding finding;
      finding.kind = FindingKind::kMemory;
      finding.message = Describe(*difference);
      NoteBefore(before_, *difference);
      finding.difference = std::move(difference);
      Report(i, std::move(finding), contender);
    }
  }

  /// Runs the step once more where everything it may not read is inverted.
  void CompareBackground(std::size_t i,
                         const std::vector<oracle::Access>& accesses,
                         const StepResult& plain, bool already_found,
                         Contender& contender) {
    CopyBytes(inverted_before_, background_);
    const StepResult actual = contender.background->Execute(case_.program[i]);
    if (already_found) return;  // told once
    CopyRanges(scratch_, inverted_after_, background_);
    Finding finding;
    finding.kind = FindingKind::kReadsOutside;
    if (actual != plain) {
      finding.message =
          "bytes that the step may not read change its outcome, rules or notes";
    } else if (auto difference =
                   Difference(inverted_after_, background_, accesses)) {
      finding.message = "bytes that the step may not read change its result: " +
                        Describe(*difference);
      finding.difference = std::move(difference);
    } else {
      return;
    }
    Report(i, std::move(finding), contender);
  }

  static std::optional<ElementDifference> Difference(
      const MemorySet& expected, const MemorySet& actual,
      const std::vector<oracle::Access>& accesses) {
    if (expected == actual) return std::nullopt;
    return CompareMemory(expected, actual, WritesOf(accesses));
  }

  void Report(std::size_t i, Finding finding, Contender& contender) {
    finding.side = contender.name;
    finding.reference = reference_name_;
    finding.step = i;
    finding.op = isa::OpName(case_.program[i]);
    finding.message =
        fmt::format("step {} {}: {}", i, finding.op, finding.message);
    finding.signature = SignatureOf(case_, finding);
    contender.result.findings.push_back(std::move(finding));
  }

  const Case& case_;
  const StepObserver& observer_;
  std::string reference_name_;
  MemorySet after_{case_};  ///< the reference's own memory
  MemorySet before_{after_};
  MemorySet inverted_before_{after_};
  MemorySet inverted_after_{after_};
  MemorySet plain_{after_};
  MemorySet background_{after_};
  std::unique_ptr<Session> reference_;
  Surveyor surveyor_;
  std::vector<Contender> contenders_;
  std::vector<ByteRange> scratch_;  ///< of the step under way
};

}  // namespace

std::vector<Comparison> CompareStepByStep(
    const Case& c, std::span<const Target* const> targets,
    const Target& reference, const StepObserver& observer) {
  return Comparer(c, targets, reference, observer).Run();
}

Comparison CompareStepByStep(const Case& c, const Target& target,
                             const Target& reference,
                             const StepObserver& observer) {
  const Target* const targets[] = {&target};
  return std::move(CompareStepByStep(c, targets, reference, observer).front());
}

}  // namespace lanediff::diff
