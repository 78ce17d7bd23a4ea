#pragma once

#include <cstdint>
#include <set>
#include <string>
#include <vector>

#include "differential/testcase/record.h"
#include "isa/vocabulary.h"
#include "reports/citations.h"
#include "reports/reasons.h"

/// Audits of several targets side by side. Document of the kind `comparison`:
/// reports/schema/comparison.schema.json.
namespace lanediff::reports {

struct ComparedTarget {
  std::string target;
  std::string folder;        ///< of its report, beside this one
  std::uint64_t status = 0;  ///< of its audit
  std::string sentence;      ///< with which its report opens
  bool audited = false;      ///< it has a report

  static void Fields(auto& t, auto& v) {
    v.Required("target", t.target, kFilled);
    v.Required("folder", t.folder, kFilled);
    v.Required("status", t.status, {.description = "of its audit"});
    v.Required("sentence", t.sentence, kFilled);
    v.Required("audited", t.audited,
               {.description = "its report is in the folder"});
  }
};

struct ComparedCell {
  isa::Product product = isa::Product::kAtlasA2;
  std::vector<std::string> verdicts;

  static void Fields(auto& c, auto& v) {
    v.Required("product", c.product);
    v.Required("verdicts", c.verdicts,
               {.description = "in the order of targets: the verdict, or not "
                               "claimed, or not audited"});
  }
};

/// A rule with what is of products.
template <class C>
struct RuleWith : RuleHead {
  std::vector<C> cells;

  static void Fields(auto& r, auto& v) {
    RuleHead::Fields(r, v);
    v.Required("cells", r.cells);
  }
};
using ComparedRule = RuleWith<ComparedCell>;

struct ComparedDisagreement : DisagreementHead {
  std::vector<std::string> follows;

  /// Titles that its readings cite.
  std::vector<std::string> Documents() const {
    std::set<std::string> titles;
    for (const CitedReading& reading : readings) {
      for (const CitedPlace& place : reading.citations) {
        titles.insert(place.title);
      }
    }
    return {titles.begin(), titles.end()};
  }

  static void Fields(auto& d, auto& v) {
    DisagreementHead::Fields(d, v);
    v.Derived("documents", [&] { return d.Documents(); },
              {.description = "titles that its readings cite"});
    v.Required("follows", d.follows,
               {.description = "in the order of targets: the reading that each "
                               "follows, or not audited"});
  }
};

struct ComparisonRecord {
  std::vector<std::string> reasons;  ///< why not all was audited as a whole
  std::vector<ComparedTarget> targets;
  std::vector<CitedDocument> documents;
  std::vector<ComparedRule> rules;
  std::vector<ComparedDisagreement> disagreements;

  static void Fields(auto& r, auto& v) {
    v.Document("comparison");
    CompleteFields(v, r.reasons);
    v.Required("targets", r.targets);
    v.Required("documents", r.documents,
               {.description = "that citations name by their titles"});
    v.Required("rules", r.rules);
    v.Required("disagreements", r.disagreements,
               {.description = "those that touch most legal calls first"});
  }
};

/// `audits` are the documents of the kind `audit` of `targets`, in their order;
/// a target is not audited where it is none.
ComparisonRecord ComparisonOf(std::vector<ComparedTarget> targets,
                              const std::vector<std::string>& audits);

std::string ComparisonJson(const ComparisonRecord& record);
std::string ComparisonHtml(const ComparisonRecord& record);
/// A line for each target; the rules and disagreements in which targets differ,
/// 10 at most of each unless `all`; then in how many of the verdicts and
/// readings that were compared they differ.
std::string ComparisonText(const ComparisonRecord& record, bool all = false);

}  // namespace lanediff::reports
