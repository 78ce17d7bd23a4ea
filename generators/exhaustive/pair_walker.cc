#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <optional>
#include <span>
#include <string>

#include "differential/compare/compare.h"
#include "differential/compare/memory_compare.h"
#include "differential/compare/signature.h"
#include "differential/compare/unspecified.h"
#include "differential/memory/memory_set.h"
#include "differential/testcase/element.h"
#include "generators/exhaustive/pair_space.h"
#include "generators/exhaustive/parameter_space.h"

namespace lanediff::make::exhaust {
namespace {

using isa::StepResult;

/// Calls that no pair alone shows, before only a few pairs of one are tried.
constexpr std::size_t kUnshownCalls = 10;

/// The lean loop over a pair space: both sides keep one session and one memory,
/// which is filled again for each call and compared byte by byte. What differs
/// is reported by `CompareCase` from a case of one pair. Reads outside what
/// the call may read are not looked for; the parameter spaces do.
class PairWalker final : public Walker {
 public:
  PairWalker(const PairSpace& space, const diff::Target& target,
             const diff::Target& reference, isa::Edition edition)
      : space_(space),
        target_(target),
        reference_(reference),
        count_(space.PointsIn(0)),
        layout_(space.LayOut(count_)),
        frame_(Of(edition, space.CaseAt(0))),
        before_(frame_),
        expected_(frame_),
        actual_(frame_),
        reference_session_(
            diff::StepsOf(reference).Open(frame_.profile(), expected_.view())),
        prologue_result_(reference_session_->Execute(space.Prologue())) {
    OpenTarget();
  }

  void Run(std::uint64_t call, Tally& tally) override {
    ++tally.calls;
    const std::uint64_t first = space_.FirstPairOf(call);
    LayOut(space_.PointsIn(call));
    PairSpace::Fill(layout_, first, count_, Ub(before_));
    std::ranges::copy(Ub(before_), Ub(expected_).begin());
    std::ranges::copy(Ub(before_), Ub(actual_).begin());
    const StepResult expected = reference_session_->Execute(layout_.step);
    const StepResult actual = target_session_->Execute(layout_.step);
    if (target_session_->failure() != nullptr) {
      ShowFailure(call, tally);
      return;
    }
    if (expected.status == StepResult::Status::kUnsupported ||
        actual.status == StepResult::Status::kUnsupported) {
      tally.unsupported += count_;
      return;
    }
    tally.points += count_;
    const bool answers_agree = expected == actual && prologue_agrees_;
    if (const auto* const open = reference_session_->open_results();
        open != nullptr && actual.status == StepResult::Status::kExecuted) {
      diff::Join(
          diff::Settle(diff::OpenRunsOf(isa::OpName(layout_.step), *open),
                       expected_, actual_),
          tally.open);
    }
    if (answers_agree && expected_ == actual_) return;
    if (actual.status == StepResult::Status::kExecuted) {
      diff::CopyRanges(diff::ScratchOf(frame_, layout_.step), expected_,
                       actual_);
    }
    Explain(call, answers_agree, tally);
  }

 private:
  void OpenTarget() {
    target_session_.reset();  // before another one has its memories
    target_session_ =
        diff::StepsOf(target_).Open(frame_.profile(), actual_.view());
    prologue_agrees_ =
        target_session_->Execute(space_.Prologue()) == prologue_result_;
  }

  /// The target has failed: runs it again in a new session, in the whole call.
  void ShowFailure(std::uint64_t call, Tally& tally) {
    const diff::NoOutcome none = *target_session_->failure();
    OpenTarget();
    if (!diff::IsFailure(none.kind)) {
      tally.unsupported += count_;
      return;
    }
    tally.points += count_;
    ++tally.disagree;
    Case whole = Of(frame_.edition, space_.CaseAt(call));
    if (Show(call, whole, tally)) return;
    diff::Finding finding =
        diff::FailureFinding(whole, target_.name(), reference_.name(), 1, none);
    Push(call, std::move(whole), std::move(finding), tally);
  }

  static Case Of(isa::Edition edition, Case c) {
    c.edition = edition;
    return c;
  }

  static std::span<std::uint8_t> Ub(diff::MemorySet& set) {
    return set[isa::Memory::kUb];
  }

  /// For the last call, which is shorter than the others.
  void LayOut(std::uint64_t count) {
    if (count == count_) return;
    count_ = count;
    layout_ = space_.LayOut(count);
  }

  /// Something differs: bytes that may, or pairs that must not.
  void Explain(std::uint64_t call, bool answers_agree, Tally& tally) {
    std::optional<diff::ElementDifference> difference;
    if (expected_ != actual_) {
      const diff::TypedRun results[] = {
          {{.operand = "dst",
            .write = true,
            .bytes = static_cast<std::int64_t>(2 * count_),
            .dtype = space_.dtype()}}};
      difference = diff::CompareMemory(expected_, actual_, results);
    }
    if (answers_agree && !difference) return;

    const auto pairs = DifferingPairs(call, answers_agree);
    // A byte that is no result differs: one point, whichever.
    tally.disagree += std::max<std::uint64_t>(pairs.size(), 1);
    bool shown = false;
    std::map<std::string, std::uint64_t> showed;
    diff::SignatureCounts tried;
    for (const auto& [pair, signature] : pairs) {
      if (showed[signature] == diff::kKeptOfSignature ||
          !tally.Wants(signature)) {
        shown = true;
        continue;
      }
      // Where calls were that no pair alone shows, a few are tried.
      if (unshown_ > kUnshownCalls && !tried.Add(signature)) continue;
      if (!Show(call, Of(frame_.edition, space_.CaseOf(pair, 1)), tally))
        continue;
      shown = true;
      ++showed[signature];
    }
    if (shown) return;
    ++unshown_;
    Case whole = Of(frame_.edition, space_.CaseAt(call));
    if (Show(call, whole, tally)) return;
    diff::Finding finding = Difference(difference);
    finding.signature = diff::SignatureOf(whole, finding).Text();
    Push(call, std::move(whole), std::move(finding), tally);
  }

  struct Differing {
    std::uint64_t pair;
    std::string signature;  ///< of the result; empty where answers differ
  };

  /// All pairs where the answers differ, else those whose results do.
  std::vector<Differing> DifferingPairs(std::uint64_t call,
                                        bool answers_agree) {
    std::vector<Differing> pairs;
    const auto result = [&](diff::MemorySet& set, std::uint64_t i) {
      return LoadElement(space_.dtype(), std::span(Ub(set)).subspan(2 * i, 2));
    };
    for (std::uint64_t i = 0; i < count_; ++i) {
      const std::uint64_t expected = result(expected_, i);
      const std::uint64_t actual = result(actual_, i);
      if (!answers_agree) {
        pairs.push_back({space_.FirstPairOf(call) + i, ""});
      } else if (!SameElement(space_.dtype(), expected, actual)) {
        pairs.push_back(
            {space_.FirstPairOf(call) + i, SignatureOf(expected, actual)});
      }
    }
    return pairs;
  }

  std::string SignatureOf(std::uint64_t expected, std::uint64_t actual) const {
    diff::Finding finding;
    finding.step = 1;
    finding.difference = {.dtype = space_.dtype(),
                          .expected = expected,
                          .actual = actual,
                          .operand = "dst"};
    return diff::SignatureOf(frame_, finding).Text();
  }

  static void Push(std::uint64_t call, Case c, diff::Finding finding,
                   Tally& tally) {
    if (!tally.Wants(finding.signature)) return;
    tally.shown.push_back({call, std::move(c), std::move(finding)});
  }

  /// Whether `c` disagrees on its own; then it is among what is shown, or
  /// others of its signature are.
  bool Show(std::uint64_t call, Case c, Tally& tally) const {
    diff::Comparison result = diff::CompareCase(c, target_, reference_);
    if (result.findings.empty()) return false;
    Push(call, std::move(c), std::move(result.findings.front()), tally);
    return true;
  }

  /// A disagreement that new sessions do not have.
  diff::Finding Difference(
      const std::optional<diff::ElementDifference>& difference) const {
    diff::Finding finding;
    finding.kind = difference ? diff::FindingKind::kMemory
                              : diff::FindingKind::kNotDeterministic;
    finding.side = std::string(target_.name());
    finding.reference = std::string(reference_.name());
    finding.step = 1;
    finding.op = isa::OpName(layout_.step);
    finding.difference = difference;
    finding.message =
        fmt::format("step 1 {}: only after earlier calls: {}", finding.op,
                    difference ? diff::Describe(*difference)
                               : "outcome, rules or notes differ");
    return finding;
  }

  const PairSpace& space_;
  const diff::Target& target_;
  const diff::Target& reference_;
  std::uint64_t count_;  ///< pairs of a call, as `layout_` has them
  PairLayout layout_;
  Case frame_;  ///< for the sizes of the memories
  diff::MemorySet before_;
  diff::MemorySet expected_;
  diff::MemorySet actual_;
  std::unique_ptr<diff::Session> reference_session_;
  std::unique_ptr<diff::Session> target_session_;
  StepResult prologue_result_;
  bool prologue_agrees_ = false;
  std::size_t unshown_ = 0;  ///< calls that no pair alone shows
};

}  // namespace

std::unique_ptr<Walker> PairSpace::Open(const diff::Target& target,
                                        const diff::Target& reference,
                                        isa::Edition edition) const {
  // One that answers whole cases has no session that could stay open.
  if (target.stepwise() == nullptr) {
    return OpenCaseWalker(*this, target, reference, edition);
  }
  return std::make_unique<PairWalker>(*this, target, reference, edition);
}

}  // namespace lanediff::make::exhaust
