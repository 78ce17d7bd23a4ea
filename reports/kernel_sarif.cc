#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "differential/testcase/json_layout.h"
#include "differential/testcase/record_json.h"
#include "isa/catalogue.h"
#include "reports/kernel.h"
#include "reports/kernel_status.h"
#include "reports/printable.h"
#include "reports/sarif_nodes.h"

namespace lanediff::reports {
namespace {

using kernel::Finding;
using sarif::OrderedJson;

/// The rules of results, in the order of the first ones.
class RuleList {
 public:
  std::size_t IndexOf(const std::string& rule) {
    const auto place = std::ranges::find(rules_, rule);
    const auto number = static_cast<std::size_t>(place - rules_.begin());
    if (place == rules_.end()) rules_.push_back(rule);
    return number;
  }

  OrderedJson Descriptors() const {
    OrderedJson all = OrderedJson::array();
    for (const std::string& rule : rules_) {
      if (const isa::Rule* const known = isa::FindRule(rule)) {
        all.push_back(sarif::RuleDescriptor(*known));
        continue;
      }
      all.push_back({{"id", rule},
                     {"shortDescription",
                      {{"text", "A result differs from the oracle's."}}}});
    }
    return all;
  }

 private:
  std::vector<std::string> rules_;
};

OrderedJson LocationOf(const kernel::Site& site, std::string_view op) {
  OrderedJson location = sarif::Location(
      site.file, sarif::kWorkingFolder,
      static_cast<std::size_t>(std::max<std::int64_t>(site.line, 1)));
  if (!op.empty()) {
    location["logicalLocations"] =
        OrderedJson::array({{{"name", InOneLine(op)}, {"kind", "function"}}});
  }
  return location;
}

/// What stays the same when lines are added elsewhere.
OrderedJson FingerprintOf(std::string_view rule, const kernel::Site& site,
                          const KernelSources& sources) {
  const std::string_view line = sources.Line(site.file, site.line);
  return {{"lanediffRuleFileLine/v1",
           fmt::format("{} {}: {}", InOneLine(rule), InOneLine(site.file),
                       line.empty() ? fmt::format("line {}", site.line)
                                    : InOneLine(line))}};
}

OrderedJson FindingResult(const Finding& finding, const KernelSources& sources,
                          RuleList& rules) {
  const std::string rule = InOneLine(finding.rule);
  OrderedJson result = sarif::ResultNode(
      rule, rules.IndexOf(rule), "error",
      fmt::format("{}. First met in {}{}{}.", InOneLine(finding.message),
                  OccurrenceText(finding),
                  finding.missing.empty() ? "" : "; missing: ",
                  InOneLine(finding.missing)) +
          (finding.follows_from
               ? fmt::format(" Follows from {}.", CauseText(finding))
               : ""));
  result["locations"] =
      OrderedJson::array({LocationOf(finding.later.site, finding.later.op)});
  if (finding.earlier) {
    OrderedJson other = LocationOf(finding.earlier->site, finding.earlier->op);
    other["id"] = 1;
    other["message"] = {
        {"text",
         fmt::format(
             "the other access: {}{}", InOneLine(finding.earlier->op),
             finding.earlier->pipe
                 ? fmt::format(" on {}", isa::Name(*finding.earlier->pipe))
                 : std::string())}};
    result["relatedLocations"] = OrderedJson::array({std::move(other)});
  }
  result["partialFingerprints"] =
      FingerprintOf(finding.rule, finding.later.site, sources);
  result["occurrenceCount"] = finding.times;
  sarif::Accept(finding.suppressed, result);
  result["properties"] = {{"group", isa::Name(finding.group)}};
  if (finding.follows_from) {
    OrderedJson cause = LocationOf(finding.follows_from->site, "");
    cause["id"] = 2;
    cause["message"] = {
        {"text", "the cause: " + InOneLine(finding.follows_from->rule)}};
    result["relatedLocations"].push_back(std::move(cause));
    result["properties"]["followsFrom"] = CauseText(finding);
  }
  if (finding.unknown_bytes > 0) {
    result["properties"]["unknown"] = UnknownText(finding);
  }
  if (!finding.repair.empty()) {
    result["properties"]["repair"] = InOneLine(finding.repair);
  }
  if (!finding.case_path.empty()) {
    result["properties"]["case"] = InOneLine(finding.case_path);
    result["properties"]["reproduce"] = ReproduceText(finding);
  }
  return result;
}

OrderedJson NoteResult(const kernel::Note& note, const KernelSources& sources,
                       RuleList& rules) {
  const std::string rule = InOneLine(note.rule);
  OrderedJson result = sarif::ResultNode(rule, rules.IndexOf(rule), "note",
                                         InOneLine(note.message));
  result["locations"] = OrderedJson::array({LocationOf(note.site, "")});
  result["partialFingerprints"] = FingerprintOf(note.rule, note.site, sources);
  result["occurrenceCount"] = note.times;
  return result;
}

/// What is no result: refused calls, faults of lists, a bad end.
OrderedJson Notifications(const kernel::RunRecord& record) {
  OrderedJson all = OrderedJson::array();
  for (const kernel::Refusal& refusal : record.refusals) {
    sarif::AddNotification(RefusalText(refusal),
                           LocationOf(refusal.site, refusal.name), all);
  }
  for (const auto* faults :
       {&record.suppression_faults, &record.expectation_faults}) {
    for (const std::string& fault : *faults) {
      sarif::AddNotification(InOneLine(fault), all);
    }
  }
  for (const std::string& line : EndLines(record)) {
    sarif::AddNotification(line, all);
  }
  return all;
}

std::string_view ExitWords(int status) {
  constexpr std::string_view kTexts[] = {
      "no finding", "findings",
      "wrong usage, a source that does not compile, a refused call, or nothing "
      "was checked",
      "the program crashed, timed out or failed"};
  return kTexts[status];
}

}  // namespace

std::string KernelSarif(const kernel::RunRecord& record,
                        const KernelSources& sources) {
  RuleList rules;
  OrderedJson results = OrderedJson::array();
  for (const Finding& finding : record.findings) {
    results.push_back(FindingResult(finding, sources, rules));
  }
  for (const kernel::Note& note : record.notes) {
    results.push_back(NoteResult(note, sources, rules));
  }
  const int status = KernelStatus(record);
  return sarif::LogText(
      {.category = "lanediff/run/",
       .exit_status = status,
       .exit_text = ExitWords(status),
       .complete = record.end.how == kernel::End::How::kEnded},
      rules.Descriptors(), std::move(results), Notifications(record),
      {{"program", InOneLine(record.program)},
       {"counts", ToOrdered(RecordJson(record.counts))}});
}

}  // namespace lanediff::reports
