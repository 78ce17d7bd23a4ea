#pragma once

#include <cstdint>
#include <string>

#include "tools/cli/options.h"
#include "tools/cli/target_options.h"

namespace lanediff::cli {

struct FuzzOptions {
  std::string instruction;  ///< empty: all
  std::int64_t seconds = 300;
  std::int64_t jobs = 0;  ///< 0: one for each processor
  std::uint64_t seed = 0;
  std::string shard;  ///< "i/n"; empty: from the environment, else all
  TargetOptions target;
  std::string edition;  ///< of every case; empty: each input's own
  std::string corpus = "corpus";
  std::string out = "out";
  /// List of known issues; empty: known_issues.json in the corpus, if any.
  std::string known_issues;
  std::string fuzzers;    ///< folder of the fuzz programs; empty: look for it
  std::string character;  ///< JSON of characterise; empty: none
  std::string program;    ///< how this program was called
  ReportFiles files;
};

}  // namespace lanediff::cli
