#pragma once

#include <string>
#include <vector>

namespace lanediff::cli {

/// The program lanediff: watches standard output and signals, runs the verb
/// that the words name, and returns the exit status. Call it once, first thing
/// in main, with main's own arguments: it also hosts plugins, for which it
/// starts the program again. From then on stdout and stderr never fail: what is
/// printed after the first error goes nowhere, so that a run leaves its reports
/// even so.
int RunProgram(int argc, char** argv);

/// One verb, as on the command line but without the program's name, in a
/// program that does other things, too. Prints to stdout and stderr; returns
/// the exit status.
int RunVerb(const std::vector<std::string>& words);

/// Prints what is still held back. `status`, or `kUsage` for `kAgree` and a
/// line on stderr where not everything could be printed; no line where a
/// reader went away, as `head` does.
int FinishStandardOutput(int status);

/// Ends the process so, with threads that go on, and without their temporary
/// file.
[[noreturn]] void ExitAtOnce(int status);

}  // namespace lanediff::cli
