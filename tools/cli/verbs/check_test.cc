// Runs `lanediff check` as a user does and looks at status, stdout and stderr.

#include <sys/stat.h>

#include <map>
#include <string>

#include "tools/cli/testing.h"

namespace lanediff::cli::test {
namespace {

using CheckVerb = ProgramTest;

std::size_t CountCases(const fs::path& folder) {
  std::size_t count = 0;
  for (const auto& entry : fs::recursive_directory_iterator(folder)) {
    const std::string name = entry.path().filename();
    count += name.ends_with(".json") && !name.ends_with(".schema.json") &&
             name != "known_issues.json";
  }
  return count;
}

std::ptrdiff_t Lines(const std::string& text) {
  return std::ranges::count(text, '\n');
}

TEST_F(CheckVerb, TheCorpusAgrees) {
  const fs::path corpus = LANEDIFF_SOURCE_DIR "/corpus";
  const std::string count = std::to_string(CountCases(corpus));
  const Result r = Lanediff("check --verbose " + corpus.string());
  Expect(r, 0,
         {.out = {"check: " + count + " cases: " + count +
                  " agree, 0 disagree, 0 unsupported, 0 malformed"}});
  EXPECT_EQ(Lines(r.out), std::stol(count) + 3 + 6)
      << "one line a case, the notes of one, the sentence, the sums, and what "
         "six calls leave open";
  EXPECT_EQ(r.err, "");
}

TEST_F(CheckVerb, PrintsTheSameWhateverTheJobs) {
  const std::map<std::string, std::string> cases = {
      {"emulator", LANEDIFF_SOURCE_DIR "/corpus"},
      {"mutant:rrs-left-fold",
       LANEDIFF_SOURCE_DIR "/corpus/repeat_reduce_sum"}};
  for (const auto& [target, folder] : cases) {
    const auto run = [&](const std::string& jobs) {
      return Lanediff("check " + folder + " nowhere.json --target " + target +
                      " --json " + jobs + ".json --jobs " + jobs);
    };
    const Result one = run("1");
    for (const std::string jobs : {"2", "7"}) {
      const Result more = run(jobs);
      EXPECT_EQ(more.status, one.status);
      EXPECT_EQ(more.out, one.out);
      EXPECT_EQ(Slurp(In(jobs + ".json")), Slurp(In("1.json")));
    }
    EXPECT_EQ(one.status, target == "emulator" ? 2 : 1);
  }
}

TEST_F(CheckVerb, WhatATargetDoesNotClaimHasOneLine) {
  ASSERT_EQ(Lanediff("target new --language python mine").status, 0);
  std::string text = Slurp(In("mine.py"));
  const std::string forms = "\"forms\": [\"count\"],";
  ASSERT_TRUE(Has(text, forms));
  Spill(In("mine.py"), text.erase(text.find(forms), forms.size()));
  const std::string corpus = LANEDIFF_SOURCE_DIR "/corpus/";
  const Result r = Lanediff("check " + corpus + "min " + corpus +
                            "vec_trans --target 'exec:python3 mine.py'");
  ExpectParts(r.out, {"\nbeyond what the target claims: "});
  ExpectNone(r.out, {"unsupported " + corpus + "vec_trans/"});
  EXPECT_TRUE(Has(r.out, "unsupported " + corpus + "min/"))
      << "claimed, but for its form: " << r.out;
}

TEST_F(CheckVerb, QuietPrintsFindingsAndTheSummary) {
  const std::string arguments =
      "check " LANEDIFF_SOURCE_DIR
      "/corpus/vec_trans --verbose --target mutant:vt-first-block-only";
  const Result all = Lanediff(arguments);
  const Result quiet = Lanediff(arguments + " --quiet");
  EXPECT_EQ(quiet.status, 1) << quiet.err;
  EXPECT_TRUE(Has(all.out, "agree " LANEDIFF_SOURCE_DIR)) << all.out;
  ExpectNone(quiet.out,
             {"agree " LANEDIFF_SOURCE_DIR "/corpus/vec_trans/accepted"});
  std::string kept;
  bool printed = true;
  std::istringstream lines(all.out);
  for (std::string line; std::getline(lines, line);) {
    if (!line.starts_with("  ")) printed = !line.starts_with("agree ");
    if (printed) kept += line + "\n";
  }
  EXPECT_EQ(quiet.out, kept);
}

TEST_F(CheckVerb, AnInstructionIsLookedForInPrograms) {
  const std::string corpus = LANEDIFF_SOURCE_DIR "/corpus";
  Expect(Lanediff("check " + corpus + " --instruction vec_trans --json run.js"),
         0);
  const Json json = ReadJson("run.js");
  EXPECT_GT(json.at("cases").size(), 10u);
  EXPECT_LT(json.at("cases").size(), 500u);
  for (const auto& one : json.at("cases")) {
    EXPECT_TRUE(Has(Slurp(one.at("path").get<std::string>()), "\"vec_trans\""));
  }
}

TEST_F(CheckVerb, AnInstructionHasTwoNamesAndNoOther) {
  const std::string check =
      "check " LANEDIFF_SOURCE_DIR "/corpus/min --quiet --instruction ";
  const Result by_short = Lanediff(check + "min");
  EXPECT_EQ(by_short.status, 0) << by_short.err;
  EXPECT_EQ(Lanediff(check + "Min").out, by_short.out);
  EXPECT_TRUE(Has(by_short.out, "No findings in ")) << by_short.out;
  for (const std::string verb :
       {"check .", "sweep", "generate", "audit --out a", "fuzz", "coverage",
        "mutants", "characterise"}) {
    const std::string with = verb + " --instruction ";
    const std::string no = "lanediff: --instruction: no instruction ";
    ExpectAllRefused(
        {{with + "no", no + "\"no\"; repeat_reduce_sum, min, "},
         {with + "Mim", no + "\"Mim\", did you mean min?; "},
         {with + "wholereducesum", no + "\"wholereducesum\", did you mean "
                                        "whole_reduce_sum?; "},
         {with + "''", no + "\"\"; "}});
  }
  for (const std::string name : {"WholeReduceSum", "whole_reduce_sum"}) {
    Expect(Lanediff("generate --max-cases 3 --instruction " + name), 0,
           {.out = {"whole_reduce_sum: 3 cases"}});
  }
}

TEST_F(CheckVerb, LinksThatAreNotFollowedAreNamed) {
  fs::create_directories(In("cases"));
  fs::create_directories(In("elsewhere"));
  WriteCaseAs("cases/a.json");
  WriteCaseAs("elsewhere/b.json");
  fs::create_symlink(In("elsewhere/b.json"), In("cases/b.json"));
  EXPECT_EQ(Lanediff("check cases").status, 0) << "a link to a file is one";
  const auto refused = [&](const std::string& words) {
    for (const std::string verb : {"check", "lint"}) {
      const Result r = Lanediff(verb + " cases");
      EXPECT_EQ(r.status, 2) << r.out;
      EXPECT_TRUE(Has(r.out + r.err, words)) << r.out << r.err;
    }
  };
  fs::create_directory_symlink(In("elsewhere"), In("cases/sub"));
  refused("cases/sub: is a link to a folder, which is not searched");
  fs::remove(In("cases/sub"));
  fs::create_symlink("nowhere.json", In("cases/c.json"));
  refused("cases/c.json: is a link to nothing");
  fs::remove(In("cases/c.json"));
  fs::create_symlink("loop", In("cases/loop"));
  refused("cases/loop: is a link to nothing");
  fs::remove(In("cases/loop"));
  ASSERT_EQ(mkfifo(In("cases/pipe.json").c_str(), 0600), 0);
  refused("cases/pipe.json: is no regular file");
}

TEST_F(CheckVerb, FoldersAreSearchedForCasesOnly) {
  fs::create_directories(In("a/b"));
  WriteCaseAs("a/b/case.json");
  Spill(In("a/case.schema.json"), "{}");
  Spill(In("a/known_issues.json"),
        R"({ "format": "lanediff-known-issues/1", "issues": [] })");
  Spill(In("a/readme.txt"), "");
  fs::create_directories(In("empty"));
  Expect(Lanediff("check empty"), 2,
         {.out = {"malformed empty: holds no case"}});
  Expect(Lanediff("check a"), 0,
         {.out = {"No findings in 1 instruction; ",
                  "\nagree a/b/case.json\ncheck: 1 cases: 1 agree"}});
}

TEST_F(CheckVerb, UnreadableInputIs2AndTheOtherCasesStillRun) {
  WriteCaseAs("good.json");
  WriteCaseAs("word.json", "atlas-a2\"", "atlas-a9\"");
  WriteCaseAs("newline.json", "[60000", "[\"a\\nb\"");
  Spill(In("empty.json"), "");
  Spill(In("huge.json"), "");
  fs::resize_file(In("huge.json"), (std::uintmax_t{16} << 20) + 1);
  fs::create_symlink("loop.json", In("loop.json"));
  const Result r = Lanediff(
      "check word.json newline.json empty.json huge.json missing.json "
      "loop.json /dev/null good.json");
  EXPECT_EQ(r.status, 2);
  ExpectParts(
      r.out,
      {"malformed word.json: /product: found \"atlas-a9\", did you mean "
       "atlas-a2?; atlas-training, ",
       "malformed newline.json: /memory/UB/regions/0/values/0: \"a?b\" is no "
       "value of half; ",
       "malformed empty.json: the file is empty\n",
       "malformed huge.json: 16777217 bytes; at most 16777216 are allowed\n",
       "\nmissing.json: not found\n",
       "malformed loop.json: can't be read: Too many levels",
       "malformed /dev/null: is no regular file\n", "\nagree good.json\n",
       "8 cases: 1 agree, 0 disagree, 0 unsupported, 7 malformed"});
  EXPECT_EQ(Lines(r.out), 10) << "one line each, the sentence, the sums";
  EXPECT_TRUE(Has(r.out, "; NOT compared: ")) << r.out;
}

TEST_F(CheckVerb, OutputThatCantBeWrittenIs2FromEachWriter) {
  for (const char* jobs : {"1", "2", "8"}) {
    Expect(Shell(std::string("(lanediff check " LANEDIFF_SOURCE_DIR
                             "/corpus/min --jobs ") +
                 jobs + " >/dev/full)"),
           2, {.err = {"standard output: can't be written"}});
  }
}

TEST_F(CheckVerb, AnUnreadableFolderIs2) {
  fs::create_directories(In("closed"));
  WriteCaseAs("closed/case.json");
  WriteCaseAs("good.json");
  // Root reads everything: become another user where that is possible.
  const std::string as =
      geteuid() == 0
          ? "setpriv --reuid=65534 --regid=65534 --clear-groups --no-new-privs "
          : "";
  if (Shell(as + "lanediff --help").status != 0) GTEST_SKIP() << "no setpriv";
  fs::permissions(In("closed"), fs::perms::none);
  const Result r = Shell(as + "lanediff check closed good.json");
  fs::permissions(In("closed"), fs::perms::owner_all);
  Expect(r, 2,
         {.out = {"closed: can't be searched: Permission denied\n",
                  "agree good.json\n"}});
}

TEST_F(CheckVerb, AWrongExpectationIs1AndItsCommandReproducesIt) {
  const std::string name = "it's wrong $1.json";
  WriteCaseAs(name, "[35584]", "[35604]");
  const Result r = Lanediff("check .");
  Expect(r, 1,
         {.out = {"expectation: emulator against expect: ",
                  "expectation: oracle against expect: ",
                  "expected 35616 (0x7859), found 35584 (0x7858)"}});
  const Result again = Shell(LineBehind(r.out, "  reproduce: "));
  EXPECT_EQ(again.status, 1) << again.err;
  EXPECT_EQ(again.out, r.out);
}

TEST_F(CheckVerb, TargetAndReferenceMaySwap) {
  WriteCaseAs("case.json");
  const std::string swapped = " --target oracle --reference emulator";
  Expect(Lanediff("check case.json" + swapped), 0,
         {.out = {"agree case.json\n", "of oracle against emulator"}});
  WriteCaseAs("wrong.json", "[35584]", "[1]");
  ExpectParts(Lanediff("check wrong.json" + swapped).out,
              {"reproduce: lanediff check wrong.json" + swapped + "\n"});
}

TEST_F(CheckVerb, WrongUsageIs2) {
  WriteCaseAs("case.json");
  ExpectAllRefused(
      {{"check", "PATH is required"},
       {"check case.json --target oracle", "nothing would be compared"},
       {"check case.json --reference emulator", "nothing would be compared"},
       {"check case.json --target no", "--target: no target \"no\"; emulator"},
       {"check case.json --reference no", "--reference: no target \"no\""},
       {"check case.json --nonsense", "--nonsense"}});
  for (const char* report : {"junit", "json", "sarif"}) {
    Expect(Lanediff(std::string("check case.json --") + report +
                    " /nonexistent/x"),
           2, {.err = {"can't be written"}});
  }
}

}  // namespace
}  // namespace lanediff::cli::test
