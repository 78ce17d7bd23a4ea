// Cases in files, which may have expectations.

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cstddef>
#include <optional>
#include <set>
#include <string_view>
#include <utility>

#include "differential/compare/check.h"
#include "differential/compare/compare.h"
#include "differential/compare/signature.h"
#include "differential/targets/capabilities.h"
#include "differential/testcase/case_reader.h"
#include "differential/testcase/content_hash.h"
#include "isa/catalogue.h"
#include "reports/printable.h"
#include "reports/printers.h"
#include "tools/cli/html.h"
#include "tools/cli/kernel_findings.h"
#include "tools/cli/verbs/finish.h"
#include "tools/cli/verbs/test/test.h"

namespace lanediff::cli {
namespace {

using reports::Verdict;

/// Whether a step of the case in `path` calls the instruction of `slug`. A file
/// that is no case is everybody's.
bool IsAbout(const CasePath& path, std::string_view slug) {
  const FileCase read = ReadFileCase(path);
  return !read.error.empty() ||
         std::ranges::any_of(read.c.program, [&](const isa::Step& step) {
           return diff::SlugOf(step) == slug;
         });
}

std::vector<CasePath> FilesOf(const TestOptions& options) {
  auto files = FindCases(options.names);
  if (!options.instruction.empty()) {
    std::erase_if(files, [&](const CasePath& path) {
      return !IsAbout(path, options.instruction);
    });
  }
  return files;
}

/// A line that is another one where there are other files.
std::string Described(const std::vector<CasePath>& files) {
  std::string text;
  for (const CasePath& path : files) {
    text += path.path + " " + TextHash(ReadFile(path.path).value_or("")) + "\n";
  }
  return fmt::format("{} with names and contents of hash {}", files.size(),
                     TextHash(text));
}

/// The result of one file, and what pages show of it.
struct CheckedFile {
  reports::CaseRecord record;
  bool beyond = false;  ///< what the target claims
  isa::Edition edition = isa::kNewestEdition;
  std::optional<ExaminedCases::Entry> entry;
};

/// Which instructions were compared, and what became of the rules that the case
/// breaks.
void NoteRules(const Case& c, const diff::Examination& examined,
               reports::CaseRecord& record) {
  for (const isa::Step& step : c.program) {
    const auto* const instruction = isa::InstructionOf(step);
    if (instruction == nullptr) continue;
    const std::string name(instruction->op);
    if (std::ranges::find(record.instructions, name) ==
        record.instructions.end()) {
      record.instructions.push_back(name);
    }
  }
  record.tolerated = examined.comparison.tolerated;
  const bool at_odds =
      std::ranges::any_of(record.findings, [](const diff::Finding& f) {
        return f.kind != diff::FindingKind::kMemory &&
               f.kind != diff::FindingKind::kNotes;
      });
  if (record.tolerated.empty() && !at_odds) {
    record.enforced = examined.reference_outcome.RulesOrNone();
  }
}

/// Compares; what is wrong is in `record.error`.
void CompareCaseOf(Case&& c, const Sides& sides, CheckedFile& checked) {
  reports::CaseRecord& record = checked.record;
  diff::Examination examined =
      diff::Examine(c, *sides.target, *sides.reference);
  const diff::Comparison& result = examined.comparison;
  record.id = c.id;
  checked.edition = c.edition;
  record.edition = reports::OlderEdition(c);
  record.findings = result.findings;
  record.steps = result.steps;
  record.compared_bytes = result.compared_bytes;
  record.open = result.open;
  record.nodes = result.nodes;
  record.unrecorded = result.unrecorded;
  if (!result.malformed) AddKernelFindings(c, record);
  (result.malformed ? record.error : record.reason) = result.why;
  record.verdict = !record.findings.empty()   ? Verdict::kDisagree
                   : result.unsupported       ? Verdict::kUnsupported
                   : result.tolerated.empty() ? Verdict::kAgree
                                              : Verdict::kTolerated;
  if (record.verdict == Verdict::kUnsupported) return;
  const Outcome& outcome = examined.reference_outcome;
  if (record.verdict == Verdict::kDisagree && outcome.rejected()) {
    record.witness = WitnessLines(c, outcome.step, outcome.RulesOrNone());
  }
  record.open_memory = record.verdict != Verdict::kTolerated && c.expect &&
                       c.expect->memory_open();
  NoteRules(c, examined, record);
  checked.entry = {std::move(c), std::move(examined)};
}

/// Fills the record, and keeps the lines of cases.
class FileSink final : public diff::Sink<FileCase, std::vector<CheckedFile>> {
 public:
  FileSink(const TestOptions& options, const Sides& sides,
           diff::KnownIssueFilter& known, reports::RunRecord& run,
           ExaminedCases& examined)
      : options_(options),
        sides_(sides),
        known_(known),
        run_(run),
        examined_(examined) {}

  std::vector<CheckedFile> Begin(std::size_t) override { return {}; }
  /// The verdict does not look at known issues. What is thrown costs this case.
  bool Compare(FileCase&& read, std::size_t,
               std::vector<CheckedFile>& all) override {
    CheckedFile& checked = all.emplace_back();
    reports::CaseRecord& record = checked.record;
    record.number = read.number;
    record.path = std::move(read.path);
    record.error = std::move(read.error);
    if (record.error.empty()) {
      checked.beyond =
          diff::BeyondClaims(read.c, sides_.target->capabilities()).has_value();
      const auto thrown =
          Thrown([&] { CompareCaseOf(std::move(read.c), sides_, checked); });
      if (thrown) record.error = *thrown;
    }
    if (!record.error.empty()) record.verdict = Verdict::kMalformed;
    found += record.verdict == Verdict::kDisagree;
    record.reproduce =
        Reproduce(record.path, options_.target.name, options_.reference) +
        ReadOption(options_.edition, options_.product);
    if (options_.files.html.empty()) checked.entry.reset();
    return true;
  }

  void Take(std::size_t, std::vector<CheckedFile>&& all) override {
    for (CheckedFile& checked : all) TakeOne(checked);
  }

  const CaseLines& lines() const { return lines_; }
  /// How many the target does not claim, if it has no account.
  std::string BeyondText() const {
    if (beyond_ == 0 || sides_.target->account() != nullptr) return "";
    return fmt::format("beyond what the target claims: {}\n",
                       Counted(beyond_, "case"));
  }

 private:
  void TakeOne(CheckedFile& checked) {
    reports::CaseRecord& record = checked.record;
    if (checked.entry) examined_.Add(record.path, std::move(*checked.entry));
    AcceptKnown(known_, record);
    if (record.error.empty()) editions_.insert(isa::Name(checked.edition));
    run_.edition = fmt::format("{}", fmt::join(editions_, ", "));
    run_.Add(std::move(record));
    // Cases that a target doesn't claim have no line.
    const reports::CaseRecord& added = run_.cases.back();
    const bool unclaimed =
        checked.beyond && added.verdict == Verdict::kUnsupported;
    beyond_ += unclaimed;
    if (!unclaimed) lines_.Add(added);
  }

  const TestOptions& options_;
  const Sides& sides_;
  diff::KnownIssueFilter& known_;
  reports::RunRecord& run_;
  ExaminedCases& examined_;
  CaseLines lines_;
  std::set<std::string_view> editions_;
  std::uint64_t beyond_ = 0;
};

}  // namespace

int TestFiles(const TestOptions& options) {
  const Sides sides = FindSides(options.target, options.reference, Takes::kAny,
                                "nothing would be compared");
  const Shard shard = ShardFor(options.shard, options.files.baseline);
  diff::KnownIssueFilter known(
      OrFail(KnownIssuesOf(options.known_issues, options.names)));
  const auto baseline =
      OrFail(reports::ReadRunBaseline(options.files.baseline, "check"));
  reports::RunRecord run = NewRun("check", options, *sides.target);
  run.about = AboutTarget(*sides.target, options.character);

  WatchInterrupt();
  ExaminedCases examined;
  const auto files = FilesOf(options);
  FileSource source(files, options.edition, options.product, shard,
                    sides.target->foresight());
  FileSink sink(options, sides, known, run, examined);
  run.unfinished =
      RunSource(source, sides, sink, JobsOf(options.jobs)).Unfinished();
  if (!run.unfinished.empty()) FailUsage(run.unfinished);
  // What did not occur here may occur in another shard.
  const bool saw_everything = run.unfinished.empty() && !shard.IsPart() &&
                              run.unrecorded == 0 &&
                              options.instruction.empty();
  run.stale_issues = StaleIssues(known, saw_everything);
  return EndRun(
      std::move(run), options, *sides.target, shard,
      [&](reports::RunRecord& all) {
        return FinishCheck(all, sink.lines(), sink.BeyondText(), baseline,
                           options.files, &examined);
      },
      [&](reports::ShardRecord& record) {
        record.options.emplace_back("cases", Described(files));
        record.options.emplace_back("instruction", options.instruction);
        record.options.emplace_back("edition", options.edition);
        record.options.emplace_back("product", options.product);
        record.known_issues = known.issues();
        record.occurred = known.occurred();
      });
}

}  // namespace lanediff::cli
