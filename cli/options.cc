#include "cli/options.h"

#include <limits>

namespace lanediff::cli {

void AddReportFiles(Verb& verb, ReportFiles& files) {
  verb.Add("--json", files.json, "leave the results as JSON");
  verb.Add("--junit", files.junit, "leave the results as JUnit XML");
  verb.Add("--baseline", files.baseline,
           "tell what has changed since an earlier run, which left this "
           "JSON; the exit status stays what it would be without");
  verb.Add("--html", files.html,
           "folder; leave the results as a page, DIR/index.html, that "
           "opens from disk")
      .Called("DIR");
}

void AddSarif(Verb& verb, ReportFiles& files) {
  verb.Add("--sarif", files.sarif, "leave the findings as SARIF 2.1.0");
}

void AddShard(Verb& verb, std::string& shard) {
  verb.Add("--shard", shard,
           "i/n: part i of n, from 0, for lanediff merge. Without it, "
           "what GTEST_SHARD_INDEX and GTEST_TOTAL_SHARDS or "
           "JOB_COMPLETION_INDEX and JOB_COMPLETIONS say")
      .NotEmpty("i/n");
}

void AddSample(Verb& verb, std::int64_t& cases) {
  verb.Add("--cases", cases,
           "a sample, for a target that is slow: at most so many systematic "
           "cases of each rule of an instruction, spread over all there are of "
           "it; reports say of how many")
      .Within(1, 1'000'000'000);
}

void AddShardOut(Verb& verb, std::string& out) {
  verb.Add("--out", out, "folder for what a shard leaves").ShowDefault();
}

void AddReference(Verb& verb, std::string& reference) {
  verb.Add("--reference", reference, "what it is held against").ShowDefault();
}

void AddJobs(Verb& verb, std::int64_t& jobs, const std::string& what) {
  verb.Add("--jobs", jobs, (what + "; 0: all processors").c_str())
      .Within(0, 1024)
      .ShowDefault();
}

void AddEdition(Verb& verb, std::string& edition) {
  verb.Add("--edition", edition,
           "of the documents, by which cases are judged: 2024, those that the "
           "project began with, or the newest, 2026")
      .OneOf(AllWords<isa::Edition>());
}

void AddCaseEdition(Verb& verb, std::string& edition) {
  verb.Add(
          "--edition", edition,
          "judge cases by this edition of the documents, 2024 or 2026, instead "
          "of their own; one of another edition is held to no expectation")
      .OneOf(AllWords<isa::Edition>());
}

isa::Edition EditionOf(const std::string& word) {
  return isa::Parse<isa::Edition>(word).value_or(isa::kNewestEdition);
}

void ReadAs(const std::string& edition, Case& c) {
  if (edition.empty() || c.edition == EditionOf(edition)) return;
  c.edition = EditionOf(edition);
  c.expect.reset();
}

void AddSeed(Verb& verb, std::uint64_t& seed, const char* help) {
  verb.Add("--seed", seed, help)
      .Within(0, std::numeric_limits<std::uint64_t>::max())
      .ShowDefault();
}

}  // namespace lanediff::cli
