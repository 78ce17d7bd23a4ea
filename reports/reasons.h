#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

/// Why not all was done that was wanted: interrupted, limited, skipped,
/// unsupported, unreadable or unwritten, as far as the exit status counts it.
namespace lanediff::reports {

/// An error of the tool or its input, with a place or without.
struct Notification {
  /// Where something is: in a file, in a program, or both.
  struct Place {
    std::string file = {};  ///< empty: in none
    std::size_t line = 1;   ///< from 1
    /// Relative to the folder of the report, else to the one in which lanediff
    /// was started.
    bool in_report = false;
    /// Names such as "Min/step 3/src0", each with its kind in SARIF.
    std::vector<std::pair<std::string, std::string_view>> logical = {};
    std::string message = {};  ///< of a related place: what is there
  };

  std::string text;
  std::optional<Place> place = {};
  bool has_test = false;  ///< JUnit has a test about it
};

/// In order of importance; empty: all was done.
using Reasons = std::vector<Notification>;

/// `reasons`, and behind them the texts that are not empty.
inline Reasons ReasonsFrom(const std::vector<std::string>& texts,
                           Reasons reasons = {}) {
  for (const std::string& text : texts) {
    if (!text.empty()) reasons.push_back({text});
  }
  return reasons;
}

inline std::vector<std::string> TextsOf(const Reasons& reasons) {
  std::vector<std::string> texts;
  for (const Notification& reason : reasons) texts.push_back(reason.text);
  return texts;
}

/// "NOT complete: interrupted after 3 of 5 cases (and 1 more)\n", for the first
/// line of a text without a headline; empty without reasons.
std::string IncompleteText(const Reasons& reasons);

/// Shows a visitor of a record's fields "complete", and "reasons" where it is
/// false.
void CompleteFields(auto& visitor, const std::vector<std::string>& texts) {
  visitor.TrueWithout("complete", "reasons", texts,
                      {.description = "whether all was done"});
  visitor.Derived(
      "reasons",
      [&] { return texts.empty() ? std::nullopt : std::optional(texts); },
      {.description = "why not all was done", .filled = true});
}
void CompleteFields(auto& visitor, const Reasons& reasons) {
  CompleteFields(visitor, TextsOf(reasons));
}

}  // namespace lanediff::reports
