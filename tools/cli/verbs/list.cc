#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "audit/ambiguities/disagreements.h"
#include "differential/targets/target.h"
#include "differential/targets/target_kind.h"
#include "differential/testcase/case_writer.h"
#include "differential/testcase/record_json.h"
#include "emulator/mutants/mutant.h"
#include "generators/boundary/sweep.h"
#include "generators/coverage/never.h"
#include "generators/guided/holes.h"
#include "isa/catalogue.h"
#include "isa/step.h"
#include "reports/list_record.h"
#include "reports/printable.h"
#include "reports/printers.h"
#include "reports/reasons.h"
#include "reports/source_records.h"
#include "tools/cli/common.h"
#include "tools/cli/options.h"
#include "tools/cli/progress.h"
#include "tools/cli/verbs.h"
#include "tools/cli/verbs/fuzz/setup.h"
#include "tools/cli/verbs/hunt.h"

namespace lanediff::cli {
namespace {

using reports::ListRecord;

struct ListOptions {
  std::string what;
  std::string json;       ///< file; "-": standard output
  bool markdown = false;  ///< rules and disagreements only
  std::string edition;    ///< empty: the newest
};

void Rules(ListRecord& list) {
  for (const isa::Rule& rule : isa::Catalogue()) {
    if (!rule.HoldsIn(*list.edition)) continue;
    list.rules.push_back({rule, *list.edition});
  }
}

void Instructions(ListRecord& list) {
  for (const isa::Instruction& one : isa::Instructions()) {
    auto& listed = list.instructions.emplace_back(std::string(one.op),
                                                  std::string(one.slug));
    for (std::size_t p = 0; p < isa::kCount<isa::Product>; ++p) {
      const isa::Profile profile(static_cast<isa::Product>(p), *list.edition);
      if (!one.Has(profile)) continue;
      auto& types = listed.products.emplace_back(
          std::string(isa::Name(profile.product)), std::vector<std::string>{});
      for (const isa::DType type : one.dtypes) {
        if (one.Has(profile, type)) types.types.emplace_back(isa::Name(type));
      }
    }
    for (const auto& pair : one.conversions) {
      auto& conversion = listed.conversions.emplace_back(
          std::string(isa::Name(pair.from)), std::string(isa::Name(pair.to)));
      for (const auto mode : pair.modes) {
        conversion.round_modes.emplace_back(isa::Name(mode));
      }
      for (const auto product : pair.products) {
        conversion.products.emplace_back(isa::Name(product));
      }
    }
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
  const bool of_edition = what.name == "rules" || what.name == "instructions";
  if (!options.edition.empty() && !of_edition) {
    return FailUsage("--edition: rules and instructions only");
  }
  ListRecord record = {.what = options.what};
  if (of_edition) record.edition = EditionOf(options.edition);
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
  verb.Add(
          "--edition EDITION", options.edition,
          "rules or instructions of this edition of the documents, 2024 or the "
          "newest, 2026")
      .OneOf(AllWords<isa::Edition>());
  verb.Add("--json FILE", options.json,
           "write JSON instead; -: to standard output")
      .WasFlag();
  verb.Add("--markdown", options.markdown,
           "rules or disagreements as their page in docs/");
  verb.Docs("command-line.md",
            {{"list rules"}, {"list targets --json targets.json"}});
}

namespace {

namespace fs = std::filesystem;
using make::coverage::Bin;
using make::coverage::Filler;
using make::coverage::Model;

struct CoverageOptions {
  std::string instruction;  ///< empty: all
  std::string corpus = "corpus";
  std::uint64_t generated = 200'000;  ///< cases of each instruction, at most
  std::string edition;                ///< empty: the newest
  std::string product;                ///< empty: all
  std::string out;   ///< folder for the cases that reach bins; empty: none
  std::string json;  ///< file; empty: none
};

/// Whether the bin is about other products than `product` alone.
bool IsOfAnother(const Model& model, Bin bin, std::string_view product) {
  const auto words = model.BinWords(bin);
  return std::ranges::any_of(words, [&](std::string_view word) {
    word = word.substr(0, word.find(' '));  // "atlas-a2 saturating"
    return word != product && isa::Parse<isa::Product>(word).has_value();
  });
}

/// Saves the case unless it is in the corpus; the line to print, the path.
std::string Save(const CoverageOptions& options, const Model& model, Bin bin,
                 const Filler& filler) {
  if (options.out.empty() || filler.what.starts_with("corpus ")) return "";
  const std::string path =
      (fs::path(options.out) / fmt::format("bin-{:04}.json", bin)).string();
  Case c = filler.c;
  c.note = "reaches " + model.Name(bin) + "; " + filler.what;
  OrFail(WriteFile(path, WriteCase(c)));
  return path;
}

int RunCoverage(const CoverageOptions& options) {
  std::error_code error;
  if (!fs::exists(options.corpus, error)) {
    return FailUsage("--corpus: " + options.corpus + ": not found");
  }
  if (!fs::is_directory(options.corpus, error)) {
    return FailUsage("--corpus: no folder " + options.corpus);
  }
  if (!options.out.empty() && !MakeFolder(options.out, "--out")) return kUsage;
  WatchInterrupt();
  const auto corpus = KnownCases(options.corpus, options.edition);
  const isa::Edition edition = EditionOf(options.edition);
  const Model& model = Model::Get(edition);
  auto wanted = make::coverage::Holes(make::coverage::Reached(),
                                      options.instruction, edition);
  if (!options.product.empty()) {
    std::erase_if(wanted, [&](Bin bin) {
      return IsOfAnother(model, bin, options.product);
    });
  }
  make::coverage::Fillers fillers(corpus, options.generated, edition);
  {
    Progress progress(0, "cases tried");
    std::uint64_t tried = 0;
    fillers.Find(wanted, [&] {
      progress.Step(++tried, 0);
      return Interrupted();
    });
  }
  const auto reasons = reports::ReasonsFrom(
      {Interrupted() ? "interrupted; not every bin was looked for" : ""});
  const bool complete = reasons.empty();
  fmt::print("{}", IncompleteText(reasons));

  reports::BinsRecord record = {
      .edition = edition, .product = options.product, .reasons = reasons};
  std::size_t reached = 0;
  std::size_t never = 0;
  std::size_t wrong = 0;
  for (Bin bin : wanted) {
    const std::string name = model.Name(bin);
    const Filler* const filler = fillers.Of(bin);
    const auto reason = make::coverage::WhyNever(bin, edition);
    reports::BinRecord& entry = record.bins.emplace_back();
    entry.bin = name;
    std::string line;
    if (filler != nullptr) {
      ++reached;
      const std::string path = Save(options, model, bin, *filler);
      line = "reached by " + filler->what;
      entry.reached_by = filler->what;
      entry.path = path;
    }
    if (reason) {
      ++never;
      line +=
          (line.empty() ? "never: " : ", yet never: ") + std::string(*reason);
      entry.never = *reason;
    }
    const bool is_wrong = filler != nullptr ? reason.has_value()
                                            : complete && !reason.has_value();
    wrong += is_wrong;
    if (is_wrong || IsVerbose()) {
      fmt::print("{}{}: {}\n", is_wrong ? "WRONG " : "", name,
                 !line.empty() ? reports::InOneLine(line)
                 : complete    ? "neither case nor reason"
                               : "not found before the interruption");
    }
  }
  fmt::print(
      "coverage: {} bins, {} reached, {} can't be, {} wrong, edition {}\n",
      wanted.size(), reached, never, wrong, isa::Name(edition));
  if (!complete) FailUsage(reasons.front().text);
  const bool written =
      WriteTo(options.json, [&] { return RecordText(record); });
  if (wrong > 0) return kDisagreement;
  return complete && written ? kAgree : kUsage;
}

}  // namespace

void AddCoverage(CommandLine& line) {
  auto [verb, options] = line.Add(
      "list coverage",
      "print every bin of the functional coverage with a case that reaches it "
      "or the reason why none can",
      RunCoverage);
  verb.older = "coverage";
  verb.footer =
      "Bins are what guides the fuzzers: rules broken, values of fields, "
      "layouts, masks, arithmetic events. Cases come from the corpus, the "
      "sweep and the generators, in this order. Status 0: every bin has a case "
      "or a reason; 1: a bin has neither, or both.";
  AddInstruction(verb, options.instruction, "one instruction only, or program",
                 {kMachineState});
  AddEdition(verb, options.edition);
  verb.Add("--product PRODUCT", options.product,
           "leave out bins that are about another product alone")
      .OneOf(AllWords<isa::Product>());
  verb.Add("--corpus DIR", options.corpus, "folder of cases").ShowDefault();
  // With space for what is added to it.
  verb.Add("--max-cases", options.generated,
           "cases that are generated for each instruction at most")
      .Within(0, 1'000'000'000)
      .ShowDefault()
      .Was("--generated");
  verb.Add("--out DIR", options.out,
           "folder to save the cases in that the sweep or a generator made");
  verb.Add("--json FILE", options.json, "leave the list as JSON");
  AddVerbose(verb, "every bin, with its case or its reason");
  verb.Docs("fuzzing.md", {{"list coverage --instruction vec_trans"},
                           {"list coverage --instruction vec_trans --verbose "
                            "--json coverage.json"}});
}

}  // namespace lanediff::cli
