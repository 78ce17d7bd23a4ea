// Many runs in one folder: what was found, when, and whether it is gone.

#include "reports/campaign.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <filesystem>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "differential/compare/signature.h"
#include "differential/testcase/nearest.h"
#include "reports/printable.h"
#include "tools/cli/common.h"
#include "tools/cli/options.h"
#include "tools/cli/progress.h"
#include "tools/cli/verbs.h"
#include "tools/cli/verbs/campaign/bisection.h"
#include "tools/history/add.h"
#include "tools/history/database.h"
#include "tools/history/history.h"

namespace lanediff::cli {
namespace {

namespace fs = std::filesystem;
using campaign::Database;

struct CampaignOptions {
  std::vector<std::string> words;  ///< what to do, and with what
  std::string folder;              ///< of the campaign, as --campaign names it
  campaign::AddOptions add;
  std::string json;
  std::string html;
  std::uint64_t silent_days = campaign::HistoryOptions().silent_days;
  BisectOptions bisect;
};

std::string DatabaseIn(const std::string& folder) {
  return (fs::path(folder) / campaign::kDatabaseName).string();
}

bool IsCampaign(const std::string& folder) {
  std::error_code error;
  return fs::exists(DatabaseIn(folder), error);
}

/// The campaign that is meant: --campaign, else the first of `rest` if it is
/// one, which is taken away, else the environment, else ./campaign.
std::string FolderOf(const CampaignOptions& options,
                     std::vector<std::string>& rest) {
  if (!options.folder.empty()) return options.folder;
  if (!rest.empty() && IsCampaign(rest.front())) {
    const std::string folder = rest.front();
    rest.erase(rest.begin());
    return folder;
  }
  const char* const set = std::getenv("LANEDIFF_CAMPAIGN");
  return set != nullptr && *set != '\0' ? set : "campaign";
}

/// Names of findings' cases beside the page, each another one.
std::string CaseFileOf(const reports::CampaignFinding& found,
                       std::set<std::string>& taken) {
  std::string name;
  for (const char c : found.signature) {
    const bool plain = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
                       (c >= '0' && c <= '9') || c == '-' || c == '_';
    name += plain ? c : '-';
  }
  std::string file = "cases/" + name + ".json";
  for (int number = 2; !taken.insert(file).second; ++number) {
    file = fmt::format("cases/{}-{}.json", name, number);
  }
  return file;
}

/// Writes the kept cases below the page's folder, and adds to the record where
/// they are and how they show their findings; false, with a message, if one
/// can't be written.
bool WriteCases(Database& database, const std::string& folder,
                reports::CampaignRecord& record) {
  bool written = true;
  std::set<std::string> taken;
  for (reports::CampaignFinding& found : record.findings) {
    const std::string text = campaign::KeptCase(database, found);
    if (text.empty()) continue;
    found.case_file = CaseFileOf(found, taken);
    found.reproduce =
        diff::KindIn(found.signature) == diff::FindingKind::kLintDiffers
            ? ReproduceLintDifference(found.case_file)
            : Reproduce(found.case_file, found.target, found.reference);
    const fs::path path = fs::path(folder) / found.case_file;
    written = MakeFolder(path.parent_path().string()) &&
              WriteTo(path.string(), [&] { return text; }) && written;
  }
  return written;
}

int Report(const CampaignOptions& options, const std::string& folder) {
  Database database(DatabaseIn(folder), Database::For::kReading);
  auto record =
      campaign::ReadHistory(database, {.silent_days = options.silent_days});
  fmt::print("{}", reports::CampaignText(record));
  bool written = true;
  if (!options.html.empty()) {
    const std::string page = (fs::path(options.html) / "index.html").string();
    written = MakeFolder(options.html) &&
              WriteCases(database, options.html, record) &&
              WriteTo(page, [&] { return reports::CampaignHtml(record); });
    if (written) fmt::print("{}\n", reports::InOneLine(page));
  }
  written =
      WriteTo(options.json, [&] { return reports::CampaignJson(record); }) &&
      written;
  return written ? kAgree : kUsage;
}

int Add(const CampaignOptions& options, const std::string& folder,
        const std::vector<std::string>& outs) {
  if (outs.empty()) {
    return FailUsage(
        "campaign add: what to add is missing; expected folders of nightly "
        "or merged runs, or JSON reports of runs");
  }
  if (const auto& date = options.add.date; !date.empty()) {
    const std::string wrong = campaign::NoDate(date);
    if (!wrong.empty()) return FailUsage("--date: " + wrong);
  }
  std::error_code error;
  const bool is_new = !IsCampaign(folder);
  const bool makes_folder = !fs::exists(folder, error);
  if (!MakeFolder(folder)) return kUsage;
  std::optional<Database> database(std::in_place, DatabaseIn(folder),
                                   Database::For::kWriting);
  bool added = false;
  int status = kAgree;
  const auto complain = [&](const std::vector<std::string>& problems) {
    for (const std::string& problem : problems) status = FailUsage(problem);
  };
  for (const std::string& out : outs) {
    const campaign::Found found = campaign::FindDocuments(out);
    complain(found.problems);
    Progress progress(found.batches.size(), "results");
    std::uint64_t done = 0;
    for (const campaign::FoundBatch& batch : found.batches) {
      progress.Step(done++, 0);
      const auto result = campaign::Add(*database, batch, options.add);
      for (const std::string& line : result.lines) {
        fmt::print("{}\n", reports::InOneLine(line));
      }
      complain(result.problems);
      added |= !result.lines.empty();
    }
  }
  if (is_new && !added) {
    database.reset();
    fs::remove(DatabaseIn(folder), error);
    if (makes_folder) fs::remove(folder, error);
  }
  return status;
}

int Bisect(const CampaignOptions& options, const std::string& folder,
           const std::vector<std::string>& signatures) {
  if (signatures.size() != 1) {
    return FailUsage(
        "campaign bisect: one signature, as `lanediff campaign list` prints "
        "it, is allowed");
  }
  BisectOptions bisect = options.bisect;
  bisect.signature = signatures.front();
  Database database(DatabaseIn(folder), Database::For::kReading);
  return RunBisect(folder, database, {.silent_days = options.silent_days},
                   bisect);
}

constexpr std::array<std::string_view, 4> kWords = {"add", "list", "report",
                                                    "bisect"};

bool IsWord(const std::string& text) {
  return std::ranges::find(kWords, text) != kWords.end();
}

/// Makes the campaign, if it isn't there, and prints its state.
int Show(const CampaignOptions& options, const std::string& folder) {
  if (!IsCampaign(folder)) {
    std::error_code error;
    const std::string near = DidYouMean(folder, {kWords.begin(), kWords.end()});
    if (!near.empty() && !fs::exists(folder, error)) {
      return FailUsage("campaign: no word \"{}\"{}", folder, near);
    }
    if (!MakeFolder(folder)) return kUsage;
    const Database made(DatabaseIn(folder), Database::For::kWriting);
    fmt::print("{}: a new campaign; lanediff campaign add OUT... fills it\n",
               reports::InOneLine(folder));
  }
  return Report(options, folder);
}

/// Why an option of one word does not go with another; empty if all do.
std::string Misplaced(const CampaignOptions& options, const std::string& word) {
  const auto& add = options.add;
  if (word != "report" && !(options.json.empty() && options.html.empty())) {
    return "campaign: --html and --json are for report";
  }
  if (word != "add" &&
      !(add.date.empty() && add.commit.empty() && add.label.empty())) {
    return "campaign: --date, --commit and --label are for add";
  }
  if (word == "add" && options.silent_days != CampaignOptions().silent_days) {
    return "campaign: --silent-days is for list, report and bisect";
  }
  if (word != "bisect" && options.bisect != BisectOptions()) {
    return "campaign: --build, --good, --bad, --repo, --of, --target, --run "
           "and --case are for bisect";
  }
  return "";
}

/// What a word does with what follows it; the campaign's folder may stand
/// before the word.
int RunWord(CampaignOptions options) {
  std::vector<std::string> rest = std::move(options.words);
  if (rest.size() > 1 && !IsWord(rest[0]) && IsWord(rest[1]) &&
      options.folder.empty()) {
    options.folder = rest.front();
    rest.erase(rest.begin());
  }
  const std::string word =
      !rest.empty() && IsWord(rest.front()) ? rest.front() : "";
  if (!word.empty()) rest.erase(rest.begin());
  const std::string wrong = Misplaced(options, word);
  if (!wrong.empty()) return FailUsage(wrong);
  if (word.empty()) {
    if (rest.size() > 1 || (!rest.empty() && !options.folder.empty())) {
      return FailUsage(
          "campaign: found \"{}\"; {} or the folder of a campaign alone is "
          "allowed",
          rest[rest.size() > 1 && IsCampaign(rest.front()) ? 1 : 0],
          fmt::join(kWords, ", "));
    }
    return Show(options, rest.empty() ? FolderOf(options, rest) : rest.front());
  }
  const std::string folder = FolderOf(options, rest);
  if (word == "add") return Add(options, folder, rest);
  if (word == "bisect") return Bisect(options, folder, rest);
  if (!rest.empty()) {
    return FailUsage(rest.front() +
                     ": is no campaign; a folder with campaign.db is allowed");
  }
  return Report(options, folder);
}

int RunCampaign(const CampaignOptions& options) {
  try {
    return RunWord(options);
  } catch (const campaign::DatabaseError& error) {
    return FailUsage(error.what());
  }
}

}  // namespace

void AddCampaign(CommandLine& line) {
  auto [verb, options] = line.Add(
      "campaign",
      "keep results of many runs: what was found when, fixed, and came back",
      RunCampaign);
  verb.footer =
      "\"lanediff campaign add OUT...\" adds what script/nightly or lanediff "
      "merge left in the folder OUT, or what a run left with --json; "
      "what is there already is not counted again. \"lanediff campaign "
      "list\" prints every finding: when it was seen first and last, fixed, "
      "came back. \"lanediff campaign report --html DIR\" draws it. "
      "\"lanediff campaign bisect SIGNATURE --build COMMAND\" names the commit "
      "where one began. \"lanediff campaign DIR\" makes a campaign, or prints "
      "its state. The "
      "campaign is the folder that --campaign names, or the one before the "
      "word, or the first behind it if it is one, else $LANEDIFF_CAMPAIGN, "
      "else ./campaign. Status "
      "2: something could not be read, and was not added; the rest was.";
  verb.Add("WORD", options.words,
           "add OUT..., list, report, bisect SIGNATURE, or the folder of a "
           "campaign");
  verb.Add("--campaign DIR", options.folder, "folder of the campaign");
  verb.Add("--date", options.add.date,
           "of add: when it was run, YYYY-MM-DD or YYYY-MM-DDTHH:MM:SSZ; else "
           "from the nightly run");
  verb.Add("--commit", options.add.commit, "of add: of what was tested");
  verb.Add("--label", options.add.label, "of add: a word on it");
  verb.Add("--html DIR", options.html, "of report: a page in this folder");
  verb.Add("--json FILE", options.json, "of report: everything, as JSON");
  verb.Add("--silent-days", options.silent_days,
           "days of fuzzing in a row without a finding that prove a fix")
      .Within(1, 1000)
      .ShowDefault()
      .Was("--silent-nights");
  verb.Docs("campaign.md", {{"campaign campaign"},
                            {"campaign add out --campaign campaign --label "
                             "nightly"}});
  AddBisect(verb, options.bisect);
}

}  // namespace lanediff::cli
