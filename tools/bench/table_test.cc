// Runs lanediff-bench and looks at its table and JSON; no time is asserted.

#include "tools/cli/testing.h"

namespace lanediff::bench {
namespace {

using cli::test::ExpectParts;
using cli::test::Json;
using cli::test::Result;
using cli::test::Slurp;
using cli::test::Strings;

class Bench : public cli::test::ProgramTest {
 protected:
  Result RunBench(const std::string& options) const {
    return Shell(LANEDIFF_BENCH_PROGRAM " " + options);
  }
};

Strings Lines(const std::string& text) {
  Strings lines;
  std::istringstream in(text);
  for (std::string line; std::getline(in, line);) lines.push_back(line);
  return lines;
}

/// The fields of each row of the JSON fit together.
void ExpectRow(const Json& row) {
  EXPECT_GT(row["work"]["best"], 0.0);
  EXPECT_GE(row["work"]["median"], row["work"]["best"]);
  EXPECT_EQ(row["asked"].is_null(), row["status"] == "shown");
  EXPECT_EQ(row.contains("yardstickTime"), row["yardstick"] != "");
  if (row["figure"] == "ratio") {
    EXPECT_DOUBLE_EQ(row["value"], row["yardstickTime"]["best"].get<double>() /
                                       row["work"]["best"].get<double>());
  }
  if (row["asked"].is_null()) return;
  const bool at_least = row["figure"] == "ratio" || row["figure"] == "rate";
  const double value = row["value"];
  const double required = row["asked"];
  EXPECT_EQ(row["status"], (at_least ? value >= required : value <= required)
                               ? "met"
                               : "missed");
}

void ExpectMachine(const Json& machine) {
  EXPECT_GT(machine["cores"], 0);
  EXPECT_NE(machine["processor"], "");
  EXPECT_NE(machine["compiler"], "");
  EXPECT_NE(machine["emulator"], "");
  EXPECT_NE(machine["version"], "");
}

/// One test, as each runs in a process of its own.
TEST_F(Bench, TableJsonAndMarkdownHaveEveryRow) {
  const Result run = RunBench(
      "--quick --json table.json --markdown table.md "
      "--lanediff " LANEDIFF_PROGRAM " --corpus " LANEDIFF_SOURCE_DIR
      "/corpus --fuzzers /nowhere");
  ASSERT_EQ(run.status, 0) << run.out << run.err;
  const Json json = ReadJson("table.json");
  ASSERT_EQ(json["format"], "lanediff-bench/1");
  ExpectMachine(json["machine"]);

  const Strings names = Lines(RunBench("--list").out);
  ASSERT_GT(names.size(), 80u);
  ASSERT_EQ(json["rows"].size(), names.size());
  const Strings markdown = Lines(Slurp(In("table.md")));
  // The machine, a blank line and two lines of heading.
  ASSERT_EQ(markdown.size(), names.size() + 4);
  int missed = 0;
  for (std::size_t i = 0; i < names.size(); ++i) {
    SCOPED_TRACE(names[i]);
    const Json& row = json["rows"][i];
    EXPECT_EQ(row["name"], names[i]);
    ExpectParts(run.out, {"\n" + names[i] + " "});
    EXPECT_TRUE(markdown[i + 4].starts_with("| `" + names[i] + "` | "));
    missed += row["status"] == "missed";
    if (names[i].starts_with("fuzz.")) {
      EXPECT_EQ(row["status"], "skipped");
      ExpectParts(row["why"], {"/nowhere"});
    } else if (!row.contains("why")) {
      ExpectRow(row);
    } else {
      EXPECT_EQ(row["status"], "skipped") << row["why"];
    }
  }
  ExpectParts(Lines(run.out).back(), {std::to_string(missed) + " missed"});
}

/// The page of the figures names each row once, in order, and the version.
TEST_F(Bench, PageHasEveryRow) {
  Strings rows;
  const std::string page = Slurp(LANEDIFF_SOURCE_DIR "/docs/performance.md");
  for (const std::string& line : Lines(page)) {
    if (line.starts_with("| `") && line.ends_with(" |") &&
        (line.ends_with(" met |") || line.ends_with(" missed |") ||
         line.ends_with(" shown |") || line.ends_with(" skipped |"))) {
      rows.push_back(line.substr(3, line.find('`', 3) - 3));
    }
  }
  EXPECT_EQ(rows, Lines(RunBench("--list").out))
      << "fix: script/bench --markdown FILE, then put FILE into the page";
  EXPECT_NE(page.find("\nlanediff 1."), std::string::npos);
}

TEST_F(Bench, BadOptionsAreNamed) {
  const std::pair<std::string, std::string> kBad[] = {
      {"--filter no-such-row", "no row matches no-such-row"},
      {"--filter '('", "( is no regular expression"},
      {"--bogus", "--bogus"},
      {"--emulator avx1024", "expected one of plain"},
      {"--filter vec_trans --json /nowhere/x.json", "/nowhere/x.json"},
      {"--filter vec_trans --markdown /nowhere/x.md", "/nowhere/x.md"},
  };
  for (const auto& [options, message] : kBad) {
    const Result r = RunBench(options);
    EXPECT_EQ(r.status, 2) << options;
    ExpectParts(r.out + r.err, {message});
  }
}

TEST_F(Bench, FilterPicksRows) {
  const Strings names = Lines(RunBench("--list --filter '^min\\.'").out);
  ASSERT_FALSE(names.empty());
  for (const std::string& name : names) {
    EXPECT_TRUE(name.starts_with("min.")) << name;
  }
}

}  // namespace
}  // namespace lanediff::bench
