#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "differential/compare/signature.h"
#include "differential/testcase/record_json.h"
#include "isa/catalogue.h"
#include "reports/printable.h"
#include "reports/printers.h"
#include "reports/source_records.h"
#include "tools/cli/common.h"
#include "tools/cli/verbs/finish.h"
#include "tools/cli/verbs/test/test.h"

namespace lanediff::cli {
namespace {

using make::exhaust::SavedFinding;
using make::exhaust::Space;
using make::exhaust::State;

reports::SpaceRecord RecordOf(const State& state) {
  const Space& space = *make::exhaust::FindSpace(state.space);
  reports::SpaceRecord record = {.state = state,
                                 .point_word = std::string(space.point_word()),
                                 .points = space.points(),
                                 .calls = space.calls()};
  for (const SavedFinding& finding : state.findings) {
    record.findings.push_back({finding, Reproduce(finding.path, state.target)});
  }
  return record;
}

reports::CaseRecord CaseOf(const SavedFinding& saved, const State& state,
                           std::string_view slug) {
  reports::CaseRecord record;
  record.path = saved.path;
  record.id = fmt::format("{} call {}", state.space, saved.call);
  NameByFile(slug, record);
  record.verdict = reports::Verdict::kDisagree;
  record.reproduce = Reproduce(saved.path, state.target);
  diff::Finding& finding = record.findings.emplace_back();
  finding.kind = diff::KindIn(saved.signature).value_or(finding.kind);
  finding.side = state.target;
  finding.reference = "oracle";
  const isa::Instruction* const called = isa::FindInstruction(slug);
  finding.op = called == nullptr ? slug : called->op;
  finding.signature = saved.signature;
  finding.message = saved.message;
  return record;
}

/// What the states come to, for the reports that all sources have.
void AddStates(const std::vector<State>& states, reports::RunRecord& run) {
  for (const State& state : states) {
    const std::string_view slug = make::exhaust::FindSpace(state.space)->slug();
    run.edition = isa::Name(state.Edition());
    for (const SavedFinding& saved : state.findings) {
      run.cases.push_back(CaseOf(saved, state, slug));
    }
    reports::SweepRecord sums;
    sums.instruction = slug;
    sums.with = state.space;
    sums.cases = state.points + state.unsupported;
    sums.disagree = state.disagree;
    sums.open = state.open;
    // One that disagrees before it is unsupported counts as the first.
    sums.unsupported = std::min(
        state.unsupported, sums.cases - std::min(sums.cases, sums.disagree));
    run.AddSweep(std::move(sums));
  }
}

/// The whole run as JSON, a state for each space.
std::string ExhaustJson(const std::vector<State>& states,
                        const std::string& unfinished,
                        const reports::Reasons& reasons) {
  reports::ExhaustRecord record = {
      .target = states.empty() ? "" : states.front().target,
      .reasons = reasons,
      .unfinished = unfinished};
  for (const State& state : states) record.spaces.push_back(RecordOf(state));
  return RecordText(record);
}

}  // namespace

std::string ExhaustText(const State& state) {
  const Space& space = *make::exhaust::FindSpace(state.space);
  const double seconds = static_cast<double>(state.milliseconds) / 1000;
  const std::uint64_t part = state.part.size();
  return fmt::format(
      "{}{}: {} of {} {} and {} of {} calls compared, {} against oracle: {} "
      "disagree, {} unsupported; {:.1f} s, {:.2f} million {}/s, edition {}\n"
      "  calls {}..{}, shard {}/{}: {} of {}{}\n{}",
      state.complete() ? "" : "NOT complete: ", state.space, state.points,
      space.points(), space.point_word(), state.next, space.calls(),
      reports::InOneLine(state.target), state.disagree, state.unsupported,
      seconds, PerSecond(state.points, seconds) / 1e6, space.point_word(),
      isa::Name(state.Edition()), state.part.from, state.part.to,
      state.part.index, state.part.count, state.next, part,
      state.complete() ? ", complete" : ", not complete",
      reports::OpenText(state.open));
}

std::string FindingText(const SavedFinding& finding,
                        const std::string& target) {
  return fmt::format("disagree {}\n  reproduce: {}\n",
                     reports::InOneLine(finding.message),
                     reports::InOneLine(Reproduce(finding.path, target)));
}

int FinishExhaust(reports::RunRecord run, const std::vector<State>& states,
                  bool kept, const ReportFiles& files) {
  std::uint64_t compared = 0;
  std::uint64_t disagree = 0;
  for (const State& state : states) {
    compared += state.points;
    disagree += state.disagree;
  }
  const auto reasons = reports::ReasonsFrom(
      {run.unfinished, kept ? "" : "something could not be saved",
       compared == 0 ? "nothing was compared" : "",
       run.account ? reports::LackingText(*run.account) : ""});
  bool written = WriteTo(
      files.json, [&] { return ExhaustJson(states, run.unfinished, reasons); });
  const bool all = kept && run.unfinished.empty();
  if (!kept && run.unfinished.empty()) run.unfinished = reasons.front().text;
  AddStates(states, run);
  const int status = disagree > 0          ? kDisagreement
                     : all && compared > 0 ? kAgree
                                           : kUsage;
  written = WriteFigureReports(run, files) && written;
  if (status == kUsage && all && written) FailUsage("nothing was compared");
  return status == kAgree && !written ? kUsage : status;
}

}  // namespace lanediff::cli
