#include "reports/front.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <optional>

#include "reports/printable.h"

namespace lanediff::reports {
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
