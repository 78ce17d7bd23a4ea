#pragma once

#include <expected>
#include <string>

#include "tools/cli/verbs/campaign/candidates.h"

namespace lanediff::cli {

/// How to test whether the commit in a folder shows a finding.
struct Question {
  std::string signature;
  std::string case_file;  ///< absolute
  std::string build;      ///< shell command
  std::string program;    ///< shell words of the lanediff that replays
  std::string target;     ///< "{dir}" in it is the folder
  std::string reference;
};

struct Answer {
  Standing standing = Standing::kSkip;
  std::string why;  ///< of one that is skipped
};

/// Builds in `folder`, which holds `commit`, replays the case twice and looks
/// for the signature; `log` gets what these print, `json` what they find. The
/// error is that the run was interrupted.
std::expected<Answer, std::string> BuildAndReplay(const Question& question,
                                                  const std::string& commit,
                                                  const std::string& folder,
                                                  const std::string& log,
                                                  const std::string& json);

}  // namespace lanediff::cli
