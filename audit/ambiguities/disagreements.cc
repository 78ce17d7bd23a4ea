#include "audit/ambiguities/disagreements.h"

#include <fmt/format.h>

#include <algorithm>
#include <expected>
#include <optional>
#include <utility>

#include "differential/compare/check.h"
#include "differential/compare/compare_outcome.h"
#include "differential/compare/keep_finding.h"
#include "differential/compare/rule_text.h"
#include "differential/memory/memory_set.h"
#include "differential/testcase/case.h"
#include "differential/testcase/case_reader.h"
#include "differential/testcase/element.h"
#include "differential/testcase/record_json.h"
#include "isa/catalogue.h"

namespace lanediff::audit {
namespace {

using Status = Outcome::Status;

std::string_view TextOf(std::string_view file) {
  const auto all = EmbeddedTexts();
  const auto found = std::ranges::find(all, file, &EmbeddedText::file);
  return found == all.end() ? std::string_view{} : found->text;
}

/// The files are part of the program, so a bad one is a defect of ours; the
/// tests read them all.
Case Read(std::string_view file) { return ReadCase(TextOf(file)).value(); }

/// What a target would give that does as `c` expects.
Outcome AsOutcome(const Case& c) {
  const Expectation& expect = *c.expect;
  Outcome outcome;
  outcome.status = expect.rejected ? Status::kRejected : Status::kExecuted;
  outcome.step = expect.step;
  outcome.rules = expect.rules;
  outcome.notes = expect.notes;
  outcome.memory = expect.memory.value_or(RegionsByMemory());
  return outcome;
}

/// An element to look at.
struct Place {
  isa::Memory memory;
  std::int64_t at;
  isa::DType dtype;
};

/// Where two executed readings differ first.
std::optional<Place> FirstDifference(const Case& chosen, const Case& other) {
  const auto finding =
      diff::CompareWithExpectation(chosen, AsOutcome(other), "other");
  if (!finding || !finding->difference) return std::nullopt;
  const diff::ElementDifference& d = *finding->difference;
  return Place{d.memory, d.at, d.dtype};
}

/// Where a reading changes memory first.
std::optional<Place> FirstChange(const Case& reading) {
  if (!reading.expect->memory) return std::nullopt;
  for (isa::Memory m : diff::kAllMemories) {
    for (const Region& region :
         (*reading.expect->memory)[static_cast<std::size_t>(m)]) {
      if (region.dtype) return Place{m, region.at, *region.dtype};
    }
  }
  return std::nullopt;
}

/// The element that distinguishes most of `readings`, the chosen one first.
std::optional<Place> DistinguishingPlace(const std::vector<Case>& readings) {
  for (const Case& reading : readings) {
    if (auto place = FirstDifference(readings.front(), reading)) return place;
  }
  for (const Case& reading : readings) {
    if (auto place = FirstChange(reading)) return place;
  }
  return std::nullopt;
}

std::uint64_t ElementAt(const Case& c, const RegionsByMemory& changed,
                        const Place& place) {
  diff::MemorySet memory(c);
  for (const Region& r : changed[static_cast<std::size_t>(place.memory)]) {
    std::ranges::copy(r.bytes, memory[place.memory].begin() + r.at);
  }
  return LoadElement(place.dtype,
                     std::span(memory[place.memory]).subspan(place.at));
}

std::string Describe(const Case& c, const Outcome& outcome,
                     const std::optional<Place>& place) {
  if (outcome.status == Status::kRejected) {
    return fmt::format("rejected{}", diff::RuleList(outcome.RulesOrNone()));
  }
  if (!place) return "executed";
  return fmt::format(
      "{} byte {} ({}) is {}", isa::Name(place->memory), place->at,
      isa::Name(place->dtype),
      DescribeElement(
          place->dtype,
          ElementAt(c, outcome.memory.value_or(RegionsByMemory()), *place)));
}

/// The outcome of `c` on `target`; the error states in one line why there is no
/// outcome to compare.
std::expected<Outcome, std::string> Observe(const Case& c,
                                            const diff::Target& target,
                                            FailureCounts& failures) {
  auto outcome = target.Run(c);
  if (!outcome) {
    const auto kind = outcome.error().kind;
    if (diff::IsFailure(kind)) {
      ++(kind == diff::NoOutcome::Kind::kTimeout ? failures.hung
                                                 : failures.crashed);
    }
    return std::unexpected(outcome.error().why);
  }
  if (outcome->status != Status::kUnsupported) return std::move(*outcome);
  return std::unexpected(
      target.runs_any_case()
          ? fmt::format("{} does not support step {} of the case",
                        target.name(), outcome->step)
          : diff::UnsupportedText(target, *outcome));
}

/// The words of `Follows`, with all that was compared.
std::string MessageOf(const Disagreement& entry, const Outcome& found,
                      const std::vector<Case>& readings) {
  const auto place = DistinguishingPlace(readings);
  std::string text;
  for (std::size_t i = 0; i < readings.size(); ++i) {
    const std::string who =
        i == 0 ? "chosen" : fmt::format("other ({})", entry.others[i - 1].word);
    text += fmt::format("{}: {}; ", who,
                        Describe(readings[i], AsOutcome(readings[i]), place));
  }
  return text + "found: " + Describe(readings.front(), found, place);
}

/// Whether the readings differ in what is refused, which a target without
/// checks does not decide: at most one of them executes.
bool DifferInRefusing(const std::vector<Case>& readings) {
  return std::ranges::count_if(readings, [](const Case& reading) {
           return !reading.expect->rejected;
         }) < 2;
}

void Decide(const Disagreement& entry, const diff::Target& target,
            const std::vector<Case>& readings, AuditedDisagreement& audited) {
  const auto found = Observe(readings.front(), target, audited.failures);
  if (!found) {
    audited.message = found.error();
    return;
  }
  audited.message = MessageOf(entry, *found, readings);
  if (target.capabilities().legality == diff::Capabilities::Legality::kNone &&
      found->status == Status::kExecuted && DifferInRefusing(readings)) {
    audited.message = "it checks nothing; " + audited.message;
    return;
  }
  const auto misses = [&](const Case& reading) {
    return diff::CompareWithExpectation(reading, *found, target.name());
  };
  const auto finding = misses(readings.front());
  const bool other =
      std::any_of(readings.begin() + 1, readings.end(),
                  [&](const Case& reading) { return !misses(reading); });
  if (!finding && other) {
    // Only of a recording that leaves out what they differ in.
    audited.message +=
        "; the recorded outcome does not distinguish the readings";
  } else if (!finding) {
    audited.follows = Follows::kChosen;
  } else if (other) {
    audited.follows = Follows::kOther;
  } else {
    audited.follows = Follows::kNeither;
    audited.message += "; against the chosen reading: " + finding->message;
  }
}

/// What a target follows that follows these in two cases of one question.
Follows Both(Follows a, Follows b) {
  if (a == Follows::kUndecided || a == b) return b;
  return b == Follows::kUndecided ? a : Follows::kNeither;
}

std::string RulesText(const Disagreement& entry) {
  std::string text;
  for (isa::RuleId rule : entry.rules) {
    text += fmt::format("{}`{}`", text.empty() ? "" : ", ", rule.text());
  }
  return text;
}

std::string ReadingRow(std::string_view name, const Reading& reading,
                       std::string_view outcome) {
  return fmt::format(
      "| {} | {} | {} | {} |\n", name, reading.text,
      isa::InCell(isa::CitationText(reading.document, reading.quote)), outcome);
}

std::string Section(const Disagreement& entry) {
  const std::vector<std::string> outcomes = OutcomesOf(entry);
  const auto outcome = [&](std::size_t i) {
    return i < outcomes.size() ? std::string_view(outcomes[i])
                               : std::string_view("–");
  };
  std::string text = fmt::format(
      "\n## {}\n\n{}. *{}*. Rules: {}. Legal calls that differ: {}.\n\n"
      "| | reading | from | what comes out |\n|---|---|---|---|\n",
      entry.id, entry.title, isa::Name(entry.kind), RulesText(entry),
      entry.differ);
  text += ReadingRow("chosen", entry.chosen, outcome(0));
  for (std::size_t i = 0; i < entry.others.size(); ++i) {
    text += ReadingRow(entry.others[i].word, entry.others[i], outcome(i + 1));
  }
  text += fmt::format("\n{} ", entry.why);
  if (entry.cases.empty()) return text + entry.undecidable + "\n";
  std::string_view before = "Case: ";
  for (const std::string& name : entry.cases) {
    text += fmt::format("{0}[{1}](../corpus/disagreements/{1}.json)",
                        std::exchange(before, ", "), name);
  }
  return text + "\n";
}

}  // namespace

std::span<const Disagreement> Disagreements() {
  static const auto all = ReadDocument(
      TextOf("audit/ambiguities/entries.json"), [](const Cursor& root) {
        std::vector<Disagreement> entries;
        root.ForEach([&](const Cursor& entry) {
          entries.push_back(ReadRecord<Disagreement>(entry));
        });
        return entries;
      });
  return all.value();
}

std::vector<Case> CasesOf(const Disagreement& entry, std::string_view name) {
  std::vector<Case> cases = {
      Read(fmt::format("corpus/disagreements/{}.json", name))};
  for (const OtherReading& other : entry.others) {
    cases.push_back(Read(fmt::format("audit/ambiguities/readings/{}.{}.json",
                                     name, other.word)));
  }
  return cases;
}

std::vector<std::string> OutcomesOf(const Disagreement& entry) {
  std::vector<std::string> texts;
  if (entry.cases.empty()) return texts;
  const std::vector<Case> readings = CasesOf(entry, entry.cases.front());
  const auto place = DistinguishingPlace(readings);
  for (const Case& reading : readings) {
    texts.push_back(Describe(reading, AsOutcome(reading), place));
  }
  return texts;
}

AuditedDisagreement Described(const Disagreement& entry) {
  AuditedDisagreement described;
  described.id = entry.id;
  described.kind = entry.kind;
  described.title = entry.title;
  described.rules = entry.rules;
  described.readings.push_back(entry.chosen);
  described.readings.insert(described.readings.end(), entry.others.begin(),
                            entry.others.end());
  described.why = entry.why;
  described.differ = entry.differ;
  if (entry.cases.empty()) return described;
  const Case c = CasesOf(entry, entry.cases.front()).front();
  described.product = c.product;
  described.id_of_case = c.id;
  described.file = fmt::format("cases/{}.json", c.id);
  described.reproduce = diff::CheckCommand(described.file);
  return described;
}

AuditedDisagreement Judge(const Disagreement& entry,
                          const diff::Target& target) {
  AuditedDisagreement judged = Described(entry);
  if (entry.cases.empty()) judged.message = entry.undecidable;
  for (const std::string& name : entry.cases) {
    const bool first = name == entry.cases.front();
    AuditedDisagreement more;
    Decide(entry, target, CasesOf(entry, name), more);
    judged.follows = Both(judged.follows, more.follows);
    judged.failures.Add(more.failures);
    judged.message +=
        first ? more.message : fmt::format("; in {}: {}", name, more.message);
  }
  return judged;
}

std::string DisagreementsPage() {
  std::string page =
      "<!-- Generated by script/generate-docs from audit/ambiguities/. "
      "-->\n\n"
      "# Ambiguities: where the documents disagree\n\n"
      "With themselves, with each other and with newer pages, and where they "
      "leave a question open. Each entry names which of these it is: *the "
      "document against itself*, *against another document*, or *silent*. It "
      "has the "
      "reading that lanediff's rules rest on, the others, why the one was "
      "chosen, and a case that distinguishes them: `lanediff check` replays "
      "it, "
      "and an audit reports which reading a target follows. *from* is the page "
      "and its section, in the documents themselves or in newer public "
      "documentation or code of the vendor, with its own words; *assumed* is "
      "our own decision where no document speaks. *Legal calls that differ* "
      "are those of 1000 random legal calls of each instruction that come out "
      "otherwise by another reading; 0 where the readings differ only in what "
      "is refused, or in calls that are not among these.\n";
  for (const Disagreement& entry : audit::Disagreements()) {
    page += Section(entry);
  }
  return page;
}

}  // namespace lanediff::audit
