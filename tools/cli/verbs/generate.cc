#include "generators/random/generate.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <memory>
#include <optional>

#include "differential/compare/keep_finding.h"
#include "differential/targets/ahead.h"
#include "differential/targets/find_target.h"
#include "differential/targets/pace.h"
#include "differential/targets/target.h"
#include "tools/cli/common.h"
#include "tools/cli/options.h"
#include "tools/cli/target_options.h"
#include "tools/cli/verbs.h"
#include "tools/cli/verbs/generate_text.h"

namespace lanediff::cli {
namespace {

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
    auto reported = Clock::now();
    for (std::int64_t i = 0; i < options_.count && !Interrupted(); ++i) {
      const auto start = Clock::now();
      make::Generated generated = make::Generate(
          generator.slug, random, style_, &can_, EditionOf(options_.edition));
      turn.generate_seconds += SecondsSince(start);
      turn.tally.Add(generated, make::Judge(generated.c, oracle_));
      if (options_.check && !ahead.Add({std::move(generated.c), i + 1})) break;
      if (i % 256 != 0 || SecondsSince(reported) < 10) continue;
      reported = Clock::now();
      fmt::print(stderr, "{}: {} of {} cases\n", generator.slug, i,
                 options_.count);
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
  const auto style = isa::Parse<make::Style>(options.style);
  if (!style) {
    return FailUsage("--style: \"" + options.style +
                     "\"; by-intent and uniform are allowed");
  }
  const auto target = FindTarget(options.target, Takes::kRunning);
  if (!target) return target.error();
  if (options.check && options.target.name == "oracle") {
    return FailUsage("--target: the oracle can't be checked against itself");
  }
  auto generators = GeneratorsFor(options.instruction);
  std::erase_if(generators, [&](const make::Generator* generator) {
    return !Claims((*target)->capabilities(), generator->slug);
  });
  if (generators.empty()) {
    return FailUsage("--instruction: the target does not claim it");
  }

  WatchInterrupt();
  Generation run(options, *style, **target);
  std::vector<GenerateTurn> turns;
  std::uint64_t findings = 0;
  std::uint64_t compared = 0;
  std::vector<reports::RateLine> rates;
  std::uint64_t cases = 0;
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
    if (turn.tally.cases == 0) continue;
    fmt::print("{}", GenerateText(turn, options));
  }
  fmt::print("{}{}", FindingsText(turns), reports::RatesText(rates));
  const std::uint64_t wanted =
      generators.size() * static_cast<std::uint64_t>(options.count);
  // With --until-found an instruction may be done early.
  if (Interrupted() && cases < wanted) {
    unfinished = fmt::format("interrupted after {} of {} cases", cases, wanted);
  }
  if (!unfinished.empty()) FailUsage(unfinished);
  const bool written = WriteTo(
      options.json, [&] { return GenerateJson(turns, options, unfinished); });
  int status = kAgree;
  if (findings > 0) {
    status = kDisagreement;
  } else if (!written || !unfinished.empty()) {
    status = kUsage;
  } else if (options.check && compared == 0) {
    status = FailUsage("nothing was compared");
  }
  return FinishComparison(**target, options.target, status);
}

}  // namespace

void AddGenerate(CommandLine& line) {
  const auto options = std::make_shared<GenerateOptions>();
  Verb verb =
      line.Add("generate", "generate cases, measure their quality, check them",
               [options] { return RunGenerate(*options); });
  AddInstruction(verb, options->instruction,
                 "one instruction only, or \"program\"", {kMachineState});
  verb.Add("--count", options->count, "cases of each instruction")
      .Within(1, 1'000'000'000)
      .ShowDefault();
  AddSeed(verb, options->seed, "same seed, same cases");
  AddEdition(verb, options->edition);
  verb.Add("--style", options->style,
           "by-intent, or uniform: the plain one to compare with")
      .ShowDefault();
  verb.Flag("--check", options->check,
            "run each case on target and oracle and compare them");
  verb.Flag("--until-found", options->until_found,
            "check, and stop at the first finding of an instruction");
  AddTarget(verb, options->target);
  AddLegalOnly(verb, options->target);
  AddAllowUnsupported(verb, options->target);
  AddAnyNumber(verb);
  verb.Add("--out", options->out,
           "folder; findings are saved in its folder findings")
      .ShowDefault();
  verb.Add("--json", options->json, "leave the figures as JSON");
}

}  // namespace lanediff::cli
