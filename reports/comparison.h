#pragma once

#include <cstdint>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "differential/testcase/record.h"
#include "isa/vocabulary.h"
#include "reports/reasons.h"

/// Audits of several targets side by side. Document of the kind `comparison`:
/// reports/schema/comparison.schema.json.
namespace lanediff::reports {

struct ComparedTarget {
  std::string target;
  std::string folder;        ///< of its report, beside this one
  std::uint64_t status = 0;  ///< of its audit
  std::string sentence;      ///< with which its report opens

  static void Fields(auto& t, auto& v) {
    v.Required("target", t.target, kFilled);
    v.Required("folder", t.folder, kFilled);
    v.Required("status", t.status, {.description = "of its audit"});
    v.Required("sentence", t.sentence, kFilled);
  }
};

struct ComparedCell {
  std::string product;
  std::vector<std::string> verdicts;

  static void Fields(auto& c, auto& v) {
    v.Required("product", c.product, kFilled);
    v.Required("verdicts", c.verdicts,
               {.description = "in the order of targets: the verdict, or not "
                               "claimed, or not audited"});
  }
};

struct ComparedRule {
  std::string id;
  std::string instruction;
  std::string statement;
  std::vector<ComparedCell> cells;

  static void Fields(auto& r, auto& v) {
    v.Required("id", r.id, kRuleText);
    v.Required("instruction", r.instruction, kFilled);
    v.Required("statement", r.statement, kFilled);
    v.Required("cells", r.cells);
  }
};

struct ComparedDisagreement {
  std::string id;
  std::string title;
  std::uint64_t differ = 0;
  std::vector<std::string> documents;
  std::vector<std::string> follows;

  static void Fields(auto& d, auto& v) {
    v.Required("id", d.id, kFilled);
    v.Required("title", d.title, kFilled);
    v.Required("differ", d.differ,
               {.description = "as in the reports of the targets"});
    v.Required("documents", d.documents,
               {.description = "titles that its readings cite"});
    v.Required("follows", d.follows,
               {.description = "in the order of targets: the reading that each "
                               "follows, or not audited"});
  }
};

struct ComparisonRecord {
  bool complete = true;  ///< every target was audited as a whole
  std::vector<std::string> reasons;
  std::vector<ComparedTarget> targets;
  std::vector<ComparedRule> rules;
  std::vector<ComparedDisagreement> disagreements;

  static void Fields(auto& r, auto& v) {
    v.Document("comparison");
    CompleteFields(v, r.reasons);
    v.Required("targets", r.targets);
    v.Required("rules", r.rules);
    v.Required("disagreements", r.disagreements,
               {.description = "those that touch most legal calls first"});
  }
};

/// `audits` are the documents of the kind `audit` of `targets`, in their order;
/// null where a target has none.
ComparisonRecord ComparisonOf(std::vector<ComparedTarget> targets,
                              const std::vector<nlohmann::json>& audits);

std::string ComparisonJson(const ComparisonRecord& record);
std::string ComparisonHtml(const ComparisonRecord& record);
/// A line for each target, then in how many of the verdicts and readings that
/// were compared they differ.
std::string ComparisonText(const ComparisonRecord& record);

}  // namespace lanediff::reports
