#include "tools/cli/shard_file.h"

#include <fmt/format.h>

#include <cstdio>
#include <filesystem>

#include "differential/compare/known_issues.h"
#include "tools/cli/common.h"
#include "tools/cli/version.h"

namespace lanediff::cli {

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
  record.options.emplace_back("target", target.name);
  record.options.emplace_back("reference", reference);
  record.options.emplace_back("legal-only", target.legal_only ? "yes" : "no");
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

}  // namespace lanediff::cli
