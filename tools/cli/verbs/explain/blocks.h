#pragma once

#include <functional>
#include <string>

#include "tools/cli/verbs/explain/facts.h"

namespace lanediff::cli::explain {

/// Prints the DataBlocks (number = address / 32) that each iteration reads and
/// writes, operand by operand: the first iterations, that in focus and the
/// last, with a count of those left out. `iteration` is the word for one, such
/// as "row". `behind`, if given, adds words behind the line of the access with
/// that index, the last of its operand and iteration.
void PrintBlocks(const StepFacts& facts, std::string_view iteration,
                 const std::function<std::string(std::size_t)>& behind = {});

}  // namespace lanediff::cli::explain
