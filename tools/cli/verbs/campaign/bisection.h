#pragma once

#include <expected>
#include <string>

#include "tools/cli/verbs/campaign/replay.h"
#include "tools/cli/work_folder.h"

namespace lanediff::cli {

/// The question, and the commits between which the answer lies.
struct Search {
  Question question;
  std::string good;  ///< full hash
  std::string bad;   ///< full hash
  std::string case_text;
};

/// Judges commits of `repository` until the one with which the finding began is
/// named, and prints a line for each. Answers are kept in `work` meanwhile: a
/// search that was killed goes on. The status, or one line of why no commit can
/// be named.
std::expected<int, std::string> Bisect(const Search& search,
                                       const WorkFolder& work,
                                       const std::string& repository);

}  // namespace lanediff::cli
