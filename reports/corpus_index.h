#pragma once

#include <cstdint>
#include <span>
#include <string_view>

namespace lanediff::reports {

/// A case of corpus/ that names a rule in its `requirement`.
struct CorpusEntry {
  enum Expects : std::uint8_t {
    kRejected,  ///< a call is refused for this rule and no other
    kNoted,     ///< the note of this rule
    kExecuted,  ///< neither; it runs
  };
  std::string_view rule;  ///< id
  std::string_view tool;  ///< who made the expectation (`origin.tool`)
  std::string_view id;    ///< of the case
  Expects expects;
};

/// Those of the tree that this program was built from, in order of their files.
std::span<const CorpusEntry> CorpusEntries();

}  // namespace lanediff::reports
