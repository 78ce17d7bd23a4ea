#include "tools/history/writer.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <vector>

#include "differential/testcase/content_hash.h"
#include "reports/headline.h"
#include "tools/history/runs.h"
#include "tools/history/scope.h"

namespace lanediff::campaign {
namespace {

std::string BytesOf(const std::vector<std::uint64_t>& numbers) {
  std::string bytes = {};
  bytes.reserve(numbers.size() * 8);
  for (const std::uint64_t number : numbers) {
    for (int i = 0; i < 8; ++i) {
      bytes += static_cast<char>(number >> (8 * i) & 0xff);
    }
  }
  return bytes;
}

std::int64_t FirstId(Database::Statement& find) {
  find.Next();
  const std::int64_t id = find.Integer();
  find.Run();
  return id;
}

std::int64_t IdOf(Database::Statement& put, Database::Statement& find,
                  const std::string& text) {
  put.Bind(text).Run();
  return FirstId(find.Bind(text));
}

}  // namespace

Writer::Writer(Database& database)
    : database_(database),
      put_target_(Named("target")),
      find_target_(Id("target")),
      put_version_(Named("version")),
      find_version_(Id("version")),
      put_run_(database.Prepare(
          "INSERT OR IGNORE INTO run (identity, date, verb, target, "
          "reference, version, commit_name, label, scope, shards, sharded) "
          "VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)")),
      find_run_(database.Prepare(
          "SELECT id FROM run WHERE identity = ? AND date = ?")),
      parts_(database.Prepare("SELECT id, digest, file, unfinished = '' FROM "
                              "part WHERE run = ? AND shard = ?")),
      whole_(database.Prepare("SELECT shard, max(unfinished = '') FROM part "
                              "WHERE run = ? GROUP BY shard")),
      put_part_(database.Prepare(
          "INSERT INTO part (run, shard, digest, file, unfinished, cases, "
          "steps, compared_bytes, nodes, seconds, case_hashes) VALUES (?, ?, "
          "?, ?, ?, ?, ?, ?, ?, ?, ?)")),
      put_finding_(database.Prepare(
          "INSERT OR IGNORE INTO finding (target, signature, instruction) "
          "VALUES (?, ?, ?)")),
      find_finding_(database.Prepare(
          "SELECT id FROM finding WHERE target = ? AND signature = ?")),
      put_case_(database.Prepare(
          "INSERT OR IGNORE INTO stored_case (digest, text) VALUES (?, ?)")),
      find_case_(
          database.Prepare("SELECT id FROM stored_case WHERE digest = ?")),
      put_sighting_(database.Prepare(
          "INSERT INTO sighting (part, finding, times, known, message, "
          "case_name, path, reproduce, steps, nodes, stored_case) VALUES (?, "
          "?, ?, ?, ?, ?, ?, ?, ?, ?, ?)")),
      fill_case_(database.Prepare(
          "UPDATE sighting SET stored_case = ?, case_name = ? WHERE part = ? "
          "AND finding = ? AND stored_case IS NULL")),
      first_place_(database.Prepare(
          "UPDATE sighting SET path = ?, reproduce = ? WHERE part = ? AND "
          "finding = ? AND (path, reproduce) > (?, ?)")),
      fill_seconds_(database.Prepare(
          "UPDATE part SET seconds = ? WHERE id = ? AND seconds = 0")),
      put_looked_(database.Prepare(
          "INSERT INTO looked (part, instruction, cases, left_out) VALUES (?, "
          "?, ?, ?)")),
      put_rate_(database.Prepare(
          "INSERT INTO rate (part, instruction, build, seconds, cases, "
          "legal, findings, nodes) VALUES (?, ?, ?, ?, ?, ?, ?, ?)")),
      put_coverage_(database.Prepare(
          "INSERT INTO coverage (part, instruction, bins, never, holes) "
          "VALUES (?, ?, ?, ?, ?)")) {}

std::expected<std::string, std::string> Writer::Add(const DatedPart& read,
                                                    const std::string& label) {
  const Part& part = read.part;
  const std::string digest = DigestOf(part);
  const std::int64_t target = IdOf(put_target_, find_target_, part.target);
  const std::int64_t run = RunOf(read, digest, target, label);
  const std::string what =
      fmt::format("{} {} of {}", read.date, part.verb, part.target) +
      (part.sharded ? ", shard " + part.shard.Text() : "");
  parts_.Bind(run).Bind(part.shard.index);
  std::optional<std::int64_t> there;
  std::string other;
  while (parts_.Next()) {
    const std::int64_t id = parts_.Integer();
    const bool same = parts_.Text() == digest;
    const std::string file = parts_.Text();
    const bool whole = parts_.Integer() == 1;
    if (same) there = id;
    if (!same && whole && part.unfinished.empty()) other = file;
  }
  if (there) {
    const std::uint64_t cases = PutMissing(part, *there, target);
    return what + ": is there already" +
           (cases == 0 ? ""
                       : fmt::format("; added {} that {} not at hand then",
                                     reports::Counted(cases, "case"),
                                     cases == 1 ? "was" : "were"));
  }
  if (!other.empty()) {
    return std::unexpected(fmt::format(
        "shard {} of {} is there already with other results, from {}; fix: for "
        "another day, pass --date",
        part.shard.Text(), read.date, other));
  }
  PutPart(read, digest, run, target);
  return fmt::format(
      "{}: added, {}{}{}", what,
      reports::Counted(part.findings.size(), "finding"),
      part.unfinished.empty() ? "" : "; NOT complete: " + part.unfinished,
      part.sharded ? "; " + Progress(run, part.shard.count) : "");
}

Database::Statement Writer::Named(std::string_view table) {
  return database_.Prepare(
      fmt::format("INSERT OR IGNORE INTO {} (name) VALUES (?)", table));
}

Database::Statement Writer::Id(std::string_view table) {
  return database_.Prepare(
      fmt::format("SELECT id FROM {} WHERE name = ?", table));
}

std::int64_t Writer::RunOf(const DatedPart& read, const std::string& digest,
                           std::int64_t target, const std::string& label) {
  const Part& part = read.part;
  const std::string identity = TextHash(
      part.sharded ? fmt::format("shards\n{}\n{}\n{}\n{}", part.verb,
                                 part.target, part.program, part.options)
                   : fmt::format("document\n{}", digest));
  std::optional<std::int64_t> version;
  if (!part.program.empty()) {
    version = IdOf(put_version_, find_version_, part.program);
  }
  put_run_.Bind(identity)
      .Bind(read.date)
      .Bind(part.verb)
      .Bind(target)
      .Bind(part.reference)
      .Bind(version)
      .Bind(read.commit)
      .Bind(label)
      .Bind(ScopeText(part.scope))
      .Bind(part.shard.count)
      .Bind(std::int64_t{part.sharded})
      .Run();
  return FirstId(find_run_.Bind(identity).Bind(read.date));
}

std::string Writer::Progress(std::int64_t run, std::uint64_t shards) {
  std::map<std::uint64_t, bool> there;
  whole_.Bind(run);
  while (whole_.Next()) {
    const auto shard = static_cast<std::uint64_t>(whole_.Integer());
    there[shard] = whole_.Integer() == 1;
  }
  const std::string lacking = ShardsText(there, shards);
  return lacking.empty() ? fmt::format("all {} shards are there", shards)
                         : "incomplete: " + lacking;
}

void Writer::PutPart(const DatedPart& read, const std::string& digest,
                     std::int64_t run, std::int64_t target) {
  const Part& part = read.part;
  put_part_.Bind(run)
      .Bind(part.shard.index)
      .Bind(digest)
      .Bind(part.file)
      .Bind(part.unfinished)
      .Bind(part.cases)
      .Bind(part.steps)
      .Bind(part.compared_bytes)
      .Bind(part.nodes)
      .Bind(part.seconds)
      .BindBytes(BytesOf(part.case_hashes))
      .Run();
  const std::int64_t id = database_.LastRow();
  for (const auto& [signature, sighting] : part.findings) {
    PutSighting(id, target, signature, sighting);
  }
  auto left_out = part.left_out;
  const auto put_looked = [&](const std::string& instruction,
                              std::uint64_t cases, std::uint64_t left) {
    put_looked_.Bind(id).Bind(instruction).Bind(cases).Bind(left).Run();
  };
  for (const auto& [instruction, cases] : part.looked) {
    put_looked(instruction, cases, left_out[instruction]);
    left_out.erase(instruction);
  }
  for (const auto& [instruction, cases] : left_out) {
    if (cases > 0) put_looked(instruction, 0, cases);
  }
  for (const auto& [key, rate] : part.rates) {
    put_rate_.Bind(id)
        .Bind(key.first)
        .Bind(key.second)
        .Bind(rate.seconds)
        .Bind(rate.cases)
        .Bind(rate.legal)
        .Bind(rate.findings)
        .Bind(rate.nodes)
        .Run();
  }
  for (const auto& [instruction, coverage] : part.coverage) {
    put_coverage_.Bind(id)
        .Bind(instruction)
        .Bind(coverage.bins)
        .Bind(coverage.never)
        .Bind(fmt::format("{}", fmt::join(coverage.holes, "\n")))
        .Run();
  }
}

std::uint64_t Writer::PutMissing(const Part& part, std::int64_t id,
                                 std::int64_t target) {
  if (part.seconds > 0) fill_seconds_.Bind(part.seconds).Bind(id).Run();
  std::uint64_t cases = 0;
  for (const auto& [signature, sighting] : part.findings) {
    const std::int64_t finding =
        FirstId(find_finding_.Bind(target).Bind(signature));
    // The same results in two places have the place that comes first by name.
    first_place_.Bind(sighting.path)
        .Bind(sighting.reproduce)
        .Bind(id)
        .Bind(finding)
        .Bind(sighting.path)
        .Bind(sighting.reproduce)
        .Run();
    const auto stored = CaseOf(sighting);
    if (!stored) continue;
    fill_case_.Bind(*stored)
        .Bind(sighting.case_name)
        .Bind(id)
        .Bind(finding)
        .Run();
    cases += database_.ChangedRows();
  }
  return cases;
}

std::optional<std::int64_t> Writer::CaseOf(const Sighting& sighting) {
  if (sighting.case_text.empty()) return std::nullopt;
  const std::string digest = TextHash(sighting.case_text);
  put_case_.Bind(digest).Bind(sighting.case_text).Run();
  return FirstId(find_case_.Bind(digest));
}

void Writer::PutSighting(std::int64_t part, std::int64_t target,
                         const std::string& signature,
                         const Sighting& sighting) {
  put_finding_.Bind(target)
      .Bind(signature)
      .Bind(InstructionIn(signature))
      .Run();
  const std::int64_t finding =
      FirstId(find_finding_.Bind(target).Bind(signature));
  const auto stored = CaseOf(sighting);
  put_sighting_.Bind(part)
      .Bind(finding)
      .Bind(sighting.times)
      .Bind(sighting.known)
      .Bind(sighting.message)
      .Bind(sighting.case_name)
      .Bind(sighting.path)
      .Bind(sighting.reproduce)
      .Bind(sighting.steps)
      .Bind(sighting.nodes)
      .Bind(stored)
      .Run();
}

}  // namespace lanediff::campaign
