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

void AddSeed(Verb& verb, std::uint64_t& seed, const char* help) {
  verb.Add("--seed", seed, help)
      .Within(0, std::numeric_limits<std::uint64_t>::max())
      .ShowDefault();
}

}  // namespace lanediff::cli
