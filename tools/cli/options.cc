#include "tools/cli/options.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <expected>
#include <limits>
#include <utility>

#include "differential/testcase/json.h"
#include "differential/testcase/nearest.h"
#include "isa/catalogue.h"
#include "isa/memory_map.h"
#include "tools/cli/progress.h"

namespace lanediff::cli {

void AddInstruction(Verb& verb, std::string& into, const char* help,
                    std::vector<std::string_view> also) {
  verb.Add("--instruction INSTRUCTION", into, help)
      .ParsedBy([also = std::move(also)](const std::string& name)
                    -> std::expected<std::string, std::string> {
        if (std::ranges::find(also, name) != also.end()) return name;
        if (const isa::Instruction* const one = isa::FindInstruction(name)) {
          return std::string(one->slug);
        }
        std::vector<std::string_view> allowed;
        for (const auto& one : isa::Instructions()) allowed.push_back(one.slug);
        allowed.insert(allowed.end(), also.begin(), also.end());
        return std::unexpected(fmt::format(
            "no instruction \"{}\"{}; {} are allowed", Quote(name, 80),
            DidYouMean(name, allowed), fmt::join(allowed, ", ")));
      });
}

void AddReportFiles(Verb& verb, ReportFiles& files, bool has_baseline) {
  verb.Add("--json FILE", files.json, "leave the results as JSON");
  verb.Add("--junit FILE", files.junit, "leave the results as JUnit XML");
  if (has_baseline) {
    verb.Add("--baseline FILE", files.baseline,
             "report changes since the earlier run that left this JSON; the "
             "exit status stays what it would be without");
  }
  AddPage(verb, files.html);
}

void AddPage(Verb& verb, std::string& html) {
  verb.Add("--html DIR", html,
           "folder; leave the results as a page, DIR/index.html, that "
           "opens from disk");
}

void AddSarif(Verb& verb, ReportFiles& files) {
  verb.Add("--sarif FILE", files.sarif, "leave the findings as SARIF 2.1.0");
}

void AddShard(Verb& verb, std::string& shard) {
  verb.Add("--shard I/N", shard,
           "i/n: part i of n, from 0, for lanediff merge; default: from "
           "GTEST_SHARD_INDEX and GTEST_TOTAL_SHARDS, or "
           "JOB_COMPLETION_INDEX and JOB_COMPLETIONS")
      .NotEmpty("i/n");
}

void AddSample(Verb& verb, std::int64_t& cases, bool& is_meant) {
  verb.Add("--max-cases", cases,
           "a sample, for a target that is slow: at most so many systematic "
           "cases of each rule of an instruction, spread over all there are of "
           "it; reports have its share, and the status is 2 at best")
      .Within(1, 1'000'000'000)
      .Was("--cases");
  verb.Add("--sample", is_meant,
           "a sample is meant: status 0 where all of it agrees");
}

void AddReference(Verb& verb, std::string& reference) {
  verb.Add("--reference TARGET", reference, "what it is held against")
      .ShowDefault();
}

void AddJobs(Verb& verb, std::int64_t& jobs, const std::string& what) {
  verb.Add("--jobs", jobs, what + "; 0: all processors")
      .Within(0, 1024)
      .ShowDefault();
}

void AddEdition(Verb& verb, std::string& edition) {
  verb.Add("--edition EDITION", edition,
           "of the documents, by which cases are judged: 2024, those that the "
           "project began with, or the newest, 2026")
      .OneOf(AllWords<isa::Edition>());
}

void AddCaseEdition(Verb& verb, std::string& edition) {
  verb.Add(
          "--edition EDITION", edition,
          "judge cases by this edition of the documents, 2024 or 2026, instead "
          "of their own; one of another edition is held to no expectation")
      .OneOf(AllWords<isa::Edition>());
}

void AddReadAs(Verb& verb, std::string& edition, std::string& product) {
  AddCaseEdition(verb, edition);
  verb.Add("--product PRODUCT", product,
           "run cases as of this product instead of their own; one of another "
           "product is held to no expectation")
      .OneOf(AllWords<isa::Product>());
}

void AddCase(Verb& verb, std::string& path) {
  verb.Add("CASE", path, "case file").Required().Of(FileKind::kCases);
}

void AddCases(Verb& verb, std::vector<std::string>& paths) {
  verb.Add("PATH", paths, "case files, and folders of them")
      .Required()
      .Of(FileKind::kCases);
}

void AddKnownIssues(Verb& verb, std::string& file, const char* where) {
  verb.Add("--known-issues FILE", file,
           fmt::format("list of accepted findings; without it, "
                       "known_issues.json {}",
                       where));
}

isa::Edition EditionOf(const std::string& word) {
  return isa::Parse<isa::Edition>(word).value_or(isa::kNewestEdition);
}

std::string ReadOption(const std::string& edition, const std::string& product) {
  return (edition.empty() ? "" : " --edition " + edition) +
         (product.empty() ? "" : " --product " + product);
}

void ReadAs(const std::string& edition, Case& c, const std::string& product) {
  const isa::Profile before = c.profile();
  if (!edition.empty()) c.edition = EditionOf(edition);
  c.product = isa::Parse<isa::Product>(product).value_or(c.product);
  if (c.edition != before.edition || c.product != before.product) {
    c.expect.reset();
  }
  if (c.product == before.product) return;
  for (std::size_t i = 0; i < c.memory.size(); ++i) {
    const auto memory = static_cast<isa::Memory>(i);
    if (memory == isa::Memory::kGm || !c.memory[i]) continue;
    if (c.memory[i]->size == isa::CapacityBytes(before.product, memory)) {
      c.memory[i]->size = isa::CapacityBytes(c.product, memory);
    }
  }
  FitMemories(c);
}

bool& IsVerbose() {
  static bool verbose = false;
  return verbose;
}

void AddVerbose(Verb& verb, const std::string& more) {
  IsQuiet() = IsVerbose() = false;
  verb.Add("--quiet", IsQuiet(),
           "print findings and counts: no lines for what is well, no progress");
  verb.Add("--verbose", IsVerbose(), "print also: " + more);
}

void AddSeed(Verb& verb, std::uint64_t& seed, const char* help) {
  verb.Add("--seed", seed, help)
      .Within(0, std::numeric_limits<std::uint64_t>::max())
      .ShowDefault();
}

}  // namespace lanediff::cli
