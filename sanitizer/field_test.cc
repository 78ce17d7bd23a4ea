// The programs of corpus/field/: mistakes as kernels have them, and programs
// that look like such mistakes and are right. corpus/field/lint.txt lists what
// lint must find in each.

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <map>
#include <string>
#include <vector>

#include "differential/testcase/case_reader.h"
#include "sanitizer/lint.h"

namespace lanediff::lint {
namespace {

namespace fs = std::filesystem;

const fs::path kField = fs::path(LANEDIFF_SOURCE_DIR) / "corpus/field";

/// The words of lint.txt by name of file, a line each.
std::map<std::string, std::string> Wanted() {
  std::map<std::string, std::string> wanted;
  std::ifstream file(kField / "lint.txt");
  for (std::string line; std::getline(file, line);) {
    if (line.starts_with('#')) continue;
    const std::size_t colon = line.find(": ");
    EXPECT_NE(colon, std::string::npos) << line;
    if (colon == std::string::npos) continue;
    EXPECT_TRUE(
        wanted.emplace(line.substr(0, colon) + ".json", line.substr(colon + 2))
            .second)
        << line << ": twice";
  }
  return wanted;
}

/// "DC-BOUNDS@0 SYNC-RAW@4", or "clean".
std::string FoundIn(const Case& c) {
  const Verdict verdict = Lint(c);
  std::vector<std::string> words;
  const auto add = [&](isa::RuleId rule, std::size_t step) {
    words.push_back(std::string(rule.text()) + "@" + std::to_string(step));
  };
  for (const Hazard& hazard : verdict.hazards) {
    add(hazard.rule, hazard.later.step);
  }
  if (verdict.rejected) {
    for (const isa::RuleId rule : verdict.rejected->rules) {
      add(rule, verdict.rejected->step);
    }
  }
  std::ranges::sort(words);
  std::string text;
  for (const std::string& word : words)
    text += (text.empty() ? "" : " ") + word;
  if (verdict.unsupported) return "unsupported";
  return text.empty() ? "clean" : text;
}

TEST(FieldPrograms, LintSaysWhatIsWrittenOfEach) {
  std::map<std::string, std::string> wanted = Wanted();
  EXPECT_GE(wanted.size(), 24U);
  EXPECT_GE(std::ranges::count_if(
                wanted, [](const auto& one) { return one.second == "clean"; }),
            10);
  for (const auto& entry : fs::directory_iterator(kField)) {
    const std::string name = entry.path().filename().string();
    if (!name.ends_with(".json")) continue;
    const auto c = ReadCaseFile(entry.path().string());
    ASSERT_TRUE(c) << name << ": " << c.error();
    EXPECT_EQ(c->id + ".json", "field/" + name);
    const auto line = wanted.find(name);
    if (line == wanted.end()) {
      ADD_FAILURE() << name << " has no line in lint.txt";
      continue;
    }
    EXPECT_EQ(FoundIn(*c), line->second) << name << ": " << c->note;
    EXPECT_EQ(name.starts_with("clean-"), line->second == "clean") << name;
    wanted.erase(line);
  }
  for (const auto& [name, words] : wanted) {
    ADD_FAILURE() << name << " has a line in lint.txt and is not there";
  }
}

/// What a program that is right would be without one of its flags, barriers or
/// mask steps: each is there for a reason.
TEST(FieldPrograms, CleanOnesNeedEachOfTheirOrderingSteps) {
  std::size_t taken = 0;
  for (const auto& entry : fs::directory_iterator(kField)) {
    const std::string name = entry.path().filename().string();
    if (!name.starts_with("clean-")) continue;
    const auto c = ReadCaseFile(entry.path().string());
    ASSERT_TRUE(c) << name;
    for (std::size_t i = 0; i < c->program.size(); ++i) {
      const std::string_view op = isa::OpName(c->program[i]);
      if (op != "WaitFlag" && op != "PipeBarrier" && op != "ResetMask")
        continue;
      // What comes at the very end orders nothing that follows.
      if (i + 1 == c->program.size()) continue;
      Case without = *c;
      without.program.erase(without.program.begin() +
                            static_cast<std::ptrdiff_t>(i));
      EXPECT_NE(FoundIn(without), "clean") << name << " without step " << i;
      ++taken;
    }
  }
  EXPECT_GT(taken, 30U);
}

}  // namespace
}  // namespace lanediff::lint
