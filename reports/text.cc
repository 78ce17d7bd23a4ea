#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <optional>
#include <string_view>

#include "reports/headline.h"
#include "reports/printable.h"
#include "reports/printers.h"

namespace lanediff::reports {
namespace {

RateLine RateOf(std::string_view kind, const diff::PacePart& part,
                double made_per_case) {
  const auto cases = static_cast<double>(part.cases);
  const double made = made_per_case * cases;
  const double seconds = part.seconds + made;
  const auto share = [&](double of) { return seconds > 0 ? of / seconds : 0; };
  const double harness =
      part.seconds - part.reference_seconds - part.target_seconds;
  return {.instruction = {},
          .build = {},
          .kind = std::string(kind),
          .cases = part.cases,
          .per_second = seconds > 0 ? cases / seconds : 0,
          .oracle = share(part.reference_seconds),
          .target = share(part.target_seconds),
          .harness = share(harness),
          .fuzzer = share(made)};
}

}  // namespace

std::string BeyondText(std::uint64_t beyond, std::string_view what) {
  if (beyond == 0) return "";
  return fmt::format(
      "; {} {} are beyond what the target claims and were not run", beyond,
      what);
}

std::string FuzzerText(const FuzzerRecord& r) {
  const auto cases = static_cast<double>(r.cases);
  const auto legal = static_cast<double>(r.legal);
  return fmt::format(
      "fuzzed {} for {:.0f} s with seed {}: {} cases, {:.0f} cases/s, {:.1f} % "
      "legal; a legal case has {:.0f} nodes and {:.0f} element operations, "
      "{:.1f} % have 64 iterations or more; {} cases disagreed, {} ended "
      "it{}{}{}\n",
      InOneLine(r.instruction), r.seconds, r.seed, r.cases,
      r.seconds > 0 ? cases / r.seconds : 0,
      r.cases > 0 ? 100 * legal / cases : 0,
      r.legal > 0 ? static_cast<double>(r.nodes) / legal : 0,
      r.legal > 0 ? static_cast<double>(r.operations) / legal : 0,
      r.legal > 0 ? 100 * static_cast<double>(r.long_repeats) / legal : 0,
      r.findings, r.crashes, BeyondText(r.beyond, "inputs"),
      r.error.empty() ? "" : "; ", InOneLine(r.error));
}

std::string CoverageText(const CoverageRecord& r) {
  constexpr std::size_t kShown = 3;
  std::string text = fmt::format(
      "coverage of {}: {} of {} bins reached, {} can't be, {} holes\n",
      InOneLine(r.slug), r.reached, r.bins, r.holes.size() - r.open(),
      r.open());
  std::size_t shown = 0;
  for (const HoleRecord& hole : r.holes) {
    if (!hole.reason.empty() || shown++ == kShown) continue;
    if (shown > kShown) break;
    text += fmt::format("  not reached: {}; {}\n", InOneLine(hole.bin),
                        hole.filler.empty()
                            ? "no case was found in the time there was"
                            : "reached by " + InOneLine(hole.filler));
  }
  return text;
}

std::string SweepText(const SweepRecord& r, bool all) {
  std::string text = fmt::format(
      "swept {}{}: {} cases, {} legal, {} rejected, {} unsupported, {} "
      "disagree; compared {} steps, {} bytes, {} nodes{}{}\n",
      InOneLine(r.instruction),
      r.with.empty() ? "" : fmt::format(" with {}", InOneLine(r.with)), r.cases,
      r.legal, r.rejected, r.unsupported, r.disagree, r.steps, r.compared_bytes,
      r.nodes, BeyondText(r.beyond, "cases"),
      r.tolerated > 0 ? fmt::format("; {} of the rejected tolerated by the "
                                    "target, which executed them",
                                    r.tolerated)
                      : "");
  if (!all) return text;
  for (const SweptRule& rule : r.rules) {
    text += fmt::format(
        "  {}: broken alone {}, with others {}; noted {}; kept by cases made "
        "for it {}\n",
        rule.id.text(), rule.alone, rule.together, rule.noted, rule.kept);
  }
  return text;
}

std::string HeadlineText(const RunRecord& r) {
  std::string text = HeadlineOf(r).sentence + "\n";
  if (r.about) text += TargetLine(*r.about, r.target);
  if (r.changes) {
    text += InOneLine(SinceText(r.changes->file, r.changes->signatures)) + '\n';
  }
  return r.cases.size() < 2 ? text : text + GroupsText(GroupsOf(r));
}

std::string OpenText(const diff::OpenCounts& counts) {
  std::string text;
  for (const diff::OpenCount& one : counts) {
    text += fmt::format(
        "{}: {} results {}; at most {} ULP from the correctly rounded value\n",
        InOneLine(one.op), one.elements,
        one.allowed ? fmt::format("compared within {} ULP, as --ulp declares",
                                  *one.allowed)
                    : "of which no document states a precision: not checked "
                      "bit for bit",
        one.most_ulp);
  }
  return text;
}

std::string SummaryText(const RunRecord& r) {
  return OpenText(r.open) +
         fmt::format(
             "{}: {} cases: {} agree, {} disagree, {} unsupported{}, {} "
             "malformed{}{}; compared {} steps, {} bytes, {} nodes of {} "
             "against "
             "{}{}{}{}{}{}{}\n",
             r.verb, r.total(), r.agree, r.disagree, r.unsupported,
             r.unrecorded > 0 ? fmt::format(" ({} without an outcome document)",
                                            r.unrecorded)
                              : "",
             r.malformed, r.known > 0 ? fmt::format(", {} known", r.known) : "",
             r.tolerated > 0 ? fmt::format(", {} tolerated", r.tolerated) : "",
             r.steps, r.compared_bytes, r.nodes,
             InOneLine(TargetText(r.target, r.vectors)), InOneLine(r.reference),
             r.edition.empty()
                 ? ""
                 : fmt::format(", edition {}", InOneLine(r.edition)),
             r.open_memory > 0
                 ? fmt::format("; expected memory is open in {}", r.open_memory)
                 : "",
             r.sample ? "; " : "", r.sample ? make::SampleText(*r.sample) : "",
             r.unfinished.empty() ? "" : "; not complete: ",
             InOneLine(r.unfinished));
}

std::string LackingText(const diff::AccountRecord& account) {
  if (!account.never_executed.empty()) {
    return fmt::format(
        "{} {} claimed by the target and never executed; fix: claim less in "
        "its capabilities",
        fmt::join(account.never_executed, ", "),
        account.never_executed.size() == 1 ? "is" : "are");
  }
  if (account.lacking == 0) return "";
  return fmt::format(
      "{} of {} that the target claims {} legal and unsupported; fix: claim "
      "less in its capabilities, or give --allow-unsupported where that is "
      "meant",
      account.lacking, Counted(account.claimed, "case"),
      account.lacking == 1 ? "is" : "are");
}

std::vector<RateLine> RateLines(std::string_view instruction,
                                std::string_view build, const diff::Pace& pace,
                                double seconds) {
  const std::uint64_t cases = pace.legal.cases + pace.illegal.cases;
  if (cases == 0) return {};
  const double made =
      std::max(0.0, seconds - pace.legal.seconds - pace.illegal.seconds);
  const double made_per_case = made / static_cast<double>(cases);
  std::vector<RateLine> lines;
  if (pace.legal.cases > 0) {
    lines.push_back(RateOf("legal", pace.legal, made_per_case));
  }
  if (pace.illegal.cases > 0) {
    lines.push_back(RateOf("illegal", pace.illegal, made_per_case));
  }
  for (RateLine& line : lines) {
    line.instruction = instruction;
    line.build = build;
  }
  return lines;
}

std::string RatesText(std::span<const RateLine> lines) {
  if (lines.empty()) return {};
  std::string text =
      fmt::format("{:<18} {:<12} {:<8} {:>9} {:>9} {:>8} {:>8} {:>8} {:>8}\n",
                  "rates", "build", "cases", "", "a second", "oracle", "target",
                  "harness", "fuzzer");
  for (const RateLine& line : lines) {
    text += fmt::format(
        "{:<18} {:<12} {:<8} {:>9} {:>9.0f} {:>6.1f} % {:>6.1f} % {:>6.1f} % "
        "{:>6.1f} %\n",
        line.instruction, line.build, line.kind, line.cases, line.per_second,
        100 * line.oracle, 100 * line.target, 100 * line.harness,
        100 * line.fuzzer);
  }
  return text;
}

namespace {

using Look = Report::Look;

/// As an address of a page spells it: `encodeURIComponent`.
std::string Encoded(std::string_view text) {
  return InAddress(text, "-_.!~*'()");
}

Report::Line GroupLine(const FindingGroup& group,
                       const std::set<std::string>& pages) {
  Report::Line line = {.text = fmt::format("{}{}{}", group.signature,
                                           group.since.empty() ? "" : ", ",
                                           group.since)};
  line.below = {{group.message},
                {group.times > 0 ? "found " + Counted(group.times, "time")
                                 : "in " + Counted(group.cases, "case")}};
  if (!group.rules.empty()) {
    line.below.push_back(
        {.text = fmt::format("{} on {}", fmt::join(group.rules, ", "),
                             fmt::join(group.products, ", ")),
         .label = "speaks against"});
    line.below.back().link = "#/rule/" + Encoded(group.rules.front());
  }
  line.below.push_back(CaseLine(group.id, group.path, pages));
  line.below.back().label = "smallest case";
  if (!group.reproduce.empty()) {
    line.below.push_back({.text = group.reproduce, .look = Look::kCommand});
  }
  return line;
}

Report::Section TargetSection(const Front& front) {
  Report::Section section = {.title = "What was under test"};
  const auto add = [&](std::string_view label, std::string_view text) {
    if (text.empty()) return;
    section.lines.push_back(
        {.text = std::string(text), .label = std::string(label)});
  };
  add("target", front.target);
  if (front.about != nullptr) {
    add("name", front.about->name);
    add("version", front.about->version);
  }
  add("vectors", front.vectors);
  add("edition of the documents", front.edition);
  if (front.about == nullptr) return section;
  for (const CapabilityRecord& one : front.about->capabilities) {
    add(one.field, one.value);
  }
  for (const TraitRecord& trait : front.about->character) {
    Report::Line& line = section.lines.emplace_back(
        Report::Line{.text = {}, .label = trait.question});
    for (const std::string& answer : trait.answers) {
      line.below.push_back({answer});
    }
  }
  if (front.about->character.empty()) {
    add("character",
        fmt::format("not known: {}; fix: lanediff characterise --json FILE",
                    front.about->no_character.empty()
                        ? "it was not queried"
                        : front.about->no_character));
  }
  return section;
}

void AddLines(std::string_view label, const std::vector<std::string>& texts,
              Report::Section& section) {
  for (const std::string& text : texts) {
    section.lines.push_back({.text = text, .label = std::string(label)});
  }
}

template <class E>
std::string_view WordText(const std::optional<E>& word) {
  return word ? isa::Name(*word) : std::string_view("not there");
}

}  // namespace

Report::Section ChangesSection(const RunChanges& c) {
  Report::Section section = {.title = "Since " + c.file};
  const auto add = [&](std::string_view what, const ChangedFinding& one,
                       std::string_view more = {}) {
    section.lines.push_back(
        {.text =
             fmt::format("{} {} {}{}", what, one.path, one.key.signature, more),
         .below = {{.text = one.message, .page_only = true}}});
  };
  for (const ChangedFinding& one : c.fresh) add("new", one);
  for (const GoneFinding& one : c.gone) {
    add("gone", one, one.looked_at ? "" : " (its case was not run)");
  }
  for (const ChangedFinding& one : c.updated) add("updated", one);
  section.lines.push_back(
      {fmt::format("against {} of {}: {} findings new, {} gone, {} updated, {} "
                   "unchanged",
                   c.file, c.target, c.fresh.size(), c.gone.size(),
                   c.updated.size(), c.unchanged)});
  return section;
}

Report::Section ChangesSection(const AuditChanges& c) {
  Report::Section section = {.title = "Since " + c.file,
                             .in = Report::Section::In::kText};
  AddLines("finding new", c.signatures.fresh, section);
  AddLines("finding gone", c.signatures.gone, section);
  for (const ChangedCell& cell : c.cells) {
    section.lines.push_back({fmt::format(
        "changed {} on {}: {} before, {} now", cell.rule,
        isa::Name(cell.product), WordText(cell.before), WordText(cell.now))});
  }
  for (const ChangedReading& reading : c.readings) {
    section.lines.push_back(
        {fmt::format("changed disagreement {}: {} before, {} now", reading.id,
                     WordText(reading.before), WordText(reading.now))});
  }
  section.lines.push_back({fmt::format(
      "against {} of {}: {} verdicts and {} readings changed, {} unchanged",
      c.file, c.target, c.cells.size(), c.readings.size(), c.unchanged)});
  return section;
}

Report::Section ChangesSection(const MutantsChanges& c) {
  Report::Section section = {.title = "Since " + c.file,
                             .in = Report::Section::In::kBoth};
  AddLines("found now, not before", c.found, section);
  AddLines("found before, NOT FOUND now", c.survived, section);
  AddLines("not hunted to the end before", c.added, section);
  AddLines("not hunted to the end now", c.gone, section);
  section.lines.push_back({fmt::format(
      "against {}: {} mutants found now and not before, {} the other way "
      "round, {} unchanged",
      c.file, c.found.size(), c.survived.size(), c.unchanged)});
  return section;
}

Report::Line CaseLine(const std::string& id, const std::string& path,
                      const std::set<std::string>& pages) {
  if (!pages.contains(id)) return {path};
  return {.text = id, .link = "#/case/" + Encoded(id)};
}

void AddFront(const Front& front, Report& report) {
  report.sentence = front.headline.sentence;
  report.tone = ToneOf(front.headline.tone);
  if (!front.since.empty()) report.headline.push_back({front.since});
  const std::size_t shown = std::min(front.groups.size(), kFirstFindings);
  for (std::size_t i = 0; i < shown; ++i) {
    report.found.push_back(GroupLine(front.groups[i], front.pages));
  }
  if (shown < front.groups.size()) {
    report.found.push_back(
        {.text =
             "and " + Counted(front.groups.size() - shown, "more finding")});
  }
  report.sections.push_back(TargetSection(front));
}

}  // namespace lanediff::reports
