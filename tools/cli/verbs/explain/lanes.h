#pragma once

#include <string>
#include <string_view>

#include "isa/vocabulary.h"
#include "tools/cli/verbs/explain/facts.h"

namespace lanediff::cli::explain {

/// Draws the lanes that take part in an iteration, DataBlock by DataBlock, "#"
/// for one that does and "." for one that doesn't, from the accesses to
/// `operand`. Covers 8 DataBlocks or, where there are more lanes, as many as
/// hold them; alike ones that follow each other share a line. `origin` is
/// the source of the mask.
void PrintLanes(const StepFacts& facts, std::string_view operand,
                isa::DType type, const std::string& origin);

}  // namespace lanediff::cli::explain
