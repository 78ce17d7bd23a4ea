#include "reports/nightly.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <charconv>
#include <filesystem>
#include <initializer_list>
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

using Figures = std::expected<std::vector<NightlyFigure>, std::string>;

/// What `read` makes of a document of `kind`.
template <class F>
Figures FromJson(const std::string& file, std::string_view kind,
                 const F& read) {
  const auto text = ReadFile(file, kMaxBaselineBytes);
  if (!text) return std::unexpected(text.error());
  auto figures = ReadDocument(*text, [&](const Cursor& root) {
    std::vector<NightlyFigure> found;
    ObjectCursor record(root);
    record_json::CheckDocument(record, kind);
    read(root, record, found);
    return found;
  });
  if (figures) return *std::move(figures);
  return std::unexpected(LineOf(figures.error()));
}

/// Members and what a reader calls them.
using Names =
    std::initializer_list<std::pair<std::string_view, std::string_view>>;

/// Adds the members of an object to figures of the same name.
void Add(const Cursor& place, Names names,
         std::vector<NightlyFigure>& figures) {
  ObjectCursor object(place);
  for (const auto& [member, what] : names) {
    const std::uint64_t number = object.Required(member).Count();
    const auto same = std::ranges::find(figures, what, &NightlyFigure::what);
    if (same == figures.end()) {
      figures.push_back({std::string(what), number});
    } else {
      same->number += number;
    }
  }
}

/// The records at `places`, where there are any.
template <class T>
void Append(const std::optional<Cursor>& places, std::vector<T>& records) {
  if (!places) return;
  places->ForEach([&](const Cursor& place) {
    records.push_back(ReadRecord<T>(place, UnknownFields::kNotLookedAt));
  });
}

/// The caller sets `stage`.
void AppendGroups(const std::optional<Cursor>& places, NightlyRecord& nightly) {
  std::vector<FindingGroup> groups;
  Append(places, groups);
  for (FindingGroup& group : groups) {
    nightly.signatures.push_back({.stage = {},
                                  .signature = std::move(group.signature),
                                  .cases = group.cases,
                                  .message = std::move(group.message),
                                  .reproduce = std::move(group.reproduce)});
  }
}

/// Of check, sweep and fuzz: a fuzz program and a swept instruction count their
/// cases themselves. Functional coverage, rates and findings by signature go to
/// `nightly`.
Figures RunFigures(const std::string& file, NightlyRecord& nightly) {
  return FromJson(
      file, "run", [&](const Cursor&, ObjectCursor& run, auto& figures) {
        run.Required("fuzzers").ForEach([&](const Cursor& fuzzer) {
          Add(fuzzer,
              {{"cases", "cases"},
               {"legal", "legal"},
               {"nodes", "nodes"},
               {"findings", "disagreed"},
               {"crashes", "crashes"}},
              figures);
          Append(ObjectCursor(fuzzer).Optional("rates"), nightly.rates);
        });
        if (const auto sweeps = run.Optional("sweeps")) {
          sweeps->ForEach([&](const Cursor& sweep) {
            Add(sweep,
                {{"cases", "cases"},
                 {"legal", "legal"},
                 {"steps", "steps"},
                 {"comparedBytes", "bytes compared"},
                 {"nodes", "nodes"},
                 {"disagree", "disagreed"}},
                figures);
          });
        }
        const Cursor summary = run.Required("summary");
        if (figures.empty()) {
          Add(summary,
              {{"cases", "cases"},
               {"steps", "steps"},
               {"comparedBytes", "bytes compared"},
               {"nodes", "nodes"},
               {"disagree", "disagreed"}},
              figures);
        }
        Add(summary, {{"known", "known issues"}}, figures);
        Append(run.Optional("coverage"), nightly.coverage);
        AppendGroups(run.Optional("groups"), nightly);
      });
}

/// Of generate; its rates go to `nightly`.
Figures GenerateFigures(const std::string& file, NightlyRecord& nightly) {
  return FromJson(
      file, "generate",
      [&](const Cursor&, ObjectCursor& record, auto& figures) {
        record.Required("instructions").ForEach([&](const Cursor& instruction) {
          const Cursor check = ObjectCursor(instruction).Required("check");
          Add(check,
              {{"legal", "legal cases"},
               {"illegal", "illegal cases"},
               {"nodes", "nodes"},
               {"findings", "disagreed"}},
              figures);
          Append(ObjectCursor(check).Optional("rates"), nightly.rates);
        });
      });
}

Figures MutantFigures(const std::string& file, NightlyRecord&) {
  return FromJson(file, "mutants",
                  [](const Cursor&, ObjectCursor& record, auto& figures) {
                    Add(record.Required("summary"),
                        {{"mutants", "planted bugs"},
                         {"found", "found"},
                         {"notFound", "not found"},
                         {"notFinished", "not finished"}},
                        figures);
                  });
}

Figures ExhaustFigures(const std::string& file, NightlyRecord&) {
  return FromJson(file, "exhaust",
                  [](const Cursor&, ObjectCursor& record, auto& figures) {
                    NightlyFigure spaces{"spaces"};
                    record.Required("spaces").ForEach([&](const Cursor& space) {
                      ++spaces.number;
                      Add(space,
                          {{"calls", "calls"},
                           {"points", "points"},
                           {"disagree", "disagreed"},
                           {"unsupported", "unsupported"}},
                          figures);
                    });
                    figures.insert(figures.begin(), spaces);
                  });
}

/// Findings by signature go to `nightly`.
Figures AuditFigures(const std::string& file, NightlyRecord& nightly) {
  return FromJson(
      file, "audit",
      [&](const Cursor& root, ObjectCursor& record, auto& figures) {
        Add(root,
            {{"cases", "cases"},
             {"steps", "steps"},
             {"comparedBytes", "bytes compared"},
             {"nodes", "nodes"}},
            figures);
        record.Required("cells").ForEachMember(
            [&](std::string_view verdict, const Cursor& number) {
              figures.push_back({std::string(verdict), number.Count()});
            });
        AppendGroups(record.Optional("groups"), nightly);
      });
}

/// Of the table that tools/scripts/mutation-test prints, and the patches that a
/// short run of script/nightly leaves out.
Figures PatchFigures(const std::string& file, NightlyRecord&) {
  const auto text = ReadFile(file, kMaxBaselineBytes);
  if (!text) return std::unexpected(text.error());
  std::istringstream lines(*text);
  std::string line;
  std::getline(lines, line);
  NightlyFigure patches{"patches"}, found{"found"}, unfinished{"not finished"};
  NightlyFigure left_out{"left out"};
  while (std::getline(lines, line)) {
    std::istringstream words(line);
    std::string name, rule, by;
    if (!(words >> name >> rule >> by)) continue;
    ++patches.number;
    unfinished.number += by == "unfinished";
    left_out.number += by == "left-out";
    found.number +=
        by == "corpus" || by == "sweep" || by == "generated" || by == "unit";
  }
  if (patches.number == 0) return std::unexpected("no patch stands there");
  return std::vector{patches, found, unfinished, left_out};
}

Figures NoFigures(const std::string&, NightlyRecord&) { return {}; }

struct Stage {
  std::string_view name;
  std::string_view does;
  std::string_view results;  ///< what its figures are read from
  Figures (*figures)(const std::string& file, NightlyRecord& nightly);
};

/// In the order in which script/nightly runs them; `exhaust` is of
/// tools/deploy/sharded-run.
constexpr Stage kStages[] = {
    {"replay", "Replays every case of the corpus.", "replay.json", RunFigures},
    {"sweep",
     "Compares on systematic cases: both sides of every boundary, special "
     "values, pairs of parameter classes.",
     "sweep.json", RunFigures},
    {"exhaust", "Enumerates small spaces completely.", "exhaust.json",
     ExhaustFigures},
    {"mutants", "Plants each known bug in turn and hunts it.", "mutants.json",
     MutantFigures},
    {"patches",
     "Plants each defect of emulator/mutants/*.patch in the emulator's or the "
     "oracle's own lines and hunts it.",
     "patches.txt", PatchFigures},
    {"fuzz",
     "Makes cases guided by coverage; what disagrees is confirmed, shrunk and "
     "saved.",
     "fuzz.json", RunFigures},
    {"generate",
     "Makes cases by intent, as the fuzz programs do, and compares them "
     "without sanitizers.",
     "generate.json", GenerateFigures},
    {"inputs",
     "Keeps the fuzz programs' inputs for the next run: merged, pruned, and "
     "never shrunk unexpectedly.",
     "inputs.txt", NoFigures},
    {"audit",
     "Every rule of the documents against its boundaries, on every product.",
     "audit/audit.json", AuditFigures},
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
