#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "isa/rule.h"
#include "isa/step.h"
#include "isa/vocabulary.h"
#include "view/facts.h"
#include "view/phases.h"

/// What is particular to an instruction when a step is shown, in a file of its
/// own for each. A new instruction adds its two overloads here and its file.
namespace lanediff::view {

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
  std::string mask_origin = {};           ///< where the mask is from
  std::vector<LanePlaces> lanes = {};     ///< where the call has a mask
  Arithmetic arithmetic = Arithmetic::kNone;
  std::vector<Phase> phases = {};  ///< of kPhases, if it was traced
};

/// Whether the executed step made use of `rule`, a semantics rule of its own
/// instruction: a call of one iteration, say, has no order of iterations.
bool Uses(const isa::RepeatReduceSum& call, isa::RuleId rule,
          const StepFacts& facts);
bool Uses(const isa::Min& call, isa::RuleId rule, const StepFacts& facts);
bool Uses(const isa::DataCopy& call, isa::RuleId rule, const StepFacts& facts);
bool Uses(const isa::Trowprod& call, isa::RuleId rule, const StepFacts& facts);
bool Uses(const isa::VecTrans& call, isa::RuleId rule, const StepFacts& facts);

Portrait PortraitOf(const isa::RepeatReduceSum& call, const StepFacts& facts);
Portrait PortraitOf(const isa::Min& call, const StepFacts& facts);
Portrait PortraitOf(const isa::DataCopy& call, const StepFacts& facts);
Portrait PortraitOf(const isa::Trowprod& call, const StepFacts& facts);
Portrait PortraitOf(const isa::VecTrans& call, const StepFacts& facts);

/// The steps that set machine state have neither.
template <class StateStep>
bool Uses(const StateStep&, isa::RuleId, const StepFacts&) {
  return true;
}
template <class StateStep>
Portrait PortraitOf(const StateStep&, const StepFacts&) {
  return {};
}

}  // namespace lanediff::view
