#include "tools/cli/verbs/merge/parts.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <filesystem>
#include <iterator>
#include <tuple>

#include "differential/testcase/case_reader.h"

namespace lanediff::cli {
namespace {

namespace fs = std::filesystem;

template <class T>
using Or = std::expected<T, std::string>;

/// The documents in `folder`, of which but verb and shard are known yet.
Or<std::vector<Part>> PartsIn(const std::string& folder,
                              const std::string& verb) {
  std::error_code error;
  if (!fs::is_directory(folder, error)) {
    return std::unexpected(
        folder + ": is no folder; one that a run with --shard left is allowed");
  }
  std::vector<Part> parts;
  for (fs::directory_iterator entry(folder, error), end; !error && entry != end;
       entry.increment(error)) {
    const fs::path& path = entry->path();
    const auto name = reports::ParseShardFileName(path.filename().string());
    if (!name || (!verb.empty() && name->verb != verb)) continue;
    Part& part = parts.emplace_back();
    part.record.verb = name->verb;
    part.record.shard = name->shard;
    part.file = path.string();
    part.folder = folder;
  }
  if (error) {
    return std::unexpected(
        fmt::format("{}: can't be searched: {}", folder, error.message()));
  }
  if (parts.empty()) {
    return std::unexpected(fmt::format(
        "{}: holds no {}.I-of-N.json; a folder that a run with --shard left "
        "is allowed",
        folder, verb.empty() ? "VERB" : verb));
  }
  return parts;
}

Or<reports::ShardRecord> ReadPart(const std::string& file) {
  const auto text = ReadFile(file, reports::kMaxShardBytes);
  if (!text) return std::unexpected(file + ": " + text.error());
  if (text->size() > reports::kMaxShardBytes) {
    return std::unexpected(
        fmt::format("{}: more than {} bytes; at most these are allowed", file,
                    reports::kMaxShardBytes));
  }
  auto record = reports::ReadShard(*text);
  if (!record) return std::unexpected(file + ": " + record.error());
  if (fs::path(file).filename() != record->FileName()) {
    return std::unexpected(
        fmt::format("{}: holds shard {} of {}; the name {} is allowed", file,
                    record->shard.Text(), record->verb, record->FileName()));
  }
  return *std::move(record);
}

/// Why `part` is of another run than `first`, from both records; empty if both
/// may be of one run.
std::string Mismatch(const Part& part, const Part& first) {
  const auto differ = [&](std::string_view what, const std::string& here,
                          const std::string& there) {
    return fmt::format("{}: {} is \"{}\", but \"{}\" in {}", part.file, what,
                       here, there, first.file);
  };
  const auto& a = part.record;
  const auto& b = first.record;
  if (a.program != b.program) {
    return differ("the version of lanediff", a.program, b.program);
  }
  for (std::size_t i = 0; i < a.options.size() && i < b.options.size(); ++i) {
    if (a.options[i] == b.options[i]) continue;
    return differ(a.options[i].first, a.options[i].second, b.options[i].second);
  }
  if (a.options.size() != b.options.size()) {
    return part.file + ": has other options than " + first.file;
  }
  if (a.known_issues != b.known_issues) {
    return part.file + ": has other known issues than " + first.file;
  }
  if (!a.complete) {
    return fmt::format(
        "{}: shard {} was interrupted or could not save its results; run it "
        "again",
        part.file, a.shard.Text());
  }
  return "";
}

/// Why `parts`, sorted, are not all shards of a run, from their names; empty if
/// they are.
std::string Gap(const std::vector<Part>& parts) {
  const auto other = std::ranges::find_if(parts, [&](const Part& part) {
    return part.record.verb != parts.front().record.verb;
  });
  if (other != parts.end()) {
    return fmt::format("{}: is of {}, but {} is of {}; choose one with --verb",
                       other->file, other->record.verb, parts.front().file,
                       parts.front().record.verb);
  }
  std::vector<std::string> missing;
  std::uint64_t next = 0;
  const std::uint64_t count = parts.front().record.shard.count;
  const auto miss = [&](std::uint64_t end) {
    constexpr std::size_t kNamed = 10;
    for (; next < end; ++next) {
      if (missing.size() == kNamed) missing.push_back("...");
      if (missing.size() > kNamed) break;
      missing.push_back(fmt::format("{}/{}", next, count));
    }
  };
  for (std::size_t i = 0; i < parts.size(); ++i) {
    const auto& shard = parts[i].record.shard;
    if (shard.count != count) {
      return fmt::format("{}: the number of shards is \"{}\", but \"{}\" in {}",
                         parts[i].file, shard.count, count, parts.front().file);
    }
    if (i > 0 && shard == parts[i - 1].record.shard) {
      return fmt::format("{}: shard {} is in {} already; once is allowed",
                         parts[i].file, shard.Text(), parts[i - 1].file);
    }
    miss(shard.index);
    next = shard.index + 1;
  }
  miss(count);
  if (missing.empty()) return "";
  return fmt::format("of {} shards these are missing: {}", count,
                     fmt::join(missing, ", "));
}

}  // namespace

Or<Parts> Parts::Find(const std::vector<std::string>& folders,
                      const std::string& verb) {
  Parts all;
  for (const std::string& folder : folders) {
    auto parts = PartsIn(folder, verb);
    if (!parts) return std::unexpected(parts.error());
    std::ranges::move(*parts, std::back_inserter(all.parts_));
  }
  std::ranges::sort(all.parts_, {}, [](const Part& part) {
    return std::tie(part.record.shard.index, part.file);
  });
  const std::string gap = Gap(all.parts_);
  if (!gap.empty()) return std::unexpected(gap);
  all.verb_ = all.front().record.verb;
  return all;
}

Or<void> Parts::Read(const Take& take) {
  for (Part& part : parts_) {
    auto record = ReadPart(part.file);
    if (!record) return std::unexpected(record.error());
    part.record = *std::move(record);
    const std::string mismatch = Mismatch(part, front());
    if (!mismatch.empty()) return std::unexpected(mismatch);
    if (auto taken = take(part); !taken) return taken;
    part.record.run.reset();
    part.record.mutants.reset();
    part.record.states.clear();
    part.record.audit = {};
    if (&part != &front()) part.record.known_issues.clear();
  }
  return {};
}

}  // namespace lanediff::cli
