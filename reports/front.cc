#include "reports/front.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

namespace lanediff::reports {
namespace {

using Look = Report::Look;

/// As an address of a page spells it: `encodeURIComponent`.
std::string Encoded(std::string_view text) {
  constexpr std::string_view kPlain = "-_.!~*'()";
  std::string encoded;
  for (const char c : text) {
    const bool plain = ('a' <= c && c <= 'z') || ('A' <= c && c <= 'Z') ||
                       ('0' <= c && c <= '9') || kPlain.contains(c);
    if (plain) {
      encoded += c;
    } else {
      encoded += fmt::format("%{:02X}", static_cast<unsigned char>(c));
    }
  }
  return encoded;
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

}  // namespace

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
