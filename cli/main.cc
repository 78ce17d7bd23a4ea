// Reads the command line; everything else is in the verbs.

#include <fmt/format.h>
#include <malloc.h>

#include <CLI/CLI.hpp>
#include <charconv>
#include <cstdint>
#include <cstdio>
#include <filesystem>
#include <functional>
#include <limits>
#include <set>
#include <sstream>
#include <string>
#include <system_error>

#include "cli/common.h"
#include "cli/hunt.h"
#include "cli/interrupt.h"
#include "cli/standard_output.h"
#include "cli/verbs.h"
#include "cli/version.h"

namespace {

using namespace lanediff::cli;

void AddReportFiles(CLI::App* verb, ReportFiles& files) {
  verb->add_option("--json", files.json, "leave the results as JSON");
  verb->add_option("--junit", files.junit, "leave the results as JUnit XML");
  verb->add_option(
      "--baseline", files.baseline,
      "tell what has changed since an earlier run, which left this "
      "JSON; the exit status stays what it would be without");
  verb->add_option("--html", files.html,
                   "folder; leave the results as a page, DIR/index.html, that "
                   "opens from disk")
      ->type_name("DIR");
}

/// The file that two of a verb's reports would go to; empty if they are apart.
std::string NamedTwice(const CLI::App& verb) {
  std::set<std::string> files;
  for (const char* option : {"--json", "--junit", "--sarif"}) {
    const auto* const given = verb.get_option_no_throw(option);
    if (given == nullptr || given->get_items_expected_max() == 0) continue;
    for (const std::string& file : given->results()) {
      const bool regular = !std::filesystem::exists(file) ||
                           std::filesystem::is_regular_file(file);
      if (regular && !files.insert(file).second) return file;
    }
  }
  return "";
}

/// Checks that an option is a number from `least` to `most`.
template <class T>
CLI::Validator Within(T least, T most) {
  const auto check = [=](const std::string& text) -> std::string {
    T value{};
    // CLI11 takes -1, and what is too large, for the largest number; and what
    // compares with nothing, as NaN does, is not within.
    const char* const last = text.data() + text.size();
    const auto [end, error] = std::from_chars(text.data(), last, value);
    if (error == std::errc{} && end == last && value >= least &&
        value <= most) {
      return "";
    }
    return fmt::format("\"{}\" is no number from {} to {}", text, least, most);
  };
  return CLI::Validator(check, fmt::format("{} to {}", least, most));
}
constexpr std::uint64_t kLargest = std::numeric_limits<std::uint64_t>::max();
/// Of generated cases, with room for what is added to it.
constexpr std::uint64_t kMostCases = 1'000'000'000;
constexpr std::uint64_t kMostSeconds = 10'000'000;

/// Of verbs that can do a part of their work.
void AddShard(CLI::App* verb, std::string& shard) {
  verb->add_option("--shard", shard,
                   "i/n: part i of n, from 0, for lanediff merge. Without it, "
                   "what GTEST_SHARD_INDEX and GTEST_TOTAL_SHARDS or "
                   "JOB_COMPLETION_INDEX and JOB_COMPLETIONS say")
      ->check([](const std::string& text) -> std::string {
        return text.empty() ? "is empty; i/n is allowed" : "";
      });
}

/// Of verbs that leave a folder only for that.
void AddShardOut(CLI::App* verb, std::string& out) {
  verb->add_option("--out", out, "folder for what a shard leaves")
      ->capture_default_str();
}

/// Of verbs that have findings.
void AddSarif(CLI::App* verb, ReportFiles& files) {
  verb->add_option("--sarif", files.sarif, "leave the findings as SARIF 2.1.0");
}

CLI::App* AddExhaust(CLI::App& app, ExhaustOptions& exhaust) {
  auto* verb = app.add_subcommand(
      "exhaust", "enumerate small spaces completely, from where it was left");
  verb->footer(
      "--list prints every space with its size, its fields and their values. "
      "A run that was interrupted or killed goes on when the same command is "
      "given again; its state is in DIR/exhaust, or in FILE. Findings are "
      "counted, and the first 10 of a space saved as cases in DIR/findings.");
  verb->add_option("SPACE", exhaust.spaces, "names of spaces");
  verb->add_flag("--list", exhaust.list, "print the spaces and their bounds");
  AddShard(verb, exhaust.shard);
  verb->add_option("--range", exhaust.range,
                   "A..B: only calls A to B-1, numbered from 0");
  verb->add_option("--jobs", exhaust.jobs, "threads; 0: all processors")
      ->check(Within(0, 1024))
      ->capture_default_str();
  verb->add_option("--target", exhaust.target, "what is under test")
      ->capture_default_str();
  verb->add_option("--state", exhaust.state,
                   "file to go on from, of one space");
  verb->add_option("--out", exhaust.out, "folder for findings and states")
      ->capture_default_str();
  verb->add_option("--json", exhaust.json, "leave the figures as JSON");
  return verb;
}

CLI::App* AddAudit(CLI::App& app, AuditOptions& audit) {
  auto* verb = app.add_subcommand(
      "audit",
      "every rule of the documents against its boundaries, on every product: a "
      "verdict, and cases as evidence");
  verb->footer(
      "OUT is a new folder, or an empty one. It gets index.html, audit.json, "
      "audit.xml (JUnit), audit.sarif and the evidence in cases/; commands in "
      "the report are meant to be run there.\n"
      "Status 0: nothing is violated or contradicted; 1: something is; 3: the "
      "target crashed or hung; 2: wrong usage, OUT can't be written, nothing "
      "was compared, or not all was done.");
  verb->add_option("--instruction", audit.instruction,
                   "one instruction only, and the machine state it uses");
  verb->add_option("--product", audit.product, "one product only");
  AddShard(verb, audit.shard);
  verb->add_option("--target", audit.target, "what is audited")
      ->capture_default_str();
  verb->add_option("--jobs", audit.jobs, "processes; 0: all processors")
      ->check(Within(0, 1024))
      ->capture_default_str();
  verb->add_option("--baseline", audit.baseline,
                   "audit.json of an earlier audit; what changed is told");
  verb->add_option("--out", audit.out, "folder of the report")->required();
  return verb;
}

CLI::App* AddMerge(CLI::App& app, MergeOptions& merge) {
  auto* verb = app.add_subcommand(
      "merge", "join the results of shards into the report of one run");
  verb->footer(
      "Each shard of check, fuzz, sweep, exhaust, audit and mutants leaves "
      "VERB.I-of-N.json, and cases that it kept, in its --out DIR. All N must "
      "be there, once each, and be of the same options and version. OUT, a new "
      "folder or an empty one, gets VERB.json, VERB.xml (JUnit), VERB.sarif, "
      "index.html and the kept cases, as far as the verb has them. Report and "
      "status are those of one run; elapsed times are added up.");
  verb->add_option("DIR", merge.folders, "folders with results of shards")
      ->required();
  verb->add_option("--verb", merge.verb,
                   "whose results, where the folders hold those of several")
      ->check(CLI::IsMember(
          {"check", "fuzz", "sweep", "exhaust", "audit", "mutants"}));
  verb->add_option("--baseline", merge.baseline,
                   "tell what has changed since an earlier run, which left "
                   "this JSON");
  verb->add_option("--out", merge.out, "folder of the report")->required();
  return verb;
}

CLI::App* AddIndex(CLI::App& app, IndexOptions& index) {
  auto* verb = app.add_subcommand(
      "index", "the page over what script/nightly left: OUT/index.html");
  verb->footer(
      "OUT/stages.txt tells what ran, in lines \"date TEXT\", \"commit "
      "TEXT\" and \"stage NAME STATUS SECONDS [unfinished]\". Status 0: the "
      "page is "
      "written; 2: it can't be, or results of a stage that ran can't be read, "
      "which the page says.");
  verb->add_option("OUT", index.out, "folder of a night")->required();
  return verb;
}

/// Memories of cases come and go. Were they given back to the system each time,
/// the pages of the next one would cost more than the comparison.
void KeepFreedMemory() {
  constexpr int kMostSupported = 32 << 20;
  mallopt(M_MMAP_THRESHOLD, kMostSupported);
  mallopt(M_TRIM_THRESHOLD, 256 << 20);
}

int Main(int argc, char** argv) {
  KeepFreedMemory();
  CLI::App app(
      "lanediff finds the difference between what the documents of Ascend's "
      "vector intrinsics say and what an implementation does.\n"
      "Exit status: 0 all agree, 1 a disagreement was found, 2 wrong usage, a "
      "malformed case, nothing compared or not all of it, 3 a target failed; "
      "with mixed results 1 beats 3 beats 2. Only audit and fuzz outlive a "
      "target that crashes or hangs.",
      "lanediff");
  app.require_subcommand(1);
  app.set_version_flag("--version", std::string("lanediff ") + kVersion);
  app.set_help_all_flag("--help-all", "print the help of every verb");
  std::function<int()> run;

  CheckOptions check;
  auto* verb = app.add_subcommand(
      "check", "run cases on target and reference and compare them");
  verb->add_option("PATH", check.paths, "case files, and folders of them")
      ->required();
  verb->add_option("--target", check.target,
                   "what is under test: emulator, mutant:NAME, or "
                   "recorded:DIR, the outcomes that were seen elsewhere")
      ->capture_default_str();
  verb->add_option("--reference", check.reference, "what it is held against")
      ->capture_default_str();
  verb->add_option("--known-issues", check.known_issues,
                   "list of accepted defects; without it, known_issues.json at "
                   "the top of each folder given as PATH");
  verb->add_option("--jobs", check.jobs, "threads; 0: all processors")
      ->check(Within(0, 1024))
      ->capture_default_str();
  AddShard(verb, check.shard);
  AddShardOut(verb, check.out);
  AddReportFiles(verb, check.files);
  AddSarif(verb, check.files);
  verb->callback([&] { run = [&] { return RunCheck(check); }; });

  ExecOptions exec;
  verb = app.add_subcommand(
      "exec", "run cases on one target, print or record their outcomes");
  verb->footer(
      "Without --out the outcome of one case is printed. With it the outcome "
      "of every case goes to DIR/ID.json, ID being the case's id, where "
      "\"lanediff check PATH... --target recorded:DIR\" finds it again. "
      "Nothing is overwritten.");
  verb->add_option("PATH", exec.paths, "case files, and folders of them")
      ->required();
  verb->add_option("--target", exec.target, "where to run them")
      ->capture_default_str();
  verb->add_option("--out", exec.out, "folder for outcome documents");
  verb->callback([&] { run = [&] { return RunExec(exec); }; });

  ShrinkOptions shrink;
  verb = app.add_subcommand(
      "shrink", "look for the smallest case that shows the same finding");
  verb->footer(
      "The finding that is kept is the first one that check prints, known by "
      "its signature. Without -o the result is NAME.shrunk.json beside "
      "NAME.json. Status 0: a case was written; 2: CASE shows no finding.");
  verb->add_option("CASE", shrink.path, "case file")->required();
  verb->add_option("-o", shrink.out, "where to write; may be CASE itself");
  verb->add_option("--target", shrink.target, "what is under test")
      ->capture_default_str();
  verb->add_option("--reference", shrink.reference, "what it is held against")
      ->capture_default_str();
  verb->add_option("--candidates", shrink.candidates,
                   "smaller cases to run at most; 0: 6000")
      ->check(Within(0, 10'000'000))
      ->capture_default_str();
  verb->add_option("--seconds", shrink.seconds,
                   "time at most; 0: no limit. A limit that is reached makes "
                   "the result depend on the machine")
      ->check(Within(0.0, 1e6))
      ->capture_default_str();
  verb->callback([&] { run = [&] { return RunShrink(shrink); }; });

  ExplainOptions explain;
  verb = app.add_subcommand("explain",
                            "say what a case does: rules, DataBlocks, "
                            "arithmetic, expected against actual");
  verb->add_option("CASE", explain.path, "case file")->required();
  verb->add_flag("--all", explain.all,
                 "every iteration and node, however many there are");
  verb->add_option("--target", explain.target, "what is under test")
      ->capture_default_str();
  verb->add_option("--html", explain.html,
                   "file; leave the case as a page that opens from disk")
      ->type_name("FILE");
  verb->callback([&] { run = [&] { return RunExplain(explain); }; });

  FuzzOptions fuzz;
  fuzz.program = argv[0];
  verb = app.add_subcommand(
      "fuzz", "run the coverage-guided fuzzers, save findings as cases");
  verb->footer(
      "The fuzz programs (lanediff-fuzz-INSTRUCTION) are looked for in "
      "--fuzzers DIR, beside this program, and in the bin folder of the "
      "sibling preset, ../../fuzz/bin. Where there are none: cmake --preset "
      "fuzz && "
      "cmake --build --preset fuzz.\n"
      "A finding is confirmed in a process of its own, shrunk, and kept as "
      "OUT/findings/SIGNATURE.json; what does not show again goes to "
      "OUT/unconfirmed. Status 1: a finding that is not known, or a known "
      "issue has expired; 3: the target crashed, or a fuzz program failed; 2: "
      "wrong usage, OUT can't be written, nothing compared, interrupted; 1 "
      "beats 3 beats 2.");
  verb->add_option("--instruction", fuzz.instruction,
                   "one fuzz program only, by the name of its instruction");
  verb->add_option("--seconds", fuzz.seconds, "time for all of them together")
      ->check(Within(1, 10'000'000))
      ->capture_default_str();
  verb->add_option("--jobs", fuzz.jobs, "processes at once; 0: all processors")
      ->check(Within(0, 1024))
      ->capture_default_str();
  verb->add_option("--seed", fuzz.seed, "0: a new one, printed")
      ->check(Within(std::uint64_t{0}, kLargest))
      ->capture_default_str();
  AddShard(verb, fuzz.shard);
  verb->add_option("--target", fuzz.target, "what is under test")
      ->capture_default_str();
  verb->add_option("--corpus", fuzz.corpus, "folder of cases to start from")
      ->capture_default_str();
  verb->add_option("--out", fuzz.out, "folder for findings, logs and summary")
      ->capture_default_str();
  verb->add_option("--known-issues", fuzz.known_issues,
                   "list of accepted defects; without it, known_issues.json in "
                   "the corpus");
  verb->add_option("--fuzzers", fuzz.fuzzers, "folder of the fuzz programs");
  AddReportFiles(verb, fuzz.files);
  AddSarif(verb, fuzz.files);
  verb->callback([&] { run = [&] { return RunFuzz(fuzz); }; });

  GenerateOptions generate;
  verb = app.add_subcommand(
      "generate", "generate cases, say what they are worth, check them");
  verb->add_option("--instruction", generate.instruction,
                   "one instruction only, or \"program\"");
  verb->add_option("--count", generate.count, "cases of each instruction")
      ->check(Within(std::int64_t{1}, std::int64_t{1'000'000'000}))
      ->capture_default_str();
  verb->add_option("--seed", generate.seed, "same seed, same cases")
      ->check(Within(std::uint64_t{0}, kLargest))
      ->capture_default_str();
  verb->add_option("--style", generate.style,
                   "by-intent, or uniform: the plain one to compare with")
      ->capture_default_str();
  verb->add_flag("--check", generate.check,
                 "run each case on target and oracle and compare them");
  verb->add_flag("--until-found", generate.until_found,
                 "check, and stop at the first finding of an instruction");
  verb->add_option("--target", generate.target, "what is under test")
      ->capture_default_str();
  verb->add_option("--out", generate.out,
                   "folder; findings are saved in its folder findings")
      ->capture_default_str();
  verb->add_option("--json", generate.json, "leave the figures as JSON");
  verb->callback([&] { run = [&] { return RunGenerate(generate); }; });

  SweepOptions sweep;
  verb = app.add_subcommand(
      "sweep",
      "compare on systematic cases: both sides of every rule's boundary, alone "
      "and with another broken rule, special values, pairs of parameter "
      "classes; what disagrees is saved as a case");
  verb->add_option("--instruction", sweep.instruction,
                   "one instruction only, or program for machine state");
  AddShard(verb, sweep.shard);
  verb->add_option("--target", sweep.target, "what is under test")
      ->capture_default_str();
  verb->add_option("--reference", sweep.reference, "what it is held against")
      ->capture_default_str();
  verb->add_option("--jobs", sweep.jobs, "threads; 0: all processors")
      ->check(Within(0, 1024))
      ->capture_default_str();
  verb->add_option("--out", sweep.out, "folder; findings go to its findings/")
      ->capture_default_str();
  AddReportFiles(verb, sweep.files);
  AddSarif(verb, sweep.files);
  verb->callback([&] { run = [&] { return RunSweep(sweep); }; });

  AuditOptions audit;
  AddAudit(app, audit)->callback([&] {
    run = [&] { return RunAudit(audit); };
  });

  IndexOptions index;
  AddIndex(app, index)->callback([&] {
    run = [&] { return RunIndex(index); };
  });

  CoverageOptions coverage;
  verb = app.add_subcommand(
      "coverage",
      "print every bin of the functional coverage with a case that reaches it "
      "or the reason why none can");
  verb->footer(
      "Bins are what guides the fuzzers: rules broken, values of fields, "
      "layouts, masks, arithmetic events. Cases come from the corpus, the "
      "sweep and the generators, in this order. Status 0: every bin has a case "
      "or a reason; 1: a bin has neither, or both.");
  verb->add_option("--instruction", coverage.instruction,
                   "one instruction only, or program");
  verb->add_option("--corpus", coverage.corpus, "folder of cases")
      ->capture_default_str();
  verb->add_option("--generated", coverage.generated,
                   "cases that are generated for each room at most")
      ->check(Within(std::uint64_t{0}, kMostCases))
      ->capture_default_str();
  verb->add_option("--out", coverage.out,
                   "folder to save the cases in that the sweep or a generator "
                   "made");
  verb->add_option("--json", coverage.json, "leave the list as JSON");
  verb->callback([&] { run = [&] { return RunCoverage(coverage); }; });

  MutantsOptions mutants;
  verb = app.add_subcommand(
      "mutants",
      "plant each known bug in turn and report which checker finds it");
  verb->footer(
      "A checker hunts what those before it did not find. Status 0: every "
      "mutant was found; 1: one was not found by any checker; 2: wrong usage, "
      "or a hunt was not finished, by --seconds or because a checker could not "
      "run, so that nobody knows.");
  verb->add_option("NAME", mutants.names,
                   "mutants by name (lanediff list mutants); default: all");
  verb->add_option("--instruction", mutants.instruction,
                   "those of one instruction only, as in names of folders, or "
                   "of program, the steps that set machine state");
  verb->add_option("--checker", mutants.checkers,
                   "which checkers hunt, in this order; default: all, the "
                   "cheapest first")
      ->check(CLI::IsMember(
          std::vector<std::string>(std::begin(kCheckers), std::end(kCheckers))))
      ->delimiter(',')
      ->allow_extra_args(false);  // what follows is a NAME
  verb->add_flag("--every-checker", mutants.every_checker,
                 "let each checker hunt every mutant, also those that another "
                 "one has found");
  verb->add_option("--cases", mutants.cases,
                   "budget in cases of each checker that makes them")
      ->check(Within(std::uint64_t{1}, std::uint64_t{1'000'000'000}))
      ->capture_default_str();
  verb->add_option("--seconds", mutants.seconds,
                   "cap on the time of it all; 0: none")
      ->check(Within(std::uint64_t{0}, kMostSeconds));
  verb->add_option("--seed", mutants.seed, "of the first hunt")
      ->check(Within(std::uint64_t{0}, kLargest))
      ->capture_default_str();
  verb->add_option("--seeds", mutants.seeds,
                   "hunts of guided and baseline; medians are printed")
      ->check(Within(std::uint64_t{1}, std::uint64_t{1000}))
      ->capture_default_str();
  verb->add_option("--jobs", mutants.jobs, "threads; 0: all processors")
      ->check(Within(0, 1024))
      ->capture_default_str();
  verb->add_option("--corpus", mutants.corpus, "folder of cases")
      ->capture_default_str();
  verb->add_option("--properties", mutants.properties,
                   "program of the laws (default: ../tests/properties_tests "
                   "beside this program)");
  AddShard(verb, mutants.shard);
  AddShardOut(verb, mutants.out);
  AddReportFiles(verb, mutants.files);
  verb->callback([&] { run = [&] { return RunMutants(mutants); }; });

  ExhaustOptions exhaust;
  AddExhaust(app, exhaust)->callback([&] {
    run = [&] { return RunExhaust(exhaust); };
  });

  MergeOptions merge;
  AddMerge(app, merge)->callback([&] {
    run = [&] { return RunMerge(merge); };
  });

  ConvertOptions convert;
  verb = app.add_subcommand(
      "convert", "turn fuzzer bytes into a case, or a case into fuzzer bytes");
  verb->add_option("IN", convert.in, "case file (.json) or fuzzer input")
      ->required();
  verb->add_option("-o", convert.out, "new file; .json for a case")->required();
  verb->callback([&] { run = [&] { return RunConvert(convert); }; });

  ExportOptions exports;
  verb = app.add_subcommand(
      "export", "write a case as source text in the API of the documents");
  verb->footer(
      "The text has the memories, every step up to the first that is rejected, "
      "and the expected result as comments; an illegal call is written all the "
      "same. Ascend C says RepeatReduceSum, Min and DataCopy, PTO says "
      "TROWPROD, TIK says vec_trans. Data that would make the text too long go "
      "to files beside FILE.");
  verb->add_option("CASE", exports.path, "case file")->required();
  verb->add_option("--as", exports.as,
                   "ascendc, pto or tik; without it the one that can say CASE")
      ->check(CLI::IsMember({"ascendc", "pto", "tik"}));
  verb->add_option("-o", exports.out, "new file; without it to stdout");
  verb->callback([&] { run = [&] { return RunExport(exports); }; });

  ListOptions list;
  verb = app.add_subcommand("list", "print what there is");
  verb->add_option("WHAT", list.what,
                   "rules, disagreements, instructions, products, targets, "
                   "mutants or orders")
      ->required()
      ->check(CLI::IsMember({"rules", "disagreements", "instructions",
                             "products", "targets", "mutants", "orders"}));
  auto* json = verb->add_flag("--json", list.json, "as JSON");
  verb->add_flag("--markdown", list.markdown,
                 "rules or disagreements as their page in docs/")
      ->excludes(json);
  verb->callback([&] { run = [&] { return RunList(list); }; });

  try {
    app.parse(argc, argv);
  } catch (const CLI::Success& success) {
    std::ostringstream help;
    app.exit(success, help);
    std::fputs(help.str().c_str(), stdout);
    return kAgree;
  } catch (const CLI::ParseError& error) {
    if (argc > 1 && argv[1][0] != '-' && app.get_subcommands().empty()) {
      return FailUsage(
          fmt::format("no verb \"{}\"; --help lists them", argv[1]));
    }
    return FailUsage(std::string(error.what()) +
                     "; --help tells what is allowed");
  }
  if (const std::string twice = NamedTwice(*app.get_subcommands().front());
      !twice.empty()) {
    return FailUsage("two reports can't be one file: " + twice);
  }
  return run();
}

/// What is thrown ends the run, but not without a line.
int Caught(int argc, char** argv) {
  int status = kUsage;
  const auto thrown = Thrown([&] { status = Main(argc, argv); });
  return thrown ? FailUsage(*thrown) : status;
}

}  // namespace

int main(int argc, char** argv) {
  WatchStandardOutput();
  HandleSignals();
  return FinishStandardOutput(Caught(argc, argv));
}
