#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <sstream>
#include <string>
#include <vector>

#include "differential/compare/expected_result.h"
#include "differential/memory/memory_set.h"
#include "differential/testcase/case.h"
#include "differential/testcase/case_reader.h"
#include "reports/export/export.h"

/// For the tests of exported snippets.
namespace lanediff::exports::test {

namespace fs = std::filesystem;

/// Every case of the corpus, in order of their files.
inline const std::vector<Case>& Corpus() {
  static const std::vector<Case> cases = [] {
    std::vector<fs::path> paths;
    for (const auto& entry :
         fs::recursive_directory_iterator(LANEDIFF_SOURCE_DIR "/corpus")) {
      const std::string name = entry.path().filename();
      if (name.ends_with(".json") && !name.ends_with(".schema.json") &&
          name != "known_issues.json") {
        paths.push_back(entry.path());
      }
    }
    std::ranges::sort(paths);
    std::vector<Case> read;
    for (const fs::path& path : paths) {
      auto c = ReadCaseFile(path.string());
      EXPECT_TRUE(c) << path << ": " << c.error();
      if (c) read.push_back(std::move(*c));
    }
    return read;
  }();
  return cases;
}

inline Snippet Export(const Case& c, std::string_view file_name = "") {
  auto snippet = ExportCase(c, diff::ExpectedResultOf(c), file_name);
  EXPECT_TRUE(snippet) << c.id << ": " << snippet.error();
  return snippet ? std::move(*snippet) : Snippet{};
}

inline std::string Slurp(const fs::path& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

/// A folder that is there as long as this lives.
class Folder {
 public:
  explicit Folder(const std::string& name)
      : path_(fs::path(testing::TempDir()) /
              ("lanediff-export-" + name + "-" + std::to_string(getpid()))) {
    fs::create_directories(path_);
  }
  Folder(const Folder&) = delete;
  Folder& operator=(const Folder&) = delete;
  ~Folder() { fs::remove_all(path_); }

  void Write(const std::string& name, const std::string& text) const {
    std::ofstream(path_ / name, std::ios::binary) << text;
  }
  /// Runs a shell command in the folder; its output goes to `out` and `err`.
  bool Shell(const std::string& command) const {
    const std::string whole =
        "cd '" + path_.string() + "' && (" + command + ") >out 2>err";
    return std::system(whole.c_str()) == 0;
  }
  std::string Read(const std::string& name) const {
    return Slurp(path_ / name);
  }

 private:
  fs::path path_;
};

/// A checksum that the snippets' drivers compute likewise.
template <class Bytes>
std::uint64_t Fnv(const Bytes& bytes) {
  std::uint64_t hash = 0xcbf29ce484222325;
  for (const auto byte : bytes) {
    hash = (hash ^ static_cast<std::uint8_t>(byte)) * 0x100000001b3;
  }
  return hash;
}

/// The lines of `text` that aren't empty.
inline std::vector<std::string> Lines(const std::string& text) {
  std::vector<std::string> lines;
  std::istringstream in(text);
  for (std::string line; std::getline(in, line);) {
    if (!line.empty()) lines.push_back(line);
  }
  return lines;
}

/// What a driver printed, by "case" lines: the other lines of each case.
inline std::vector<std::vector<std::string>> OutputByCase(
    const std::string& text) {
  std::vector<std::vector<std::string>> output;
  for (const std::string& line : Lines(text)) {
    if (line.starts_with("case ")) {
      output.emplace_back();
    } else {
      output.back().push_back(line);
    }
  }
  return output;
}

/// The folder of the stand-ins for the vendor's headers, and a compiler of C++
/// that finds them.
inline const std::string kTesting =
    LANEDIFF_SOURCE_DIR "/reports/export/testing/";
inline const std::string kCompile =
    LANEDIFF_CXX " -std=c++17 -I" + kTesting + "ascendc -I" + kTesting + "pto ";

inline bool Has(const std::string& text, std::string_view part) {
  return text.find(part) != std::string::npos;
}

}  // namespace lanediff::exports::test
