// Prints the schema of a document as its record declares it, for
// script/generate-docs: run, mutants, shard, character, kernel, suppressions,
// weaken, comparison or campaign.

#include <fmt/format.h>

#include <cstdio>
#include <string_view>

#include "differential/testcase/record_schema.h"
#include "reports/campaign.h"
#include "reports/character_record.h"
#include "reports/comparison.h"
#include "reports/kernel_lists.h"
#include "reports/kernel_status.h"
#include "reports/mutant_record.h"
#include "reports/record.h"
#include "reports/shard.h"
#include "reports/weaken_record.h"

int main(int argc, char** argv) {
  using lanediff::SchemaText;
  using namespace lanediff::reports;
  const std::string_view name = argc == 2 ? argv[1] : "";
  if (name == "run") {
    fmt::print("{}", SchemaText<RunRecord>(
                         "lanediff-run/1",
                         "What `lanediff check`, `fuzz` and `sweep` leave with "
                         "--json FILE, and read with --baseline FILE."));
  } else if (name == "mutants") {
    fmt::print("{}", SchemaText<MutantsRecord>(
                         "lanediff-mutants/1",
                         "What `lanediff mutants` leaves with --json FILE, and "
                         "reads with --baseline FILE."));
  } else if (name == "shard") {
    fmt::print("{}",
               SchemaText<ShardDocument>(
                   "lanediff-shard/1",
                   "What a shard of `lanediff check`, `fuzz`, `sweep`, "
                   "`exhaust`, `audit` or `mutants` leaves as VERB.I-of-N.json "
                   "in its --out folder, and `lanediff merge` reads."));
  } else if (name == "character") {
    fmt::print("{}", SchemaText<lanediff::character::Character>(
                         "lanediff-report/2, kind characterise",
                         "What `lanediff characterise` leaves with --json "
                         "FILE, and reports take with --character FILE."));
  } else if (name == "kernel") {
    fmt::print("{}", SchemaText<KernelDocument>(
                         "lanediff-report/2, kind kernel",
                         "What `lanediff run` leaves with --json FILE."));
  } else if (name == "suppressions") {
    fmt::print("{}", SchemaText<Suppressions>(
                         "lanediff-suppressions/1",
                         "Findings in kernels that are accepted for a time: "
                         "`lanediff run --known-issues FILE`."));
  } else if (name == "weaken") {
    fmt::print("{}", SchemaText<WeakenRecord>(
                         "lanediff-report/2, kind weaken",
                         "What `lanediff weaken` leaves with --json FILE."));
  } else if (name == "comparison") {
    fmt::print("{}", SchemaText<ComparisonRecord>(
                         "lanediff-report/2, kind comparison",
                         "What `lanediff audit` leaves in its --out folder as "
                         "comparison.json, where --target is given several "
                         "times."));
  } else if (name == "campaign") {
    fmt::print("{}",
               SchemaText<CampaignRecord>(
                   "lanediff-campaign/2",
                   "What `lanediff campaign report` leaves with --json FILE."));
  } else {
    fmt::print(stderr,
               "usage: print_schema "
               "run|mutants|shard|character|kernel|suppressions|weaken|"
               "comparison|campaign\n");
    return 2;
  }
}
