#include "reports/kernel_record.h"

#include <algorithm>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <sstream>
#include <utility>

#include "differential/testcase/case_reader.h"
#include "reports/kernel.h"
#include "reports/kernel_line.h"
#include "reports/kernel_sources.h"
#include "reports/kernel_status.h"

namespace lanediff::reports {
namespace {

/// Each byte as the character with its number.
std::string Widened(std::string_view bytes) {
  std::string text;
  text.reserve(bytes.size());
  for (const char c : bytes) {
    const auto byte = static_cast<unsigned char>(c);
    if (byte < 0x80) {
      text += c;
    } else {
      text += static_cast<char>(0xc0 | byte >> 6);
      text += static_cast<char>(0x80 | (byte & 0x3f));
    }
  }
  return text;
}

/// The other way; a character of more than a byte, which `Widened` never
/// writes, stays as it is.
std::string Narrowed(std::string_view text) {
  std::string bytes;
  bytes.reserve(text.size());
  for (std::size_t i = 0; i < text.size(); ++i) {
    const auto lead = static_cast<unsigned char>(text[i]);
    if ((lead == 0xc2 || lead == 0xc3) && i + 1 < text.size()) {
      bytes += static_cast<char>((lead & 3) << 6 | (text[++i] & 0x3f));
    } else {
      bytes += text[i];
    }
  }
  return bytes;
}

/// Every text that is a value through `change`.
template <class F>
void Change(Json& json, const F& change) {
  if (auto* text = json.get_ptr<std::string*>()) {
    *text = change(*text);
  } else if (json.is_structured()) {
    for (Json& item : json) Change(item, change);
  }
}

}  // namespace

std::string WriteKernelLine(const std::function<void(Json&)>& write) {
  Json json;
  write(json);
  Change(json, Widened);
  return json.dump();
}

std::optional<CaseError> ReadKernelLine(
    std::string_view line, const std::function<void(const Cursor&)>& read) {
  auto json = ParseJson(line);
  if (!json) return json.error();
  Change(*json, Narrowed);
  try {
    read(Cursor(*json));
    return std::nullopt;
  } catch (const CaseError& error) {
    return error;
  }
}

std::string KernelJson(const kernel::RunRecord& record) {
  return RecordText(KernelDocument{record});
}

KernelSources::KernelSources(std::map<std::string, std::string> texts) {
  for (auto& [file, text] : texts) {
    std::istringstream in(std::move(text));
    std::vector<std::string>& lines = lines_[file];
    for (std::string line; std::getline(in, line);) {
      if (line.ends_with('\r')) line.pop_back();
      lines.push_back(std::move(line));
    }
  }
}

const std::vector<std::string>& KernelSources::Lines(
    const std::string& file) const {
  static const std::vector<std::string> kNone;
  const auto found = lines_.find(file);
  return found == lines_.end() ? kNone : found->second;
}

std::string_view KernelSources::Line(const std::string& file,
                                     std::int64_t line) const {
  const auto& lines = Lines(file);
  if (line < 1 || static_cast<std::uint64_t>(line) > lines.size()) return "";
  std::string_view text = lines[static_cast<std::size_t>(line - 1)];
  constexpr std::string_view kBlanks = " \t\f\v";
  const auto first = text.find_first_not_of(kBlanks);
  if (first == text.npos) return "";
  return text.substr(first, text.find_last_not_of(kBlanks) - first + 1);
}

KernelSources KernelSources::Shown(
    const kernel::RunRecord& record,
    const std::set<std::string>& compiled) const {
  namespace fs = std::filesystem;
  const auto canonical = [](const std::string& file) {
    std::error_code error;
    const fs::path path = fs::weakly_canonical(file, error);
    return error ? file : path.string();
  };
  std::set<std::string> known;
  for (const std::string& file : compiled) known.insert(canonical(file));
  const auto is_source = [&](const std::string& file) {
    if (!known.empty()) return known.contains(canonical(file));
    if (file.ends_with(".py")) return true;
    return std::ranges::any_of(record.sites, [&](const kernel::SiteRow& row) {
      return row.site.file == file && !row.op.empty() &&
             Line(file, row.site.line).contains(row.op);
    });
  };
  KernelSources shown;
  for (const auto& [file, lines] : lines_) {
    if (is_source(file)) shown.lines_.emplace(file, lines);
  }
  return shown;
}

std::set<std::string> FilesOf(const kernel::RunRecord& record) {
  std::set<std::string> files;
  for (const kernel::Finding& finding : record.findings) {
    files.insert(finding.later.site.file);
    if (finding.earlier) files.insert(finding.earlier->site.file);
  }
  for (const kernel::Note& note : record.notes) files.insert(note.site.file);
  for (const kernel::Hidden& hidden : record.hidden) {
    files.insert({hidden.later.file, hidden.earlier.file});
  }
  for (const kernel::Refusal& refusal : record.refusals) {
    files.insert(refusal.site.file);
  }
  for (const kernel::SiteRow& row : record.sites) files.insert(row.site.file);
  return files;
}

KernelSources ReadSources(const kernel::RunRecord& record) {
  std::map<std::string, std::string> texts;
  for (const std::string& file : FilesOf(record)) {
    if (file == kMainOfKernel) continue;
    if (auto text = ReadFile(file)) texts.emplace(file, std::move(*text));
  }
  return KernelSources(std::move(texts));
}

bool MeansFile(std::string_view name, std::string_view file) {
  if (name == file) return true;
  return !name.empty() && file.size() > name.size() && file.ends_with(name) &&
         file[file.size() - name.size() - 1] == '/';
}

}  // namespace lanediff::reports
