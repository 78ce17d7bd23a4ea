#pragma once

/// What is printed, and whether it arrived.
namespace lanediff::cli {

/// From now on stdout and stderr never fail: what is printed after the first
/// error goes nowhere, so that a run leaves its reports even so. Sees that
/// the three standard descriptors are open, so that no file gets their numbers.
void WatchStandardOutput();

/// Prints what is still held back. `status`, or `kUsage` for `kAgree` and a
/// line on stderr where not everything could be printed; no line where a
/// reader went away, as `head` does.
int FinishStandardOutput(int status);

}  // namespace lanediff::cli
