#include "reports/nightly.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <charconv>
#include <filesystem>
#include <span>
#include <sstream>
#include <string_view>

#include "differential/testcase/case_reader.h"
#include "reports/nightly_figures.h"

namespace lanediff::reports {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kMaxStagesBytes = 1 << 16;

struct Link {
  std::string_view text;
  std::string_view file;
};

struct Stage {
  std::string_view name;
  std::string_view does;
  std::string_view results;  ///< what its figures are read from
  Figures (*figures)(const std::string& file, NightlyRecord& nightly);
  std::vector<Link> links;
};

Figures NoFigures(const std::string&, NightlyRecord&) { return {}; }

/// In the order in which script/nightly runs them; `exhaust` is of
/// tools/deploy/sharded-run.
std::span<const Stage> Stages() {
  static const std::vector<Stage> stages = {
      {"replay",
       "Replays every case of the corpus.",
       "replay.json",
       RunFigures,
       {{"page", "replay/index.html"},
        {"text", "replay.txt"},
        {"JSON", "replay.json"},
        {"JUnit", "replay.xml"},
        {"SARIF", "replay.sarif"}}},
      {"sweep",
       "Compares on systematic cases: both sides of every boundary, special "
       "values, pairs of parameter classes.",
       "sweep.json",
       RunFigures,
       {{"page", "sweep/index.html"},
        {"text", "sweep.txt"},
        {"JSON", "sweep.json"},
        {"JUnit", "sweep.xml"},
        {"SARIF", "sweep.sarif"}}},
      {"exhaust",
       "Enumerates small spaces completely.",
       "exhaust.json",
       ExhaustFigures,
       {{"text", "exhaust.txt"}, {"JSON", "exhaust.json"}}},
      {"mutants",
       "Plants each known bug in turn and hunts it.",
       "mutants.json",
       MutantFigures,
       {{"page", "mutants/index.html"},
        {"text", "mutants.txt"},
        {"JSON", "mutants.json"},
        {"JUnit", "mutants.xml"}}},
      {"patches",
       "Plants each defect of emulator/mutants/*.patch in the emulator's or "
       "the oracle's own lines and hunts it.",
       "patches.txt",
       PatchFigures,
       {{"text", "patches.txt"}}},
      {"fuzz",
       "Makes cases guided by coverage; what disagrees is confirmed, shrunk "
       "and saved.",
       "fuzz.json",
       RunFigures,
       {{"page", "fuzz/index.html"},
        {"coverage", "fuzz/index.html#/coverage"},
        {"text", "fuzz.txt"},
        {"JSON", "fuzz.json"},
        {"JUnit", "fuzz.xml"},
        {"SARIF", "fuzz.sarif"}}},
      {"generate",
       "Makes cases by intent, as the fuzz programs do, and compares them "
       "without sanitizers.",
       "generate.json",
       GenerateFigures,
       {{"text", "generate.txt"}, {"JSON", "generate.json"}}},
      {"inputs",
       "Keeps the fuzz programs' inputs for the next run: merged, pruned, "
       "and never shrunk unexpectedly.",
       "inputs.txt",
       NoFigures,
       {{"text", "inputs.txt"}}},
      {"audit",
       "Every rule of the documents against its boundaries, on every product.",
       "audit/audit.json",
       AuditFigures,
       {{"page", "audit/index.html"},
        {"text", "audit.txt"},
        {"JSON", "audit/audit.json"},
        {"JUnit", "audit/audit.xml"},
        {"SARIF", "audit/audit.sarif"}}},
  };
  return stages;
}

bool IsThere(const std::string& out, std::string_view file) {
  std::error_code error;
  return fs::is_regular_file(fs::path(out) / file.substr(0, file.find('#')),
                             error);
}

/// Adds the results of a stage that ran.
void AddResults(const std::string& out, const Stage& stage,
                NightlyStage& result, NightlyRecord& nightly) {
  for (const Link& link : stage.links) {
    if (!IsThere(out, link.file)) continue;
    result.links.push_back({std::string(link.text), std::string(link.file)});
  }
  if (!IsThere(out, stage.results)) {
    result.problem = fmt::format("{} is missing", stage.results);
    return;
  }
  const auto file = (fs::path(out) / stage.results).string();
  const std::size_t before = nightly.signatures.size();
  if (auto figures = stage.figures(file, nightly)) {
    result.figures = std::move(*figures);
  } else {
    result.problem = fmt::format("{}: {}", stage.results, figures.error());
  }
  for (std::size_t i = before; i < nightly.signatures.size(); ++i) {
    nightly.signatures[i].stage = stage.name;
  }
}

void AddFindings(const std::string& out, NightlyRecord& nightly) {
  std::error_code error;
  fs::directory_iterator entry(fs::path(out) / "findings", error);
  for (const fs::directory_iterator end; !error && entry != end;
       entry.increment(error)) {
    if (entry->path().extension() != ".json") continue;
    nightly.findings.push_back("findings/" + entry->path().filename().string());
  }
  std::ranges::sort(nightly.findings);
}

template <class T>
bool Number(std::string_view text, T& number) {
  const auto [end, error] =
      std::from_chars(text.data(), text.data() + text.size(), number);
  return error == std::errc{} && end == text.data() + text.size();
}

/// "NAME STATUS SECONDS [unfinished]"; false if it is something else.
bool ReadStage(const std::string& rest, NightlyRecord& nightly) {
  std::istringstream words(rest);
  std::string name, status, seconds, more;
  if (!(words >> name >> status >> seconds)) return false;
  const bool unfinished = words >> more && more == "unfinished";
  if (!more.empty() && (!unfinished || words >> more)) return false;
  const auto stage =
      std::ranges::find(nightly.stages, name, &NightlyStage::name);
  int number = 0;
  if (stage == nightly.stages.end() || stage->status ||
      !Number(status, number) || number < 0 ||
      !Number(seconds, stage->seconds)) {
    return false;
  }
  stage->status = number;
  stage->unfinished = unfinished;
  return true;
}

std::expected<void, std::string> ReadLines(const std::string& out,
                                           NightlyRecord& nightly) {
  const std::string path = (fs::path(out) / "stages.txt").string();
  const auto text = ReadFile(path, kMaxStagesBytes);
  if (!text) return std::unexpected(fmt::format("{}: {}", path, text.error()));
  std::istringstream lines(*text);
  std::size_t number = 0;
  for (std::string line; std::getline(lines, line);) {
    ++number;
    const std::size_t space = std::min(line.find(' '), line.size());
    const std::string word = line.substr(0, space);
    const std::string rest = space == line.size() ? "" : line.substr(space + 1);
    if (word == "date" && !rest.empty()) {
      nightly.date = rest;
    } else if (word == "commit" && !rest.empty()) {
      nightly.commit = rest;
    } else if (word != "stage" || !ReadStage(rest, nightly)) {
      std::vector<std::string_view> names;
      for (const Stage& stage : Stages()) names.push_back(stage.name);
      return std::unexpected(fmt::format(
          "{}: line {}: found \"{}\"; \"date TEXT\", \"commit TEXT\" and "
          "\"stage NAME STATUS SECONDS [unfinished]\" are allowed, once for "
          "each of {}",
          path, number, Quote(line), fmt::join(names, ", ")));
    }
  }
  return {};
}

}  // namespace

bool IsNightlyFolder(const std::string& out) {
  return IsThere(out, "stages.txt");
}

std::expected<NightlyRecord, std::string> ReadStages(const std::string& out) {
  NightlyRecord nightly;
  for (const Stage& stage : Stages()) {
    nightly.stages.push_back({.name = std::string(stage.name),
                              .does = std::string(stage.does),
                              .results = std::string(stage.results)});
  }
  if (const auto read = ReadLines(out, nightly); !read) {
    return std::unexpected(read.error());
  }
  return nightly;
}

std::expected<NightlyRecord, std::string> ReadNightly(const std::string& out) {
  auto nightly = ReadStages(out);
  if (!nightly) return nightly;
  for (std::size_t i = 0; i < nightly->stages.size(); ++i) {
    if (!nightly->stages[i].status) continue;
    AddResults(out, Stages()[i], nightly->stages[i], *nightly);
  }
  AddFindings(out, *nightly);
  return nightly;
}

}  // namespace lanediff::reports
