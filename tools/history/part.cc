#include "tools/history/part.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <fstream>
#include <limits>
#include <span>

#include "differential/compare/known_issues.h"
#include "differential/testcase/case_reader.h"
#include "differential/testcase/content_hash.h"
#include "differential/testcase/json.h"
#include "differential/testcase/record_json.h"
#include "reports/shard.h"
#include "tools/history/folding.h"

namespace lanediff::campaign {
namespace {

namespace fs = std::filesystem;

/// What is read of a document, and in which version.
constexpr std::array<std::string_view, 5> kFormats = {
    "lanediff-run/1", "lanediff-shard/1", "lanediff-mutants/1",
    "lanediff-audit/1", "lanediff-exhaust/1"};

/// Lists whose items are folded, or left, one by one.
constexpr std::string_view kStreamed[] = {"/cases", "/run/cases", "/rules",
                                          "/places", "/disagreements"};

std::string_view NameOf(std::string_view format) {
  return format.substr(0, format.find('/'));
}

/// The text that all shards of one run share, as `lanediff merge` requires.
std::string OptionsOf(const reports::ShardRecord& record) {
  std::string text = fmt::format("{} shards\n", record.shard.count);
  for (const auto& [name, value] : record.options) {
    text += fmt::format("{}={}\n", name, value);
  }
  for (const auto& issue : record.known_issues) {
    text += fmt::format("known {} {} {}\n", issue.signature, issue.expires,
                        issue.reason);
  }
  return text;
}

void FoldShard(const Cursor& root, Part& part) {
  ObjectCursor shard(root);
  reports::ShardRecord record;
  record.program = shard.Required("program").String();
  record.verb = shard.Required("verb").String();
  record.shard = ReadRecord<make::Shard>(shard.Required("shard"));
  record.day = shard.Required("day").String();
  shard.Required("options").ForEachMember(
      [&](std::string_view name, const Cursor& value) {
        record.options.emplace_back(name, value.String());
      });
  shard.Required("knownIssues").ForEach([&](const Cursor& issue) {
    record.known_issues.push_back(
        ReadRecord<reports::ListedIssue>(issue, UnknownFields::kNotLookedAt));
  });
  part.sharded = true;
  part.program = record.program;
  part.shard = record.shard;
  part.day = record.day;
  part.options = OptionsOf(record);
  if (record.verb == "audit") {
    shard.Required("verb").Fail(
        "a shard of an audit has no findings before all are together; join "
        "them with lanediff merge DIR... --out OUT, and add OUT");
  } else if (record.verb == "mutants") {
    FoldMutants(ReadRecord<reports::MutantsRecord>(shard.Required("mutants")),
                part);
  } else if (record.verb == "exhaust") {
    shard.Required("states").ForEach([&](const Cursor& state) {
      FoldState(ReadRecord<make::exhaust::State>(state), part);
    });
    FoldSpaces(record, part);
  } else {
    FoldRun(shard.Required("run"), part);
  }
  if (shard.Required("complete").Boolean() || !part.unfinished.empty()) return;
  part.unfinished = "interrupted, or something could not be saved";
}

void FoldExhaust(const Cursor& root, Part& part) {
  ObjectCursor document(root);
  part.target = document.Required("target").String();
  if (const auto unfinished = document.Optional("unfinished")) {
    part.unfinished = unfinished->String();
  }
  document.Required("spaces").ForEach(
      [&](const Cursor& space) { FoldSpace(space, part); });
}

/// The verb stands before what it left.
std::string VerbOf(const Cursor& root, std::string_view format) {
  if (format == "lanediff-mutants/1") return "mutants";
  if (format == "lanediff-audit/1") return "audit";
  if (format == "lanediff-exhaust/1") return "exhaust";
  const Cursor verb = ObjectCursor(root).Required("verb");
  const std::span<const std::string_view> allowed =
      format == "lanediff-run/1"
          ? std::span(reports::kRunVerbs)
          : std::span<const std::string_view>(reports::kShardVerbs);
  if (std::ranges::find(allowed, verb.String()) == allowed.end()) {
    verb.Fail(fmt::format("found \"{}\"; {} is allowed", Quote(verb.String()),
                          fmt::join(allowed, ", ")));
  }
  return verb.String();
}

void FoldDocument(const Cursor& root, std::string_view format, Part& part) {
  part.verb = VerbOf(root, format);
  if (format == "lanediff-run/1") FoldRun(root, part);
  if (format == "lanediff-shard/1") FoldShard(root, part);
  if (format == "lanediff-mutants/1") {
    FoldMutants(ReadRecord<reports::MutantsRecord>(root), part);
  }
  if (format == "lanediff-audit/1") FoldAudit(root, part);
  if (format == "lanediff-exhaust/1") FoldExhaust(root, part);
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

bool IsTooLarge(const Part& part) {
  constexpr std::uint64_t kMost = std::uint64_t{1} << 53;
  std::uint64_t most =
      std::max({part.cases, part.steps, part.compared_bytes, part.nodes});
  for (const auto& [signature, one] : part.findings) {
    most = std::max({most, one.times, one.steps, one.nodes});
  }
  for (const auto* counts : {&part.looked, &part.left_out}) {
    for (const auto& [instruction, cases] : *counts) {
      most = std::max(most, cases);
    }
  }
  for (const auto& [key, one] : part.rates) {
    most = std::max({most, one.cases, one.legal, one.findings, one.nodes});
  }
  for (const auto& [instruction, one] : part.coverage) {
    most = std::max({most, one.bins, one.never});
  }
  return most > kMost;
}

}  // namespace

void AddTo(std::uint64_t& sum, std::uint64_t more) {
  constexpr auto kMost = std::numeric_limits<std::uint64_t>::max();
  sum = more > kMost - sum ? kMost : sum + more;
}

std::string CaseName(const std::string& id, std::string_view edition) {
  return edition.empty() ? id : fmt::format("{} (edition {})", id, edition);
}

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
  std::string_view rest = start;
  const auto word = [&](std::string_view text) {
    rest.remove_prefix(
        std::min(rest.find_first_not_of(" \t\r\n"), rest.size()));
    if (!rest.starts_with(text)) return false;
    rest.remove_prefix(text.size());
    return true;
  };
  if (!word("{") || !word("\"format\"") || !word(":") || !word("\"")) {
    return std::nullopt;
  }
  return std::string(rest.substr(0, rest.find('"')));
}

bool IsKept(std::string_view format) {
  return std::ranges::find(kFormats, NameOf(format), NameOf) != kFormats.end();
}

std::expected<Part, std::string> ReadPart(const std::string& file) {
  const auto format = FormatOf(file);
  if (!format) return std::unexpected(format.error());
  if (!*format || std::ranges::find(kFormats, **format) == kFormats.end()) {
    return std::unexpected(
        fmt::format("found {}; a document of {} is allowed",
                    *format ? fmt::format("format \"{}\"", Quote(**format))
                            : "no \"format\" at its beginning",
                    fmt::join(kFormats, ", ")));
  }
  Part part;
  part.file = file;
  std::ifstream stream(file, std::ios::binary);
  // Cases come before the verb is known from elsewhere.
  part.verb = "check";
  const auto json = ParseJson(
      stream, {.pointers = kStreamed,
               .take = [&](std::size_t array, std::size_t, Json item) {
                 const Cursor place(item);
                 if (array < 2) {
                   FoldCase(ReadRecord<reports::CaseRecord>(
                                place, UnknownFields::kNotLookedAt),
                            part);
                 } else if (array == 2) {
                   FoldRule(place, part);
                 }
               }});
  if (stream.bad()) return std::unexpected("can't be read to its end");
  if (!json) return std::unexpected(LineOf(json.error()));
  try {
    const std::string verb = VerbOf(Cursor(*json), **format);
    if (verb != "check") part.case_hashes.clear();
    if (verb != "check" && verb != "audit") part.looked.clear();
    FoldDocument(Cursor(*json), **format, part);
  } catch (const CaseError& error) {
    return std::unexpected(LineOf(error));
  }
  if (part.target.empty()) return std::unexpected("missing target");
  if (IsTooLarge(part)) {
    return std::unexpected("found a count above 2^53; less is allowed");
  }
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
  for (const auto& [instruction, cases] : part.looked) {
    hasher.Add(fmt::format("looked {} {}\n", instruction, cases));
  }
  for (const auto& [instruction, cases] : part.left_out) {
    hasher.Add(fmt::format("left out {} {}\n", instruction, cases));
  }
  for (const auto& [key, rate] : part.rates) {
    hasher.Add(fmt::format("rate {} {} {} {} {} {}\n", key.first, key.second,
                           rate.cases, rate.legal, rate.findings, rate.nodes));
  }
  for (const auto& [slug, coverage] : part.coverage) {
    hasher.Add(fmt::format("coverage {} {} {}\n", slug, coverage.bins,
                           fmt::join(coverage.holes, " ")));
  }
  for (const char* between = ""; const std::uint64_t hash : part.case_hashes) {
    hasher.Add(fmt::format("{}{}", between, hash));
    between = " ";
  }
  return hasher.Text();
}

}  // namespace lanediff::campaign
