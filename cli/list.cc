#include <fmt/format.h>

#include <nlohmann/json.hpp>
#include <string>
#include <utility>

#include "audit/disagreements.h"
#include "case/json_layout.h"
#include "cli/common.h"
#include "diff/target.h"
#include "diff/targets/find_target.h"
#include "isa/catalogue.h"
#include "isa/step.h"
#include "mutants/mutant.h"
#include "reports/catalogue_page.h"
#include "reports/disagreements_page.h"

namespace lanediff::cli {
namespace {

using Json = nlohmann::ordered_json;

Json RuleJson(const isa::Rule& rule) {
  Json json = {{"id", rule.id.text()},
               {"instruction", rule.instruction},
               {"effect", isa::Name(rule.effect)},
               {"evidenceLevel", isa::Name(isa::EvidenceOf(rule))},
               {"statement", rule.statement}};
  for (const isa::Source& source : rule.sources) {
    Json entry = {{"provenance", isa::Name(source.provenance)}};
    if (!source.document.empty()) entry["document"] = source.document;
    if (!source.part.empty()) entry["part"] = source.part;
    entry["evidenceLevel"] = isa::Name(isa::EvidenceOf(source));
    json["sources"].push_back(std::move(entry));
  }
  for (const isa::Range& range : rule.ranges) {
    Json entry = {
        {"field", range.field}, {"low", range.low}, {"high", range.high}};
    if (range.element_bits != 0) entry["elementBits"] = range.element_bits;
    json["ranges"].push_back(std::move(entry));
  }
  return json;
}

Json Rules() {
  Json json = Json::array();
  for (const isa::Rule& rule : isa::Catalogue()) json.push_back(RuleJson(rule));
  return json;
}

/// The intrinsics that are instructions of their own: those with a room.
template <std::size_t... I>
Json Instructions(std::index_sequence<I...>) {
  Json json = Json::array();
  const auto add = [&]<class Step>(Step) {
    if constexpr (requires { Step::kRoom; }) {
      json.push_back({{"op", Step::kOp}, {"name", Step::kRoom}});
    }
  };
  (add(std::variant_alternative_t<I, isa::Step>{}), ...);
  return json;
}

Json Targets() {
  Json json = Json::array();
  for (const diff::Target* target : diff::BuiltInTargets()) {
    json.push_back(
        {{"name", target->name()}, {"description", target->description()}});
  }
  json.push_back({{"name", "mutant:NAME"},
                  {"description",
                   "the emulator with a known bug; \"lanediff list mutants\" "
                   "names them"}});
  json.push_back({{"name", "recorded:DIR"},
                  {"description",
                   "outcomes that a device, a simulator or another team had of "
                   "given cases, DIR/ID.json of the case called ID; for check, "
                   "exec, explain and audit"}});
  return json;
}

Json Mutants() {
  Json json = Json::array();
  for (const mutants::Mutant& mutant : mutants::Mutants()) {
    json.push_back({{"name", mutant.name},
                    {"instruction", mutant.room},
                    {"rule", mutant.rule.text()},
                    {"defect", mutant.defect},
                    {"modelledOn", mutant.modelled_on}});
  }
  return json;
}

Json ReadingJson(std::string_view name, const audit::Reading& reading) {
  Json json = {{"reading", name}, {"text", reading.text}};
  if (!reading.document.empty()) json["document"] = reading.document;
  return json;
}

Json Disagreements() {
  Json json = Json::array();
  for (const auto& entry : audit::Disagreements()) {
    Json one = {{"id", entry.id},
                {"kind", isa::Name(entry.kind)},
                {"title", entry.title}};
    for (isa::RuleId rule : entry.rules) one["rules"].push_back(rule.text());
    Json& readings = one["readings"];
    readings.push_back(ReadingJson("chosen", entry.chosen));
    for (const auto& [word, reading] : entry.others) {
      readings.push_back(ReadingJson(word, reading));
    }
    const auto outcomes = audit::OutcomesOf(entry);
    for (std::size_t i = 0; i < outcomes.size(); ++i) {
      readings[i]["outcome"] = outcomes[i];
    }
    one["why"] = entry.why;
    if (entry.name.empty()) {
      one["undecidable"] = entry.undecidable;
    } else {
      one["case"] = fmt::format("disagreements/{}", entry.name);
      for (std::string_view name : entry.also) {
        one["also"].push_back(fmt::format("disagreements/{}", name));
      }
    }
    json.push_back(std::move(one));
  }
  return json;
}

template <class E>
Json WordList() {
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

}  // namespace

int RunList(const ListOptions& options) {
  if (options.markdown) {
    if (options.what == "rules") {
      fmt::print("{}", reports::CataloguePage());
    } else if (options.what == "disagreements") {
      fmt::print("{}", reports::DisagreementsPage());
    } else {
      return FailUsage("--markdown: rules and disagreements only");
    }
    return kAgree;
  }
  Json list;
  if (options.what == "rules") list = Rules();
  if (options.what == "instructions") {
    list = Instructions(
        std::make_index_sequence<std::variant_size_v<isa::Step>>{});
  }
  if (options.what == "products") list = WordList<isa::Product>();
  if (options.what == "orders") list = WordList<isa::Order>();
  if (options.what == "targets") list = Targets();
  if (options.what == "mutants") list = Mutants();
  if (options.what == "disagreements") list = Disagreements();
  if (options.json) {
    fmt::print("{}", LayOut(list));
  } else if (options.what == "disagreements") {
    for (const Json& entry : list) {
      fmt::print("{}  {}  {}\n", entry["id"].get<std::string>(),
                 entry["kind"].get<std::string>(),
                 entry["title"].get<std::string>());
    }
  } else {
    PrintLines(list);
  }
  return kAgree;
}

}  // namespace lanediff::cli
