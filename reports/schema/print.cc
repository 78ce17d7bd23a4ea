// Prints the schema of a document as its record declares it, for
// script/generate-docs, which has the names.

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cstdio>
#include <string>
#include <string_view>
#include <vector>

#include "differential/testcase/record_schema.h"
#include "reports/audit.h"
#include "reports/campaign.h"
#include "reports/character_record.h"
#include "reports/comparison.h"
#include "reports/html.h"
#include "reports/kernel.h"
#include "reports/lint.h"
#include "reports/list_record.h"
#include "reports/mutant_record.h"
#include "reports/record.h"
#include "reports/shard.h"
#include "reports/source_records.h"
#include "reports/weaken_record.h"

namespace {

using lanediff::SchemaText;
using namespace lanediff::reports;

struct Row {
  std::string_view name;
  std::string (*print)(std::string_view title, std::string_view description);
  std::string_view description;
  std::string_view title = {};  ///< of what is no report
};

constexpr Row kRows[] = {
    {"run", SchemaText<RunRecord>,
     "What `lanediff test` of files and of boundaries, and `fuzz` leave with "
     "--json FILE, and read with --baseline FILE."},
    {"mutants", SchemaText<MutantsRecord>,
     "What `lanediff mutants` leaves with --json FILE, and reads with "
     "--baseline FILE."},
    {"audit", SchemaText<AuditDocument>,
     "What `lanediff audit --out DIR` leaves as DIR/audit.json: rule by rule "
     "and product by product a verdict and its evidence."},
    {"lint", SchemaText<LintRecord>,
     "What `lanediff lint` leaves with --json FILE: program by program its "
     "hazards and its rejected step."},
    {"generate", SchemaText<GenerateRecord>,
     "What `lanediff test --source random` leaves with --json FILE."},
    {"exhaust", SchemaText<ExhaustRecord>,
     "What `lanediff test --source exhaustive` leaves with --json FILE."},
    {"coverage", SchemaText<BinsRecord>,
     "What `lanediff list coverage` leaves with --json FILE."},
    {"list", SchemaText<ListRecord>,
     "What `lanediff list` leaves with --json FILE."},
    {"values", SchemaText<ValuesRecord>,
     "What `lanediff target run --values` leaves with --json FILE."},
    {"page", SchemaText<PageRecord>,
     "The data in a page that --html DIR leaves."},
    {"shard", SchemaText<ShardDocument>,
     "What a shard of a run leaves as VERB.I-of-N.json in its --out folder, "
     "and `lanediff merge` reads."},
    {"characterise", SchemaText<lanediff::character::Character>,
     "What `lanediff audit --characterise` leaves with --json FILE, and "
     "reports take with --character FILE."},
    {"kernel", SchemaText<KernelDocument>,
     "What `lanediff run` leaves with --json FILE."},
    {"weaken", SchemaText<WeakenRecord>,
     "What `lanediff run --barriers` leaves with --json FILE."},
    {"comparison", SchemaText<ComparisonRecord>,
     "What `lanediff audit` leaves in its --out folder as comparison.json, "
     "where --target is given several times."},
    {"campaign", SchemaText<CampaignRecord>,
     "What `lanediff campaign report` leaves with --json FILE."},
    {"suppressions", SchemaText<Suppressions>,
     "Findings in kernels that are accepted for a time: `lanediff run "
     "--known-issues FILE`.",
     "lanediff-suppressions/1"},
};

}  // namespace

int main(int argc, char** argv) {
  const std::string_view name = argc == 2 ? argv[1] : "";
  std::vector<std::string_view> names;
  for (const Row& row : kRows) {
    names.push_back(row.name);
    if (row.name != name) continue;
    const auto title = row.title.empty()
                           ? fmt::format("lanediff-report/2, kind {}", name)
                           : std::string(row.title);
    fmt::print("{}", row.print(title, row.description));
    return 0;
  }
  fmt::print(stderr, "usage: print_schema {}\n", fmt::join(names, "|"));
  return 2;
}
