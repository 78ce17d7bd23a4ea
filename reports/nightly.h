#pragma once

#include <cstdint>
#include <expected>
#include <optional>
#include <string>
#include <vector>

#include "differential/testcase/record.h"
#include "reports/headline.h"
#include "reports/reasons.h"

/// The results of a nightly run (`script/nightly`, `tools/deploy/sharded-run`)
/// and the page over its folder.
namespace lanediff::reports {

/// A number of a stage: what was counted, and how many.
struct NightlyFigure {
  std::string what;
  std::uint64_t number = 0;
};

/// A file that a stage wrote; `file` is relative to the run's folder.
struct NightlyLink {
  std::string text;
  std::string file;
};

struct NightlyStage {
  std::string name;
  std::string does;                ///< one sentence
  std::optional<int> status = {};  ///< exit status; nothing: it did not run
  bool unfinished = false;  ///< it ran out of time and left something out
  std::uint64_t seconds = 0;
  std::vector<NightlyFigure> figures = {};
  std::string problem = {};  ///< why its results can't be read, or empty
  std::vector<NightlyLink> links = {};
  std::string results = {};  ///< what its figures are read from; not reported
};

/// The functional coverage of an instruction that the fuzz programs reached.
struct NightlyModule {
  std::string slug;
  std::uint64_t bins = 0;
  std::uint64_t reached = 0;
  std::uint64_t open = 0;

  static void Fields(auto& r, auto& v) {
    v.Renamed("instruction", "room");
    v.Required("instruction", r.slug);
    LANEDIFF_REQUIRED(v, r.bins, r.reached, r.open);
  }
};

/// The findings of a stage with one signature.
struct NightlyFinding {
  std::string stage;
  FindingGroup group;
};

struct NightlyRecord {
  std::string date;                  ///< of stages.txt; may be empty
  std::string commit;                ///< likewise
  std::vector<NightlyStage> stages;  ///< every stage there is, in their order
  std::vector<NightlyModule> coverage;
  std::vector<RateLine> rates;
  std::vector<std::string> findings;  ///< files, sorted
  /// Worst first within each stage.
  std::vector<NightlyFinding> signatures = {};
};

/// Reads `out`. stages.txt lists what ran, in lines "date TEXT", "commit TEXT"
/// and "stage NAME STATUS SECONDS [unfinished]"; the error, one line, is a
/// fault of it. Older results of a stage that did not run are ignored.
std::expected<NightlyRecord, std::string> ReadNightly(const std::string& out);

/// What ran alone, without what it left.
std::expected<NightlyRecord, std::string> ReadStages(const std::string& out);

/// Whether `out` is the folder of a nightly run: it holds stages.txt.
bool IsNightlyFolder(const std::string& out);

/// The page: one self-contained HTML file whose links are relative to `out`.
std::string NightlyHtml(const NightlyRecord& record);

/// The same in Markdown, for the page of a CI run: a table of the stages, and
/// one of the findings by signature, at most `kSummaryFindings` of them.
std::string NightlySummary(const NightlyRecord& record);
inline constexpr std::size_t kSummaryFindings = 100;

}  // namespace lanediff::reports
