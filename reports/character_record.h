#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "differential/testcase/case.h"
#include "differential/testcase/record.h"
#include "reports/reasons.h"

namespace lanediff::character {
struct Character;
}

namespace lanediff::reports {

/// Why not all that was wanted is known.
Reasons ReasonsOf(const character::Character& character);

}  // namespace lanediff::reports

/// What a target does where documents are silent or implementations differ.
namespace lanediff::character {

inline constexpr std::string_view kQuestions[] = {
    "order", "accumulator", "rounding", "saturation", "subnormals", "zero-sign",
    "nan",   "min-ties",    "illegal",  "iterations", "mask-after"};

/// One answer, with the cases that show it.
struct Answer {
  std::string question;     ///< one of `kQuestions`
  std::string instruction;  ///< a `kOp`
  std::string dtype;
  /// Which part of the question, where there are several: a mode, a length, a
  /// rule; empty for the main one.
  std::string about;
  std::string answer;
  std::string tree;             ///< of an order: bracketed
  std::uint64_t length = 0;     ///< of an order: leaves
  std::string note;             ///< a remark; may be empty
  std::uint64_t probes = 0;     ///< that led to the answer
  std::vector<JsonText> cases;  ///< documents

  static void Fields(auto& a, auto& v) {
    v.Required("question", a.question, {.words = kQuestions});
    v.Required("instruction", a.instruction, kFilled);
    v.Required("dtype", a.dtype);
    v.Optional("about", a.about);
    v.Required("answer", a.answer, kFilled);
    LANEDIFF_OPTIONAL(v, a.length, a.tree, a.note);
    v.Required("probes", a.probes);
    v.Required("cases", a.cases,
               {.description = "case documents (docs/case-format.md)",
                .elsewhere = true});
  }
};

struct Character {
  std::string target;
  isa::Edition edition = isa::kNewestEdition;
  std::vector<Answer> answers;
  std::uint64_t probes = 0;
  std::uint64_t executed = 0;  ///< probes that were
  std::uint64_t rejected = 0;
  std::uint64_t failures = 0;  ///< crashed, hung, broke the protocol
  bool gave_up = false;        ///< the target failed too often
  bool interrupted = false;

  static void Fields(auto& c, auto& v) {
    v.Document("characterise");
    v.Required("target", c.target, kFilled);
    LANEDIFF_REQUIRED(v, c.edition, c.probes, c.failures);
    CompleteFields(v, reports::ReasonsOf(c));
    v.Required("answers", c.answers);
  }
};

}  // namespace lanediff::character

namespace lanediff::reports {

struct Report;

/// A section for each question, with lines that types and instructions share
/// that answer alike.
Report ToReport(const character::Character& character);

/// The record as a JSON document, with the cases in it.
std::string CharacterJson(const character::Character& character);

}  // namespace lanediff::reports
