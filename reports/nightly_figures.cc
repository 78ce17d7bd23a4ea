#include "reports/nightly_figures.h"

#include <fmt/format.h>

#include <algorithm>
#include <initializer_list>
#include <optional>
#include <sstream>
#include <string_view>
#include <utility>

#include "differential/testcase/case_reader.h"
#include "differential/testcase/record_json.h"
#include "reports/baseline.h"
#include "reports/groups.h"

namespace lanediff::reports {
namespace {

/// What `read` makes of the document.
template <class F>
Figures FromJson(const std::string& file, const F& read) {
  const auto text = ReadFile(file, kMaxBaselineBytes);
  if (!text) return std::unexpected(text.error());
  auto figures = ReadDocument(*text, read);
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

/// A fuzz program and a swept instruction count their cases themselves.
std::vector<NightlyFigure> ReadRun(const Cursor& root, NightlyRecord& nightly) {
  std::vector<NightlyFigure> figures;
  ObjectCursor run(root);
  run.Required("format").MustBe("lanediff-run/1");
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
  return figures;
}

}  // namespace

Figures RunFigures(const std::string& file, NightlyRecord& nightly) {
  return FromJson(file,
                  [&](const Cursor& root) { return ReadRun(root, nightly); });
}

Figures GenerateFigures(const std::string& file, NightlyRecord& nightly) {
  return FromJson(file, [&](const Cursor& root) {
    std::vector<NightlyFigure> figures;
    ObjectCursor record(root);
    record.Required("format").MustBe("lanediff-generate/1");
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
    return figures;
  });
}

Figures MutantFigures(const std::string& file, NightlyRecord&) {
  return FromJson(file, [](const Cursor& root) {
    std::vector<NightlyFigure> figures;
    ObjectCursor record(root);
    record.Required("format").MustBe("lanediff-mutants/1");
    Add(record.Required("summary"),
        {{"mutants", "planted bugs"},
         {"found", "found"},
         {"notFound", "not found"},
         {"notFinished", "not finished"}},
        figures);
    return figures;
  });
}

Figures ExhaustFigures(const std::string& file, NightlyRecord&) {
  return FromJson(file, [](const Cursor& root) {
    std::vector<NightlyFigure> figures;
    ObjectCursor record(root);
    record.Required("format").MustBe("lanediff-exhaust/1");
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
    return figures;
  });
}

Figures AuditFigures(const std::string& file, NightlyRecord& nightly) {
  return FromJson(file, [&](const Cursor& root) {
    std::vector<NightlyFigure> figures;
    ObjectCursor record(root);
    record.Required("format").MustBe("lanediff-audit/1");
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
    return figures;
  });
}

Figures PatchFigures(const std::string& file, NightlyRecord&) {
  const auto text = ReadFile(file, kMaxBaselineBytes);
  if (!text) return std::unexpected(text.error());
  std::istringstream lines(*text);
  std::string line;
  std::getline(lines, line);
  NightlyFigure patches{"patches"}, found{"found"}, unfinished{"not finished"};
  while (std::getline(lines, line)) {
    std::istringstream words(line);
    std::string name, rule, by;
    if (!(words >> name >> rule >> by)) continue;
    ++patches.number;
    unfinished.number += by == "unfinished";
    found.number +=
        by == "corpus" || by == "sweep" || by == "generated" || by == "unit";
  }
  if (patches.number == 0) return std::unexpected("no patch stands there");
  return std::vector{patches, found, unfinished};
}

}  // namespace lanediff::reports
