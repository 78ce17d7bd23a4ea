#pragma once

#include <cstdint>
#include <expected>
#include <optional>
#include <string>
#include <vector>

#include "differential/testcase/record.h"
#include "reports/rates.h"

/// What a night of `script/nightly` or `tools/deploy/night` left in its folder,
/// and the page over it.
namespace lanediff::reports {

/// A number of a stage: what was counted, and how many.
struct NightFigure {
  std::string what;
  std::uint64_t number = 0;

  template <class Self, class Visitor>
  static void Fields(Self& f, Visitor& v) {
    v.Required("what", f.what);
    v.Required("number", f.number);
  }
};

/// Something that a stage left; `file` is relative to the night's folder.
struct NightLink {
  std::string text;
  std::string file;

  template <class Self, class Visitor>
  static void Fields(Self& l, Visitor& v) {
    v.Required("text", l.text);
    v.Required("file", l.file);
  }
};

struct NightStage {
  std::string name;
  std::string does;                ///< one sentence
  std::optional<int> status = {};  ///< exit status; nothing: it did not run
  bool unfinished = false;  ///< it ran out of time and left something out
  std::uint64_t seconds = 0;
  std::vector<NightFigure> figures = {};
  std::string problem =
      {};  ///< why its results can't be read, one line, or empty
  std::vector<NightLink> links = {};
  std::string results = {};  ///< what its figures are read from; not reported

  template <class Self, class Visitor>
  static void Fields(Self& s, Visitor& v) {
    v.Required("name", s.name);
    v.Required("does", s.does);
    v.Required("status", s.status);
    v.Required("unfinished", s.unfinished);
    v.Required("seconds", s.seconds);
    v.Required("problem", s.problem);
    v.Required("figures", s.figures);
    v.Required("links", s.links);
  }
};

/// How much of an instruction's functional coverage the fuzz programs reached.
struct NightModule {
  std::string slug;
  std::uint64_t bins = 0;
  std::uint64_t reached = 0;
  std::uint64_t open = 0;

  template <class Self, class Visitor>
  static void Fields(Self& r, Visitor& v) {
    v.Required("room", r.slug);
    v.Required("bins", r.bins);
    v.Required("reached", r.reached);
    v.Required("open", r.open);
  }
};

/// Findings of one signature that a stage told, as in the groups of its JSON.
struct NightFinding {
  std::string stage;
  std::string signature;
  std::uint64_t cases = 0;  ///< that show it
  std::string message;      ///< of the smallest case
  std::string reproduce;    ///< the command that shows it again
};

struct NightRecord {
  std::string date;                ///< as the night wrote it; may be empty
  std::string commit;              ///< likewise
  std::vector<NightStage> stages;  ///< every stage there is, in their order
  std::vector<NightModule> coverage;
  std::vector<RateLine> rates;
  std::vector<std::string> findings;  ///< files, sorted
  /// Worst first within each stage; the page links the stages' own instead.
  std::vector<NightFinding> signatures = {};

  template <class Self, class Visitor>
  static void Fields(Self& n, Visitor& v) {
    v.Required("date", n.date);
    v.Required("commit", n.commit);
    v.Required("stages", n.stages);
    v.Required("coverage", n.coverage);
    v.Required("rates", n.rates);
    v.Required("findings", n.findings);
  }
};

/// Reads `out`: stages.txt tells what ran, in lines "date TEXT", "commit TEXT"
/// and "stage NAME STATUS SECONDS [unfinished]". What a stage that did not run
/// left on an earlier night is not looked at. Results that can't be read are
/// told in the stage's `problem`; the error, one line, says what is wrong with
/// stages.txt.
std::expected<NightRecord, std::string> ReadNight(const std::string& out);

/// What ran alone, without what it left.
std::expected<NightRecord, std::string> ReadStages(const std::string& out);

/// Whether `out` is the folder of a night: it holds stages.txt.
bool IsNight(const std::string& out);

/// The page: one self-contained HTML file whose links are relative to `out`.
std::string NightHtml(const NightRecord& record);

/// The same in Markdown, for the page of a CI run: a table of the stages, and
/// one of the findings by signature, at most `kSummaryFindings` of them.
std::string NightSummary(const NightRecord& record);
inline constexpr std::size_t kSummaryFindings = 100;

}  // namespace lanediff::reports
