#include "sanitizer/unwritten_reads.h"

#include <cstdint>
#include <utility>

#include "sanitizer/judge.h"
#include "sanitizer/pipes.h"
#include "sanitizer/step_use.h"

namespace lanediff::lint {

std::vector<InitRead> UnwrittenReads(const Case& c, std::size_t number,
                                     std::string_view operand) {
  Case first_reads = c;
  first_reads.lint.propagate = false;
  Judge judge(first_reads);
  InitReads init(first_reads);
  StepUse use;
  std::vector<InitRead> found;
  for (std::size_t i = 0; i <= number; ++i) {
    const isa::Step& step = c.program[i];
    found.clear();
    const isa::StepResult result = judge.Take(step);
    if (result.status != isa::StepResult::Status::kExecuted) continue;
    if (!PipeOf(step, c.product)) continue;
    use.Set(judge.accesses());
    found =
        init.Take(step, static_cast<std::int32_t>(i), judge.accesses(), use);
  }
  if (!operand.empty()) {
    std::erase_if(
        found, [&](const InitRead& read) { return read.operand != operand; });
  }
  return found;
}

}  // namespace lanediff::lint
