#include "differential/compare/corpus_testing.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <string>
#include <utility>

#include "differential/testcase/case_reader.h"

namespace lanediff::diff {

namespace fs = std::filesystem;

const std::vector<Case>& Corpus() {
  static const std::vector<Case> cases = [] {
    std::vector<Case> all;
    const fs::path corpus = fs::path(LANEDIFF_SOURCE_DIR) / "corpus";
    for (const auto& entry : fs::recursive_directory_iterator(corpus)) {
      const std::string name = entry.path().filename().string();
      if (!name.ends_with(".json") || name.ends_with(".schema.json") ||
          name == "known_issues.json") {
        continue;
      }
      auto c = ReadCaseFile(entry.path().string());
      EXPECT_TRUE(c) << entry.path() << ": " << c.error();
      if (c) all.push_back(std::move(*c));
    }
    return all;
  }();
  return cases;
}

}  // namespace lanediff::diff
