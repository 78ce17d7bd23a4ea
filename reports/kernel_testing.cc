#include "reports/kernel_testing.h"

#include <utility>

namespace lanediff::reports::test {

using kernel::Finding;
using kernel::Group;
using kernel::RunRecord;

Finding SampleFinding() {
  Finding f;
  f.rule = "SYNC-RAW";
  f.group = Group::kRacecheck;
  f.later = {.site = {"src/add.cpp", 24, 1},
             .op = "Add",
             .pipe = isa::Pipe::kV,
             .operand = "src0",
             .iteration = 0,
             .lanes = std::pair<std::int64_t, std::int64_t>{0, 63}};
  f.earlier = {.site = {"src/add.cpp", 21, 2},
               .op = "DataCopy",
               .pipe = isa::Pipe::kMte2,
               .operand = "dst"};
  f.message =
      "Add reads UB [0,16384) on V, unordered with DataCopy src/add.cpp:21, "
      "which writes it on MTE2";
  f.bytes = {isa::Memory::kUb, 0, 16384};
  f.buffer = {{"src/add.cpp", 14, 1}, 0};
  f.repair = "count 64 instead of 72 makes the call legal";
  f.times = 64;
  f.missing =
      "SetFlag/WaitFlag MTE2_V, or EnQue/DeQue, between src/add.cpp:21 and :24";
  f.case_path = "out/run/add-24-1.json";
  return f;
}

RunRecord CleanRun() {
  RunRecord record;
  record.program = "add.cpp";
  record.counts = {.launches = 1,
                   .blocks = 8,
                   .audited = 192,
                   .legality = 192,
                   .values = 190,
                   .carried = 64,
                   .bytes_followed = 3145728,
                   .values_skipped = 2,
                   .approximate = 4,
                   .gm_extent = 5,
                   .raw_pointers = 6,
                   .sync_auto = 7,
                   .gm_cache = 8,
                   .hidden_by_auto_sync = 9};
  record.sites = {{.site = {"src/add.cpp", 21, 1},
                   .op = "DataCopy",
                   .audited = true,
                   .executions = 128,
                   .values = 126,
                   .values_skipped = 2},
                  {.site = {"src/add.cpp", 24, 1},
                   .op = "Add",
                   .audited = true,
                   .executions = 64,
                   .rejected = 1,
                   .values = 64},
                  {.site = {"src/add.cpp", 27, 1},
                   .op = "Exp",
                   .approximate = true,
                   .executions = 64}};
  return record;
}

RunRecord SampleRun() {
  RunRecord record = CleanRun();
  record.findings.push_back(SampleFinding());
  Finding alone;
  alone.rule = "KRN-QUEUE";
  alone.group = Group::kSynccheck;
  alone.later = {.site = {"src/add.cpp", 30, 2}, .op = "FreeTensor"};
  alone.message = "FreeTensor of a tensor that the queue did not hand out";
  alone.launch = 1;
  alone.block = 3;
  alone.execution = 5;
  alone.no_case = "it takes more than 10 s to shrink";
  alone.stack = {"src/add.cpp:30 in Process", "src/add.cpp:44 in add_kernel"};
  record.findings.push_back(alone);
  Finding accepted = SampleFinding();
  accepted.rule = "INIT-READ";
  accepted.group = Group::kInitcheck;
  accepted.later.site.line = 22;
  accepted.earlier.reset();
  accepted.suppressed = "padding lanes, never stored";
  record.findings.push_back(accepted);
  record.notes = {
      {"MIN-CLOBBERS-MASK", {"src/add.cpp", 24, 1}, "leaves the mask", 3},
      {"KRN-QUEUE-LEFT", {"src/add.cpp", 12, 1}, "a block is not freed", 2}};
  record.refusals = {{"CrossCoreSetFlag",
                      "synchronization between cores",
                      {"src/add.cpp", 31, 1},
                      2}};
  record.hidden = {{.rule = "SYNC-RAW",
                    .later = {"src/add.cpp", 24, 1},
                    .later_op = "Add",
                    .earlier = {"src/add.cpp", 21, 1},
                    .earlier_op = "DataCopy"}};
  record.counts.refused = 1;
  record.suppression_faults = {
      "list.json: entry 0, KRN-ALIGN at add.cpp:9, met nothing"};
  record.settings.suppress = "list.json";
  return record;
}

RunRecord HostileRun() {
  RunRecord record = SampleRun();
  record.program = kHostile;
  const auto spoil = [](kernel::Access& access) {
    access.site.file = access.op = access.operand = kHostile;
  };
  for (Finding& finding : record.findings) {
    spoil(finding.later);
    if (finding.earlier) spoil(*finding.earlier);
    finding.rule = finding.message = finding.missing = finding.repair =
        finding.unknown = finding.case_path = finding.no_case = kHostile;
    finding.follows_from = {kHostile, {kHostile, 3}};
    finding.unknown_bytes = 8;
    if (finding.buffer) finding.buffer->site.file = kHostile;
    finding.stack = {kHostile, kHostile};
  }
  record.findings.back().suppressed = kHostile;
  for (kernel::Note& note : record.notes) {
    note.rule = note.site.file = note.message = kHostile;
  }
  for (kernel::Refusal& refusal : record.refusals) {
    refusal.name = refusal.why = refusal.site.file = kHostile;
  }
  for (kernel::SiteRow& row : record.sites) row.site.file = row.op = kHostile;
  kernel::Settings& settings = record.settings;
  settings.values = 7;
  settings.without = {kHostile, "add.cpp:24:PipeBarrier"};
  settings.digest = true;
  settings.seconds = 8;
  settings.max_errors = 9;
  settings.checks = {Group::kMaskcheck, Group::kMemcheck};
  settings.auto_sync = settings.sync = settings.saturation = false;
  settings.mask_start_ones = settings.strict = settings.poison_both = true;
  settings.show_notes = settings.show_stack = true;
  settings.trowprod_order = isa::Order::kLeftFold;
  settings.product = isa::Product::kAtlas200i500A2;
  for (std::string* text :
       {&settings.out, &settings.json, &settings.junit, &settings.sarif,
        &settings.html, &settings.suppress, &settings.expect}) {
    *text = kHostile;
  }
  record.end = {kernel::End::How::kCrashed, 11, kHostile};
  record.suppression_faults = {kHostile};
  record.expectation_faults = {kHostile};
  return record;
}

}  // namespace lanediff::reports::test
