#include <regex>
#include <set>
#include <string>

#include "tools/cli/testing.h"

namespace lanediff::cli::test {
namespace {

using Completion = ProgramTest;

/// The words at the beginning of lines of help, two spaces in.
std::set<std::string> WordsOf(const std::string& help,
                              const std::string& pattern) {
  std::set<std::string> words;
  const std::regex word("\n  (" + pattern + ")");
  for (std::sregex_iterator at(help.begin(), help.end(), word), end; at != end;
       ++at) {
    words.insert((*at)[1]);
  }
  return words;
}

TEST_F(Completion, HasEveryVerbAndOptionForEveryShell) {
  const auto verbs = WordsOf(Lanediff("--help").out, "[a-z]+");
  ASSERT_GT(verbs.size(), 15u);
  const auto options = WordsOf(Lanediff("check --help").out, "--[a-z-]+");
  ASSERT_GT(options.size(), 8u);
  for (const char* shell : {"bash", "zsh", "fish", "man"}) {
    std::string text = Lanediff(std::string("completion ") + shell).out;
    text = std::regex_replace(text, std::regex("\\\\-"), "-");
    for (const std::string& verb : verbs) {
      EXPECT_TRUE(Has(text, verb)) << shell << " " << verb;
    }
    for (const std::string& option : options) {
      const bool bare = std::string(shell) == "fish";
      EXPECT_TRUE(Has(text, bare ? "-l " + option.substr(2) : option))
          << shell << " " << option;
    }
  }
}

TEST_F(Completion, BashCompletesVerbsOptionsAndWords) {
  const Result r = Shell(
      "bash -c 'source <(lanediff completion bash); "
      "reply() { COMP_WORDS=(lanediff \"$@\"); COMP_CWORD=$#; _lanediff; "
      "echo \"${COMPREPLY[*]}\"; }; reply chec; reply list prod; "
      "reply check --juni; reply generate --coun'");
  EXPECT_EQ(r.out, "check\nproducts\n--junit\n--count\n") << r.err;
}

TEST_F(Completion, RefusesOtherShells) {
  EXPECT_EQ(Lanediff("completion tcsh").status, 2);
}

using TargetNew = ProgramTest;

TEST_F(TargetNew, WritesATargetThatAgrees) {
  const Result r = Lanediff("target new --language python mine");
  EXPECT_EQ(r.status, 0) << r.err;
  EXPECT_TRUE(Has(r.out, "wrote mine.py\n")) << r.out;
  EXPECT_FALSE(Has(Slurp(In("mine.py")), "model")) << "the example's name";
}

TEST_F(TargetNew, PrintsHowALibraryIsCompiled) {
  const Result r = Lanediff("target new --language c mine");
  const auto at = r.out.find(" -I ");
  ASSERT_NE(at, std::string::npos) << r.out;
  const auto end = r.out.find(' ', at + 4);
  EXPECT_TRUE(
      fs::exists(r.out.substr(at + 4, end - at - 4) + "/lanediff/plugin.h"))
      << r.out;
}

using TargetCheck = ProgramTest;

TEST_F(TargetCheck, AMaskThatIsSetWronglyDiffers) {
  const Result r = Lanediff("target check mutant:program-mask-words-swapped");
  EXPECT_EQ(r.status, 1) << r.out << r.err;
  EXPECT_TRUE(Has(r.out, "\nok    Min, legal: ")) << r.out;
  EXPECT_TRUE(Has(r.out, "\nFAIL  Min, after SetVectorMask: differs: "))
      << r.out;
  EXPECT_TRUE(
      Has(r.out,
          "\nnext: lanediff check corpus --quiet --target "
          "mutant:program-mask-words-swapped\nthen: lanediff sweep "
          "--legal-only --target mutant:program-mask-words-swapped --out "
          "out\nthen: lanediff characterise --target "
          "mutant:program-mask-words-swapped\n"))
      << r.out;
}

TEST_F(TargetCheck, ProbesTailsAndTwoCalls) {
  const Result r = Lanediff("target check emulator");
  EXPECT_EQ(r.status, 0) << r.out << r.err;
  for (const char* line :
       {"Min, isSetMask=false: ", "Min, count with a tail: ",
        "TROWPROD, two calls: ", "vec_trans, systematic cases: "}) {
    EXPECT_TRUE(Has(r.out, std::string("\nok    ") + line)) << line << r.out;
  }
}

TEST_F(TargetNew, OverwritesNothing) {
  Spill(In("CMakeLists.txt"), "mine");
  const Result r = Lanediff("target new --language c++ other");
  EXPECT_EQ(r.status, 2);
  EXPECT_TRUE(Has(r.err, "CMakeLists.txt is there; nothing was written"));
  EXPECT_FALSE(fs::exists(In("other.cc")));
  EXPECT_EQ(Slurp(In("CMakeLists.txt")), "mine");
}

TEST_F(TargetNew, TakesNamesAndLanguages) {
  EXPECT_EQ(Lanediff("target new --language python ../x").status, 2);
  EXPECT_EQ(Lanediff("target new --language rust x").status, 2);
  EXPECT_EQ(Lanediff("target new x").status, 2) << "no language";
}

}  // namespace
}  // namespace lanediff::cli::test
