#include "cli/verbs/merge/parts.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <filesystem>
#include <optional>
#include <set>

#include "case/case_reader.h"

namespace lanediff::cli {
namespace {

namespace fs = std::filesystem;

template <class T>
using Or = std::expected<T, std::string>;

std::string ShardText(const make::Shard& shard) {
  return fmt::format("{}/{}", shard.index, shard.count);
}

/// The documents in `folder`, by their names.
Or<std::vector<std::string>> FilesOf(const std::string& folder,
                                     const std::string& verb) {
  std::error_code error;
  if (!fs::is_directory(folder, error)) {
    return std::unexpected(
        folder + ": is no folder; one that a run with --shard left is allowed");
  }
  std::vector<std::string> files;
  for (fs::directory_iterator entry(folder, error), end; !error && entry != end;
       entry.increment(error)) {
    const fs::path& path = entry->path();
    if (reports::IsShardFileName(path.filename().string(), verb)) {
      files.push_back(path.string());
    }
  }
  if (error) {
    return std::unexpected(
        fmt::format("{}: can't be searched: {}", folder, error.message()));
  }
  if (files.empty()) {
    return std::unexpected(fmt::format(
        "{}: holds no {}.I-of-N.json; a folder that a run with --shard left "
        "is allowed",
        folder, verb.empty() ? "VERB" : verb));
  }
  std::ranges::sort(files);
  return files;
}

Or<Part> ReadPart(const std::string& file, const std::string& folder) {
  const auto text = ReadFile(file, reports::kMaxShardBytes);
  if (!text) return std::unexpected(file + ": " + text.error());
  if (text->size() > reports::kMaxShardBytes) {
    return std::unexpected(
        fmt::format("{}: more than {} bytes; at most these are allowed", file,
                    reports::kMaxShardBytes));
  }
  auto record = reports::ReadShard(*text);
  if (!record) return std::unexpected(file + ": " + record.error());
  return Part{*std::move(record), file, folder};
}

/// Why `part` is none of the run that `first` is of, as far as both tell; empty
/// if it may be.
std::string Mismatch(const Part& part, const Part& first) {
  const auto differ = [&](std::string_view what, const std::string& here,
                          const std::string& there) {
    return fmt::format("{}: {} is \"{}\", but \"{}\" in {}", part.file, what,
                       here, there, first.file);
  };
  const auto& a = part.record;
  const auto& b = first.record;
  if (a.verb != b.verb) {
    return fmt::format(
        "{}: is of {}, but {} is of {}; --verb says which one is meant",
        part.file, a.verb, first.file, b.verb);
  }
  if (a.program != b.program) {
    return differ("the version of lanediff", a.program, b.program);
  }
  if (a.shard.count != b.shard.count) {
    return differ("the number of shards", std::to_string(a.shard.count),
                  std::to_string(b.shard.count));
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
        part.file, ShardText(a.shard));
  }
  return "";
}

/// Why `parts`, sorted, are not all shards of a run; empty if they are.
std::string Gap(const std::vector<Part>& parts) {
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
    if (i > 0 && shard == parts[i - 1].record.shard) {
      return fmt::format("{}: shard {} is in {} already; once is allowed",
                         parts[i].file, ShardText(shard), parts[i - 1].file);
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

Or<std::vector<Part>> ReadParts(const std::vector<std::string>& folders,
                                const std::string& verb) {
  std::vector<Part> parts;
  for (const std::string& folder : folders) {
    const auto files = FilesOf(folder, verb);
    if (!files) return std::unexpected(files.error());
    for (const std::string& file : *files) {
      auto part = ReadPart(file, folder);
      if (!part) return std::unexpected(part.error());
      parts.push_back(*std::move(part));
      const std::string mismatch = Mismatch(parts.back(), parts.front());
      if (!mismatch.empty()) return std::unexpected(mismatch);
    }
  }
  std::ranges::sort(parts, {}, [](const Part& part) {
    return std::tie(part.record.shard.index, part.file);
  });
  const std::string gap = Gap(parts);
  if (!gap.empty()) return std::unexpected(gap);
  return parts;
}

}  // namespace lanediff::cli
