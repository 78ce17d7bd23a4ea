#include "tools/cli/options.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cctype>
#include <expected>
#include <limits>
#include <numeric>
#include <span>
#include <utility>

#include "differential/testcase/json.h"
#include "isa/catalogue.h"

namespace lanediff::cli {
namespace {

/// Small letters and digits alone: "WholeReduceSum" as "wholereducesum".
std::string Plain(std::string_view name) {
  std::string plain;
  for (const char c : name) {
    const auto byte = static_cast<unsigned char>(c);
    if (std::isalnum(byte) != 0) {
      plain += static_cast<char>(std::tolower(byte));
    }
  }
  return plain;
}

/// How many letters have to be put in, taken away or changed (Levenshtein).
std::size_t Distance(std::string_view a, std::string_view b) {
  std::vector<std::size_t> row(b.size() + 1);
  std::iota(row.begin(), row.end(), std::size_t{0});
  for (std::size_t i = 0; i < a.size(); ++i) {
    std::size_t diagonal = std::exchange(row[0], i + 1);
    for (std::size_t j = 0; j < b.size(); ++j) {
      const std::size_t changed = diagonal + (a[i] == b[j] ? 0 : 1);
      diagonal = row[j + 1];
      row[j + 1] = std::min({row[j] + 1, row[j + 1] + 1, changed});
    }
  }
  return row.back();
}

/// The word of `allowed` that `name` was most likely to be; empty for none.
std::string_view NearestTo(std::string_view name,
                           std::span<const std::string_view> allowed) {
  const std::string wanted = Plain(name).substr(0, 64);
  std::string_view nearest;
  std::size_t least = wanted.size() / 3 + 1;
  for (const std::string_view word : allowed) {
    const std::size_t distance = Distance(wanted, Plain(word));
    if (distance >= least) continue;
    least = distance;
    nearest = word;
  }
  return nearest;
}

}  // namespace

void AddInstruction(Verb& verb, std::string& into, const char* help,
                    std::vector<std::string_view> also) {
  verb.Add("--instruction", into, help)
      .ParsedBy([also = std::move(also)](const std::string& name)
                    -> std::expected<std::string, std::string> {
        if (std::ranges::find(also, name) != also.end()) return name;
        std::vector<std::string_view> allowed;
        for (const isa::Instruction& one : isa::Instructions()) {
          if (one.op == name || one.slug == name) return std::string(one.slug);
          allowed.push_back(one.slug);
        }
        allowed.insert(allowed.end(), also.begin(), also.end());
        const std::string_view nearest = NearestTo(name, allowed);
        return std::unexpected(fmt::format(
            "no instruction \"{}\"{}; {} are allowed", Quote(name, 80),
            nearest.empty() ? "" : fmt::format(", did you mean {}?", nearest),
            fmt::join(allowed, ", ")));
      });
}

void AddReportFiles(Verb& verb, ReportFiles& files) {
  verb.Add("--json", files.json, "leave the results as JSON");
  verb.Add("--junit", files.junit, "leave the results as JUnit XML");
  verb.Add("--baseline", files.baseline,
           "report changes since the earlier run that left this JSON; the "
           "exit status stays what it would be without");
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
           "i/n: part i of n, from 0, for lanediff merge; default: from "
           "GTEST_SHARD_INDEX and GTEST_TOTAL_SHARDS, or "
           "JOB_COMPLETION_INDEX and JOB_COMPLETIONS")
      .NotEmpty("i/n");
}

void AddSample(Verb& verb, std::int64_t& cases) {
  verb.Add("--cases", cases,
           "a sample, for a target that is slow: at most so many systematic "
           "cases of each rule of an instruction, spread over all there are of "
           "it; reports have its share, and the status is 2 at best")
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

std::string EditionText(const std::string& word) {
  return word.empty()
             ? fmt::format("{}", fmt::join(AllWords<isa::Edition>(), ", "))
             : word;
}

std::string EditionOption(const std::string& word) {
  return word.empty() ? "" : " --edition " + word;
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
