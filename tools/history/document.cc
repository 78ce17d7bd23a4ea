#include "tools/history/document.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <functional>
#include <regex>
#include <tuple>

#include "differential/compare/signature.h"
#include "differential/records/exhaust_state.h"
#include "differential/testcase/case_reader.h"
#include "differential/testcase/content_hash.h"
#include "differential/testcase/record_json.h"
#include "generators/exhaustive/space.h"
#include "isa/catalogue.h"
#include "reports/headline.h"
#include "reports/mutant_record.h"
#include "reports/record.h"

namespace lanediff::campaign {
namespace {

namespace fs = std::filesystem;
using reports::CaseRecord;
using reports::Verdict;

/// Adds to a count; above 2^53 it is refused.
void Add(std::uint64_t& sum, std::uint64_t more) {
  constexpr std::uint64_t kMost = std::uint64_t{1} << 53;
  if (sum > kMost || more > kMost - sum) {
    throw CaseError{"", "found a count above 2^53; less is allowed"};
  }
  sum += more;
}

/// Our folders' word for an instruction, as signatures have it, of the
/// documents' word or of itself; any other word as it is.
std::string SlugOf(std::string_view instruction) {
  const auto* const found = isa::FindInstruction(instruction);
  return std::string(found == nullptr ? instruction : found->slug);
}

Compared& ComparedOf(Document& document, std::string_view instruction) {
  const std::string slug = SlugOf(instruction);
  Compared& compared = document.compared[slug];
  compared.instruction = slug;
  return compared;
}

void AddCompared(Document& document, std::string_view instruction,
                 std::uint64_t cases) {
  auto& sum = ComparedOf(document, instruction).cases;
  if (!sum) sum = 0;
  Add(*sum, cases);
}

/// What a case is called: its id, with the edition of the documents by which it
/// was judged; empty: the newest.
std::string CaseName(const std::string& id, std::string_view edition) {
  return edition.empty() ? id : fmt::format("{} (edition {})", id, edition);
}

/// Keeps editions in the scope but for the newest alone.
void SetEdition(std::string_view edition, Document& document) {
  if (edition == isa::Name(isa::kNewestEdition)) edition = "";
  document.scope.edition = edition;
}

/// Whether what calls a case by a finding calls it by another one than this:
/// fuzz does, by the first that the case shows.
bool IsOfAnother(const std::string& case_name, const std::string& signature) {
  return IsSignature(case_name) && case_name != signature;
}

/// Adds what one more case shows. One of its own is before another finding's.
void AddSighting(Sighting more, Document& document) {
  if (!IsSignature(more.signature)) {
    throw CaseError{"",
                    fmt::format("found the signature \"{}\"; "
                                "kind/instruction/what/type[/form] is allowed",
                                Quote(more.signature))};
  }
  std::uint64_t numbers = more.times;
  Add(numbers, more.steps);
  Add(numbers, more.nodes);
  more.message = reports::Shortened(more.message, reports::kMostMessageBytes);
  const auto size = [](const Sighting& one) {
    return std::tuple(IsOfAnother(one.case_name, one.signature), one.steps,
                      one.nodes, std::string_view(one.path));
  };
  const auto [place, fresh] =
      document.findings.try_emplace(more.signature, more);
  if (fresh) return;
  Sighting& kept = place->second;
  if (size(more) < size(kept)) std::swap(kept, more);
  Add(kept.times, more.times);
  if (kept.known.empty()) kept.known = more.known;
}

/// A record at `place`, whatever else a newer version may have put there.
template <class T>
T Read(const Cursor& place) {
  return ReadRecord<T>(place, UnknownFields::kNotLookedAt);
}

void AddCount(std::uint64_t& sum, ObjectCursor& object, std::string_view name) {
  Add(sum, object.Required(name).Count());
}

void ForEachIn(ObjectCursor& object, std::string_view name,
               const std::function<void(const Cursor&)>& fold) {
  if (const auto list = object.Optional(name)) list->ForEach(fold);
}

/// What was under test, and how, by a run or an audit.
void FoldSubject(ObjectCursor& root, Document& document) {
  document.target = root.Required("target").String();
  document.reference = root.Required("reference").String();
  if (const auto sample = root.Optional("sample")) {
    document.scope.sample = Read<make::SampleSize>(*sample).per_rule;
  }
  // The cases of a check have their own.
  const auto edition = root.Optional("edition");
  if (edition && document.verb != "check") {
    SetEdition(edition->String(), document);
  }
  if (const auto about = root.Optional("about")) {
    document.scope.legal_only =
        ObjectCursor(*about).Required("legalOnly").Boolean();
  }
}

/// Whether it was compared. Where the target ended without a result, its other
/// findings are unknown.
bool WasCompared(const CaseRecord& record) {
  return record.verdict != Verdict::kUnsupported &&
         record.verdict != Verdict::kTolerated &&
         record.verdict != Verdict::kMalformed &&
         std::ranges::none_of(record.findings, [](const auto& finding) {
           return diff::IsFailure(finding.kind);
         });
}

void FoldCase(const CaseRecord& record, Document& document) {
  const std::string name =
      CaseName(record.id.empty() ? record.path : record.id, record.edition);
  if (document.verb == "check" && WasCompared(record)) {
    document.case_hashes += CaseHash(name);
    for (const std::string& instruction : record.instructions) {
      AddCompared(document, instruction, 1);
    }
  }
  std::vector<std::string> signatures;
  for (const auto& finding : record.findings) {
    signatures.push_back(finding.signature);
  }
  for (const std::string& signature : diff::ReportedSignatures(signatures)) {
    const auto finding = std::ranges::find(record.findings, signature,
                                           &diff::Finding::signature);
    // Fuzz names a case by its first finding and counts the hits of that one;
    // the other findings of the case count once.
    const bool once = IsOfAnother(record.id, signature) || record.times == 0;
    const bool known = record.verdict == Verdict::kKnown;
    AddSighting({.signature = signature,
                 .times = once ? 1 : record.times,
                 .known = known ? record.known_reason : "",
                 .message = finding->message,
                 .case_name = name,
                 .path = record.path,
                 .reproduce = record.reproduce,
                 .steps = record.steps,
                 .nodes = record.nodes},
                document);
  }
}

void FoldFuzzer(const Cursor& place, Document& document) {
  const auto fuzzer = Read<reports::FuzzerRecord>(place);
  Compared& compared = ComparedOf(document, fuzzer.instruction);
  if (fuzzer.cases > 0 && !fuzzer.error.empty()) {
    Add(compared.left_out, fuzzer.cases);
  } else if (fuzzer.cases > 0) {
    AddCompared(document, fuzzer.instruction, fuzzer.cases);
  }
  std::string build;
  ObjectCursor object(place);
  ForEachIn(object, "rates", [&](const Cursor& line) {
    build = ObjectCursor(line).Required("build").String();
  });
  Rate& rate = document.rates[{compared.instruction, build}];
  rate.instruction = compared.instruction;
  rate.build = build;
  Add(rate.cases, fuzzer.cases);
  Add(rate.legal, fuzzer.legal);
  Add(rate.nodes, fuzzer.nodes);
  Add(rate.findings, fuzzer.findings);
  constexpr double kMostSeconds = 1e9;
  Add(rate.microseconds, static_cast<std::uint64_t>(std::llround(
                             std::min(fuzzer.seconds, kMostSeconds) * 1e6)));
  Add(document.cases, fuzzer.cases);
  Add(document.nodes, fuzzer.nodes);
  document.seconds += fuzzer.seconds;
}

/// Counts how many cases show each signature.
void FoldSweep(const Cursor& place, Document& document,
               std::map<std::string, std::uint64_t>& times) {
  const auto sweep = Read<reports::SweepRecord>(place);
  std::uint64_t skipped = sweep.unsupported;
  Add(skipped, sweep.tolerated);
  Add(document.cases, sweep.cases);
  if (sweep.cases > skipped) {
    AddCompared(document, sweep.instruction, sweep.cases - skipped);
  }
  Add(skipped, sweep.beyond);
  Add(ComparedOf(document, sweep.instruction).left_out, skipped);
  for (const diff::SignatureCount& one : sweep.signatures) {
    Add(times[one.signature], one.cases);
  }
}

void FoldCoverage(const Cursor& place, Document& document) {
  const auto record = Read<reports::CoverageRecord>(place);
  Coverage& coverage = document.coverage.emplace_back();
  coverage.instruction = SlugOf(record.slug);
  coverage.bins = record.bins;
  for (const reports::HoleRecord& hole : record.holes) {
    coverage.holes.push_back(hole.bin);
    coverage.never += hole.reason.empty() ? 0 : 1;
  }
}

void FoldRun(const Cursor& root, Document& document) {
  ObjectCursor run(root);
  const Cursor verb = run.Required("verb");
  document.verb = verb.String();
  if (std::ranges::find(reports::kRunVerbs, document.verb) ==
      reports::kRunVerbs.end()) {
    verb.Fail(fmt::format("found \"{}\"; {} is allowed", Quote(document.verb),
                          fmt::join(reports::kRunVerbs, ", ")));
  }
  FoldSubject(run, document);
  run.Read("unfinished", document.unfinished);
  run.Required("cases").ForEach(
      [&](const Cursor& one) { FoldCase(Read<CaseRecord>(one), document); });
  run.Required("fuzzers").ForEach(
      [&](const Cursor& one) { FoldFuzzer(one, document); });
  std::map<std::string, std::uint64_t> times;
  ForEachIn(run, "sweeps",
            [&](const Cursor& one) { FoldSweep(one, document, times); });
  // A sweep keeps but a few cases of each.
  for (const auto& [signature, cases] : times) {
    const auto found = document.findings.find(signature);
    if (found != document.findings.end()) found->second.times = cases;
  }
  ForEachIn(run, "coverage",
            [&](const Cursor& one) { FoldCoverage(one, document); });
  const Cursor sums = run.Required("summary");
  ObjectCursor summary(sums);
  if (document.cases == 0) AddCount(document.cases, summary, "cases");
  if (document.nodes == 0) AddCount(document.nodes, summary, "nodes");
}

void FoldAuditRule(const Cursor& place, Document& document) {
  ObjectCursor rule(place);
  const std::string instruction = rule.Required("instruction").String();
  rule.Required("cells").ForEach([&](const Cursor& item) {
    ObjectCursor cell(item);
    const std::uint64_t compared = cell.Required("compared").Count();
    if (compared == 0) return;
    document.scope.only.insert(cell.Required("product").String());
    AddCompared(document, instruction, compared);
  });
}

/// Why not all was done; empty if all was.
std::string UnfinishedOf(ObjectCursor& audit) {
  const std::string stopped = audit.Required("stopped").String();
  if (!stopped.empty()) return stopped;
  if (audit.Required("interrupted").Boolean()) return "interrupted";
  const std::uint64_t skipped = audit.Required("skipped").Count();
  if (skipped > 0) return Counted(skipped, "case") + " not run";
  return audit.Required("complete").Boolean() ? "" : "not complete";
}

void FoldAudit(const Cursor& root, Document& document) {
  ObjectCursor audit(root);
  FoldSubject(audit, document);
  document.unfinished = UnfinishedOf(audit);
  AddCount(document.cases, audit, "cases");
  AddCount(document.nodes, audit, "nodes");
  audit.Required("rules").ForEach(
      [&](const Cursor& rule) { FoldAuditRule(rule, document); });
  // An audit does not list unsupported cases by instruction.
  for (auto& [slug, compared] : document.compared) {
    AddCount(compared.left_out, audit, "unsupported");
    AddCount(compared.left_out, audit, "beyond");
  }
  audit.Required("groups").ForEach([&](const Cursor& item) {
    const auto group = Read<reports::FindingGroup>(item);
    AddSighting({.signature = group.signature,
                 .times = std::max<std::uint64_t>(group.cases, 1),
                 .message = group.message,
                 .case_name = group.id,
                 .path = group.path,
                 .reproduce = group.reproduce},
                document);
  });
}

/// A part of a space that was enumerated.
void FoldSpace(const Cursor& place, Document& document) {
  ObjectCursor part(place);
  const std::string name = part.Required("space").String();
  const std::uint64_t from = part.Required("from").Count();
  const std::uint64_t to = part.Required("to").Count();
  const std::uint64_t points = part.Required("points").Count();
  const std::uint64_t unsupported = part.Required("unsupported").Count();
  const auto* const space = make::exhaust::FindSpace(name);
  const bool whole = space != nullptr && from == 0 && to == space->calls();
  document.scope.only.insert(whole ? name
                                   : fmt::format("{} {}..{}", name, from, to));
  std::string edition;
  part.Read("edition", edition);
  SetEdition(edition, document);
  if (!part.Required("complete").Boolean()) {
    document.unfinished = name + " is not enumerated to its end";
  }
  Add(document.cases, points);
  Add(document.cases, unsupported);
  document.seconds += std::max(0.0, part.Required("seconds").Double());
  if (space != nullptr) {
    if (points > 0) AddCompared(document, space->slug(), points);
    Add(ComparedOf(document, space->slug()).left_out, unsupported);
  }
  part.Required("findings").ForEach([&](const Cursor& item) {
    const auto finding = Read<make::exhaust::SavedFinding>(item);
    AddSighting({.signature = finding.signature,
                 .times = 1,
                 .message = finding.message,
                 .case_name = finding.path,
                 .path = finding.path},
                document);
  });
}

void FoldExhaust(const Cursor& root, Document& document) {
  ObjectCursor exhaust(root);
  FoldSubject(exhaust, document);
  exhaust.Read("unfinished", document.unfinished);
  exhaust.Required("spaces").ForEach(
      [&](const Cursor& space) { FoldSpace(space, document); });
}

void FoldMutants(const Cursor& root, Document& document) {
  const auto record = Read<reports::MutantsRecord>(root);
  document.target = "planted bugs";
  document.reference = "oracle";
  document.seconds = record.seconds;
  SetEdition(record.edition, document);
  if (!record.complete()) {
    document.unfinished = "not every hunt came to its end";
  }
  for (const reports::MutantRecord& mutant : record.mutants) {
    std::uint64_t tried = 0;
    for (const auto& checker : mutant.checkers) Add(tried, checker.tried);
    Add(document.cases, tried);
    const auto verdict = mutant.verdict();
    if (verdict == reports::MutantVerdict::kNotFinished) continue;
    AddCompared(document, mutant.instruction, tried);
    document.case_hashes += CaseHash(mutant.name);
    if (verdict == reports::MutantVerdict::kFound) continue;
    const bool older = record.edition == isa::Name(isa::Edition::k2024);
    AddSighting(
        {.signature = fmt::format("survived/{}/{}/planted",
                                  SlugOf(mutant.instruction), mutant.name),
         .times = 1,
         .message = "no checker finds it: " + mutant.defect,
         .case_name = mutant.name,
         .reproduce = "lanediff mutants " + mutant.name +
                      (older ? " --edition " + record.edition : "")},
        document);
  }
}

struct Kind {
  std::string_view name;
  void (*fold)(const Cursor& root, Document& document);
};
constexpr Kind kKinds[] = {{"run", FoldRun},
                           {"mutants", FoldMutants},
                           {"audit", FoldAudit},
                           {"exhaust", FoldExhaust}};

/// Takes the case at `path` into the sighting, if it is its; false if not.
bool TakeCase(const fs::path& path, Sighting& sighting) {
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
    const std::string& finding = sighting.case_name == sighting.path
                                     ? sighting.signature
                                     : sighting.case_name;
    if (!c->origin || c->origin->signature != finding) return false;
  }
  sighting.case_name = name;
  sighting.case_digest = TextHash(*text);
  sighting.case_text = *std::move(text);
  return true;
}

/// Takes each finding's case from where it lies now: the folder of the
/// document may have been moved as a whole.
void KeepCases(const std::string& file, Document& document) {
  const fs::path folder = fs::path(file).parent_path();
  for (auto& [signature, sighting] : document.findings) {
    if (sighting.path.empty()) continue;
    const fs::path path = sighting.path;
    for (const fs::path& place :
         {folder / "findings" / path.filename(), folder / path, path}) {
      if (TakeCase(place, sighting)) break;
    }
  }
}

}  // namespace

bool Covers(const Scope& scope, const Scope& other) {
  const bool sample =
      scope.sample == 0 || (other.sample > 0 && scope.sample >= other.sample);
  const bool only =
      scope.only.empty() ||
      (!other.only.empty() && std::ranges::includes(scope.only, other.only));
  const auto has = [](const Scope& one, std::string_view edition) {
    return one.edition.empty() ? edition == isa::Name(isa::kNewestEdition)
                               : one.edition.contains(edition);
  };
  return sample && only && (!scope.legal_only || other.legal_only) &&
         std::ranges::all_of(isa::Words<isa::Edition>::kSpelling,
                             [&](std::string_view edition) {
                               return has(scope, edition) ||
                                      !has(other, edition);
                             });
}

std::string CaseHash(std::string_view id) {
  ContentHasher hasher;
  hasher.Add(id);
  // The lowest byte first, as databases of version 2 had it.
  return fmt::format("{:016x}", std::byteswap(hasher.Number()));
}

std::expected<std::optional<std::string>, std::string> KindOf(
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
  static const std::regex begins(
      R"x(\s*\{\s*("format"\s*:\s*"lanediff-|"schema"\s*:\s*)x"
      R"x("lanediff-report/[^"]*"\s*,\s*"kind"\s*:\s*")([^"/]*))x");
  std::smatch match;
  if (!std::regex_search(start, match, begins,
                         std::regex_constants::match_continuous)) {
    return std::nullopt;
  }
  return match.str(2);
}

bool IsKept(std::string_view kind) {
  return std::ranges::count(kKinds, kind, &Kind::name) > 0;
}

std::expected<Document, std::string> ReadDocumentOf(const std::string& file) {
  const auto name = KindOf(file);
  if (!name) return std::unexpected(name.error());
  if (*name == "shard") {
    return std::unexpected(
        "is one shard of a run; fix: lanediff merge DIR... --out OUT, and add "
        "OUT");
  }
  const auto* const kind =
      std::ranges::find(kKinds, name->value_or(""), &Kind::name);
  if (kind == std::end(kKinds)) {
    std::vector<std::string_view> allowed;
    for (const Kind& one : kKinds) allowed.push_back(one.name);
    return std::unexpected(fmt::format(
        "found {}; a report of the kind {} is allowed",
        *name ? fmt::format("the kind \"{}\"", Quote(**name))
              : "no report's \"schema\" and \"kind\" at its beginning",
        fmt::join(allowed, ", ")));
  }
  std::error_code error;
  const auto text = ReadFile(file, fs::file_size(file, error));
  if (!text) return std::unexpected(text.error());
  auto document = ReadDocument(*text, [&](const Cursor& root) {
    Document read;
    read.verb = kind->name;
    read.digest = TextHash(*text);
    ObjectCursor object(root);
    record_json::CheckDocument(object, kind->name);
    kind->fold(root, read);
    return read;
  });
  if (!document) return std::unexpected(LineOf(document.error()));
  if (document->target.empty()) return std::unexpected("missing target");
  KeepCases(file, *document);
  return *std::move(document);
}

bool IsSignature(std::string_view text) {
  static const std::regex pattern(std::string(diff::kSignatureText.pattern));
  constexpr std::size_t kLongest = 1000;
  return text.size() <= kLongest &&
         std::ranges::none_of(
             text,
             [](char c) { return static_cast<unsigned char>(c) < ' '; }) &&
         std::regex_match(text.begin(), text.end(), pattern);
}

std::string InstructionIn(std::string_view signature) {
  const auto from = signature.find('/');
  if (from == std::string_view::npos) return "";
  signature.remove_prefix(from + 1);
  return std::string(signature.substr(0, signature.find('/')));
}

}  // namespace lanediff::campaign
