#include "tools/history/add.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <expected>
#include <filesystem>
#include <regex>
#include <set>
#include <string_view>
#include <utility>

#include "differential/testcase/json.h"
#include "differential/testcase/record_json.h"
#include "reports/nightly.h"
#include "tools/history/document.h"

namespace lanediff::campaign {
namespace {

namespace fs = std::filesystem;

constexpr std::array<std::string_view, 5> kNotLookedInto = {
    "findings", "fuzz-corpus", "lanediff-fuzz", "parts", "exhaust"};

/// Names that verbs give to what they leave, and script/nightly too.
bool IsNameOfResults(const fs::path& path) {
  constexpr std::array<std::string_view, 7> kNames = {
      "check", "fuzz", "sweep", "exhaust", "mutants", "audit", "replay"};
  return std::ranges::find(kNames, path.stem().string()) != kNames.end();
}

void AddNightly(const std::string& out, Found& found) {
  const auto nightly = reports::ReadStages(out);
  if (!nightly) {
    found.problems.push_back(nightly.error());
    return;
  }
  FoundBatch more;
  const std::size_t problems = found.problems.size();
  for (const auto& stage : nightly->stages) {
    if (!stage.status || !stage.results.ends_with(".json")) continue;
    const std::string file = (fs::path(out) / stage.results).string();
    const auto kind = KindOf(file);
    if (!kind) {
      found.problems.push_back(fmt::format("{}: of the stage {}: {}", file,
                                           stage.name, kind.error()));
    } else if (!*kind || IsKept(**kind)) {
      more.push_back({.file = file,
                      .date = nightly->date,
                      .commit = nightly->commit,
                      .seconds = static_cast<double>(stage.seconds),
                      .unfinished = stage.unfinished});
    }
  }
  if (more.empty() && found.problems.size() == problems) {
    found.problems.push_back(
        out +
        "/stages.txt: no stage has results that a campaign keeps; no document "
        "is added");
    return;
  }
  found.batches.push_back(std::move(more));
}

/// True: the file is a shard.
bool AddFile(const fs::path& path, Found& found) {
  const auto kind = KindOf(path.string());
  if (!kind) {
    found.problems.push_back(path.string() + ": " + kind.error());
  } else if (*kind ? IsKept(**kind) : IsNameOfResults(path)) {
    found.batches.push_back({{.file = path.string()}});
  }
  return kind && *kind == "shard";
}

/// True: a shard is there.
bool Search(const fs::path& folder, Found& found) {
  if (reports::IsNightlyFolder(folder.string())) {
    AddNightly(folder.string(), found);
    return false;
  }
  bool shards = false;
  std::error_code error;
  const std::set<fs::path> paths(fs::directory_iterator(folder), {});
  for (const fs::path& path : paths) {
    const std::string name = path.filename().string();
    if (fs::is_directory(path, error)) {
      const bool looked =
          !fs::is_symlink(path, error) &&
          std::ranges::find(kNotLookedInto, name) == kNotLookedInto.end();
      shards |= looked && Search(path, found);
    } else if (path.extension() == ".json") {
      shards |= AddFile(path, found);
    }
  }
  return shards;
}

std::expected<Document, std::string> ReadOf(const FoundDocument& found,
                                            const AddOptions& options) {
  auto read = ReadDocumentOf(found.file);
  if (!read) return read;
  read->date = options.date.empty() ? found.date : options.date;
  read->commit = options.commit.empty() ? found.commit : options.commit;
  if (found.seconds > 0) read->seconds = found.seconds;
  if (found.unfinished && read->unfinished.empty()) {
    read->unfinished = "its stage ran out of time";
  }
  if (read->date.empty()) {
    return std::unexpected("missing date; fix: pass --date YYYY-MM-DD");
  }
  if (const std::string wrong = NoDate(read->date); !wrong.empty()) {
    return std::unexpected(
        fmt::format("date: {}; fix: pass --date YYYY-MM-DD", wrong));
  }
  return read;
}

// ?1 is a `Document` as JSON.
constexpr std::string_view kPutRun = R"(
INSERT INTO run
SELECT NULL, ?1 ->> 'date', ?1 ->> 'digest', ?1 ->> 'verb', ?1 ->> 'target',
  ?1 ->> 'reference', ?3, ?2, ?1 ->> '$.scope.sample',
  ?1 ->> '$.scope.legalOnly', ?1 ->> '$.scope.edition', ?1 -> '$.scope.only',
  ?1 ->> 'unfinished', ?1 ->> 'cases', ?1 ->> 'nodes', ?1 ->> 'seconds',
  ?1 ->> 'caseHashes'
RETURNING id)";
constexpr std::string_view kPutCases = R"(
INSERT OR IGNORE INTO stored_case (digest, text)
SELECT DISTINCT value ->> 'digest', value ->> 'text'
FROM json_each(?1, '$.findings') WHERE value ->> 'text' <> '')";
constexpr std::string_view kPutFindings = R"(
INSERT INTO finding
SELECT ?2, value ->> 'signature', value ->> 'times', value ->> 'known',
  value ->> 'message', value ->> 'case', value ->> 'path',
  value ->> 'reproduce', value ->> 'steps', value ->> 'nodes',
  (SELECT id FROM stored_case WHERE stored_case.digest = value ->> 'digest')
FROM json_each(?1, '$.findings'))";
constexpr std::string_view kPutFigures = R"(
INSERT OR REPLACE INTO figure
SELECT ?2, kind.value, one.value ->> 'instruction',
  coalesce(one.value ->> 'build', ''), one.value
FROM json_each('["compared", "rate", "coverage"]') AS kind,
  json_each(?1, '$.' || kind.value) AS one)";
/// Cases that were not at hand when the run was added: how many.
constexpr std::string_view kPutMissing = R"(
UPDATE finding SET case_name = value ->> 'case', stored_case =
  (SELECT id FROM stored_case WHERE stored_case.digest = value ->> 'digest')
FROM json_each(?1, '$.findings')
WHERE run = ?2 AND signature = value ->> 'signature' AND stored_case IS NULL
  AND value ->> 'text' <> '')";

/// Its outcome in one line.
std::string Put(Database& database, const Document& document,
                const std::string& label) {
  const std::string json = RecordText(document);
  const std::string what =
      fmt::format("{} {} of {}", document.date, document.verb, document.target);
  database.Get(kPutCases, {json});
  const std::string there =
      database.Get("SELECT id FROM run WHERE date = ?1 AND digest = ?2",
                   {document.date, document.digest});
  if (!there.empty()) {
    database.Get(kPutMissing, {json, there});
    const auto cases = std::stoull(database.Get("SELECT changes()"));
    return what + ": is there already" +
           (cases == 0 ? ""
                       : fmt::format("; added {} that {} not at hand then",
                                     Counted(cases, "case"),
                                     cases == 1 ? "was" : "were"));
  }
  const std::string run = database.Get(kPutRun, {json, label, document.commit});
  database.Get(kPutFindings, {json, run});
  database.Get(kPutFigures, {json, run});
  return fmt::format(
      "{}: added, {}{}", what, Counted(document.findings.size(), "finding"),
      document.unfinished.empty() ? ""
                                  : "; NOT complete: " + document.unfinished);
}

}  // namespace

Found FindDocuments(const std::string& out) {
  Found found;
  bool shards = false;
  std::error_code error;
  if (fs::is_directory(out, error)) {
    try {
      shards = Search(out, found);
    } catch (const fs::filesystem_error& failure) {
      found.problems.push_back(fmt::format("{}: can't be searched: {}",
                                           failure.path1().string(),
                                           failure.code().message()));
    }
    if (found.batches.empty() && found.problems.empty()) {
      found.problems.push_back(
          out +
          (shards ? ": holds shards alone; fix: lanediff merge DIR... --out "
                    "OUT, and add OUT"
                  : ": holds no result of a run; a folder that script/nightly "
                    "or lanediff merge left, or what a run left with --json, "
                    "is allowed"));
    }
  } else if (fs::exists(out, error)) {
    found.batches.push_back({{.file = out}});
  } else {
    found.problems.push_back(out + ": not found");
  }
  return found;
}

std::string NoDate(const std::string& text) {
  const std::string wrong =
      fmt::format("found \"{}\"; YYYY-MM-DD or YYYY-MM-DDTHH:MM:SSZ is allowed",
                  Quote(text));
  static const std::regex form(
      ".{10}(T([01][0-9]|2[0-3]):[0-5][0-9]:[0-5][0-9]Z)?");
  const bool is_date =
      std::regex_match(text, form) && NoDay(text.substr(0, 10)).empty();
  return is_date ? "" : wrong;
}

AddResult Add(Database& database, const FoundBatch& batch,
              const AddOptions& options) {
  AddResult result;
  std::vector<Document> all = {};
  for (const FoundDocument& found : batch) {
    if (auto read = ReadOf(found, options)) {
      all.push_back(*std::move(read));
    } else {
      result.problems.push_back(found.file + ": " + read.error());
    }
  }
  if (all.empty()) return result;
  Database::Transaction transaction(database);
  for (const Document& read : all) {
    result.lines.push_back(Put(database, read, options.label));
  }
  transaction.Commit();
  return result;
}

}  // namespace lanediff::campaign
