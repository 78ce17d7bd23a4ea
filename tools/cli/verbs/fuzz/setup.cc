#include "tools/cli/verbs/fuzz/setup.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cstdio>
#include <filesystem>
#include <map>
#include <utility>

#include "differential/testcase/case_writer.h"
#include "differential/testcase/fuzz_input.h"
#include "generators/coverage/model.h"
#include "generators/coverage/never.h"
#include "reports/printable.h"
#include "tools/cli/common.h"
#include "tools/cli/run_source.h"

namespace lanediff::cli {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kPrefix = "lanediff-fuzz-";
constexpr std::string_view kOwn = "lanediff-fuzz";

std::string NameOf(Shard shard) {
  if (!shard.IsPart()) return std::string(kOwn);
  return fmt::format("{}-{}-of-{}", kOwn, shard.index, shard.count);
}

/// A path that no program takes for an option.
std::string AsPath(const std::string& out) {
  return out.starts_with('-') ? "./" + out : out;
}

constexpr const char* kBytes = "seeds/bytes";
constexpr const char* kJson = "seeds/json";

}  // namespace

std::string SelfProgram() {
  std::error_code error;
  const fs::path self = fs::read_symlink("/proc/self/exe", error);
  return error ? program_invocation_name : self.string();
}

Fuzzers FindFuzzers(const FuzzOptions& options) {
  std::vector<fs::path> folders = {options.fuzzers};
  if (options.fuzzers.empty()) {
    const fs::path self = fs::path(SelfProgram()).parent_path();
    folders = {self, self / "../../fuzz/bin"};
  }
  std::string looked;
  for (const fs::path& folder : folders) {
    Fuzzers found{(folder / kPrefix).string(), {}};
    for (const fs::path path : FilesIn(found.prefix)) {
      if (!path.extension().empty()) continue;
      found.instructions.push_back(
          path.filename().string().substr(kPrefix.size()));
    }
    if (!looked.empty()) looked += " and ";
    looked += folder.lexically_normal().string();
    if (found.instructions.empty()) continue;
    if (options.instruction.empty()) return found;
    if (std::ranges::count(found.instructions, options.instruction) == 0) {
      Fail("--instruction: no fuzz program for \"{}\" in {}; {} are there",
           options.instruction, folder.lexically_normal().string(),
           fmt::join(found.instructions, ", "));
    }
    found.instructions = {options.instruction};
    return found;
  }
  Fail(
      "no fuzz programs in {}; build them with \"cmake --preset fuzz && cmake "
      "--build --preset fuzz\", or name their folder with --fuzzers",
      looked);
}

FuzzFolders::FuzzFolders(std::string out, WorkFolder own)
    : out_(std::move(out)), own_(std::move(own)) {}

FuzzFolders FuzzFolders::Make(const std::string& given, Shard shard) {
  const std::string out = AsPath(given);
  for (const char* name : {"findings", "unconfirmed", "fuzz-corpus"}) {
    const fs::path folder = fs::path(out) / name;
    std::error_code error;
    fs::create_directories(folder, error);
    if (!error) continue;
    Fail("--out: {}: can't be made: {}", folder.string(), error.message());
  }
  const std::string name = NameOf(shard);
  FuzzFolders folders(
      out,
      OrFail(WorkFolder::Take((fs::path(out) / name).string()), "--out: "));
  OrFail(folders.MakeAll(), "--out: ");
  if (shard.IsPart()) return folders;
  for (const std::string& other : FilesIn((fs::path(out) / kOwn).string())) {
    if (fs::path(other).filename() != name) folders.TakeOver(other);
  }
  return folders;
}

std::expected<void, std::string> FuzzFolders::MakeAll() const {
  for (const char* name : {"raw", "artifacts", "logs"}) {
    const auto made = own_.Make(name);
    if (!made) return made;
  }
  // A full disk is reported before the first hour, not after it.
  const std::string probe = Own("logs/probe");
  const auto written = WriteFile(probe, "probe\n");
  std::error_code ignored;
  fs::remove(probe, ignored);
  for (const std::string& left : FilesIn(Own("raw/"), ".tmp")) {
    fs::remove(left, ignored);
  }
  return written;
}

void FuzzFolders::TakeOver(const std::string& folder) const {
  if (!WorkFolder::IsOurs(folder)) return;
  const auto other = WorkFolder::Take(folder);
  if (!other) return;  // it is running
  std::error_code ignored;
  for (const auto& [name, suffix] :
       {std::pair("raw/", ".json"), std::pair("artifacts/", "")}) {
    for (const fs::path path : FilesIn(other->In(name), suffix)) {
      fs::rename(path, FreePath(Own(name + path.filename().string())), ignored);
    }
  }
}

std::string FuzzFolders::In(const std::string& name) const {
  return (fs::path(out_) / name).string();
}

std::vector<std::string> FilesIn(const std::string& prefix,
                                 std::string_view suffix) {
  const std::string start = fs::path(prefix).filename().string();
  std::vector<std::string> paths;
  std::error_code error;
  for (fs::directory_iterator entry(fs::path(prefix).parent_path(), error), end;
       !error && entry != end; entry.increment(error)) {
    const std::string name = entry->path().filename().string();
    if (name.starts_with(start) && name.ends_with(suffix)) {
      paths.push_back(entry->path().string());
    }
  }
  std::ranges::sort(paths);
  return paths;
}

std::string FreePath(const std::string& path) {
  const fs::path wanted = path;
  std::string free = path;
  std::error_code ignored;
  for (unsigned n = 2; fs::exists(fs::symlink_status(free, ignored)); ++n) {
    free =
        (wanted.parent_path() / fmt::format("{}-{}{}", wanted.stem().string(),
                                            n, wanted.extension().string()))
            .string();
  }
  return free;
}

std::string SeedsFor(const std::string& instruction) {
  return instruction == "case_json" ? kJson : kBytes;
}

void MakeSeeds(const std::string& corpus, const std::string& edition,
               const FuzzFolders& folders) {
  std::error_code error;
  if (!fs::exists(corpus, error)) {
    Fail("--corpus: no folder " + corpus);
  }
  for (const char* name : {kBytes, kJson}) {
    OrFail(folders.own().MakeAnew(name));
  }
  std::size_t number = 0;
  for (const CasePath& path : FindCases({corpus})) {
    const FileCase read = ReadFileCase(path, edition);
    if (!read.error.empty()) {
      fmt::print(stderr, "lanediff: skipped as a seed: {}: {}\n", read.path,
                 read.error);
      continue;
    }
    const std::string name = fmt::format("/{}", number++);
    if (const auto bytes = EncodeFuzzInput(read.c)) {
      OrFail(WriteFile(folders.Own(kBytes + name),
                       {bytes->begin(), bytes->end()}));
    }
    fs::copy_file(read.path, folders.Own(kJson + name), error);
  }
}

namespace {

using make::coverage::Bin;
using make::coverage::Model;
using Clock = std::chrono::steady_clock;

/// A part of the run's own time, within bounds.
std::chrono::duration<double> TimeToLook(const FuzzOptions& options) {
  const double share = static_cast<double>(options.seconds) / 10;
  return std::chrono::duration<double>(std::clamp(share, 2.0, 30.0));
}

}  // namespace

std::vector<make::coverage::Fillers::Known> KnownCases(
    const std::string& corpus, const std::string& edition) {
  std::vector<make::coverage::Fillers::Known> cases;
  for (const CasePath& path : FindCases({corpus})) {
    FileCase read = ReadFileCase(path);
    if (!read.error.empty()) {
      fmt::print(stderr, "lanediff: skipped: {}: {}\n",
                 reports::InOneLine(read.path), reports::InOneLine(read.error));
      continue;
    }
    const isa::Edition own = read.c.edition;
    ReadAs(edition, read.c);
    cases.push_back({read.c.edition == own
                         ? read.path
                         : read.path + " --edition " + edition,
                     std::move(read.c)});
  }
  return cases;
}

std::vector<reports::CoverageRecord> CoverageOf(
    const FuzzOptions& options, const std::vector<std::string>& instructions,
    const std::set<std::string>& reached) {
  const isa::Edition edition = EditionOf(options.edition);
  const Model& model = Model::Get(edition);
  std::map<std::string_view, std::size_t> slugs;  // the bins that were reached
  make::coverage::Reached bins;
  std::size_t strange = 0;
  for (const std::string& name : reached) {
    const auto bin = model.Find(name);
    strange += !bin;
    if (!bin || bins.Add({*bin}) == 0) continue;
    // The corpus, from which all programs start, reaches other instructions as
    // well.
    const std::string_view slug = model.Module(*bin);
    if (std::ranges::find(instructions, slug) != instructions.end()) {
      ++slugs[slug];
    }
  }
  if (strange > 0) {
    fmt::print(stderr,
               "lanediff: {} bins that the fuzz programs reached have no name "
               "here; build both from one tree\n",
               strange);
  }
  if (slugs.empty()) return {};

  const auto corpus = KnownCases(options.corpus, options.edition);
  make::coverage::Fillers fillers(corpus, 100'000, edition);
  std::vector<Bin> holes;
  for (const auto& [slug, count] : slugs) {
    std::ranges::copy(Holes(bins, slug, edition), std::back_inserter(holes));
  }
  const auto deadline = Clock::now() + TimeToLook(options);
  fillers.Find(holes, [&] { return Clock::now() > deadline || Interrupted(); });

  std::vector<reports::CoverageRecord> records;
  for (const auto& [slug, count] : slugs) {
    reports::CoverageRecord record;
    record.slug = slug;
    record.reached = count;
    for (Bin bin : Holes(bins, slug, edition)) {
      const auto* const filler = fillers.Of(bin);
      record.holes.push_back(
          {model.Name(bin), filler == nullptr ? "" : filler->what,
           std::string(make::coverage::WhyNever(bin, edition).value_or(""))});
    }
    record.bins = count + record.holes.size();
    records.push_back(std::move(record));
  }
  return records;
}

}  // namespace lanediff::cli
