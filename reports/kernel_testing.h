#pragma once

#include <string>

#include "reports/kernel_record.h"

/// For tests of what printers make of runs of kernels.
namespace lanediff::reports::test {

/// Quotes, the end of a line, markup, an escape of terminals, what ends CDATA
/// and a byte that is no UTF-8.
inline const std::string kHostile =
    "a \"b\" 'c'\n</script><script>alert(1)</script>]]>\x1b[31m\\&\xff{0}";

/// The finding of the contract: an Add that reads what a copy has not written.
kernel::Finding SampleFinding();

/// A run with a finding of every shape: of two accesses, of one, suppressed,
/// without case, with a stack; notes, a refused call, a table by site.
kernel::RunRecord SampleRun();

/// The same with hostile texts wherever a text stands.
kernel::RunRecord HostileRun();

/// A run in which all went well.
kernel::RunRecord CleanRun();

}  // namespace lanediff::reports::test
