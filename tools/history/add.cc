#include "tools/history/add.h"

#include <fmt/format.h>

#include <expected>
#include <map>
#include <nlohmann/json.hpp>
#include <string_view>
#include <utility>

#include "differential/testcase/content_hash.h"
#include "differential/testcase/json.h"
#include "differential/testcase/record.h"
#include "reports/headline.h"
#include "tools/history/part.h"

namespace lanediff::campaign {
namespace {

/// "1.0.0+0123456789ab.changed.01234567" → "0123456789ab".
std::string CommitIn(std::string_view program) {
  const auto plus = program.find('+');
  if (plus == std::string_view::npos) return "";
  const std::string_view rest = program.substr(plus + 1);
  return std::string(rest.substr(0, rest.find('.')));
}

/// A document, and what is known of it from elsewhere.
struct DatedPart {
  Part part = {};
  std::string date = {};
  std::string commit = {};
};

std::expected<DatedPart, std::string> ReadOf(const FoundDocument& document,
                                             const FoundBatch& batch,
                                             const AddOptions& options) {
  auto part = ReadPart(document.file);
  if (!part) return std::unexpected(part.error());
  DatedPart read{.part = *std::move(part)};
  if (document.seconds > 0) read.part.seconds = document.seconds;
  if (document.unfinished && read.part.unfinished.empty()) {
    read.part.unfinished = "its stage ran out of time";
  }
  read.date = !options.date.empty() ? options.date
              : !batch.date.empty() ? batch.date
                                    : read.part.day;
  if (read.date.empty()) {
    return std::unexpected("missing date; fix: pass --date YYYY-MM-DD");
  }
  if (const std::string wrong = NoDate(read.date); !wrong.empty()) {
    return std::unexpected(
        fmt::format("date: {}; fix: pass --date YYYY-MM-DD", wrong));
  }
  read.commit = !options.commit.empty() ? options.commit
                : !batch.commit.empty() ? batch.commit
                                        : CommitIn(read.part.program);
  return read;
}

/// The row of its case, put there; nothing where none was found.
std::optional<std::int64_t> CaseOf(Database& database,
                                   const Sighting& sighting) {
  if (sighting.case_text.empty()) return std::nullopt;
  return database.Get<std::int64_t>(
      "INSERT INTO stored_case (digest, text) VALUES (?, ?) ON CONFLICT "
      "(digest) DO UPDATE SET digest = excluded.digest RETURNING id",
      TextHash(sighting.case_text), sighting.case_text);
}

void PutFigures(Database& database, std::int64_t run, const Part& part) {
  for (const auto& [key, numbers] : part.figures) {
    const auto& [kind, instruction, build] = key;
    nlohmann::json json = numbers;
    if (kind == "coverage") json["holes"] = part.holes.at(instruction);
    database.Run("INSERT INTO figure VALUES (?, ?, ?, ?, ?)", run, kind,
                 instruction, build, json.dump());
  }
}

void PutPart(Database& database, const DatedPart& read,
             const std::string& identity, const std::string& digest,
             const std::string& label) {
  const Part& part = read.part;
  const auto run = database.Get<std::int64_t>(
      "INSERT INTO run (identity, date, shard, digest, verb, target, "
      "reference, version, commit_name, label, scope, shards, sharded, file, "
      "unfinished, cases, steps, compared_bytes, nodes, seconds, case_hashes) "
      "VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?) "
      "RETURNING id",
      identity, read.date, part.shard.index, digest, part.verb, part.target,
      part.reference, part.program, read.commit, label, ScopeText(part.scope),
      part.shard.count, part.sharded, part.file, part.unfinished, part.cases,
      part.steps, part.compared_bytes, part.nodes, part.seconds,
      part.case_hashes);
  for (const auto& [signature, one] : part.findings) {
    const auto stored_case = CaseOf(database, one);
    database.Run("INSERT INTO finding VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
                 run, signature, one.times, one.known, one.message,
                 one.case_name, one.path, one.reproduce, one.steps, one.nodes,
                 stored_case);
  }
  PutFigures(database, run, part);
}

/// Of a document that is there what was not known when it was added: how many
/// cases these are.
std::uint64_t PutMissing(Database& database, const Part& part,
                         std::int64_t run) {
  if (part.seconds > 0) {
    database.Run("UPDATE run SET seconds = ? WHERE id = ? AND seconds = 0",
                 part.seconds, run);
  }
  std::uint64_t cases = 0;
  for (const auto& [signature, one] : part.findings) {
    // The same results in two places have the place that comes first by name.
    database.Run(
        "UPDATE finding SET path = ?1, reproduce = ?2 WHERE run = ?3 AND "
        "signature = ?4 AND (path, reproduce) > (?1, ?2)",
        one.path, one.reproduce, run, signature);
    const auto stored_case = CaseOf(database, one);
    if (!stored_case) continue;
    cases += database.Get<std::uint64_t>(
        "UPDATE finding SET stored_case = ?, case_name = ? WHERE run = ? AND "
        "signature = ? AND stored_case IS NULL RETURNING 1",
        stored_case, one.case_name, run, signature);
  }
  return cases;
}

/// The outcome in one line, or the reason why it can't be added.
std::expected<std::string, std::string> Put(Database& database,
                                            const DatedPart& read,
                                            const std::string& label) {
  const Part& part = read.part;
  const std::string digest = DigestOf(part);
  const std::string identity = TextHash(
      part.sharded ? fmt::format("shards\n{}\n{}\n{}\n{}", part.verb,
                                 part.target, part.program, part.options)
                   : fmt::format("document\n{}", digest));
  const std::string what =
      fmt::format("{} {} of {}", read.date, part.verb, part.target) +
      (part.sharded ? ", shard " + part.shard.Text() : "");
  const auto there = database.Get<std::int64_t>(
      "SELECT id FROM run WHERE identity = ? AND date = ? AND shard = ? AND "
      "digest = ?",
      identity, read.date, part.shard.index, digest);
  if (there > 0) {
    const std::uint64_t cases = PutMissing(database, part, there);
    return what + ": is there already" +
           (cases == 0 ? ""
                       : fmt::format("; added {} that {} not at hand then",
                                     reports::Counted(cases, "case"),
                                     cases == 1 ? "was" : "were"));
  }
  const auto other = database.Get<std::string>(
      "SELECT file FROM run WHERE identity = ? AND date = ? AND shard = ? AND "
      "unfinished = ''",
      identity, read.date, part.shard.index);
  if (part.unfinished.empty() && !other.empty()) {
    return std::unexpected(fmt::format(
        "shard {} of {} is there already with other results, from {}; fix: for "
        "another day, pass --date",
        part.shard.Text(), read.date, other));
  }
  PutPart(database, read, identity, digest, label);
  std::string line = fmt::format(
      "{}: added, {}{}", what,
      reports::Counted(part.findings.size(), "finding"),
      part.unfinished.empty() ? "" : "; NOT complete: " + part.unfinished);
  if (part.sharded) {
    const std::string lack =
        LackOf(database, identity, read.date, part.shard.count);
    line += lack.empty()
                ? fmt::format("; all {} shards are there", part.shard.count)
                : "; incomplete: " + lack;
  }
  return line;
}

}  // namespace

std::string NoDate(const std::string& text) {
  const auto wrong = [&] {
    return fmt::format(
        "found \"{}\"; YYYY-MM-DD or YYYY-MM-DDTHH:MM:SSZ is allowed",
        Quote(text));
  };
  if (!NoDay(text.substr(0, 10)).empty()) return wrong();
  if (text.size() == 10) return "";
  constexpr std::string_view kForm = "T00:00:00Z";
  if (text.size() != 10 + kForm.size()) return wrong();
  for (std::size_t i = 0; i < kForm.size(); ++i) {
    const char c = text[10 + i];
    if (kForm[i] == '0' ? c < '0' || c > '9' : c != kForm[i]) return wrong();
  }
  const auto at = [&](std::size_t place) { return text.substr(place, 2); };
  return at(11) < "24" && at(14) < "60" && at(17) < "60" ? "" : wrong();
}

std::string LackOf(Database& database, const std::string& identity,
                   const std::string& date, std::uint64_t shards) {
  std::map<std::uint64_t, bool> there;  // whether it is whole
  Query rows(database,
             "SELECT shard, max(unfinished = '') FROM run WHERE identity = ? "
             "AND date = ? GROUP BY shard",
             identity, date);
  std::uint64_t shard = 0, whole = 0;
  for (bool is_whole = false; rows.Next(shard, is_whole);) {
    there[shard] = is_whole;
    whole += is_whole ? 1 : 0;
  }
  if (whole == shards) return "";
  std::string text = fmt::format("{} of {} shards", whole, shards);
  constexpr int kMostListed = 8;
  for (const bool missing : {true, false}) {
    int listed = 0;
    for (std::uint64_t i = 0; i < shards && listed <= kMostListed; ++i) {
      const auto one = there.find(i);
      if (missing ? one != there.end() : one == there.end() || one->second) {
        continue;
      }
      text += listed > 0 ? ", " : missing ? "; missing: " : "; not whole: ";
      text += listed++ < kMostListed ? fmt::format("{}/{}", i, shards) : "...";
    }
  }
  return text;
}

AddResult Add(Database& database, const FoundBatch& batch,
              const AddOptions& options) {
  AddResult result;
  std::vector<DatedPart> all = {};
  for (const FoundDocument& document : batch.documents) {
    auto read = ReadOf(document, batch, options);
    if (read) {
      all.push_back(*std::move(read));
    } else {
      result.problems.push_back(document.file + ": " + read.error());
    }
  }
  if (all.empty()) return result;
  Database::Transaction transaction(database);
  for (const DatedPart& read : all) {
    auto line = Put(database, read, options.label);
    if (line) {
      result.lines.push_back(*std::move(line));
    } else {
      result.problems.push_back(read.part.file + ": " + line.error());
    }
  }
  transaction.Commit();
  return result;
}

}  // namespace lanediff::campaign
