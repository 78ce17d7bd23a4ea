#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "differential/memory/memory_set.h"
#include "isa/access.h"
#include "isa/step.h"
#include "isa/vocabulary.h"
#include "oracle/oracle.h"

/// What is known of one step; pages show it and compute no semantics.
namespace lanediff::view {

/// Who brought the machine state into the shape in which a step finds it.
class History {
 public:
  /// Takes note of an executed step, number `i` of the program.
  void Add(std::size_t i, const isa::Step& step, const isa::StepResult& result);

  /// Where the mask register's value is from, in words.
  const std::string& MaskOrigin() const { return mask_origin_; }
  bool saturation() const { return saturation_; }

 private:
  std::string mask_origin_ = "all ones from the start";
  bool saturation_ = true;
};

/// One executed step. The references are those of the run and valid until the
/// next step.
struct StepFacts {
  const isa::StepResult& result;
  const History& before;
  const std::vector<isa::Access>& accesses;
  const std::vector<oracle::Node>& nodes;
  const std::vector<oracle::TrueResult>& true_results;
  const diff::MemorySet& memory;  ///< after the step
  /// The iteration to show where one stands for many: that of the first wrong
  /// element, else the first.
  std::int64_t focus = 0;
  bool all = false;  ///< nothing is to be left out

  std::int64_t iterations() const {
    return accesses.empty() ? 0 : accesses.back().iteration + 1;
  }
};

/// The lanes of an iteration; all iterations have the same.
struct Lanes {
  /// A character a lane, "#" for one that takes part and "." for one that
  /// doesn't. Whole DataBlocks, 8 of them or as many as there are lanes for.
  std::string drawing;
  std::int64_t taking_part = 0;
};

/// The lanes in which `operand`, elements of `type`, is read or written.
Lanes LanesOf(const StepFacts& facts, std::string_view operand,
              isa::DType type);

}  // namespace lanediff::view
