// What a person types: names, help, files that are not there.

#include <cstdlib>
#include <map>
#include <regex>
#include <set>

#include "tools/cli/testing.h"

namespace lanediff::cli::test {
namespace {

class TypedLine : public ProgramTest {
 protected:
  /// All verbs, as --help lists them, and the variants in the help of each.
  std::set<std::string> VerbsAndVariants() const {
    const std::string help = Lanediff("--help").out;
    const auto from = help.find("Subcommands:");
    auto verbs = Matches(help.substr(from, help.find("\nAlso:") - from),
                         "\n  ([a-z]+) ");
    EXPECT_EQ(verbs.size(), 14u);
    for (const std::string& verb : std::set(verbs)) {
      verbs.merge(
          Matches(Lanediff(verb + " --help").out, "\nlanediff ([a-z -]+): "));
    }
    return verbs;
  }
};

TEST_F(TypedLine, EveryHelpEndsWithExamplesThatRunAndAPage) {
  setenv("LANEDIFF_PROGRESS", "0", 1);  // a busy machine takes its time
  fs::create_directory_symlink(LANEDIFF_SOURCE_DIR "/corpus", In("corpus"));
  // What the examples of these verbs begin with.
  const std::string run =
      "lanediff check corpus/vec_trans --quiet --json run.json && ";
  const std::string nightly =
      "mkdir out && " + run +
      "cp run.json out/replay.json && echo 'date 2026-11-01' > out/stages.txt "
      "&& echo 'stage replay 0 1' >> out/stages.txt";
  const std::map<std::string, std::string> before = {
      {"merge", run +
                    "for i in 0 1; do lanediff check corpus/vec_trans --quiet "
                    "--shard $i/2 --out part$i; done"},
      {"merge --nightly", nightly},
      {"campaign", nightly}};
  auto verbs = VerbsAndVariants();
  ASSERT_EQ(verbs.size(), 25u);
  verbs.insert("");  // the program's own
  for (const std::string& verb : verbs) {
    const std::string help = Lanediff(verb + " --help").out;
    const std::string page = LineBehind(help, "\nMore: ");
    EXPECT_TRUE(fs::exists(fs::path(LANEDIFF_SOURCE_DIR) / page)) << verb;
    EXPECT_TRUE(page.starts_with("docs/")) << verb << ": " << page;
    EXPECT_TRUE(!verb.empty() || page == "docs/command-line.md") << page;
    const auto examples = ExamplesOf(help);
    EXPECT_EQ(examples.size(), 2u) << verb;
    const auto first = before.find(verb);
    if (first != before.end()) Expect(Shell(first->second), 0);
    for (const auto& [words, not_tested] : examples) {
      EXPECT_TRUE(verb.empty() || words.starts_with(verb + " ")) << words;
      for (const std::string& option : Matches(words, "(--[a-z-]+)")) {
        EXPECT_TRUE(Has(help, option + " ")) << words;
      }
      // Examples that compile are run by Run.ExamplesOfHelpPass.
      if (!not_tested.empty() || words.starts_with("run ")) continue;
      const Result r = Lanediff(words);
      EXPECT_LE(r.status, verb.empty() ? 0 : 1) << words << '\n'
                                                << r.out << r.err;
      EXPECT_EQ(r.err, "") << words;
    }
    for (const auto& entry : fs::directory_iterator(In(""))) {
      if (entry.path().filename() != "corpus") fs::remove_all(entry.path());
    }
  }
}

TEST_F(TypedLine, QuietIsOnEveryVerbThatHasVerbose) {
  int verbose = 0;
  for (const std::string& verb : VerbsAndVariants()) {
    const std::string help = Lanediff(verb + " --help").out;
    if (!Has(help, "\n  --verbose ")) continue;
    ++verbose;
    EXPECT_TRUE(Has(help, "\n  --quiet ")) << verb;
  }
  EXPECT_GE(verbose, 12);
  const std::string programs = "lint " LANEDIFF_SOURCE_DIR "/corpus/program ";
  EXPECT_TRUE(Has(Lanediff(programs + "--verbose").out, "\nclean "));
  EXPECT_FALSE(Has(Lanediff(programs + "--verbose --quiet").out, "\nclean "));
}

TEST_F(TypedLine, HelpVersionAndManAreVerbs) {
  const std::vector<std::pair<std::string, std::string>> same = {
      {"help", "--help"},
      {"help check", "check --help"},
      {"version", "--version"},
      {"man", "completion man"}};
  for (const auto& [verb, option] : same) {
    const Result r = Lanediff(verb);
    Expect(r, 0);
    EXPECT_EQ(r.out, Lanediff(option).out) << verb;
    EXPECT_NE(r.out, "") << verb;
  }
  ExpectRefused(Lanediff("help chek"), "did you mean check?");
}

TEST_F(TypedLine, AnOlderNameIsTheVerbThatHelpStatesForIt) {
  const std::vector<std::pair<std::string, std::string>> names = {
      {"check", "test"},
      {"generate", "test --source random"},
      {"sweep", "test --source boundary"},
      {"exhaust", "test --source exhaustive"},
      {"exec", "target run"},
      {"export", "convert --to source"},
      {"characterise", "audit --characterise"},
      {"coverage", "list coverage"},
      {"index", "merge --nightly"},
      {"weaken", "run --barriers"}};
  const std::string list = Lanediff("--help").out;
  for (const auto& [older, now] : names) {
    EXPECT_TRUE(Has(list, older + " (" + now + ")")) << older;
    const Result r = Lanediff(older + " --help");
    Expect(r, 0, {.out = {"lanediff " + now + " [OPTIONS]"}});
    EXPECT_EQ(r.out, Lanediff(now + " --help").out) << older;
  }
  WriteCaseAs("case.json");
  const std::string checked = Lanediff("check case.json").out;
  EXPECT_EQ(Lanediff("test case.json").out, checked);
  EXPECT_EQ(Lanediff("test --source files case.json").out, checked);
  EXPECT_EQ(Lanediff("test case.json --source=files").out, checked);
  const std::string listed = Lanediff("exhaust --list").out;
  EXPECT_EQ(Lanediff("test --source exhaustive --list").out, listed);
  EXPECT_EQ(Lanediff("test --list --source=exhaustive").out, listed);
}

TEST_F(TypedLine, NamesThatAreNearAreProposed) {
  WriteCaseAs("case.json");
  WriteCaseAs("typo.json", "\"repeat\"", "\"repaet\"");
  WriteCaseAs("product.json", "\"product\"", "\"prodct\"");
  ExpectAllRefused({
      {"chek case.json", "no verb \"chek\", did you mean check?"},
      {"tset case.json", "no verb \"tset\", did you mean test?"},
      {"test case.json --source boundry", "did you mean boundary?"},
      {"test --source random --shard 0/2",
       "test --source random has no option \"--shard\""},
      {"check case.json --quite",
       "check has no option \"--quite\", did you mean --quiet?"},
      {"check case.json --target-s x", "see lanediff check --help"},
      {"lint case.json --init first",
       "--init: expected first-read, propagate, found \"first\""},
      {"lint case.json --start-mask onse", "did you mean ones?"},
      {"lint case.json --product atlas-a22", "did you mean atlas-a2?"},
      {"list rule", "did you mean rules?"},
      {"list coverge", "did you mean coverage?"},
      {"target rnu case.json", "did you mean run?"},
      {"convert --to sorce case.json",
       "convert --to: expected source, found \"sorce\", did you mean source?"},
      {"merge --nightl .", "did you mean --nightly?"},
      {"audit --characterize", "did you mean --characterise?"},
      {"run --barrier case.cpp", "did you mean --barriers?"},
      {"check case.json --target emulatr",
       "no target \"emulatr\", did you mean emulator?"},
      {"check case.json --target mutant:min-half-not-saturate",
       "did you mean min-half-not-saturated?"},
      {"mutants min-half-not-saturate", "did you mean min-half-not-saturated?"},
      {"exhaust min-int61", "did you mean min-int16?"},
      {"explain typo.json",
       "/program/0/repaet: unknown field, did you mean repeat?"},
      {"explain product.json", "/prodct: unknown field, did you mean product?"},
      {"explain case.json case.json", "\"case.json\" is one argument too many"},
  });
}

TEST_F(TypedLine, WhatIsNotThereOrOfAnotherKindIsNamed) {
  WriteCaseAs("case.json");
  Spill(In("kernel.cpp"), "");
  ExpectAllRefused({
      {"check none.json", "lanediff: none.json: not found\n"},
      {"lint none", "lanediff: none: not found\n"},
      {"explain none.json", "lanediff: none.json: not found\n"},
      {"convert none -o x", "lanediff: none: not found\n"},
      {"merge none --out x", "lanediff: none: not found\n"},
      {"run none.cpp", "lanediff: none.cpp: not found\n"},
      {"lint kernel.cpp", "fix: lanediff run kernel.cpp\n"},
      {"run case.json", "fix: lanediff test case.json\n"},
      {"check case.json --target exec:./mine --fast",
       "fix: quote the command, --target 'exec:./mine --fast'"},
      {"check case.json --target exec:./mine model.bin",
       "fix: quote the command, --target 'exec:./mine model.bin'"},
      {"sweep --target=exec:./mine model.bin", "fix: quote the command, "},
      {"target check exec:./mine model.bin", "fix: quote the command, "},
  });
  // The others are still run.
  Expect(Lanediff("check case.json none.json"), 2,
         {.out = {"none.json: not found\n", "agree case.json\n"},
          .not_out = {"malformed none.json"}});
}

/// An older spelling, behind which a command ends as before, and the new one.
struct Renamed {
  std::string old;
  std::string now;
  std::string before;  ///< the words in front
  int status = 0;
};

TEST_F(TypedLine, OlderSpellingsAreReadWithALineAndListed) {
  WriteCaseAs("case.json");
  const std::string migration = Slurp(LANEDIFF_SOURCE_DIR "/docs/migration.md");
  const std::string shrink =
      "shrink " LANEDIFF_SOURCE_DIR
      "/corpus/min/count-65552-in-place.json "
      "--target mutant:min-half-not-saturated --out small.json";
  const Renamed rows[] = {
      {"--generated 0", "--max-cases",
       "coverage --instruction vec_trans --corpus .", 1},
      {"--count 5", "--max-cases", "generate --instruction min"},
      {"--cases 1", "--max-cases", "sweep --instruction vec_trans --sample"},
      {"--cases 1", "--max-cases",
       "audit --instruction vec_trans --sample --no-character --out audit"},
      {"--cases 5", "--max-cases",
       "mutants vt-repeat-zero-accepted --checker baseline", 1},
      {"--candidates 9", "--max-cases", shrink},
      {"--sync auto", "--auto-sync on", "lint case.json"},
      {"--sync manual", "--auto-sync off", "lint case.json"},
      {"--cases alone", "--out", "lint case.json"},
      {"--html page.html", "--html DIR", "explain case.json"},
      {"--html run.html", "--html DIR", "check case.json"},
      {"--json", "--json=-", "exec case.json --values"},
      {"--json", "--json=-", "list orders"},
  };
  for (const auto& [old, now, before, status] : rows) {
    const Result r = Lanediff(before + " " + old);
    EXPECT_EQ(r.status, status) << r.command << r.out << r.err;
    const std::string name = old.substr(0, old.find(' '));
    EXPECT_TRUE(r.err.starts_with("lanediff: " + name)) << r.err;
    ExpectParts(r.err,
                {" is now " + now, "the older spelling is read for one"});
    EXPECT_EQ(std::ranges::count(r.err, '\n'), 1) << r.command << '\n' << r.err;
    const std::string verb = before.substr(0, before.find(' '));
    const std::regex row("\n\\| [^|\n]*`" + verb + "[^|\n]*" + name +
                         "[^|\n]*\\|");
    EXPECT_TRUE(std::regex_search(migration, row)) << verb << ' ' << name;
  }
  EXPECT_TRUE(Json::accept(Lanediff("list --json orders").out));
  EXPECT_FALSE(Has(Lanediff("lint --help").out, "--sync "));
}

TEST_F(TypedLine, AnOptionTakesTheSameInEachVerb) {
  const std::map<std::string, std::string> values = {
      {"--target", "TARGET"},   {"--json", "FILE"}, {"--junit", "FILE"},
      {"--sarif", "FILE"},      {"--html", "DIR"},  {"--seed", "N"},
      {"--jobs", "N"},          {"--shard", "I/N"}, {"--max-cases", "N"},
      {"--product", "PRODUCT"}, {"--quiet", ""}};
  std::string help;
  for (const std::string& verb : VerbsAndVariants()) {
    help += Lanediff(verb + " --help").out;
  }
  for (const auto& [option, value] : values) {
    EXPECT_EQ(Matches(help, "\n +" + option + "(?![a-z-]) ?([A-Z/]*)"),
              std::set{value})
        << option;
  }
}

TEST_F(TypedLine, AProductIsChosenWhereItHasAMeaning) {
  WriteCaseAs("case.json");
  Expect(Lanediff("check case.json --product atlas-a3"), 0,
         {.out = {"1 agree"}});
  EXPECT_TRUE(Has(Lanediff("exec case.json --values --json - --product "
                           "atlas-200-300-500")
                      .out,
                  "rejected"));
  Expect(Lanediff("generate --instruction min --check --max-cases 200 "
                  "--product atlas-a3"),
         0);
  Expect(Lanediff("sweep --instruction min --max-cases 3 --sample --product "
                  "atlas-a3"),
         0, {.out = {"beyond what the target claims"}});
  const auto bins = [&](const std::string& product) {
    return LineBehind(Lanediff("coverage --instruction vec_trans --max-cases 0 "
                               "--corpus ." +
                               product)
                          .out,
                      "coverage: ");
  };
  EXPECT_NE(bins(" --product atlas-a3"), bins(""));
  Expect(Lanediff("mutants min-half-not-saturated --checker baseline "
                  "--product atlas-a3 --json mutants.json"),
         0);
  EXPECT_EQ(ReadJson("mutants.json").at("product"), "atlas-a3");
  for (const char* verb :
       {"check",          "exec",    "explain", "lint",    "lint --fix",
        "lint --compare", "shrink",  "run",     "weaken",  "sweep",
        "generate",       "exhaust", "audit",   "fuzz",    "characterise",
        "convert",        "export",  "target",  "mutants", "coverage"}) {
    EXPECT_TRUE(Has(Lanediff(std::string(verb) + " --help").out, "--product "))
        << verb;
  }
}

TEST_F(TypedLine, ADefaultRunFitsAScreen) {
  for (const char* command :
       {"sweep --instruction min --max-cases 1 --sample",
        "generate --instruction min --max-cases 100",
        "audit --instruction vec_trans --max-cases 1 --sample --no-character "
        "--out audit",
        "check " LANEDIFF_SOURCE_DIR "/corpus/min",
        "check " LANEDIFF_SOURCE_DIR
        "/corpus/min --quiet --target mutant:min-half-not-saturated"}) {
    const Result r = Lanediff(command);
    EXPECT_LE(r.status, 1) << command << r.err;
    EXPECT_LE(std::ranges::count(r.out, '\n'), 50) << command << '\n' << r.out;
    fs::remove_all(In("audit"));
    const Result all = Lanediff(std::string(command) + " --verbose");
    EXPECT_EQ(all.status, r.status);
    EXPECT_GE(all.out.size(), r.out.size()) << command;
    fs::remove_all(In("audit"));
  }
}

}  // namespace
}  // namespace lanediff::cli::test
