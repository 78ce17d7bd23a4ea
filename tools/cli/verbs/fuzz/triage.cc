#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <optional>
#include <vector>

#include "differential/compare/check.h"
#include "differential/compare/keep_finding.h"
#include "differential/compare/signature.h"
#include "differential/targets/find_target.h"
#include "differential/testcase/case_reader.h"
#include "differential/testcase/case_writer.h"
#include "differential/testcase/fuzz_input.h"
#include "sanitizer/compare.h"
#include "tools/cli/common.h"
#include "tools/cli/progress.h"
#include "tools/cli/verbs/finish.h"
#include "tools/cli/verbs/fuzz/setup.h"

namespace lanediff::cli {
namespace {

namespace fs = std::filesystem;
using Clock = std::chrono::steady_clock;
using reports::Verdict;

/// Seconds that one signature's case is shrunk, and all of them together;
/// whatever is left after that is saved as it is.
constexpr double kShrinkSeconds = 8;
constexpr double kAllShrinkSeconds = 240;

struct Raw {
  std::string path;
  std::size_t size = 0;  ///< in encoded bytes
};

class Triage {
 public:
  Triage(const FuzzSetup& setup,
         const std::map<std::string, std::uint64_t>& counts,
         diff::KnownIssueFilter& known)
      : setup_(setup),
        options_(setup.options),
        folders_(setup.folders),
        counts_(counts),
        known_(known) {}

  Triaged Run(reports::RunRecord& run) {
    TakeArtifacts();
    auto all = RawBySignature();
    Progress progress(all.size(), "findings confirmed and shrunk");
    std::uint64_t done = 0;
    for (auto& [signature, raws] : all) {
      if (Interrupted()) break;
      progress.Step(done++, records_.size());
      sums_.taken.insert(signature);
      Take(signature, raws);
    }
    for (auto& [signature, record] : records_) Report(std::move(record), run);
    for (auto& record : unconfirmed_) Report(std::move(record), run);
    return sums_;
  }

 private:
  /// Where the finding of a signature is kept, without its extension. What is
  /// there is of that signature and edition, or nothing is.
  std::string Final(const std::string& signature, isa::Edition edition) const {
    const std::string name = diff::FileNameOf(signature);
    std::string base = folders_.In("findings/" + name);
    for (unsigned n = 2; !IsFreeFor(signature, edition, base + ".json"); ++n) {
      base = folders_.In(fmt::format("findings/{}-{}", name, n));
    }
    return base;
  }

  static bool IsFreeFor(const std::string& signature, isa::Edition edition,
                        const std::string& path) {
    std::error_code ignored;
    if (!fs::exists(fs::symlink_status(path, ignored))) return true;
    const auto c = ReadCaseFile(path);
    return c && c->edition == edition && c->origin &&
           c->origin->signature == signature;
  }

  /// The side at fault in findings of the signature, and the command that shows
  /// them again.
  std::string SideOf(const std::string& signature) const {
    return IsOfLint(signature) ? "lint" : options_.target.name;
  }
  std::string Again(const std::string& path,
                    const std::string& signature) const {
    return IsOfLint(signature) ? ReproduceLintDifference(path)
                               : Reproduce(path, options_.target.name);
  }

  /// Raw cases by the signature that the program noted, smallest first. What
  /// can't be read stands under an empty one.
  std::map<std::string, std::vector<Raw>> RawBySignature() {
    std::map<std::string, std::vector<Raw>> found;
    std::size_t others = 0;
    for (const std::string& path : FilesIn(folders_.Own("raw/"), ".json")) {
      Raw raw{.path = path};
      std::string signature;
      if (const auto c = ReadCaseFile(path)) {
        const auto bytes = EncodeFuzzInput(*c);
        raw.size = bytes ? bytes->size() : kMaxFuzzMemoryBytes;
        if (c->origin && c->origin->signature) {
          signature = *c->origin->signature;
        }
        if (c->origin && c->origin->target &&
            *c->origin->target != SideOf(signature)) {
          ++others;
          continue;
        }
      }
      found[signature].push_back(std::move(raw));
    }
    if (others > 0) {
      fmt::print(stderr,
                 "lanediff: {}: {} raw findings of other targets are left to a "
                 "run on them\n",
                 folders_.Own("raw/"), others);
    }
    for (auto& [signature, raws] : found) {
      std::ranges::sort(raws, {}, &Raw::size);
    }
    return found;
  }

  /// Confirms the cases of one signature, smallest first, until one shows.
  void Take(const std::string& signature, std::vector<Raw>& raws) {
    while (!raws.empty() && !Interrupted()) {
      const std::string path = raws.front().path;
      const Trial trial = CheckInProcess(setup_, path, signature);
      if (Interrupted()) return;
      std::string why = trial.end == TrialEnd::kAgrees
                            ? "found once, but agrees when replayed"
                            : trial.line;
      if (trial.end == TrialEnd::kShows || trial.end == TrialEnd::kCrashes) {
        const auto kept = Keep(signature, raws, trial);
        if (kept == false) return;
        if (kept) {
          // Cases without a signature of their own may be about anything.
          if (!signature.empty()) {
            for (const Raw& raw : raws) Remove(raw.path);
            return;
          }
          Remove(path);
          raws.erase(raws.begin());
          continue;
        }
        why = "showed twice, but not a third time";
      }
      PutAside(path, why);
      raws.erase(raws.begin());
    }
  }

  /// Shrinks the first of `raws` and saves it; nothing if it shows nothing now,
  /// false if it can't be saved.
  std::optional<bool> Keep(const std::string& signature,
                           const std::vector<Raw>& raws, const Trial& trial) {
    std::string path = raws.front().path;
    const std::string shrunk = path + ".shrunk.tmp";
    if (trial.end == TrialEnd::kShows && shrunk_seconds_ < kAllShrinkSeconds) {
      const auto start = Clock::now();
      if (ShrinkInProcess(setup_, path, shrunk, kShrinkSeconds, signature)) {
        path = shrunk;
      }
      shrunk_seconds_ += SecondsSince(start);
    }
    const auto c = ReadCaseFile(path);
    if (path == shrunk) Remove(shrunk);
    if (!c) return std::nullopt;
    std::vector<diff::Finding> findings = FindingsOf(*c, signature, trial);
    if (findings.empty()) return std::nullopt;
    const auto found = counts_.find(signature);
    const std::uint64_t times =
        std::max<std::uint64_t>(found == counts_.end() ? 0 : found->second,
                                signature.empty() ? 1 : raws.size());
    return Save(*c, std::move(findings), times);
  }

  std::vector<diff::Finding> FindingsOf(const Case& c,
                                        const std::string& signature,
                                        const Trial& trial) {
    const bool shows = trial.end == TrialEnd::kShows;
    if (shows && IsOfLint(signature)) {
      const auto compared = lint::Compare(c);
      if (!compared || !*compared) return {};
      return {**compared};
    }
    if (shows) {
      return diff::CheckCase(c, **diff::FindTarget(options_.target.name),
                             **diff::FindTarget("oracle"))
          .findings;
    }
    return {CrashOf(setup_, c, trial.line)};
  }

  bool Save(Case c, std::vector<diff::Finding> findings, std::uint64_t times) {
    const std::string signature = findings.front().signature;
    const std::string path = Final(signature, c.edition) + ".json";
    if (IsSmaller(c, path)) {
      if (!c.origin) c.origin.emplace();
      c.origin->signature = signature;
      c.origin->target = SideOf(signature);
      const auto kept = diff::KeepCase(c, path);
      if (!kept) return Unwritten(kept.error());
    }
    Note(path, signature, std::move(findings), times);
    return true;
  }

  /// Whether `c` is smaller than the case in `path`, if there is one.
  static bool IsSmaller(const Case& c, const std::string& path) {
    const auto there = ReadCaseFile(path);
    if (!there) return true;
    const auto old_bytes = EncodeFuzzInput(*there);
    const auto new_bytes = EncodeFuzzInput(c);
    return !old_bytes || (new_bytes && new_bytes->size() < old_bytes->size());
  }

  void Note(const std::string& path, const std::string& signature,
            std::vector<diff::Finding> findings, std::uint64_t times) {
    reports::CaseRecord& record = records_[signature];
    record.path = path;
    record.id = signature;
    record.times += times;
    record.findings = std::move(findings);
    record.verdict = Verdict::kDisagree;
    record.reproduce = Again(path, signature);
  }

  bool Unwritten(const std::string& error) {
    ++sums_.unwritten;
    FailUsage(error);
    return false;
  }

  void TakeArtifacts() {
    for (const std::string& path : FilesIn(folders_.Own("artifacts/"))) {
      if (Interrupted()) return;
      if (path.find('@') == std::string::npos) continue;
      const auto crash = ConfirmCrash(setup_, path);
      if (!crash) {
        if (Interrupted()) return;
        PutAside(path, crash.error());
        continue;
      }
      if (KeepCrash(*crash)) Remove(path);
    }
  }

  bool KeepCrash(const Crash& crash) {
    const std::string& signature = crash.finding.signature;
    const std::string base = Final(signature, crash.c.edition);
    std::string input = base + ".input";
    const auto there = ReadFile(input);
    // A text for the reader bears no signature: another one stays.
    if (!crash.is_case && there && crash.input.size() < there->size()) {
      input = FreePath(input);
    }
    if (!there || crash.input.size() < there->size()) {
      const auto written = WriteFile(input, crash.input);
      if (!written) return Unwritten(written.error());
      if (crash.is_case) {
        const auto kept = diff::KeepCase(crash.c, base + ".json");
        if (!kept) return Unwritten(kept.error());
      }
    }
    Note(crash.is_case ? base + ".json" : input, signature, {crash.finding}, 1);
    records_[signature].reproduce = fmt::format(
        "LANEDIFF_FUZZ_TARGET={} {} {}", ShellWord(options_.target.name),
        ShellWord(fs::path(crash.program).lexically_normal()),
        ShellWord(input));
    return true;
  }

  /// Moves what did not show again out of the way.
  void PutAside(const std::string& path, const std::string& why) {
    const std::string aside = FreePath(
        folders_.In("unconfirmed/" + fs::path(path).filename().string()));
    std::error_code error;
    fs::rename(path, aside, error);
    if (error) {
      Unwritten(fmt::format("{}: can't be moved: {}", path, error.message()));
      return;
    }
    diff::Finding finding;
    finding.kind = diff::FindingKind::kNotDeterministic;
    finding.reference = "oracle";
    finding.message = "not reproduced: " + why;
    std::string noted;
    if (const auto c = ReadCaseFile(aside)) {
      if (c->origin) noted = c->origin->signature.value_or("");
      finding.op = isa::OpName(c->program.front());
      finding.signature = diff::SignatureOf(*c, finding).Text();
      if (!c->note.empty()) finding.message += "; it was: " + c->note;
    }
    finding.side = SideOf(noted);
    reports::CaseRecord record;
    record.path = aside;
    record.id = fs::path(path).stem().string();
    record.times = 1;
    record.findings = {finding};
    record.verdict = Verdict::kDisagree;
    record.reproduce = Again(aside, noted);
    unconfirmed_.push_back(std::move(record));
  }

  void Report(reports::CaseRecord record, reports::RunRecord& run) {
    AcceptKnown(known_, record);
    run.Add(std::move(record));
  }

  static void Remove(const std::string& path) {
    std::error_code error;
    fs::remove(path, error);
  }

  const FuzzSetup& setup_;
  const FuzzOptions& options_;
  const FuzzFolders& folders_;
  const std::map<std::string, std::uint64_t>& counts_;
  diff::KnownIssueFilter& known_;
  std::map<std::string, reports::CaseRecord> records_;  ///< by signature
  std::vector<reports::CaseRecord> unconfirmed_;
  double shrunk_seconds_ = 0;
  Triaged sums_;
};

}  // namespace

Triaged TriageFindings(const FuzzSetup& setup,
                       const std::map<std::string, std::uint64_t>& counts,
                       diff::KnownIssueFilter& known, reports::RunRecord& run) {
  return Triage(setup, counts, known).Run(run);
}

}  // namespace lanediff::cli
