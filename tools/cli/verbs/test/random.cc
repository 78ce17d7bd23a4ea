// Random cases by intent: their quality, and with --check their comparison.

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <map>

#include "differential/compare/compare.h"
#include "differential/compare/keep_finding.h"
#include "differential/compare/signature.h"
#include "differential/targets/capabilities.h"
#include "differential/targets/find_target.h"
#include "differential/targets/pace.h"
#include "differential/testcase/record_json.h"
#include "generators/random/generate.h"
#include "generators/random/tally.h"
#include "reports/headline.h"
#include "reports/printers.h"
#include "reports/reasons.h"
#include "reports/source_records.h"
#include "tools/cli/verbs/test/test.h"

namespace lanediff::cli {
namespace {

/// One instruction's turn.
struct GenerateTurn {
  explicit GenerateTurn(const make::Generator& g) : tally(g) {}

  /// Seconds of making and checking cases; judging what they are worth is not
  /// among them.
  double seconds() const {
    return generate_seconds + pace.legal.seconds + pace.illegal.seconds;
  }

  /// With --check: of both kinds, and of those that a side could not do.
  std::uint64_t compared() const {
    return pace.legal.cases + pace.illegal.cases;
  }
  std::uint64_t unsupported() const { return sums.cases - compared(); }

  make::Tally tally;
  double generate_seconds = 0;
  // With --check:
  diff::Pace pace;            ///< of the cases that both sides could do
  reports::SweepRecord sums;  ///< of all checked cases, but for legal ones
  diff::SignatureCounts signatures;       ///< of all findings
  std::vector<reports::CaseRecord> kept;  ///< of each signature the first
};

double Share(std::uint64_t part, std::uint64_t whole) {
  return whole == 0 ? 0
                    : static_cast<double>(part) / static_cast<double>(whole);
}

/// Names with how often they came.
using Counts = std::vector<std::pair<std::string, std::uint64_t>>;

/// How often each rule was broken; the instruction's own ones also if never.
Counts RulesOf(const make::Tally& tally) {
  std::map<isa::RuleId, std::uint64_t> rules = tally.broken;
  for (isa::RuleId rule : make::RejectRulesOf(*tally.generator)) {
    rules.try_emplace(rule, 0);
  }
  Counts counts;
  for (const auto& [rule, count] : rules) {
    counts.emplace_back(rule.text(), count);
  }
  return counts;
}

/// The words that came.
template <class E, std::size_t N>
Counts WordsOf(const std::array<std::uint64_t, N>& counts) {
  Counts words;
  for (std::size_t i = 0; i < N; ++i) {
    if (counts[i] == 0) continue;
    words.emplace_back(isa::Name(static_cast<E>(i)), counts[i]);
  }
  return words;
}

record_json::NamedCounts NamedOf(const Counts& counts) {
  return {counts.begin(), counts.end()};
}

/// In lines of two.
std::string ColumnsText(const char* title, const Counts& counts,
                        std::uint64_t whole) {
  std::string text = fmt::format("  {}", title);
  for (std::size_t i = 0; i < counts.size(); ++i) {
    const auto& [name, count] = counts[i];
    text += fmt::format("{}    {:<33}{:>9}{:>7.2f} %", i % 2 == 0 ? "\n" : "",
                        name, count, 100 * Share(count, whole));
  }
  return text + '\n';
}

std::string CheckText(const GenerateTurn& turn) {
  const double seconds = turn.pace.legal.seconds + turn.pace.illegal.seconds;
  return fmt::format(
             "  checked: {} legal and {} illegal cases, {} unsupported, {}{} "
             "findings; "
             "{:.0f} cases/s, {:.0f} nodes/s\n",
             turn.pace.legal.cases, turn.pace.illegal.cases, turn.unsupported(),
             turn.sums.tolerated > 0
                 ? fmt::format("{} of the illegal tolerated, ",
                               turn.sums.tolerated)
                 : "",
             turn.sums.disagree, PerSecond(turn.compared(), seconds),
             PerSecond(turn.sums.nodes, seconds)) +
         reports::OpenText(turn.sums.open);
}

/// Its lines of the rate table; none without --check.
std::vector<reports::RateLine> RatesOf(const GenerateTurn& turn) {
  return reports::RateLines(turn.tally.generator->slug, diff::BuildName(),
                            turn.pace, turn.seconds());
}

reports::GenerateTally TallyOf(const GenerateTurn& turn, bool checked) {
  const make::Tally& tally = turn.tally;
  reports::GenerateTally record = {
      .instruction = std::string(tally.generator->slug),
      .cases = tally.cases,
      .legal = tally.legal,
      .mutated = tally.mutated,
      .nodes = tally.nodes,
      .operations = tally.operations,
      .long_repeats = tally.long_cases,
      .bytes = tally.bytes,
      .legal_share = tally.legal_share(),
      .mean_operations = tally.mean_operations(),
      .long_share = tally.long_share(),
      .mean_bytes = tally.mean_bytes(),
      .generate_seconds = turn.generate_seconds,
      .broken_rules = NamedOf(RulesOf(tally)),
      .layouts = NamedOf(WordsOf<make::LayoutIntent>(tally.layouts)),
      .data = NamedOf(WordsOf<make::DataIntent>(tally.data))};
  if (!checked) return record;
  const diff::Pace& pace = turn.pace;
  record.check = reports::GenerateCheck{
      .seconds = pace.legal.seconds + pace.illegal.seconds,
      .legal = pace.legal.cases,
      .illegal = pace.illegal.cases,
      .unsupported = turn.unsupported(),
      .tolerated = turn.sums.tolerated,
      .nodes = turn.sums.nodes,
      .findings = turn.sums.disagree,
      .signatures = turn.signatures.Record(),
      .rates = RatesOf(turn)};
  return record;
}

/// A table for people.
std::string GenerateText(const GenerateTurn& turn, const TestOptions& options) {
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
  text +=
      ColumnsText("rule broken, share of cases", RulesOf(tally), tally.cases) +
      ColumnsText("layout intent", WordsOf<make::LayoutIntent>(tally.layouts),
                  tally.cases) +
      ColumnsText("data intent", WordsOf<make::DataIntent>(tally.data),
                  tally.cases);
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

/// What was compared, for the reports that all sources have.
reports::RunRecord RunOf(const std::vector<GenerateTurn>& turns,
                         const TestOptions& options,
                         const diff::Target& target) {
  reports::RunRecord run = NewRun("generate", options, target);
  run.edition = isa::Name(EditionOf(options.edition));
  for (const GenerateTurn& turn : turns) {
    reports::SweepRecord sums = turn.sums;
    sums.instruction = turn.tally.generator->slug;
    sums.legal = turn.pace.legal.cases;
    sums.rejected = turn.pace.illegal.cases;
    sums.signatures = turn.signatures.Record();
    for (const reports::CaseRecord& kept : turn.kept) {
      run.cases.push_back(kept);
      NameByFile(sums.instruction, run.cases.back());
    }
    run.AddSweep(std::move(sums));
  }
  KeepAccount(target, options.target, false, run);
  return run;
}

/// A case, with the time to make it.
struct Made {
  make::Generated generated;
  std::int64_t number = 0;  ///< counts an instruction's cases from 1
  double seconds = 0;
};

/// A part for each instruction, as each case follows from those before it.
class RandomSource final : public diff::CaseSource<Made> {
 public:
  RandomSource(const TestOptions& options, const diff::Capabilities& can)
      : options_(options), can_(can) {
    for (const make::Generator& generator : make::Generators()) {
      const bool requested =
          options.instruction.empty() || generator.slug == options.instruction;
      if (requested && Claims(can, generator.slug)) {
        generators_.push_back(&generator);
      }
    }
  }

  const make::Generator& GeneratorOf(std::size_t part) const {
    return *generators_[part];
  }
  std::uint64_t size() const override {
    return parts() * static_cast<std::uint64_t>(options_.cases);
  }
  std::size_t parts() const override { return generators_.size(); }
  void Produce(std::size_t part,
               const std::function<bool(Made&&)>& take) override {
    const auto style = *isa::Parse<make::Style>(options_.style);
    const isa::Edition edition = EditionOf(options_.edition);
    make::Random random(options_.seed);
    for (std::int64_t i = 1; i <= options_.cases; ++i) {
      const auto start = std::chrono::steady_clock::now();
      Made made{.generated = make::Generate(generators_[part]->slug, random,
                                            style, &can_, edition),
                .number = i};
      made.seconds = SecondsSince(start);
      if (!take(std::move(made))) return;
    }
  }
  void Announce(const Made& made, const diff::Target& target,
                const diff::Target& reference) const override {
    diff::AnnounceCase(made.generated.c, target, reference);
  }
  std::string NameOf(std::size_t part) const override {
    return std::string(generators_[part]->slug);
  }

 private:
  const TestOptions& options_;
  const diff::Capabilities& can_;
  std::vector<const make::Generator*> generators_;
};

/// Counts what cases are worth, compares them, and saves findings. One thread.
class RandomSink final : public diff::Sink<Made, GenerateTurn> {
 public:
  RandomSink(const TestOptions& options, const RandomSource& source,
             const Sides& sides)
      : options_(options),
        source_(source),
        oracle_(*sides.reference),
        meter_(*sides.target, oracle_) {}

  GenerateTurn Begin(std::size_t part) override {
    meter_.Restart();
    return GenerateTurn(source_.GeneratorOf(part));
  }
  bool Wants(const Made& made, GenerateTurn& turn) override {
    turn.generate_seconds += made.seconds;
    turn.tally.Add(made.generated, make::Judge(made.generated.c, oracle_));
    return options_.check;
  }
  bool Compare(Made&& made, std::size_t, GenerateTurn& turn) override {
    const diff::Comparison result = meter_.Compare(made.generated.c);
    turn.pace = meter_.pace();
    Count(result, turn.sums);
    if (result.findings.empty()) return true;
    ++found;
    const diff::Finding* const finding = turn.signatures.Add(result.findings);
    if (finding != nullptr) Keep(made, result, *finding, turn);
    return !options_.until_found;
  }
  void Take(std::size_t, GenerateTurn&& turn) override {
    turns.push_back(std::move(turn));
  }

  std::vector<GenerateTurn> turns;

 private:
  void Keep(const Made& made, const diff::Comparison& result,
            const diff::Finding& finding, GenerateTurn& turn) const {
    const Case& c = made.generated.c;
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
      record.error = path.error();
      fmt::print(stderr, "lanediff: {}\n", path.error());
      return;
    }
    record.path = *path;
    record.reproduce = Reproduce(*path, options_.target.name);
    fmt::print("  reproduce: {}\n", record.reproduce);
  }

  const TestOptions& options_;
  const RandomSource& source_;
  const diff::Target& oracle_;
  diff::PaceMeter meter_;
};

}  // namespace

int TestRandom(const TestOptions& given) {
  TestOptions options = given;
  options.check |= options.until_found;
  if (!options.check &&
      !(options.files.junit + options.files.sarif + options.files.html)
           .empty()) {
    return FailUsage(
        "--junit, --sarif and --html are about cases that are compared; add "
        "--check");
  }
  const Sides sides = options.check
                          ? FindSides(options.target, options.reference,
                                      Takes::kRunning, kItself)
                          : Sides{FindTarget(options.target, Takes::kRunning),
                                  &diff::TheOracle()};
  const diff::Capabilities can = sides.target->capabilities();
  RandomSource source(options, can);
  if (source.parts() == 0) {
    return FailUsage("--instruction: the target does not claim it");
  }

  WatchInterrupt();
  RandomSink sink(options, source, sides);
  const std::string unfinished = RunSource(source, sides, sink, 1).Unfinished();
  std::uint64_t compared = 0;
  std::vector<reports::RateLine> rates;
  std::string text;
  for (const GenerateTurn& turn : sink.turns) {
    compared += turn.compared() - turn.sums.tolerated;
    std::ranges::move(RatesOf(turn), std::back_inserter(rates));
    if (turn.tally.cases > 0) text += GenerateText(turn, options);
  }
  const auto reasons = reports::ReasonsFrom(
      {unfinished, options.check && compared == 0 ? "nothing was compared" : "",
       LackingOf(*sides.target, options.target)});
  fmt::print("{}{}{}{}", IncompleteText(reasons), text,
             FindingsText(sink.turns), reports::RatesText(rates));
  if (!unfinished.empty()) FailUsage(unfinished);
  int status = kAgree;
  if (sink.found > 0) {
    status = kDisagreement;
  } else if (!unfinished.empty() || (options.check && compared == 0)) {
    status = kUsage;
  }
  bool written = WriteTo(options.files.json, [&] {
    reports::GenerateRecord record = {.reasons = reasons,
                                      .seed = options.seed,
                                      .style = options.style,
                                      .edition = EditionOf(options.edition),
                                      .unfinished = unfinished};
    if (options.check) record.target = options.target.name;
    for (const GenerateTurn& turn : sink.turns) {
      record.instructions.push_back(TallyOf(turn, options.check));
    }
    return RecordText(record);
  });
  if (options.check) {
    reports::RunRecord run = RunOf(sink.turns, options, *sides.target);
    run.unfinished = unfinished;
    written = WriteFigureReports(run, options.files) && written;
  }
  if (status == kUsage && written && unfinished.empty()) {
    FailUsage("nothing was compared");
  }
  if (status == kAgree && !written) status = kUsage;
  return FinishComparison(*sides.target, options.target, status);
}

}  // namespace lanediff::cli
