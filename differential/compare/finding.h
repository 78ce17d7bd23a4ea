#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "differential/testcase/record.h"
#include "isa/rule.h"
#include "isa/vocabulary.h"

namespace lanediff::diff {

/// What kind of disagreement a finding is.
enum class FindingKind : std::uint8_t {
  kOutcome,           ///< one side executed what the other rejected
  kRules,             ///< both rejected, for different rules
  kNotes,             ///< both executed, with different notes
  kMemory,            ///< different bytes
  kReadsOutside,      ///< bytes that the call may not read change its result
  kNotDeterministic,  ///< the same case twice, two results
  kExpectation,       ///< not what the case expects
  kCrash,             ///< the target ended instead of answering
  kTimeout,           ///< the target didn't answer in time
  kProtocol,          ///< the target broke the line protocol or the plugin ABI
  kState,             ///< a fresh process of the target, another result
  kLintDiffers,       ///< lint reports what its model of bytes doesn't
  kKernel,            ///< the program of a kernel breaks a rule, as lint finds
};

/// Whether it is the target that failed, and nothing that was compared.
constexpr bool IsFailure(FindingKind kind) {
  return kind == FindingKind::kCrash || kind == FindingKind::kTimeout ||
         kind == FindingKind::kProtocol;
}

}  // namespace lanediff::diff

template <>
struct lanediff::isa::Words<lanediff::diff::FindingKind> {
  static constexpr std::array<std::string_view, 13> kSpelling = {
      "outcome",     "rules",         "notes",
      "memory",      "reads-outside", "not-deterministic",
      "expectation", "crash",         "timeout",
      "protocol",    "state",         "lint-differs",
      "kernel"};
};

namespace lanediff::diff {

/// What differential/compare/signature.h makes.
inline constexpr Allowed kSignatureText = {
    .description =
        "kind/instruction/what/type, of a call with forms "
        "kind/instruction/what/type/form",
    .pattern = "^[a-z-]+/[^/]+/[^/]+/[^/]+(/[^/]+)?$"};

/// One element on which two sides differ.
struct ElementDifference {
  isa::Memory memory = isa::Memory::kUb;
  std::int64_t at = 0;  ///< first byte of the element
  isa::DType dtype = isa::DType::kUint8;
  std::uint64_t expected = 0;  ///< bits
  std::uint64_t actual = 0;
  /// What stood there before the step; absent where no caller requests it.
  std::optional<std::uint64_t> before = std::nullopt;
  std::uint64_t ulp = 0;  ///< distance; 0 where it has none
  /// Who was to write it; empty for a byte that nothing was to write.
  std::string operand;
  std::int64_t iteration = 0;
  std::int64_t lane = 0;
  std::int64_t differing_bytes = 0;  ///< in all memories together

  static void Fields(auto& d, auto& v) {
    LANEDIFF_REQUIRED(v, d.memory, d.at, d.dtype);
    v.Required("expectedBits", d.expected, kAllBits);
    v.Required("actualBits", d.actual, kAllBits);
    v.Required("ulp", d.ulp, kAllBits);
    LANEDIFF_REQUIRED(v, d.operand, d.iteration, d.lane);
    v.Required("differingBytes", d.differing_bytes, kNotNegative);
  }
};

/// One disagreement, where it arose. Printers of every format show this record
/// and compute nothing.
struct Finding {
  FindingKind kind = FindingKind::kMemory;
  std::string side;       ///< the target that differs
  std::string reference;  ///< from what: a target, or "expect"
  std::size_t step = 0;
  std::string op;
  std::vector<isa::RuleId> expected_rules;  ///< of rules, notes, a failure
  std::vector<isa::RuleId> actual_rules;
  std::optional<ElementDifference> difference;
  /// What it is about, without the case's own numbers
  /// (differential/compare/signature.h).
  std::string signature;
  std::string message;  ///< all of it in one line
  /// The last that a target which failed wrote to stderr, 4 KiB at most.
  std::string error_tail;

  static void Fields(auto& f, auto& v) {
    v.Required("kind", f.kind);
    v.Required("side", f.side, kFilled);
    v.Required("reference", f.reference, kFilled);
    v.Required("step", f.step);
    v.Required("op", f.op, kFilled);
    v.Required("signature", f.signature, kSignatureText);
    v.Required("message", f.message, kFilled);
    const bool rules = !f.expected_rules.empty() || !f.actual_rules.empty();
    v.OptionalIf(rules, "expectedRules", f.expected_rules);
    v.OptionalIf(rules, "actualRules", f.actual_rules);
    v.Together("expectedRules", "actualRules");
    v.Optional("difference", f.difference);
    v.Optional(
        "stderr", f.error_tail,
        {.description = "the last that a target which failed wrote there",
         .filled = true});
  }
};

}  // namespace lanediff::diff
