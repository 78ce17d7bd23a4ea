#include "differential/targets/account.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <string_view>

#include "differential/compare/compare.h"
#include "differential/compare/signature.h"
#include "isa/step.h"

namespace lanediff::diff {
void Account::AddUnsupported(const Case& c, std::size_t step) {
  const isa::Step& which = c.program[std::min(step, c.program.size() - 1)];
  ++unsupported_[{std::string(isa::OpName(which)),
                  std::string(DTypeWord(which)),
                  std::string(isa::Name(c.product))}];
}

void Account::Add(const Case& c, const Comparison& result, bool lacks_legal) {
  const std::lock_guard lock(mutex_);
  if (result.left_out) {
    ++counts_.left_out;
    return;
  }
  if (result.malformed || result.unrecorded) return;
  const bool failed = result.has_failed();
  counts_.failed += failed;
  counts_.disagreed += !failed && !result.findings.empty();
  if (result.given_up) return;
  for (isa::RuleId rule : result.tolerated) ++tolerated_[rule];
  const std::size_t rejected = result.rejected && result.tolerated.empty();
  const std::size_t executed = result.steps - std::min(result.steps, rejected);
  // What both sides reject, and what stands behind, was not to be executed.
  const std::size_t legal =
      result.rejected && result.findings.empty() ? executed : c.program.size();
  for (std::size_t i = 0; i < c.program.size(); ++i) {
    if (!isa::IsCall(c.program[i])) continue;
    const std::string op(isa::OpName(c.program[i]));
    // What is beyond its capabilities it doesn't claim.
    if (!result.beyond && i < legal) ++requested_[op];
    if (i < executed) ++executed_[op];
  }
  counts_.claimed += !result.beyond;
  counts_.lacking += lacks_legal;
  if (!result.unsupported) return;
  counts_.beyond += result.beyond;
  if (!result.beyond) AddUnsupported(c, result.unsupported_step);
}

void Account::Add(const Case& c, const Outcome& outcome) {
  const std::lock_guard lock(mutex_);
  ++counts_.claimed;
  const std::size_t executed = StepsExecuted(c, outcome);
  for (std::size_t i = 0; i < c.program.size(); ++i) {
    if (!isa::IsCall(c.program[i])) continue;
    const std::string op(isa::OpName(c.program[i]));
    ++requested_[op];
    if (i < executed) ++executed_[op];
  }
  if (outcome.status == Outcome::Status::kUnsupported) {
    AddUnsupported(c, outcome.step);
  }
}

void Account::GiveUp() {
  const std::lock_guard lock(mutex_);
  counts_.given_up = true;
}

AccountRecord Account::Record() const {
  const std::lock_guard lock(mutex_);
  AccountRecord record = counts_;
  for (const auto& [key, cases] : unsupported_) {
    record.unsupported.push_back({key[0], key[1], key[2], cases});
  }
  for (const auto& [rule, calls] : tolerated_) {
    record.tolerated.push_back({rule, calls});
  }
  for (const auto& [op, cases] : requested_) {
    if (!executed_.contains(op)) record.never_executed.push_back(op);
  }
  for (const auto& [op, cases] : executed_) record.executed.push_back(op);
  return record;
}

std::string AccountText(const AccountRecord& record) {
  std::string text;
  if (record.left_out > 0) {
    text += fmt::format("left out: {} cases that the documents refuse\n",
                        record.left_out);
  }
  if (record.beyond > 0) {
    text +=
        fmt::format("beyond what the target claims: {} cases\n", record.beyond);
  }
  for (const UnsupportedCalls& calls : record.unsupported) {
    text +=
        fmt::format("unsupported: {} {} on {}: {} cases\n", calls.instruction,
                    calls.dtype, calls.product, calls.cases);
  }
  if (!record.tolerated.empty()) {
    std::vector<std::string> rules;
    std::uint64_t calls = 0;
    for (const ToleratedRule& one : record.tolerated) {
      rules.push_back(fmt::format("{} {}", one.rule.text(), one.calls));
      calls += one.calls;
    }
    text += fmt::format(
        "tolerated: {} rules were broken and the call executed, {} times in "
        "all: {}\n",
        record.tolerated.size(), calls, fmt::join(rules, ", "));
  }
  if (record.failed > 0) {
    text += fmt::format(
        "failed: the target crashed, hung or broke the "
        "protocol in {} cases{}\n",
        record.failed, record.given_up ? ", and was given up" : "");
  }
  if (!record.never_executed.empty()) {
    text += fmt::format("never executed, though claimed: {}\n",
                        fmt::join(record.never_executed, ", "));
  }
  return text;
}

}  // namespace lanediff::diff
