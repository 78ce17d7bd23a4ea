#pragma once

#include <cstdint>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "reports/reasons.h"

namespace lanediff::diff {
enum class FindingKind : std::uint8_t;
}

namespace lanediff::reports {

/// What a verb found, for SARIF and JUnit. Texts may hold any bytes.
struct Report {
  using OrderedJson = nlohmann::ordered_json;
  using Place = Notification::Place;
  using Texts = std::vector<std::pair<std::string, std::string>>;

  struct Finding {
    std::string rule;  ///< of the catalogue, or one of lanediff's own
    std::string_view level = {};  ///< as SARIF has it; empty: the rule's
    std::string message;
    std::optional<Place> place = {};
    std::vector<Place> related = {};
    Texts fingerprints = {};  ///< what makes it the same one in another run
    /// "new", "updated", "unchanged" or "absent"; empty without a baseline.
    std::string_view since = {};
    std::string known = {};   ///< why it is accepted; empty: it is not
    std::uint64_t times = 0;  ///< 0: not counted
    OrderedJson properties = {};
  };

  enum class Outcome : std::uint8_t { kPassed, kFailed, kError, kSkipped };

  struct Test {
    std::string group;
    std::string name;
    Outcome outcome = Outcome::kPassed;
    std::string message = {};  ///< of a failure or error
    std::string text = {};
    std::string type = {};  ///< of a failure; empty: none
    std::optional<double> seconds = {};
  };

  struct Suite {
    std::string name;
    std::vector<Test> tests = {};
  };

  std::string category = {};  ///< differs between verbs and targets
  std::string group = {};     ///< of tests about the run as a whole
  Texts properties = {};
  OrderedJson counts = OrderedJson::object();
  std::vector<Finding> findings = {};
  std::vector<Suite> suites = {};
  std::vector<Notification> notifications = {};  ///< beside `reasons`
  Reasons reasons = {};
  std::string summary = {};  ///< the counts in words
  int exit_status = 0;       ///< 0 to 3
  std::string_view exit_text = {};
  /// Lists the whole catalogue and lanediff's own rules, else those of
  /// findings.
  bool lists_catalogue = true;
};

// Rules that are lanediff's own.
inline constexpr std::string_view kDisagreementRule = "LANEDIFF-DISAGREEMENT";
inline constexpr std::string_view kKnownIssueRule = "LANEDIFF-KNOWN-ISSUE";
/// "LANEDIFF-READS-OUTSIDE" and the like, of findings that name no rule.
std::string OwnRule(diff::FindingKind kind);

/// Adds a finding and a failed test for each: known issues that have expired or
/// did not occur.
void AddStaleIssues(const std::vector<std::string>& lines, Report& report);

/// SARIF 2.1.0: docs/reports.md.
std::string ToSarif(const Report& report);

/// JUnit XML, valid by reports/schema/third_party/jenkins-junit.xsd. Reasons
/// without a test make the test "complete" an error.
std::string ToJunit(Report report);

}  // namespace lanediff::reports
