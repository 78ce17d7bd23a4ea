#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "isa/call.h"
#include "isa/vocabulary.h"
#include "reports/trace/facts.h"

namespace lanediff::view {

/// Consecutive levels of nodes that do one thing (TRP-ORDER).
struct Phase {
  std::string name;     ///< "pairs", "fold", …
  std::string meaning;  ///< what meets what
  int first_level = 0;
  int last_level = 0;
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
  std::string mask_origin = {};           ///< where the mask is from
  std::vector<LanePlaces> lanes = {};     ///< where the call has a mask
  Arithmetic arithmetic = Arithmetic::kNone;
  std::vector<Phase> phases = {};  ///< of kPhases, if it was traced
};

}  // namespace lanediff::view
