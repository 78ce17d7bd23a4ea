#pragma once

#include <string>
#include <vector>

namespace lanediff::cli {

/// A script of TIK, and what it gets.
struct Script {
  std::string file;
  std::vector<std::string> feeds;  ///< of --feed
  std::vector<std::string> arguments;
  std::string packages;  ///< the folder of tik.py
  std::string options;   ///< as LANEDIFF_OPTIONS has them
};

/// Runs it in a process of python3 and the programs that it streams in this
/// one, all in one report. Returns the status.
int RunScript(const Script& script);

}  // namespace lanediff::cli
