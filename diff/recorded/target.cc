#include "diff/recorded/target.h"

#include <fmt/format.h>
#include <sys/stat.h>

#include <cerrno>
#include <cstring>
#include <map>
#include <memory>
#include <mutex>
#include <utility>

#include "case/case_reader.h"
#include "case/json.h"
#include "diff/recorded/outcome_path.h"
#include "diff/recorded/outcome_reader.h"
#include "diff/recording.h"

namespace lanediff::diff {
namespace {

/// Outcome documents in a folder.
class RecordedTarget final : public Target, public Recording {
 public:
  RecordedTarget(std::string name, std::string folder)
      : name_(std::move(name)), folder_(std::move(folder)) {}

  std::string_view name() const override { return name_; }
  std::string_view description() const override {
    return "outcomes that were recorded elsewhere; of their own cases only";
  }
  std::unique_ptr<Session> Open(isa::Product, isa::Memories) const override {
    return std::make_unique<UnableSession>();
  }
  const Recording* recording() const override { return this; }

  std::expected<RecordedOutcome, NotRecorded> Find(
      const Case& c) const override {
    const auto path = OutcomePath(folder_, c.id);
    if (!path) return std::unexpected(NotRecorded{false, path.error()});
    struct stat info{};
    if (stat(path->c_str(), &info) != 0 &&
        (errno == ENOENT || errno == ENOTDIR)) {
      return std::unexpected(
          NotRecorded{false, fmt::format("no outcome document {}", *path)});
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
  /// Steps can't be had one by one.
  class UnableSession final : public Session {
    isa::StepResult Execute(const isa::Step&) override {
      return {.status = isa::StepResult::Status::kUnsupported,
              .rules = {},
              .notes = {}};
    }
  };

  static std::unexpected<NotRecorded> Malformed(const std::string& path,
                                                const std::string& what) {
    return std::unexpected(
        NotRecorded{true, fmt::format("{}: {}", path, what)});
  }

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

}  // namespace lanediff::diff
