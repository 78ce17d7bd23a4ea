#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "isa/call.h"
#include "isa/catalogue.h"
#include "isa/step.h"
#include "isa/vocabulary.h"
#include "reports/trace/facts.h"

namespace lanediff::view {

/// Consecutive levels of nodes that do one thing (TRP-ORDER).
struct Phase {
  std::string name;     ///< "pairs", "fold", …
  std::string meaning;  ///< what meets what
  int first_level = 0;
  int last_level = 0;

  bool Has(const oracle::Node& node) const {
    return node.level >= first_level && node.level <= last_level;
  }
};

/// How the arithmetic of an iteration is best drawn.
enum class Arithmetic : std::uint8_t {
  kNone,
  kLanes,   ///< a node for each lane, none below another
  kTree,    ///< node i of a level is fed by 2i and 2i+1 of the level below
  kPhases,  ///< levels of many nodes that do one thing after the other
};

/// Where the lanes of an operand are, those that take no part among them.
struct LanePlaces {
  std::string_view operand;
  std::int64_t at = 0;          ///< lane 0 of iteration 0
  std::int64_t blk_stride = 0;  ///< in DataBlocks, of which lanes fill one each
  std::int64_t rep_stride = 0;  ///< in DataBlocks, from iteration to iteration
};

/// The words for an instruction's parts.
struct Portrait {
  std::string_view iteration = "iteration";  ///< "block", "row"
  /// Whose lanes the vector mask picks; empty where the call has no mask.
  std::string_view masked_operand = {};
  isa::DType dtype = isa::DType::kUint8;  ///< of the lanes
  std::int64_t lane_bytes = 0;            ///< 256 bytes hold the lanes
  std::string mask_origin = {};           ///< where the mask is from
  std::vector<LanePlaces> lanes = {};     ///< where the call has a mask
  Arithmetic arithmetic = Arithmetic::kNone;
  std::vector<Phase> phases = {};  ///< of kPhases, if it was traced
};

/// What a rule had to do with a step.
enum class RuleVerdict : std::uint8_t {
  kBroken,      ///< the step was rejected for it
  kApplies,     ///< a semantics rule that the result rests on
  kNoted,       ///< the executed step was reported for it
  kNotMet,      ///< a note or semantics rule that had nothing to do
  kNotBroken,   ///< a reject rule that was looked at and kept
  kNotReached,  ///< a reject rule of a later stage than the broken one
};

struct RuleUse {
  const isa::Rule* rule = nullptr;
  RuleVerdict verdict = RuleVerdict::kNotMet;
  /// Of a broken rule: "repeat is 256, allowed is 0 to 255" for each field that
  /// is out of its range; empty where none is.
  std::string out_of_range;
  /// Of a broken rule: operand, found and needed, a sentence for each witness.
  /// Set by callers that have lint (tools/cli/kernel_findings.h).
  std::vector<std::string> witnesses = {};
};

/// Each rule of an executed step's instruction, and each rule of the machine,
/// in the catalogue's order.
std::vector<RuleUse> RulesOfExecuted(const isa::Step& step,
                                     const StepFacts& facts);

/// Each reject rule of a rejected step's instruction, and of the machine.
std::vector<RuleUse> RulesOfRejected(const isa::Step& step,
                                     const isa::StepResult& result);

/// Titles and sections of the documents behind `rule`, each once; the
/// provenance where there is no document.
std::string DocumentsOf(const isa::Rule& rule);

// What is particular to a family of instructions when a step is shown.

/// Whether the executed step made use of `rule`, a semantics rule of its own
/// instruction: a call of one iteration has no order of iterations.
bool Uses(const isa::Step& step, const isa::Rule& rule, const StepFacts& facts);

/// Empty for steps that set machine state.
Portrait PortraitOf(const isa::Step& step, const StepFacts& facts);

}  // namespace lanediff::view

template <>
struct lanediff::isa::Words<lanediff::view::RuleVerdict> {
  static constexpr std::array<std::string_view, 6> kSpelling = {
      "broken", "applies", "noted", "not met", "not broken", "not reached"};
};
