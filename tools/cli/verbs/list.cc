#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "audit/ambiguities/disagreements.h"
#include "differential/targets/target.h"
#include "differential/targets/target_kind.h"
#include "differential/testcase/record_json.h"
#include "emulator/mutants/mutant.h"
#include "isa/catalogue.h"
#include "isa/step.h"
#include "reports/list_record.h"
#include "reports/printers.h"
#include "tools/cli/common.h"
#include "tools/cli/options.h"
#include "tools/cli/verbs.h"
#include "tools/cli/verbs/hunt.h"

namespace lanediff::cli {
namespace {

using reports::ListRecord;

struct ListOptions {
  std::string what;
  std::string json;       ///< file; "-": standard output
  bool markdown = false;  ///< rules and disagreements only
  std::string edition;    ///< of rules; empty: the newest
};

void Rules(ListRecord& list) {
  for (const isa::Rule& rule : isa::Catalogue()) {
    if (!rule.HoldsIn(*list.edition)) continue;
    list.rules.push_back({rule, *list.edition});
  }
}

void Instructions(ListRecord& list) {
  for (const isa::Instruction& one : isa::Instructions()) {
    list.instructions.push_back({std::string(one.op), std::string(one.slug)});
  }
}

void Targets(ListRecord& list) {
  const auto add = [&](std::string_view name, std::string_view description) {
    list.targets.push_back({std::string(name), std::string(description)});
  };
  for (const diff::TargetKind& kind : diff::TargetKinds()) {
    if (kind.listed != nullptr) {
      for (const diff::Target* target : kind.listed()) {
        add(target->name(), target->description());
      }
    }
    if (!kind.usage.empty()) add(kind.usage, kind.description);
  }
}

void Mutants(ListRecord& list) {
  for (const mutants::Mutant& mutant : mutants::Mutants()) {
    list.mutants.push_back({HeadOf(mutant), mutants::DefectOf(mutant)});
  }
}

void Disagreements(ListRecord& list) {
  for (const auto& entry : audit::Disagreements()) {
    list.disagreements.push_back({entry, audit::OutcomesOf(entry)});
  }
}

void Products(ListRecord& list) { list.products = AllWords<isa::Product>(); }

void Orders(ListRecord& list) { list.orders = AllWords<isa::Order>(); }

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
  void (*add)(reports::ListRecord& list);
  std::string (*page)();  ///< in docs/; null: there is none
};
constexpr Listed kLists[] = {
    {"rules", Rules, reports::CataloguePage},
    {"disagreements", Disagreements, audit::DisagreementsPage},
    {"instructions", Instructions, nullptr},
    {"products", Products, nullptr},
    {"targets", Targets, nullptr},
    {"mutants", Mutants, nullptr},
    {"orders", Orders, nullptr}};

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
  ListRecord record = {.what = options.what};
  if (what.name == "rules") record.edition = EditionOf(options.edition);
  what.add(record);
  if (!options.json.empty()) {
    const auto text = [&] { return RecordText(record); };
    return WriteTo(options.json, text) ? kAgree : kUsage;
  }
  Json list = RecordJson(record).at(options.what);
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
