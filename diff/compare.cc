#include "diff/compare.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <memory>
#include <optional>
#include <span>

#include "diff/memory_compare.h"
#include "diff/memory_set.h"
#include "diff/rule_text.h"
#include "diff/scratch.h"
#include "isa/memory_map.h"

namespace lanediff::diff {
namespace {

using isa::StepResult;
using Status = isa::StepResult::Status;

std::string_view StatusWord(Status status) {
  return status == Status::kExecuted ? "executed" : "rejected";
}

/// One target on its way through a case.
struct Side {
  Side(const Case& c, const Target& target)
      : memory(c), session(target.Open(c.product, memory.view())) {}

  MemorySet memory;
  std::unique_ptr<Session> session;
};

/// Says what each step may read and write: the reference's own word where it
/// has one, else an oracle that follows it.
class Surveyor {
 public:
  Surveyor(const Case& c, const Session& reference) : reference_(reference) {
    if (reference.accesses() == nullptr) {
      memory_.emplace(c);
      oracle_.emplace(c.product, memory_->view());
    }
  }

  /// Call after the reference has executed `step`.
  const std::vector<oracle::Access>& Survey(const isa::Step& step,
                                            const MemorySet& after) {
    if (!oracle_) return *reference_.accesses();
    oracle_->Execute(step);
    CopyBytes(after, *memory_);
    return oracle_->accesses();
  }

  static void CopyBytes(const MemorySet& from, MemorySet& to) {
    for (isa::Memory memory : kAllMemories) {
      std::ranges::copy(from[memory], to[memory].begin());
    }
  }

 private:
  const Session& reference_;
  std::optional<MemorySet> memory_;
  std::optional<oracle::Oracle> oracle_;
};

/// `plain` with all bytes inverted but those in `accesses`.
void InvertOutside(const MemorySet& plain,
                   const std::vector<oracle::Access>& accesses,
                   MemorySet& inverted) {
  for (isa::Memory memory : kAllMemories) {
    std::ranges::transform(
        plain[memory], inverted[memory].begin(),
        [](std::uint8_t byte) { return static_cast<std::uint8_t>(~byte); });
  }
  for (const oracle::Access& access : accesses) {
    const auto& from = plain[access.memory];
    std::copy_n(from.begin() + access.at, access.bytes,
                inverted[access.memory].begin() + access.at);
  }
}

std::vector<oracle::Access> ReadsOf(
    const std::vector<oracle::Access>& accesses) {
  std::vector<oracle::Access> reads;
  std::ranges::copy_if(accesses, std::back_inserter(reads),
                       [](const auto& access) { return !access.write; });
  return reads;
}

std::vector<isa::RuleId> ToVector(const isa::RuleSet& rules) {
  return {rules.begin(), rules.end()};
}

/// Compares what two sides answered to a step, memory aside.
std::optional<Finding> CompareAnswers(const StepResult& expected,
                                      const StepResult& actual) {
  Finding finding;
  if (expected.status != actual.status) {
    finding.kind = FindingKind::kOutcome;
    finding.message = fmt::format(
        "expected {}{}, found {}{}", StatusWord(expected.status),
        RuleList(ToVector(expected.rules)), StatusWord(actual.status),
        RuleList(ToVector(actual.rules)));
    finding.expected_rules = ToVector(expected.rules);
    finding.actual_rules = ToVector(actual.rules);
    return finding;
  }
  const bool same_rules = expected.rules == actual.rules;
  if (same_rules && expected.notes == actual.notes) return std::nullopt;
  finding.kind = same_rules ? FindingKind::kNotes : FindingKind::kRules;
  finding.expected_rules =
      ToVector(same_rules ? expected.notes : expected.rules);
  finding.actual_rules = ToVector(same_rules ? actual.notes : actual.rules);
  finding.message =
      fmt::format("{} differ: {}", isa::Name(finding.kind),
                  RuleDifference(finding.expected_rules, finding.actual_rules));
  return finding;
}

/// One comparison under way.
class Comparer {
 public:
  Comparer(const Case& c, const Target& target, const Target& reference)
      : case_(c),
        target_name_(target.name()),
        reference_name_(reference.name()),
        reference_(c, reference),
        target_(c, target),
        background_(c, target),
        background_after_(c),
        surveyor_(c, *reference_.session) {}

  Comparison Run() {
    for (std::size_t i = 0; i < case_.program.size(); ++i) {
      if (!Step(i)) break;
    }
    result_.nodes = reference_.session->node_count();
    return std::move(result_);
  }

 private:
  /// False where the program ends.
  bool Step(std::size_t i) {
    const isa::Step& step = case_.program[i];
    // The second background needs the step's reads before the step is run.
    before_ = reference_.memory;
    const StepResult expected = reference_.session->Execute(step);
    const StepResult actual = target_.session->Execute(step);
    if (expected.status == Status::kUnsupported ||
        actual.status == Status::kUnsupported) {
      result_.unsupported = true;
      return false;
    }
    ++result_.steps;
    const auto& accesses = surveyor_.Survey(step, reference_.memory);
    const std::size_t found = result_.findings.size();
    Count(accesses);
    if (auto finding = CompareAnswers(expected, actual)) {
      Report(i, std::move(*finding));
    }
    scratch_ = ScratchOf(case_, step);
    CompareBytes(i, WritesOf(accesses));
    CompareBackground(i, accesses, actual, result_.findings.size() > found);
    result_.rejected = expected.status == Status::kRejected;
    return !result_.rejected;
  }

  void Count(const std::vector<oracle::Access>& accesses) {
    for (const oracle::Access& access : accesses) {
      result_.most_iterations =
          std::max(result_.most_iterations, access.iteration + 1);
      if (!access.write) continue;
      result_.written_elements += access.bytes / isa::SizeBytes(access.dtype);
    }
  }

  void CompareBytes(std::size_t i, const std::vector<TypedRun>& writes) {
    for (isa::Memory memory : kAllMemories) {
      result_.compared_bytes +=
          static_cast<std::int64_t>(reference_.memory[memory].size());
    }
    CopyRanges(scratch_, reference_.memory, target_.memory);
    if (auto difference =
            CompareMemory(reference_.memory, target_.memory, writes)) {
      Finding finding;
      finding.kind = FindingKind::kMemory;
      finding.message = Describe(*difference);
      finding.difference = std::move(difference);
      Report(i, std::move(finding));
    }
    Surveyor::CopyBytes(reference_.memory, target_.memory);
  }

  /// Runs the step once more where everything it may not read is inverted.
  void CompareBackground(std::size_t i,
                         const std::vector<oracle::Access>& accesses,
                         const StepResult& plain, bool already_found) {
    InvertOutside(before_, ReadsOf(accesses), background_.memory);
    const StepResult actual = background_.session->Execute(case_.program[i]);
    if (already_found) return;  // told once
    InvertOutside(reference_.memory, accesses, background_after_);
    CopyRanges(scratch_, background_after_, background_.memory);
    Finding finding;
    finding.kind = FindingKind::kReadsOutside;
    if (actual != plain) {
      finding.message =
          "bytes that the step may not read change its outcome, rules or notes";
    } else if (auto difference = CompareMemory(
                   background_after_, background_.memory, WritesOf(accesses))) {
      finding.message = "bytes that the step may not read change its result: " +
                        Describe(*difference);
      finding.difference = std::move(difference);
    } else {
      return;
    }
    Report(i, std::move(finding));
  }

  void Report(std::size_t i, Finding finding) {
    finding.side = target_name_;
    finding.reference = reference_name_;
    finding.step = i;
    finding.op = isa::OpName(case_.program[i]);
    finding.message =
        fmt::format("step {} {}: {}", i, finding.op, finding.message);
    result_.findings.push_back(std::move(finding));
  }

  const Case& case_;
  std::string target_name_;
  std::string reference_name_;
  Side reference_;
  Side target_;
  Side background_;
  MemorySet background_after_;
  MemorySet before_{case_};
  Surveyor surveyor_;
  std::vector<ByteRange> scratch_;  ///< of the step under way
  Comparison result_;
};

}  // namespace

Comparison CompareStepByStep(const Case& c, const Target& target,
                             const Target& reference) {
  return Comparer(c, target, reference).Run();
}

}  // namespace lanediff::diff
