#pragma once

#include <cstdint>
#include <expected>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "differential/compare/finding.h"
#include "differential/testcase/case.h"
#include "differential/testcase/record.h"

namespace lanediff::diff {

/// The slug of the step's instruction, such as `min`; for a step that sets
/// state its name, such as `set_saturation`.
std::string SlugOf(const isa::Step& step);

/// The step's dtype; `none` for a step that sets state.
std::string_view DTypeWord(const isa::Step& step);

/// What a finding is about: different cases that show the same defect mostly
/// share it. Known issues, baselines and files of findings have it as one word,
/// "kind/instruction/what/type", of a call that has forms
/// "kind/instruction/what/type/form": forms go through different code, and two
/// defects that look alike are in different ones.
///
/// - kind: the finding's, such as `memory`.
/// - instruction: of the step, by `SlugOf`.
/// - what, of an outcome, rules, notes or lint-differs finding: the first rule
///   that only one side names; `step` where neither names one.
/// - what, of a memory finding: `outside` (no operand was to write the byte),
///   `missing` (the element kept what stood there before the step),
///   `nan` (one side is a NaN), `zero-sign` (zeros of different signs),
///   `saturation` (a side is infinite or the largest finite value),
///   `subnormal` (a side is subnormal), or else `value`.
/// - what, of the other kinds: `result` (reads-outside, when bytes of operands
///   change; `answer` when outcome, rules or notes do), `two-runs`
///   (not-deterministic), `fresh-process` (state), `target` (crash, timeout,
///   protocol). An expectation finding is named like an outcome, notes or
///   memory finding; `step` where the wrong step was rejected.
/// - type: the step's dtype, of an expectation about bytes the element's;
///   `none` for a step that sets state.
/// - form: `count`, `mask`, `mask-words` (two words), `params`, `padParams`, or
///   `plain` without them; `register` without isSetMask, however its mask
///   is spelt.
struct Signature {
  FindingKind kind = FindingKind::kMemory;
  std::string instruction;
  std::string what;
  std::string type;
  std::string form = {};  ///< empty: the call has but one

  /// The one word.
  std::string Text() const;

  bool operator==(const Signature&) const = default;
};

/// Of a form without a key of its own.
inline constexpr std::string_view kPlainForm = "plain";

/// The form of a call that has several, as signatures spell it; else empty.
std::string_view FormWord(const isa::Step& step);

Signature SignatureOf(const Case& c, const Finding& finding);

/// Of the signatures of one case those that are reported: a target that misses
/// the case's expectation, too, is no finding of its own. Each once.
std::vector<std::string> ReportedSignatures(
    const std::vector<std::string>& all);

/// What lint finds at a step: "lint/instruction/RULE/type".
std::string LintSignature(const isa::Step& step, isa::RuleId rule);
/// Whether `text` is one of these, of a rule that there is.
bool IsLintSignature(std::string_view text);
/// What is wrong with `text`, which begins with "lint/", as one of these;
/// "" if nothing is.
std::string NoLintSignature(std::string_view text);

/// The kind that a signature begins with, whatever follows; nothing if there is
/// no such kind.
std::optional<FindingKind> KindIn(std::string_view signature);

/// What `Text` spells as `text`; or one line on what is wrong with it.
std::expected<Signature, std::string> ParseSignature(std::string_view text);

/// `text` without its form, as files of earlier versions have it: there it
/// means a finding in any form.
std::string_view WithoutForm(std::string_view text);

/// Cases of one signature that are kept. More would show the same defect.
inline constexpr std::uint64_t kKeptOfSignature = 3;

/// How many cases show a signature, kept or not.
struct SignatureCount {
  std::string signature;
  std::uint64_t cases = 0;

  bool operator==(const SignatureCount&) const = default;

  static void Fields(auto& s, auto& v) {
    v.Required("signature", s.signature, kSignatureText);
    v.Required("cases", s.cases, {.low = 1});
  }
};

class SignatureCounts {
 public:
  /// Counts a case that shows `findings` under each of its reported signatures.
  /// Returns the first finding of whose signature it is among the first
  /// `kKeptOfSignature`, and null if there is none: then it need not be kept.
  const Finding* Add(const std::vector<Finding>& findings);
  /// Counts a case of one signature, and returns whether it is to be kept.
  bool Add(const std::string& signature);
  /// Adds what others counted.
  void Add(const std::vector<SignatureCount>& counts);
  /// By signature.
  std::vector<SignatureCount> Record() const;

 private:
  std::map<std::string, std::uint64_t> cases_;
};

/// Leaves of `all`, sorted, those that one who saw all of them would have kept.
/// It may be that of several which each kept theirs. `findings` gives those of
/// one.
template <class T, class FindingsOf>
void LeaveKept(std::vector<T>& all, FindingsOf findings) {
  SignatureCounts counts;
  std::erase_if(all, [&](const T& one) {
    return counts.Add(std::invoke(findings, one)) == nullptr;
  });
}

}  // namespace lanediff::diff
