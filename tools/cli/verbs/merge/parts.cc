#include "tools/cli/verbs/merge/parts.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <filesystem>
#include <iterator>
#include <tuple>

#include "differential/testcase/case_reader.h"
#include "differential/testcase/case_writer.h"
#include "differential/testcase/fuzz_input.h"
#include "tools/cli/common.h"
#include "tools/cli/progress.h"

namespace lanediff::cli {
namespace {

namespace fs = std::filesystem;

/// The documents in `folder`, of which but verb and shard are known yet.
std::vector<Part> PartsIn(const std::string& folder, const std::string& verb) {
  std::error_code error;
  if (!fs::is_directory(folder, error)) {
    Fail(folder +
         ": is no folder; one that a run with --shard left is allowed");
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
    Fail("{}: can't be searched: {}", folder, error.message());
  }
  if (parts.empty()) {
    Fail(
        "{}: holds no {}.I-of-N.json; a folder that a run with --shard left "
        "is allowed",
        folder, verb.empty() ? "VERB" : verb);
  }
  return parts;
}

reports::ShardRecord ReadPart(const std::string& file) {
  const auto text =
      OrFail(ReadFile(file, reports::kMaxShardBytes), file + ": ");
  if (text.size() > reports::kMaxShardBytes) {
    Fail("{}: more than {} bytes; at most these are allowed", file,
         reports::kMaxShardBytes);
  }
  auto record = OrFail(reports::ReadShard(text), file + ": ");
  if (fs::path(file).filename() != record.FileName()) {
    Fail("{}: holds shard {} of {}; the name {} is allowed", file,
         record.shard.Text(), record.verb, record.FileName());
  }
  return record;
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

std::string Prefix(const std::string& folder) {
  return (fs::path(folder) / "").string();
}

/// The input of a crash that lies beside `path`.
std::string InputBeside(const std::string& path) {
  return fs::path(path).replace_extension(".input").string();
}

/// Replaces the word `old` of a shell command wherever it stands.
void ReplaceWord(std::string& command, const std::string& old,
                 const std::string& now) {
  const std::string from = " " + ShellWord(old);
  const std::string to = " " + ShellWord(now);
  for (auto at = command.find(from); at != std::string::npos;
       at = command.find(from, at + to.size())) {
    const auto end = at + from.size();
    if (end < command.size() && command[end] != ' ') continue;
    command.replace(at, from.size(), to);
  }
}

/// Whether shards keep cases at such a path below their folder.
bool IsKept(const fs::path& below) {
  const auto folder = below.parent_path();
  return (folder == "findings" || folder == "unconfirmed") &&
         below.filename() != ".." && below.has_filename();
}

std::size_t SizeOf(const std::string& path) {
  if (const auto c = ReadCaseFile(path)) {
    if (const auto bytes = EncodeFuzzInput(*c)) return bytes->size();
    return kMaxFuzzMemoryBytes;
  }
  std::error_code error;
  const auto size = fs::file_size(path, error);
  return error ? kMaxFuzzMemoryBytes : static_cast<std::size_t>(size);
}

}  // namespace

Parts Parts::Find(const std::vector<std::string>& folders,
                  const std::string& verb) {
  Parts all;
  for (const std::string& folder : folders) {
    std::ranges::move(PartsIn(folder, verb), std::back_inserter(all.parts_));
  }
  std::ranges::sort(all.parts_, {}, [](const Part& part) {
    return std::tie(part.record.shard.index, part.file);
  });
  const std::string gap = Gap(all.parts_);
  if (!gap.empty()) Fail(gap);
  return all;
}

void Parts::Read(const std::function<void(Part&)>& take) {
  Progress progress(parts_.size(), "shards");
  std::uint64_t done = 0;
  for (Part& part : parts_) {
    progress.Step(done++, 0);
    part.record = ReadPart(part.file);
    const std::string mismatch = Mismatch(part, front());
    if (!mismatch.empty()) Fail(mismatch);
    take(part);
    part.record.run.reset();
    part.record.mutants.reset();
    part.record.states.clear();
    part.record.audit = {};
    if (&part != &front()) part.record.known_issues.clear();
  }
}

std::string Moved(const std::string& path, const std::string& from,
                  const std::string& to) {
  const std::string prefix = Prefix(from);
  if (!path.starts_with(prefix)) return path;
  return Prefix(to) + path.substr(prefix.size());
}

void Move(reports::RunRecord& run, const std::string& from,
          const std::string& to) {
  for (reports::CaseRecord& record : run.cases) {
    const std::string path = Moved(record.path, from, to);
    ReplaceWord(record.reproduce, record.path, path);
    ReplaceWord(record.reproduce, InputBeside(record.path), InputBeside(path));
    record.path = path;
  }
}

void TakeKept(const std::string& path, const std::string& out,
              const std::string& folder, Files& files) {
  const std::string prefix = Prefix(out);
  if (!path.starts_with(prefix) || !IsKept(path.substr(prefix.size()))) {
    Fail("{}: names {}; a file in findings/ or unconfirmed/ is allowed", folder,
         path);
  }
  const std::string source = Moved(path, out, folder);
  const std::string& text = files[path] =
      OrFail(ReadFile(source), source + ": ");
  if (source.ends_with(".json")) {
    if (const auto c = ReadCase(text); !c) {
      Fail("{}: {}: {}", source, c.error().pointer, c.error().message);
    }
  }
  const std::string input = InputBeside(source);
  std::error_code error;
  if (input == source || !fs::exists(input, error)) return;
  files[InputBeside(path)] = OrFail(ReadFile(input), input + ": ");
}

bool WriteFiles(const Files& files) {
  for (const auto& [path, text] : files) {
    if (!MakeFolder(fs::path(path).parent_path().string())) return false;
    if (!WriteTo(path, [&] { return text; })) return false;
  }
  return true;
}

bool IsSmaller(const std::string& path, const std::string& other) {
  return SizeOf(path) < SizeOf(other);
}

}  // namespace lanediff::cli
