#pragma once

#include <regex>
#include <string>

#include "tools/cli/testing.h"

namespace lanediff::cli::test {

/// Runs a command whole, in eight shards, and merges these.
class MergeTest : public ProgramTest {
 protected:
  /// `VERB ARGUMENTS` of one run, in single/, with its reports in single/all.
  Result Whole(const std::string& verb, const std::string& arguments,
               const std::string& reports) const {
    return Shell("mkdir -p single/all && cd single && lanediff " + verb + " " +
                 arguments + " --out all " + reports);
  }
  /// The same in eight shards, in part0 to part7; the statuses as text.
  std::string Shards(const std::string& command) const {
    const Result r = Shell(
        "for i in 0 1 2 3 4 5 6 7; do lanediff " + command +
        " --shard $i/8 --out part$i >/dev/null; printf $? >> statuses; done");
    return Slurp(In("statuses"));
  }
  Result Merged(const std::string& more = "") const {
    return Lanediff(
        "merge part0 part1 part2 part3 part4 part5 part6 part7 --out all " +
        more);
  }

  /// Text and files are those of one run, but for times.
  void ExpectOneRun(const Result& whole, const Result& merged) const {
    EXPECT_EQ(merged.status, whole.status) << merged.out << merged.err;
    EXPECT_EQ(WithoutTimes(merged.out), WithoutTimes(whole.out));
    const Result same = Shell(
        "find all single/all \\( -name '*.json' -o -name '*.html' \\) -exec "
        "sed -i -E 's/\"(seconds|pointsPerSecond)\": ?[0-9.e+-]+/\"\\1\": 0/g' "
        "{} + && diff -r -x exhaust single/all all");
    EXPECT_EQ(same.status, 0) << same.out.substr(0, 2000) << same.err;
  }

  /// Without the figures that depend on time.
  static std::string WithoutTimes(const std::string& text) {
    static const std::regex times(
        "[0-9.]+ s, [0-9.]+ million (pairs|cases)/s|found in [0-9]+ s");
    return std::regex_replace(text, times, "TIME");
  }

  static std::string Reports(const std::string& verb, bool sarif = true) {
    const std::string base = "all/" + verb;
    return "--json " + base + ".json --junit " + base + ".xml --html all " +
           (sarif ? "--sarif " + base + ".sarif" : "");
  }
};

inline const std::string kCorpus = LANEDIFF_SOURCE_DIR "/corpus/";

}  // namespace lanediff::cli::test
