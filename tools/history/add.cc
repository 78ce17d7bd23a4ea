#include "tools/history/add.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <expected>
#include <filesystem>
#include <string_view>
#include <utility>

#include "differential/testcase/json.h"
#include "differential/testcase/record.h"
#include "reports/nightly.h"
#include "reports/shard.h"
#include "tools/history/writer.h"

namespace lanediff::campaign {
namespace {

namespace fs = std::filesystem;

constexpr std::array<std::string_view, 5> kNotLookedInto = {
    "findings", "fuzz-corpus", "lanediff-fuzz", "parts", "exhaust"};

/// Names that verbs give to what they leave, and script/nightly too.
bool IsNameOfResults(const fs::path& path) {
  constexpr std::array<std::string_view, 7> kNames = {
      "check", "fuzz", "sweep", "exhaust", "mutants", "audit", "replay"};
  return std::ranges::find(kNames, path.stem().string()) != kNames.end() ||
         reports::IsShardFileName(path.filename().string(), "");
}

void AddNightly(const std::string& out, Found& found) {
  const auto nightly = reports::ReadStages(out);
  if (!nightly) {
    found.problems.push_back(nightly.error());
    return;
  }
  FoundBatch more{.date = nightly->date, .commit = nightly->commit};
  const std::size_t problems = found.problems.size();
  for (const auto& stage : nightly->stages) {
    if (!stage.status || !stage.results.ends_with(".json")) continue;
    const std::string file = (fs::path(out) / stage.results).string();
    const auto format = FormatOf(file);
    if (!format) {
      found.problems.push_back(fmt::format("{}: of the stage {}: {}", file,
                                           stage.name, format.error()));
    } else if (!*format || IsKept(**format)) {
      more.documents.push_back({.file = file,
                                .seconds = static_cast<double>(stage.seconds),
                                .unfinished = stage.unfinished});
    }
  }
  if (more.documents.empty() && found.problems.size() == problems) {
    found.problems.push_back(
        out +
        "/stages.txt: no stage has results that a campaign keeps; no document "
        "is added");
    return;
  }
  found.batches.push_back(std::move(more));
}

void AddFile(const fs::path& path, Found& found) {
  const auto format = FormatOf(path.string());
  if (!format) {
    found.problems.push_back(path.string() + ": " + format.error());
  } else if (*format ? IsKept(**format) : IsNameOfResults(path)) {
    found.batches.push_back({.documents = {{.file = path.string()}}});
  }
}

void Search(const fs::path& folder, Found& found) {
  if (reports::IsNightlyFolder(folder.string()))
    return AddNightly(folder.string(), found);
  std::error_code error;
  std::vector<fs::path> paths;
  for (fs::directory_iterator entry(folder, error), end; !error && entry != end;
       entry.increment(error)) {
    paths.push_back(entry->path());
  }
  if (error) {
    found.problems.push_back(fmt::format("{}: can't be searched: {}",
                                         folder.string(), error.message()));
    return;
  }
  std::ranges::sort(paths);
  for (const fs::path& path : paths) {
    const std::string name = path.filename().string();
    if (fs::is_directory(path, error)) {
      const bool looked =
          !fs::is_symlink(path, error) &&
          std::ranges::find(kNotLookedInto, name) == kNotLookedInto.end();
      if (looked) Search(path, found);
    } else if (path.extension() == ".json") {
      AddFile(path, found);
    }
  }
}

/// "1.0.0+0123456789ab.changed.01234567" → "0123456789ab".
std::string CommitIn(std::string_view program) {
  const auto plus = program.find('+');
  if (plus == std::string_view::npos) return "";
  const std::string_view rest = program.substr(plus + 1);
  return std::string(rest.substr(0, rest.find('.')));
}

std::expected<DatedPart, std::string> ReadOf(const FoundDocument& document,
                                             const FoundBatch& batch,
                                             const AddOptions& options) {
  auto part = ReadPart(document.file);
  if (!part) return std::unexpected(part.error());
  DatedPart read{.part = *std::move(part)};
  if (document.seconds > 0) read.part.seconds = document.seconds;
  if (document.unfinished && read.part.unfinished.empty()) {
    read.part.unfinished = "its stage ran out of time";
  }
  read.date = !options.date.empty() ? options.date
              : !batch.date.empty() ? batch.date
                                    : read.part.day;
  if (read.date.empty()) {
    return std::unexpected("missing date; fix: pass --date YYYY-MM-DD");
  }
  if (const std::string wrong = NoDate(read.date); !wrong.empty()) {
    return std::unexpected(
        fmt::format("date: {}; fix: pass --date YYYY-MM-DD", wrong));
  }
  read.commit = !options.commit.empty() ? options.commit
                : !batch.commit.empty() ? batch.commit
                                        : CommitIn(read.part.program);
  return read;
}

}  // namespace

Found FindDocuments(const std::string& out) {
  Found found;
  std::error_code error;
  if (fs::is_directory(out, error)) {
    Search(out, found);
    if (found.batches.empty() && found.problems.empty()) {
      found.problems.push_back(
          out +
          ": holds no result of a run; a folder that script/nightly, lanediff "
          "merge or a run with --shard left, or what a run left with --json, "
          "is allowed");
    }
  } else if (fs::exists(out, error)) {
    found.batches.push_back({.documents = {{.file = out}}});
  } else {
    found.problems.push_back(out + ": is not there");
  }
  return found;
}

std::string NoDate(const std::string& text) {
  const auto wrong = [&] {
    return fmt::format(
        "found \"{}\"; YYYY-MM-DD or YYYY-MM-DDTHH:MM:SSZ is allowed",
        Quote(text));
  };
  if (!NoDay(text.substr(0, 10)).empty()) return wrong();
  if (text.size() == 10) return "";
  constexpr std::string_view kForm = "T00:00:00Z";
  if (text.size() != 10 + kForm.size()) return wrong();
  for (std::size_t i = 0; i < kForm.size(); ++i) {
    const char c = text[10 + i];
    if (kForm[i] == '0' ? c < '0' || c > '9' : c != kForm[i]) return wrong();
  }
  const auto at = [&](std::size_t place) { return text.substr(place, 2); };
  return at(11) < "24" && at(14) < "60" && at(17) < "60" ? "" : wrong();
}

Adder::Adder(Database& database)
    : writer_(std::make_unique<Writer>(database)) {}
Adder::~Adder() = default;

AddResult Adder::Add(const FoundBatch& batch, const AddOptions& options) {
  AddResult result;
  std::vector<DatedPart> all = {};
  for (const FoundDocument& document : batch.documents) {
    auto read = ReadOf(document, batch, options);
    if (read) {
      all.push_back(*std::move(read));
    } else {
      result.problems.push_back(document.file + ": " + read.error());
    }
  }
  if (all.empty()) return result;
  Database::Transaction transaction(writer_->database());
  for (const DatedPart& read : all) {
    auto line = writer_->Add(read, options.label);
    if (line) {
      result.lines.push_back(*std::move(line));
    } else {
      result.problems.push_back(read.part.file + ": " + line.error());
    }
  }
  transaction.Commit();
  return result;
}

}  // namespace lanediff::campaign
