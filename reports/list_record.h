#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "differential/testcase/record.h"
#include "isa/catalogue.h"
#include "isa/vocabulary.h"
#include "reports/reasons.h"

/// What `lanediff list` and `lanediff target run --values` leave as JSON.
namespace lanediff::reports {

struct ListedSource {
  isa::Provenance provenance = {};
  std::string document;
  std::string part;
  std::string quote;
  isa::EvidenceLevel level = {};

  static void Fields(auto& s, auto& v) {
    v.Required("provenance", s.provenance);
    v.Optional("document", s.document);
    v.Optional("part", s.part);
    v.Optional("quote", s.quote);
    v.Required("evidenceLevel", s.level);
  }
};

struct ListedRange {
  std::string field;
  std::int64_t low = 0;
  std::int64_t high = 0;
  std::int64_t element_bits = 0;

  static void Fields(auto& r, auto& v) {
    v.Required("field", r.field, kFilled);
    v.Required("low", r.low);
    v.Required("high", r.high);
    v.Optional("elementBits", r.element_bits,
               {.description = "for types of this many bits alone"});
  }
};

struct ListedRule {
  std::string id;
  std::string instruction;
  isa::Effect effect = {};
  isa::EvidenceLevel level = {};
  std::string statement;
  std::string changed_since;
  std::string only_in;
  std::vector<ListedSource> sources;
  std::vector<ListedRange> ranges;

  static void Fields(auto& r, auto& v) {
    v.Required("id", r.id, kRuleText);
    v.Required("instruction", r.instruction);
    v.Required("effect", r.effect);
    v.Required("evidenceLevel", r.level,
               {.description = "of the weakest part of the statement"});
    v.Required("statement", r.statement, kFilled);
    v.Optional("changedSince", r.changed_since,
               {.description = "the edition with another statement"});
    v.Optional("onlyIn", r.only_in,
               {.description = "the one edition that has the rule"});
    v.Optional("sources", r.sources);
    v.Optional("ranges", r.ranges);
  }
};

struct ListedReading {
  std::string reading;
  std::string text;
  std::string document;
  std::string quote;
  std::string outcome;

  static void Fields(auto& r, auto& v) {
    v.Required("reading", r.reading, kFilled);
    v.Required("text", r.text);
    v.Optional("document", r.document);
    v.Optional("quote", r.quote);
    v.Optional("outcome", r.outcome,
               {.description = "of its case, by this reading"});
  }
};

struct ListedDisagreement {
  std::string id;
  std::string kind;
  std::string title;
  std::vector<std::string> rules;
  std::vector<ListedReading> readings;
  std::string why;
  std::uint64_t differ = 0;
  std::string undecidable;
  std::string path;
  std::vector<std::string> also;

  static void Fields(auto& d, auto& v) {
    v.Required("id", d.id, kFilled);
    v.Required("kind", d.kind);
    v.Required("title", d.title);
    v.Optional("rules", d.rules);
    v.Required("readings", d.readings);
    v.Required("why", d.why, {.description = "of the chosen reading"});
    v.Required("differ", d.differ,
               {.description = "of 1000 legal calls made at random: those that "
                               "come out otherwise by another reading"});
    v.Optional("undecidable", d.undecidable,
               {.description = "why no case shows it"});
    v.Optional("case", d.path, {.description = "id of the case that shows it"});
    v.Optional("also", d.also, {.description = "ids of more cases"});
  }
};

struct ListedInstruction {
  std::string op;
  std::string name;

  static void Fields(auto& i, auto& v) {
    v.Required("op", i.op, kFilled);
    v.Required(
        "name", i.name,
        {.description = "in names of files and options", .filled = true});
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

struct ListedMutant {
  std::string name;
  std::string instruction;
  std::string rule;
  std::string defect;
  std::string modelled_on;
  std::string defect_id;

  static void Fields(auto& m, auto& v) {
    v.Required("name", m.name, kFilled);
    v.Required("instruction", m.instruction, kFilled);
    v.Required("rule", m.rule, kRuleText);
    v.Required("defect", m.defect, kFilled);
    v.Required("modelledOn", m.modelled_on);
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
    v.Optional("rules", r.rules);
    v.Optional("disagreements", r.disagreements);
    v.Optional("instructions", r.instructions);
    v.Optional("products", r.products);
    v.Optional("targets", r.targets);
    v.Optional("mutants", r.mutants);
    v.Optional("orders", r.orders);
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
    v.Optional("op", r.op);
    v.Optional("operand", r.operand);
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
