#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <string>

#include "cli/common.h"
#include "diff/case_reader.h"
#include "diff/check.h"
#include "diff/element.h"
#include "diff/memory_set.h"
#include "diff/rule_text.h"
#include "isa/catalogue.h"
#include "isa/form.h"
#include "oracle/oracle.h"
#include "reports/printers.h"

namespace lanediff::cli {
namespace {

/// Lines of one kind that are shown unless all are asked for.
constexpr std::size_t kFewLines = 40;

/// Prints lines up to a limit and then says how many there were.
class Lines {
 public:
  explicit Lines(bool all) : all_(all) {}

  void Print(const std::string& line) {
    ++count_;
    if (all_ || count_ <= kFewLines) fmt::print("    {}\n", line);
  }
  void Finish() const {
    if (count_ == 0) fmt::print("    none\n");
    if (!all_ && count_ > kFewLines) {
      fmt::print("    … {} more lines; --all shows them\n", count_ - kFewLines);
    }
  }

 private:
  bool all_;
  std::size_t count_ = 0;
};

/// Shows a step's fields under the document's names.
struct FieldPrinter {
  std::string line = {};

  void Add(std::string_view name, const std::string& value) {
    line += fmt::format("{}{} {}", line.empty() ? "" : ", ", name, value);
  }
  template <class E>
  void Word(std::string_view name, const E& word) {
    Add(name, std::string(isa::Name(word)));
  }
  void Integer(std::string_view name, const std::int64_t& value) {
    Add(name, std::to_string(value));
  }
  void HexWord(std::string_view name, const std::uint64_t& value) {
    Add(name, fmt::format("0x{:x}", value));
  }
  void Flag(std::string_view name, const bool& flag, bool = false) {
    Add(name, flag ? "true" : "false");
  }
  void Tile(std::string_view name, const isa::Tile& tile) {
    Add(name,
        fmt::format(
            "{} at {} ({}×{} {}, valid {}×{}{})", isa::Name(tile.position),
            tile.at, tile.rows, tile.cols, isa::Name(tile.layout),
            tile.valid_row, tile.valid_col,
            tile.dtype ? ", " + std::string(isa::Name(*tile.dtype)) : ""));
  }
  template <class E>
  void OptionalWord(std::string_view name, const std::optional<E>& word) {
    Add(name, std::string(word ? isa::Name(*word) : "not asked for"));
  }
  void MaskWords(std::string_view name,
                 const std::array<std::uint64_t, 2>& words) {
    Add(name, fmt::format("[0x{:x}, 0x{:x}]", words[0], words[1]));
  }
  template <class T>
  void Group(std::string_view, const T& group) {
    T::Fields(group, *this);
  }
  template <std::size_t N>
  void Form(const std::uint8_t&, const std::array<isa::FormKey, N>&) {}
  void Operand(std::string_view name, const isa::Operand& operand) {
    Add(name, fmt::format("{} at {} ({} bytes{})", isa::Name(operand.position),
                          operand.at, operand.bytes,
                          operand.dtype
                              ? ", " + std::string(isa::Name(*operand.dtype))
                              : ""));
  }
};

/// The stage in which a reject rule is looked at: 1, 2 (bounds) or 3 (overlap).
int StageOf(isa::RuleId rule) {
  if (rule.text().ends_with("-BOUNDS")) return 2;
  const bool third = rule.text().find("-OVERLAP") != std::string_view::npos ||
                     rule.text() == "DC-BARRIER";
  return third ? 3 : 1;
}

std::string_view VerdictOf(const isa::Rule& rule,
                           const isa::StepResult& result) {
  switch (rule.effect) {
    case isa::Effect::kReject: {
      if (result.rules.Contains(rule.id)) return "BROKEN";
      const int reached =
          result.rules.empty() ? 3 : StageOf(*result.rules.begin());
      return StageOf(rule.id) > reached ? "not reached" : "holds";
    }
    case isa::Effect::kNote:
      return result.notes.Contains(rule.id) ? "noted" : "-";
    case isa::Effect::kSemantics:
      return result.status == isa::StepResult::Status::kExecuted ? "applies"
                                                                 : "-";
  }
  return "-";
}

std::string DocumentOf(const isa::Rule& rule) {
  std::string text;
  for (const isa::Source& source : rule.sources) {
    const std::string name(source.document.empty()
                               ? isa::Name(source.provenance)
                               : source.document);
    if (text.find(name) != std::string::npos) continue;
    if (!text.empty()) text += "; ";
    text += name;
  }
  return text;
}

void PrintRules(const isa::Step& step, const isa::StepResult& result) {
  fmt::print("  rules\n");
  for (const isa::Rule& rule : isa::Catalogue()) {
    const bool own = rule.instruction == isa::OpName(step);
    if (!own && rule.instruction != "common") continue;
    fmt::print("    {:<11} {:<28} {} [{}]\n", VerdictOf(rule, result),
               rule.id.text(), rule.statement, DocumentOf(rule));
  }
}

void PrintAccesses(const oracle::Oracle& oracle, bool all) {
  fmt::print("  bytes, iteration by iteration\n");
  Lines lines(all);
  for (const oracle::Access& access : oracle.accesses()) {
    const std::int64_t first = access.at / 32;
    const std::int64_t last = (access.at + access.bytes - 1) / 32;
    lines.Print(fmt::format(
        "iteration {:>3} {:<6} {:<4} {} [{}, {}) DataBlock{} from lane {}",
        access.iteration, access.write ? "writes" : "reads", access.operand,
        isa::Name(access.memory), access.at, access.at + access.bytes,
        first == last ? fmt::format(" {}", first)
                      : fmt::format("s {} to {}", first, last),
        access.lane));
  }
  lines.Finish();
}

std::string EventsOf(const oracle::Node& node) {
  std::string events;
  if (node.tie) {
    events += "  ROUNDED, tie to even";
  } else if (node.rounded) {
    events += "  ROUNDED";
  }
  if (node.saturated) events += "  SATURATED";
  return events;
}

void PrintNodes(const oracle::Oracle& oracle, bool all) {
  fmt::print("  arithmetic, node by node\n");
  Lines lines(all);
  for (const oracle::Node& node : oracle.nodes()) {
    const auto show = [&](std::uint64_t bits) {
      return diff::DescribeElement(node.dtype, bits);
    };
    const std::string inputs =
        node.operation == "write"
            ? show(node.left)
            : fmt::format("{}, {}", show(node.left), show(node.right));
    lines.Print(
        fmt::format("iteration {:>3} level {} node {:>3}: {} {} = {} → "
                    "{}{}",
                    node.iteration, node.level, node.index, node.operation,
                    inputs, node.exact, show(node.result), EventsOf(node)));
  }
  lines.Finish();
  if (oracle.true_results().empty()) return;
  fmt::print("  true results, unrounded\n");
  Lines results(all);
  for (const oracle::TrueResult& result : oracle.true_results()) {
    results.Print(fmt::format("iteration {:>3} byte {}: {}", result.iteration,
                              result.at, result.exact));
  }
  results.Finish();
}

void PrintStep(std::size_t i, const isa::Step& step, oracle::Oracle& oracle,
               const isa::StepResult& result, bool all) {
  FieldPrinter fields;
  std::visit([&](const auto& s) { s.Fields(s, fields); }, step);
  const bool rejected = result.status == isa::StepResult::Status::kRejected;
  const std::vector<isa::RuleId> rules(result.rules.begin(),
                                       result.rules.end());
  const std::vector<isa::RuleId> notes(result.notes.begin(),
                                       result.notes.end());
  fmt::print("\nstep {} {}: {}{}{}\n  {}\n", i, isa::OpName(step),
             rejected ? "rejected" : "executed", diff::RuleList(rules),
             notes.empty() ? "" : ", noted" + diff::RuleList(notes),
             fields.line);
  PrintRules(step, result);
  if (rejected) return;
  PrintAccesses(oracle, all);
  PrintNodes(oracle, all);
}

}  // namespace

int RunExplain(const ExplainOptions& options) {
  const auto c = diff::ReadCaseFile(options.path);
  if (!c) return FailUsage(options.path + ": " + c.error());
  fmt::print("case {} on {}\n", c->id, isa::Name(c->product));
  if (!c->note.empty()) fmt::print("{}\n", diff::Quote(c->note, 2000));

  diff::MemorySet memory(*c);
  oracle::Oracle oracle(c->product, memory.view());
  oracle.set_tracing(true);
  for (std::size_t i = 0; i < c->program.size(); ++i) {
    const isa::StepResult result = oracle.Execute(c->program[i]);
    PrintStep(i, c->program[i], oracle, result, options.all);
    if (result.status != isa::StepResult::Status::kExecuted) break;
  }

  fmt::print("\nexpected against actual\n");
  const diff::Target* const target = *diff::FindTarget("emulator");
  const diff::Target* const reference = *diff::FindTarget("oracle");
  const diff::Comparison result = diff::CheckCase(*c, *target, *reference);
  fmt::print(
      "  compared {} steps and {} bytes of emulator against oracle{}\n",
      result.steps, result.compared_bytes,
      c->expect ? ", and both against expect" : "; the case expects nothing");
  for (const diff::Finding& finding : result.findings) {
    fmt::print("  {}: {}\n", isa::Name(finding.kind), finding.message);
  }
  if (result.findings.empty()) fmt::print("  all agree\n");
  return result.findings.empty() ? kAgree : kDisagreement;
}

}  // namespace lanediff::cli
