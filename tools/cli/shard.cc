#include "tools/cli/shard.h"

#include <fmt/format.h>

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <optional>

#include "differential/compare/known_issues.h"
#include "differential/compare/open_elements.h"
#include "differential/subprocess/spawn.h"
#include "differential/testcase/case_error.h"
#include "tools/cli/common.h"
#include "tools/cli/version.h"

namespace lanediff::cli {
namespace {

/// A pair of variables that a runner sets.
struct Variables {
  const char* index;
  const char* count;
};
constexpr Variables kVariables[] = {
    {"GTEST_SHARD_INDEX", "GTEST_TOTAL_SHARDS"},
    {"JOB_COMPLETION_INDEX", "JOB_COMPLETIONS"}};

/// Of 32 bits: products with other numbers fit 64.
std::optional<std::uint64_t> ParseNumber(std::string_view text) {
  return ToNumber<std::uint32_t>(text);
}

std::optional<Shard> ParseShard(std::string_view text) {
  const auto slash = text.find('/');
  if (slash == std::string_view::npos) return std::nullopt;
  const auto i = ParseNumber(text.substr(0, slash));
  const auto n = ParseNumber(text.substr(slash + 1));
  if (!i || !n || *i >= *n) return std::nullopt;
  return Shard{*i, *n};
}

[[noreturn]] void FailMissing(const char* there, const char* missing) {
  Fail("{} is set, but {} is not; set both, or give --shard i/n", there,
       missing);
}

/// The shard of two variables, of which one at least is set.
Shard FromVariables(const Variables& names, const char* index,
                    const char* count) {
  if (index == nullptr) FailMissing(names.count, names.index);
  if (count == nullptr) FailMissing(names.index, names.count);
  const auto n = ParseNumber(count);
  if (!n || *n == 0) {
    Fail("{}: \"{}\"; the number of shards, 1 or more, is allowed", names.count,
         count);
  }
  const auto i = ParseNumber(index);
  if (!i || *i >= *n) {
    Fail("{}: \"{}\"; 0 to {} is allowed", names.index, index, *n - 1);
  }
  return Shard{*i, *n};
}

}  // namespace

std::vector<std::string> ChildEnvironment(std::vector<std::string> changed) {
  for (const Variables& names : kVariables) {
    changed.insert(changed.end(), {names.index, names.count});
  }
  return diff::EnvironmentWith(std::move(changed));
}

Shard FindShard(const std::string& option) {
  if (!option.empty()) {
    if (const auto shard = ParseShard(option)) return *shard;
    Fail("--shard: \"{}\"; i/n with 0 <= i < n is allowed", option);
  }
  for (const Variables& names : kVariables) {
    const char* const index = std::getenv(names.index);
    const char* const count = std::getenv(names.count);
    if (index == nullptr && count == nullptr) continue;
    return FromVariables(names, index, count);
  }
  return Shard{};
}

namespace fs = std::filesystem;

reports::ShardRecord NewShard(const std::string& verb, const Shard& shard,
                              const std::string& out) {
  reports::ShardRecord record;
  record.program = kVersion;
  record.verb = verb;
  record.shard = shard;
  record.day = Today();
  record.out = out;
  return record;
}

void AddTargets(const TargetOptions& target, const std::string& reference,
                reports::ShardRecord& record) {
  record.options.insert(record.options.end(),
                        {{"target", target.name},
                         {"reference", reference},
                         {"legal-only", target.legal_only ? "yes" : "no"}});
  const std::string ulp = diff::UlpText(diff::TheUlpBounds());
  if (!ulp.empty()) record.options.emplace_back("ulp", ulp);
  if (!target.product.empty()) {
    record.options.emplace_back("product", target.product);
  }
}

bool LeaveShard(const reports::ShardRecord& record) {
  if (!MakeFolder(record.out)) return false;
  const std::string path = (fs::path(record.out) / record.FileName()).string();
  if (!WriteTo(path, [&] { return reports::ShardJson(record); })) return false;
  fmt::print(stderr, "shard {}/{}: {} {}\n", record.shard.index,
             record.shard.count, path,
             record.complete ? "is for lanediff merge"
                             : "is not complete; run it again to merge it");
  return true;
}

Shard ShardFor(const std::string& option, const std::string& baseline) {
  const Shard shard = FindShard(option);
  if (shard.IsPart() && !baseline.empty()) {
    Fail("--baseline: not for one shard; give it to lanediff merge");
  }
  return shard;
}

}  // namespace lanediff::cli
