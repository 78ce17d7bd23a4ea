#pragma once

#include <gtest/gtest.h>

#include <expected>
#include <filesystem>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "differential/testcase/case_reader.h"
#include "differential/testcase/schema_faults.h"

/// For tests that read documents.
namespace lanediff {

/// The files of the cases of corpus/ in the source tree.
inline std::vector<std::filesystem::path> CorpusFiles() {
  namespace fs = std::filesystem;
  std::vector<fs::path> files;
  for (const auto& entry :
       fs::recursive_directory_iterator(LANEDIFF_SOURCE_DIR "/corpus")) {
    const std::string name = entry.path().filename();
    if (name.ends_with(".json") && !name.ends_with(".schema.json") &&
        name != "known_issues.json") {
      files.push_back(entry.path());
    }
  }
  EXPECT_GT(files.size(), 800u);
  return files;
}

/// Their cases. An unreadable case fails the first calling test, and is left
/// out.
inline const std::vector<Case>& Corpus() {
  static const std::vector<Case> cases = [] {
    std::vector<Case> all;
    for (const auto& file : CorpusFiles()) {
      auto c = ReadCaseFile(file.string());
      EXPECT_TRUE(c) << file << ": " << c.error();
      if (c) all.push_back(std::move(*c));
    }
    return all;
  }();
  return cases;
}

/// The case that `text` is, which must be one.
inline Case CaseFrom(std::string_view text) {
  const auto c = ReadCase(text);
  EXPECT_TRUE(c) << LineOf(c.error()) << "\n" << text;
  return c.value_or(Case());
}

inline void ExpectContains(std::string_view text, std::string_view part) {
  EXPECT_NE(text.find(part), text.npos) << part << " in\n" << text;
}

/// `text` with `now` for `old`, which must stand there.
inline std::string Replaced(std::string_view text, std::string_view old,
                            std::string_view now) {
  const auto at = text.find(old);
  EXPECT_NE(at, text.npos) << old << " in\n" << text;
  return std::string(text).replace(at, old.size(), now);
}

/// One change of a document that makes it malformed.
struct Refusal {
  std::string old;
  std::string now;
  std::string pointer;
  std::string message;  ///< a part of it
  bool schema_takes = false;
};

/// That `read` is an error of one line at `pointer` with `message` in it.
template <class T>
void ExpectRefused(const std::expected<T, CaseError>& read,
                   std::string_view pointer, std::string_view message) {
  ASSERT_FALSE(read);
  EXPECT_EQ(read.error().pointer, pointer) << read.error().message;
  ExpectContains(read.error().message, message);
  const std::string line = LineOf(read.error());
  EXPECT_EQ(line.find_first_of("\n\r"), line.npos) << line;
  EXPECT_LT(line.size(), 800u);
}

/// That `read` refuses `good` after each of the changes.
template <class Read>
void ExpectAllRefused(std::string_view good, const std::vector<Refusal>& rows,
                      const Read& read) {
  for (const Refusal& row : rows) {
    SCOPED_TRACE(row.old + " -> " + row.now.substr(0, 200));
    ExpectRefused(read(Replaced(good, row.old, row.now)), row.pointer,
                  row.message);
  }
}

/// Whether the JSON schema of the format that `text` names takes it.
inline bool SchemaTakes(const std::string& text) {
  const bool is_newer = text.contains("\"lanediff-case/2\"");
  const std::string name = is_newer ? "case-2.schema.json" : "case.schema.json";
  return test::SchemaFaults(text, LANEDIFF_SOURCE_DIR "/corpus/schema/" + name)
      .empty();
}

/// That the case reader refuses `good` after each of the changes, and the
/// schema where it can.
inline void ExpectNoCases(std::string_view good,
                          const std::vector<Refusal>& rows) {
  ExpectAllRefused(good, rows,
                   [](const std::string& text) { return ReadCase(text); });
  for (const Refusal& row : rows) {
    EXPECT_EQ(SchemaTakes(Replaced(good, row.old, row.now)), row.schema_takes)
        << row.old << " -> " << row.now.substr(0, 200);
  }
}

}  // namespace lanediff
