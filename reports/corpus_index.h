#pragma once

#include <span>
#include <string_view>

namespace lanediff::reports {

/// A case of corpus/ as evidence of one rule (`requirement` of the case): it
/// objects when the rule's effect is taken away.
struct CorpusEntry {
  std::string_view rule;  ///< id
  std::string_view tool;  ///< who made the expectation (`origin.tool`)
  std::string_view id;    ///< of the case
};

/// Those of the tree that this program was built from, in order of their files.
std::span<const CorpusEntry> CorpusEntries();

}  // namespace lanediff::reports
