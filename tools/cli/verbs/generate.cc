#include "generators/random/generate.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "differential/compare/keep_finding.h"
#include "differential/compare/signature.h"
#include "differential/targets/ahead.h"
#include "differential/targets/find_target.h"
#include "differential/targets/pace.h"
#include "differential/targets/target.h"
#include "differential/testcase/json_layout.h"
#include "differential/testcase/record_json.h"
#include "generators/random/tally.h"
#include "reports/headline.h"
#include "reports/rates.h"
#include "reports/reasons.h"
#include "reports/record.h"
#include "tools/cli/common.h"
#include "tools/cli/options.h"
#include "tools/cli/progress.h"
#include "tools/cli/target_options.h"
#include "tools/cli/verbs.h"

namespace lanediff::cli {
namespace {

struct GenerateOptions {
  std::string instruction;      ///< empty: all
  std::int64_t cases = 10'000;  ///< of each instruction
  std::uint64_t seed = 1;
  std::string edition;  ///< empty: the newest
  std::string style = "by-intent";
  bool check = false;        ///< run each on target and oracle
  bool until_found = false;  ///< check up to an instruction's first finding
  TargetOptions target;
  std::string out = "out";  ///< folder for findings
  std::string json;         ///< file; empty: none
};

/// One instruction's turn.
struct GenerateTurn {
  explicit GenerateTurn(const make::Generator& g) : tally(g) {}

  /// Seconds of making and checking cases; judging what they are worth is not
  /// among them.
  double seconds() const {
    return generate_seconds + pace.legal.seconds + pace.illegal.seconds;
  }

  make::Tally tally;
  double generate_seconds = 0;
  // With --check:
  diff::Pace pace;  ///< of the cases that both sides could do
  std::uint64_t unsupported = 0;
  std::uint64_t tolerated = 0;  ///< illegal, and executed by the target
  std::uint64_t nodes = 0;      ///< of all checked cases
  std::uint64_t findings = 0;
  diff::SignatureCounts signatures;       ///< of all findings
  std::vector<reports::CaseRecord> kept;  ///< of each signature the first
};

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

/// Its lines of the rate table; none without --check.
std::vector<reports::RateLine> RatesOf(const GenerateTurn& turn) {
  return reports::RateLines(turn.tally.generator->slug, diff::BuildName(),
                            turn.pace, turn.seconds());
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
    json["check"] = {{"seconds", pace.legal.seconds + pace.illegal.seconds},
                     {"legal", pace.legal.cases},
                     {"illegal", pace.illegal.cases},
                     {"unsupported", turn.unsupported},
                     {"tolerated", turn.tolerated},
                     {"nodes", turn.nodes},
                     {"findings", turn.findings},
                     {"signatures", ListJson(turn.signatures.Record())},
                     {"rates", ListJson(RatesOf(turn))}};
  }
  return json;
}

/// A table for people.
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
  if (!IsVerbose()) return options.check ? text + CheckText(turn) : text;
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

/// The findings by signature, worst first, with how many cases showed each;
/// empty without one.
std::string FindingsText(const std::vector<GenerateTurn>& turns) {
  reports::RunRecord run;
  for (const GenerateTurn& turn : turns) {
    run.cases.insert(run.cases.end(), turn.kept.begin(), turn.kept.end());
    run.sweeps.emplace_back().signatures = turn.signatures.Record();
  }
  return reports::GroupsText(reports::GroupsOf(run));
}

/// All turns as one document, lanediff-generate/1. `unfinished`: why it ended
/// early; empty where it did not.
std::string GenerateJson(const std::vector<GenerateTurn>& turns,
                         const GenerateOptions& options,
                         const std::string& unfinished,
                         const reports::Reasons& reasons) {
  Json json = {{"format", "lanediff-generate/1"}};
  AddComplete(reasons, json);
  json.update(
      Json{{"seed", options.seed},
           {"style", options.style},
           {"edition", isa::Name(EditionOf(options.edition))},
           {"target", options.check ? Json(options.target.name) : Json()}});
  if (!unfinished.empty()) json["unfinished"] = unfinished;
  json["instructions"] = Json::array();
  for (const GenerateTurn& turn : turns) {
    json["instructions"].push_back(TurnJson(turn, options.check));
  }
  return LayOut(json);
}

using Clock = std::chrono::steady_clock;

std::vector<const make::Generator*> GeneratorsFor(const std::string& slug) {
  std::vector<const make::Generator*> found;
  for (const make::Generator& generator : make::Generators()) {
    if (slug.empty() || generator.slug == slug) found.push_back(&generator);
  }
  return found;
}

struct Made {
  Case c;
  std::int64_t number;  ///< counts an instruction's cases from 1
};

/// Generates the cases of one instruction, and checks them with --check.
class Generation {
 public:
  Generation(const GenerateOptions& options, make::Style style,
             const diff::Target& target)
      : options_(options),
        style_(style),
        target_(target),
        oracle_(**diff::FindTarget("oracle")),
        can_(target.capabilities()),
        supervisor_(target, oracle_) {}

  /// Up to what is thrown, of which the line is given back.
  std::optional<std::string> Take(GenerateTurn& turn) {
    return Thrown([&] { TakeAll(*turn.tally.generator, turn); });
  }

 private:
  void TakeAll(const make::Generator& generator, GenerateTurn& turn) {
    supervisor_.Restart();
    make::Random random(options_.seed);
    diff::Ahead<Made> ahead(
        target_, oracle_, [](const Made& m) { return &m.c; },
        [&](Made&& made) {
          Check(made, turn);
          return !(options_.until_found && turn.findings > 0) && !Interrupted();
        });
    Progress progress(static_cast<std::uint64_t>(options_.cases),
                      fmt::format("cases of {}", generator.slug));
    for (std::int64_t i = 0; i < options_.cases && !Interrupted(); ++i) {
      const auto start = Clock::now();
      make::Generated generated = make::Generate(
          generator.slug, random, style_, &can_, EditionOf(options_.edition));
      turn.generate_seconds += SecondsSince(start);
      turn.tally.Add(generated, make::Judge(generated.c, oracle_));
      if (options_.check && !ahead.Add({std::move(generated.c), i + 1})) break;
      progress.Step(static_cast<std::uint64_t>(i) + 1, turn.findings);
    }
    ahead.Finish();
    turn.pace = supervisor_.pace();
  }

  void Check(const Made& made, GenerateTurn& turn) {
    const diff::Comparison result = supervisor_.Compare(made.c);
    turn.nodes += result.nodes;
    turn.unsupported += result.unsupported;
    turn.tolerated += result.findings.empty() && !result.tolerated.empty();
    if (result.findings.empty()) return;
    ++turn.findings;
    const diff::Finding* const finding = turn.signatures.Add(result.findings);
    if (finding != nullptr) Keep(made, result, *finding, turn);
  }

  void Keep(const Made& made, const diff::Comparison& result,
            const diff::Finding& finding, GenerateTurn& turn) const {
    const Case& c = made.c;
    const std::string_view slug = turn.tally.generator->slug;
    reports::CaseRecord& record = turn.kept.emplace_back();
    record.id = fmt::format("{} case {}", slug, made.number);
    record.verdict = reports::Verdict::kDisagree;
    record.findings = result.findings;
    record.edition = reports::OlderEdition(c);
    record.steps = result.steps;
    record.nodes = result.nodes;
    const auto path = diff::KeepFinding(c, finding, slug, "lanediff-generate",
                                        FindingsBelow(options_.out));
    fmt::print("disagree {}: {}\n  signature: {}\n", record.id, finding.message,
               finding.signature);
    if (!path) {
      fmt::print(stderr, "lanediff: {}\n", path.error());
      return;
    }
    record.path = *path;
    record.reproduce = Reproduce(*path, options_.target.name);
    fmt::print("  reproduce: {}\n", record.reproduce);
  }

  const GenerateOptions& options_;
  make::Style style_;
  const diff::Target& target_;
  const diff::Target& oracle_;
  diff::Capabilities can_;
  diff::PaceMeter supervisor_;
};

int RunGenerate(const GenerateOptions& given) {
  GenerateOptions options = given;
  options.check |= options.until_found;
  const auto style = *isa::Parse<make::Style>(options.style);
  const diff::Target* const target =
      FindTarget(options.target, Takes::kRunning);
  if (options.check && options.target.name == "oracle") {
    return FailUsage("--target: the oracle can't be checked against itself");
  }
  auto generators = GeneratorsFor(options.instruction);
  std::erase_if(generators, [&](const make::Generator* generator) {
    return !Claims(target->capabilities(), generator->slug);
  });
  if (generators.empty()) {
    return FailUsage("--instruction: the target does not claim it");
  }

  WatchInterrupt();
  Generation run(options, style, *target);
  std::vector<GenerateTurn> turns;
  std::uint64_t findings = 0;
  std::uint64_t compared = 0;
  std::vector<reports::RateLine> rates;
  std::uint64_t cases = 0;
  std::string text;
  std::string unfinished;
  for (const make::Generator* generator : generators) {
    if (Interrupted() || !unfinished.empty()) break;
    GenerateTurn& turn = turns.emplace_back(*generator);
    if (const auto thrown = run.Take(turn)) {
      unfinished = fmt::format("{}: {}", generator->slug, *thrown);
    }
    cases += turn.tally.cases;
    findings += turn.findings;
    compared +=
        turn.pace.legal.cases + turn.pace.illegal.cases - turn.tolerated;
    std::ranges::move(RatesOf(turn), std::back_inserter(rates));
    if (turn.tally.cases > 0) text += GenerateText(turn, options);
  }
  const std::uint64_t wanted =
      generators.size() * static_cast<std::uint64_t>(options.cases);
  // With --until-found an instruction may be done early.
  if (Interrupted() && cases < wanted) {
    unfinished = fmt::format("interrupted after {} of {} cases", cases, wanted);
  }
  const auto reasons = reports::ReasonsFrom(
      {unfinished, options.check && compared == 0 ? "nothing was compared" : "",
       LackingOf(*target, options.target)});
  fmt::print("{}{}{}{}", IncompleteText(reasons), text, FindingsText(turns),
             reports::RatesText(rates));
  if (!unfinished.empty()) FailUsage(unfinished);
  const bool written = WriteTo(options.json, [&] {
    return GenerateJson(turns, options, unfinished, reasons);
  });
  int status = kAgree;
  if (findings > 0) {
    status = kDisagreement;
  } else if (!written || !unfinished.empty()) {
    status = kUsage;
  } else if (options.check && compared == 0) {
    status = FailUsage("nothing was compared");
  }
  return FinishComparison(*target, options.target, status);
}

}  // namespace

void AddGenerate(CommandLine& line) {
  auto [verb, options] =
      line.Add("generate", "generate cases, measure their quality, check them",
               RunGenerate);
  AddInstruction(verb, options.instruction,
                 "one instruction only, or \"program\"", {kMachineState});
  verb.Add("--max-cases", options.cases, "cases of each instruction")
      .Within(1, 1'000'000'000)
      .ShowDefault()
      .Was("--count");
  AddSeed(verb, options.seed, "same seed, same cases");
  AddEdition(verb, options.edition);
  verb.Add("--style", options.style,
           "by-intent, or uniform: the plain one to compare with")
      .OneOf(AllWords<make::Style>())
      .ShowDefault();
  verb.Add("--check", options.check,
           "run each case on target and oracle and compare them");
  verb.Add("--until-found", options.until_found,
           "check, and stop at the first finding of an instruction");
  AddTarget(verb, options.target);
  AddProduct(verb, options.target);
  AddLegalOnly(verb, options.target);
  AddAllowUnsupported(verb, options.target);
  AddAnyNumber(verb);
  verb.Add("--out DIR", options.out,
           "folder; findings are saved in its folder findings")
      .ShowDefault();
  verb.Add("--json FILE", options.json, "leave the figures as JSON");
  AddVerbose(verb, "how often each rule, layout and kind of data came");
  verb.Docs("fuzzing.md",
            {{"generate --instruction min --max-cases 500"},
             {"generate --instruction min --max-cases 500 --check --target "
              "mutant:min-half-not-saturated"}});
}

}  // namespace lanediff::cli
