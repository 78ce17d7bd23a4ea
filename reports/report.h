#pragma once

#include <cstddef>
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

/// What a verb did and found: text, HTML, JUnit and SARIF are one printer each
/// over it. Texts may hold any bytes.
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

  enum class Look : std::uint8_t {
    kPlain,
    kSoft,
    kCode,
    kCommand,  ///< of a shell; on a page it can be copied
    kGood,
    kMild,
    kBad,
  };

  /// A line for people, and lines that belong below it. As a cell of a table it
  /// is one line of text.
  struct Line {
    std::string text;
    std::string label = {};  ///< before the text: "repair: …"
    Look look = Look::kPlain;
    std::string link = {};  ///< an address of the page: "#ID", "#/case/ID"
    std::string id = {};    ///< by which links find it; empty: none
    std::vector<Line> below = {};
    bool page_only = false;
  };

  struct Column {
    enum class Kind : std::uint8_t { kText, kNumber, kSource };

    std::string title;
    Kind kind = Kind::kText;
    /// A page filters by them and counts the rows of each; in this order.
    std::vector<std::string> words = {};
  };

  struct Row {
    std::vector<Line> cells;  ///< one for each column
    bool verbose = false;     ///< in a text only with --verbose
    Look look = Look::kPlain;
    std::string id = {};
  };

  /// Lines, then a table. A page has the title; a text prints lines and rows
  /// alone unless `titled`.
  struct Section {
    enum class In : std::uint8_t { kBoth, kPage, kText };

    std::string title;
    std::vector<Line> lines = {};
    std::vector<Column> columns = {};
    std::vector<Row> rows = {};
    /// Of a row. A page searches, sorts and filters the rows; empty: it
    /// doesn't.
    std::string noun = {};
    In in = In::kPage;
    bool titled = false;
  };

  // For people.
  std::string title = {};           ///< of a page
  std::string opening = {};         ///< the first lines of a text
  std::string sentence = {};        ///< what came out; without its end
  Look tone = Look::kPlain;         ///< of the sentence: good, mild or bad
  std::vector<Line> headline = {};  ///< what a page has below the sentence
  std::vector<Line> found = {};     ///< findings, worst first
  std::vector<Section> sections = {};
  std::string summary = {};  ///< the counts in words: the last lines of a text

  // For machines.
  std::string category = {};  ///< differs between verbs and targets
  std::string group = {};     ///< of tests about the run as a whole
  Texts properties = {};
  OrderedJson counts = OrderedJson::object();
  std::vector<Finding> findings = {};
  std::vector<Suite> suites = {};
  std::vector<Notification> notifications = {};  ///< beside `reasons`
  Reasons reasons = {};
  int exit_status = 0;  ///< 0 to 3
  std::string_view exit_text = {};
  /// Lists the whole catalogue and lanediff's own rules, else those of
  /// findings.
  bool lists_catalogue = true;
};

/// "good", "incomplete" or "bad", as headlines have it.
Report::Look ToneOf(std::string_view tone);

// Rules that are lanediff's own.
inline constexpr std::string_view kDisagreementRule = "LANEDIFF-DISAGREEMENT";
inline constexpr std::string_view kKnownIssueRule = "LANEDIFF-KNOWN-ISSUE";
/// "LANEDIFF-READS-OUTSIDE" and the like, of findings that name no rule.
std::string OwnRule(diff::FindingKind kind);

/// Adds a finding and a failed test for each: known issues that have expired or
/// did not occur.
void AddStaleIssues(const std::vector<std::string>& lines, Report& report);

/// Opening, findings, sections and summary. `verbose`: with rows that only
/// --verbose prints. Each line ends in a newline and is fit for a terminal.
std::string ToText(const Report& report, bool verbose = false);
std::string ToText(const Report::Section& section, bool verbose = false);
std::string ToText(const Report::Line& line, std::size_t indent = 0);

/// The title, the sentence, findings and sections as markup, for a page.
std::string ToMarkup(const Report& report);

/// A page of `report` that loads nothing and has no script.
std::string ToHtml(const Report& report);

/// SARIF 2.1.0: docs/reports.md.
std::string ToSarif(const Report& report);

/// JUnit XML, valid by reports/schema/third_party/jenkins-junit.xsd. Reasons
/// without a test make the test "complete" an error.
std::string ToJunit(Report report);

}  // namespace lanediff::reports
