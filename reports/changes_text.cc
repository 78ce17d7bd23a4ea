#include <fmt/format.h>

#include <algorithm>

#include "reports/changes.h"
#include "reports/printable.h"

namespace lanediff::reports {
namespace {

std::string FindingText(std::string_view what, const ChangedFinding& finding,
                        std::string_view more = "") {
  return fmt::format("{} {} {}{}\n", what, InOneLine(finding.path),
                     InOneLine(finding.key.signature), more);
}

template <class E>
std::string_view WordText(const std::optional<E>& word) {
  return word ? isa::Name(*word) : std::string_view("not there");
}

std::string NamesText(std::string_view what,
                      const std::vector<std::string>& names) {
  std::string text;
  for (const std::string& name : names) {
    text += fmt::format("{} {}\n", what, InOneLine(name));
  }
  return text;
}

std::string SignaturesText(const SignatureChanges& c) {
  std::string text;
  const auto add = [&](std::string_view what,
                       const std::vector<std::string>& signatures) {
    for (const std::string& one : signatures) {
      text += fmt::format("{} {}\n", what, InOneLine(one));
    }
  };
  add("finding new:", c.fresh);
  add("finding gone:", c.gone);
  return text;
}

}  // namespace

std::string SignatureChanges::Since(const std::string& signature) const {
  const auto in = [&](const std::vector<std::string>& list) {
    return std::ranges::find(list, signature) != list.end();
  };
  return in(fresh) ? "new" : in(still) ? "still" : "";
}

std::string SinceText(const SignatureChanges& c) {
  std::string text =
      fmt::format("{} {} new, {} gone, {} still there", c.fresh.size(),
                  c.fresh.size() == 1 ? "finding" : "findings", c.gone.size(),
                  c.still.size());
  if (!c.not_looked_at.empty()) {
    text += fmt::format(", {} not looked at this time", c.not_looked_at.size());
  }
  return text;
}

std::string ChangesText(const RunChanges& c) {
  std::string text;
  for (const auto& finding : c.fresh) text += FindingText("new", finding);
  for (const GoneFinding& finding : c.gone) {
    text += FindingText("gone", finding,
                        finding.looked_at ? "" : " (its case was not run)");
  }
  for (const auto& finding : c.updated) text += FindingText("updated", finding);
  return text + fmt::format(
                    "against {} of {}: {} findings new, {} gone, {} updated, "
                    "{} unchanged\n",
                    InOneLine(c.file), InOneLine(c.target), c.fresh.size(),
                    c.gone.size(), c.updated.size(), c.unchanged);
}

std::string ChangesText(const AuditChanges& c) {
  std::string text = SignaturesText(c.signatures);
  for (const ChangedCell& cell : c.cells) {
    text += fmt::format("changed {} on {}: {} before, {} now\n",
                        InOneLine(cell.rule), isa::Name(cell.product),
                        WordText(cell.before), WordText(cell.now));
  }
  for (const ChangedReading& reading : c.readings) {
    text += fmt::format("changed disagreement {}: {} before, {} now\n",
                        InOneLine(reading.id), WordText(reading.before),
                        WordText(reading.now));
  }
  return text + fmt::format(
                    "against {} of {}: {} verdicts and {} readings changed, {} "
                    "unchanged\n",
                    InOneLine(c.file), InOneLine(c.target), c.cells.size(),
                    c.readings.size(), c.unchanged);
}

std::string ChangesText(const MutantsChanges& c) {
  return NamesText("found now, not before:", c.found) +
         NamesText("found before, NOT FOUND now:", c.survived) +
         NamesText("not hunted to the end before:", c.added) +
         NamesText("not hunted to the end now:", c.gone) +
         fmt::format(
             "against {}: {} mutants found now and not before, {} the other "
             "way round, {} unchanged\n",
             InOneLine(c.file), c.found.size(), c.survived.size(), c.unchanged);
}

}  // namespace lanediff::reports
