#include "tools/cli/verbs/generate_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "differential/testcase/json_layout.h"
#include "differential/testcase/record_json.h"
#include "reports/groups.h"
#include "tools/cli/common.h"
#include "tools/cli/options.h"

namespace lanediff::cli {
namespace {

using Json = nlohmann::ordered_json;

double Share(std::uint64_t part, std::uint64_t whole) {
  return whole == 0 ? 0
                    : static_cast<double>(part) / static_cast<double>(whole);
}

/// How often each rule was broken; the instruction's own ones also if never.
std::map<isa::RuleId, std::uint64_t> RulesOf(const make::Tally& tally) {
  std::map<isa::RuleId, std::uint64_t> rules = tally.broken;
  for (isa::RuleId rule : make::RejectRulesOf(*tally.generator)) {
    rules.try_emplace(rule, 0);
  }
  return rules;
}

/// Names with how often they came, in lines of three.
class Columns {
 public:
  explicit Columns(std::string_view title) {
    text_ = fmt::format("  {}\n", title);
  }
  void Add(std::string_view name, std::uint64_t count, std::uint64_t whole) {
    text_ += fmt::format("    {:<33}{:>9}{:>7.2f} %", name, count,
                         100 * Share(count, whole));
    if (++cells_ % 2 == 0) text_ += '\n';
  }
  std::string text() const { return cells_ % 2 == 0 ? text_ : text_ + '\n'; }

 private:
  std::string text_;
  int cells_ = 0;
};

template <class E, std::size_t N>
void AddWords(const std::array<std::uint64_t, N>& counts, std::uint64_t whole,
              Columns& columns) {
  for (std::size_t i = 0; i < N; ++i) {
    if (counts[i] == 0) continue;
    columns.Add(isa::Name(static_cast<E>(i)), counts[i], whole);
  }
}

template <class E, std::size_t N>
Json WordsJson(const std::array<std::uint64_t, N>& counts) {
  Json json = Json::object();
  for (std::size_t i = 0; i < N; ++i) {
    if (counts[i] > 0) json[isa::Name(static_cast<E>(i))] = counts[i];
  }
  return json;
}

std::string CheckText(const GenerateTurn& turn) {
  const diff::PacePart& legal = turn.pace.legal;
  const diff::PacePart& illegal = turn.pace.illegal;
  const double seconds = legal.seconds + illegal.seconds;
  return fmt::format(
      "  checked: {} legal and {} illegal cases, {} unsupported, {}{} "
      "findings; "
      "{:.0f} cases/s, {:.0f} nodes/s\n",
      legal.cases, illegal.cases, turn.unsupported,
      turn.tolerated > 0
          ? fmt::format("{} of the illegal tolerated, ", turn.tolerated)
          : "",
      turn.findings, PerSecond(legal.cases + illegal.cases, seconds),
      PerSecond(turn.nodes, seconds));
}

Json TurnJson(const GenerateTurn& turn, bool checked) {
  const make::Tally& tally = turn.tally;
  Json json = {{"instruction", tally.generator->slug},
               {"cases", tally.cases},
               {"legal", tally.legal},
               {"mutated", tally.mutated},
               {"nodes", tally.nodes},
               {"operations", tally.operations},
               {"longRepeats", tally.long_cases},
               {"bytes", tally.bytes},
               {"legalShare", tally.legal_share()},
               {"meanOperations", tally.mean_operations()},
               {"longShare", tally.long_share()},
               {"meanBytes", tally.mean_bytes()},
               {"generateSeconds", turn.generate_seconds}};
  json["brokenRules"] = Json::object();
  for (const auto& [rule, count] : RulesOf(tally)) {
    json["brokenRules"][rule.text()] = count;
  }
  json["layouts"] = WordsJson<make::LayoutIntent>(tally.layouts);
  json["data"] = WordsJson<make::DataIntent>(tally.data);
  if (checked) {
    const diff::Pace& pace = turn.pace;
    json["check"] = {
        {"seconds", pace.legal.seconds + pace.illegal.seconds},
        {"legal", pace.legal.cases},
        {"illegal", pace.illegal.cases},
        {"unsupported", turn.unsupported},
        {"tolerated", turn.tolerated},
        {"nodes", turn.nodes},
        {"findings", turn.findings},
        {"signatures", ToOrdered(ListJson(turn.signatures.Record()))},
        {"rates", ToOrdered(ListJson(RatesOf(turn)))}};
  }
  return json;
}

}  // namespace

std::vector<reports::RateLine> RatesOf(const GenerateTurn& turn) {
  return reports::RateLines(turn.tally.generator->slug, diff::BuildName(),
                            turn.pace, turn.seconds());
}

std::string GenerateText(const GenerateTurn& turn,
                         const GenerateOptions& options) {
  const make::Tally& tally = turn.tally;
  std::string text = fmt::format(
      "{}: {} cases, {:.1f} % legal; a legal case has {:.0f} operations, "
      "{:.2f} % have 64 iterations or more; {:.0f} bytes and {:.2f} us to "
      "generate a case; edition {}\n",
      tally.generator->slug, tally.cases, 100 * tally.legal_share(),
      tally.mean_operations(), 100 * tally.long_share(), tally.mean_bytes(),
      turn.generate_seconds * 1e6 / static_cast<double>(tally.cases),
      isa::Name(EditionOf(options.edition)));
  Columns rules("rule broken, share of cases");
  for (const auto& [rule, count] : RulesOf(tally)) {
    rules.Add(rule.text(), count, tally.cases);
  }
  text += rules.text();
  Columns layouts("layout intent");
  AddWords<make::LayoutIntent>(tally.layouts, tally.cases, layouts);
  text += layouts.text();
  Columns data("data intent");
  AddWords<make::DataIntent>(tally.data, tally.cases, data);
  text += data.text();
  return options.check ? text + CheckText(turn) : text;
}

std::string FindingsText(const std::vector<GenerateTurn>& turns) {
  reports::RunRecord run;
  for (const GenerateTurn& turn : turns) {
    run.cases.insert(run.cases.end(), turn.kept.begin(), turn.kept.end());
    run.sweeps.emplace_back().signatures = turn.signatures.Record();
  }
  return reports::GroupsText(reports::GroupsOf(run));
}

std::string GenerateJson(const std::vector<GenerateTurn>& turns,
                         const GenerateOptions& options,
                         const std::string& unfinished) {
  Json json = {{"format", "lanediff-generate/1"},
               {"complete", unfinished.empty()},
               {"seed", options.seed},
               {"style", options.style},
               {"edition", isa::Name(EditionOf(options.edition))},
               {"target", options.check ? Json(options.target.name) : Json()}};
  if (!unfinished.empty()) json["unfinished"] = unfinished;
  json["instructions"] = Json::array();
  for (const GenerateTurn& turn : turns) {
    json["instructions"].push_back(TurnJson(turn, options.check));
  }
  return LayOut(json);
}

}  // namespace lanediff::cli
