#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <string_view>

#include "reports/printable.h"
#include "reports/printers.h"
#include "reports/rates.h"

namespace lanediff::reports {
namespace {

RateLine RateOf(std::string_view kind, const diff::PacePart& part,
                double made_per_case) {
  const auto cases = static_cast<double>(part.cases);
  const double made = made_per_case * cases;
  const double seconds = part.seconds + made;
  const auto share = [&](double of) { return seconds > 0 ? of / seconds : 0; };
  const double harness =
      part.seconds - part.reference_seconds - part.target_seconds;
  return {.instruction = {},
          .build = {},
          .kind = std::string(kind),
          .cases = part.cases,
          .per_second = seconds > 0 ? cases / seconds : 0,
          .oracle = share(part.reference_seconds),
          .target = share(part.target_seconds),
          .harness = share(harness),
          .fuzzer = share(made)};
}

}  // namespace

std::string BeyondText(std::uint64_t beyond, std::string_view what) {
  if (beyond == 0) return "";
  return fmt::format(
      "; {} {} are beyond what the target claims and were not run", beyond,
      what);
}

std::string FuzzerText(const FuzzerRecord& r) {
  const auto cases = static_cast<double>(r.cases);
  const auto legal = static_cast<double>(r.legal);
  return fmt::format(
      "fuzzed {} for {:.0f} s with seed {}: {} cases, {:.0f} cases/s, {:.1f} % "
      "legal; a legal case has {:.0f} nodes and {:.0f} element operations, "
      "{:.1f} % have 64 iterations or more; {} cases disagreed, {} ended "
      "it{}{}{}\n",
      InOneLine(r.instruction), r.seconds, r.seed, r.cases,
      r.seconds > 0 ? cases / r.seconds : 0,
      r.cases > 0 ? 100 * legal / cases : 0,
      r.legal > 0 ? static_cast<double>(r.nodes) / legal : 0,
      r.legal > 0 ? static_cast<double>(r.operations) / legal : 0,
      r.legal > 0 ? 100 * static_cast<double>(r.long_repeats) / legal : 0,
      r.findings, r.crashes, BeyondText(r.beyond, "inputs"),
      r.error.empty() ? "" : "; ", InOneLine(r.error));
}

std::string CoverageText(const CoverageRecord& r) {
  constexpr std::size_t kShown = 3;
  std::string text = fmt::format(
      "coverage of {}: {} of {} bins reached, {} can't be, {} holes\n",
      InOneLine(r.slug), r.reached, r.bins, r.holes.size() - r.open(),
      r.open());
  std::size_t shown = 0;
  for (const HoleRecord& hole : r.holes) {
    if (!hole.reason.empty() || shown++ == kShown) continue;
    if (shown > kShown) break;
    text += fmt::format("  not reached: {}; {}\n", InOneLine(hole.bin),
                        hole.filler.empty()
                            ? "no case was found in the time there was"
                            : "reached by " + InOneLine(hole.filler));
  }
  return text;
}

std::string SweepText(const SweepRecord& r, bool all) {
  std::string text = fmt::format(
      "swept {}{}: {} cases, {} legal, {} rejected, {} unsupported, {} "
      "disagree; compared {} steps, {} bytes, {} nodes{}{}\n",
      InOneLine(r.instruction),
      r.with.empty() ? "" : fmt::format(" with {}", InOneLine(r.with)), r.cases,
      r.legal, r.rejected, r.unsupported, r.disagree, r.steps, r.compared_bytes,
      r.nodes, BeyondText(r.beyond, "cases"),
      r.tolerated > 0 ? fmt::format("; {} of the rejected tolerated by the "
                                    "target, which executed them",
                                    r.tolerated)
                      : "");
  if (!all) return text;
  for (const SweptRule& rule : r.rules) {
    text += fmt::format(
        "  {}: broken alone {}, with others {}; noted {}; kept by cases made "
        "for it {}\n",
        rule.id.text(), rule.alone, rule.together, rule.noted, rule.kept);
  }
  return text;
}

std::string HeadlineText(const RunRecord& r) {
  std::string text = HeadlineOf(r).sentence + "\n";
  if (r.about) text += TargetLine(*r.about, r.target);
  if (r.changes) {
    text += InOneLine(SinceText(r.changes->file, r.changes->signatures)) + '\n';
  }
  return r.cases.size() < 2 ? text : text + GroupsText(GroupsOf(r));
}

std::string SummaryText(const RunRecord& r) {
  return fmt::format(
      "{}: {} cases: {} agree, {} disagree, {} unsupported{}, {} "
      "malformed{}{}; compared {} steps, {} bytes, {} nodes of {} against "
      "{}{}{}{}{}{}{}\n",
      r.verb, r.total(), r.agree, r.disagree, r.unsupported,
      r.unrecorded > 0
          ? fmt::format(" ({} without an outcome document)", r.unrecorded)
          : "",
      r.malformed, r.known > 0 ? fmt::format(", {} known", r.known) : "",
      r.tolerated > 0 ? fmt::format(", {} tolerated", r.tolerated) : "",
      r.steps, r.compared_bytes, r.nodes,
      InOneLine(TargetText(r.target, r.vectors)), InOneLine(r.reference),
      r.edition.empty() ? ""
                        : fmt::format(", edition {}", InOneLine(r.edition)),
      r.open_memory > 0
          ? fmt::format("; expected memory is open in {}", r.open_memory)
          : "",
      r.sample ? "; " : "", r.sample ? make::SampleText(*r.sample) : "",
      r.unfinished.empty() ? "" : "; not complete: ", InOneLine(r.unfinished));
}

std::string LackingText(const diff::AccountRecord& account) {
  if (!account.never_executed.empty()) {
    return fmt::format(
        "{} {} claimed by the target and never executed; fix: claim less in "
        "its capabilities",
        fmt::join(account.never_executed, ", "),
        account.never_executed.size() == 1 ? "is" : "are");
  }
  if (account.lacking == 0) return "";
  return fmt::format(
      "{} of {} that the target claims {} legal and unsupported; fix: claim "
      "less in its capabilities, or give --allow-unsupported where that is "
      "meant",
      account.lacking, Counted(account.claimed, "case"),
      account.lacking == 1 ? "is" : "are");
}

std::vector<RateLine> RateLines(std::string_view instruction,
                                std::string_view build, const diff::Pace& pace,
                                double seconds) {
  const std::uint64_t cases = pace.legal.cases + pace.illegal.cases;
  if (cases == 0) return {};
  const double made =
      std::max(0.0, seconds - pace.legal.seconds - pace.illegal.seconds);
  const double made_per_case = made / static_cast<double>(cases);
  std::vector<RateLine> lines;
  if (pace.legal.cases > 0) {
    lines.push_back(RateOf("legal", pace.legal, made_per_case));
  }
  if (pace.illegal.cases > 0) {
    lines.push_back(RateOf("illegal", pace.illegal, made_per_case));
  }
  for (RateLine& line : lines) {
    line.instruction = instruction;
    line.build = build;
  }
  return lines;
}

std::string RatesText(std::span<const RateLine> lines) {
  if (lines.empty()) return {};
  std::string text =
      fmt::format("{:<18} {:<12} {:<8} {:>9} {:>9} {:>8} {:>8} {:>8} {:>8}\n",
                  "rates", "build", "cases", "", "a second", "oracle", "target",
                  "harness", "fuzzer");
  for (const RateLine& line : lines) {
    text += fmt::format(
        "{:<18} {:<12} {:<8} {:>9} {:>9.0f} {:>6.1f} % {:>6.1f} % {:>6.1f} % "
        "{:>6.1f} %\n",
        line.instruction, line.build, line.kind, line.cases, line.per_second,
        100 * line.oracle, 100 * line.target, 100 * line.harness,
        100 * line.fuzzer);
  }
  return text;
}

}  // namespace lanediff::reports
