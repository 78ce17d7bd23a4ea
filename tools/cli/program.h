#pragma once

#include <string>
#include <vector>

namespace lanediff::cli {

/// The program lanediff: watches standard output and signals, runs the verb
/// that the words name, and returns the exit status. Call it once, first thing
/// in main, with main's own arguments: it also hosts plugins, for which it
/// starts the program again.
int RunProgram(int argc, char** argv);

/// One verb, as on the command line but without the program's name, in a
/// program that does other things, too. Prints to stdout and stderr; returns
/// the exit status.
int RunVerb(const std::vector<std::string>& words);

}  // namespace lanediff::cli
