// Runs lanediff-bench and looks at its table and JSON; no time is asserted.

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <nlohmann/json.hpp>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

namespace lanediff::bench {
namespace {

using Json = nlohmann::ordered_json;

struct Outcome {
  int status = 0;
  std::string output;
};

/// Runs lanediff-bench with `options`; what it prints, errors included.
Outcome RunBench(const std::string& options) {
  Outcome outcome;
  const std::string command =
      std::string(LANEDIFF_BENCH_PROGRAM) + " " + options + " 2>&1";
  FILE* const pipe = popen(command.c_str(), "r");
  if (pipe == nullptr) return {.status = -1, .output = "popen"};
  char buffer[4096];
  std::size_t size = 0;
  while ((size = fread(buffer, 1, sizeof buffer, pipe)) > 0) {
    outcome.output.append(buffer, size);
  }
  const int status = pclose(pipe);
  outcome.status = WIFEXITED(status) ? WEXITSTATUS(status) : -1;
  return outcome;
}

std::vector<std::string> Lines(const std::string& text) {
  std::vector<std::string> lines;
  std::istringstream in(text);
  for (std::string line; std::getline(in, line);) lines.push_back(line);
  return lines;
}

std::string TextOf(const std::string& file) {
  std::ostringstream text;
  text << std::ifstream(file).rdbuf();
  return text.str();
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
TEST(Bench, TableJsonAndMarkdownHaveEveryRow) {
  const std::string file = testing::TempDir() + "lanediff-bench-table-" +
                           std::to_string(getpid()) + ".json";
  const Outcome run =
      RunBench("--quick --json " + file + " --markdown " + file + ".md" +
               " --lanediff " LANEDIFF_PROGRAM " --corpus " LANEDIFF_SOURCE_DIR
               "/corpus --fuzzers /nowhere");
  ASSERT_EQ(run.status, 0) << run.output;
  std::ifstream in(file);
  const Json json = Json::parse(in, nullptr, false);
  ASSERT_EQ(json["format"], "lanediff-bench/1");
  ExpectMachine(json["machine"]);

  const std::vector<std::string> names = Lines(RunBench("--list").output);
  ASSERT_GT(names.size(), 80u);
  ASSERT_EQ(json["rows"].size(), names.size());
  const std::vector<std::string> markdown = Lines(TextOf(file + ".md"));
  // The machine, a blank line and two lines of heading.
  ASSERT_EQ(markdown.size(), names.size() + 4);
  int missed = 0;
  for (std::size_t i = 0; i < names.size(); ++i) {
    SCOPED_TRACE(names[i]);
    const Json& row = json["rows"][i];
    EXPECT_EQ(row["name"], names[i]);
    EXPECT_NE(run.output.find("\n" + names[i] + " "), std::string::npos);
    EXPECT_TRUE(markdown[i + 4].starts_with("| `" + names[i] + "` | "));
    missed += row["status"] == "missed";
    if (names[i].starts_with("fuzz.")) {
      EXPECT_EQ(row["status"], "skipped");
      EXPECT_NE(row["why"].get<std::string>().find("/nowhere"),
                std::string::npos);
    } else if (!row.contains("why")) {
      ExpectRow(row);
    } else {
      EXPECT_EQ(row["status"], "skipped") << row["why"];
    }
  }
  const std::string summary = Lines(run.output).back();
  EXPECT_NE(summary.find(std::to_string(missed) + " missed"), std::string::npos)
      << summary;
  std::remove(file.c_str());
  std::remove((file + ".md").c_str());
}

/// The page of the figures names each row once, in order, and the version.
TEST(Bench, PageHasEveryRow) {
  std::vector<std::string> rows;
  const std::string page = TextOf(LANEDIFF_SOURCE_DIR "/docs/performance.md");
  for (const std::string& line : Lines(page)) {
    if (line.starts_with("| `") && line.ends_with(" |") &&
        (line.ends_with(" met |") || line.ends_with(" missed |") ||
         line.ends_with(" shown |") || line.ends_with(" skipped |"))) {
      rows.push_back(line.substr(3, line.find('`', 3) - 3));
    }
  }
  EXPECT_EQ(rows, Lines(RunBench("--list").output))
      << "fix: script/bench --markdown FILE, then put FILE into the page";
  EXPECT_NE(page.find("\nlanediff 1."), std::string::npos);
}

TEST(Bench, BadOptionsAreNamed) {
  const std::pair<std::string, std::string> kBad[] = {
      {"--filter no-such-row", "no row matches no-such-row"},
      {"--filter '('", "( is no regular expression"},
      {"--bogus", "--bogus"},
      {"--emulator avx1024", "expected one of plain"},
      {"--filter vec_trans --json /nowhere/x.json", "/nowhere/x.json"},
      {"--filter vec_trans --markdown /nowhere/x.md", "/nowhere/x.md"},
  };
  for (const auto& [options, message] : kBad) {
    const Outcome outcome = RunBench(options);
    EXPECT_EQ(outcome.status, 2) << options;
    EXPECT_NE(outcome.output.find(message), std::string::npos)
        << outcome.output;
  }
}

TEST(Bench, FilterPicksRows) {
  const std::vector<std::string> names =
      Lines(RunBench("--list --filter '^min\\.'").output);
  ASSERT_FALSE(names.empty());
  for (const std::string& name : names) {
    EXPECT_TRUE(name.starts_with("min.")) << name;
  }
}

}  // namespace
}  // namespace lanediff::bench
