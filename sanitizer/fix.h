#pragma once

#include <map>
#include <set>
#include <vector>

#include "differential/testcase/case.h"
#include "isa/step.h"

namespace lanediff::lint {

/// The calls that order two operations.
class Fixes {
 public:
  explicit Fixes(const Case& c);

  /// On one pipe its PipeBarrier; else SetFlag and WaitFlag with the lowest
  /// legal id that no flag step of that event has; PipeBarrier ALL where there
  /// is no such event or no id left; nothing where there is no PipeBarrier.
  std::vector<isa::Step> Between(isa::Pipe earlier, isa::Pipe later) const;

 private:
  isa::Product product_;
  std::map<isa::Event, std::set<std::int64_t>> used_;
};

}  // namespace lanediff::lint
