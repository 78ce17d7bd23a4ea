#include "differential/targets/recorded/target.h"

#include <fmt/format.h>
#include <sys/stat.h>

#include <algorithm>
#include <cerrno>
#include <cstdint>
#include <cstring>
#include <filesystem>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <utility>
#include <vector>

#include "differential/compare/unspecified.h"
#include "differential/memory/filled_memory.h"
#include "differential/memory/memory_set.h"
#include "differential/testcase/case_reader.h"
#include "differential/testcase/document_parts.h"
#include "differential/testcase/json_cursor.h"

namespace lanediff::diff {
namespace {

using Status = Outcome::Status;

/// A memory of `size` bytes, all of which are given.
std::vector<Region> ReadWhole(const Cursor& place, std::int64_t size) {
  ObjectCursor object(place);
  const Cursor hex = object.Required("hex");
  if (const auto stated = object.Optional("size"))
    stated->IntegerIn(size, size);
  object.Finish();
  Region region{.at = 0, .dtype = std::nullopt, .bytes = ReadHex(hex)};
  if (region.size() != size) {
    hex.Fail(
        fmt::format("found {} bytes; the {} of the whole memory are "
                    "allowed",
                    region.size(), size));
  }
  std::vector<Region> whole;
  whole.push_back(std::move(region));
  return whole;
}

/// No byte of a memory is given, which may be one that the case lacks.
bool IsEmptyList(const Cursor& place) {
  return place.IsArray() && place.CountItems() == 0;
}

/// Ranges, or whole memories.
RegionsByMemory ReadGivenMemory(const Cursor& place, const Case& c) {
  const auto exists = MemoriesOf(c);
  RegionsByMemory all;
  place.ForEachMember([&](std::string_view name, const Cursor& given) {
    const auto memory = isa::Parse<isa::Memory>(name);
    const auto m = static_cast<std::size_t>(memory.value_or(isa::Memory::kGm));
    if (memory && !exists[m] && IsEmptyList(given)) return;
    if (!memory || !exists[m]) {
      given.Fail(
          "the case has no such memory; those that it was given are "
          "allowed");
    }
    const std::int64_t size = SizeOf(c, *memory);
    all[m] =
        given.IsObject() ? ReadWhole(given, size) : ReadRegions(given, size);
  });
  return all;
}

/// Whatever the document lists, as the maximal ranges that changed.
RegionsByMemory ReadMemory(const Cursor& place, const Case& c,
                           const Outcome& outcome, OutcomeForm form) {
  const MemorySet initial(c);
  MemorySet memory = Overwritten(c, form == OutcomeForm::kDocument
                                        ? ReadChangedMemory(place, c)
                                        : ReadGivenMemory(place, c));
  CopyRanges(UnspecifiedAfter(c, StepsExecuted(c, outcome)), initial, memory);
  return ChangedRanges(initial, memory);
}

/// Whose outcome it is, before anything else is read of it.
void CheckOwner(ObjectCursor& object, const Case& c) {
  if (const auto format = object.Optional("format")) {
    format->Fail(
        "an outcome document has no such field, a case has; the folder of the "
        "outcomes is allowed, not that of the cases");
  }
  const auto owner = object.Optional("case");
  if (owner && owner->String() != c.id) {
    owner->Fail(
        fmt::format("found \"{}\"; \"{}\" is allowed, the id of the "
                    "case that looks for it",
                    Quote(owner->String()), Quote(c.id)));
  }
}

/// The step with which the program ended.
std::size_t ReadStep(ObjectCursor& object, const Case& c, Status status,
                     OutcomeForm form) {
  const auto last = static_cast<std::int64_t>(c.program.size()) - 1;
  const bool needless =
      form == OutcomeForm::kReply && status == Status::kUnsupported;
  const auto step =
      needless ? object.Optional("step") : object.Required("step");
  return step ? static_cast<std::size_t>(step->IntegerIn(0, last)) : 0;
}

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
    return Malformed(*path, LineOf(outcome.error()));
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

Outcome ReadOutcomeAt(const Cursor& root, const Case& c, OutcomeForm form) {
  ObjectCursor object(root);
  CheckOwner(object, c);
  Outcome outcome;
  outcome.status = static_cast<Status>(object.Required("outcome").OneOf(
      {"executed", "rejected", "unsupported"},
      "executed, rejected or unsupported is allowed"));
  if (outcome.status != Status::kExecuted) {
    outcome.step = ReadStep(object, c, outcome.status, form);
  }
  if (outcome.status == Status::kRejected) {
    if (const auto rules = object.Optional("rules")) {
      outcome.rules = ReadRules(*rules);
    }
  }
  if (const auto notes = object.Optional("notes")) {
    outcome.notes = ReadRules(*notes);
  }
  const bool executed = outcome.status == Status::kExecuted;
  const auto memory = executed && form == OutcomeForm::kDocument
                          ? object.Required("memory")
                          : object.Optional("memory");
  if (memory) {
    outcome.memory = ReadMemory(*memory, c, outcome, form);
  } else if (executed) {
    outcome.memory.emplace();
  }
  object.Read("target", outcome.observed);
  object.Finish();
  return outcome;
}

std::expected<Outcome, CaseError> ReadOutcome(std::string_view text,
                                              const Case& c) {
  return ReadDocument(
      text,
      [&](const Cursor& root) {
        return ReadOutcomeAt(root, c, OutcomeForm::kDocument);
      },
      kMaxCaseFileBytes);
}

std::expected<std::string, std::string> OutcomePath(std::string_view folder,
                                                    std::string_view id) {
  std::string_view rest = id;
  while (true) {
    const auto slash = rest.find('/');
    const std::string_view part = rest.substr(0, slash);
    if (part.empty() || part == "." || part == "..") {
      return std::unexpected(
          fmt::format("the id \"{}\" names no outcome document; one without "
                      "\"..\", \".\" and empty parts is allowed",
                      Quote(id)));
    }
    if (slash == rest.npos) break;
    rest.remove_prefix(slash + 1);
  }
  const bool slashed = folder.ends_with('/');
  return fmt::format("{}{}{}.json", folder, slashed ? "" : "/", id);
}

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
