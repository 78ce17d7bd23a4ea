#include "reports/baseline.h"

#include <fmt/format.h>

#include <algorithm>

#include "differential/compare/signature.h"
#include "differential/testcase/case_reader.h"
#include "differential/testcase/json_cursor.h"
#include "differential/testcase/record_json.h"
#include "reports/headline.h"

namespace lanediff::reports {
namespace {

FindingKey KeyOf(const CaseRecord& record, const std::string& signature) {
  return {record.id.empty() ? record.path : record.id, signature};
}

void ReadCaseFindings(const Cursor& place, RunBaseline& baseline) {
  ObjectCursor object(place);
  CaseRecord record;
  record.path = object.Required("path").String();
  record.id = object.Required("id").String();
  const auto findings = object.Optional("findings");
  const bool known =
      object.Required("verdict").Word<Verdict>() == Verdict::kKnown;
  if (!findings) return;
  std::vector<std::string> signatures;
  findings->ForEach([&](const Cursor& item) {
    ObjectCursor finding(item);
    FindingKey key = KeyOf(record, finding.Required("signature").String());
    signatures.push_back(key.signature);
    const std::string& message = finding.Required("message").String();
    // The first of a defect speaks for it, as it does in this run.
    baseline.findings.try_emplace(
        key,
        ChangedFinding{.key = key, .path = record.path, .message = message});
  });
  if (known) return;
  for (const std::string& signature : diff::ReportedSignatures(signatures)) {
    baseline.signatures[signature].insert(KeyOf(record, "").id);
  }
}

RunBaseline ReadRun(const Cursor& root, std::string_view verb) {
  ObjectCursor object(root);
  record_json::CheckDocument(object, "run");
  object.Required("verb").MustBe(verb);
  RunBaseline baseline;
  baseline.target = object.Required("target").String();
  object.Required("cases").ForEach(
      [&](const Cursor& item) { ReadCaseFindings(item, baseline); });
  return baseline;
}

/// The findings by signature; an audit of long ago has none.
void ReadGroups(ObjectCursor& audit, AuditBaseline& baseline) {
  const auto groups = audit.Optional("groups");
  if (!groups) return;
  groups->ForEach([&](const Cursor& item) {
    ObjectCursor group(item);
    auto& rules = baseline.signatures[group.Required("signature").String()];
    const auto list = group.Optional("rules");
    if (!list) return;
    list->ForEach([&](const Cursor& rule) { rules.insert(rule.String()); });
  });
}

AuditBaseline ReadAudit(const Cursor& root) {
  ObjectCursor object(root);
  record_json::CheckDocument(object, "audit");
  AuditBaseline baseline;
  baseline.target = object.Required("target").String();
  ReadGroups(object, baseline);
  object.Required("rules").ForEach([&](const Cursor& item) {
    ObjectCursor rule(item);
    const std::string& id = rule.Required("id").String();
    rule.Required("cells").ForEach([&](const Cursor& place) {
      ObjectCursor cell(place);
      const auto product = cell.Required("product").Word<isa::Product>();
      const auto verdict = cell.Required("verdict").Word<audit::Verdict>();
      if (!baseline.cells.try_emplace({id, product}, verdict).second) {
        place.Fail(fmt::format(
            "{} on {} stands there once more; one cell for each is allowed",
            Quote(id), isa::Name(product)));
      }
    });
  });
  object.Required("disagreements").ForEach([&](const Cursor& item) {
    ObjectCursor reading(item);
    baseline.readings[reading.Required("id").String()] =
        reading.Required("follows").Word<audit::Follows>();
  });
  return baseline;
}

MutantsBaseline ReadMutants(const Cursor& root) {
  ObjectCursor object(root);
  record_json::CheckDocument(object, "mutants");
  MutantsBaseline baseline;
  object.Required("mutants").ForEach([&](const Cursor& item) {
    ObjectCursor mutant(item);
    const std::string name = mutant.Required("name").String();
    const auto verdict = mutant.Required("verdict").Word<MutantVerdict>();
    if (verdict == MutantVerdict::kNotFinished) return;
    baseline.found[name] = verdict == MutantVerdict::kFound;
  });
  return baseline;
}

template <class B>
using Read = std::expected<std::optional<B>, std::string>;

template <class B, class F>
Read<B> ReadBaseline(const std::string& file, const F& read) {
  if (file.empty()) return std::nullopt;
  const auto fail = [&](const std::string& what) {
    return std::unexpected(fmt::format("--baseline: {}: {}", file, what));
  };
  const auto text = ReadFile(file, kMaxBaselineBytes);
  if (!text) return fail(text.error());
  if (text->size() > kMaxBaselineBytes) {
    return fail(fmt::format("more than {} bytes; at most these are allowed",
                            kMaxBaselineBytes));
  }
  auto baseline = ReadDocument(*text, read);
  if (!baseline) return fail(LineOf(baseline.error()));
  baseline->file = file;
  return *std::move(baseline);
}

/// `looked_at` is whether this run could have shown one that is gone.
template <class LookedAt>
SignatureChanges SignaturesSince(
    const std::map<std::string, std::set<std::string>>& before,
    const std::vector<FindingGroup>& now, const LookedAt& looked_at) {
  SignatureChanges changes;
  std::set<std::string, std::less<>> here;
  for (const FindingGroup& group : now) {
    const std::string any_form(diff::WithoutForm(group.signature));
    here.insert({group.signature, any_form});
    const bool was =
        before.contains(group.signature) || before.contains(any_form);
    (was ? changes.still : changes.fresh).push_back(group.signature);
  }
  for (const auto& [signature, shown_by] : before) {
    if (here.contains(signature)) continue;
    (looked_at(signature, shown_by) ? changes.gone : changes.not_looked_at)
        .push_back(signature);
  }
  return changes;
}

bool WasFuzzed(const std::string& signature, const RunRecord& now) {
  return std::ranges::any_of(now.fuzzers, [&](const FuzzerRecord& fuzzer) {
    return fuzzer.cases > 0 &&
           (signature.find("/" + fuzzer.instruction + "/") !=
                std::string::npos ||
            signature.starts_with(fuzzer.instruction + "-differs/"));
  });
}

bool WasCompared(const std::string& rule, const audit::AuditRecord& now) {
  return std::ranges::any_of(now.rules, [&](const audit::AuditedRule& one) {
    return one.rule->id.text() == rule &&
           std::ranges::any_of(one.cells, [](const audit::Cell& cell) {
             return cell.compared > 0;
           });
  });
}

}  // namespace

Read<RunBaseline> ReadRunBaseline(const std::string& file,
                                  std::string_view verb) {
  return ReadBaseline<RunBaseline>(
      file, [&](const Cursor& root) { return ReadRun(root, verb); });
}

Read<AuditBaseline> ReadAuditBaseline(const std::string& file) {
  return ReadBaseline<AuditBaseline>(file, ReadAudit);
}

Read<MutantsBaseline> ReadMutantsBaseline(const std::string& file) {
  return ReadBaseline<MutantsBaseline>(file, ReadMutants);
}

RunChanges ChangesSince(const RunBaseline& before, const RunRecord& now) {
  RunChanges changes{.file = before.file, .target = before.target};
  std::set<FindingKey> seen;
  std::set<std::string> ran;
  for (const CaseRecord& record : now.cases) {
    ran.insert(KeyOf(record, "").id);
    for (const diff::Finding& finding : record.findings) {
      const FindingKey key = KeyOf(record, finding.signature);
      if (!seen.insert(key).second) continue;
      ChangedFinding found{
          .key = key, .path = record.path, .message = finding.message};
      auto old = before.findings.find(key);
      if (old == before.findings.end()) {
        const FindingKey any_form =
            KeyOf(record, std::string(diff::WithoutForm(finding.signature)));
        old = before.findings.find(any_form);
        if (old != before.findings.end()) seen.insert(any_form);
      }
      if (old == before.findings.end()) {
        changes.fresh.push_back(std::move(found));
      } else if (old->second.message != finding.message) {
        changes.updated.push_back(std::move(found));
      } else {
        ++changes.unchanged;
      }
    }
  }
  for (const auto& [key, finding] : before.findings) {
    if (seen.contains(key)) continue;
    // Other verbs keep no cases that agree.
    const bool looked_at = now.verb != "check" || ran.contains(key.id);
    changes.gone.push_back({finding, looked_at});
  }
  changes.signatures = SignaturesSince(
      before.signatures, GroupsOf(now),
      [&](const std::string& signature, const std::set<std::string>& cases) {
        if (now.verb == "fuzz") return WasFuzzed(signature, now);
        return now.verb != "check" ||
               std::ranges::any_of(
                   cases, [&](const auto& id) { return ran.contains(id); });
      });
  return changes;
}

AuditChanges ChangesSince(const AuditBaseline& before,
                          const audit::AuditRecord& now) {
  AuditChanges changes{.file = before.file, .target = before.target};
  auto cells = before.cells;
  // Counts what is as before, and keeps what is not.
  const auto compare = [&](auto& old, const auto& key, auto changed,
                           auto& list) {
    const auto was = old.extract(key);
    if (!was.empty()) changed.before = was.mapped();
    if (changed.before == changed.now) {
      ++changes.unchanged;
    } else {
      list.push_back(std::move(changed));
    }
  };
  for (const auto& rule : now.rules) {
    const std::string id(rule.rule->id.text());
    for (const auto& cell : rule.cells) {
      compare(
          cells, std::pair(id, cell.product),
          ChangedCell{.rule = id, .product = cell.product, .now = cell.verdict},
          changes.cells);
    }
  }
  for (const auto& [key, verdict] : cells) {
    changes.cells.push_back(
        {.rule = key.first, .product = key.second, .before = verdict});
  }
  auto readings = before.readings;
  for (const auto& place : now.disagreements) {
    compare(readings, place.id,
            ChangedReading{.id = place.id, .now = place.follows},
            changes.readings);
  }
  for (const auto& [id, follows] : readings) {
    changes.readings.push_back({.id = id, .before = follows});
  }
  changes.signatures = SignaturesSince(
      before.signatures, GroupsOf(now, nullptr),
      [&](const std::string&, const std::set<std::string>& rules) {
        return std::ranges::any_of(
            rules, [&](const auto& rule) { return WasCompared(rule, now); });
      });
  return changes;
}

MutantsChanges ChangesSince(const MutantsBaseline& before,
                            const MutantsRecord& now) {
  MutantsChanges changes{.file = before.file};
  auto old = before.found;
  for (const MutantRecord& mutant : now.mutants) {
    // What was not finished stays among those that are not hunted now.
    if (mutant.verdict() == MutantVerdict::kNotFinished) continue;
    const auto was = old.extract(mutant.name);
    if (was.empty()) {
      changes.added.push_back(mutant.name);
    } else if (was.mapped() == mutant.found()) {
      ++changes.unchanged;
    } else {
      (mutant.found() ? changes.found : changes.survived)
          .push_back(mutant.name);
    }
  }
  for (const auto& [name, found] : old) changes.gone.push_back(name);
  return changes;
}

std::string SignatureChanges::Since(const std::string& signature) const {
  const auto in = [&](const std::vector<std::string>& list) {
    return std::ranges::find(list, signature) != list.end();
  };
  return in(fresh) ? "new" : in(still) ? "still" : "";
}

std::string SinceText(const std::string& file, const SignatureChanges& c) {
  std::string text = fmt::format("since {}: {} new, {} gone, {} still there",
                                 file, Counted(c.fresh.size(), "finding"),
                                 c.gone.size(), c.still.size());
  if (!c.not_looked_at.empty()) {
    text += fmt::format(", {} not looked at this time", c.not_looked_at.size());
  }
  return text;
}

}  // namespace lanediff::reports
