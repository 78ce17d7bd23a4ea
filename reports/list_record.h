#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "differential/testcase/record.h"
#include "isa/catalogue.h"
#include "isa/vocabulary.h"
#include "reports/audit_record.h"
#include "reports/mutant_record.h"
#include "reports/reasons.h"

/// What `lanediff list` and `lanediff target run --values` leave as JSON.
namespace lanediff::reports {

/// A record for each of `all`, which it holds.
template <class T>
std::vector<T> Listed(const auto& all) {
  std::vector<T> listed;
  for (const auto& one : all) listed.push_back({one});
  return listed;
}

struct ListedSource {
  isa::Source source = {};

  static void Fields(auto& s, auto& v) {
    v.Derived("provenance", [&] { return s.source.provenance(); });
    LANEDIFF_OPTIONAL(v, s.source.document, s.source.part, s.source.quote);
    v.Required("evidenceLevel", s.source.level);
  }
};

struct ListedRange {
  isa::Range range = {};

  static void Fields(auto& r, auto& v) {
    v.Required("field", r.range.field, kFilled);
    LANEDIFF_REQUIRED(v, r.range.low, r.range.high);
    v.Optional("elementBits", std::int64_t{r.range.element_bits},
               {.description = "for types of this many bits alone"});
  }
};

struct ListedRule {
  isa::Rule rule = {};
  isa::Edition edition = isa::kNewestEdition;

  static void Fields(auto& r, auto& v) {
    const isa::Rule& rule = r.rule;
    const std::string_view changed =
        rule.statement_2024.empty() ? "" : isa::Name(isa::Edition::k2024);
    const std::string_view only = rule.only ? isa::Name(*rule.only) : "";
    v.Required("id", rule.id.text(), kRuleText);
    LANEDIFF_REQUIRED(v, rule.instruction, rule.effect);
    v.Derived("evidenceLevel", [&] { return isa::EvidenceOf(rule); },
              {.description = "of the weakest part of the statement"});
    v.Required("statement", rule.StatementIn(r.edition), kFilled);
    v.Optional("changedSince", changed,
               {.description = "the edition with another statement"});
    v.Optional("onlyIn", only,
               {.description = "the one edition that has the rule"});
    v.Optional("sources", Listed<ListedSource>(rule.sources));
    v.Optional("ranges", Listed<ListedRange>(rule.RangesIn(r.edition)));
  }
};

struct ListedReading {
  std::string word;
  audit::Reading reading = {};
  std::string outcome = {};

  static void Fields(auto& r, auto& v) {
    v.Required("reading", r.word, kFilled);
    v.Required("text", r.reading.text);
    LANEDIFF_OPTIONAL(v, r.reading.document, r.reading.quote);
    v.Optional("outcome", r.outcome,
               {.description = "of its case, by this reading"});
  }
};

struct ListedDisagreement {
  audit::Disagreement entry = {};
  std::vector<std::string> outcomes = {};  ///< by each reading, or none

  /// The chosen one first.
  std::vector<ListedReading> Readings() const {
    std::vector<ListedReading> all = {{"chosen", entry.chosen}};
    for (const auto& other : entry.others) all.push_back({other.word, other});
    for (std::size_t i = 0; i < outcomes.size(); ++i) {
      all[i].outcome = outcomes[i];
    }
    return all;
  }

  static void Fields(auto& d, auto& v) {
    const audit::Disagreement& entry = d.entry;
    std::vector<std::string_view> rules;
    for (const isa::RuleId rule : entry.rules) rules.push_back(rule.text());
    std::vector<std::string> cases;
    for (const std::string& name : entry.cases) {
      cases.push_back("disagreements/" + name);
    }
    const std::string first = cases.empty() ? "" : cases.front();
    if (!cases.empty()) cases.erase(cases.begin());
    v.Required("id", entry.id, kFilled);
    v.Required("kind", isa::Name(entry.kind));
    v.Required("title", entry.title);
    v.Optional("rules", rules);
    v.Derived("readings", [&] { return d.Readings(); });
    v.Required("why", entry.why, {.description = "of the chosen reading"});
    v.Required("differ", entry.differ,
               {.description = "of 1000 legal calls made at random: those that "
                               "come out otherwise by another reading"});
    v.Optional("undecidable", first.empty() ? entry.undecidable : "",
               {.description = "why no case shows it"});
    v.Optional("case", first, {.description = "id of the case that shows it"});
    v.Optional("also", cases, {.description = "ids of more cases"});
  }
};

struct ListedTypes {
  std::string product;
  std::vector<std::string> types;

  static void Fields(auto& t, auto& v) {
    v.Required("product", t.product, kFilled);
    v.Optional("types", t.types,
               {.description = "of T; none where they depend on more"});
  }
};

struct ListedConversion {
  std::string from;
  std::string to;
  std::vector<std::string> round_modes = {};
  std::vector<std::string> products = {};

  static void Fields(auto& c, auto& v) {
    LANEDIFF_REQUIRED(v, c.from, c.to, c.round_modes, c.products);
  }
};

struct ListedInstruction {
  std::string op;
  std::string name;
  std::vector<ListedTypes> products = {};  ///< that the documents list
  std::vector<ListedConversion> conversions = {};

  static void Fields(auto& i, auto& v) {
    v.Required("op", i.op, kFilled);
    v.Required(
        "name", i.name,
        {.description = "in names of files and options", .filled = true});
    LANEDIFF_OPTIONAL(v, i.products, i.conversions);
  }
};

struct ListedTarget {
  std::string name;
  std::string description;

  static void Fields(auto& t, auto& v) {
    v.Required("name", t.name, kFilled);
    v.Required("description", t.description);
  }
};

struct ListedMutant : MutantHead {
  std::string defect_id;

  static void Fields(auto& m, auto& v) {
    MutantHead::Fields(m, v);
    v.Required("defectId", m.defect_id,
               {.description = "shared by mutants that plant the same defect",
                .filled = true});
  }
};

/// One of the lists, which has the name `what`.
struct ListRecord {
  std::string what;
  std::optional<isa::Edition> edition = {};  ///< of rules
  std::vector<ListedRule> rules = {};
  std::vector<ListedDisagreement> disagreements = {};
  std::vector<ListedInstruction> instructions = {};
  std::vector<std::string> products = {};
  std::vector<ListedTarget> targets = {};
  std::vector<ListedMutant> mutants = {};
  std::vector<std::string> orders = {};

  static void Fields(auto& r, auto& v) {
    v.Document("list");
    CompleteFields(v, Reasons());
    v.Required("what", r.what,
               {.description = "the member that is the list", .filled = true});
    v.Optional("edition", r.edition, {.description = "of rules"});
    LANEDIFF_OPTIONAL(v, r.rules, r.disagreements, r.instructions, r.products,
                      r.targets, r.mutants, r.orders);
  }
};

/// Equal elements in a row.
struct ListedElement {
  NumberOrText value;
  std::string bits;
  std::int64_t count = 1;
  std::string exact = {};
  std::string ulp = {};

  static void Fields(auto& e, auto& v) {
    v.Required("value", e.value,
               {.description = "a number, or a text: nan, inf, -0.0"});
    v.Required("bits", e.bits, {.pattern = "^0x[0-9a-f]+$"});
    v.Required("count", e.count, {.low = 1});
    v.Optional("exact", e.exact, {.description = "with --true"});
    v.Optional("ulp", e.ulp,
               {.description = "with --true: how far it is from exact, where "
                               "that is finite"});
  }
};

/// What one step wrote, of one type.
struct ListedValues {
  isa::Memory memory = {};
  std::int64_t at = 0;
  isa::DType dtype = {};
  std::optional<std::uint64_t> step = {};
  std::string op = {};
  std::string operand = {};
  std::int64_t count = 0;
  std::vector<ListedElement> elements = {};

  static void Fields(auto& r, auto& v) {
    v.Required("memory", r.memory);
    v.Required("at", r.at, kNotNegative);
    v.Required("dtype", r.dtype);
    v.Optional("step", r.step, {.description = "that is to write it"});
    LANEDIFF_OPTIONAL(v, r.op, r.operand);
    v.Required("count", r.count, {.description = "of elements"});
    v.Required("elements", r.elements);
  }
};

struct ValuesRecord {
  std::string id;
  std::string outcome;
  std::optional<std::uint64_t> step = {};
  std::int64_t bytes = 0;
  std::int64_t unspecified_bytes = 0;
  std::vector<ListedValues> values = {};

  static void Fields(auto& r, auto& v) {
    v.Document("values");
    CompleteFields(v, Reasons());
    v.Required("case", r.id);
    v.Required("outcome", r.outcome,
               {.description = "executed, or rejected at the step"});
    v.Optional("step", r.step, {.description = "that was rejected"});
    v.Required("bytes", r.bytes, {.description = "that are written"});
    v.Required("unspecifiedBytes", r.unspecified_bytes,
               {.description = "that the documents leave open"});
    v.Required("values", r.values);
  }
};

}  // namespace lanediff::reports
