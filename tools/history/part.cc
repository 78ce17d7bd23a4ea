#include "tools/history/part.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <regex>
#include <span>

#include "differential/testcase/case_reader.h"
#include "differential/testcase/content_hash.h"
#include "differential/testcase/json.h"
#include "reports/shard.h"
#include "tools/history/folding.h"

namespace lanediff::campaign {
namespace {

namespace fs = std::filesystem;

constexpr std::array<std::string_view, 3> kVerbs = {"mutants", "audit",
                                                    "exhaust"};

/// What is read of a document, in which version, and how.
struct Format {
  std::string_view name;
  /// What its "verb" may be; of one alone there is no such field.
  std::span<const std::string_view> verbs;
  void (*fold)(const Cursor& root, Part& part);
};
constexpr std::array<Format, 5> kFormats = {{
    {"lanediff-run/1", reports::kRunVerbs, FoldRun},
    {"lanediff-shard/1", reports::kShardVerbs, FoldShard},
    {"lanediff-mutants/1", {&kVerbs[0], 1}, FoldMutants},
    {"lanediff-audit/1", {&kVerbs[1], 1}, FoldAudit},
    {"lanediff-exhaust/1", {&kVerbs[2], 1}, FoldExhaust},
}};

/// Lists whose items are folded, or left, one by one.
constexpr std::string_view kStreamed[] = {"/cases", "/run/cases", "/rules",
                                          "/places", "/disagreements"};

void Fold(const Cursor& root, const Format& format, Part& part) {
  part.verb = format.verbs.front();
  if (format.verbs.size() > 1) {
    const Cursor verb = ObjectCursor(root).Required("verb");
    part.verb = verb.String();
    if (std::ranges::find(format.verbs, part.verb) == format.verbs.end()) {
      verb.Fail(fmt::format("found \"{}\"; {} is allowed", Quote(part.verb),
                            fmt::join(format.verbs, ", ")));
    }
  }
  if (part.verb != "check") part.case_hashes.clear();
  if (part.verb != "check" && part.verb != "audit") part.figures.clear();
  format.fold(root, part);
  std::ranges::sort(part.case_hashes);
}

/// Takes the case at `path` into the sighting, if it is its; false if not.
bool TakeCase(const fs::path& path, const std::string& signature,
              Sighting& sighting) {
  std::error_code error;
  if (!fs::is_regular_file(path, error) ||
      fs::file_size(path, error) > kMaxKeptCaseBytes) {
    return false;
  }
  auto text = ReadFile(path.string(), kMaxKeptCaseBytes);
  if (!text) return false;
  const auto c = ReadCase(*text);
  if (!c) return false;
  const std::string name = CaseName(c->id, reports::OlderEdition(*c));
  if (name != sighting.case_name) {
    // Fuzz names it by its first finding, exhaust by its path: the file has its
    // id, and of which finding it is.
    const std::string& finding =
        sighting.case_name == sighting.path ? signature : sighting.case_name;
    if (!c->origin || c->origin->signature != finding) return false;
  }
  sighting.case_name = name;
  sighting.case_text = *std::move(text);
  return true;
}

/// Takes each finding's case from where it lies now: the folder of the
/// document may have been moved as a whole.
void KeepCases(Part& part) {
  const fs::path folder = fs::path(part.file).parent_path();
  for (auto& [signature, sighting] : part.findings) {
    sighting.document_name = sighting.case_name;
    if (sighting.path.empty()) continue;
    const fs::path path = sighting.path;
    for (const fs::path& place :
         {folder / "findings" / path.filename(), folder / path, path}) {
      if (TakeCase(place, signature, sighting)) break;
    }
  }
}

}  // namespace

std::uint64_t CaseHash(std::string_view id) {
  ContentHasher hasher;
  hasher.Add(id);
  return hasher.Number();
}

std::expected<std::optional<std::string>, std::string> FormatOf(
    const std::string& file) {
  std::error_code error;
  if (!fs::is_regular_file(file, error)) {
    return std::unexpected(error ? error.message() : "is no regular file");
  }
  std::ifstream stream(file, std::ios::binary);
  std::string start(512, '\0');
  stream.read(start.data(), static_cast<std::streamsize>(start.size()));
  if (stream.bad() || !stream.is_open()) {
    return std::unexpected("can't be read");
  }
  start.resize(static_cast<std::size_t>(stream.gcount()));
  static const std::regex begins(R"(\s*\{\s*"format"\s*:\s*"([^"]*))");
  std::smatch match;
  if (!std::regex_search(start, match, begins,
                         std::regex_constants::match_continuous)) {
    return std::nullopt;
  }
  return match.str(1);
}

bool IsKept(std::string_view format) {
  const auto name_of = [](std::string_view text) {
    return text.substr(0, text.find('/'));
  };
  return std::ranges::any_of(kFormats, [&](const Format& one) {
    return name_of(one.name) == name_of(format);
  });
}

std::expected<Part, std::string> ReadPart(const std::string& file) {
  const auto name = FormatOf(file);
  if (!name) return std::unexpected(name.error());
  const auto* const format =
      std::ranges::find(kFormats, name->value_or(""), &Format::name);
  if (format == kFormats.end()) {
    std::string allowed;
    for (const Format& one : kFormats) {
      allowed += (allowed.empty() ? "" : ", ") + std::string(one.name);
    }
    return std::unexpected(
        fmt::format("found {}; a document of {} is allowed",
                    *name ? fmt::format("format \"{}\"", Quote(**name))
                          : "no \"format\" at its beginning",
                    allowed));
  }
  Part part;
  part.file = file;
  std::ifstream stream(file, std::ios::binary);
  // Cases come before the verb is known from elsewhere.
  part.verb = "check";
  const auto json = ParseJson(
      stream, {.pointers = kStreamed,
               .take = [&](std::size_t array, std::size_t, const Json& item) {
                 const Cursor place(item);
                 if (array < 2) {
                   FoldCase(Read<reports::CaseRecord>(place), part);
                 } else if (array == 2) {
                   FoldRule(place, part);
                 }
               }});
  if (stream.bad()) return std::unexpected("can't be read to its end");
  if (!json) return std::unexpected(LineOf(json.error()));
  try {
    Fold(Cursor(*json), *format, part);
  } catch (const CaseError& error) {
    return std::unexpected(LineOf(error));
  }
  if (part.target.empty()) return std::unexpected("missing target");
  KeepCases(part);
  return part;
}

std::string DigestOf(const Part& part) {
  ContentHasher hasher;
  hasher.Add(fmt::format("{} {} {} {} {}/{} {} {} {} {}\n{}\n{}\n", part.verb,
                         part.target, part.reference, part.program,
                         part.shard.index, part.shard.count, part.cases,
                         part.steps, part.compared_bytes, part.nodes,
                         part.options, part.unfinished));
  hasher.Add(ScopeText(part.scope) + "\n");
  for (const auto& [signature, one] : part.findings) {
    hasher.Add(fmt::format("{} {} {} {} {} {} {}\n", signature, one.times,
                           one.known, one.steps, one.nodes, one.document_name,
                           one.message));
  }
  // The figures of a kind, "cases" in order before "leftOut".
  for (const auto& [name, line] :
       {std::pair("cases", "looked"), {"leftOut", "left out"}}) {
    for (const auto& [key, numbers] : part.figures) {
      const auto number = numbers.find(name);
      if (std::get<0>(key) != "compared" || number == numbers.end()) continue;
      hasher.Add(
          fmt::format("{} {} {}\n", line, std::get<1>(key), number->second));
    }
  }
  for (const char* const of : {"rate", "coverage"}) {
    for (const auto& [key, numbers] : part.figures) {
      const auto& [kind, instruction, build] = key;
      if (kind != of) continue;
      hasher.Add(kind == "rate"
                     ? fmt::format("rate {} {} {} {} {} {}\n", instruction,
                                   build, numbers.at("cases"),
                                   numbers.at("legal"), numbers.at("findings"),
                                   numbers.at("nodes"))
                     : fmt::format("coverage {} {} {}\n", instruction,
                                   numbers.at("bins"),
                                   fmt::join(part.holes.at(instruction), " ")));
    }
  }
  for (const char* between = ""; const std::uint64_t hash : part.case_hashes) {
    hasher.Add(fmt::format("{}{}", between, hash));
    between = " ";
  }
  return hasher.Text();
}

}  // namespace lanediff::campaign
