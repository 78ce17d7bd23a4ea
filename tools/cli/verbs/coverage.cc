// Every bin of the functional coverage, with a case that reaches it or the
// reason why none can.

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "differential/testcase/case_writer.h"
#include "differential/testcase/record_json.h"
#include "generators/boundary/sweep.h"
#include "generators/coverage/never.h"
#include "generators/guided/holes.h"
#include "reports/printable.h"
#include "reports/reasons.h"
#include "reports/source_records.h"
#include "tools/cli/common.h"
#include "tools/cli/options.h"
#include "tools/cli/progress.h"
#include "tools/cli/verbs.h"
#include "tools/cli/verbs/fuzz/setup.h"

namespace lanediff::cli {
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
