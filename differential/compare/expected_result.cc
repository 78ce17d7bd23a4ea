#include "differential/compare/expected_result.h"

#include <algorithm>
#include <cstddef>
#include <span>

#include "differential/compare/memory_compare.h"
#include "differential/memory/memory_set.h"
#include "differential/targets/the_oracle.h"
#include "differential/testcase/element.h"
#include "isa/memory_map.h"
#include "oracle/oracle.h"

namespace lanediff::diff {
namespace {

constexpr std::size_t kNobody = static_cast<std::size_t>(-1);

/// Everything that the executed steps write, in their order.
std::vector<TypedRun> WritesOfProgram(const Case& c, MemorySet& memory) {
  std::vector<TypedRun> writes;
  oracle::Oracle oracle(c.profile(), memory.view());
  for (const isa::Step& step : c.program) {
    if (oracle.Execute(step).status != isa::StepResult::Status::kExecuted) {
      break;
    }
    std::ranges::copy(WritesOf(oracle.accesses()), std::back_inserter(writes));
  }
  return writes;
}

/// Which of `writes` was the last to write each byte of `region`.
std::vector<std::size_t> OwnersOf(const Region& region, isa::Memory memory,
                                  const std::vector<TypedRun>& writes) {
  std::vector<std::size_t> owners(region.bytes.size(), kNobody);
  for (std::size_t i = 0; i < writes.size(); ++i) {
    if (writes[i].memory != memory) continue;
    const std::int64_t begin = std::max(writes[i].at, region.at);
    const std::int64_t end =
        std::min(writes[i].at + writes[i].bytes, region.end());
    for (std::int64_t at = begin; at < end; ++at) {
      owners[static_cast<std::size_t>(at - region.at)] = i;
    }
  }
  return owners;
}

/// The element of `owner` that has the byte `at` in it.
ChangedElement ElementAt(std::int64_t at, isa::Memory memory,
                         const TypedRun* owner, const MemorySet& after) {
  ChangedElement element{.memory = memory, .at = at};
  if (owner != nullptr) {
    const std::int64_t size = isa::SizeBytes(owner->dtype);
    element.dtype = owner->dtype;
    element.at = owner->at + (at - owner->at) / size * size;
  }
  element.bits = LoadElement(
      element.dtype,
      std::span(after[memory]).subspan(static_cast<std::size_t>(element.at)));
  return element;
}

}  // namespace

ExpectedResult ExpectedResultOf(const Case& c) {
  ExpectedResult result{.outcome = TheOracle().Run(c).value(), .changed = {}};
  MemorySet memory(c);
  const std::vector<TypedRun> writes = WritesOfProgram(c, memory);
  for (const isa::Memory m : kAllMemories) {
    for (const Region& region :
         (*result.outcome.memory)[static_cast<std::size_t>(m)]) {
      const std::vector<std::size_t> owners = OwnersOf(region, m, writes);
      for (std::int64_t at = region.at; at < region.end();) {
        const std::size_t owner =
            owners[static_cast<std::size_t>(at - region.at)];
        const ChangedElement element = ElementAt(
            at, m, owner == kNobody ? nullptr : &writes[owner], memory);
        at = element.at + isa::SizeBytes(element.dtype);
        // Two changed ranges can meet in one element.
        if (result.changed.empty() || result.changed.back() != element) {
          result.changed.push_back(element);
        }
      }
    }
  }
  return result;
}

}  // namespace lanediff::diff
