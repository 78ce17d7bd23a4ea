#include "differential/targets/external/outside_target.h"

#include <fmt/format.h>

#include <algorithm>
#include <mutex>
#include <string>
#include <utility>

#include "differential/subprocess/process.h"
#include "differential/testcase/case_writer.h"
#include "differential/testcase/json.h"

namespace lanediff::diff {
namespace {

constexpr std::string_view kSummary = "SUMMARY: ";

/// The last line that is not empty: of a sanitizer's report its summary.
std::string_view LastLine(std::string_view text) {
  if (const std::size_t at = text.rfind(kSummary);
      at != std::string_view::npos && (at == 0 || text[at - 1] == '\n')) {
    return text.substr(at, text.find('\n', at) - at);
  }
  while (!text.empty() && (text.back() == '\n' || text.back() == ' ')) {
    text.remove_suffix(1);
  }
  const std::size_t end = text.rfind('\n');
  return end == std::string_view::npos ? text : text.substr(end + 1);
}

std::string OneLine(const Outcome& outcome) {
  Outcome unnamed = outcome;
  unnamed.observed.clear();
  std::string text = WriteOutcome(unnamed, "");
  std::erase(text, '\n');
  std::string line;
  for (const char c : text) {
    if (c != ' ' || line.empty() || line.back() != ' ') line += c;
  }
  return line.size() <= 160 ? line : line.substr(0, 160) + "…";
}

using End = std::function<std::vector<std::string>()>;

struct EndCalls {
  std::mutex lock;
  std::vector<End> all;
};

EndCalls& TheEnds() {
  static auto* const ends = new EndCalls;
  return *ends;
}

}  // namespace

NoOutcome Failure(NoOutcome::Kind kind, std::string why,
                  std::string error_tail) {
  const std::string_view last = LastLine(error_tail);
  if (!last.empty()) {
    why +=
        fmt::format("; {}: \"{}\"",
                    last.starts_with(kSummary) ? "its sanitizer reports"
                                               : "the last line of its stderr",
                    Quote(last, 200));
  }
  return {kind, std::move(why), std::move(error_tail)};
}

std::unexpected<NoOutcome> AsFailure(NoOutcome none) {
  if (!IsFailure(none.kind)) none.kind = NoOutcome::Kind::kCrash;
  return std::unexpected(std::move(none));
}

std::string TargetProcess::WhyEndedBadly() {
  const ProcessEnd end = process_->Wait();
  return end.well() ? "" : fmt::format("{} it {}", on_end_request_, end.Text());
}

NoOutcome TargetProcess::Broke(std::string why, NoOutcome::Kind kind) {
  broken_ = true;
  const ProcessEnd end = process_->Kill();
  return Failure(kind, std::move(why), end.error_tail);
}

void Retired::Add(std::shared_ptr<TargetProcess> process) {
  if (process == nullptr || process->ForeignHere() || process->broken()) return;
  process->LetEnd();
  const std::lock_guard lock(mutex_);
  DropForeign();
  std::erase_if(ending_, [&](const auto& one) {
    const bool ended = one->HasEnded();
    if (ended) Note(*one);
    return ended;
  });
  ending_.push_back(std::move(process));
}

std::vector<std::string> Retired::Wait(std::string_view name) {
  const std::lock_guard lock(mutex_);
  DropForeign();
  for (const auto& one : ending_) Note(*one);
  ending_.clear();
  std::vector<std::string> lines;
  for (const std::string& why : std::exchange(complaints_, {})) {
    lines.push_back(fmt::format("{}: {}", name, why));
  }
  return lines;
}

void Retired::Note(TargetProcess& process) {
  std::string why = process.WhyEndedBadly();
  if (!why.empty()) complaints_.insert(std::move(why));
}

/// In a fork of the process that started them they are unusable.
void Retired::DropForeign() {
  std::erase_if(ending_, [](const auto& one) { return one->ForeignHere(); });
}

std::optional<NoOutcome> Restarts::WhyNot(std::string_view name) const {
  if (!given_up()) return std::nullopt;
  return NoOutcome{NoOutcome::Kind::kGivenUp,
                   fmt::format("{} was given up after {} restarts", name,
                               TheOutsideOptions().max_restarts),
                   {}};
}

std::optional<NoOutcome> StateDifference(
    const Outcome& had, const std::expected<Outcome, NoOutcome>& fresh,
    std::string_view last) {
  if (!fresh) return fresh.error();
  Outcome other = *fresh;
  other.observed = had.observed;
  if (other == had) return std::nullopt;
  return NoOutcome{
      NoOutcome::Kind::kState,
      fmt::format("a fresh process has another outcome of the same case: {} "
                  "{}, {} in the fresh one",
                  OneLine(had),
                  last.empty() ? std::string("where others came before it")
                               : fmt::format("after case {}", last),
                  OneLine(*fresh)),
      {}};
}

bool& StartFailed() {
  thread_local bool failed = false;
  return failed;
}

void AtOutsideEnd(End end) {
  const std::lock_guard lock(TheEnds().lock);
  TheEnds().all.push_back(std::move(end));
}

std::vector<std::string> EndOutsideTargets() {
  const std::lock_guard lock(TheEnds().lock);
  std::vector<std::string> lines;
  for (const End& end : TheEnds().all) {
    for (std::string& line : end()) lines.push_back(std::move(line));
  }
  EndForkServer();
  return lines;
}

}  // namespace lanediff::diff
