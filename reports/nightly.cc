#include "reports/nightly.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <filesystem>
#include <functional>
#include <iterator>
#include <ranges>
#include <span>
#include <sstream>
#include <string_view>
#include <utility>

#include "differential/testcase/case_reader.h"
#include "differential/testcase/record_json.h"
#include "reports/baseline.h"
#include "reports/headline.h"

namespace lanediff::reports {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kMaxStagesBytes = 1 << 16;

/// Of which a figure is how many there are.
constexpr std::string_view kSpaces = "spaces/*";

/// Adds `number` to the figure of this name.
void AddFigure(std::string_view what, std::uint64_t number,
               std::vector<NightlyFigure>& figures) {
  const auto same = std::ranges::find(figures, what, &NightlyFigure::what);
  if (same == figures.end()) {
    figures.push_back({std::string(what), number});
  } else {
    same->number += number;
  }
}

/// Calls `use` with each place that `path` leads to: members with '/' in
/// between, of which "*" is each item of a list; one with '?' behind its name
/// may be missing.
void At(const Cursor& place, std::string_view path,
        const std::function<void(const Cursor&)>& use) {
  if (path.empty()) return use(place);
  const std::size_t end = std::min(path.find('/'), path.size());
  std::string_view name = path.substr(0, end);
  const std::string_view rest = path.substr(std::min(end + 1, path.size()));
  const bool may_be_missing = name.ends_with('?');
  if (may_be_missing) name.remove_suffix(1);
  ObjectCursor object(place);
  const auto member = may_be_missing ? object.Optional(name)
                                     : std::optional(object.Required(name));
  if (!member) return;
  if (!rest.starts_with('*')) return At(*member, rest, use);
  member->ForEach([&](const Cursor& item) {
    At(item, rest.substr(std::min<std::size_t>(2, rest.size())), use);
  });
}

/// Figures of a document.
struct Part {
  std::string_view at;
  std::string_view members;  ///< with blanks in between; empty: all
  /// Only where no part before has any.
  bool otherwise = false;
};

/// What a reader calls a member of a document, where it is not its name.
struct FigureName {
  std::string_view kind;  ///< of the document; empty: any
  std::string_view member;
  std::string_view what;
};
constexpr FigureName kFigureNames[] = {{"", "comparedBytes", "bytes compared"},
                                       {"", "disagree", "disagreed"},
                                       {"", "findings", "disagreed"},
                                       {"", "known", "known issues"},
                                       {"", "mutants", "planted bugs"},
                                       {"", "notFinished", "not finished"},
                                       {"", "notFound", "not found"},
                                       {"generate", "illegal", "illegal cases"},
                                       {"generate", "legal", "legal cases"}};

std::string_view NameOf(std::string_view kind, std::string_view member) {
  const auto* const found =
      std::ranges::find_if(kFigureNames, [&](const FigureName& word) {
        return word.member == member &&
               (word.kind.empty() || word.kind == kind);
      });
  return found == std::end(kFigureNames) ? member : found->what;
}

void AddPart(const Cursor& root, std::string_view kind, const Part& part,
             std::vector<NightlyFigure>& figures) {
  if (part.otherwise && !figures.empty()) return;
  if (part.at == kSpaces) AddFigure("spaces", 0, figures);
  const auto add = [&](std::string_view name, const Cursor& number) {
    AddFigure(NameOf(kind, name), number.Count(), figures);
  };
  At(root, part.at, [&](const Cursor& place) {
    if (part.at == kSpaces) AddFigure("spaces", 1, figures);
    if (part.members.empty()) return place.ForEachMember(add);
    ObjectCursor object(place);
    for (const auto name : std::views::split(part.members, ' ')) {
      const std::string_view member(name);
      add(member, object.Required(member));
    }
  });
}

/// The records of the list at `path`.
template <class T>
std::vector<T> RecordsAt(const Cursor& root, std::string_view path) {
  std::vector<T> records;
  At(root, path, [&](const Cursor& place) {
    records.push_back(ReadRecord<T>(place, UnknownFields::kNotLookedAt));
  });
  return records;
}

struct Stage {
  std::string_view name;
  std::string_view does;
  std::string_view results;    ///< what its figures are read from
  std::string_view kind = {};  ///< of that document; empty: no document
  std::span<const Part> parts = {};
  std::string_view rates = {};  ///< where it has rates
};

/// Of the table that tools/scripts/mutation-test prints, and the patches that a
/// short run of script/nightly leaves out.
std::string ReadPatches(const std::string& text, NightlyStage& result) {
  std::istringstream lines(text);
  std::string line;
  std::getline(lines, line);
  std::uint64_t patches = 0, found = 0, unfinished = 0, left_out = 0;
  while (std::getline(lines, line)) {
    std::istringstream words(line);
    std::string name, rule, by;
    if (!(words >> name >> rule >> by)) continue;
    ++patches;
    unfinished += by == "unfinished";
    left_out += by == "left-out";
    found +=
        by == "corpus" || by == "sweep" || by == "generated" || by == "unit";
  }
  if (patches == 0) return "no patch stands there";
  result.figures = {{"patches", patches},
                    {"found", found},
                    {"not finished", unfinished},
                    {"left out", left_out}};
  return "";
}

/// Figures go to `result`; functional coverage, rates and findings by signature
/// to `nightly`. Why they can't be read; empty: they can.
std::string ReadResults(const Stage& stage, const std::string& file,
                        NightlyStage& result, NightlyRecord& nightly) {
  const bool is_table = stage.name == "patches";
  if (stage.kind.empty() && !is_table) return "";
  const auto text = ReadFile(file, kMaxBaselineBytes);
  if (!text) return text.error();
  if (is_table) return ReadPatches(*text, result);
  const auto read = ReadDocument(*text, [&](const Cursor& root) {
    ObjectCursor document(root);
    record_json::CheckDocument(document, stage.kind);
    std::vector<NightlyFigure> figures;
    for (const Part& part : stage.parts) {
      AddPart(root, stage.kind, part, figures);
    }
    if (!stage.rates.empty()) {
      std::ranges::move(RecordsAt<RateLine>(root, stage.rates),
                        std::back_inserter(nightly.rates));
    }
    if (stage.kind == "run") {
      std::ranges::move(RecordsAt<NightlyModule>(root, "coverage?/*"),
                        std::back_inserter(nightly.coverage));
    }
    if (stage.kind == "run" || stage.kind == "audit") {
      for (FindingGroup& group : RecordsAt<FindingGroup>(root, "groups?/*")) {
        nightly.signatures.push_back({result.name, std::move(group)});
      }
    }
    result.figures = std::move(figures);
    return true;
  });
  return read ? "" : LineOf(read.error());
}

// A fuzz program and a swept instruction count their cases themselves.
constexpr Part kRun[] = {
    {"fuzzers/*", "cases legal nodes findings crashes"},
    {"sweeps?/*", "cases legal steps comparedBytes nodes disagree"},
    {"summary", "cases steps comparedBytes nodes disagree", true},
    {"summary", "known"}};
constexpr Part kExhaust[] = {{kSpaces, "calls points disagree unsupported"}};
constexpr Part kMutants[] = {{"summary", "mutants found notFound notFinished"}};
constexpr Part kGenerate[] = {
    {"instructions/*/check", "legal illegal nodes findings"}};
constexpr Part kAudit[] = {{"", "cases steps comparedBytes nodes"},
                           {"cells", ""}};

/// In the order in which script/nightly runs them; `exhaust` is of
/// tools/deploy/sharded-run.
constexpr Stage kStages[] = {
    {"replay", "Replays every case of the corpus.", "replay.json", "run", kRun},
    {"sweep",
     "Compares on systematic cases: both sides of every boundary, special "
     "values, pairs of parameter classes.",
     "sweep.json", "run", kRun},
    {"exhaust", "Enumerates small spaces completely.", "exhaust.json",
     "exhaust", kExhaust},
    {"mutants", "Plants each known bug in turn and hunts it.", "mutants.json",
     "mutants", kMutants},
    {"patches",
     "Plants each defect of emulator/mutants/*.patch in the emulator's or the "
     "oracle's own lines and hunts it.",
     "patches.txt"},
    {"fuzz",
     "Makes cases guided by coverage; what disagrees is confirmed, shrunk and "
     "saved.",
     "fuzz.json", "run", kRun, "fuzzers/*/rates?/*"},
    {"generate",
     "Makes cases by intent, as the fuzz programs do, and compares them "
     "without sanitizers.",
     "generate.json", "generate", kGenerate, "instructions/*/check/rates?/*"},
    {"inputs",
     "Keeps the fuzz programs' inputs for the next run: merged, pruned, and "
     "never shrunk unexpectedly.",
     "inputs.txt"},
    {"audit",
     "Every rule of the documents against its boundaries, on every product.",
     "audit/audit.json", "audit", kAudit},
};

/// The files that a stage may write, in the order of the page.
std::vector<NightlyLink> LinksOf(const Stage& stage) {
  const std::string name(stage.name);
  const std::string results(stage.results.substr(0, stage.results.rfind('.')));
  std::vector<NightlyLink> links = {{"page", name + "/index.html"}};
  links.push_back({"text", name + ".txt"});
  links.push_back({"JSON", results + ".json"});
  links.push_back({"JUnit", results + ".xml"});
  links.push_back({"SARIF", results + ".sarif"});
  return links;
}

bool IsThere(const std::string& out, std::string_view file) {
  std::error_code error;
  return fs::is_regular_file(fs::path(out) / file, error);
}

/// Adds the results of a stage that ran.
void AddResults(const std::string& out, const Stage& stage,
                NightlyStage& result, NightlyRecord& nightly) {
  for (NightlyLink& link : LinksOf(stage)) {
    if (IsThere(out, link.file)) result.links.push_back(std::move(link));
  }
  if (!IsThere(out, stage.results)) {
    result.problem = fmt::format("{} is missing", stage.results);
    return;
  }
  const std::string problem = ReadResults(
      stage, (fs::path(out) / stage.results).string(), result, nightly);
  if (!problem.empty()) {
    result.problem = fmt::format("{}: {}", stage.results, problem);
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

/// "NAME STATUS SECONDS [unfinished]"; false if it is something else.
bool ReadStage(const std::string& rest, NightlyRecord& nightly) {
  std::istringstream words(rest);
  std::string name, status, seconds, more;
  if (!(words >> name >> status >> seconds)) return false;
  const bool unfinished = words >> more && more == "unfinished";
  if (!more.empty() && (!unfinished || words >> more)) return false;
  const auto stage =
      std::ranges::find(nightly.stages, name, &NightlyStage::name);
  const auto number = ToNumber<int>(status);
  const auto took = ToNumber<std::uint64_t>(seconds);
  if (stage == nightly.stages.end() || stage->status ||
      number.value_or(-1) < 0 || !took) {
    return false;
  }
  stage->status = number;
  stage->seconds = *took;
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
      for (const Stage& stage : kStages) names.push_back(stage.name);
      return std::unexpected(
          fmt::format("{}: line {}: found \"{}\"; \"date TEXT\", \"commit "
                      "TEXT\" and \"stage NAME STATUS SECONDS [unfinished]\" "
                      "are allowed, once for each of {}",
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
  for (const Stage& stage : kStages) {
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
    AddResults(out, kStages[i], nightly->stages[i], *nightly);
  }
  AddFindings(out, *nightly);
  return nightly;
}

}  // namespace lanediff::reports
