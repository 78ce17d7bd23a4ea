#include "tools/cli/verbs/merge/files.h"

#include <fmt/format.h>

#include <filesystem>

#include "differential/testcase/case_reader.h"
#include "differential/testcase/case_writer.h"
#include "differential/testcase/fuzz_input.h"
#include "tools/cli/common.h"

namespace lanediff::cli {
namespace {

namespace fs = std::filesystem;

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

std::expected<void, std::string> TakeKept(const std::string& path,
                                          const std::string& out,
                                          const std::string& folder,
                                          Files& files) {
  const std::string prefix = Prefix(out);
  if (!path.starts_with(prefix) || !IsKept(path.substr(prefix.size()))) {
    return std::unexpected(fmt::format(
        "{}: names {}; a file in findings/ or unconfirmed/ is allowed", folder,
        path));
  }
  const std::string source = Moved(path, out, folder);
  auto text = ReadFile(source);
  if (!text) return std::unexpected(source + ": " + text.error());
  if (source.ends_with(".json")) {
    if (const auto c = ReadCase(*text); !c) {
      return std::unexpected(fmt::format("{}: {}: {}", source,
                                         c.error().pointer, c.error().message));
    }
  }
  files[path] = *std::move(text);
  const std::string input = InputBeside(source);
  std::error_code error;
  if (input == source || !fs::exists(input, error)) return {};
  text = ReadFile(input);
  if (!text) return std::unexpected(input + ": " + text.error());
  files[InputBeside(path)] = *std::move(text);
  return {};
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
