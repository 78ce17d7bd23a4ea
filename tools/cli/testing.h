#pragma once

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <nlohmann/json.hpp>
#include <regex>
#include <set>
#include <source_location>
#include <string>
#include <utility>
#include <vector>

/// For the tests that run the real program. `LANEDIFF_PROGRAM` is its path,
/// `LANEDIFF_SOURCE_DIR` the root of this tree.
namespace lanediff::cli::test {

namespace fs = std::filesystem;
using Json = nlohmann::json;
using Strings = std::vector<std::string>;

inline std::string Slurp(const fs::path& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

inline void Spill(const fs::path& path, const std::string& text) {
  std::ofstream(path, std::ios::binary) << text;
}

inline std::string CorpusFile(const std::string& name) {
  return LANEDIFF_SOURCE_DIR "/corpus/repeat_reduce_sum/" + name;
}

inline bool Has(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

/// `text` with `now` for the first `old`, which is there.
inline std::string Replaced(std::string text, const std::string& old,
                            const std::string& now) {
  const auto at = text.find(old);
  EXPECT_NE(at, std::string::npos) << old << "\nis not in\n" << text;
  return at == std::string::npos ? text : text.replace(at, old.size(), now);
}

/// What the group of `pattern` matches, wherever it does.
inline std::set<std::string> Matches(const std::string& text,
                                     const std::string& pattern) {
  const std::regex regex(pattern);
  const std::sregex_token_iterator begin(text.begin(), text.end(), regex, 1);
  return {begin, std::sregex_token_iterator()};
}

/// A list of known issues with these signatures.
inline std::string KnownIssueList(const Strings& signatures,
                                  const std::string& expires = "9999-12-31") {
  Json issues = Json::array();
  for (const std::string& signature : signatures) {
    issues.push_back({{"signature", signature},
                      {"reason", "the tail is late"},
                      {"link", "page 1"},
                      {"expires", expires}});
  }
  return Json{{"format", "lanediff-known-issues/1"}, {"issues", issues}}.dump();
}

/// Shell: leaves the record of a fuzz program that ran ten cases. `findings`
/// may be a variable.
inline std::string LeaveFuzzStats(const std::string& findings, int beyond = 0) {
  const Json legal = {{"cases", 6},
                      {"seconds", 0.5},
                      {"referenceSeconds", 0.25},
                      {"targetSeconds", 0}};
  Json illegal = legal;
  illegal["cases"] = 4;
  std::string text = Json{
      {"seconds", 1},
      {"cases", 10},
      {"legal", 6},
      {"nodes", 60},
      {"operations", 0},
      {"longRepeats", 0},
      {"pace", {{"legal", legal}, {"illegal", illegal}}},
      {"build", "release"},
      {"beyond", beyond}}.dump();
  text.insert(text.size() - 1, ",\"findings\":" + findings);
  return "echo " + Json(text).dump() + " > $LANEDIFF_FUZZ_STATS; ";
}

/// Shell: waits until the run `$pid`, a job in the background, is at work. A
/// shell has such a job ignore SIGINT; where it is caught, the run watches for
/// signals, and 0.6 s of its processor time later it has done something.
inline constexpr const char* kUntilBusy =
    "used() { cut -d' ' -f14 /proc/$pid/stat; }; "
    "until grep -qs '^SigCgt:.*[2367abef]$' /proc/$pid/status; do "
    "kill -0 $pid || exit 99; done; from=$(used); "
    "while [ $(($(used) - from)) -lt 60 ]; do "
    "kill -0 $pid || exit 99; done; ";

struct Result {
  int status;
  std::string out;
  std::string err;
  std::string command = {};
};

inline void ExpectParts(const std::string& text, const Strings& parts) {
  for (const std::string& part : parts) {
    EXPECT_TRUE(Has(text, part)) << part << "\nis not in\n" << text;
  }
}
inline void ExpectNone(const std::string& text, const Strings& parts) {
  for (const std::string& part : parts) {
    EXPECT_FALSE(Has(text, part)) << part << "\nis in\n" << text;
  }
}

inline std::size_t CountOf(const std::string& text, const std::string& part) {
  std::size_t count = 0;
  for (auto at = text.find(part); at != std::string::npos;
       at = text.find(part, at + part.size())) {
    ++count;
  }
  return count;
}

/// The part of `text` from behind `mark` to the end of its line.
inline std::string LineBehind(const std::string& text,
                              const std::string& mark) {
  const auto at = text.find(mark);
  if (at == std::string::npos) return "";
  const auto from = at + mark.size();
  return text.substr(from, text.find('\n', from) - from);
}

/// Parts of what a run prints, and what is no part of it.
struct Printed {
  Strings out = {};
  Strings err = {};
  Strings not_out = {};
  Strings not_err = {};
};

/// A run that ended with `status`; a failure names the caller and the command.
inline void Expect(
    const Result& r, int status, const Printed& printed = {},
    const std::source_location& at = std::source_location::current()) {
  const testing::ScopedTrace trace(at.file_name(), static_cast<int>(at.line()),
                                   r.command);
  EXPECT_EQ(r.status, status) << r.out << r.err;
  ExpectParts(r.out, printed.out);
  ExpectParts(r.err, printed.err);
  ExpectNone(r.out, printed.not_out);
  ExpectNone(r.err, printed.not_err);
}

/// Wrong usage, or another failure with `status` before anything is done: one
/// line on stderr, which begins with "lanediff: " and has `message`.
inline void ExpectRefused(
    const Result& r, const std::string& message, int status = 2,
    const std::source_location& at = std::source_location::current()) {
  Expect(r, status, {.err = {message}}, at);
  EXPECT_EQ(r.out, "") << r.command;
  EXPECT_TRUE(r.err.starts_with("lanediff: ")) << r.command << '\n' << r.err;
  EXPECT_EQ(std::ranges::count(r.err, '\n'), 1) << r.command << '\n' << r.err;
}

/// What stands at these JSON pointers.
inline void ExpectMembers(
    const Json& json,
    const std::vector<std::pair<std::string, Json>>& members) {
  for (const auto& [pointer, value] : members) {
    EXPECT_EQ(json.at(Json::json_pointer(pointer)), value) << pointer;
  }
}

/// A command below "Examples:" in a --help, behind "lanediff", and why the
/// tests of all verbs leave it out.
struct Example {
  std::string words;
  std::string not_tested;
};

inline std::vector<Example> ExamplesOf(const std::string& help) {
  std::vector<Example> examples;
  const std::string begin = "\n  lanediff ";
  std::size_t at = help.find("Examples:");
  while ((at = help.find(begin, at)) != std::string::npos) {
    at += begin.size();
    const std::string line = help.substr(at, help.find('\n', at) - at);
    const std::size_t mark = std::min(line.find("  # "), line.size());
    examples.push_back({line.substr(0, mark),
                        mark < line.size() ? line.substr(mark + 4) : ""});
  }
  return examples;
}

/// Arguments of the program, and part of the message with which it refuses.
struct Refusal {
  std::string arguments;
  std::string message;
};

/// Each test has an empty folder of its own, in which the program is run.
class ProgramTest : public testing::Test {
 protected:
  void SetUp() override {
    const auto* info = testing::UnitTest::GetInstance()->current_test_info();
    folder_ = fs::path(testing::TempDir()) /
              (std::string("lanediff-") + info->test_suite_name() + "-" +
               info->name() + "-" + std::to_string(getpid()));
    fs::create_directories(folder_ / "in");
  }
  void TearDown() override { fs::remove_all(folder_); }
  /// Empties the folder in which the program is run.
  void Clear() const {
    fs::remove_all(folder_ / "in");
    fs::create_directories(folder_ / "in");
  }

  /// Runs a shell command in `in`; "lanediff" is the program under test. What
  /// leads git, or a campaign, elsewhere is of no effect.
  Result Shell(const std::string& command) const {
    const std::string whole =
        "cd '" + (folder_ / "in").string() + "' && PATH='" +
        fs::path(LANEDIFF_PROGRAM).parent_path().string() +
        "':\"$PATH\" && unset LANEDIFF_CAMPAIGN GIT_DIR GIT_WORK_TREE "
        "GIT_INDEX_FILE && export GIT_CONFIG_GLOBAL=/dev/null "
        "GIT_CONFIG_NOSYSTEM=1 && (" +
        command + ") >../out 2>../err </dev/null";
    const int status = std::system(whole.c_str());
    return {WIFEXITED(status) ? WEXITSTATUS(status) : -1,
            Slurp(folder_ / "out"), Slurp(folder_ / "err"), command};
  }
  Result Lanediff(const std::string& arguments) const {
    return Shell("lanediff " + arguments);
  }

  /// Each of these commands ends so.
  void ExpectStatus(
      int status, const Strings& commands,
      const std::source_location& at = std::source_location::current()) const {
    for (const std::string& arguments : commands) {
      Expect(Lanediff(arguments), status, {}, at);
    }
  }
  void ExpectAllRefused(const std::vector<Refusal>& rows) const {
    for (const auto& [arguments, message] : rows) {
      ExpectRefused(Lanediff(arguments), message);
    }
  }

  /// Runs a command as `count` shards, which leave part0, part1 and so on; what
  /// merging them to merged/ gives.
  Result InShards(const std::string& command, int count) const {
    std::string parts;
    for (int i = 0; i < count; ++i) {
      const std::string n = std::to_string(i);
      Lanediff(command + " --shard " + n + "/" + std::to_string(count) +
               " --out part" + n);
      parts += " part" + n;
    }
    return Lanediff("merge" + parts + " --out merged");
  }

  /// A path in the folder in which the program is run.
  fs::path In(const std::string& name) const { return folder_ / "in" / name; }
  Json ReadJson(const std::string& name) const {
    return Json::parse(Slurp(In(name)));
  }

  /// A program of the shell.
  void Script(const std::string& name, const std::string& body) const {
    Spill(In(name), "#!/bin/sh\n" + body + "\n");
    fs::permissions(In(name), fs::perms::owner_all);
  }

  /// A copy of the worked example with `old` replaced.
  void WriteCaseAs(const std::string& name, const std::string& old = "",
                   const std::string& now = "") const {
    Spill(In(name),
          Replaced(Slurp(CorpusFile("worked-saturates-at-65504-a2.json")), old,
                   now));
  }

 private:
  fs::path folder_;
};

}  // namespace lanediff::cli::test
