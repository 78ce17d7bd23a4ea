#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "audit/ambiguities/disagreements.h"
#include "differential/targets/target.h"
#include "differential/targets/target_kind.h"
#include "differential/testcase/json_layout.h"
#include "emulator/mutants/mutant.h"
#include "isa/catalogue.h"
#include "isa/step.h"
#include "reports/printers.h"
#include "tools/cli/common.h"
#include "tools/cli/options.h"
#include "tools/cli/verbs.h"

namespace lanediff::cli {
namespace {

using Json = nlohmann::ordered_json;

struct ListOptions {
  std::string what;
  std::string json;       ///< file; "-": standard output
  bool markdown = false;  ///< rules and disagreements only
  std::string edition;    ///< of rules; empty: the newest
};

Json RuleJson(const isa::Rule& rule, isa::Edition edition) {
  Json json = {{"id", rule.id.text()},
               {"instruction", rule.instruction},
               {"effect", isa::Name(rule.effect)},
               {"evidenceLevel", isa::Name(isa::EvidenceOf(rule))},
               {"statement", rule.StatementIn(edition)}};
  if (!rule.statement_2024.empty()) json["changedSince"] = "2024";
  if (rule.only) json["onlyIn"] = isa::Name(*rule.only);
  for (const isa::Source& source : rule.sources) {
    Json entry = {{"provenance", isa::Name(source.provenance())}};
    if (!source.document.empty()) entry["document"] = source.document;
    if (!source.part.empty()) entry["part"] = source.part;
    if (!source.quote.empty()) entry["quote"] = source.quote;
    entry["evidenceLevel"] = isa::Name(source.level);
    json["sources"].push_back(std::move(entry));
  }
  for (const isa::Range& range : rule.RangesIn(edition)) {
    Json entry = {
        {"field", range.field}, {"low", range.low}, {"high", range.high}};
    if (range.element_bits != 0) entry["elementBits"] = range.element_bits;
    json["ranges"].push_back(std::move(entry));
  }
  return json;
}

Json Rules(isa::Edition edition) {
  Json json = Json::array();
  for (const isa::Rule& rule : isa::Catalogue()) {
    if (rule.HoldsIn(edition)) json.push_back(RuleJson(rule, edition));
  }
  return json;
}

Json Instructions(isa::Edition) {
  Json json = Json::array();
  for (const isa::Instruction& one : isa::Instructions()) {
    json.push_back({{"op", one.op}, {"name", one.slug}});
  }
  return json;
}

Json Targets(isa::Edition) {
  Json json = Json::array();
  const auto add = [&](std::string_view name, std::string_view description) {
    json.push_back({{"name", name}, {"description", description}});
  };
  for (const diff::TargetKind& kind : diff::TargetKinds()) {
    if (kind.listed != nullptr) {
      for (const diff::Target* target : kind.listed()) {
        add(target->name(), target->description());
      }
    }
    if (!kind.usage.empty()) add(kind.usage, kind.description);
  }
  return json;
}

Json Mutants(isa::Edition) {
  Json json = Json::array();
  for (const mutants::Mutant& mutant : mutants::Mutants()) {
    json.push_back({{"name", mutant.name},
                    {"instruction", mutant.slug},
                    {"rule", mutant.rule.text()},
                    {"defect", mutant.defect},
                    {"modelledOn", mutant.modelled_on},
                    {"defectId", mutants::DefectOf(mutant)}});
  }
  return json;
}

Json ReadingJson(std::string_view name, const audit::Reading& reading) {
  Json json = {{"reading", name}, {"text", reading.text}};
  if (!reading.document.empty()) json["document"] = reading.document;
  if (!reading.quote.empty()) json["quote"] = reading.quote;
  return json;
}

Json Disagreements(isa::Edition) {
  Json json = Json::array();
  for (const auto& entry : audit::Disagreements()) {
    Json one = {{"id", entry.id},
                {"kind", isa::Name(entry.kind)},
                {"title", entry.title}};
    for (isa::RuleId rule : entry.rules) one["rules"].push_back(rule.text());
    Json& readings = one["readings"];
    readings.push_back(ReadingJson("chosen", entry.chosen));
    for (const audit::OtherReading& other : entry.others) {
      readings.push_back(ReadingJson(other.word, other));
    }
    const auto outcomes = audit::OutcomesOf(entry);
    for (std::size_t i = 0; i < outcomes.size(); ++i) {
      readings[i]["outcome"] = outcomes[i];
    }
    one["why"] = entry.why;
    one["differ"] = entry.differ;
    if (entry.cases.empty()) one["undecidable"] = entry.undecidable;
    for (const std::string& name : entry.cases) {
      const std::string file = "disagreements/" + name;
      if (name == entry.cases.front()) {
        one["case"] = file;
      } else {
        one["also"].push_back(file);
      }
    }
    json.push_back(std::move(one));
  }
  return json;
}

template <class E>
Json WordList(isa::Edition) {
  Json json = Json::array();
  for (std::string_view word : isa::Words<E>::kSpelling) json.push_back(word);
  return json;
}

/// One line an entry: its texts with two spaces between them.
void PrintLines(const Json& list) {
  for (const Json& entry : list) {
    if (entry.is_string()) {
      fmt::print("{}\n", entry.get<std::string>());
      continue;
    }
    std::string line;
    for (const auto& [key, value] : entry.items()) {
      if (!value.is_string() || value.get_ref<const std::string&>().empty()) {
        continue;
      }
      if (!line.empty()) line += "  ";
      line += value.get<std::string>();
    }
    fmt::print("{}\n", line);
  }
}

/// What there is to list.
struct Listed {
  std::string_view name;
  Json (*list)(isa::Edition edition);
  std::string (*page)();  ///< in docs/; null: there is none
};
constexpr Listed kLists[] = {
    {"rules", Rules, reports::CataloguePage},
    {"disagreements", Disagreements, audit::DisagreementsPage},
    {"instructions", Instructions, nullptr},
    {"products", WordList<isa::Product>, nullptr},
    {"targets", Targets, nullptr},
    {"mutants", Mutants, nullptr},
    {"orders", WordList<isa::Order>, nullptr}};

int RunList(const ListOptions& options) {
  const Listed& what =
      *std::ranges::find(kLists, options.what, &Listed::name);  // it is there
  if (options.markdown) {
    if (!options.json.empty()) return FailUsage("--markdown excludes --json");
    if (what.page == nullptr) {
      return FailUsage("--markdown: rules and disagreements only");
    }
    fmt::print("{}", what.page());
    return kAgree;
  }
  if (!options.edition.empty() && what.name != "rules") {
    return FailUsage("--edition: rules only");
  }
  Json list = what.list(EditionOf(options.edition));
  if (!options.json.empty()) {
    const auto text = [&] { return LayOut(list); };
    return WriteTo(options.json, text) ? kAgree : kUsage;
  }
  if (what.name == "disagreements") {
    for (const Json& entry : list) {
      fmt::print("{}  {}  {}\n", entry["id"].get<std::string>(),
                 entry["kind"].get<std::string>(),
                 entry["title"].get<std::string>());
    }
  } else {
    for (Json& entry : list) {
      if (entry.is_object()) entry.erase("defectId");  // for programs
    }
    PrintLines(list);
    if (what.name == "mutants") {
      fmt::print("{} plants of {} distinct defects\n", list.size(),
                 mutants::CountDefects());
    }
  }
  return kAgree;
}

}  // namespace

void AddList(CommandLine& line) {
  std::vector<std::string> words;
  for (const Listed& one : kLists) words.emplace_back(one.name);
  auto [verb, options] = line.Add("list", "print what there is", RunList);
  verb.Add("WHAT", options.what,
           "rules, disagreements, instructions, products, targets, mutants or "
           "orders")
      .Required()
      .OneOf(std::move(words));
  verb.Add("--edition EDITION", options.edition,
           "rules of this edition of the documents, 2024 or the newest, 2026")
      .OneOf(AllWords<isa::Edition>());
  verb.Add("--json FILE", options.json,
           "write JSON instead; -: to standard output")
      .WasFlag();
  verb.Add("--markdown", options.markdown,
           "rules or disagreements as their page in docs/");
  verb.Docs("command-line.md",
            {{"list rules"}, {"list targets --json targets.json"}});
}

}  // namespace lanediff::cli
