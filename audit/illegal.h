#pragma once

#include <cstddef>
#include <string>

#include "differential/targets/target.h"
#include "differential/testcase/case.h"
#include "reports/audit_record.h"

/// Calls that the documents refuse, on targets that run them.
namespace lanediff::audit {

/// How a step ran that should not have, and the first byte that shows it.
struct RanIllegal {
  Showing showing = Showing::kRanUndefined;  ///< to `kWroteOutside`
  std::string what;  ///< of what ran otherwise or wrote outside
};

/// What `target` does with step `step` of `c`, which the oracle rejects and it
/// does not: one of `kRanAsExtended` to `kWroteOutside`. The steps before it
/// must be legal. A target that answers whole cases is judged by the end of the
/// program, which must have no other steps after it.
RanIllegal RunIllegal(const Case& c, std::size_t step,
                      const diff::Target& target);

}  // namespace lanediff::audit
