#include "differential/targets/recorded/target.h"

#include <fmt/format.h>
#include <sys/stat.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <map>
#include <memory>
#include <mutex>
#include <utility>

#include "differential/targets/recorded/outcome_path.h"
#include "differential/targets/recorded/outcome_reader.h"
#include "differential/testcase/case_reader.h"
#include "differential/testcase/json.h"

namespace lanediff::diff {
namespace {

std::unexpected<NoOutcome> Unknown(std::string why) {
  return std::unexpected(NoOutcome{NoOutcome::Kind::kUnknown, std::move(why)});
}

std::unexpected<NoOutcome> Malformed(const std::string& path,
                                     const std::string& what) {
  return std::unexpected(NoOutcome{NoOutcome::Kind::kMalformed,
                                   fmt::format("{}: {}", path, what)});
}

/// Outcome documents in a folder.
class RecordedTarget final : public Target {
 public:
  RecordedTarget(std::string name, std::string folder)
      : name_(std::move(name)), folder_(std::move(folder)) {}

  std::string_view name() const override { return name_; }
  std::string_view description() const override {
    return "outcomes that were recorded elsewhere; of their own cases only";
  }
  bool runs_any_case() const override { return false; }

  std::expected<Outcome, NoOutcome> Run(const Case& c) const override {
    const auto path = OutcomePath(folder_, c.id);
    if (!path) return Unknown(path.error());
    struct stat info{};
    if (stat(path->c_str(), &info) != 0 &&
        (errno == ENOENT || errno == ENOTDIR)) {
      return Unknown(fmt::format("no outcome document {}", *path));
    }
    const auto text = ReadFile(*path);
    if (!text) return Malformed(*path, text.error());
    auto outcome = ReadOutcome(*text, c);
    if (outcome) return std::move(*outcome);
    const CaseError& error = outcome.error();
    return Malformed(*path, error.pointer.empty()
                                ? error.message
                                : error.pointer + ": " + error.message);
  }

 private:
  std::string name_;
  std::string folder_;
};

std::expected<void, std::string> CheckFolder(const std::string& folder) {
  const auto fail = [&](std::string_view what) {
    return std::unexpected(fmt::format(
        "recorded:{}: {}; recorded:DIR takes a folder of outcome documents",
        Quote(folder, 200), what));
  };
  if (folder.empty()) return fail("no folder is named");
  struct stat info{};
  if (stat(folder.c_str(), &info) != 0) return fail(strerror(errno));
  if (!S_ISDIR(info.st_mode)) return fail("is no folder");
  return {};
}

}  // namespace

std::expected<const Target*, std::string> FindRecordedTarget(
    std::string_view name) {
  const std::string folder(name.substr(kRecordedPrefix.size()));
  if (const auto good = CheckFolder(folder); !good) {
    return std::unexpected(good.error());
  }
  static std::mutex mutex;
  static std::map<std::string, std::unique_ptr<RecordedTarget>, std::less<>>
      targets;
  const std::lock_guard lock(mutex);
  auto& target = targets[std::string(name)];
  if (!target) {
    target = std::make_unique<RecordedTarget>(std::string(name), folder);
  }
  return target.get();
}

std::optional<std::vector<std::string>> RecordedIds(std::string_view name,
                                                    std::string_view folder) {
  namespace fs = std::filesystem;
  if (!name.starts_with(kRecordedPrefix)) return std::nullopt;
  const fs::path root(name.substr(kRecordedPrefix.size()));
  std::vector<std::string> ids;
  std::error_code error;
  fs::recursive_directory_iterator entry(root / folder, error);
  for (; !error && entry != fs::recursive_directory_iterator();
       entry.increment(error)) {
    if (entry->path().extension() != ".json") continue;
    fs::path id = entry->path().lexically_relative(root);
    ids.push_back(id.replace_extension().generic_string());
  }
  std::ranges::sort(ids);
  return ids;
}

}  // namespace lanediff::diff
